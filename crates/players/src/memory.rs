//! How much memory a player may ask for.

use crate::{Arguments, SpecError};

/// Refuses a table that does not fit into the memory that is free now. Where that cannot be known, the allocation itself
/// decides.
pub(crate) fn check(arguments: &Arguments, bytes: u64) -> Result<(), SpecError> {
    match available() {
        Some(available) if bytes > available => {
            let (wanted, free) = (bytes >> 20, available >> 20);
            Err(arguments.unsuitable(format!("a table of {wanted} MiB does not fit: {free} MiB of memory are free")))
        }
        _ => Ok(()),
    }
}

/// Free memory as the Linux kernel estimates it.
fn available() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
