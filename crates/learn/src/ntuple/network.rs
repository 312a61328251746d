//! The network: tables of weights, and the value of a board as the sum of its features.

use afterstate_game::{Afterstate, Evaluation, Played, Position};
use afterstate_twenty48::{Board, Direction, Slid, State};
use arrayvec::ArrayVec;

use super::design::Design;
use super::index::{Instructions, Packing, Tuple, Work};
use super::memory::{Floats, OutOfMemory};
use super::places::Places;
use super::prospect::Prospect;
use super::view::{View, downgraded, may_exceed, tile_sum};
use super::weights::{Pages, Tables, Weights};
use crate::parallel;

/// An n-tuple network. The value of an afterstate is the number of points expected from there on.
///
/// With floats it can be shared by threads that read and learn at the same time; [`Compact`] is for play.
#[derive(Debug)]
pub struct Network<T = Floats> {
    design: Design,
    /// Those that all stages have come first.
    tuples: Vec<Tuple>,
    common: usize,
    places: Places,
    pub(crate) values: T,
    instructions: Instructions,
}

/// A network to play with: 16 bits a weight, and only the weights that play looks up.
pub type Compact = Network<Pages>;

/// The best move of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub direction: Direction,
    /// The board after it.
    pub afterstate: Board,
    /// The points it earns at once.
    pub reward: u32,
    /// The points expected after that.
    pub value: f32,
}

impl Choice {
    /// The points expected in all.
    #[inline(always)]
    pub(crate) fn total(&self) -> f32 {
        self.reward as f32 + self.value
    }
}

impl Network {
    /// A network whose every board is worth `initial` points. A large value makes learning explore: what was not tried
    /// yet looks good.
    pub fn new(design: &Design, initial: f32) -> Result<Self, OutOfMemory> {
        let values = Floats::zeroed(design, 1)?;
        let network = Self::with_values(design, values);
        if initial != 0.0 {
            for stage in 0..design.stage_count() {
                network.values.fill(network.places.of(stage), initial / design.features(stage) as f32);
            }
        }
        Ok(network)
    }
}

impl Compact {
    /// The same weights as floats.
    pub fn to_floats(&self) -> Result<Network, OutOfMemory> {
        self.floats_in(&self.design)
    }

    /// The weights as floats in another network, to learn on from. Its stages may be others: each begins with the weights that
    /// judged its first boards, as they saw them, so that it plays as this network does. Its stages may have further tuples,
    /// which begin at 0.
    pub fn to_floats_for(&self, design: &Design) -> Result<Network, BeginningError> {
        let begins_with = |(stage, begin): (usize, u32)| {
            design.shapes_of(stage).starts_with(self.design.shapes_of(self.design.view_of_sum(begin).stage))
        };
        if !design.begins().enumerate().all(begins_with) {
            let [wanted, found] = [design, &self.design].map(|design| design.name().to_owned());
            return Err(BeginningError::OtherTuples { wanted, found });
        }
        Ok(self.floats_in(design)?)
    }

    /// Whether there are weights for boards below the ceiling.
    pub(crate) fn has_early_weights(&self) -> bool {
        (0..self.design.early_count()).any(|stage| self.values.has_weights(self.places.of(stage)))
    }

    fn floats_in(&self, design: &Design) -> Result<Network, OutOfMemory> {
        let network = Network::new(design, 0.0)?;
        let tables: Vec<(usize, View, usize)> = (design.begins().enumerate())
            .map(|(stage, begin)| (stage, self.design.view_of_sum(begin)))
            .flat_map(|(stage, view)| (0..self.tuples(view.stage).len()).map(move |tuple| (stage, view, tuple)))
            .collect();
        parallel::map_all(tables.len(), |table| {
            let (stage, View { stage: from, lowering }, tuple) = tables[table];
            let offset = self.tuples[tuple].offset as usize;
            let (begin, from) = (network.places.begin(stage) + offset, self.places.begin(from) + offset);
            for place in 0..design.shapes()[tuple].weights() {
                let value = self.values.get(from + lowering.lower(place as u64) as usize);
                if value != 0.0 {
                    network.values.set(begin + place, value);
                }
            }
        });
        Ok(network)
    }
}

/// Why a training cannot begin with a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BeginningError {
    /// The weights mean something else.
    #[error("it has the tuples of the design {found}, not those of {wanted}")]
    OtherTuples {
        /// The design of the training.
        wanted: String,
        /// The design of the model.
        found: String,
    },
    /// The network does not fit into memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl<T: Tables> Network<T> {
    pub(crate) fn with_values(design: &Design, values: T) -> Self {
        Self {
            tuples: Tuple::all(design),
            common: design.shapes_of(0).len(),
            places: Places::new(design),
            values,
            instructions: Instructions::detect(),
            design: design.clone(),
        }
    }

    /// What the network looks like.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The points expected after an afterstate.
    #[inline]
    #[must_use]
    pub fn value(&self, afterstate: Board) -> f32 {
        let board = downgraded(afterstate);
        let view = self.design.view(board);
        let board = view.lowering.lower(board);
        self.instructions.with(Value { tuples: self.tuples(view.stage), weights: self.stage(view.stage), board })
    }

    /// The best move by reward and value; the first of equal ones. `None` if the game is over.
    #[inline]
    #[must_use]
    pub fn best(&self, board: Board) -> Option<Choice> {
        if may_exceed(board) {
            return self.best_of_huge(board);
        }
        let view = self.design.view(board.nibbles());
        self.instructions.with(Best { tuples: self.tuples(view.stage), weights: self.stage(view.stage), board, view })
    }

    /// [`Self::best`] on boards with tiles from 65536 on, or where a slide may make one.
    #[cold]
    pub(crate) fn best_of_huge(&self, board: Board) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        State(board).for_each_play(|direction, Played { afterstate: Slid(afterstate), reward }| {
            let choice = Choice { direction, afterstate, reward, value: self.value(afterstate) };
            best = better(best, choice);
        });
        best
    }

    /// The weights of a stage.
    #[inline(always)]
    pub(crate) fn stage(&self, stage: usize) -> T::Weights<'_> {
        self.values.part(self.places.of(stage))
    }

    /// The tuples of a stage.
    #[inline(always)]
    pub(crate) fn tuples(&self, stage: usize) -> &[Tuple] {
        if self.places.is_wide(stage) { &self.tuples } else { &self.tuples[..self.common] }
    }

    /// Where the weights of each stage lie.
    #[inline(always)]
    pub(crate) fn places(&self) -> Places {
        self.places
    }

    #[inline]
    pub(crate) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// The same network with other instructions.
    #[cfg(test)]
    pub(crate) fn with_instructions(mut self, instructions: Instructions) -> Self {
        self.instructions = instructions;
        self
    }
}

#[inline(always)]
fn better(best: Option<Choice>, choice: Choice) -> Option<Choice> {
    match best {
        Some(best) if best.total() >= choice.total() => Some(best),
        _ => Some(choice),
    }
}

/// The value of a board: eight independent sums, so that the loads need not wait for each other.
#[inline(always)]
pub(crate) fn value<P: Packing, W: Weights>(packing: P, tuples: &[Tuple], weights: W, board: u64) -> f32 {
    let images = packing.images(board);
    let mut lanes = [W::Sum::default(); 8];
    for tuple in tuples {
        for (lane, located) in lanes.iter_mut().zip(weights.find(packing, board, &images, tuple)) {
            *lane += weights.at(located);
        }
    }
    weights.value(lanes)
}

struct Value<'a, W> {
    tuples: &'a [Tuple],
    weights: W,
    board: u64,
}

impl<W: Weights> Work for Value<'_, W> {
    type Output = f32;

    #[inline(always)]
    fn run<P: Packing>(self, packing: P) -> f32 {
        value(packing, self.tuples, self.weights, self.board)
    }
}

struct Best<'a, W> {
    tuples: &'a [Tuple],
    weights: W,
    board: Board,
    view: View,
}

impl<W: Weights> Work for Best<'_, W> {
    type Output = Option<Choice>;

    #[inline(always)]
    fn run<P: Packing>(self, packing: P) -> Option<Choice> {
        let mut plays = ArrayVec::<_, 4>::new();
        State(self.board).for_each_play(|direction, Played { afterstate: Slid(afterstate), reward }| {
            plays.push((direction, afterstate, reward));
        });
        let mut best = None;
        for (direction, afterstate, reward) in plays {
            let board = self.view.lowering.lower(downgraded(afterstate));
            let value = value(packing, self.tuples, self.weights, board);
            best = better(best, Choice { direction, afterstate, reward, value });
        }
        best
    }
}

/// The best moves after all answers of chance: the weights of one answer are fetched while the answer before is judged.
struct Answers<'a, T, V> {
    network: &'a Network<T>,
    afterstate: Slid,
    visit: V,
}

impl<T: Tables, V: FnMut(&State, f32, Option<f32>)> Work for Answers<'_, T, V> {
    type Output = ();

    #[inline(always)]
    fn run<P: Packing>(mut self, packing: P) {
        let design = &self.network.design;
        let sum = tile_sum(self.afterstate.0.nibbles());
        let mut prospects = [Prospect::default(), Prospect::default()];
        let mut waiting: Option<(State, f32, T::Weights<'_>)> = None;
        let mut number = 0;
        let mut answers = ArrayVec::<(State, f32), 32>::new();
        self.afterstate.for_each_answer(|state, probability| answers.push((state, probability)));
        // Not in the closure: that would be compiled without the instructions of the packing.
        for (state, probability) in answers {
            let spawned = state.0.nibbles() ^ self.afterstate.0.nibbles();
            let view = design.view_of_sum(sum + if spawned & 0x1111_1111_1111_1111 != 0 { 2 } else { 4 });
            let weights = self.network.stage(view.stage);
            prospects[number % 2].look(packing, self.network.tuples(view.stage), weights, state, view.lowering);
            number += 1;
            if let Some((state, probability, weights)) = waiting.replace((state, probability, weights)) {
                let best = prospects[number % 2].best(weights);
                (self.visit)(&state, probability, best.map(|(choice, _)| choice.total()));
            }
        }
        if let Some((state, probability, weights)) = waiting {
            let best = prospects[(number + 1) % 2].best(weights);
            (self.visit)(&state, probability, best.map(|(choice, _)| choice.total()));
        }
    }
}

impl<T: Tables> Evaluation<State> for Network<T> {
    const COUNTS_REWARDS: bool = true;

    /// What the best move will bring; 0 when the game is over.
    fn position(&self, position: &State) -> f32 {
        self.best_afterstate(position).unwrap_or(0.0)
    }

    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.value(afterstate.0)
    }

    #[inline]
    fn best_afterstate(&self, position: &State) -> Option<f32> {
        self.best(position.0).map(|choice| choice.total())
    }

    #[inline]
    fn best_after_answers(&self, afterstate: &Slid, visit: impl FnMut(&State, f32, Option<f32>)) {
        if may_exceed(afterstate.0) {
            return self.answers_one_by_one(afterstate, visit);
        }
        self.instructions.with(Answers { network: self, afterstate: *afterstate, visit });
    }
}

#[cfg(test)]
impl Network {
    /// The same weights, which are whole numbers, in pages.
    pub(crate) fn compacted(&self) -> Compact {
        let len = self.values.len();
        let mut pages = Pages::zeroed(len, len, 1.0).unwrap();
        let mut builder = pages.builder();
        for place in (0..len).filter(|&place| self.values.get(place) != 0.0) {
            builder.set(place, self.values.get(place) as i16);
        }
        Network::with_values(&self.design, pages)
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Afterstate, Dice, Position, Symmetric};

    use super::*;

    /// A network with random weights: the laws below do not depend on learning.
    fn random_network(stages: &[u32]) -> Network {
        let design = Design::built_in("4x4").unwrap().with_stages(stages).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = Dice::seeded(1);
        for index in 0..network.values.len() {
            network.values.set(index, dice.below(1000) as f32);
        }
        network
    }

    /// Calls `check` with the positions of a random game, from the start or from boards with large tiles.
    fn along_games(mut check: impl FnMut(State)) {
        let mut dice = Dice::seeded(3);
        let huge = State("65536 32768 32768 2/4 8 16 32/0 0 2 2/0 0 4 4".parse().unwrap());
        let large = State("32768 32768 8 4/4 8 16 32/0 0 2 2/0 0 4 4".parse().unwrap());
        for mut state in [State::start(&mut dice), huge, large] {
            loop {
                check(state);
                let Some(mv) = state.random_move(&mut dice) else { break };
                state = state.play_unchecked(mv).afterstate.draw(&mut dice);
            }
        }
    }

    #[test]
    fn a_board_is_worth_the_weights_of_its_places() {
        let design = Design::new("x", &["a1 b1 c1 d1 a2 b2", "a2 b2 c2 d2"], &[50]).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        for (board, stage) in [(0x0123_4567_89ab_cdef, 1), (0x0000_0000_1000_0321, 0)] {
            let images = crate::ntuple::index::images(board);
            let mut expected = 0.0;
            for (number, tuple) in network.tuples(stage).iter().enumerate() {
                for place in tuple.places(crate::ntuple::index::Portable, &images) {
                    network.values.set(network.places.begin(stage) + place as usize, (number + 1) as f32);
                    expected += (number + 1) as f32;
                }
            }
            assert_eq!(network.value(Board::from_nibbles(board)), expected);
        }
    }

    #[test]
    fn symmetric_boards_have_equal_values() {
        let network = random_network(&[100]);
        along_games(|state| {
            for symmetry in State::symmetries() {
                assert_eq!(network.value(state.0.transformed(symmetry)), network.value(state.0));
            }
        });
    }

    /// An evaluation that knows no short cuts.
    struct Plain<'a, T>(&'a Network<T>);

    impl<T: Tables> Evaluation<State> for Plain<'_, T> {
        const COUNTS_REWARDS: bool = true;
        fn position(&self, position: &State) -> f32 {
            self.0.position(position)
        }
        fn afterstate(&self, afterstate: &Slid) -> f32 {
            self.0.afterstate(afterstate)
        }
    }

    #[test]
    fn the_fused_choice_is_the_best_afterstate_to_the_last_bit() {
        let network = random_network(&[100]);
        let others: Vec<_> =
            Instructions::all().into_iter().map(|i| random_network(&[100]).with_instructions(i)).collect();
        along_games(|state| {
            assert_eq!(network.best_afterstate(&state), Plain(&network).best_afterstate(&state));
            for other in &others {
                assert_eq!(network.best(state.0), other.best(state.0));
            }
            if state.outcome().is_some() {
                assert_eq!((network.best_afterstate(&state), network.position(&state)), (None, 0.0));
            }
        });
    }

    #[test]
    fn answers_are_judged_together_as_one_by_one() {
        fn judged<E: Evaluation<State>>(evaluation: &E, slid: &Slid) -> Vec<(State, f32, Option<f32>)> {
            let mut answers = Vec::new();
            evaluation.best_after_answers(slid, |state, probability, best| answers.push((*state, probability, best)));
            answers
        }
        fn check<T: Tables>(network: &Network<T>) {
            along_games(|state| {
                state.for_each_play(|_, Played { afterstate, .. }| {
                    assert_eq!(judged(network, &afterstate), judged(&Plain(network), &afterstate));
                });
            });
        }
        let network = random_network(&[100, 200]);
        check(&network);
        check(&network.compacted());
    }

    #[test]
    fn pages_hold_the_weights_they_were_given() {
        let network = random_network(&[100]);
        let paged = network.compacted();
        along_games(|state| assert_eq!(network.best(state.0), paged.best(state.0)));
        let floats = paged.to_floats().unwrap();
        let weights = |network: &Network| network.values.read(0..network.values.len());
        assert!(weights(&floats) == weights(&network));
    }

    #[test]
    fn a_network_may_begin_with_the_weights_of_fewer_stages() {
        let network = random_network(&[100]);
        let paged = network.compacted();
        let finer = network.design().with_stages(&[60, 100, 300]).unwrap();
        let floats = paged.to_floats_for(&finer).unwrap();
        assert_eq!(floats.design(), &finer);
        along_games(|state| assert_eq!(floats.best(state.0), paged.best(state.0)));
        let late = network.design().with_ceiling(Some(1100)).unwrap();
        let lowered = Network::with_values(&late, network.compacted().values);
        let floats = lowered.to_floats_for(&late.with_late(&[1612, 1868]).unwrap()).unwrap();
        for text in ["1024 512 64 4/8 16 2 2/0 4 0 0/2 0 0 0", "1024 512 256 64/8 16 2 2/0 4 0 0/2 0 8 0"] {
            let board = text.parse().unwrap();
            assert_eq!(floats.best(board), lowered.best(board), "{text}");
        }
        let wider = finer.with_added(300, &["a1 b1 c1", "a1"]).unwrap();
        let floats = paged.to_floats_for(&wider).unwrap();
        along_games(|state| assert_eq!(floats.best(state.0), paged.best(state.0)));
        let other = Design::new("other", &["a1 b1"], &[]).unwrap();
        let error = paged.to_floats_for(&other).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("not those of other"), "{error}");
    }

    #[test]
    fn an_optimistic_network_values_every_board_alike() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 320_000.0).unwrap();
        assert_eq!(network.value(Board::from_nibbles(0x0123_4567_89ab_cdef)), 320_000.0);
    }
}
