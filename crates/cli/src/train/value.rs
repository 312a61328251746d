//! `afterstate train value`: a neural network that learns what a search says, searches with what it learned, and learns
//! again.

use std::io::Write;

use afterstate_learn::neural::NetworkError;
use afterstate_learn::neural::value::{Event, Scores, ValueError, ValueSettings, ValueTraining};
use afterstate_twenty48::State;

use super::config::{LearnerArgs, Run};
use super::{device, figures};
use crate::failure::Failure;
use crate::output::tell;
use crate::{command_line, interrupt, number, progress};

pub(super) const EXAMPLES: &str = "\
Examples, with the configurations of trainings/dietenberger/value:
  afterstate train value --config quick.toml --out quick
  afterstate train value --config cnn.toml --out cnn          (the thesis: days)
  afterstate train value --config cnn.toml --out cnn --device cuda

The folder holds everything: settings, games, networks, a checkpoint, and the curves as CSV and figures. The same \
command goes on where the last one ended, on whichever device; more iterations may be asked for.

A network may learn the points still to come instead of a heuristic: `points = true` and a player with \
`eval=neural(model=NETWORK, points=on)`. `lambda = [1.0, 0.5]` says how far the points that followed count beside \
the values of the search, in the teacher's games and in the later ones.
`boards = \"afterstates\"` learns what a search of one or three half-moves asks for, `\"positions\"` what one of two or \
four does; `\"slides\"` learns the boards after all slides, those too that were not played.
`window = 4` learns from the games of the last four iterations. `start = \"FILE\"` begins with a network that has \
learned before.

The network plays at once:
  afterstate play 2048 \\
    --agent 'dietenberger/exp4(eval=neural(model=quick/network-1.safetensors))'";

/// Trains until all iterations are done, or Ctrl-C.
pub(super) fn run(out: &mut impl Write, LearnerArgs { config: args, device }: &LearnerArgs) -> Result<(), Failure> {
    let settings: ValueSettings = args.settings()?;
    settings.check().map_err(|error| Failure::input(format!("{}: {error}", args.config.display())))?;
    // Before anything is written.
    let device = device.ready(&settings.network)?;
    let name = args.config.file_stem().unwrap_or_default().to_string_lossy();
    let folder = args.folder(&name, Run::Value)?;
    let make = |spec: &str| afterstate_players::build::<State>(spec).map_err(|error| error.to_string());
    let command = command_line();
    let training = ValueTraining::open(settings, &folder, args.threads(), &command, &make).map_err(unopened)?;
    let training = training.on(device, &afterstate_players::device_failure);

    let stop = interrupt::stop_on_ctrl_c()?;
    let bar = progress::line();
    let (mut shown, mut drawn) = (Ok(()), Ok(()));
    let ran = training.run(&stop, &mut |event| {
        bar.set_message(moment(event));
        if let (Some(row), Ok(())) = (row(event), &shown) {
            shown = bar.suspend(|| writeln!(out, "{row}").and_then(|()| out.flush()));
        }
        if matches!(event, Event::Played(_) | Event::Network(_)) && drawn.is_ok() {
            drawn = figures::draw_own(&folder);
        }
    });
    bar.finish_and_clear();
    shown?;
    drawn?;
    if matches!(ran, Err(ValueError::Interrupted)) {
        tell!("interrupted; the same command goes on with what is in {}", folder.display());
    }
    ran.map_err(failure)
}

/// What a person who watches wants to see at every moment.
fn moment(event: &Event) -> String {
    match event {
        Event::Game { iteration, played, of, score } => {
            format!("iteration {iteration}: game {played} of {of}, {} points", number::grouped(*score))
        }
        Event::Epoch(epoch) => {
            let validation = epoch.validation.map_or_else(String::new, |loss| format!(", validation {loss:.4}"));
            let (stage, number, loss) = (epoch.stage, epoch.epoch, epoch.training);
            format!("iteration {}: {stage}, epoch {number}, loss {loss:.4}{validation}", epoch.iteration)
        }
        Event::Played(_) | Event::Network(_) | Event::Checked(_) => String::new(),
    }
}

/// What stays on the screen.
fn row(event: &Event) -> Option<String> {
    match event {
        Event::Game { .. } => None,
        Event::Epoch(epoch) => (epoch.epoch == 1 || epoch.epoch.is_multiple_of(10)).then(|| moment(event)),
        Event::Played(scores) => Some(played(scores)),
        Event::Network(path) => Some(format!("wrote {}", path.display())),
        Event::Checked(row) => {
            let same = 100.0 * row.agreement.same_move;
            let (who, regret, correlation) = (row.who, row.agreement.regret, row.agreement.correlation);
            Some(format!(
                "iteration {}: {who} against the deeper search in {} positions: {same:.1}% the same move, regret {regret:.1}, \
                 correlation {correlation:.3}",
                row.iteration, row.agreement.positions
            ))
        }
    }
}

fn played(scores: &Scores) -> String {
    let Scores { iteration, sample, median, best, seconds } = scores;
    let [mean, half] = [sample.mean, sample.half_width].map(|x| number::grouped(x.round() as u64));
    let rates: Vec<String> =
        (10..=13).map(|exponent| format!("{} {:.0}%", 1 << exponent, 100.0 * sample.rate(1 << exponent))).collect();
    format!(
        "iteration {iteration}: {} games, mean {mean} +- {half}, median {}, best {}, {}, {seconds:.1} s a game",
        sample.games,
        number::grouped(*median),
        number::grouped(*best),
        rates.join(", ")
    )
}

/// The same before anything is trained, where a network is one that the user named to begin with.
fn unopened(error: ValueError) -> Failure {
    match error {
        ValueError::Network(NetworkError::Io { path, source }) => Failure::unread(&path, &source),
        error => failure(error),
    }
}

/// A system that refuses is the world's fault, a wrong file or spec the user's.
fn failure(error: ValueError) -> Failure {
    match error {
        ValueError::Interrupted => Failure::Interrupted,
        ValueError::Device(error) => device::failure(error),
        ValueError::Io { .. }
        | ValueError::Network(NetworkError::Io { .. })
        | ValueError::Diverged { .. }
        | ValueError::DeviceFailed { .. } => Failure::World(error.to_string()),
        _ => Failure::input(error),
    }
}
