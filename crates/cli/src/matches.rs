//! `afterstate match`: two agents play each other, every opening with both colours.

use std::io::Write;

use afterstate_abalone::{Layout, Position};
use afterstate_lab::experiment::{
    AtLimit as CutGame, DrawSettings, Experiment, GameName, LimitSettings, Pairing, PlannedGames, PositionSettings,
    StopRule, stored_tally,
};
use afterstate_lab::stats::{EloScale, Estimate, SprtState};
use afterstate_lab::{DuelResult, DuelRun, LabError, MatchSummary, MatchTally, Opening, Series as _};
use serde_json::json;

use crate::args::{AtLimit, MatchArgs};
use crate::experiment::adhoc::Adhoc;
use crate::failure::Failure;
use crate::number;

/// Games of a match whose end nobody has chosen.
const USUAL_GAMES: u64 = 40;
/// The most games of a test for which nobody has said how many are too many.
const MOST_GAMES: u64 = 1_000_000;

/// Plays the match with a running score on standard error, then prints the summary.
pub(crate) fn run(out: &mut impl Write, args: &MatchArgs) -> Result<(), Failure> {
    let agents = agents(args)?;
    for agent in &agents {
        afterstate_players::canonical::<Position>(agent).map_err(Failure::input)?;
    }
    let title = agents.join(" against ");
    let adhoc = Adhoc::play(experiment(args, &agents)?, &title, &args.adhoc)?;
    let PlannedGames::Duel(planned) = &adhoc.plan.games else { return Err(LabError::NotStored.into()) };
    let [planned] = planned.as_slice() else { return Err(LabError::NotStored.into()) };
    let series = adhoc.store.find_series(&planned.series.definition()).map_err(LabError::from)?;
    let summary = match series {
        Some(id) => stored_tally::<DuelResult, MatchTally>(&adhoc.store, id, planned.stop)?.0.summary(),
        None => MatchTally::default().summary(),
    };
    let test = planned.stop.sprt().map(|test| test.state(&summary.pairs));
    if args.json {
        writeln!(out, "{}", json!({ "agents": agents, "seed": args.seed, "summary": summary, "sprt": test }))?;
    } else {
        show(out, &agents, &planned.series, &summary, test.as_ref())?;
    }
    out.flush()?;
    let wanted = planned.stop.max_games();
    adhoc.end(summary.games, wanted)
}

fn agents(args: &MatchArgs) -> Result<[String; 2], Failure> {
    let agents = if args.specs.is_empty() { &args.agent } else { &args.specs };
    agents.clone().try_into().map_err(|agents: Vec<String>| {
        Failure::input(format!("a match needs two agents, not {}: afterstate match abalone A B", agents.len()))
    })
}

/// The match as an experiment with one pair.
fn experiment(args: &MatchArgs, agents: &[String; 2]) -> Result<Experiment, Failure> {
    let mut experiment = Experiment::new("match", GameName::Abalone, agents.clone());
    experiment.seed = args.seed;
    for (settings, name) in experiment.agents.iter_mut().zip(["A", "B"]) {
        settings.name = Some(name.to_owned());
    }
    experiment.pairing = Some(Pairing::RoundRobin);
    experiment.stop = Some(stop_rule(args)?);
    let limits = args.limits;
    experiment.limits = LimitSettings {
        depth: limits.depth,
        nodes: limits.nodes,
        iterations: limits.iterations,
        time: limits.time.map(|time| format!("{}us", time.as_micros())),
    };
    let at_limit = match args.at_limit {
        AtLimit::Draw => CutGame::Draw,
        AtLimit::LeaderWins => CutGame::LeaderWins,
    };
    experiment.draws = Some(DrawSettings { repetitions: args.repetitions, max_plies: args.max_plies, at_limit });
    let file = args.openings.as_ref().map(|path| path.display().to_string());
    if file.is_some() || !args.layout.is_empty() {
        experiment.openings =
            Some(PositionSettings { layouts: args.layout.clone(), file, ..PositionSettings::default() });
    }
    Ok(experiment)
}

fn stop_rule(args: &MatchArgs) -> Result<StopRule, Failure> {
    // A pair is never left half played.
    let games = |usual: u64| args.games.unwrap_or(usual).next_multiple_of(2);
    match args.sprt[..] {
        [] => Ok(StopRule::Games { games: games(USUAL_GAMES) }),
        [elo0, elo1] => Ok(StopRule::Sprt {
            elo0,
            elo1,
            alpha: args.error_rate,
            beta: args.error_rate,
            scale: EloScale::Logistic,
            max_games: games(MOST_GAMES),
        }),
        _ => Err(Failure::input("--sprt: expected two differences in Elo, such as 0,20")),
    }
}

/// The named layouts as openings; Standard and Belgian Daisy where none is named.
pub(crate) fn layouts(names: &[String]) -> Result<Vec<Opening<Position>>, Failure> {
    let named = names.iter().map(|name| name.parse::<Layout>().map_err(Failure::input));
    let both = || vec![Layout::Standard, Layout::BelgianDaisy];
    let layouts = if names.is_empty() { both() } else { named.collect::<Result<_, _>>()? };
    let opening = |layout: Layout| Opening { name: layout.name().to_owned(), position: layout.position() };
    Ok(layouts.into_iter().map(opening).collect())
}

fn estimate(estimate: Estimate) -> String {
    // Adding nought makes a negative one positive: nobody is stronger by -0.
    let number =
        |value: f64| if value.is_finite() { format!("{:+.0}", value.round() + 0.0) } else { format!("{value:+}") };
    match estimate.interval {
        Some(interval) => {
            format!("{} ({} to {})", number(estimate.value), number(interval.low), number(interval.high))
        }
        None => number(estimate.value),
    }
}

fn show(
    out: &mut impl Write,
    [a, b]: &[String; 2],
    run: &DuelRun<Position>,
    summary: &MatchSummary,
    test: Option<&SprtState>,
) -> Result<(), Failure> {
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
    let pairs = summary.pairs.counts.map(|count| count.to_string()).join(" ");
    writeln!(out, "pairs     {pairs}  (with 0, 1/2, 1, 3/2 and 2 points for A)")?;
    let or_dash = |value: Option<Estimate>| value.map_or_else(|| "-".to_owned(), estimate);
    writeln!(
        out,
        "Elo       {}, 95% interval; A is stronger with {:.1}%",
        or_dash(summary.elo),
        summary.superiority * 100.0
    )?;
    writeln!(out, "          {} normalised", or_dash(summary.normalised_elo))?;
    if let Some(test) = test {
        writeln!(out, "sprt      {test}")?;
    }
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
