//! Boards to learn from that play itself does not come to, made of the boards on standard input, one per line:
//!
//! - `reshaped_boards doubled`: every tile doubled. There the largest tiles lie in order, as they do not yet where games above
//!   32768 come by themselves.
//! - `reshaped_boards block SEED`: where the three largest tiles lie in a row from a corner, the other tiles from 512 on are moved
//!   under these three, in an order drawn by lot, and the tiles that lay there to the places that became free. So no row has four
//!   large tiles: `16384 8192 4096 2048/1024 512 8 2/...` may become `16384 8192 4096 8/512 2048 1024 2/...`.
//!
//! What cannot be made is left out.

use std::error::Error;
use std::io::BufRead;

use afterstate_game::{Dice, Symmetric, Symmetry};
use afterstate_twenty48::{Board, State};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut shape: Box<dyn FnMut(Board) -> Option<Board>> = match arguments[..] {
        ["doubled"] => Box::new(doubled),
        ["block", seed] => {
            let mut dice = Dice::seeded(seed.parse()?);
            Box::new(move |board| as_block(board, &mut dice))
        }
        _ => return Err("usage: reshaped_boards doubled|block SEED < BOARDS".into()),
    };
    for line in std::io::stdin().lock().lines() {
        if let Some(board) = shape(line?.trim().parse()?) {
            println!("{board}");
        }
    }
    Ok(())
}

type Exponents = [u8; 16];

fn board(exponents: Exponents) -> Board {
    Board::from_nibbles(exponents.iter().rev().fold(0, |board, &exponent| board << 4 | u64::from(exponent)))
}

fn doubled(from: Board) -> Option<Board> {
    let exponents = from.exponents();
    let fits = exponents.iter().all(|&exponent| exponent < 15);
    fits.then(|| board(exponents.map(|exponent| exponent + u8::from(exponent > 0))))
}

/// The exponent of 512: what is as large belongs to the block.
const LARGE: u8 = 9;

/// Rows are numbered from the top, cells from the left: the block is cells 0 to 2 and 4 to 6.
fn as_block(from: Board, dice: &mut Dice) -> Option<Board> {
    if from.high_bits() != 0 {
        return None;
    }
    let mut sorted = from.exponents();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let third = sorted[2];
    let is_in_a_row = |cells: &Exponents| cells[..3].iter().all(|&exponent| exponent >= third);
    let mut images = (0..State::SYMMETRIES).map(|symmetry| from.transformed(Symmetry(symmetry)).exponents());
    let mut cells = images.find(is_in_a_row)?;
    let others: Vec<usize> = (3..16).filter(|&cell| cells[cell] >= LARGE).collect();
    let mut under = [4, 5, 6];
    if third < LARGE || others.len() > under.len() {
        return None;
    }
    dice.shuffle(&mut under);
    let places = &under[..others.len()];
    let large: Vec<u8> = others.iter().map(|&cell| std::mem::take(&mut cells[cell])).collect();
    let small = places.iter().zip(large).map(|(&place, tile)| std::mem::replace(&mut cells[place], tile));
    let small: Vec<u8> = small.filter(|&tile| tile > 0).collect();
    let free = others.iter().filter(|cell| !places.contains(cell));
    free.zip(small).for_each(|(&cell, tile)| cells[cell] = tile);
    Some(board(cells))
}
