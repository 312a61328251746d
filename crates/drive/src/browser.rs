//! A browser under control.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver};

use crate::DriveError;
use crate::driver::Driver;

/// Which browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrowserKind {
    /// Chrome or Chromium, through `chromedriver`.
    #[default]
    Chrome,
    /// Firefox, through `geckodriver`.
    Firefox,
}

impl FromStr for BrowserKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "chrome" => Ok(Self::Chrome),
            "firefox" => Ok(Self::Firefox),
            _ => Err(format!("there is no browser {name:?} here; expected chrome or firefox")),
        }
    }
}

impl fmt::Display for BrowserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chrome => "chrome",
            Self::Firefox => "firefox",
        })
    }
}

/// Whether the browser is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// On the screen.
    #[default]
    Shown,
    /// Without a screen.
    Headless,
}

/// An open browser with its driver, for `WebDriver` commands. [`Self::close`] ends both; dropping it ends the driver,
/// which takes the browser with it.
#[derive(Debug)]
pub struct Browser {
    session: WebDriver,
    // Dropped after the session, which needs it to say goodbye.
    _driver: Driver,
    profile: Profile,
}

impl Browser {
    /// Opens a browser with a profile of its own, which leaves nothing behind.
    pub async fn open(kind: BrowserKind, window: Window) -> Result<Self, DriveError> {
        let driver = Driver::start(kind)?;
        let profile = Profile::new().map_err(|error| DriveError::NoBrowser(error.to_string()))?;
        let session = match kind {
            BrowserKind::Chrome => WebDriver::new(driver.url(), chrome(window, &profile)?).await,
            BrowserKind::Firefox => {
                let mut capabilities = DesiredCapabilities::firefox();
                if window == Window::Headless {
                    capabilities.set_headless()?;
                }
                WebDriver::new(driver.url(), capabilities).await
            }
        };
        let session = session.map_err(|error| DriveError::NoBrowser(error.to_string()))?;
        Ok(Self { session, _driver: driver, profile })
    }

    /// Closes the browser.
    pub async fn close(self) {
        let Self { session, _driver, profile } = self;
        // A browser that is gone is closed.
        let _ = session.quit().await;
        drop(_driver);
        drop(profile);
    }
}

impl Deref for Browser {
    type Target = WebDriver;

    fn deref(&self) -> &WebDriver {
        &self.session
    }
}

fn chrome(window: Window, profile: &Profile) -> Result<thirtyfour::ChromeCapabilities, DriveError> {
    let mut capabilities = DesiredCapabilities::chrome();
    let quiet = [
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Chromium's sandbox does not start for root, which is who runs it in containers.
        "--no-sandbox",
        "--disable-dev-shm-usage",
    ];
    for argument in quiet {
        capabilities.add_arg(argument)?;
    }
    capabilities.add_arg(&format!("--user-data-dir={}", profile.path.display()))?;
    if window == Window::Headless {
        capabilities.add_arg("--headless")?;
        capabilities.add_arg("--disable-gpu")?;
        capabilities.add_arg("--window-size=1280,900")?;
    }
    Ok(capabilities)
}

/// A folder for one run of a browser.
#[derive(Debug)]
struct Profile {
    path: std::path::PathBuf,
}

impl Profile {
    fn new() -> std::io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("afterstate-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self { path })
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        // What a dying browser still writes stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
