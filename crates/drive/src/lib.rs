//! Plays somebody else's 2048 page through a browser.
//!
//! A real browser is opened through `WebDriver`; the board is read from the page, an agent decides, an arrow key is sent,
//! and the new tile is waited for. The page has to follow the markup of the original game; what is read is in [`Sight`].
//!
//! A crate of its own because it is the client of a foreign page: it knows nothing of this project's server, and the
//! server nothing of browsers.

mod browser;
mod driver;
mod error;
mod game;
mod page;
mod sight;

pub use browser::{Browser, BrowserKind, Window};
pub use error::{DriveError, DriveFailure};
pub use game::{DriveEvent, DriveSettings, DrivenGame, drive, drive_in};
pub use page::Page;
pub use sight::{Message, Sight};
