//! The training: games side by side, memories, steps of learning.

use std::collections::VecDeque;

use afterstate_game::{Afterstate, Dice, Stop, Symmetric, Symmetry, derive_seed};
use afterstate_twenty48::{Board, Direction, Slid, State};
use serde::{Deserialize, Serialize};

use super::judge::{Judge, best};
use super::play::{Asked, Sample, sample};
use super::replay::{Memory, Replay};
use super::settings::{Ahead, DqnError, DqnSettings, Variant};
use crate::neural::{Adam, AdamSettings, Answers, Device, DeviceError, Frozen, Network, Pupil};

/// A training under way. The same seed gives the same training.
#[derive(Clone, Debug)]
pub struct Dqn {
    pub(super) settings: DqnSettings,
    /// Where the networks work.
    pub(super) device: Device,
    pub(super) network: Network,
    /// The older copy that targets come from.
    pub(super) target: Network,
    pub(super) adam: Adam,
    pub(super) replay: Replay,
    pub(super) games: Vec<Game>,
    pub(super) reached: Reached,
    pub(super) curve: Vec<CurvePoint>,
}

/// How far a training is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Reached {
    /// Steps of all games together.
    pub(super) rounds: u64,
    /// Steps of learning.
    pub(super) learned: u64,
    pub(super) finished_games: u64,
    /// Of the games that ended since the last evaluation.
    pub(super) scores: f64,
    pub(super) ended: u64,
    /// Of the steps of learning since the last evaluation.
    pub(super) loss: f64,
    pub(super) losses: u64,
}

/// A game under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Game {
    pub(super) board: u64,
    pub(super) score: u32,
    /// Moves whose points are still coming: the judged board, the slide, the points of the slide.
    pub(super) pending: VecDeque<(u64, u8, f32)>,
}

/// What an evaluation found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Moves so far.
    pub moves: u64,
    /// Games so far.
    pub games: u64,
    /// The root of the mean squared error of the steps since the last evaluation, in points.
    pub loss: f64,
    /// The mean score of the training's own games since then.
    pub training: f64,
    /// Games without random slides.
    pub sample: Sample,
}

/// The loss or a weight is no longer a number: the training cannot go on from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the loss is no longer a number after {moves} moves (step {step} of learning): a smaller rate may help")]
pub struct Diverged {
    /// Moves so far.
    pub moves: u64,
    /// Steps of learning so far.
    pub step: u64,
}

/// Why a training cannot go on. What was learned since the last evaluation is lost.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The loss is no number.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Seeds of the kinds of randomness.
const WEIGHTS: u64 = 0;
const PLAY: u64 = 1;
const LEARN: u64 = 2;
const SAMPLE: u64 = 3;

/// The networks at work, and room that is used again and again.
pub(super) struct Workspace {
    pupil: Pupil,
    older: Frozen,
    acting: Judge,
    chosen: Judge,
    judged: Judge,
}

impl Dqn {
    /// A training from random weights.
    pub fn new(settings: DqnSettings) -> Result<Self, DqnError> {
        let design = settings.design()?;
        let network = Network::random(&design, &mut Dice::seeded(derive_seed(settings.seed, &[WEIGHTS])));
        let games = (0..settings.games).map(|game| Game::start(settings.seed, 0, game)).collect();
        Ok(Self {
            device: Device::default(),
            target: network.clone(),
            adam: Adam::new(network.weights().len(), AdamSettings::default()),
            replay: Replay::new(settings.memory, settings.priority.is_some()),
            games,
            reached: Reached::default(),
            curve: Vec::new(),
            network,
            settings,
        })
    }

    /// The same training on a device.
    #[must_use]
    pub fn on(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &DqnSettings {
        &self.settings
    }

    /// The network as it is now.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The evaluations so far.
    #[must_use]
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.reached.rounds * self.settings.games as u64
    }

    /// Whether all moves have been played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.moves() >= self.settings.moves
    }

    /// Plays and learns until the next evaluation, and evaluates. `None` if it was stopped before.
    pub fn until_evaluation(&mut self, threads: usize, stop: &Stop) -> Result<Option<CurvePoint>, LearnError> {
        let mut work = self.workspace()?;
        let due = (self.curve.len() as u64 + 1) * self.settings.evaluate;
        while self.moves() < due && !self.is_finished() {
            if stop.is_raised() {
                work.pupil.fetch(&mut self.network, &mut self.adam)?;
                return Ok(None);
            }
            self.round(&mut work)?;
        }
        work.pupil.fetch(&mut self.network, &mut self.adam)?;
        Ok(Some(self.evaluate(threads)?))
    }

    fn workspace(&self) -> Result<Workspace, DeviceError> {
        let DqnSettings { variant, unit, games, batch, averaged, .. } = self.settings;
        let asked_for_each = match variant {
            Variant::Q => 1,
            Variant::Afterstate => 4,
        };
        let images = if averaged { usize::from(State::SYMMETRIES) } else { 1 };
        let room = asked_for_each * batch.max(games * images);
        let judge = || Judge::new(variant, unit);
        Ok(Workspace {
            pupil: Pupil::new(self.device, &self.network, &self.adam, room)?,
            older: Frozen::new(self.device, &self.target, room)?,
            acting: judge(),
            chosen: judge(),
            judged: judge(),
        })
    }

    fn evaluate(&mut self, threads: usize) -> Result<CurvePoint, DeviceError> {
        let DqnSettings { unit, sample: games, seed, .. } = self.settings;
        let reached = &mut self.reached;
        let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
        let loss = f64::from(unit) * mean(reached.loss, reached.losses).sqrt();
        let training = mean(reached.scores, reached.ended);
        (reached.loss, reached.losses, reached.scores, reached.ended) = (0.0, 0, 0.0, 0);
        let games_so_far = reached.finished_games;
        let sample = sample(self.asked(self.settings.averaged), games, derive_seed(seed, &[SAMPLE]), threads)?;
        let point = CurvePoint { moves: self.moves(), games: games_so_far, loss, training, sample };
        self.curve.push(point);
        Ok(point)
    }

    /// Plays games on chance of its own, apart from training and evaluations. With `averaged` a slide is judged by its mean
    /// over the symmetries of the board.
    pub fn finals(&self, games: u32, averaged: bool, threads: usize) -> Result<Sample, DeviceError> {
        sample(self.asked(averaged), games, derive_seed(self.settings.seed, &[SAMPLE, 1]), threads)
    }

    fn asked(&self, averaged: bool) -> Asked<'_> {
        let DqnSettings { variant, unit, .. } = self.settings;
        Asked { network: &self.network, device: self.device, variant, unit, averaged }
    }

    /// A move in every game, and a step of learning where one is due.
    pub(super) fn round(&mut self, work: &mut Workspace) -> Result<(), LearnError> {
        let boards: Vec<Board> = self.games.iter().map(Game::board).collect();
        let epsilon = self.settings.epsilon.at(self.moves());
        let values = work.acting.chosen_by(self.settings.averaged, &mut work.pupil, &boards)?;
        self.reached.rounds += 1;
        for (number, values) in values.iter().enumerate() {
            let path = [PLAY, self.reached.rounds, number as u64];
            let mut dice = Dice::seeded(derive_seed(self.settings.seed, &path));
            self.play(number, values, epsilon, &mut dice);
        }
        let due = self.reached.rounds.is_multiple_of(self.settings.every as u64);
        if due && self.replay.len() >= self.settings.batch.max(self.settings.memory.min(10 * self.settings.batch)) {
            self.learn(work)?;
        }
        Ok(())
    }

    fn play(&mut self, number: usize, values: &[Option<f32>; 4], epsilon: f64, dice: &mut Dice) {
        let game = &mut self.games[number];
        let board = game.board();
        let slide = if dice.chance(epsilon) { random(values, dice) } else { best(values).map(|(slide, _)| slide) };
        let Some(direction) = slide else { return };
        let slid = board.slide(direction);
        let next = Slid(slid.board).draw(dice).0;
        let judged = match self.settings.variant {
            Variant::Q => board,
            Variant::Afterstate => slid.board,
        };
        game.score += slid.reward;
        game.pending.push_back((judged.nibbles(), direction as u8, slid.reward as f32 / self.settings.unit));
        game.set(next);
        // No network sees a difference above 32768; a game that gets there has nothing more to teach.
        let over = !next.can_slide_somewhere() || next.high_bits() != 0;
        let asked = match self.settings.ahead {
            Ahead::Best => next,
            Ahead::Played => judged,
        };
        while game.pending.len() >= self.settings.steps || (over && !game.pending.is_empty()) {
            let memory = game.remember(&self.settings, asked, over);
            self.replay.push(memory);
        }
        if over {
            self.reached.scores += f64::from(game.score);
            self.reached.ended += 1;
            self.reached.finished_games += 1;
            *game = Game::start(self.settings.seed, self.reached.rounds, number);
        }
    }

    fn learn(&mut self, work: &mut Workspace) -> Result<(), LearnError> {
        let path = [LEARN, self.reached.learned];
        let mut dice = Dice::seeded(derive_seed(self.settings.seed, &path));
        let drawn: Vec<(usize, f32)> = (0..self.settings.batch).map(|_| self.replay.draw(&mut dice)).collect();
        let batch: Vec<Memory> = drawn.iter().map(|&(place, _)| self.seen(place, &mut dice)).collect();
        let targets = self.targets(&batch, work)?;
        let boards: Vec<Board> = batch.iter().map(|memory| memory.from).collect();
        let rate = self.settings.rate_at(self.moves());
        let mut loss = 0.0;
        work.pupil.step(&boards, rate, |outputs| {
            let (slopes, squares) = self.slopes(outputs, &batch, &targets, &drawn);
            loss = squares / batch.len() as f64;
            let diverged = Diverged { moves: self.moves(), step: self.reached.learned };
            if loss.is_finite() { Ok(slopes) } else { Err(LearnError::from(diverged)) }
        })?;
        self.reached.learned += 1;
        self.reached.loss += loss;
        self.reached.losses += 1;
        if self.reached.learned.is_multiple_of(self.settings.target_every) {
            work.pupil.fetch(&mut self.network, &mut self.adam)?;
            self.target.weights_mut().copy_from_slice(self.network.weights());
            work.older.renew(&self.target)?;
        }
        Ok(())
    }

    /// How the loss changes with the outputs for a batch, and the sum of their squared errors. Memories are kept as well as
    /// they surprised.
    fn slopes(
        &mut self,
        outputs: &[f32],
        batch: &[Memory],
        targets: &[f32],
        drawn: &[(usize, f32)],
    ) -> (Vec<f32>, f64) {
        let width = self.settings.variant.outputs();
        let mut slopes = vec![0.0; outputs.len()];
        let beta = self.settings.priority.map_or(0.0, |priority| priority.beta);
        let mut squares = 0.0;
        for (row, (memory, target)) in batch.iter().zip(targets).enumerate() {
            let at = row * width + if width == 1 { 0 } else { usize::from(memory.slide) };
            let error = outputs[at] - target;
            squares += f64::from(error).powi(2);
            let (place, likely) = drawn[row];
            // Huber's slope: a single surprise does not throw the weights about.
            slopes[at] = error.clamp(-1.0, 1.0) * likely.max(1e-6).powf(-beta).min(10.0) / batch.len() as f32;
            if let (Some(priorities), Some(priority)) = (&mut self.replay.priorities, self.settings.priority) {
                priorities.set(place, f64::from((error.abs() + 1e-3).powf(priority.alpha)));
            }
        }
        (slopes, squares)
    }

    /// A memory, seen through a random symmetry where that is wanted.
    fn seen(&self, place: usize, dice: &mut Dice) -> Memory {
        let memory = self.replay.memories[place];
        if !self.settings.symmetries {
            return memory;
        }
        let symmetry = Symmetry(dice.below(u32::from(State::SYMMETRIES)) as u8);
        let slide = Direction::ALL[usize::from(memory.slide) & 3];
        Memory {
            from: memory.from.transformed(symmetry),
            slide: State::transformed_move(slide, symmetry) as u8,
            to: memory.to.transformed(symmetry),
            ..memory
        }
    }

    /// What the judged boards should be worth.
    fn targets(&self, batch: &[Memory], work: &mut Workspace) -> Result<Vec<f32>, DeviceError> {
        let asked: Vec<Board> = batch.iter().map(|memory| memory.to).collect();
        let worth = match self.settings.ahead {
            Ahead::Best => self.best_ahead(&asked, work)?,
            Ahead::Played => {
                let mut worth = Vec::new();
                work.older.answer(&asked, &mut worth)?;
                worth
            }
        };
        let target = |(memory, worth): (&Memory, f32)| {
            if memory.discount == 0.0 { memory.points } else { memory.points + memory.discount * worth }
        };
        Ok(batch.iter().zip(worth).map(target).collect())
    }

    /// What the best slide of each board is worth, 0 where there is none.
    fn best_ahead(&self, boards: &[Board], work: &mut Workspace) -> Result<Vec<f32>, DeviceError> {
        let judged = work.judged.slides(&mut work.older, boards)?;
        let chosen = if self.settings.double { work.chosen.slides(&mut work.pupil, boards)? } else { judged };
        let worth = |(chosen, judged): (_, &[Option<f32>; 4])| {
            best(chosen).and_then(|(direction, _)| judged[direction as usize]).unwrap_or(0.0)
        };
        Ok(chosen.iter().zip(judged).map(worth).collect())
    }
}

impl Game {
    fn start(seed: u64, round: u64, number: usize) -> Self {
        let mut dice = Dice::seeded(derive_seed(seed, &[PLAY, round, number as u64, 1]));
        let mut game = Self { board: 0, score: 0, pending: VecDeque::new() };
        game.set(State::start(&mut dice).0);
        game
    }

    fn board(&self) -> Board {
        Board::from_nibbles(self.board)
    }

    fn set(&mut self, board: Board) {
        self.board = board.nibbles();
    }

    /// Takes the oldest pending move out: its points so far, and `asked` as the board from which on the network is asked.
    fn remember(&mut self, settings: &DqnSettings, asked: Board, over: bool) -> Memory {
        let mut points = 0.0;
        let mut factor = 1.0;
        for (index, &(_, _, reward)) in self.pending.iter().enumerate() {
            // The points of the slide itself lie before the board after it.
            let counts = index > 0 || settings.variant == Variant::Q;
            points += if counts { factor * reward } else { 0.0 };
            factor *= if counts { settings.discount } else { 1.0 };
        }
        let (from, slide, _) = self.pending.pop_front().unwrap_or_default();
        let discount = if over { 0.0 } else { factor };
        Memory { from: Board::from_nibbles(from), slide, points, to: asked, discount }
    }
}

fn random(values: &[Option<f32>; 4], dice: &mut Dice) -> Option<Direction> {
    let legal: Vec<Direction> =
        Direction::ALL.into_iter().zip(values).filter(|(_, value)| value.is_some()).map(|(slide, _)| slide).collect();
    legal.get(dice.below(legal.len().max(1) as u32) as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_follow_the_mean_over_the_symmetries_where_that_is_asked_for() {
        let text = "name = \"x\"\nvariant = \"afterstate\"\nhidden = [8]\nmoves = 1000\ngames = 64\nsteps = 3\naveraged = true\n\
                    epsilon = { from = 0.0, to = 0.0, moves = 1 }";
        let mut training = Dqn::new(toml::from_str(text).unwrap()).unwrap();
        let boards: Vec<Board> = training.games.iter().map(Game::board).collect();
        let mut network = Frozen::new(Device::Cpu, training.network(), 256).unwrap();
        let mut judge = Judge::new(Variant::Afterstate, training.settings().unit);
        let mut chosen = |averaged| {
            let values = judge.chosen_by(averaged, &mut network, &boards).unwrap();
            let slides = values.iter().map(|values| best(values).unwrap().0);
            boards.iter().zip(slides).map(|(board, slide)| board.slide(slide).board.nibbles()).collect::<Vec<u64>>()
        };
        let (mean, once) = (chosen(true), chosen(false));
        assert_ne!(mean, once);
        let mut work = training.workspace().unwrap();
        training.round(&mut work).unwrap();
        let played: Vec<u64> = training.games.iter().map(|game| game.pending[0].0).collect();
        assert_eq!(played, mean);
    }

    #[test]
    fn where_the_played_slide_counts_a_memory_ends_with_the_board_after_it() {
        let text = "name = \"x\"\nvariant = \"afterstate\"\nhidden = [8]\nmoves = 1000\ngames = 1\nsteps = 3\nunit = 1.0\n\
                    discount = 0.5\nahead = \"played\"\nepsilon = { from = 0.0, to = 0.0, moves = 1 }";
        let mut training = Dqn::new(toml::from_str(text).unwrap()).unwrap();
        let mut work = training.workspace().unwrap();
        let mut played = Vec::new();
        for _ in 0..30 {
            training.round(&mut work).unwrap();
            played.extend(training.games[0].pending.back().copied());
        }
        assert_eq!((played.len(), training.replay.len()), (30, 28));
        for (memory, moves) in training.replay.memories.iter().zip(played.windows(3)) {
            assert_eq!([memory.from, memory.to], [moves[0].0, moves[2].0].map(Board::from_nibbles));
            assert_eq!((memory.points, memory.discount), (moves[1].2 + 0.5 * moves[2].2, 0.25));
        }
        let boards: Vec<Board> = training.replay.memories.iter().map(|memory| memory.to).collect();
        let mut worth = Vec::new();
        work.older.answer(&boards, &mut worth).unwrap();
        let expected: Vec<f32> =
            training.replay.memories.iter().zip(worth).map(|(memory, worth)| memory.points + 0.25 * worth).collect();
        assert_eq!(training.targets(&training.replay.memories, &mut work).unwrap(), expected);
    }
}
