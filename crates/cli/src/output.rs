//! Standard output and standard error whose readers may go away while there is work to do.

use std::fmt::Display;
use std::io::{self, Write};

use crate::failure::Failure;

/// Says a line on standard error, as `eprintln!` does; where nobody can hear it the work goes on.
macro_rules! tell {
    ($($words:tt)*) => { $crate::output::line_to_stderr(format_args!($($words)*)) };
}
pub(crate) use tell;

pub(crate) fn line_to_stderr(line: impl Display) {
    // There is nowhere left to say that this failed.
    let _ = writeln!(io::stderr(), "{line}");
}

/// An output that is given up after its first error, which [`Patient::finish`] tells: what is shown must not end the work.
pub(crate) struct Patient<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: Write> Patient<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, failed: None }
    }

    /// What went wrong, now that the work is done.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.unless_failed(W::flush);
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn unless_failed(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(&mut self.out).err();
        }
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_failed(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(W::flush);
        Ok(())
    }
}
