//! Neural networks against finite differences, PyTorch and NumPy.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod files;
mod golden;
mod gradients;
mod python;
mod value;

use afterstate_game::Dice;
use afterstate_learn::neural::{Activation, Design, Encoding, Layer};
use afterstate_twenty48::{Board, Cell, Tile};

/// A board with these exponents.
fn board(exponents: &[u8]) -> Board {
    Cell::all()
        .zip(exponents)
        .fold(Board::EMPTY, |board, (cell, &exponent)| board.with(cell, Tile::from_exponent(exponent)))
}

/// Boards with any tiles anywhere.
fn random_boards(count: usize, dice: &mut Dice) -> Vec<Board> {
    (0..count).map(|_| board(&[(); 16].map(|()| dice.below(18) as u8))).collect()
}

/// Small networks of every kind of layer, padding and activation.
fn designs() -> Vec<Design> {
    let convolution = |channels, padding, activation| Layer::Convolution { channels, padding, activation };
    let dense = |units, activation| Layer::Dense { units, activation };
    use Activation::{Linear, Relu, Selu};
    let end = [dense(6, Selu), dense(2, Linear)];
    let planes = |layers: &[Layer]| Design::new(Encoding::Planes, layers.to_vec()).unwrap();
    vec![
        planes(&[convolution(4, 0, Relu), convolution(3, 1, Selu), convolution(5, 0, Relu), end[0], end[1]]),
        planes(&[convolution(3, 1, Selu), convolution(4, 0, Linear), convolution(2, 1, Relu), end[1]]),
        planes(&[convolution(3, 0, Selu), convolution(3, 0, Selu), convolution(3, 0, Selu), end[1]]),
        planes(&[dense(5, Relu), end[0], end[1]]),
        Design::new(Encoding::OneHot, vec![dense(7, Selu), dense(6, Relu), end[1]]).unwrap(),
        Design::new(Encoding::Features, vec![dense(5, Selu), end[1]]).unwrap(),
        Design::new(Encoding::Slides, vec![dense(4, Linear)]).unwrap(),
        Design::new(Encoding::OneHot, vec![dense(3, Linear)]).unwrap(),
    ]
}
