//! Files that are written in one step: the old one stays until the new one is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a whole file: into a temporary one beside it, onto the disk, then renamed. A pipe or a device cannot be replaced and
/// is written into.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // The file that a link names is written, and the link stays.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if target.is_dir() {
        return Err(Failure::world(format_args!("writing {}", path.display()), "it is a folder"));
    }
    let wrong = |error: io::Error| match Failure::from(error) {
        Failure::World(reason) => Failure::world(format_args!("writing {}", path.display()), reason),
        other => other,
    };
    if target.exists() && !target.is_file() {
        let mut file = BufWriter::new(OpenOptions::new().write(true).open(&target).map_err(wrong)?);
        write(&mut file)?;
        return file.flush().map_err(wrong);
    }
    let temporary = target.with_added_extension("tmp");
    let file = File::create(&temporary).map_err(wrong)?;
    let mut file = BufWriter::new(file);
    let written = write(&mut file).and_then(|()| {
        file.flush().and_then(|()| file.get_ref().sync_all()).map_err(wrong)?;
        std::fs::rename(&temporary, &target).map_err(wrong)
    });
    written.inspect_err(|_| {
        // The half-written file is of no use; whether it can be removed changes nothing about the error.
        let _ = std::fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("afterstate-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("curve.csv");
        let put = |text: &'static [u8]| replace(&path, |file| Ok(file.write_all(text)?));
        put(b"old").unwrap();
        put(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(replace(&path, |_| Err(Failure::input("no"))).is_err());
        assert!(!folder.join("curve.csv.tmp").exists(), "nothing half-written is left");
        // A folder in the place of the temporary file makes writing fail.
        std::fs::create_dir_all(folder.join("curve.csv.tmp/x")).unwrap();
        assert!(put(b"newer").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(replace(&folder, |_| Ok(())).is_err());
        assert!(!folder.with_added_extension("tmp").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_into() {
        replace(Path::new("/dev/null"), |file| Ok(file.write_all(b"gone")?)).unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
