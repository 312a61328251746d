//! Training on a GPU by a recipe.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterstate_game::Stop;
use afterstate_lab::Provenance as Here;
use afterstate_learn::ntuple::gpu::{Fix, GpuProgress, GpuRun, Recipe, RunError};
use afterstate_learn::ntuple::{Model, Provenance, Stretch};
use afterstate_twenty48::Board;

use super::args::{TrainArgs, in_file};
use super::{cpu, curve};
use crate::failure::Failure;
use crate::output::tell;
use crate::train::config::read_toml;
use crate::train::outcome;
use crate::{command_line, interrupt, number};

/// Games in which the look-ups are counted, unless the recipe did that.
const COUNTED: u32 = 16_384;
/// Games by which the model is compared with the weights it was made of.
const COMPARED: u32 = 32_768;

/// Carries out the recipe, until Ctrl-C or for as many minutes as there are, and writes the model when it is through.
pub(super) fn run(out: &mut impl Write, args: &TrainArgs) -> Result<(), Failure> {
    cpu::check_files(args)?;
    // Refused beside a recipe already; beside a checkpoint they mean something on the processor.
    if args.games.is_some() || args.threads.is_some() {
        return Err(Failure::input(
            "on a GPU the recipe says how long to learn, and --minutes ends it before: leave --games and --threads out",
        ));
    }
    let mut run = begin(args)?;
    cpu::check_own(args, run.curve())?;
    let interrupted = interrupt::stop_on_ctrl_c()?;
    let deadline = args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes));
    let here = Here::here(command_line(), 1);
    curve::heading(out)?;
    run.curve().iter().try_for_each(|point| curve::show(out, point))?;
    let mut points = run.curve().to_vec();
    let mut written = Ok(());
    let stop = Stop::new();
    run.run(&stop, |progress| {
        show(progress);
        if interrupted.is_raised() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            stop.raise();
        }
        if let Some(point) = &progress.point {
            points.push(point.clone());
            let told = curve::show(out, point).and_then(|()| curve::write(&args.out, &points, &outcome::origin(&here)));
            if written.is_ok() {
                written = told;
            }
        }
    })
    .map_err(run_failure)?;
    let checkpoint = keep(args, &run, run.is_finished())?;
    written?;
    if let Some(path) = checkpoint.filter(|_| !run.is_finished()) {
        tell!("not through yet; go on with: {} --device cuda", cpu::going_on(args, &path));
        return if interrupted.is_raised() { Err(Failure::Interrupted) } else { Ok(()) };
    }
    let provenance =
        Provenance { command: here.command, machine: here.machine, seed: run.recipe().seed, curve: points };
    export(out, run, args, &provenance)
}

fn begin(args: &TrainArgs) -> Result<GpuRun, Failure> {
    if let Some(path) = &args.resume {
        return GpuRun::load(path).map_err(|error| match error {
            RunError::File(error) => Failure::unread_file(error),
            error => run_failure(error),
        });
    }
    let Some(path) = &args.recipe else {
        return Err(Failure::input("--device cuda needs a --recipe, or a checkpoint to --resume"));
    };
    let recipe = read_toml::<Recipe>(path)?.checked().map_err(|error| in_file(path, error))?;
    let boards = given_boards(args, path, &recipe)?;
    let beginning = args.first_network(args.beginning()?.as_ref(), &recipe.design)?;
    let mut run = GpuRun::new(recipe, beginning.as_ref()).map_err(|error| run_failure(error.into()))?;
    let taken = run.give(&boards).map_err(|error| run_failure(error.into()))?;
    if taken < boards.len() {
        let [taken, all] = [taken, boards.len()].map(|count| number::grouped(count as u64));
        tell!(
            "{taken} of {all} boards of --starts are used: those of the second stage and later ones, as many as there is room for"
        );
    }
    Ok(run)
}

/// The boards that games start from where the recipe says so.
fn given_boards(args: &TrainArgs, path: &Path, recipe: &Recipe) -> Result<Vec<Board>, Failure> {
    let boards = args.start_boards()?;
    let asks = recipe.phases.iter().any(|phase| phase.plan.given > 0.0);
    match (asks, boards.is_empty()) {
        (true, true) => Err(in_file(path, "games start from `given` boards here: name a file of them with --starts")),
        (false, false) => Err(in_file(path, "no phase starts games from `given` boards: leave --starts out")),
        _ => {
            let stretch = Stretch { starts: boards, ..Stretch::default() };
            stretch.check().map_err(Failure::input)?;
            Ok(stretch.starts)
        }
    }
}

/// Writes a checkpoint where one was asked for, and in any case when the run is not through.
fn keep(args: &TrainArgs, run: &GpuRun, finished: bool) -> Result<Option<PathBuf>, Failure> {
    let path = match &args.checkpoint {
        Some(path) => path.clone(),
        None if finished => return Ok(None),
        None => args.out.with_extension("checkpoint"),
    };
    run.save(&path).map_err(cpu::file_failure)?;
    Ok(Some(path))
}

fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Gpu(error) => Failure::World(error.to_string()),
        RunError::File(error) => cpu::file_failure(error),
        error @ RunError::Recipe { .. } => Failure::input(error),
    }
}

fn show(progress: &GpuProgress) {
    let stages: Vec<String> = progress
        .stages
        .iter()
        .map(|stage| {
            let ended = stage.left + stage.lost;
            format!("{:.2}% of {}", 100.0 * stage.left as f64 / ended.max(1) as f64, number::scaled(ended as f64))
        })
        .collect();
    tell!(
        "{:6.1} s, {} moves, {} moves/s, stages left: {}",
        progress.seconds,
        number::scaled(progress.moves as f64),
        number::scaled(progress.speed),
        stages.join(", ")
    );
}

/// Writes the model and says what rounding cost.
fn export(out: &mut impl Write, run: GpuRun, args: &TrainArgs, provenance: &Provenance) -> Result<(), Failure> {
    let fix = Fix { games: COUNTED, bytes: args.bytes(), late: 1 };
    let (network, quantiser) = run.export(fix).map_err(run_failure)?;
    network.save(&args.out, &quantiser, provenance).map_err(cpu::file_failure)?;
    writeln!(out, "wrote {} with {} weights", args.out.display(), number::grouped(quantiser.kept() as u64))?;
    out.flush()?;
    let written = Model::load(&args.out).and_then(|model| Ok(model.network.to_floats()?)).map_err(cpu::file_failure)?;
    let [trained, stored] = run.compare(&written, COMPARED, 99).map_err(|error| run_failure(error.into()))?;
    for (name, sample) in [("as trained", trained), ("as stored", stored)] {
        let mean = number::grouped(sample.mean.round() as u64);
        let around = number::grouped(sample.half_width.round() as u64);
        writeln!(out, "{name}: mean {mean} +- {around}, 32768 in {:.2}%", 100.0 * sample.rate(32_768))?;
    }
    Ok(())
}
