//! Files that a training writes beside its model.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use afterstate_lab::Provenance;

use crate::failure::Failure;
use crate::file;

/// What stands below a figure: how it came about.
pub(super) fn origin(here: &Provenance) -> String {
    format!("{} | {} | {}", here.command, here.machine, here.version())
}

/// The text of a file that a run goes on from; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::world(format_args!("reading {}", path.display()), error)),
    }
}

/// Writes a whole file in one step.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    file::replace(path, |file| Ok(file.write_all(content)?)).map_err(|failure| failure.in_file(path))
}

/// Makes sure, before hours of work, that a file can be written there.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if path.is_dir() || !folder.is_dir() {
        let reason = if path.is_dir() { "it is a folder" } else { "its folder does not exist" };
        return Err(Failure::world(format!("writing {}", path.display()), reason));
    }
    let probe = folder.join(format!(".afterstate-{}.tmp", std::process::id()));
    let tried = File::create(&probe).and_then(|_| std::fs::remove_file(&probe));
    tried.map_err(|error| Failure::world(format!("writing {}", path.display()), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_not_one_that_is_not_there() {
        let folder = std::env::temp_dir().join(format!("afterstate-outcome-read-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("folder")).unwrap();
        assert!(matches!(read(&folder.join("none")), Ok(None)));
        assert!(matches!(read(&folder.join("folder")), Err(Failure::World(_))));
        std::fs::write(folder.join("bytes"), b"\xff").unwrap();
        assert!(matches!(read(&folder.join("bytes")), Err(Failure::World(_))));
        std::fs::write(folder.join("text"), "text").unwrap();
        assert!(matches!(read(&folder.join("text")), Ok(Some(text)) if text == "text"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_known_before() {
        let folder = std::env::temp_dir();
        assert!(check_writable(&folder.join("curve.csv")).is_ok());
        assert!(check_writable(&folder).is_err());
        assert!(check_writable(Path::new("/nonexistent/x")).is_err());
    }
}
