//! `afterstate train weights`: evolved weights of any evaluation of either game.

use std::io::Write;

use afterstate_lab::experiment::GameName;
use afterstate_lab::tuning::{Confirmation, Generation, Tuning, TuningSettings};
use afterstate_lab::{LabError, Machinery};

use super::config::{ConfigArgs, Run};
use super::{figures, outcome};
use crate::failure::Failure;
use crate::output::tell;
use crate::{device, interrupt, progress};

pub(super) const EXAMPLES: &str = "\
Examples:
  afterstate train weights --config trainings/weights/maqsood.toml
  afterstate train weights --config trainings/weights/hauff.toml --out /tmp/hauff

The folder of the run gets checkpoint.toml, curve.csv, figures and best.txt, the spec of the best agent that a \
comparison confirmed. The same command goes on with a run that was interrupted; more `generations` in the file make it \
longer.";

/// Tunes with a line per generation on standard error, then prints the best agent.
pub(super) fn run(out: &mut impl Write, args: &ConfigArgs) -> Result<(), Failure> {
    let settings = TuningSettings::read(&args.config)
        .map_err(|error| Failure::from(LabError::Experiment(error)).in_file(&args.config))?;
    let game = settings.game;
    let folder = args.folder(&settings.name, Run::Weights)?;
    let checkpoint = folder.join(Run::Weights.file());
    let mut tuning = match outcome::read(&checkpoint)? {
        Some(text) => Tuning::resume(settings, args.beside(), &text, &checkpoint),
        None => Tuning::new(settings, args.beside()),
    }?;
    let machinery = Machinery { threads: args.threads(), stop: interrupt::stop_on_ctrl_c()?, ..Machinery::default() };
    let line = progress::line();
    let generations = tuning.settings().generations;
    line.set_message(format!("generation {} of {generations}", tuning.curve().len()));
    while !tuning.is_finished() {
        let generation = tuning.generation(&machinery).map_err(|error| {
            let folder = folder.display();
            device::ended(
                error,
                format_args!("the generations before are in {folder}, and the same command goes on from there"),
            )
        })?;
        let Some(generation) = generation.cloned() else { break };
        line.suspend(|| tell!("{}", report(&generation, generations, game)));
        outcome::write(&checkpoint, tuning.checkpoint().as_bytes())?;
        outcome::write(&folder.join("curve.csv"), tuning.csv().as_bytes())?;
        outcome::write(&folder.join("best.txt"), format!("{}\n", tuning.champion().spec).as_bytes())?;
    }
    line.finish_and_clear();
    figures::draw_own(&folder)?;
    let champion = tuning.champion();
    writeln!(out, "best      {}", champion.spec)?;
    match champion.generation {
        0 => writeln!(out, "          the agent as it was given: nothing better was confirmed")?,
        generation => writeln!(out, "          confirmed after generation {generation}")?,
    }
    writeln!(out, "files     {}", folder.display())?;
    out.flush()?;
    interrupt::report_generations(tuning.curve().len() as u64, generations)
}

fn report(generation: &Generation, generations: u64, game: GameName) -> String {
    let Generation { generation: number, best, mean, step, .. } = generation;
    let said = generation.confirmation.as_ref().map_or_else(String::new, |said| confirmation(said, game));
    format!("generation {number}/{generations}: best {best:.2}, mean {mean:.2}, step {step:.3}{said}")
}

fn confirmation(said: &Confirmation, game: GameName) -> String {
    let unit = match game {
        GameName::Twenty48 => "points",
        GameName::Abalone => "Elo",
    };
    let interval = said
        .advantage
        .interval
        .map_or_else(String::new, |interval| format!(" ({:+.0} to {:+.0})", interval.low, interval.high));
    let verdict = if said.is_better { "adopted" } else { "not adopted" };
    format!("; against the champion {:+.0}{interval} {unit} in {} games: {verdict}", said.advantage.value, said.games)
}
