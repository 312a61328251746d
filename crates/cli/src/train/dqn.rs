//! `afterstate train dqn`: deep Q-learning for 2048.

use std::io::Write;
use std::path::Path;

use afterstate_learn::dqn::{CurvePoint, Dqn, DqnSettings, Sample};
use afterstate_learn::neural::{Origin, StoredNetwork};

use super::config::{LearnerArgs, Run};
use super::{device, figures, outcome};
use crate::failure::Failure;
use crate::output::tell;
use crate::{interrupt, number, progress};

pub(super) const EXAMPLES: &str = "\
Examples:
  afterstate train dqn --config trainings/dqn/afterstate.toml
  afterstate train dqn --config trainings/dqn/q.toml --out /tmp/q
  afterstate train dqn --config trainings/dqn/large.toml --device cuda

At every evaluation the folder of the run gets a checkpoint, curve.csv and the network (network.safetensors), at the \
end figures. The same command goes on with a run that was interrupted; more `moves` in the file make it longer. A loss \
that is no number ends the run and leaves the last checkpoint as it is.";

/// Games on which nothing was chosen.
const FINAL_GAMES: u32 = 200;

/// Trains with a line per evaluation on standard error, then prints what the network reaches.
pub(super) fn run(out: &mut impl Write, LearnerArgs { config: args, device }: &LearnerArgs) -> Result<(), Failure> {
    let settings: DqnSettings = args.settings()?;
    let design = settings.design().map_err(|error| Failure::input(format!("{}: {error}", args.config.display())))?;
    // Before anything is written.
    let device = device.ready(&design)?;
    let folder = args.folder(&settings.name, Run::Dqn)?;
    let checkpoint = folder.join(Run::Dqn.file());
    let mut training = if checkpoint.exists() {
        Dqn::load(settings, &checkpoint).map_err(Failure::input)?
    } else {
        Dqn::new(settings).map_err(Failure::input)?
    }
    .on(device);
    let stop = interrupt::stop_on_ctrl_c()?;
    let line = progress::line();
    while !training.is_finished() {
        let point = training.until_evaluation(args.threads(), &stop).map_err(|error| {
            let kept =
                if checkpoint.exists() { "the last good checkpoint is" } else { "no checkpoint was written yet in" };
            Failure::World(format!("{error}; {kept} {}", checkpoint.display()))
        })?;
        // A stopped round is kept too: nothing is lost but the evaluation.
        training.save(&checkpoint).map_err(|error| Failure::world("writing the checkpoint", error))?;
        outcome::write(&folder.join("curve.csv"), training.csv().as_bytes())?;
        keep_network(&training, &folder, point.as_ref().map(|point| &point.sample))?;
        let Some(point) = point else { break };
        line.suspend(|| tell!("{}", report(&point)));
    }
    line.finish_and_clear();
    figures::draw_own(&folder)?;
    if !stop.is_raised() {
        let finals = |averaged| training.finals(FINAL_GAMES, averaged, args.threads()).map_err(device::failure);
        let sample = finals(false)?;
        keep_network(&training, &folder, Some(&sample))?;
        show(out, "network ", &sample)?;
        show(out, "averaged", &finals(true)?)?;
    }
    writeln!(out, "files     {}", folder.display())?;
    out.flush()?;
    interrupt::report_cut(format_args!("the same command goes on with what is in {}", folder.display()))
}

/// Writes the network as it is now, which plays at once, with what it reached.
fn keep_network(training: &Dqn, folder: &Path, reached: Option<&Sample>) -> Result<(), Failure> {
    let DqnSettings { name, seed, unit, .. } = training.settings();
    let note =
        |sample: &Sample| format!("mean {:.0} +- {:.0} in {} games", sample.mean, sample.half_width, sample.games);
    let moves = format!("{} moves", training.moves());
    let notes = [moves].into_iter().chain(reached.map(note)).collect();
    let origin = Origin { command: format!("afterstate train dqn ({name})"), seed: *seed, notes };
    let stored = StoredNetwork { network: training.network().clone(), scale: *unit, origin };
    let saved = stored.save(&folder.join("network.safetensors"));
    saved.map_err(|error| Failure::world("writing the network", error))
}

/// What the network reached, asked once for each board, or as the mean over its symmetries.
fn show(out: &mut impl Write, who: &str, sample: &Sample) -> Result<(), Failure> {
    let Sample { games, mean, half_width, best, .. } = *sample;
    let best = number::grouped(best.into());
    writeln!(out, "{who}  mean {mean:.0} +- {half_width:.0} in {games} games (95%), best {best}")?;
    let [half, full] = [sample.reached_1024, sample.reached_2048].map(|share| 100.0 * share);
    writeln!(out, "          1024 in {half:.1}%, 2048 in {full:.1}%")?;
    Ok(())
}

fn report(point: &CurvePoint) -> String {
    let CurvePoint { moves, games, loss, training, sample } = point;
    format!(
        "{} moves, {} games: loss {loss:.0}, training {training:.0}, mean {:.0} +- {:.0}, 1024 in {:.0}%, 2048 in {:.0}%",
        number::grouped(*moves),
        number::grouped(*games),
        sample.mean,
        sample.half_width,
        100.0 * sample.reached_1024,
        100.0 * sample.reached_2048
    )
}
