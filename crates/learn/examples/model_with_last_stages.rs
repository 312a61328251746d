//! Writes a model with stages that were learned alone (`afterstate train 2048 --starts --until --worth`) in the place of its
//! last ones: `cargo run --release -p afterstate-learn --example model_with_last_stages -- MODEL CHECKPOINT OUT MEGABYTES COMMAND`,
//! where COMMAND says how they were learned.

use std::path::Path;
use std::process::ExitCode;

use afterstate_learn::ntuple::{Model, Training};

/// Games that show which weights play looks up.
const COUNTED: u64 = 200_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [model, checkpoint, out, megabytes, command] => match write(model, checkpoint, out, megabytes, command) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: model_with_last_stages MODEL CHECKPOINT OUT MEGABYTES COMMAND");
            ExitCode::from(2)
        }
    }
}

fn write(
    model: &str,
    checkpoint: &str,
    out: &str,
    megabytes: &str,
    command: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = megabytes.parse::<u64>()?.saturating_mul(1_000_000);
    let training = Training::load(Path::new(checkpoint))?;
    let settings = training.settings();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let last = training.outcome();
    let visits = last.count_visits(&settings.stretch, COUNTED, settings.seed, threads)?;
    Model::write_with_last_stages(Path::new(model), last, &visits, (Path::new(out), bytes), command)?;
    Ok(())
}
