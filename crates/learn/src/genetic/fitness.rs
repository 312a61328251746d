//! Fitness: what games a network plays, and what they are worth.

use std::sync::Arc;

use afterstate_game::{Afterstate, Dice, Player, Position, Stop, derive_seed};
use afterstate_search::expectimax::{Dead, Depth, DepthUnit, Expectimax, Settings};
use afterstate_twenty48::{Board, Direction, State};
use serde::{Deserialize, Serialize};

use super::brain::{Brain, Thought, choose};

/// What the outputs of a network mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Four outputs: the highest legal one is played.
    Policy,
    /// One output: the worth of a board after a slide, searched by expectimax of this many half-moves.
    Value {
        /// Half-moves: 1 judges the boards after each slide, 3 looks one slide further.
        depth: u32,
    },
}

impl Role {
    /// The number of outputs.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            Self::Policy => 4,
            Self::Value { .. } => 1,
        }
    }
}

/// What the games of a network came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// The score of each game.
    pub scores: Vec<u32>,
    /// The largest tile of each game.
    pub tiles: Vec<u32>,
    /// Moves in all.
    pub moves: u64,
}

impl Worth {
    /// The mean score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.scores.iter().copied().map(f64::from).sum::<f64>() / self.scores.len().max(1) as f64
    }
}

/// Plays `games` games, each fixed by the seed and its number; `None` if it was stopped.
pub(super) fn play_games(brain: &Arc<Brain>, role: Role, games: u32, seed: u64, stop: &Stop) -> Option<Worth> {
    let mut worth = Worth::default();
    for game in 0..games {
        let dice = Dice::seeded(derive_seed(seed, &[u64::from(game)]));
        let (end, score, moves) = match role {
            Role::Policy => {
                let mut thought = Thought::default();
                play(dice, stop, |state| choose(brain, state, &mut thought))?
            }
            Role::Value { depth } => {
                let mut player = searcher(Arc::clone(brain), depth)?;
                play(dice, stop, |state| player.decide_position(&state).ok().map(|decision| decision.best))?
            }
        };
        worth.scores.push(score);
        worth.tiles.push(end.max_tile().map_or(0, afterstate_twenty48::Tile::value));
        worth.moves += moves;
    }
    Some(worth)
}

/// The worth of a lost game: well below what networks of random weights say, which is about one in size.
const DEAD: f32 = -10.0;

fn searcher(brain: Arc<Brain>, depth: u32) -> Option<Expectimax<State, Arc<Brain>>> {
    let settings = Settings {
        depth: Depth::Fixed(depth),
        unit: DepthUnit::HalfMoves,
        dead: Dead::Value(DEAD),
        ..Settings::default()
    };
    Expectimax::new(settings, brain).ok()
}

fn play(mut dice: Dice, stop: &Stop, mut decide: impl FnMut(State) -> Option<Direction>) -> Option<(Board, u32, u64)> {
    let mut state = State::start(&mut dice);
    let (mut score, mut moves) = (0, 0);
    while state.0.can_slide_somewhere() {
        if stop.is_raised() {
            return None;
        }
        let Some(direction) = decide(state) else { break };
        let played = state.play_unchecked(direction);
        score += played.reward;
        moves += 1;
        state = played.afterstate.draw(&mut dice);
    }
    Some((state.0, score, moves))
}
