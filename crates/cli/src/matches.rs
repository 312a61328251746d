//! `afterstate match`: two agents play each other, every opening with both colours.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::ops::ControlFlow;

use afterstate_abalone::{Layout, Position};
use afterstate_lab::experiment::{
    AtLimit as CutGame, DrawSettings, Experiment, GameName, LimitSettings, Pairing, PlannedGames, PositionSettings,
    StopRule, stored_tally,
};
use afterstate_lab::stats::{EloScale, Estimate, SprtState};
use afterstate_lab::store::{SeriesId, Store};
use afterstate_lab::{DuelResult, LabError, MatchSummary, MatchTally, Opening, Series as _};
use serde_json::json;

use crate::args::{AtLimit, MatchArgs};
use crate::experiment::adhoc::Adhoc;
use crate::failure::Failure;
use crate::number;
use crate::output::tell;
use crate::terminal::{self, folded};

/// Games of a match whose end nobody has chosen.
const USUAL_GAMES: u64 = 40;
/// The most games of a test for which nobody has said how many are too many.
const MOST_GAMES: u64 = 1_000_000;

/// Where games start when nothing is said: neutral positions, enough of them that agents which play alike in games that start
/// alike do not meet the same one again.
const OPENINGS: &str = include_str!("../../../experiments/openings/abalone-200.txt");

/// Plays the match with a running score on standard error, then prints the summary.
pub(crate) fn run(out: &mut impl Write, args: &MatchArgs) -> Result<(), Failure> {
    let agents = agents(args)?;
    for agent in &agents {
        afterstate_players::canonical::<Position>(agent).map_err(Failure::input)?;
    }
    let title = agents.join(" against ");
    let mut variety = Variety::default();
    let adhoc = Adhoc::play(experiment(args, &agents)?, &title, &args.adhoc, |record| {
        variety.add(record);
        // A test would count a copy as evidence.
        if args.sprt.is_empty() || variety.copies() == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let PlannedGames::Duel(planned) = &adhoc.plan.games else { return Err(LabError::NotStored.into()) };
    let [planned] = planned.as_slice() else { return Err(LabError::NotStored.into()) };
    let series = adhoc.store.find_series(&planned.series.definition()).map_err(LabError::from)?;
    let (summary, variety) = match series {
        Some(id) => {
            let (tally, complete) = stored_tally::<DuelResult, MatchTally>(&adhoc.store, id, planned.stop)?;
            let summary = tally.summary();
            // A test that has decided counts no later game.
            let decided = complete && !planned.stop.is_fixed();
            let most = if decided { summary.games } else { planned.stop.max_games() };
            (summary, Variety::stored(&adhoc.store, id, most)?)
        }
        None => (MatchTally::default().summary(), Variety::default()),
    };
    let test = planned.stop.sprt().map(|test| test.state(&summary.pairs));
    if args.json {
        let (seed, different) = (args.seed, variety.different.len());
        let shown = json!({ "agents": agents, "seed": seed, "summary": summary, "different": different, "sprt": test });
        writeln!(out, "{shown}")?;
    } else {
        show(out, &agents, args.seed, &summary, &variety, test.as_ref())?;
    }
    out.flush()?;
    let openings = planned.series.openings.len();
    let wanted = planned.stop.max_games();
    adhoc.end(summary.games, wanted)?;
    variety.judge(openings, args)
}

/// The games of a match that differ. Agents whose moves follow from the position alone repeat a game that starts alike.
#[derive(Default)]
struct Variety {
    games: usize,
    different: HashSet<u64>,
    openings: HashSet<String>,
}

impl Variety {
    /// Counts what a match counts.
    fn stored(store: &Store, series: SeriesId, most: u64) -> Result<Self, LabError> {
        let mut variety = Self::default();
        let mut read = Ok(());
        store.for_each_result(series, |result: DuelResult| {
            if result.game >= most {
                return ControlFlow::Break(());
            }
            match store.record(series, result.game) {
                Ok(record) => variety.add(&record.unwrap_or_default()),
                Err(error) => read = Err(error),
            }
            variety.openings.insert(result.opening);
            if read.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        read?;
        Ok(variety)
    }

    /// Two games are the same where their records say the same but for their number.
    fn add(&mut self, record: &str) {
        let mut hasher = DefaultHasher::new();
        record.lines().filter(|line| !line.starts_with("[Round ")).for_each(|line| line.hash(&mut hasher));
        self.games += 1;
        self.different.insert(hasher.finish());
    }

    fn copies(&self) -> usize {
        self.games - self.different.len()
    }

    /// Copies are no evidence: a test must not rest on them, and figures that do are not to be trusted.
    fn judge(&self, openings: usize, args: &MatchArgs) -> Result<(), Failure> {
        if self.copies() == 0 {
            return Ok(());
        }
        let (games, different) = (self.games, self.different.len());
        let reason = format!(
            "of {games} games only {different} are different: these agents repeat a game that starts alike, and a copy is no \
             evidence; play at most {} games, two for each opening, or give more openings with --openings",
            2 * openings
        );
        if args.sprt.is_empty() {
            tell!("warning: {reason}");
            return Ok(());
        }
        Err(Failure::Input(reason))
    }
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
    let nothing_said = file.is_none() && args.layout.is_empty();
    let positions = if nothing_said { OPENINGS.lines().map(str::to_owned).collect() } else { Vec::new() };
    experiment.openings = Some(PositionSettings { layouts: args.layout.clone(), file, positions });
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
    seed: u64,
    summary: &MatchSummary,
    variety: &Variety,
    test: Option<&SprtState>,
) -> Result<(), Failure> {
    writeln!(out, "A         {a}\nB         {b}")?;
    writeln!(
        out,
        "games     {}{} from {} opening{}, each with both colours (seed {seed})",
        number::grouped(summary.games),
        if variety.copies() == 0 { String::new() } else { format!(", {} different,", variety.different.len()) },
        variety.openings.len(),
        if variety.openings.len() == 1 { "" } else { "s" },
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
        writeln!(out, "{}", folded(&format!("sprt      {test}"), 10, terminal::width()))?;
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
