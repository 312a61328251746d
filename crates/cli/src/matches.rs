//! `afterstate match`: two agents play each other, every opening with both colours.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use afterstate_abalone::{Layout, Position};
use afterstate_game::{AtPlyLimit, DrawRules, Notation};
use afterstate_lab::stats::Estimate;
use afterstate_lab::{DuelRun, Machinery, MatchSummary, Opening, Series, Tally};
use serde_json::json;

use crate::args::{AtLimit, MatchArgs};
use crate::failure::Failure;
use crate::record::RecordFile;
use crate::{interrupt, number, progress};

/// Plays the match with a running score on standard error, then prints the summary.
pub(crate) fn run(out: &mut impl Write, args: &MatchArgs) -> Result<(), Failure> {
    let run = duel(args)?;
    let mut machinery = Machinery { stop: interrupt::stop_on_ctrl_c()?, ..Machinery::default() };
    if let Some(threads) = args.threads {
        machinery.threads = threads.into();
    }
    for agent in &run.agents {
        afterstate_players::canonical::<Position>(agent).map_err(Failure::input)?;
    }
    let mut record = RecordFile::open(args.record.as_deref())?;
    // A pair is never left half played.
    let games = args.games.next_multiple_of(2);
    let bar = progress::bar(games);
    let played = run.play(games, &machinery, |game, tally| {
        if !record.append(&game.record) {
            return ControlFlow::Break(());
        }
        bar.set_position(Tally::games(tally));
        if io::stderr().is_terminal() {
            bar.set_message(running_score(&tally.summary()));
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let summary = played.map_err(Failure::from)?.summary();
    if args.json {
        writeln!(out, "{}", json!({ "agents": run.agents, "seed": args.seed, "summary": summary }))?;
    } else {
        show(out, &run, &summary)?;
    }
    out.flush()?;
    record.finish()?;
    interrupt::report(summary.games, games)
}

fn duel(args: &MatchArgs) -> Result<DuelRun<Position>, Failure> {
    let agents = if args.specs.is_empty() { &args.agent } else { &args.specs };
    let [a, b] = agents.as_slice() else {
        return Err(Failure::input(format!(
            "a match needs two agents, not {}: afterstate match abalone A B",
            agents.len()
        )));
    };
    let at_limit = match args.at_limit {
        AtLimit::Draw => AtPlyLimit::Draw,
        AtLimit::LeaderWins => AtPlyLimit::LeaderWins,
    };
    Ok(DuelRun {
        agents: [a.clone(), b.clone()],
        openings: openings(args)?,
        rules: DrawRules { repetitions: Some(args.repetitions), max_plies: Some(args.max_plies), at_limit },
        limits: args.limits.into(),
        seed: args.seed,
    })
}

fn openings(args: &MatchArgs) -> Result<Vec<Opening<Position>>, Failure> {
    if let Some(path) = &args.openings {
        return read_openings(path);
    }
    layouts(&args.layout)
}

/// The named layouts as openings; Standard and Belgian Daisy where none is named.
pub(crate) fn layouts(names: &[String]) -> Result<Vec<Opening<Position>>, Failure> {
    let named = names.iter().map(|name| name.parse::<Layout>().map_err(Failure::input));
    let both = || vec![Layout::Standard, Layout::BelgianDaisy];
    let layouts = if names.is_empty() { both() } else { named.collect::<Result<_, _>>()? };
    let opening = |layout: Layout| Opening { name: layout.name().to_owned(), position: layout.position() };
    Ok(layouts.into_iter().map(opening).collect())
}

/// Reads a file of openings: `name: position` or a bare position on each line; `#` begins a comment.
fn read_openings(path: &Path) -> Result<Vec<Opening<Position>>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::world(format_args!("reading the openings {}", path.display()), error))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let number = index + 1;
        let (name, position) = line.split_once(':').unwrap_or(("", line));
        let position = Position::parse(position.trim())
            .map_err(|error| Failure::input(format!("{}, line {number}: {error}", path.display())))?;
        let name = if name.is_empty() { format!("line {number}") } else { name.trim().to_owned() };
        openings.push(Opening { name, position });
    }
    if openings.is_empty() {
        return Err(Failure::input(format!("{}: no openings; expected one position on each line", path.display())));
    }
    Ok(openings)
}

fn running_score(summary: &MatchSummary) -> String {
    let elo = summary.elo.map_or_else(String::new, |elo| format!(", Elo {}", estimate(elo)));
    format!("+{} ={} -{}{elo}", summary.won, summary.drawn, summary.lost)
}

fn estimate(estimate: Estimate) -> String {
    let number = |value: f64| if value.is_finite() { format!("{value:+.0}") } else { format!("{value:+}") };
    match estimate.interval {
        Some(interval) => {
            format!("{} ({} to {})", number(estimate.value), number(interval.low), number(interval.high))
        }
        None => number(estimate.value),
    }
}

fn show(out: &mut impl Write, run: &DuelRun<Position>, summary: &MatchSummary) -> Result<(), Failure> {
    let [a, b] = &run.agents;
    writeln!(out, "A         {a}\nB         {b}")?;
    writeln!(
        out,
        "games     {} from {} openings, each with both colours (seed {})",
        number::grouped(summary.games),
        run.openings.len(),
        run.seed
    )?;
    if summary.games == 0 {
        writeln!(out, "no game was finished")?;
        return Ok(());
    }
    let percent = |count: u64| 100.0 * count as f64 / summary.games as f64;
    writeln!(
        out,
        "A         won {} ({:.1}%), drawn {} ({:.1}%), lost {} ({:.1}%)",
        summary.won,
        percent(summary.won),
        summary.drawn,
        percent(summary.drawn),
        summary.lost,
        percent(summary.lost)
    )?;
    writeln!(out, "Elo       {}, 95% interval; A is stronger with {:.1}%", elo(summary), summary.superiority * 100.0)?;
    let captured = summary.captured.map(|mean| mean.map_or(0.0, |mean| mean.value));
    writeln!(
        out,
        "marbles   A pushed off {:.2} a game, B {:.2}; {:.1} half-moves a game",
        captured[0],
        captured[1],
        summary.plies.unwrap_or(0.0)
    )?;
    for (name, cost) in ["A", "B"].into_iter().zip(&summary.cost) {
        writeln!(
            out,
            "speed {name}   {} nodes/s, {} nodes and {:.3} ms per move",
            number::scaled(cost.nodes_per_second),
            number::scaled(cost.nodes_per_move),
            cost.seconds_per_move * 1e3
        )?;
    }
    Ok(())
}

fn elo(summary: &MatchSummary) -> String {
    summary.elo.map_or_else(|| "-".to_owned(), estimate)
}
