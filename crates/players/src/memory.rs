//! How much memory a player may ask for.

/// Whether `bytes` fit into the memory that is free now. Where that cannot be known, everything fits and the allocation
/// itself decides.
pub(crate) fn fits(bytes: u64) -> bool {
    available().is_none_or(|available| bytes <= available)
}

/// Free memory as the Linux kernel estimates it.
fn available() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_kilobyte_fits_and_an_exabyte_does_not() {
        assert!(super::fits(1024));
        if super::available().is_some() {
            assert!(!super::fits(1 << 60));
        }
    }
}
