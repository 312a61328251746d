//! `afterstate analyse`: one decision, shown in full.

use std::io::Write;

use afterstate_game::{History, Task};
use afterstate_players::DecisionReport;

use crate::args::AnalyseArgs;
use crate::failure::Failure;
use crate::game::CliGame;
use crate::{device, input, interrupt, number};

/// Decides one position and shows the decision.
pub(crate) fn run<P: CliGame>(out: &mut impl Write, args: &AnalyseArgs) -> Result<(), Failure> {
    let agent = args.agent.as_deref().unwrap_or(P::DEFAULT_AGENT);
    let position: P = input::position(&args.position)?;
    let mut player = afterstate_players::build::<P>(agent).map_err(Failure::input)?;
    player.start_game(args.seed);
    let history = History::new(position.clone());
    let stop = interrupt::stop_on_ctrl_c()?;
    let decision = player
        .decide(Task { history: &history, limits: args.limits.into(), stop: &stop, observer: &mut |_| {} })
        .map_err(|error| Failure::input(format!("position `{}`: {error}", position.to_text())))?;
    device::check(agent)?;
    let report = DecisionReport::new(&position, &decision);
    if args.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}\n", position.render())?;
        show(out, agent, &report)?;
    }
    out.flush()?;
    interrupt::report_cut("the search was cut short, and what is shown is what it knew by then")
}

/// Shows a decision for people.
pub(crate) fn show(out: &mut impl Write, agent: &str, report: &DecisionReport) -> Result<(), Failure> {
    writeln!(out, "agent   {agent}")?;
    let value = report.value.map_or_else(String::new, |value| format!("  (value {})", number::value(value)));
    writeln!(out, "best    {}{value}", report.best)?;
    writeln!(out, "line    {}", report.line.join(" "))?;
    let [nodes, evaluations, iterations] = [report.nodes, report.evaluations, report.iterations].map(number::grouped);
    let depth = report.depth;
    writeln!(out, "search  depth {depth}, {nodes} nodes, {evaluations} evaluations, {:.3} ms", report.seconds * 1e3)?;
    if report.iterations > 0 {
        writeln!(out, "        {iterations} iterations")?;
    }
    if report.table_probes > 0 {
        let [hits, probes] = [report.table_hits, report.table_probes].map(number::grouped);
        writeln!(out, "table   {hits} of {probes} look-ups hit")?;
    }
    writeln!(out)?;
    moves(out, report)
}

fn moves(out: &mut impl Write, report: &DecisionReport) -> Result<(), Failure> {
    let sampled = report.moves.iter().any(|known| known.visits.is_some());
    let width = report.moves.iter().map(|known| known.mv.len()).max().unwrap_or(0).max(4);
    writeln!(out, "{:width$}  {:>14}{}", "move", "value", if sampled { "      visits       95% +-" } else { "" })?;
    for known in &report.moves {
        let sign = match known.bound {
            "upper" => "<= ",
            "lower" => ">= ",
            _ => "",
        };
        let value = known.value.map_or_else(|| "-".to_owned(), |value| format!("{sign}{}", number::value(value)));
        write!(out, "{:width$}  {value:>14}", known.mv)?;
        if sampled {
            let visits = known.visits.map_or_else(|| "-".to_owned(), number::grouped);
            let spread = known.half_width.map_or_else(|| "-".to_owned(), number::value);
            write!(out, "  {visits:>10}  {spread:>11}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
