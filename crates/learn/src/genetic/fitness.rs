//! Fitness: what games a network plays, and what they are worth.

use std::sync::Arc;

use afterstate_game::{Afterstate, Dice, Evaluation, Player, Position, Stop, derive_seed};
use afterstate_search::expectimax::{Dead, Depth, DepthUnit, Expectimax, Settings};
use afterstate_twenty48::{Board, Direction, State};
use serde::{Deserialize, Serialize};

use super::brain::{Brain, Thought, choose};
use crate::neural::{Asked, Judge, NeuralValue, Origin, StoredNetwork};

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
    fn push(&mut self, game: &Game) {
        self.scores.push(game.score);
        self.tiles.push(game.state.0.max_tile().map_or(0, afterstate_twenty48::Tile::value));
        self.moves += game.moves;
    }

    /// The mean score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.scores.iter().copied().map(f64::from).sum::<f64>() / self.scores.len().max(1) as f64
    }
}

/// Plays `games` games, each fixed by the seed and its number; `None` if it was stopped.
pub(super) fn play_games(brain: &Arc<Brain>, role: Role, games: u32, seed: u64, stop: &Stop) -> Option<Worth> {
    let dice = (0..games).map(|game| Dice::seeded(derive_seed(seed, &[u64::from(game)])));
    let mut worth = Worth::default();
    match (role, brain.shape().is_rectified()) {
        (Role::Policy, true) => {
            let mut thought = Thought::default();
            for dice in dice {
                worth.push(&Game::start(dice).play(stop, |state| choose(brain.think(state.0, &mut thought), state))?);
            }
        }
        (Role::Policy, false) => {
            let games = side_by_side(&Judge::new(&brain.network()), dice, stop)?;
            games.iter().for_each(|game| worth.push(game));
        }
        (Role::Value { depth }, true) => search_games(|| Arc::clone(brain), depth, dice, stop, &mut worth)?,
        (Role::Value { depth }, false) => {
            let stored = StoredNetwork { network: brain.network(), scale: 1.0, origin: Origin::default() };
            let asked = Asked::<false> { network: Arc::new(NeuralValue::new(&stored)), averaged: false };
            search_games(|| asked.clone(), depth, dice, stop, &mut worth)?;
        }
    }
    Some(worth)
}

fn search_games<E: Evaluation<State>>(
    evaluation: impl Fn() -> E,
    depth: u32,
    dice: impl Iterator<Item = Dice>,
    stop: &Stop,
    worth: &mut Worth,
) -> Option<()> {
    for dice in dice {
        let mut player = searcher(evaluation(), depth)?;
        let decide = |state| player.decide_position(&state).ok().map(|decision| decision.best);
        worth.push(&Game::start(dice).play(stop, decide)?);
    }
    Some(())
}

/// Plays games move by move together, so that their boards are judged in batches. What a judge says of a board does not
/// depend on the others, so each game is the same as alone.
fn side_by_side(judge: &Judge, dice: impl Iterator<Item = Dice>, stop: &Stop) -> Option<Vec<Game>> {
    let mut games: Vec<Game> = dice.map(Game::start).collect();
    let mut outputs = Vec::new();
    loop {
        let mut playing: Vec<&mut Game> = games.iter_mut().filter(|game| !game.is_over()).collect();
        if playing.is_empty() {
            return Some(games);
        }
        if stop.is_raised() {
            return None;
        }
        let boards: Vec<Board> = playing.iter().map(|game| game.state.0).collect();
        outputs.clear();
        judge.judge(&boards, &mut outputs);
        for (game, outputs) in playing.iter_mut().zip(outputs.chunks_exact(judge.outputs())) {
            if let Some(direction) = choose(outputs, game.state) {
                game.slide(direction);
            }
        }
    }
}

/// The worth of a lost game: well below what networks of random weights say, which is about one in size.
const DEAD: f32 = -10.0;

fn searcher<E: Evaluation<State>>(evaluation: E, depth: u32) -> Option<Expectimax<State, E>> {
    let settings = Settings {
        depth: Depth::Fixed(depth),
        unit: DepthUnit::HalfMoves,
        dead: Dead::Value(DEAD),
        ..Settings::default()
    };
    Expectimax::new(settings, evaluation).ok()
}

/// A game under way.
struct Game {
    state: State,
    dice: Dice,
    score: u32,
    moves: u64,
}

impl Game {
    fn start(mut dice: Dice) -> Self {
        Self { state: State::start(&mut dice), dice, score: 0, moves: 0 }
    }

    fn is_over(&self) -> bool {
        !self.state.0.can_slide_somewhere()
    }

    /// Plays a legal slide and draws the tile that follows.
    fn slide(&mut self, direction: Direction) {
        let played = self.state.play_unchecked(direction);
        self.score += played.reward;
        self.moves += 1;
        self.state = played.afterstate.draw(&mut self.dice);
    }

    /// Plays to the end; `None` if it was stopped.
    fn play(mut self, stop: &Stop, mut decide: impl FnMut(State) -> Option<Direction>) -> Option<Self> {
        while !self.is_over() {
            if stop.is_raised() {
                return None;
            }
            let Some(direction) = decide(self.state) else { break };
            self.slide(direction);
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genetic::Shape;
    use crate::neural::{Activation, Design, Encoding, Layer};

    #[test]
    fn games_side_by_side_are_those_of_the_network_by_the_book() {
        let layers = vec![
            Layer::Convolution { channels: 6, padding: 0, activation: Activation::Relu },
            Layer::Convolution { channels: 5, padding: 1, activation: Activation::Relu },
            Layer::Dense { units: 7, activation: Activation::Selu },
            Layer::Dense { units: 4, activation: Activation::Linear },
        ];
        let shape = Shape::of(Design::new(Encoding::Planes, layers).unwrap());
        let weights = shape.random(1.0, &mut Dice::seeded(5));
        let brain = Arc::new(Brain::new(shape, weights).unwrap());
        let together = play_games(&brain, Role::Policy, 5, 9, &Stop::new()).unwrap();
        let mut alone = Worth::default();
        for game in 0..5 {
            let dice = Dice::seeded(derive_seed(9, &[game]));
            let decide = |state: State| choose(brain.think(state.0, &mut Thought::default()), state);
            alone.push(&Game::start(dice).play(&Stop::new(), decide).unwrap());
        }
        assert_eq!(together, alone);
        assert!(together.moves > 100, "{together:?}");
    }
}
