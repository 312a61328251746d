//! Ctrl-C: the first one asks the work to end and report what it has, the second one ends the program.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_game::Stop;

use crate::failure::Failure;
use crate::output::tell;

static PRESSED: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C (or a request to terminate) raises.
pub(crate) fn stop_on_ctrl_c() -> Result<Stop, Failure> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if PRESSED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        raised.raise();
    })
    .map_err(|error| Failure::world("watching for Ctrl-C", error))?;
    Ok(stop)
}

/// Ends a run of games: says so if Ctrl-C cut it short.
pub(crate) fn report(finished: u64, wanted: u64) -> Result<(), Failure> {
    report_cut(format_args!("{finished} of {wanted} games were finished and are counted"))
}

/// Ends work whose result Ctrl-C may have cut short, with what became of it.
pub(crate) fn report_cut(outcome: impl Display) -> Result<(), Failure> {
    if PRESSED.load(Ordering::Relaxed) {
        tell!("interrupted: {outcome}");
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// Ends a run that goes generation by generation: says so if Ctrl-C cut it short.
pub(crate) fn report_generations(finished: u64, wanted: u64) -> Result<(), Failure> {
    if finished < wanted && PRESSED.load(Ordering::Relaxed) {
        tell!("interrupted after {finished} of {wanted} generations; the same command goes on from there");
        return Err(Failure::Interrupted);
    }
    Ok(())
}
