//! A game that a person can follow, position by position. After a change that is meant to change it, regenerate the file
//! with `INSTA_UPDATE=always cargo test -p afterstate-abalone playthrough`.

use std::fmt::Write as _;

use afterstate_abalone::text::{MoveNotation, board};
use afterstate_abalone::{Layout, Position};
use afterstate_game::{Dice, History, Notation, Position as _};

use crate::common::lively_move;

fn describe(game: &History<Position>) -> String {
    let position = game.position();
    let mut text =
        format!("ply {}\n{}{}\nkey {:016x}\n", game.ply(), board::render(position), position.to_text(), position.key());
    for class in 0..9 {
        let moves: Vec<String> =
            position.moves().into_iter().filter(|mv| mv.class() == class).map(|mv| mv.to_string()).collect();
        if !moves.is_empty() {
            let _ = writeln!(text, "class {class}: {}", moves.join(" "));
        }
    }
    text
}

#[test]
fn a_game_goes_as_it_always_went() {
    let mut dice = Dice::seeded(7);
    let mut game = History::new(Layout::BelgianDaisy.position());
    let mut text = String::new();
    for _ in 0..24 {
        let position = *game.position();
        text += &describe(&game);
        let mv = lively_move(&position, &mut dice).unwrap();
        let [aba_pro, nacre] = MoveNotation::ALL.map(|notation| notation.write(mv));
        let _ = writeln!(text, "plays {aba_pro} (Nacre {nacre}), {} marbles, {} pushed\n", mv.count(), mv.pushed());
        game.push(mv, position.play(mv).unwrap().afterstate.0);
    }
    text += &describe(&game);
    insta::assert_snapshot!(text);
}
