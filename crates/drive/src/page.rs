//! A 2048 page in a browser: looking and pressing keys.

use std::time::Duration;

use afterstate_twenty48::Direction;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::{By, Key, WebDriver};

use crate::sight::Look;
use crate::{Browser, DriveError, Message, Sight};

const LOOK: &str = include_str!("look.js");

/// A page that was opened and looks like a 2048 game.
#[derive(Debug)]
pub struct Page<'a> {
    browser: &'a Browser,
}

/// How long a page may take to show its board.
const BOARD_WITHIN: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(100);

impl<'a> Page<'a> {
    /// Opens an address and waits for a board with tiles on it.
    pub async fn open(browser: &'a Browser, url: &str) -> Result<Self, DriveError> {
        let unreachable = |reason: String| DriveError::Unreachable { url: url.to_owned(), reason };
        browser.goto(url).await.map_err(|error| match &*error {
            WebDriverErrorInner::UnexpectedAlertOpen(_) => DriveError::from(error),
            // Drivers have no words for what is no address.
            _ if !url.contains("://") => {
                unreachable("expected an address that begins with http:// or https://".to_owned())
            }
            other => unreachable(other.to_string().lines().next().unwrap_or_default().to_owned()),
        })?;
        let page = Self { browser };
        let started = tokio::time::Instant::now();
        loop {
            match page.look().await {
                Ok(sight) if sight.board.count_empty() < 16 => return Ok(page),
                Ok(_) | Err(DriveError::NotTheGame(_)) if started.elapsed() < BOARD_WITHIN => {
                    tokio::time::sleep(GLANCE).await;
                }
                Ok(_) => return Err(DriveError::NotTheGame("its board has no tiles".to_owned())),
                Err(DriveError::NotLoaded(reason)) => return Err(unreachable(reason)),
                Err(error) => return Err(error),
            }
        }
    }

    fn session(&self) -> &WebDriver {
        self.browser
    }

    /// What is to be seen now.
    pub async fn look(&self) -> Result<Sight, DriveError> {
        let mut seen = self.session().execute(LOOK, Vec::new()).await?.json().clone();
        if seen.is_null() {
            // A dialog that opens just then takes the answer away; the next question is told about it.
            seen = self.session().execute(LOOK, Vec::new()).await?.json().clone();
        }
        let look: Look = serde_json::from_value(seen)
            .map_err(|error| DriveError::Browser(format!("the page reports nonsense: {error}")))?;
        look.read()
    }

    /// Presses an arrow key.
    pub async fn press(&self, direction: Direction) -> Result<(), DriveError> {
        let key = match direction {
            Direction::Up => Key::Up,
            Direction::Right => Key::Right,
            Direction::Down => Key::Down,
            Direction::Left => Key::Left,
        };
        let keys = self
            .session()
            .action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO))
            .key_down(key.clone())
            .key_up(key);
        Ok(keys.perform().await?)
    }

    /// Goes on after 2048, and waits until the page no longer speaks of it. Pages fade their button in after the message,
    /// and take it away before or after; whether pressing it worked shows in the message alone.
    pub async fn keep_playing(&self) -> Result<(), DriveError> {
        let started = tokio::time::Instant::now();
        while self.look().await?.message == Some(Message::Won) {
            let pressed = self.click(".keep-playing-button").await;
            if started.elapsed() > BOARD_WITHIN {
                pressed?;
                return Err(DriveError::NotTheGame("its button `.keep-playing-button` does not lead on".to_owned()));
            }
            tokio::time::sleep(GLANCE).await;
        }
        Ok(())
    }

    /// Starts the next game, and waits until the page shows it.
    pub async fn retry(&self) -> Result<(), DriveError> {
        let before = self.look().await?.board;
        self.click(".retry-button, .restart-button").await?;
        let started = tokio::time::Instant::now();
        loop {
            let sight = self.look().await?;
            if sight.board != before && sight.message.is_none() && sight.board.count_empty() < 16 {
                return Ok(());
            }
            if started.elapsed() > BOARD_WITHIN {
                return Err(DriveError::NotTheGame("its button for a new game starts none".to_owned()));
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    async fn click(&self, selector: &str) -> Result<(), DriveError> {
        for button in self.session().find_all(By::Css(selector)).await? {
            if button.is_displayed().await.unwrap_or(false) {
                return Ok(button.click().await?);
            }
        }
        Err(DriveError::NotTheGame(format!("there is no button `{selector}` to go on with")))
    }
}
