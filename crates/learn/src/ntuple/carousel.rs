//! Positions in which earlier games entered a stage, from which later games start again.

use afterstate_game::Dice;
use afterstate_twenty48::State;

/// How many positions of each stage are remembered. The oldest make room: they come from a weaker player.
const CAPACITY: usize = 4096;

/// For each stage but the first, the positions in which games entered it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Carousel {
    /// Per stage from the second on: how many were ever added, and the last of them.
    pub(crate) stages: Vec<(u64, Vec<State>)>,
}

impl Carousel {
    pub(crate) fn new(stages: usize) -> Self {
        Self { stages: vec![(0, Vec::new()); stages.saturating_sub(1)] }
    }

    /// Remembers where a stage was entered. Boards with tiles above 32768 are too rare to be worth the room in a file.
    pub(crate) fn add(&mut self, stage: usize, state: State) {
        let Some((added, states)) = stage.checked_sub(1).and_then(|stage| self.stages.get_mut(stage)) else { return };
        if state.0.high_bits() != 0 {
            return;
        }
        if states.len() < CAPACITY {
            states.push(state);
        } else {
            states[(*added % CAPACITY as u64) as usize] = state;
        }
        *added += 1;
    }

    /// Where a game starts: in turn on the empty board (`None`) and in each stage that was reached before.
    pub(crate) fn start(&self, game: u64, dice: &mut Dice) -> Option<State> {
        let stage = (game % (self.stages.len() as u64 + 1)) as usize;
        let (_, states) = self.stages.get(stage.checked_sub(1)?)?;
        states.get(dice.below(states.len() as u32) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use afterstate_twenty48::Board;

    use super::*;

    #[test]
    fn games_start_in_turn_in_every_stage_that_was_reached() {
        let mut carousel = Carousel::new(3);
        let state = |cells| State(Board::from_nibbles(cells));
        carousel.add(2, state(7));
        let mut dice = Dice::seeded(1);
        let starts: Vec<_> = (0..4).map(|game| carousel.start(game, &mut dice)).collect();
        assert_eq!(starts, [None, None, Some(state(7)), None]);
    }

    #[test]
    fn the_oldest_positions_make_room() {
        let mut carousel = Carousel::new(2);
        for cells in 0..CAPACITY as u64 + 5 {
            carousel.add(1, State(Board::from_nibbles(cells)));
        }
        let (added, states) = &carousel.stages[0];
        assert_eq!((*added, states.len()), (CAPACITY as u64 + 5, CAPACITY));
        assert!(!states.contains(&State(Board::from_nibbles(4))));
        assert!(states.contains(&State(Board::from_nibbles(5))));
    }
}
