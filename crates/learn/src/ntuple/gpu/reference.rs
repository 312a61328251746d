//! What the kernels compute, in Rust: the same games and, for a single game, the same weights to the last bit.
//!
//! This is the yardstick of the GPU: slow, plain, and tested where there is no GPU.

use afterstate_game::Dice;
use afterstate_twenty48::{Board, Slid, State};

use afterstate_game::Afterstate;

use super::Plan;
use crate::ntuple::index::{Portable, images};
use crate::ntuple::view::tile_sum;
use crate::ntuple::{Design, Network, OutOfMemory};

/// One game of the batch.
struct Slot {
    state: State,
    dice: Dice,
    before: Option<(u64, usize)>,
}

/// The batch learner on the processor.
pub(crate) struct Reference {
    pub(crate) network: Network,
    /// Per weight: the sum of errors, the sum of their sizes, the errors and visits of the present step.
    sums: Vec<[f32; 4]>,
    slots: Vec<Slot>,
}

impl Reference {
    pub(crate) fn new(design: &Design, seeds: &[u64]) -> Result<Self, OutOfMemory> {
        let network = Network::new(design, 0.0)?;
        let slots = seeds.iter().map(|&seed| {
            let mut dice = Dice::seeded(seed);
            Slot { state: State::start(&mut dice), dice, before: None }
        });
        Ok(Self { sums: vec![[0.0; 4]; network.values.len()], slots: slots.collect(), network })
    }

    /// One move in every game, then the corrections.
    pub(crate) fn step(&mut self, plan: &Plan) {
        let mut corrected = Vec::new();
        for slot in &mut self.slots {
            let design = self.network.design();
            let sum = tile_sum(slot.state.0.nibbles());
            let stage = design.stage_of_sum(sum) + usize::from(design.ceiling().is_some_and(|ceiling| sum >= ceiling));
            let beyond = stage == design.stage_count();
            let choice = self.network.best(slot.state.0);
            if let Some((before, before_stage)) = slot.before {
                let target = choice.map_or(0.0, |choice| choice.reward as f32 + choice.value);
                let bridge = plan.bridge_into(stage).filter(|_| stage != before_stage);
                let value = self.network.value(Board::from_nibbles(before));
                let error = bridge.unwrap_or(target) - value;
                for place in places(&self.network, before, before_stage) {
                    let sums = &mut self.sums[place];
                    *sums = [sums[0] + error, sums[1] + error.abs(), sums[2] + error, sums[3] + 1.0];
                    corrected.push(place);
                }
            }
            if let Some(choice) = choice.filter(|_| !beyond) {
                slot.before = Some((choice.afterstate.nibbles(), stage));
                slot.state = Slid(choice.afterstate).draw(&mut slot.dice);
            } else {
                slot.before = None;
                slot.state = State::start(&mut slot.dice);
            }
        }
        for place in corrected {
            self.apply(plan, place);
        }
    }

    fn apply(&mut self, plan: &Plan, place: usize) {
        let [errors, sizes, sum, visits] = self.sums[place];
        if visits == 0.0 {
            return;
        }
        let coherence = if sizes > 0.0 { errors.abs() / sizes } else { 1.0 };
        let share = plan.alpha * visits * if plan.coherent { coherence } else { 1.0 };
        let features = self.network.design().features() as f32;
        let value = self.network.values.get(place) + share.min(1.0) * (sum / visits) / features;
        self.network.values.set(place, value);
        self.sums[place] = [errors * plan.fade, sizes * plan.fade, 0.0, 0.0];
    }
}

/// Where the features of a board lie in the tables of all stages.
fn places(network: &Network, board: u64, stage: usize) -> Vec<usize> {
    let base = stage * network.design().weights_per_stage();
    let images = images(board);
    network.tuples.iter().flat_map(|tuple| tuple.places(Portable, &images).map(|place| base + place as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_batch_learner_learns() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[600]).unwrap();
        let seeds: Vec<u64> = (0..64).collect();
        let mut reference = Reference::new(&design, &seeds).unwrap();
        let before = reference.network.play_games(50, 9, 1).mean;
        for _ in 0..6000 {
            reference.step(&Plan::default());
        }
        let after = reference.network.play_games(50, 9, 1).mean;
        assert!(after > 1.5 * before, "from {before} to {after}");
    }

    #[test]
    fn a_single_game_moves_weights_as_the_learner_does() {
        use crate::ntuple::learner::{Coherence, Credit, Rate, Rule, Step};
        let design = Design::built_in("4x4").unwrap();
        let mut reference = Reference::new(&design, &[3]).unwrap();
        let plan = Plan { coherent: false, alpha: 0.015_625, ..Plan::default() };
        // Two moves: the first afterstate is corrected once.
        let mut replay = Dice::seeded(3);
        let start = State::start(&mut replay);
        let first = reference.network.best(start.0).unwrap();
        let second = reference.network.best(Slid(first.afterstate).draw(&mut replay).0).unwrap();
        reference.step(&plan);
        reference.step(&plan);
        let network = Network::new(&design, 0.0).unwrap();
        let coherence = Coherence::new(&network).unwrap();
        let rule = Rule::new(&network, Some(&coherence), Rate::Constant(0.015_625), Credit::Online);
        let step = Step { board: first.afterstate.nibbles(), stage: 0, reward: first.reward };
        rule.correct_step(step, second.reward as f32 + second.value);
        let weights = |network: &Network| network.values.read(0..network.values.len());
        assert_eq!(weights(&reference.network), weights(&network));
        assert_eq!(tile_sum(first.afterstate.nibbles()), start.0.sum());
    }
}
