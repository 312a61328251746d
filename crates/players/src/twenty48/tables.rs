//! A player of 2048 that asks endgame tables before it searches.

use std::sync::Arc;

use afterstate_game::{Decision, MoveValue, NoLegalMove, Player, Position, Task};
use afterstate_learn::endgame::{Advice, Tables};
use afterstate_twenty48::{Direction, State};

use crate::key::{Arguments, Key, Values};
use crate::{BoxedPlayer, SpecError, models};

/// The keys of an agent that can ask tables.
pub(super) const KEYS: [Key; 3] = [
    Key {
        name: "tables",
        default: "off",
        values: Values::Tables,
        help: "endgame tables to ask first: all that lie where models are looked for, or those of a folder",
    },
    Key {
        name: "tables-from",
        default: "0.9",
        values: Values::Number(0.0, 1.0),
        help: "the probability of success from which on tables are believed",
    },
    Key {
        name: "tables-margin",
        default: "0",
        values: Values::Number(0.0, 1.0),
        help: "the search chooses among the slides that are at most this much less likely to succeed than the best",
    },
];

/// The player itself, or one that asks tables before it.
pub(super) fn asked_first(arguments: &Arguments, player: BoxedPlayer<State>) -> Result<BoxedPlayer<State>, SpecError> {
    let (from, margin) = (arguments.number("tables-from")?, arguments.number("tables-margin")?);
    match models::tables(arguments)? {
        Some(tables) if !tables.is_empty() => Ok(Box::new(AsksTables { tables, from, margin, player })),
        _ => Ok(player),
    }
}

/// Follows tables where they know better, and leaves everything else to another player.
struct AsksTables {
    tables: Arc<Tables>,
    /// Below this probability of success the tables are not believed: what they count as failure may be the better way.
    from: f64,
    /// How much less likely to succeed than the best a slide may be.
    margin: f64,
    player: BoxedPlayer<State>,
}

impl AsksTables {
    /// The slides to choose from, if a table knows.
    fn permitted(&self, state: State) -> Option<Advice> {
        let mut advice = self.tables.advice(state)?;
        let best = advice.slides.first()?.1;
        advice.slides.retain(|&(_, probability)| probability >= best - self.margin);
        (best >= self.from).then_some(advice)
    }
}

impl Player<State> for AsksTables {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<Direction>, NoLegalMove> {
        let state = *task.position();
        let Some(Advice { slides, .. }) = self.permitted(state) else { return self.player.decide(task) };
        if let [(only, probability)] = slides[..] {
            let mut decision = Decision::unsearched(only, state.moves());
            decision.moves[0] = MoveValue::exact(only, probability);
            return Ok(decision);
        }
        let mut decision = self.player.decide(task)?;
        let is_permitted = |mv: Direction| slides.iter().any(|&(slide, _)| slide == mv);
        if let Some(place) = decision.moves.iter().position(|known| is_permitted(known.mv)).filter(|&place| place > 0) {
            // The first of the permitted moves is the best of them: moves come best first.
            decision.best = decision.moves[place].mv;
            decision.moves[..=place].rotate_right(1);
            decision.line = vec![decision.best];
        }
        Ok(decision)
    }

    fn start_game(&mut self, seed: u64) {
        self.player.start_game(seed);
    }
}
