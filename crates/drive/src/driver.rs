//! Starting and ending the driver program of a browser.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::{BrowserKind, DriveError};

/// A driver that listens on loopback. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Driver {
    process: Child,
    port: u16,
}

/// How long a driver may take to say that it listens.
const READY_WITHIN: Duration = Duration::from_secs(30);

impl Driver {
    pub(crate) fn start(kind: BrowserKind) -> Result<Self, DriveError> {
        match kind {
            BrowserKind::Chrome => Self::launch("chromedriver", "Debian: chromium-driver"),
            BrowserKind::Firefox => Self::launch("geckodriver", "Mozilla's releases of geckodriver"),
        }
    }

    /// Starts a program on a free port; both take it in the same way.
    fn launch(program: &'static str, source: &'static str) -> Result<Self, DriveError> {
        let missing = |reason: String| DriveError::NoDriver { program, reason, source_of_it: source };
        let port = free_port().map_err(|error| missing(error.to_string()))?;
        let mut command = Command::new(program);
        command.arg(format!("--port={port}")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let process = command.spawn().map_err(|error| missing(error.to_string()))?;
        let mut driver = Self { process, port };
        driver.wait_until_ready().map_err(|reason| missing(reason.to_owned()))?;
        Ok(driver)
    }

    /// Both drivers print a line with their port once they listen. What they print later is read and dropped, so that
    /// they never wait for a reader.
    fn wait_until_ready(&mut self) -> Result<(), &'static str> {
        let Some(output) = self.process.stdout.take() else { return Err("its output cannot be read") };
        let (ready, listening) = mpsc::channel();
        let port = self.port.to_string();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(output).lines().map_while(Result::ok);
            if lines.any(|line| line.contains(&port) && !line.starts_with("Starting")) {
                let _ = ready.send(());
            }
            lines.for_each(drop);
        });
        listening.recv_timeout(READY_WITHIN).map_err(|_| "it did not say that it listens")
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that was free a moment ago.
fn free_port() -> std::io::Result<u16> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr().map(|address| address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_driver_is_named_with_where_to_get_it() {
        let error = Driver::launch("no-such-driver", "a shop").unwrap_err().to_string();
        assert!(error.starts_with("cannot start `no-such-driver`: "), "{error}");
        assert!(error.ends_with("; install it (a shop) or put it on the PATH"), "{error}");
    }
}
