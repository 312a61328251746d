//! What made a result: the command, the program, the machine.

use serde::{Deserialize, Serialize};

/// What every table and figure names as its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The command line.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
    /// The commit it was built from; `+` and a checksum of the program where there were changes on top of it.
    pub commit: String,
    /// The processor and the system.
    pub machine: String,
    /// Games played at the same time.
    pub threads: usize,
}

impl Provenance {
    /// This program on this machine.
    #[must_use]
    pub fn here(command: impl Into<String>, threads: usize) -> Self {
        Self {
            command: command.into(),
            program: format!("afterstate {}", env!("CARGO_PKG_VERSION")),
            commit: commit(),
            machine: machine(),
            threads,
        }
    }

    /// The program and its commit.
    #[must_use]
    pub fn version(&self) -> String {
        format!("{} ({})", self.program, self.commit)
    }

    /// Whether two runs used the same program, so that their games may be counted together.
    #[must_use]
    pub fn same_program(&self, other: &Self) -> bool {
        self.program == other.program && self.commit == other.commit
    }
}

/// The commit is fixed when the program is built; changes on top of it can only be told apart by the program itself.
fn commit() -> String {
    let built_from = env!("AFTERSTATE_COMMIT");
    match built_from.strip_suffix('+') {
        None => built_from.to_owned(),
        Some(commit) => format!("{commit}+{:08x}", program_checksum()),
    }
}

fn program_checksum() -> u32 {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    // FNV-1a: this tells programs apart, it does not protect them.
    program.iter().fold(0x811c_9dc5, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn machine() -> String {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, model)| model.trim().to_owned()))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_program_is_recognised() {
        let here = Provenance::here("run a", 1);
        assert!(here.same_program(&Provenance::here("run b", 2)));
        assert!(!here.same_program(&Provenance { commit: "other".to_owned(), ..here.clone() }));
        assert!(here.machine.contains("cores"));
    }
}
