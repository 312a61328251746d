//! Learning from games: temporal differences between successive afterstates.

use std::sync::atomic::AtomicU32;

use afterstate_game::{Afterstate, Dice};
use afterstate_twenty48::{Board, Slid, State};
use serde::{Deserialize, Serialize};

use super::index::{Packing, Portable, Tuple, images, sum};
use super::memory::{Floats, OutOfMemory, load, store};
use super::network::{Choice, Instructions, Network, View, downgraded, tile_sum, value};

/// How large a step a weight makes towards what was observed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rate {
    /// The same for all weights (TD).
    Constant(f32),
    /// Times the coherence of the weight: 1 as long as its errors agree in sign, towards 0 as they cancel (TC, Beal and
    /// Smith 1999).
    Coherent(f32),
}

/// When a game is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Credit {
    /// Every move corrects the one before it at once: TD(0).
    Online,
    /// After the game, from its end to its beginning, with this share of the observed return: TD(lambda).
    Backward(f32),
}

/// For each weight the sum of its errors and the sum of their sizes, side by side because they are used together.
#[derive(Debug)]
pub(crate) struct Coherence(pub(crate) Floats);

impl Coherence {
    pub(crate) fn new(network: &Network) -> Result<Self, OutOfMemory> {
        Ok(Self(Floats::zeroed(2 * network.values.len())?))
    }

    fn stage(&self, network: &Network, stage: usize) -> &[AtomicU32] {
        let size = self.0.len() / network.design().stage_count();
        &self.0.words()[stage * size..][..size]
    }
}

/// One game as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) end: Board,
    pub(crate) score: u64,
    pub(crate) moves: u64,
}

/// One afterstate of a game, and what the move to it earned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) board: u64,
    pub(crate) stage: usize,
    pub(crate) reward: u32,
}

/// A thread's view of a network that is being learned.
#[derive(Debug)]
pub(crate) struct Learner<'a> {
    network: &'a Network,
    coherence: Option<&'a Coherence>,
    alpha: f32,
    credit: Credit,
    /// The afterstates of the last game, kept where the caller or backward learning needs them.
    pub(crate) steps: Vec<Step>,
}

impl<'a> Learner<'a> {
    /// `coherence` is used when the rate is coherent.
    pub(crate) fn new(network: &'a Network, coherence: Option<&'a Coherence>, rate: Rate, credit: Credit) -> Self {
        let (alpha, coherence) = match rate {
            Rate::Constant(alpha) => (alpha, None),
            Rate::Coherent(alpha) => (alpha, coherence),
        };
        Self { network, coherence, alpha: alpha / network.design().features() as f32, credit, steps: Vec::new() }
    }

    /// Plays a game with the best moves by the network's present weights, learns from it, and shows every position at
    /// which a new stage begins.
    pub(crate) fn play(&mut self, start: State, dice: &mut Dice, mut entered: impl FnMut(usize, State)) -> Game {
        let mut state = start;
        let mut tiles = ViewCounter::new(self.network, start.0);
        let mut game = Game { end: start.0, score: 0, moves: 0 };
        self.steps.clear();
        let mut before: Option<Step> = None;
        while let Some(choice) = self.network.best_in(state.0, tiles.view) {
            let step = tiles.step(&choice);
            if self.credit == Credit::Online
                && let Some(before) = before
            {
                self.correct(before, choice.reward as f32 + choice.value);
            }
            before = Some(step);
            self.steps.push(step);
            game.score += u64::from(choice.reward);
            game.moves += 1;
            state = Slid(choice.afterstate).draw(dice);
            if tiles.count(self.network, choice.afterstate, state.0) {
                entered(tiles.view.stage, state);
            }
        }
        game.end = state.0;
        match self.credit {
            Credit::Online => {
                if let Some(last) = before {
                    self.correct(last, 0.0);
                }
            }
            Credit::Backward(lambda) => self.learn_backward(lambda),
        }
        game
    }

    fn learn_backward(&self, lambda: f32) {
        let mut target = 0.0;
        for &step in self.steps.iter().rev() {
            let corrected = self.correct(step, target);
            target = step.reward as f32 + lambda * target + (1.0 - lambda) * corrected;
        }
    }

    /// Moves the value of an afterstate towards `target` and returns the new value.
    #[inline]
    pub(crate) fn correct(&self, step: Step, target: f32) -> f32 {
        let values = self.network.stage_table(step.stage);
        let coherence = self.coherence.map(|coherence| coherence.stage(self.network, step.stage));
        let rule = Rule { tuples: &self.network.tuples, values, coherence, alpha: self.alpha };
        match self.network.instructions() {
            Instructions::Portable => correct(Portable, &rule, step.board, target),
            #[cfg(target_arch = "x86_64")]
            Instructions::Bmi2(bmi2) => with_bmi2::correct(bmi2, &rule, step.board, target),
        }
    }
}

/// Follows how the network looks at a game from tile to tile.
struct ViewCounter {
    sum: u32,
    view: View,
}

impl ViewCounter {
    fn new(network: &Network, board: Board) -> Self {
        let sum = tile_sum(downgraded(board));
        Self { sum, view: network.view_of_sum(sum) }
    }

    #[inline]
    fn step(&self, choice: &Choice) -> Step {
        let board = self.view.lowering.lower(downgraded(choice.afterstate));
        Step { board, stage: self.view.stage, reward: choice.reward }
    }

    /// Counts the tile that appeared; whether a new stage began with it.
    #[inline]
    fn count(&mut self, network: &Network, afterstate: Board, board: Board) -> bool {
        if network.has_one_view() {
            return false;
        }
        // The new nibble is 1 for a two and 2 for a four.
        let spawned = afterstate.nibbles() ^ board.nibbles();
        self.sum += if spawned & 0x1111_1111_1111_1111 != 0 { 2 } else { 4 };
        let view = network.view_of_sum(self.sum);
        let entered = view.stage != self.view.stage;
        self.view = view;
        entered
    }
}

/// What a correction needs to know beside the board.
struct Rule<'a> {
    tuples: &'a [Tuple],
    values: &'a [AtomicU32],
    coherence: Option<&'a [AtomicU32]>,
    /// The rate per feature.
    alpha: f32,
}

#[inline(always)]
fn correct<P: Packing>(packing: P, rule: &Rule<'_>, board: u64, target: f32) -> f32 {
    let error = target - value(packing, rule.tuples, rule.values, board);
    let step = rule.alpha * error;
    let images = images(board);
    let mut lanes = [0.0; 8];
    for tuple in rule.tuples {
        for (lane, image) in lanes.iter_mut().zip(images) {
            let index = tuple.offset + packing.pack(image, tuple);
            let weight = &rule.values[index];
            let share = rule.coherence.map_or(1.0, |coherence| {
                let [errors, sizes] = [2 * index, 2 * index + 1].map(|index| &coherence[index]);
                let (sum, size) = (load(errors), load(sizes));
                store(errors, sum + error);
                store(sizes, size + error.abs());
                if size == 0.0 { 1.0 } else { sum.abs() / size }
            });
            let corrected = load(weight) + share * step;
            store(weight, corrected);
            *lane += corrected;
        }
    }
    sum(lanes)
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "functions with target features can only be called where the features are known")]
mod with_bmi2 {
    use super::Rule;
    use crate::ntuple::index::Bmi2;

    #[inline]
    pub(super) fn correct(bmi2: Bmi2, rule: &Rule<'_>, board: u64, target: f32) -> f32 {
        #[target_feature(enable = "bmi2")]
        fn compiled(bmi2: Bmi2, rule: &Rule<'_>, board: u64, target: f32) -> f32 {
            super::correct(bmi2, rule, board, target)
        }
        // SAFETY: a `Bmi2` exists only where the feature was detected.
        unsafe { compiled(bmi2, rule, board, target) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::Design;

    fn learn(rate: Rate, credit: Credit, games: u64, portable: bool) -> (Vec<u64>, Network) {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let network = if portable { network.portable() } else { network };
        let coherence = Coherence::new(&network).unwrap();
        let mut learner = Learner::new(&network, Some(&coherence), rate, credit);
        let scores = (0..games).map(|game| {
            let mut dice = Dice::seeded(game);
            learner.play(State::start(&mut dice), &mut dice, |_, _| ()).score
        });
        let scores = scores.collect();
        (scores, network)
    }

    #[test]
    fn every_method_learns_to_play_better() {
        for rate in [Rate::Constant(0.1), Rate::Coherent(1.0)] {
            for credit in [Credit::Online, Credit::Backward(0.5)] {
                let (scores, _) = learn(rate, credit, 600, false);
                let mean = |scores: &[u64]| scores.iter().sum::<u64>() / scores.len() as u64;
                let (first, last) = (mean(&scores[..50]), mean(&scores[500..]));
                assert!(last > 3 * first, "{rate:?}, {credit:?}: from {first} to {last}");
            }
        }
    }

    #[test]
    fn the_portable_path_learns_the_same_weights() {
        let (scores, network) = learn(Rate::Coherent(1.0), Credit::Backward(0.5), 30, false);
        let (portable_scores, portable) = learn(Rate::Coherent(1.0), Credit::Backward(0.5), 30, true);
        assert_eq!(scores, portable_scores);
        assert_eq!(network.values.read(0..network.values.len()), portable.values.read(0..portable.values.len()));
    }

    #[test]
    fn a_correction_with_full_rate_reaches_the_target() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let learner = Learner::new(&network, None, Rate::Constant(1.0), Credit::Online);
        // No two features of this board share a weight.
        let board = Board::from_nibbles(0x0123_4567_89ab_cdef);
        let corrected = learner.correct(Step { board: board.nibbles(), stage: 0, reward: 0 }, 640.0);
        assert_eq!((corrected, network.value(board)), (640.0, 640.0));
    }

    #[test]
    fn coherence_slows_a_weight_whose_errors_cancel() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let coherence = Coherence::new(&network).unwrap();
        let learner = Learner::new(&network, Some(&coherence), Rate::Coherent(1.0), Credit::Online);
        let step = Step { board: 0x0123_4567_89ab_cdef, stage: 0, reward: 0 };
        assert_eq!(learner.correct(step, 100.0), 100.0);
        // The next error is -100: still coherent; after it the sum is 0 and the weight stands still.
        assert_eq!(learner.correct(step, 0.0), 0.0);
        assert_eq!(learner.correct(step, 50.0), 0.0);
    }
}
