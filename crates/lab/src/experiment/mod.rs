//! Experiments: series of games that are planned, stored, resumed and reported.
//!
//! An [`Experiment`] is a TOML file; a [`Plan`] is what follows from it; [`run_planned`] plays what is missing in a
//! [`Store`](crate::store::Store).

mod bench;
mod count;
mod file;
mod measure;
mod merge;
mod missing;
mod part;
mod plan;
mod run;
mod status;
mod stop;
mod text;

pub(crate) use bench::Bench;
pub use file::{
    AgentSettings, AtLimit, DrawSettings, Experiment, FigureSettings, GameName, LimitSettings, Pairing,
    PositionSettings, Published, TableSettings,
};
pub use measure::{Measure, Reading, SeriesKind, Unit, UnknownMeasure};
pub use missing::MissingGames;
pub use part::{NoPart, Part};
pub use plan::{Agent, Plan, PlannedGames, Row};
pub(crate) use plan::{draw_rules, limits, openings};
pub use run::{Planned, Progress, RunEnd, run_planned, stored_tally};
pub(crate) use status::check_program;
pub use status::{Mixing, RowStatus, RunProgress, Status, TimeEstimate};
pub use stop::{StopRule, StopRuleError};
pub use text::ExperimentError;
pub(crate) use text::explain;
