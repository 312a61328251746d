//! Ctrl-C: the first one asks the work to end and report what it has, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_game::Stop;

use crate::failure::Failure;

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

/// Whether Ctrl-C was pressed.
pub(crate) fn was_pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}
