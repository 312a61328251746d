//! What a process takes of the memory.

/// Resident memory of this process in bytes.
pub(crate) fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    let kilobytes = line.trim().strip_suffix(" kB").and_then(|number| number.parse::<u64>().ok());
    kilobytes.expect("a number of kilobytes") * 1024
}
