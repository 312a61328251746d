//! `afterstate compare`: two agents play the same games of 2048, and are compared game by game.

use std::io::Write;
use std::ops::ControlFlow;

use afterstate_lab::experiment::{Experiment, GameName, PlannedGames, stored_tally};
use afterstate_lab::report::Report;
use afterstate_lab::stats::{PairedSummary, PairedTally};
use afterstate_lab::{ComparisonSummary, LabError, Series as _, SoloResult, SoloTally};
use afterstate_twenty48::State;
use serde_json::json;

use crate::args::CompareArgs;
use crate::experiment::adhoc::Adhoc;
use crate::failure::Failure;
use crate::number;
use crate::terminal::table;

/// Plays the games and prints what each agent reached and what the difference is.
pub(crate) fn run(out: &mut impl Write, args: &CompareArgs) -> Result<(), Failure> {
    let agents = [&args.a, &args.b];
    for agent in agents {
        afterstate_players::canonical::<State>(agent).map_err(Failure::input)?;
    }
    let mut experiment = Experiment::new("compare", GameName::Twenty48, agents.map(String::clone));
    experiment.seed = args.seed;
    experiment.games = Some(args.games);
    for (settings, name) in experiment.agents.iter_mut().zip(["A", "B"]) {
        settings.name = Some(name.to_owned());
    }
    let title = format!("{} against {}", args.a, args.b);
    let adhoc = Adhoc::play(experiment, &title, &args.adhoc, |_| ControlFlow::Continue(()))?;
    let summary = summary(&adhoc)?;
    if args.json {
        writeln!(out, "{}", json!({ "agents": agents, "seed": args.seed, "summary": summary }))?;
    } else {
        show(out, args, &adhoc, &summary)?;
    }
    out.flush()?;
    let finished = summary.each[0].games.min(summary.each[1].games);
    adhoc.end(finished, args.games)
}

fn summary(adhoc: &Adhoc) -> Result<ComparisonSummary, LabError> {
    let PlannedGames::Solo(planned) = &adhoc.plan.games else { return Err(LabError::NotStored) };
    let mut tallies = [SoloTally::default(), SoloTally::default()];
    let mut series = Vec::new();
    for (planned, tally) in planned.iter().zip(&mut tallies) {
        if let Some(id) = adhoc.store.find_series(&planned.series.definition())? {
            *tally = stored_tally::<SoloResult, SoloTally>(&adhoc.store, id, planned.stop)?.0;
            series.push((id, planned.stop.max_games()));
        }
    }
    let mut paired = PairedTally::default();
    if let [(a, games), (b, _)] = series[..] {
        adhoc.store.for_each_score_pair(a, b, games, |a, b| paired.add(a, b))?;
    }
    Ok(ComparisonSummary { each: tallies.each_ref().map(SoloTally::summary), paired: paired.summary() })
}

fn show(out: &mut impl Write, args: &CompareArgs, adhoc: &Adhoc, summary: &ComparisonSummary) -> Result<(), Failure> {
    writeln!(out, "A         {}\nB         {}", args.a, args.b)?;
    let games = number::grouped(summary.paired.pairs);
    writeln!(out, "games     {games} of each on the same chance (seed {})\n", args.seed)?;
    let report = Report::build(&adhoc.experiment, &adhoc.plan, &adhoc.store)?;
    table::show_all(out, &report.tables[..1])?;
    Ok(show_difference(out, &summary.paired)?)
}

fn show_difference(out: &mut impl Write, paired: &PairedSummary) -> std::io::Result<()> {
    let Some(difference) = paired.difference else { return writeln!(out, "no game was finished by both") };
    let interval = difference.interval.map_or_else(String::new, |interval| {
        format!(", 95% interval {} to {}", number::whole(interval.low), number::whole(interval.high))
    });
    writeln!(out, "A - B     {} points a game{interval}", number::whole(difference.value))?;
    writeln!(
        out,
        "games     A better in {}, B in {}, equal {}; sign test {}",
        paired.first_better,
        paired.second_better,
        paired.equal,
        probability(paired.sign_test)
    )?;
    let verdict = match difference.interval {
        Some(interval) if interval.low > 0.0 => "A is stronger",
        Some(interval) if interval.high < 0.0 => "B is stronger",
        _ => "not decided: the difference can be chance; play more games",
    };
    writeln!(out, "verdict   {verdict}")
}

/// A probability with as many digits as it is worth.
fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}
