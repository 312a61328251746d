//! Trains a network on the GPU by a recipe and writes the learning curve and, if asked, models of several sizes:
//! `gpu_train RECIPE.toml OUT_FOLDER [MODEL_WEIGHTS_IN_MILLIONS:STEP ...]`.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use afterstate_game::Stop;
use afterstate_learn::ntuple::gpu::{GpuProgress, GpuTraining, Recipe};
use afterstate_learn::ntuple::{CurvePoint, Model, Provenance, Quantisation, least_visits};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, recipe_path, folder, models @ ..] = arguments.as_slice() else {
        return Err("usage: gpu_train RECIPE.toml OUT_FOLDER [MILLIONS_OF_WEIGHTS:STEP ...]".into());
    };
    let recipe: Recipe = toml::from_str(&std::fs::read_to_string(recipe_path)?)?;
    let mut log = std::fs::File::create(Path::new(folder).join("curve.csv"))?;
    writeln!(log, "{}", CurvePoint::CSV_HEADER)?;
    let mut curve = Vec::new();
    let started = Instant::now();
    let training = recipe.run(&Stop::new(), |progress| {
        show(progress);
        if let Some(point) = &progress.point {
            let _ = writeln!(log, "{}", point.csv());
            curve.push(point.clone());
        }
    })?;
    println!("trained in {:.0} s of wall time", started.elapsed().as_secs_f64());
    let command = format!("gpu_train {recipe_path} with {}", toml::to_string(&recipe)?);
    let provenance = Provenance { command, machine: "one NVIDIA H200".into(), seed: recipe.seed, curve };
    export(training, &recipe, &provenance, folder, models)
}

fn show(progress: &GpuProgress) {
    let stages: Vec<String> = progress
        .stages
        .iter()
        .map(|stage| {
            let ended = (stage.left + stage.lost).max(1) as f64;
            format!("{:.2}%/{}k", 100.0 * stage.left as f64 / ended, (stage.left + stage.lost) / 1000)
        })
        .collect();
    print!(
        "{:6.1} s {:7.1} G {:5.0} M/s  {}",
        progress.seconds,
        progress.moves as f64 / 1e9,
        progress.speed / 1e6,
        stages.join(" ")
    );
    if let Some(point) = &progress.point {
        let rate = |tile| 100.0 * point.sample.rate(tile);
        print!(
            "  mean {:.0} +- {:.0}  8192 {:.1}% 16384 {:.1}% 32768 {:.2}%",
            point.sample.mean,
            point.sample.half_width,
            rate(8192),
            rate(16_384),
            rate(32_768)
        );
    }
    println!();
}

fn export(
    mut training: GpuTraining,
    recipe: &Recipe,
    provenance: &Provenance,
    folder: &str,
    models: &[String],
) -> Result<(), Box<dyn Error>> {
    if models.is_empty() {
        return Ok(());
    }
    let whole = training.play_games(32_768, 99)?;
    println!("as trained: mean {:.0} +- {:.0}, 32768 {:.2}%", whole.mean, whole.half_width, 100.0 * whole.rate(32_768));
    let visits = training.count_visits(16_384, 12_345)?;
    let used = visits.iter().filter(|&&seen| seen > 0).count();
    println!(
        "{:.1} M weights used, {:.1} M more than 10 times",
        used as f64 / 1e6,
        visits.iter().filter(|&&seen| seen > 10).count() as f64 / 1e6
    );
    let network = training.network()?;
    for model in models {
        let (millions, step) = model.split_once(':').ok_or("a model is MILLIONS:STEP")?;
        let least = least_visits(&visits, (millions.parse::<f64>()? * 1e6) as usize);
        let quantisation = Quantisation { step: step.parse()?, visits: Some((&visits, least)), level: 9 };
        let path = Path::new(folder).join(format!("{}-{millions}M-{step}.model", recipe.design.name()));
        let started = Instant::now();
        network.save(&path, &quantisation, provenance)?;
        let saved = started.elapsed();
        let started = Instant::now();
        let read = Model::load(&path)?;
        println!(
            "{}: {} bytes, saved in {saved:.1?}, read in {:.1?}",
            path.display(),
            std::fs::metadata(&path)?.len(),
            started.elapsed()
        );
        training.load(&read.network)?;
        let sample = training.play_games(32_768, 99)?;
        println!(
            "   at least {least} visits: mean {:.0} +- {:.0}, 32768 {:.2}%",
            sample.mean,
            sample.half_width,
            100.0 * sample.rate(32_768)
        );
    }
    Ok(())
}
