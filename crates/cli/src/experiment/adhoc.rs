//! An experiment without a file: two agents named on the command line.

use std::ops::ControlFlow;
use std::path::Path;

use afterstate_lab::experiment::{Experiment, Mixing, Plan};
use afterstate_lab::store::Store;
use afterstate_lab::{LabError, Machinery, Provenance};

use super::live::Live;
use crate::failure::Failure;
use crate::number::whole_number;
use crate::record::RecordFile;
use crate::{command_line, device, interrupt};

/// A planned experiment and the store it plays into.
pub(crate) struct Adhoc {
    pub(crate) experiment: Experiment,
    pub(crate) plan: Plan,
    pub(crate) store: Store,
    /// Whether all games were played, or why the rest of them could not be.
    played: Result<bool, Failure>,
}

/// How the games are played; it changes nothing about them.
#[derive(Debug, clap::Args)]
pub(crate) struct AdhocArgs {
    /// Games played side by side [default: one per core]; the results are the same
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Append the games to this file as they finish
    #[arg(long, value_name = "FILE")]
    record: Option<std::path::PathBuf>,
    /// Keep the results in this file: the same command goes on with them, more games are added to them
    #[arg(long, value_name = "FILE")]
    results: Option<std::path::PathBuf>,
    /// With --results: go on with games that another version of the program played
    #[arg(long, requires = "results")]
    mix_programs: bool,
}

impl Adhoc {
    /// Plays the games with a live table on standard error. What was finished is there to be shown where Ctrl-C or a
    /// failed device ends it early; [`Adhoc::end`] then says so.
    ///
    /// `watch` sees the record of every game that is played now, and may end the run.
    pub(crate) fn play(
        experiment: Experiment,
        title: &str,
        args: &AdhocArgs,
        mut watch: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Self, Failure> {
        let plan = Plan::new(&experiment, Path::new("")).map_err(LabError::from)?;
        let mut machinery = Machinery { stop: interrupt::stop_on_ctrl_c()?, ..Machinery::default() };
        if let Some(threads) = args.threads {
            machinery.threads = threads.into();
        }
        let mut record = RecordFile::open(args.record.as_deref())?;
        let store = args.results.as_deref().map_or_else(Store::scratch, Store::open);
        let mut store = store.map_err(LabError::from)?;
        let provenance = Provenance::here(command_line(), machinery.threads);
        let mixing = if args.mix_programs { Mixing::Allowed } else { Mixing::Refused };
        let mut live = Live::new(title, machinery.threads);
        let played = plan.run(&experiment, &mut store, &provenance, mixing, &machinery, |progress| {
            live.update(progress);
            if record.append(progress.record) { watch(progress.record) } else { ControlFlow::Break(()) }
        });
        live.end();
        let played = match played {
            Ok((complete, _)) => Ok(complete),
            Err(error @ LabError::DeviceFailed { .. }) => Err(match &args.results {
                Some(results) => device::ended_with_results(error, results),
                None => device::ended(
                    error,
                    "the finished games are counted; --results FILE would keep them for a next run",
                ),
            }),
            Err(error) => return Err(error.into()),
        };
        record.finish()?;
        Ok(Self { experiment, plan, store, played })
    }

    /// The end of the command, after what was finished has been shown.
    pub(crate) fn end(self, finished: u64, wanted: u64) -> Result<(), Failure> {
        if self.played? { Ok(()) } else { interrupt::report(finished, wanted) }
    }
}
