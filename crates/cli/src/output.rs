//! Standard output and standard error whose readers may go away while there is work to do.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

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

/// Standard output, whose errors say that it is meant.
pub(crate) fn stdout() -> BufWriter<Stdout> {
    BufWriter::new(Stdout(io::stdout().lock()))
}

pub(crate) struct Stdout(StdoutLock<'static>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| in_stdout(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| in_stdout(&error))
    }
}

fn in_stdout(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("writing standard output: {error}"))
}

/// Does work that leaves more behind than what it says: it goes on where nobody reads, and how it ended is told before that.
pub(crate) fn patiently<W: Write>(
    out: W,
    work: impl FnOnce(&mut Patient<W>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = Patient { out, failed: None };
    let done = work(&mut out);
    let read = out.finish();
    done.and(read)
}

/// An output that is given up after its first error: what is shown must not end the work.
pub(crate) struct Patient<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: Write> Patient<W> {
    /// What went wrong, now that the work is done.
    fn finish(mut self) -> Result<(), Failure> {
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
