//! What a network says about the slides of a board, in both variants.

use afterstate_twenty48::{Board, Direction};

use super::settings::Variant;
use crate::neural::{Network, Pass};

/// The values of the slides of some boards; illegal ones have none. Points are in units of the network.
pub(super) struct Judge {
    variant: Variant,
    unit: f32,
    pass: Pass,
    asked: Vec<Board>,
    pub(super) values: Vec<[Option<f32>; 4]>,
}

impl Judge {
    pub(super) fn new(variant: Variant, unit: f32) -> Self {
        Self { variant, unit, pass: Pass::default(), asked: Vec::new(), values: Vec::new() }
    }

    /// Judges the slides of these boards.
    pub(super) fn slides(&mut self, network: &Network, boards: &[Board]) -> &[[Option<f32>; 4]] {
        self.values.clear();
        match self.variant {
            Variant::Q => {
                let outputs = self.pass.forward(network, boards);
                for (board, row) in boards.iter().zip(outputs.as_chunks::<4>().0) {
                    let legal = |direction: Direction| board.can_slide(direction).then_some(row[direction as usize]);
                    self.values.push(Direction::ALL.map(legal));
                }
            }
            Variant::Afterstate => self.afterstates(network, boards),
        }
        &self.values
    }

    fn afterstates(&mut self, network: &Network, boards: &[Board]) {
        self.asked.clear();
        for board in boards {
            let slides = Direction::ALL.map(|direction| board.slide(direction));
            self.values.push(slides.map(|slide| (slide.board != *board).then_some(slide.reward as f32 / self.unit)));
            self.asked.extend(slides.iter().filter(|slide| slide.board != *board).map(|slide| slide.board));
        }
        let mut outputs = self.pass.forward(network, &self.asked).iter();
        for value in self.values.iter_mut().flatten().flatten() {
            *value += outputs.next().copied().unwrap_or(0.0);
        }
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
