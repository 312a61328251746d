//! Builds an endgame table, and says how much CPU time a filling takes: `endgame_speed PATTERN FOLDER [CHECKS]`.

use std::error::Error;
use std::path::Path;

use afterstate_game::Stop;
use afterstate_learn::endgame::{BuildOutcome, BuildSettings, DEFAULT_SLACK, Table, build};
use cpu_time::ProcessTime;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pattern, folder, checks @ ..] = &arguments[..] else {
        return Err("usage: endgame_speed PATTERN FOLDER [CHECKS]".into());
    };
    let path = Path::new(folder).join(format!("{pattern}.table"));
    let settings = BuildSettings { pattern: pattern.parse()?, slack: DEFAULT_SLACK, memory: 4 << 30, threads: 1 };
    let started = ProcessTime::now();
    let BuildOutcome::Complete(built) = build(&path, &settings, &Stop::new(), &mut |_| {})? else {
        return Err("stopped".into());
    };
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{pattern}: {} fillings in {seconds:.1} CPU-seconds, {:.0} ns each; {} bytes; from empty cells {:.4}",
        built.fillings,
        1e9 * seconds / built.fillings as f64,
        std::fs::metadata(&path)?.len(),
        built.from_empty,
    );
    let started = ProcessTime::now();
    let table = Table::load(&path)?;
    println!("read in {:.2} CPU-seconds", started.elapsed().as_secs_f64());
    if let [count, ..] = checks {
        let check = table.check(count.parse()?, 1);
        println!("{check:?}: {}", if check.is_passed() { "right" } else { "WRONG" });
    }
    Ok(())
}
