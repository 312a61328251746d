//! Playthroughs a person can read, compared with the files in `tests/golden`.
//!
//! After a wanted change: `UPDATE_GOLDEN=1 cargo test -p afterstate-twenty48 --test golden`, and read the difference.

use std::fmt::Write as _;
use std::path::Path;

use afterstate_game::{Afterstate, Dice, Evaluation, Position};
use afterstate_twenty48::eval::{Dietenberger, Empty, Jordal, Maqsood, Tabled, Xiao, ZhawMatrix, ZhawSearch};
use afterstate_twenty48::{Board, Cell, Direction, State, Tile};

/// How a playthrough chooses its moves.
type Policy = fn(&State, &mut Dice) -> Option<Direction>;

fn random(state: &State, dice: &mut Dice) -> Option<Direction> {
    state.random_move(dice)
}

/// The move that leaves the most empty cells, the first of equal ones.
fn emptiest(state: &State, _dice: &mut Dice) -> Option<Direction> {
    let best = Empty.best_afterstate(state)?;
    state.moves().into_iter().find(|&mv| Empty.afterstate(&state.play_unchecked(mv).afterstate) == best)
}

fn write_board(text: &mut String, board: Board) {
    for cell in Cell::all() {
        let tile = board.get(cell).map_or(".".to_owned(), |tile: Tile| tile.to_string());
        let end = if cell.column() == 3 { "\n" } else { "" };
        write!(text, "{tile:>8}{end}").expect("a string takes everything");
    }
}

fn write_values(text: &mut String, state: &State) {
    let values = [
        ("maqsood", Tabled::<Maqsood>::default().position(state)),
        ("jordal", Tabled::<Jordal>::default().position(state)),
        ("zhaw matrix", Tabled::<ZhawMatrix>::default().position(state)),
        ("zhaw search", Tabled::<ZhawSearch>::default().position(state)),
        ("dietenberger", Tabled::<Dietenberger>::default().position(state)),
        ("xiao", Tabled::<Xiao>::default().position(state)),
    ];
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value:.0}")).collect();
    writeln!(text, "worth: {}", values.join(", ")).expect("a string takes everything");
}

fn playthrough(start: State, mut dice: Dice, policy: Policy, plies: usize) -> String {
    let mut text = String::new();
    let mut state = start;
    let mut score = 0;
    for ply in 0.. {
        write_board(&mut text, state.0);
        let moves: Vec<&str> = state.moves().into_iter().map(Direction::name).collect();
        writeln!(text, "legal: {}", if moves.is_empty() { "none".to_owned() } else { moves.join(", ") })
            .expect("a string takes everything");
        let Some(mv) = policy(&state, &mut dice).filter(|_| ply < plies) else { break };
        let played = state.play_unchecked(mv);
        state = played.afterstate.draw(&mut dice);
        score += played.reward;
        let spawn = played.afterstate.spawn_before(state).expect("a drawn answer is a spawn");
        writeln!(text, "\n{}. {mv} earns {}, {spawn} appears, score {score}", ply + 1, played.reward)
            .expect("a string takes everything");
    }
    write_values(&mut text, &state);
    text
}

fn check(name: &str, playthrough: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, playthrough).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(golden == playthrough, "{} differs; the playthrough is now:\n{playthrough}", path.display());
}

#[test]
fn a_random_game() {
    let mut dice = Dice::seeded(1);
    check("random.txt", &playthrough(State::start(&mut dice), dice, random, usize::MAX));
}

#[test]
fn the_beginning_of_a_game_that_keeps_the_board_empty() {
    let mut dice = Dice::seeded(2);
    check("emptiest.txt", &playthrough(State::start(&mut dice), dice, emptiest, 60));
}

#[test]
fn tiles_beyond_32768() {
    let board = "32768 32768 65536 65536/16384 16384 8192 4096/2 4 8 16/131072 131072 0 0";
    let state = State(board.parse().expect("a board"));
    check("large.txt", &playthrough(state, Dice::seeded(3), emptiest, 12));
}
