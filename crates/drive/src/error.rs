//! What can go wrong with a page, a browser or a driver.

use std::time::Duration;

use afterstate_players::SpecError;
use afterstate_twenty48::record::PlyError;
use thirtyfour::error::{WebDriverError, WebDriverErrorInner};

use crate::DrivenGame;

/// Why a page cannot be played any further.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// No driver program.
    #[error("cannot start `{program}`: {reason}; install it ({source_of_it}) or put it on the PATH")]
    NoDriver {
        /// The program.
        program: &'static str,
        /// What the system says.
        reason: String,
        /// Where to get it. (`source` would be taken for an error behind this one.)
        source_of_it: &'static str,
    },
    /// The driver runs, the browser does not.
    #[error("the browser does not start: {0}")]
    NoBrowser(String),
    /// The address cannot be opened.
    #[error("cannot open {url}: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// What the browser says.
        reason: String,
    },
    /// The browser shows an error in place of the page.
    #[error("the browser cannot load the page: {0}")]
    NotLoaded(String),
    /// There is no board.
    #[error("this page is not a 2048 game: {0}")]
    NotTheGame(String),
    /// Something lies over the board.
    #[error("the board is covered by {0}; close it and start again")]
    Covered(String),
    /// A dialog of the browser is open.
    #[error("the page has opened a dialog: {0}")]
    Dialog(String),
    /// The tab or the browser was closed.
    #[error("the tab was closed")]
    TabLost,
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The agent plays on without its device, and that is not the agent that was asked for.
    #[error("{agent}: the device failed: {reason}; a game that goes on without it does not count")]
    DeviceFailed {
        /// The agent.
        agent: String,
        /// What the device says.
        reason: String,
    },
    /// A key had no effect.
    #[error("the page did not answer the key {mv} within {waited:?}; it still shows {board}")]
    NoAnswer {
        /// The move.
        mv: String,
        /// How long was waited.
        waited: Duration,
        /// What the page shows.
        board: String,
    },
    /// The page shows what the rules do not allow.
    #[error("the page shows {board}, which cannot follow: {reason}")]
    Unexpected {
        /// What the page shows.
        board: String,
        /// Why it cannot be.
        reason: PlyError,
    },
    /// Anything else that the browser says.
    #[error("the browser says: {0}")]
    Browser(String),
}

/// A drive that ended early: why, and the games so far.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct DriveFailure {
    /// Why it ended.
    pub error: Box<DriveError>,
    /// What was played until then; the last game may be unfinished.
    pub games: Vec<DrivenGame>,
}

impl DriveFailure {
    /// Nothing was played.
    pub(crate) fn at_once(error: DriveError) -> Self {
        Self { error: Box::new(error), games: Vec::new() }
    }
}

impl From<WebDriverError> for DriveError {
    fn from(error: WebDriverError) -> Self {
        match &*error {
            WebDriverErrorInner::NoSuchWindow(_) | WebDriverErrorInner::InvalidSessionId(_) => Self::TabLost,
            WebDriverErrorInner::UnexpectedAlertOpen(info) => Self::Dialog(first_line(&info.value.message)),
            // A browser that is gone takes its driver's answers with it.
            WebDriverErrorInner::RequestFailed(_) | WebDriverErrorInner::HttpError(_) => Self::TabLost,
            other => {
                let text = other.to_string();
                if text.contains("disconnected") || text.contains("crashed") || text.contains("not reachable") {
                    Self::TabLost
                } else {
                    Self::Browser(first_line(&text))
                }
            }
        }
    }
}

/// The first line, without the stack trace that drivers append.
fn first_line(text: &str) -> String {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing").to_owned()
}
