//! Training on the processor.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterstate_game::Stop;
use afterstate_lab::Provenance as Here;
use afterstate_learn::FileError;
use afterstate_learn::ntuple::{CurvePoint, End, Model, Provenance, Rounding, Settings, SettingsError, Training};

use super::args::{DEFAULT_SIZE, TrainArgs};
use super::curve;
use crate::failure::Failure;
use crate::output::tell;
use crate::train::outcome;
use crate::{command_line, interrupt, progress, quoted};

/// Games in which the look-ups of each weight are counted, before the weights are rounded.
const COUNTED: u64 = 500;
/// The same where only a part of the game is learned, which is shorter.
const COUNTED_OF_PART: u64 = 20_000;

/// How long a training takes when nothing is said.
const DEFAULT_MINUTES: f64 = 5.0;

/// Trains until the games or the minutes are over, or Ctrl-C.
pub(super) fn run(out: &mut impl Write, args: &TrainArgs) -> Result<(), Failure> {
    if args.recipe.is_some() {
        return Err(Failure::input("--recipe goes with --device cuda"));
    }
    check_files(args)?;
    let mut training = begin(args)?;
    check_own(args, training.curve())?;
    let interrupted = interrupt::stop_on_ctrl_c()?;
    let command = command_line();
    let here = Here::here(command, training.settings().thread_count());
    let games = args.games.or_else(|| training.end_games().filter(|&end| training.games() < end));
    let minutes = args.minutes.or_else(|| games.is_none().then_some(DEFAULT_MINUTES));
    // Sixty times a million minutes is a duration; nobody waits longer.
    let left = minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let deadline = left.map(|left| Instant::now() + left);
    let whole = left.map(|left| left + Duration::from_secs_f64(training.seconds()));
    training.set_end(End { games, time: deadline.zip(whole) });
    let mut session = Session { args, training, interrupted, games, deadline, here };
    session.learn(out)
}

/// Knows before the first game whether the last file can be written.
pub(super) fn check_files(args: &TrainArgs) -> Result<(), Failure> {
    if args.out.exists() && !args.force && args.resume.is_none() {
        return Err(already_there(&args.out));
    }
    outcome::check_writable(&args.out)?;
    args.checkpoint.as_deref().map_or(Ok(()), outcome::check_writable)
}

/// A training that goes on replaces what it wrote before, which is known by its curve, and no other model.
pub(super) fn check_own(args: &TrainArgs, curve: &[CurvePoint]) -> Result<(), Failure> {
    if args.force || args.resume.is_none() || !args.out.exists() {
        return Ok(());
    }
    let rows = |curve: &[CurvePoint]| curve.iter().map(CurvePoint::csv).collect::<Vec<_>>();
    let is_own = |model: Model| {
        let before = rows(&model.provenance.curve);
        !before.is_empty() && rows(curve).starts_with(&before)
    };
    if Model::load(&args.out).is_ok_and(is_own) { Ok(()) } else { Err(already_there(&args.out)) }
}

fn already_there(path: &Path) -> Failure {
    let name = path.display();
    Failure::input(format!("{name} is already there: name another file with --out, or give --force"))
}

/// The command that goes on from a checkpoint, with what a checkpoint does not hold.
pub(super) fn going_on(args: &TrainArgs, checkpoint: &Path) -> String {
    let named = |path: &Path| quoted(&path.to_string_lossy());
    let mut command = format!("afterstate train 2048 --resume {} --out {}", named(checkpoint), named(&args.out));
    if args.size != DEFAULT_SIZE {
        command += &format!(" --size {}", args.size);
    }
    if args.force {
        command += " --force";
    }
    command
}

fn begin(args: &TrainArgs) -> Result<Training, Failure> {
    let Some(path) = &args.resume else { return start(args) };
    let mut training = Training::load(path).map_err(Failure::unread_file)?;
    if let Some(wanted) = args.design()?
        && !training.settings().design.is_meant_by(&wanted)
    {
        let (found, wanted) = (training.settings().design.name().to_owned(), wanted.name().to_owned());
        let path = path.display();
        return Err(Failure::input(format!("{path} is a checkpoint of another network: {found}, not {wanted}")));
    }
    if let (Some(games), Some(end)) = (args.games, training.end_games())
        && !training.can_end_at(games)
    {
        return Err(Failure::input(format!(
            "--games {games}: {} nears its end after {end} games: its rate falls towards it, or its weights are averaged; give \
             --games {end}, or leave it out",
            path.display()
        )));
    }
    if let Some(threads) = args.threads {
        training.set_threads(threads.into());
    }
    Ok(training)
}

/// A training from nothing, or from a model.
fn start(args: &TrainArgs) -> Result<Training, Failure> {
    let model = args.beginning()?;
    let settings = args.settings(model.as_ref().map(|model| model.network.design()))?;
    let training = match args.first_network(model.as_ref(), &settings.design)? {
        None => Training::new(settings),
        Some(network) => Training::starting_from(network, settings),
    };
    training.map_err(|error| match error {
        SettingsError::Memory(_) => Failure::World(error.to_string()),
        _ => Failure::input(error),
    })
}

/// A file that cannot be written is the world's fault, a model that does not fit into its size the user's.
pub(super) fn file_failure(error: FileError) -> Failure {
    match error {
        FileError::Io { .. } | FileError::Memory(_) => Failure::World(error.to_string()),
        _ => Failure::input(error),
    }
}

/// A training that is being watched.
struct Session<'a> {
    args: &'a TrainArgs,
    training: Training,
    interrupted: Stop,
    /// The games after which it ends.
    games: Option<u64>,
    deadline: Option<Instant>,
    here: Here,
}

impl Session<'_> {
    fn learn(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        curve::heading(out)?;
        for point in self.training.curve() {
            curve::show(out, point)?;
        }
        while !self.is_over() {
            self.round();
            if self.interrupted.is_raised() {
                return self.end_early();
            }
            let point = self.training.evaluate();
            curve::show(out, &point)?;
            self.training.note(point);
            curve::write(&self.args.out, self.training.curve(), &outcome::origin(&self.here))?;
            if let Some(path) = &self.args.checkpoint {
                self.training.save(path).map_err(file_failure)?;
            }
        }
        self.export()?;
        writeln!(out, "wrote {}", self.args.out.display())?;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.games.is_some_and(|games| self.training.games() >= games)
    }

    /// Learns up to the next evaluation, or as far as the time goes.
    fn round(&mut self) {
        let Self { training, interrupted, games, deadline, .. } = self;
        let bar = progress::line();
        let stop = Stop::new();
        let most = games.unwrap_or(u64::MAX);
        training.round_up_to(most, &stop, |progress| {
            bar.set_message(curve::progress_line(progress.games, progress.speed, &progress.recent));
            if interrupted.is_raised() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.raise();
            }
        });
        bar.finish_and_clear();
    }

    /// Ctrl-C: what was learned is kept.
    fn end_early(&self) -> Result<(), Failure> {
        let path = self.checkpoint();
        self.training.save(&path).map_err(file_failure)?;
        let (games, command) = (self.training.games(), going_on(self.args, &path));
        tell!("interrupted after {games} games; go on with: {command}");
        Err(Failure::Interrupted)
    }

    fn checkpoint(&self) -> PathBuf {
        self.args.checkpoint.clone().unwrap_or_else(|| self.args.out.with_extension("checkpoint"))
    }

    fn export(&self) -> Result<(), Failure> {
        let provenance = Provenance {
            command: self.here.command.clone(),
            machine: self.here.machine.clone(),
            seed: self.training.settings().seed,
            curve: self.training.curve().to_vec(),
        };
        let network = self.training.outcome();
        let Settings { stretch, seed, .. } = self.training.settings();
        let counted = if stretch.is_all() { COUNTED } else { COUNTED_OF_PART };
        let visits = network
            .count_visits(stretch, counted, *seed, self.training.settings().thread_count())
            .map_err(|error| Failure::World(error.to_string()))?;
        let quantiser = network.quantiser_within(self.args.bytes(), &visits, Rounding::Final).map_err(file_failure)?;
        network.save(&self.args.out, &quantiser, &provenance).map_err(file_failure)
    }
}
