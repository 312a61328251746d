//! `afterstate run`: plays what is missing of experiments, stores it, and writes their reports.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use afterstate_lab::experiment::Mixing;
use afterstate_lab::report::{Agreement, Report};
use afterstate_lab::store::Store;
use afterstate_lab::{LabError, Machinery, Provenance};

use super::args::RunArgs;
use super::live::{Live, duration};
use super::{Chosen, chosen, report, slurm};
use crate::failure::Failure;
use crate::output::tell;
use crate::terminal::table;
use crate::{command_line, device, interrupt, number};

/// The longest that one trial game of a dry run may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs or resumes the experiments one after another.
pub(crate) fn run(out: &mut impl Write, args: &RunArgs) -> Result<(), Failure> {
    let chosen = chosen(&args.experiment)?;
    let mut machinery = Machinery::default();
    if let Some(threads) = args.threads {
        machinery.threads = threads.into();
    }
    if args.dry_run {
        return dry_run(out, &chosen, machinery.threads);
    }
    machinery.stop = interrupt::stop_on_ctrl_c()?;
    machinery.part = args.part;
    let mixing = if args.mix_programs { Mixing::Allowed } else { Mixing::Refused };
    let mut reports = Vec::new();
    for one in &chosen {
        let played =
            if args.cluster.slurm { submit(one, args, mixing, &machinery)? } else { play(one, &machinery, mixing)? };
        if args.cluster.is_detached() && !played.complete {
            continue;
        }
        let Finished { mut report, complete, stored, seconds } = played;
        report::write_files(&report, &one.report_folder())?;
        if chosen.len() == 1 {
            table::show_all(out, &report.tables)?;
            writeln!(out, "report    {}", one.report_folder().join("report.html").display())?;
        } else {
            writeln!(out, "{}", headline(one, &report, stored, seconds))?;
            // The page of all reports needs their heads only.
            report.replays.clear();
            reports.push(report);
        }
        out.flush()?;
        if !complete {
            return interrupted(one);
        }
        if !args.part.is_whole() {
            tell!("part {} is in {}; `merge --from` puts parts together", args.part, one.store.display());
        }
    }
    if chosen.len() > 1 {
        let page = report::write_index(&args.experiment.path, &chosen, &reports)?;
        writeln!(out, "reports   {}", page.display())?;
    }
    Ok(())
}

/// What a run leaves behind.
struct Finished {
    report: Report,
    complete: bool,
    stored: u64,
    seconds: f64,
}

fn play(chosen: &Chosen, machinery: &Machinery, mixing: Mixing) -> Result<Finished, Failure> {
    let Chosen { experiment, plan, .. } = chosen;
    let mut store = Store::open(&chosen.store).map_err(LabError::from)?;
    let provenance = Provenance::here(command_line(), machinery.threads);
    let started = Instant::now();
    let mut live = Live::new(chosen.title(), machinery.threads);
    let played = plan.run(experiment, &mut store, &provenance, mixing, machinery, |progress| {
        live.update(progress);
        ControlFlow::Continue(())
    });
    live.end();
    let (complete, stored) = played.map_err(|error| device::ended_with_results(error, &chosen.store))?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(Finished { report: Report::build(experiment, plan, &store)?, complete, stored, seconds })
}

/// The same on a cluster.
fn submit(chosen: &Chosen, args: &RunArgs, mixing: Mixing, machinery: &Machinery) -> Result<Finished, Failure> {
    let started = Instant::now();
    let slurm::Outcome { complete, stored } = slurm::play(chosen, &args.cluster, mixing, &machinery.stop)?;
    let seconds = started.elapsed().as_secs_f64();
    let report = Report::build(&chosen.experiment, &chosen.plan, &chosen.read()?)?;
    Ok(Finished { report, complete, stored, seconds })
}

fn headline(chosen: &Chosen, report: &Report, stored: u64, seconds: f64) -> String {
    let games = number::grouped(report.origin.games);
    let new = match stored {
        0 => "all of them stored before".to_owned(),
        stored => format!("{} of them new, in {}", number::grouped(stored), duration(seconds)),
    };
    let Agreement { agrees, higher, lower, .. } = report.agreement;
    let published = match agrees + higher + lower {
        0 => String::new(),
        _ => format!("; of the published figures {agrees} agree, {higher} are higher, {lower} lower"),
    };
    format!("{}: {games} games, {new}{published}", chosen.title())
}

fn interrupted(chosen: &Chosen) -> Result<(), Failure> {
    tell!("interrupted: every finished game is in {}; the same command goes on with the rest", chosen.store.display());
    Err(Failure::Interrupted)
}

/// Lists the rows with their games and what they will cost.
fn dry_run(out: &mut impl Write, chosen: &[Chosen], threads: usize) -> Result<(), Failure> {
    let mut total = 0.0;
    let mut bounded = true;
    for one in chosen {
        let store = if one.store.is_file() { Some(one.read()?) } else { None };
        writeln!(out, "{} ({})", one.title(), one.path.display())?;
        for row in one.plan.estimate(store.as_ref(), PATIENCE)? {
            let seconds = row.seconds_per_game * row.games_left as f64 / threads as f64;
            total += seconds;
            bounded &= !row.is_lower_bound;
            writeln!(
                out,
                "  {:<40} {}{:>9} games{:>4}{}",
                row.name,
                if row.fixed { "        " } else { "at most " },
                number::grouped(row.games_left),
                "",
                about(seconds, row.is_lower_bound)
            )?;
        }
        writeln!(out, "  results in {}", one.store.display())?;
    }
    writeln!(out, "in all    {} on {threads} threads", about(total, !bounded))?;
    Ok(())
}

fn about(seconds: f64, is_lower_bound: bool) -> String {
    format!("{} {}", if is_lower_bound { "more than" } else { "about" }, duration(seconds))
}
