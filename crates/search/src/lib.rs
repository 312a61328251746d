//! The searches, generic over games: expectimax, alpha-beta and Monte Carlo tree search, with what they share.
//!
//! Each is a [`Player`](afterstate_game::Player): made from its settings and an
//! [`Evaluation`](afterstate_game::Evaluation), it decides within [`Limits`](afterstate_game::Limits). Which one suits a
//! game follows from the game: [`expectimax`] for one player against chance, [`alphabeta`] for two players without chance,
//! [`mcts`] for both, and for two players with chance.
//!
//! ```
//! use afterstate_game::{Dice, Evaluation, History, Limits, Player, Position};
//! use afterstate_search::expectimax::{Depth, Expectimax, Settings};
//! use afterstate_search::mcts::{self, Mcts};
//! use afterstate_twenty48::{Slid, State};
//!
//! /// Free cells, and large tiles in the first row.
//! #[derive(Clone, Copy)]
//! struct Orderly;
//!
//! impl Evaluation<State> for Orderly {
//!     fn position(&self, state: &State) -> f32 {
//!         let first_row: u8 = state.0.exponents()[..4].iter().sum();
//!         4.0 * state.0.count_empty() as f32 + f32::from(first_row)
//!     }
//!
//!     fn afterstate(&self, slid: &Slid) -> f32 {
//!         self.position(&State(slid.0))
//!     }
//! }
//!
//! let game = History::new(State::start(&mut Dice::seeded(1)));
//! let mut player = Expectimax::new(Settings { depth: Depth::Fixed(2), ..Settings::default() }, Orderly)?;
//! let decision = player.decide_within(&game, Limits::NONE)?;
//! assert!(game.position().is_legal(decision.best));
//! assert_eq!((decision.depth, decision.moves.len()), (2, game.position().count_moves()));
//!
//! // The same judgement in another search: random games of eight moves, and what they come to.
//! let simulation = mcts::Simulation::Random { limit: Some(8) };
//! let payoff = mcts::Payoff { scale: mcts::Scale::Linear { half_range: 100.0 }, ..mcts::Payoff::default() };
//! let mut player = Mcts::new(mcts::Settings { simulation, payoff, ..mcts::Settings::default() }, Orderly)?;
//! let decision = player.decide_within(&game, Limits { iterations: Some(300), ..Limits::NONE })?;
//! assert_eq!(decision.effort.iterations, 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two players, within a limit on nodes, with everybody who wants to watch the search deepen or stop it:
//!
//! ```
//! use afterstate_abalone::Layout;
//! use afterstate_abalone::evaluation::Hauff;
//! use afterstate_game::{History, Limits, Player, Stop, Task};
//! use afterstate_search::alphabeta::{AlphaBeta, Settings};
//!
//! let mut player = AlphaBeta::new(Settings::classic(), Hauff::default())?;
//! let (mut depths, stop) = (Vec::new(), Stop::new());
//! let decision = player.decide(Task {
//!     history: &History::new(Layout::BelgianDaisy.position()),
//!     limits: Limits { nodes: Some(10_000), ..Limits::NONE },
//!     stop: &stop,
//!     observer: &mut |decision| depths.push(decision.depth),
//! })?;
//! assert_eq!(depths.last(), Some(&decision.depth));
//! assert!(decision.effort.nodes <= 10_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here names a concrete game, prints, reads a file or owns a global.

pub mod alphabeta;
mod budget;
pub mod expectimax;
mod mapped;
pub mod mcts;
mod prefetch;
mod table;

pub use budget::Budget;
pub use mapped::{Mapped, Number, OutOfMemory};
pub use prefetch::{prefetch, prefetch_item};
pub use table::{Shelf, Table, TableTooLarge};
