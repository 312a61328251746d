//! `afterstate openings`: neutral early positions to start matches from.

use std::io::Write;

use afterstate_abalone::Position;
use afterstate_game::Notation;
use afterstate_lab::{Neutrality, neutral_openings};

use crate::args::OpeningsArgs;
use crate::failure::Failure;
use crate::{device, matches, quoted};

/// Prints the layouts and the neutral positions found from them, as `afterstate match --openings` reads them.
pub(crate) fn run(out: &mut impl Write, args: &OpeningsArgs) -> Result<(), Failure> {
    let layouts = matches::layouts(&args.layout)?;
    let mut judge = afterstate_players::build::<Position>(&args.agent).map_err(Failure::input)?;
    let rule = Neutrality { plies: args.plies, within: args.within };
    let found = neutral_openings(&layouts, args.count, rule, judge.as_mut(), args.seed);
    device::check(&args.agent)?;
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    writeln!(
        out,
        "# {}, and {}: after {} random half-moves without a loss,",
        counted(layouts.len(), "layout"),
        counted(found.len(), "neutral position"),
        args.plies
    )?;
    writeln!(out, "# judged by {} within {} points of equality for the side to move.", args.agent, args.within)?;
    writeln!(
        out,
        "# afterstate openings abalone --count {} --plies {} --within {} --agent {} --seed {}{}",
        args.count,
        args.plies,
        args.within,
        quoted(&args.agent),
        args.seed,
        args.layout.iter().map(|name| format!(" --layout {}", quoted(name))).collect::<String>()
    )?;
    for opening in layouts.iter().chain(&found) {
        writeln!(out, "{}: {}", opening.name, opening.position.to_text())?;
    }
    if found.len() < args.count {
        return Err(Failure::input(format!(
            "only {} of {} positions are neutral by this rule",
            found.len(),
            args.count
        )));
    }
    Ok(())
}
