//! Why a command could not do its work, and the exit code that says so.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use afterstate_lab::LabError;
use afterstate_lab::experiment::ExperimentError;
use afterstate_lab::slurm::SlurmError;
use afterstate_lab::store::StoreError;
use afterstate_learn::FileError;

use crate::output::tell;
use crate::terminal::{folded, width_for};

/// A command that did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user's input is at fault: exit code 2.
    Input(String),
    /// The world is at fault (a disk, a terminal): exit code 1.
    World(String),
    /// The user pressed Ctrl-C; what was finished has been reported: exit code 130.
    Interrupted,
    /// Whoever read our output has closed it; there is nobody left to tell: exit code 141, as of a program that the closed
    /// pipe has ended.
    NobodyReads,
}

impl Failure {
    /// Bad input, in the words of its error.
    pub(crate) fn input(error: impl Display) -> Self {
        Self::Input(error.to_string())
    }

    /// A fault of the world, with what was being done.
    pub(crate) fn world(doing: impl Display, error: impl Display) -> Self {
        Self::World(format!("{doing}: {error}"))
    }

    /// The same with the file it happened in, unless the message names it already.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        let name = path.display().to_string();
        let named = |message: String| if message.contains(&name) { message } else { format!("{name}: {message}") };
        match self {
            Self::Input(message) => Self::Input(named(message)),
            Self::World(message) => Self::World(named(message)),
            other => other,
        }
    }

    /// A file that the user named for reading was not read. What has that name, or may be read, or is in the file, is the
    /// user's choice; a disk that does not give what is there is the world's fault.
    pub(crate) fn unread(path: &Path, error: &io::Error) -> Self {
        Self::reading(path, error.kind(), error)
    }

    fn reading(path: &Path, kind: io::ErrorKind, reason: impl Display) -> Self {
        use io::ErrorKind as Kind;
        match kind {
            Kind::NotFound
            | Kind::NotADirectory
            | Kind::IsADirectory
            | Kind::PermissionDenied
            | Kind::InvalidFilename
            | Kind::InvalidInput
            | Kind::InvalidData => Self::Input(format!("{}: {reason}", path.display())),
            _ => Self::world(path.display(), reason),
        }
    }

    /// The same for a file in a format of this program: a wrong one is the user's choice too.
    pub(crate) fn unread_file(error: FileError) -> Self {
        match error {
            FileError::Io { path, source } => Self::unread(&path, &source),
            error @ FileError::Memory(_) => Self::World(error.to_string()),
            error => Self::input(error),
        }
    }

    /// Says it on standard error, in one line unless a terminal needs more, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Input(message) => {
                tell_error(&message);
                ExitCode::from(2)
            }
            Self::World(message) => {
                tell_error(&message);
                ExitCode::FAILURE
            }
            Self::Interrupted => ExitCode::from(130),
            Self::NobodyReads => ExitCode::from(141),
        }
    }
}

fn tell_error(message: &str) {
    tell!("{}", folded(&format!("error: {message}"), "error: ".len(), width_for(&io::stderr())));
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::NobodyReads } else { Self::World(error.to_string()) }
    }
}

/// What the user wrote or named is the user's fault, anything else the world's.
impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Agent(error) => Self::input(error),
            LabError::Experiment(ExperimentError::Unreadable { path, kind, reason }) => {
                Self::reading(&path, kind, reason)
            }
            LabError::Experiment(error @ ExperimentError::Results { .. }) => Self::Input(format!(
                "{error}; `status`, `report` and `export` read results with EXPERIMENT.toml --results FILE, `serve` shows them all"
            )),
            LabError::Experiment(error) => Self::input(error),
            LabError::MixedPrograms { stored, running } => Self::Input(format!(
                "the stored games were played by {stored}, this is {running}: together they would mix two programs; \
                 start anew with --results ELSEWHERE, or count them together with --mix-programs"
            )),
            LabError::MergedPrograms { here, there } => Self::Input(format!(
                "the games here were played by {here}, those to be merged by {there}: together they would mix two programs; \
                 merge them elsewhere with --results ELSEWHERE, or count them together with --mix-programs"
            )),
            error @ LabError::Divided { .. } => Self::input(error),
            LabError::Store(
                error @ (StoreError::Missing { .. } | StoreError::Foreign { .. } | StoreError::Newer { .. }),
            ) => Self::input(error),
            LabError::Slurm(
                error @ (SlurmError::Path { .. } | SlurmError::Option { .. } | SlurmError::TooManyTasks { .. }),
            ) => Self::input(error),
            LabError::Slurm(SlurmError::OtherProgram { path, found, running }) => Self::Input(format!(
                "{}: written by {found}, this is {running}: together they would mix two programs; install the same version \
                 everywhere, or count them together with --mix-programs",
                path.display()
            )),
            error => Self::World(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
