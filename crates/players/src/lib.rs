//! Agent specs and presets: from text to a player. The only room that knows every algorithm and every game.
//!
//! ```text
//! "maqsood/exp6"  --resolve-->  "expectimax(depth=6, eval=maqsood, ...)"  --build-->  Box<dyn Player<...>>
//! ```
//!
//! ```
//! use afterstate_game::{Dice, History, Limits, Player};
//! use afterstate_players::{DecisionReport, build};
//! use afterstate_twenty48::State;
//!
//! let mut player = build::<State>("expectimax(depth=3, eval=maqsood)")?;
//! player.start_game(1); // The seed of whatever the player draws.
//! let game = History::new(State::start(&mut Dice::seeded(1)));
//! let decision = player.decide_within(&game, Limits { depth: Some(2), ..Limits::NONE })?;
//! let report = DecisionReport::new(game.position(), &decision);
//! assert_eq!((report.depth, report.line[0].as_str()), (2, report.best.as_str()));
//!
//! let error = build::<State>("expectimax(dept=3)").err().expect("there is no such key");
//! assert!(error.to_string().contains("did you mean `depth`?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every agent, key, default and range is described once, as data, in the [`Catalogue`] of its game; listing,
//! validation and error messages all read it from there. Players do not run matches: that is the laboratory's work.

mod abalone;
mod allowance;
mod catalogue;
mod error;
mod evaluated;
mod key;
mod mcts;
mod memory;
mod models;
mod one_ply;
mod random;
mod report;
mod spec;
mod twenty48;

pub use allowance::Allowance;
pub use catalogue::{
    AgentKind, BoxedPlayer, Build, Catalogue, EvaluationKind, Playable, Preset, build, build_spec, canonical, identity,
    resolve,
};
pub use error::{SpecError, nearest};
pub use key::{Arguments, Key, Values, Variant, parse_size, parse_time};
pub use models::{device_failure, has_shipped_network, models_folder, table_files};
pub use one_ply::OnePly;
pub use random::Random;
pub use report::{DecisionReport, MoveReport};
pub use spec::Spec;
