//! Training on a GPU by a recipe.

use std::io::Write;

use afterstate_lab::Provenance as Here;
use afterstate_learn::ntuple::gpu::{GpuError, GpuProgress, GpuTraining, Recipe};
use afterstate_learn::ntuple::{Provenance, Quantisation, least_visits};

use super::args::{TrainArgs, in_file, text};
use super::{cpu, curve};
use crate::failure::Failure;
use crate::{interrupt, number};

/// The weights that are kept in the model: those that play looks up most often.
const KEPT: usize = 30_000_000;
/// Games in which the look-ups are counted.
const COUNTED: u32 = 16_384;
/// Models are for play: a step of this many points is not noticed.
const STEP: f32 = 16.0;

/// Trains through all phases of the recipe, or until Ctrl-C, and writes the model.
pub(super) fn run(out: &mut impl Write, args: &TrainArgs) -> Result<(), Failure> {
    cpu::check_files(args)?;
    let Some(path) = &args.recipe else { return Err(Failure::input("--device cuda needs a --recipe")) };
    let recipe: Recipe = toml::from_str(&text(path)?).map_err(|error| in_file(path, error))?;
    let stop = interrupt::stop_on_ctrl_c()?;
    let here = Here::here(std::env::args().collect::<Vec<_>>().join(" "), 1);
    let mut points = Vec::new();
    let mut written = Ok(());
    curve::heading(out)?;
    let training = recipe.run(&stop, |progress| {
        show(progress);
        if let Some(point) = &progress.point {
            points.push(point.clone());
            let told = curve::show(out, point).and_then(|()| curve::write(&args.out, &points, &here.command));
            if told.is_err() && written.is_ok() {
                written = told;
            }
        }
    });
    let training = training.map_err(gpu_failure)?;
    written?;
    let provenance = Provenance { command: here.command, machine: here.machine, seed: recipe.seed, curve: points };
    export(&training, args, &provenance)?;
    writeln!(out, "wrote {}", args.out.display())?;
    Ok(())
}

fn gpu_failure(error: GpuError) -> Failure {
    Failure::World(error.to_string())
}

fn show(progress: &GpuProgress) {
    let stages: Vec<String> = progress
        .stages
        .iter()
        .map(|stage| {
            let ended = (stage.left + stage.lost).max(1) as f64;
            format!("{:.2}%/{}", 100.0 * stage.left as f64 / ended, number::scaled(ended))
        })
        .collect();
    eprintln!(
        "{:6.1} s, {} moves, {} moves/s, left each stage: {}",
        progress.seconds,
        number::scaled(progress.moves as f64),
        number::scaled(progress.speed),
        stages.join(" ")
    );
}

fn export(training: &GpuTraining, args: &TrainArgs, provenance: &Provenance) -> Result<(), Failure> {
    let visits = training.count_visits(COUNTED, provenance.seed).map_err(gpu_failure)?;
    let least = least_visits(&visits, KEPT);
    let quantisation = Quantisation { step: STEP, visits: Some((&visits, least)), level: 9 };
    let network = training.network().map_err(gpu_failure)?;
    network.save(&args.out, &quantisation, provenance).map_err(cpu::file_failure)
}
