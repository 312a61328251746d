//! Building a table into its file.

use std::path::Path;

use afterstate_game::Stop;

use super::file::{Description, TableError, Writer};
use super::pattern::Pattern;
use super::solver::{CERTAIN, Layer, Quantum, Solver};

/// How far above the target the sum may rise before a table gives up. From empty cells twice as much adds 0.2 points of a hundred
/// to the success of `0244-64` and 0.6 to that of `0144-128`, for 2.5 and 1.8 times the values.
pub const DEFAULT_SLACK: u32 = 64;

/// More than this above the target no sum of a table may be: it would only take memory.
pub const MAX_SLACK: u32 = 65_536;

/// What to build and with what.
#[derive(Clone, Copy, Debug)]
pub struct BuildSettings {
    /// Which tiles are locked, and which one is built.
    pub pattern: Pattern,
    /// How far above the target the sum of the free cells may rise.
    pub slack: u32,
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// Threads that solve a layer together; 0 takes all cores.
    pub threads: usize,
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildProgress {
    /// Fillings that are solved.
    pub solved: u64,
    /// Fillings in all.
    pub fillings: u64,
    /// The sum of the layer that was solved last.
    pub sum: u32,
    /// The probability of success from the empty cells and the best end; 0 until the end is reached.
    pub from_empty: f64,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BuildOutcome {
    /// The table is complete.
    Complete(BuildProgress),
    /// It was stopped; building again goes on where it was.
    Stopped(BuildProgress),
}

/// Builds a table into `path`, or goes on with one that was interrupted. `progress` is shown every solved layer.
pub fn build(
    path: &Path,
    settings: &BuildSettings,
    stop: &Stop,
    progress: &mut dyn FnMut(BuildProgress),
) -> Result<BuildOutcome, TableError> {
    let pattern = settings.pattern;
    let description = Description { pattern, highest_sum: pattern.target().value() + settings.slack };
    let solver = description.solver()?;
    let (needed, allowed) = (solver.memory(), settings.memory);
    if needed > allowed {
        return Err(TableError::Memory { pattern, needed, allowed });
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if settings.threads == 0 { cores() } else { settings.threads };

    let mut progressed =
        BuildProgress { solved: 0, fillings: solver.ends() as u64 * solver.ranking.len(), sum: 0, from_empty: 0.0 };
    let mut next = Some(solver.ranking.highest());
    // Probabilities after slides of the last layers in the file, the lowest first.
    let mut found: [Vec<Quantum>; 4] = Default::default();
    let mut writer = Writer::open(path, &description, &solver, |half_sum, slid| {
        progressed.add(half_sum, &slid);
        next = half_sum.checked_sub(1);
        found.rotate_right(1);
        found[0] = slid;
    })?;
    let mut above = found_again(&solver, next, found, threads);
    while let Some(half_sum) = next {
        if stop.is_raised() {
            return Ok(BuildOutcome::Stopped(progressed));
        }
        let layer = solver.layer(half_sum, [&above[0], &above[1]], threads);
        writer.layer(&layer.slid)?;
        progressed.add(half_sum, &layer.slid);
        progress(progressed);
        above.swap(0, 1);
        above[0] = layer;
        next = half_sum.checked_sub(1);
    }
    writer.finish()?;
    Ok(BuildOutcome::Complete(progressed))
}

/// The two layers above the next one, given the probabilities after slides of those that are in the file.
fn found_again(solver: &Solver, next: Option<usize>, found: [Vec<Quantum>; 4], threads: usize) -> [Layer; 2] {
    let lowest = next.map_or(0, |next| next + 1);
    let [first, second, third, fourth] = found;
    let higher = solver.with_states(lowest + 1, second, [&third, &fourth], threads);
    let lower = solver.with_states(lowest, first, [&higher.slid, &third], threads);
    [lower, higher]
}

impl BuildProgress {
    fn add(&mut self, half_sum: usize, slid: &[Quantum]) {
        self.solved += slid.len() as u64;
        self.sum = 2 * half_sum as u32;
        if half_sum == 0 {
            self.from_empty = probability(slid.iter().copied().max().unwrap_or(0));
        }
    }
}

/// A quantum as a probability.
pub(crate) fn probability(quantum: Quantum) -> f64 {
    f64::from(quantum) / f64::from(CERTAIN)
}
