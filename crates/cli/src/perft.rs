//! `afterstate perft`: counting positions, the touchstone of a move generator.

use std::io::Write;
use std::time::Instant;

use afterstate_abalone::{Layout, Position};
use serde_json::json;

use crate::args::PerftArgs;
use crate::failure::Failure;
use crate::{input, number};

/// Counts the positions after 1, 2, ... half-moves.
pub(crate) fn run(out: &mut impl Write, args: &PerftArgs) -> Result<(), Failure> {
    let start: Position = match &args.position {
        Some(text) => input::position(text)?,
        None => args.layout.parse::<Layout>().map_err(Failure::input)?.position(),
    };
    if !args.json {
        writeln!(out, "depth  {:>22}  {:>10}  {:>14}", "positions", "seconds", "positions/s")?;
    }
    for depth in 1..=args.depth {
        let started = Instant::now();
        let positions = afterstate_abalone::perft(&start, depth);
        let seconds = started.elapsed().as_secs_f64();
        if args.json {
            writeln!(out, "{}", json!({ "depth": depth, "positions": positions, "seconds": seconds }))?;
        } else {
            let speed = number::scaled(positions as f64 / seconds.max(1e-9));
            writeln!(out, "{depth:>5}  {:>22}  {seconds:>10.3}  {speed:>14}", number::grouped(positions))?;
        }
        out.flush()?;
    }
    Ok(())
}
