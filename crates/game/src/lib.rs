//! The vocabulary of Afterstate: what a game, a search and a player must say to each other.
//!
//! A [`Position`] is a moment at which somebody has to choose a move. Playing the move leads to an
//! [`Afterstate`]: the moment at which the world answers. In 2048 the answer is a new tile; in a game without chance
//! there is exactly one answer ([`Settled`]). A [`Player`] looks at a [`History`] within [`Limits`] and returns a
//! [`Decision`].
//!
//! This crate knows no concrete game, no clock, no file and no thread.
//!
//! # A game of one's own
//!
//! A game says who moves, which moves there are, and what they lead to. Then every player and search can play it, and the
//! [`conformance`] harness says whether it keeps the laws they rely on. Here a player throws a die and adds it to a heap, as
//! often as he dares: over 21 all is lost.
//!
//! ```
//! use std::fmt;
//!
//! use afterstate_game::{Afterstate, Dice, Outcome, Played, Position, Side, conformance};
//!
//! /// A moment of choice.
//! #[derive(Clone, Debug, PartialEq, Eq)]
//! struct Heap {
//!     sum: u8,
//!     stopped: bool,
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
//! enum Choice {
//!     Throw,
//!     Stop,
//! }
//!
//! impl fmt::Display for Choice {
//!     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
//!         f.write_str(if *self == Self::Throw { "throw" } else { "stop" })
//!     }
//! }
//!
//! /// A moment of chance. After a stop there is only one answer.
//! #[derive(Clone, Debug, PartialEq, Eq)]
//! struct Chosen(u8, Choice);
//!
//! impl Position for Heap {
//!     type Move = Choice;
//!     type Afterstate = Chosen;
//!     const SIDES: u8 = 1;
//!
//!     fn side_to_move(&self) -> Side {
//!         Side::First
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.stopped || self.sum > 21).then_some(Outcome::Over)
//!     }
//!
//!     fn for_each_move(&self, visit: impl FnMut(Choice)) {
//!         if self.outcome().is_none() {
//!             [Choice::Throw, Choice::Stop].into_iter().for_each(visit);
//!         }
//!     }
//!
//!     fn play_unchecked(&self, mv: Choice) -> Played<Self> {
//!         let reward = if mv == Choice::Stop { self.sum.into() } else { 0 };
//!         Played { afterstate: Chosen(self.sum, mv), reward }
//!     }
//!
//!     fn key(&self) -> u64 {
//!         (u64::from(self.sum) << 1 | u64::from(self.stopped)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
//!     }
//!
//!     fn is_irreversible(&self, _mv: Choice) -> bool {
//!         true // The heap only grows.
//!     }
//!
//!     fn leader(&self) -> Option<Side> {
//!         None
//!     }
//! }
//!
//! impl Chosen {
//!     fn after(&self, die: u8) -> Heap {
//!         Heap { sum: self.0 + die, stopped: self.1 == Choice::Stop }
//!     }
//! }
//!
//! impl Afterstate for Chosen {
//!     type Position = Heap;
//!     const HAS_CHANCE: bool = true;
//!
//!     fn for_each_answer(&self, mut visit: impl FnMut(Heap, f32)) {
//!         match self.1 {
//!             Choice::Throw => (1..=6).for_each(|die| visit(self.after(die), 1.0 / 6.0)),
//!             Choice::Stop => visit(self.after(0), 1.0),
//!         }
//!     }
//!
//!     fn draw(&self, dice: &mut Dice) -> Heap {
//!         match self.1 {
//!             Choice::Throw => self.after(1 + dice.below(6) as u8),
//!             Choice::Stop => self.after(0),
//!         }
//!     }
//!
//!     fn key(&self) -> u64 {
//!         self.after(0).key() ^ 1 << 63
//!     }
//! }
//!
//! let start = Heap { sum: 0, stopped: false };
//! let positions = conformance::check_rules(&[start.clone()], 100, 30)?;
//! assert!(positions > 100);
//!
//! // A random game. The same dice give the same game.
//! let (mut heap, mut score, mut dice) = (start, 0, Dice::seeded(1));
//! while let Some(mv) = heap.random_move(&mut dice) {
//!     let played = heap.play(mv)?;
//!     score += played.reward;
//!     heap = played.afterstate.draw(&mut dice);
//! }
//! assert_eq!(score, if heap.stopped { u32::from(heap.sum) } else { 0 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod conformance;
mod decision;
mod dice;
mod evaluation;
mod history;
mod limits;
mod notation;
mod outcome;
mod player;
mod position;
mod symmetry;
mod tactics;

pub use decision::{Bound, Decision, Effort, MoveValue};
pub use dice::{Dice, derive_seed};
pub use evaluation::Evaluation;
pub use history::{AtPlyLimit, DrawRules, History};
pub use limits::{Limits, Stop};
pub use notation::Notation;
pub use outcome::{Outcome, PerSide, Side};
pub use player::{NoLegalMove, Player, Task};
pub use position::{Afterstate, IllegalMove, Played, Position, Settled};
pub use symmetry::{Symmetric, Symmetry};
pub use tactics::Tactics;
