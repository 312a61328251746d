//! Many games of one agent, and what they say.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use afterstate_game::Limits;
use afterstate_lab::{Machinery, Series, SoloRun, SoloSummary, SoloTally, Tally};
use afterstate_twenty48::State;
use serde_json::json;

use crate::args::Play2048Args;
use crate::failure::Failure;
use crate::record::RecordFile;
use crate::{device, interrupt, number, progress};

/// Plays the games with a progress bar on standard error, then prints the summary.
pub(super) fn run(out: &mut impl Write, args: &Play2048Args) -> Result<(), Failure> {
    if args.position.is_some() {
        return Err(Failure::input("--position goes with --watch or --agent human; many games start anew each"));
    }
    let run = SoloRun::<State>::new(&args.agent, args.seed, Limits::NONE);
    let mut machinery = Machinery { stop: interrupt::stop_on_ctrl_c()?, ..Machinery::default() };
    if let Some(threads) = args.threads {
        machinery.threads = threads.into();
    }
    afterstate_players::canonical::<State>(&args.agent).map_err(Failure::input)?;
    let mut record = RecordFile::open(args.record.as_deref())?;
    let games = args.games.unwrap_or(1);
    let bar = progress::bar(games);
    let started = Instant::now();
    let mut tally = SoloTally::default();
    let played = run.play_into(&mut tally, games, &machinery, |game, tally| {
        if !record.append(&game.record) {
            return ControlFlow::Break(());
        }
        bar.set_position(tally.games());
        if let Some(mean) = tally.scores().mean() {
            bar.set_message(format!("mean {}", number::grouped(mean as u64)));
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    if tally.games() == 0 {
        // There is nothing to show but the error.
        played.clone()?;
    }
    let summary = tally.summary();
    if args.json {
        writeln!(out, "{}", json!({ "agent": args.agent, "seed": args.seed, "summary": summary }))?;
    } else {
        show(out, args, &summary, started.elapsed())?;
    }
    out.flush()?;
    record.finish()?;
    let kept = format!("{} of {games} games were finished and are counted", summary.games);
    played.map_err(|error| device::ended(error, kept))?;
    interrupt::report(summary.games, games)
}

fn show(out: &mut impl Write, args: &Play2048Args, summary: &SoloSummary, elapsed: Duration) -> Result<(), Failure> {
    writeln!(out, "agent     {}", args.agent)?;
    writeln!(out, "games     {} (seed {})", number::grouped(summary.games), args.seed)?;
    let Some(score) = summary.score else {
        writeln!(out, "no game was finished")?;
        return Ok(());
    };
    let whole = |value: f64| number::grouped(value.max(0.0).round() as u64);
    let interval = score.interval.map_or_else(String::new, |interval| {
        format!(", 95% interval {} to {}", whole(interval.low), whole(interval.high))
    });
    writeln!(out, "score     mean {}{interval}", whole(score.value))?;
    let extremes = [summary.worst, summary.best].map(|score| number::grouped(score.unwrap_or(0).max(0) as u64));
    writeln!(
        out,
        "          median {}, lowest {}, best {}",
        whole(summary.median.unwrap_or(0.0)),
        extremes[0],
        extremes[1]
    )?;
    writeln!(
        out,
        "speed     {} moves/s and {} nodes/s per thread\ntime      {:.3} ms per move, {:.1} s in all",
        number::scaled(summary.moves_per_second),
        number::scaled(summary.nodes_per_second),
        summary.seconds_per_move * 1e3,
        elapsed.as_secs_f64()
    )?;
    writeln!(out, "\n  tile   reached   95% interval")?;
    for tile in &summary.tiles {
        let percent = |share: f64| share * 100.0;
        writeln!(
            out,
            "{:>6}  {:>7.1}%  {:>5.1}% to {:>5.1}%",
            tile.tile,
            percent(tile.rate.share),
            percent(tile.rate.interval.low),
            percent(tile.rate.interval.high)
        )?;
    }
    Ok(())
}
