//! What a network says about the slides of a board, in both variants.

use afterstate_game::Symmetric;
use afterstate_twenty48::{Board, Direction, State};

use super::settings::Variant;
use crate::neural::{Answers, DeviceError};

/// The values of the slides of some boards; illegal ones have none. Points are in units of the network.
pub(super) struct Judge {
    variant: Variant,
    unit: f32,
    asked: Vec<Board>,
    outputs: Vec<f32>,
    pub(super) values: Vec<[Option<f32>; 4]>,
}

impl Judge {
    pub(super) fn new(variant: Variant, unit: f32) -> Self {
        Self { variant, unit, asked: Vec::new(), outputs: Vec::new(), values: Vec::new() }
    }

    /// Judges the slides of these boards, as they lie or by their mean over the symmetries.
    pub(super) fn chosen_by(
        &mut self,
        averaged: bool,
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        if averaged { self.averaged_slides(network, boards) } else { self.slides(network, boards) }
    }

    /// Judges the slides of these boards as they lie.
    pub(super) fn slides(
        &mut self,
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        self.values.clear();
        match self.variant {
            Variant::Q => {
                network.answer(boards, &mut self.outputs)?;
                for (board, row) in boards.iter().zip(self.outputs.as_chunks::<4>().0) {
                    let legal = |direction: Direction| board.can_slide(direction).then_some(row[direction as usize]);
                    self.values.push(Direction::ALL.map(legal));
                }
            }
            Variant::Afterstate => self.afterstates(network, boards)?,
        }
        Ok(&self.values)
    }

    /// Judges the slides by their mean over the symmetries of each board: what a network thinks of one orientation alone
    /// weighs less.
    pub(super) fn averaged_slides(
        &mut self,
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        let mut sums = vec![[None; 4]; boards.len()];
        for symmetry in State::symmetries() {
            let turned: Vec<Board> = boards.iter().map(|board| board.transformed(symmetry)).collect();
            for (sums, values) in sums.iter_mut().zip(self.slides(network, &turned)?) {
                for (slide, sum) in Direction::ALL.into_iter().zip(sums) {
                    let value = values[State::transformed_move(slide, symmetry) as usize];
                    *sum = value.map(|value| sum.unwrap_or(0.0) + value / f32::from(State::SYMMETRIES));
                }
            }
        }
        self.values = sums;
        Ok(&self.values)
    }

    fn afterstates(&mut self, network: &mut impl Answers, boards: &[Board]) -> Result<(), DeviceError> {
        self.asked.clear();
        for board in boards {
            let slides = Direction::ALL.map(|direction| board.slide(direction));
            self.values.push(slides.map(|slide| (slide.board != *board).then_some(slide.reward as f32 / self.unit)));
            self.asked.extend(slides.iter().filter(|slide| slide.board != *board).map(|slide| slide.board));
        }
        network.answer(&self.asked, &mut self.outputs)?;
        for (value, output) in self.values.iter_mut().flatten().flatten().zip(&self.outputs) {
            *value += output;
        }
        Ok(())
    }
}

/// The best legal slide and its value; `None` where the game is over.
pub(super) fn best(values: &[Option<f32>; 4]) -> Option<(Direction, f32)> {
    let mut best: Option<(Direction, f32)> = None;
    for (direction, value) in Direction::ALL.into_iter().zip(values) {
        if let Some(value) = *value
            && best.is_none_or(|(_, highest)| value > highest)
        {
            best = Some((direction, value));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;
    use crate::neural::{Design, Device, Encoding, Frozen, Network};

    #[test]
    fn the_mean_over_symmetries_turns_with_the_board() {
        let mut dice = Dice::seeded(9);
        for variant in [Variant::Q, Variant::Afterstate] {
            let design = Design::rectified(Encoding::OneHot, &[6], variant.outputs()).unwrap();
            let network = Network::random(&design, &mut dice);
            let mut network = Frozen::new(Device::Cpu, &network, 1).unwrap();
            let board = Board::from_nibbles(0x0001_0123_0000_2210);
            let mut judge = Judge::new(variant, 1.0);
            let plain = judge.slides(&mut network, &[board]).unwrap()[0];
            let averaged = judge.averaged_slides(&mut network, &[board]).unwrap()[0];
            assert_ne!(plain, averaged);
            for symmetry in State::symmetries() {
                let turned = judge.averaged_slides(&mut network, &[board.transformed(symmetry)]).unwrap()[0];
                for slide in Direction::ALL {
                    let (here, there) =
                        (averaged[slide as usize], turned[State::transformed_move(slide, symmetry) as usize]);
                    assert_eq!(here.is_some(), board.can_slide(slide));
                    assert_eq!(here.is_some(), there.is_some());
                    assert!(
                        (here.unwrap_or(0.0) - there.unwrap_or(0.0)).abs() < 1e-4,
                        "{variant:?} {symmetry:?} {slide:?}"
                    );
                }
            }
        }
    }
}
