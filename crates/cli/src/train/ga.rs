//! `afterstate train ga`: networks for 2048 by a genetic algorithm.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterstate_game::Stop;
use afterstate_learn::genetic::{Attempt, Brain, Genetic, GeneticSettings, Structures, Worth};
use afterstate_learn::neural::{Origin, StoredNetwork};
use serde::{Deserialize, Serialize};

use super::config::{ConfigArgs, Run};
use super::{figures, outcome};
use crate::failure::Failure;
use crate::output::tell;
use crate::{interrupt, number, progress};

pub(super) const EXAMPLES: &str = "\
Examples, with the configurations of trainings/dietenberger/ga:
  afterstate train ga --config crossover-50.toml
  afterstate train ga --config value.toml --out /tmp/value

The folder of the run gets a checkpoint, curve.csv, figures and the best network (best.safetensors). At the end the \
best networks of the last generation meet on fresh games. The same command goes on with a run that was interrupted.";

/// Games of every finalist, and of the winner again.
const FINAL_GAMES: u32 = 200;

/// Breeds with a line per generation on standard error, then prints what the winner reached.
pub(super) fn run(out: &mut impl Write, args: &ConfigArgs) -> Result<(), Failure> {
    let settings: GeneticSettings = args.settings()?;
    settings.shape().map_err(|error| Failure::input(format!("{}: {error}", args.config.display())))?;
    let kind = if settings.structure.is_some() { Run::Structures } else { Run::Genetic };
    let folder = args.folder(&settings.name, kind)?;
    let stop = interrupt::stop_on_ctrl_c()?;
    if kind == Run::Structures {
        return structures(out, &settings, &folder, args.threads(), &stop);
    }
    let checkpoint = folder.join(kind.file());
    let mut run = if checkpoint.exists() {
        Genetic::load(settings, &checkpoint).map_err(Failure::input)?
    } else {
        Genetic::new(settings).map_err(Failure::input)?
    };
    let line = progress::line();
    let generations = run.settings().generations;
    let mut saves = Saves::new(checkpoint);
    while !run.is_finished() {
        let Some(generation) = run.generation(args.threads(), &stop) else { break };
        line.suspend(|| {
            tell!(
                "generation {}/{generations}: mean {:.0}, best network {:.0}, best game {}, {:.2} s",
                generation.generation,
                generation.mean,
                generation.best_mean,
                generation.best,
                generation.seconds
            );
        });
        saves.save_in_time(&run)?;
        outcome::write(&folder.join("curve.csv"), run.csv().as_bytes())?;
    }
    saves.save_rest(&run)?;
    line.finish_and_clear();
    figures::draw_own(&folder)?;
    let finals = run.finals(FINAL_GAMES, args.threads(), &stop);
    if let Some((brain, worth)) = &finals {
        store(brain, worth, run.settings(), &folder.join("best.safetensors"))?;
        show(out, worth)?;
    }
    writeln!(out, "files     {}", folder.display())?;
    out.flush()?;
    interrupt::report_generations(run.curve().len() as u64, generations)?;
    if finals.is_some() {
        Ok(())
    } else {
        interrupt::report_cut("the finals were not played to their end; the same command plays them")
    }
}

/// Checkpoints of a run, written after every generation where that is cheap. A population of large networks is half a
/// gigabyte: then writing takes at most about a tenth of the time.
struct Saves {
    path: PathBuf,
    last: Instant,
    cost: Duration,
    /// Whether there are generations that the last checkpoint does not have.
    open: bool,
}

impl Saves {
    fn new(path: PathBuf) -> Self {
        Self { path, last: Instant::now(), cost: Duration::ZERO, open: false }
    }

    fn save_in_time(&mut self, run: &Genetic) -> Result<(), Failure> {
        self.open = true;
        if self.last.elapsed() < 9 * self.cost { Ok(()) } else { self.save_rest(run) }
    }

    fn save_rest(&mut self, run: &Genetic) -> Result<(), Failure> {
        if self.open {
            let started = Instant::now();
            run.save(&self.path).map_err(|error| Failure::world("writing the checkpoint", error))?;
            (self.last, self.cost, self.open) = (Instant::now(), started.elapsed(), false);
        }
        Ok(())
    }
}

fn show(out: &mut impl Write, worth: &Worth) -> Result<(), Failure> {
    let (mean, half_width) = interval(&worth.scores);
    let reached = |tile: u32| worth.tiles.iter().filter(|&&largest| largest >= tile).count();
    writeln!(out, "best      mean {mean:.0} +- {half_width:.0} (95%) in {} fresh games", worth.scores.len())?;
    let best = worth.scores.iter().max().copied().unwrap_or(0);
    let share = |tile| 100.0 * reached(tile) as f64 / worth.tiles.len().max(1) as f64;
    writeln!(
        out,
        "          best {}; 512 in {:.1}%, 1024 in {:.1}%, 2048 in {:.1}%",
        number::grouped(best.into()),
        share(512),
        share(1024),
        share(2048)
    )?;
    Ok(())
}

fn interval(scores: &[u32]) -> (f64, f64) {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().copied().map(f64::from).sum::<f64>() / count;
    let squares: f64 = scores.iter().map(|&score| (f64::from(score) - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt())
}

fn store(brain: &Brain, worth: &Worth, settings: &GeneticSettings, path: &Path) -> Result<(), Failure> {
    let (mean, half_width) = interval(&worth.scores);
    let origin = Origin {
        command: format!("afterstate train ga ({})", settings.name),
        seed: settings.seed,
        notes: vec![format!("mean {mean:.0} +- {half_width:.0} in {} games", worth.scores.len())],
    };
    let stored = StoredNetwork { network: brain.network(), scale: 1.0, origin };
    stored.save(path).map_err(|error| Failure::world("writing the network", error))
}

/// The checkpoint of a search for layers: what was tried so far, and for which settings.
#[derive(Serialize, Deserialize)]
struct Tried {
    settings: GeneticSettings,
    #[serde(default)]
    attempts: Vec<Attempt>,
}

fn structures(
    out: &mut impl Write,
    settings: &GeneticSettings,
    folder: &Path,
    threads: usize,
    stop: &Stop,
) -> Result<(), Failure> {
    let path = folder.join(Run::Structures.file());
    let attempts = match outcome::read(&path)? {
        Some(text) => {
            let tried: Tried = toml::from_str(&text)
                .map_err(|error| Failure::input(format!("{}: {}", path.display(), error.message())))?;
            if tried.settings != *settings {
                let reason = "it belongs to other settings; choose another folder, or remove it to start anew";
                return Err(Failure::input(format!("{}: {reason}", path.display())));
            }
            tried.attempts
        }
        None => Vec::new(),
    };
    let mut search = Structures::new(settings.clone(), attempts).map_err(Failure::input)?;
    while !search.is_finished() {
        let Some(attempt) = search.attempt(threads, stop) else { break };
        tell!("layers {:?}: mean {:.0} +- {:.0}", attempt.hidden, attempt.mean, 1.96 * attempt.error);
        let tried = Tried { settings: settings.clone(), attempts: search.attempts().to_vec() };
        let text = toml::to_string(&tried).map_err(|error| Failure::world("writing the structures", error))?;
        outcome::write(&path, text.as_bytes())?;
    }
    if let Some(best) = search.best() {
        writeln!(out, "best      layers {:?}, mean {:.0} +- {:.0} (95%)", best.hidden, best.mean, 1.96 * best.error)?;
    }
    writeln!(out, "files     {}", folder.display())?;
    out.flush()?;
    if search.is_finished() {
        return Ok(());
    }
    interrupt::report_cut(format_args!(
        "{} layers were tried; the same command goes on from there",
        search.attempts().len()
    ))
}
