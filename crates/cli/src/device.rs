//! A device that an agent works on, and that fails while it is asked.
//!
//! The agent goes on with the processor. Where its answers are a result, the command ends instead; where a person or a program
//! plays with it, the game goes on and the failure is said once.

use std::fmt::Display;
use std::path::Path;
use std::sync::Once;

use afterstate_lab::LabError;
use afterstate_players::device_failure;

use crate::failure::Failure;
use crate::output::tell;

/// An error if the device of a player that is still there has failed: what it decided is not what was asked for.
pub(crate) fn check(agent: &str) -> Result<(), Failure> {
    device_failure().map_or(Ok(()), |reason| Err(failed(agent, &reason)))
}

fn failed(agent: &str, reason: &str) -> Failure {
    Failure::World(format!(
        "{agent}: the device failed: {reason}; what is decided without it is not shown; try again when it works, or with \
         device=cpu"
    ))
}

/// The end of many games. Where their device failed, it is said what became of those that were finished.
pub(crate) fn ended(error: LabError, kept: impl Display) -> Failure {
    match error {
        LabError::DeviceFailed { .. } => {
            Failure::World(format!("{error}; {kept}; an agent with device=cpu needs no other device"))
        }
        error => error.into(),
    }
}

/// The same where the finished games are in a results file.
pub(crate) fn ended_with_results(error: LabError, results: &Path) -> Failure {
    let results = results.display();
    ended(error, format_args!("every finished game is in {results}, and the same command goes on with the rest"))
}

/// Says on standard error that the device of a player that is still there has failed, the first time that it is so.
pub(crate) fn tell_once() {
    static TOLD: Once = Once::new();
    if let Some(notice) = notice(&TOLD, device_failure()) {
        tell!("{notice}");
    }
}

fn notice(told: &Once, failure: Option<String>) -> Option<String> {
    let reason = failure?;
    let mut notice = None;
    told.call_once(|| {
        notice = Some(format!("warning: the device failed: {reason}; the processor goes on in its place"));
    });
    notice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_said_once_and_only_where_there_is_one() {
        let (told, failure) = (Once::new(), || Some("it fell off the bus".to_owned()));
        assert_eq!(notice(&told, None), None);
        let first = notice(&told, failure()).unwrap();
        assert_eq!(first, "warning: the device failed: it fell off the bus; the processor goes on in its place");
        assert_eq!(notice(&told, failure()), None);
    }

    #[test]
    fn a_run_whose_device_failed_says_where_its_games_are_and_any_other_error_is_left_alone() {
        let reason = "it fell off the bus".to_owned();
        let error = LabError::DeviceFailed { who: "somebody".to_owned(), game: 7, reason };
        let Failure::World(message) = ended_with_results(error, Path::new("results/test.db")) else { panic!() };
        assert_eq!(
            message,
            "game 7 of somebody: the device failed: it fell off the bus; a game that goes on without it does not count; \
             every finished game is in results/test.db, and the same command goes on with the rest; an agent with \
             device=cpu needs no other device"
        );
        let Failure::World(message) = ended(LabError::NotStored, "kept") else { panic!() };
        assert_eq!(message, LabError::NotStored.to_string());
    }

    #[test]
    fn an_agent_without_a_device_never_fails() {
        assert!(check("random").is_ok());
    }
}
