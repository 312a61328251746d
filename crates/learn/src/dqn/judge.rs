//! What a network says about the slides of a board, in both variants.

use afterstate_game::{Symmetric, Symmetry};
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

    /// Judges the slides of these boards, as they lie or by their mean over the symmetries: what a network thinks of one
    /// orientation alone weighs less.
    pub(super) fn chosen_by(
        &mut self,
        averaged: bool,
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        if averaged {
            let all: Vec<Symmetry> = State::symmetries().collect();
            self.seen_through(&all, network, boards)
        } else {
            self.slides(network, boards)
        }
    }

    /// Judges the slides of these boards as they lie.
    pub(super) fn slides(
        &mut self,
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        self.seen_through(&[Symmetry::IDENTITY], network, boards)
    }

    /// Judges the slides of these boards by the mean over some symmetries, with one question to the network.
    fn seen_through(
        &mut self,
        symmetries: &[Symmetry],
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<&[[Option<f32>; 4]], DeviceError> {
        self.values.clear();
        self.asked.clear();
        match self.variant {
            Variant::Q => self.boards(symmetries, network, boards)?,
            Variant::Afterstate => self.afterstates(symmetries, network, boards)?,
        }
        Ok(&self.values)
    }

    fn ask_for_images(&mut self, symmetries: &[Symmetry], board: Board) {
        self.asked.extend(symmetries.iter().map(|&symmetry| board.transformed(symmetry)));
    }

    fn boards(
        &mut self,
        symmetries: &[Symmetry],
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<(), DeviceError> {
        boards.iter().for_each(|&board| self.ask_for_images(symmetries, board));
        network.answer(&self.asked, &mut self.outputs)?;
        let rows = self.outputs.as_chunks::<4>().0.chunks(symmetries.len());
        for (board, rows) in boards.iter().zip(rows) {
            let seen = |slide, (row, &symmetry): (&[f32; 4], _)| row[State::transformed_move(slide, symmetry) as usize];
            let mean =
                |slide| rows.iter().zip(symmetries).map(|image| seen(slide, image)).sum::<f32>() / rows.len() as f32;
            self.values.push(Direction::ALL.map(|slide| board.can_slide(slide).then(|| mean(slide))));
        }
        Ok(())
    }

    fn afterstates(
        &mut self,
        symmetries: &[Symmetry],
        network: &mut impl Answers,
        boards: &[Board],
    ) -> Result<(), DeviceError> {
        for &board in boards {
            let slides = Direction::ALL.map(|direction| board.slide(direction));
            self.values.push(slides.map(|slide| (slide.board != board).then_some(slide.reward as f32 / self.unit)));
            for slide in slides.iter().filter(|slide| slide.board != board) {
                self.ask_for_images(symmetries, slide.board);
            }
        }
        network.answer(&self.asked, &mut self.outputs)?;
        for (value, outputs) in self.values.iter_mut().flatten().flatten().zip(self.outputs.chunks(symmetries.len())) {
            *value += outputs.iter().sum::<f32>() / outputs.len() as f32;
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
            let averaged = judge.chosen_by(true, &mut network, &[board]).unwrap()[0];
            assert_ne!(plain, averaged);
            for symmetry in State::symmetries() {
                let turned = judge.chosen_by(true, &mut network, &[board.transformed(symmetry)]).unwrap()[0];
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
