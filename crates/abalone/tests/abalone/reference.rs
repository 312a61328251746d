//! The bitboards against the plainest possible rules and evaluations: marbles in a map, loops over cells.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::reachable;
use afterstate_abalone::evaluation::{Centre, Chorus, Emphasis, Hauff, Measures, Threats, Weights};
use afterstate_abalone::{Cell, Direction, Layout, Position, perft};
use afterstate_game::{Evaluation, History, Notation, Position as _, Side, Tactics};
use proptest::prelude::*;

type Board = BTreeMap<Cell, Side>;

fn board_of(position: &Position) -> Board {
    let of = |side| position.marbles(side).map(move |cell| (cell, side));
    of(Side::First).chain(of(Side::Second)).collect()
}

/// What a move leads to: the board, and whether a marble went off.
type After = (Vec<(Cell, Side)>, bool);

/// Every move as the marbles that go and where they go, with what it leads to.
fn plain_moves(board: &Board, side: Side) -> BTreeMap<(BTreeSet<Cell>, u8), After> {
    let mut moves = BTreeMap::new();
    for group in groups(board, side) {
        for direction in Direction::ALL {
            if let Some(after) = plain_play(board, side, &group, direction) {
                moves.insert((group.clone(), direction as u8), after);
            }
        }
    }
    moves
}

/// Every set of one to three own marbles in a line.
fn groups(board: &Board, side: Side) -> BTreeSet<BTreeSet<Cell>> {
    let mut groups = BTreeSet::new();
    for cell in Cell::all() {
        for line in Direction::ALL {
            let mut group = BTreeSet::new();
            let mut next = Some(cell);
            while let Some(marble) = next.filter(|marble| group.len() < 3 && board.get(marble) == Some(&side)) {
                group.insert(marble);
                groups.insert(group.clone());
                next = marble.neighbour(line);
            }
        }
    }
    groups
}

/// Moves a group one step, pushing if it must; `None` if the rules forbid it.
fn plain_play(board: &Board, side: Side, group: &BTreeSet<Cell>, direction: Direction) -> Option<After> {
    let mut after = board.clone();
    let mut ejected = false;
    let ahead: Vec<Cell> = group.iter().filter_map(|cell| cell.neighbour(direction)).collect();
    let blocked: Vec<Cell> =
        ahead.iter().copied().filter(|cell| !group.contains(cell) && board.contains_key(cell)).collect();
    if ahead.len() < group.len() {
        return None;
    }
    if let &[first] = blocked.as_slice() {
        // A push: along the line only, and what is pushed must be weaker.
        let inline = ahead.iter().filter(|cell| group.contains(cell)).count() == group.len() - 1;
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(cell) = next.filter(|cell| board.contains_key(cell)) {
            line.push(cell);
            next = cell.neighbour(direction);
        }
        let all_others = line.iter().all(|cell| board[cell] != side);
        if !inline || !all_others || line.len() >= group.len() {
            return None;
        }
        ejected = next.is_none();
        after.remove(&first);
        if let Some(landing) = next {
            after.insert(landing, !side);
        }
    } else if !blocked.is_empty() {
        return None;
    }
    for cell in group {
        after.remove(cell);
    }
    after.extend(ahead.into_iter().map(|cell| (cell, side)));
    Some((after.into_iter().collect(), ejected))
}

fn check_moves(position: &Position) {
    let side = position.side_to_move();
    let plain = if position.outcome().is_some() { BTreeMap::new() } else { plain_moves(&board_of(position), side) };
    let mut fast = BTreeMap::new();
    position.for_each_move(|mv| {
        let next = position.play_unchecked(mv).afterstate.0;
        let after: After = (board_of(&next).into_iter().collect(), mv.ejects());
        let marbles: BTreeSet<Cell> = mv.marbles().collect();
        assert_eq!(marbles.len(), usize::from(mv.count()));
        assert!(fast.insert((marbles, mv.direction() as u8), after).is_none(), "{mv} is generated twice");
        assert_eq!(next.lost(!side), position.lost(!side) + u8::from(mv.ejects()));
    });
    assert_eq!(fast, plain, "{}", position.to_text());
    assert_eq!(position.count_moves(), plain.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn moves_are_those_of_the_plain_rules(position in reachable()) {
        check_moves(&position);
    }

    #[test]
    fn every_code_is_legal_exactly_if_its_move_is_generated(position in reachable()) {
        let legal: BTreeSet<usize> = position.moves().into_iter().map(Position::move_code).collect();
        for code in 0..Position::MOVE_CODES + 70 {
            let mv = position.move_from_code(code);
            prop_assert_eq!(mv.is_some(), legal.contains(&code));
            prop_assert!(mv.is_none_or(|mv| Position::move_code(mv) == code));
        }
    }
}

fn plain_perft(board: &Board, side: Side, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = plain_moves(board, side);
    next.into_values().map(|(board, _)| plain_perft(&board.into_iter().collect(), !side, depth - 1)).sum()
}

#[test]
fn the_plain_rules_count_the_same_lines() {
    for layout in Layout::ALL {
        let position = layout.position();
        assert_eq!(plain_perft(&board_of(&position), Side::First, 2), perft(&position, 2), "{layout}");
    }
}

/// The measures of one side, cell by cell.
fn plain_measures(board: &Board, side: Side, centre: Cell) -> Measures {
    let mut measures = Measures::default();
    let is = |cell: Option<Cell>, side: Side| cell.is_some_and(|cell| board.get(&cell) == Some(&side));
    for (&cell, _) in board.iter().filter(|(_, colour)| **colour == side) {
        measures.marbles += 1;
        measures.centre += 4 - i32::from(cell.distance(centre));
        for direction in Direction::ALL {
            let (front, back) = (cell.neighbour(direction), cell.neighbour(direction.opposite()));
            measures.compactness += i32::from(is(front, side));
            // Every line has two directions.
            measures.broken += i32::from(is(front, !side) && is(back, !side) && (direction as u8) < 3);
            plain_attack(board, side, cell, direction, &mut measures);
        }
    }
    measures
}

/// Adds what a marble attacks in one direction with those behind it.
fn plain_attack(board: &Board, side: Side, head: Cell, direction: Direction, measures: &mut Measures) {
    let run = |from: Option<Cell>, direction: Direction, side: Side| {
        let mut cells = Vec::new();
        let mut next = from;
        while let Some(cell) = next.filter(|cell| board.get(cell) == Some(&side)) {
            cells.push(cell);
            next = cell.neighbour(direction);
        }
        (cells.len(), next)
    };
    let (behind, _) = run(Some(head), direction.opposite(), side);
    let (pushed, end) = run(head.neighbour(direction), direction, !side);
    let blocked = end.is_some_and(|cell| board.contains_key(&cell));
    if blocked || pushed == 0 || pushed >= behind.min(3) {
        return;
    }
    match (end, pushed) {
        (None, _) => measures.attacks.ejections += 1,
        (Some(_), 1) => measures.attacks.one += 1,
        (Some(_), _) => measures.attacks.two += 1,
    }
}

/// The cell nearest to the centre of mass, by trying all. Between equally near cells the choice is free.
fn nearest_to_mass(board: &Board) -> Vec<Cell> {
    let count = board.len() as f64;
    let row = board.keys().map(|cell| f64::from(cell.row())).sum::<f64>() / count;
    let column = board.keys().map(|cell| f64::from(cell.column())).sum::<f64>() / count;
    // Squared distance in the plane, for axes at 120 degrees.
    let distance = |cell: &Cell| {
        let (r, c) = (f64::from(cell.row()) - row, f64::from(cell.column()) - column);
        r * r + c * c - r * c
    };
    let least = Cell::all().map(|cell| distance(&cell)).fold(f64::INFINITY, f64::min);
    Cell::all().filter(|cell| distance(cell) < least + 1e-5).collect()
}

/// The formula of section 3.1.2 in double precision.
fn plain_hauff(own: &Measures, other: &Measures, weights: &Weights, emphasis: &Emphasis) -> f64 {
    let side = |measures: &Measures, compactness: f32, attack: f32, broken: f32| {
        let per_marble = |sum: i32| f64::from(sum) / f64::from(measures.marbles);
        let points = measures.attacks.one + 2 * measures.attacks.two + 8 * measures.attacks.ejections;
        f64::from(weights.centre * emphasis.centre) * per_marble(measures.centre)
            + f64::from(weights.compactness * compactness) * per_marble(measures.compactness)
            + f64::from(weights.attack * attack) * f64::from(points)
            + f64::from(weights.broken * broken) * f64::from(measures.broken)
    };
    side(own, emphasis.own_compactness, emphasis.own_attack, emphasis.own_broken)
        - side(other, emphasis.other_compactness, emphasis.other_attack, emphasis.other_broken)
}

fn check_hauff(position: &Position, emphasis: Emphasis, ply: u32) -> Result<(), TestCaseError> {
    let board = board_of(position);
    let turn = position.side_to_move();
    let mut hauff = Hauff { emphasis, ..Hauff::default() };
    let mut history = History::new(*position);
    for mv in position.moves().into_iter().cycle().take(ply as usize) {
        history.push(mv, *position);
    }
    hauff.prepare(&history);
    let measures = |side| {
        let mut measures = plain_measures(&board, side, Cell::CENTRE);
        if ply < 20 {
            measures.attacks = afterstate_abalone::evaluation::Attacks::default();
        }
        measures
    };
    let (own, other) = (measures(turn), measures(!turn));
    let marbles = f64::from(emphasis.other_marbles) * f64::from(position.lost(!turn))
        - f64::from(emphasis.own_marbles) * f64::from(position.lost(turn));
    let expected = 1000.0 * marbles + plain_hauff(&own, &other, &Weights::PUBLISHED, &emphasis);
    prop_assert!((f64::from(hauff.position(position)) - expected).abs() < 0.01, "{}", position.to_text());
    // For the opponent to move the same board is worth as much less, because the emphasis stays the player's.
    let passed = position.pass().unwrap();
    prop_assert_eq!(hauff.position(&passed), -hauff.position(position));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn measures_are_those_counted_cell_by_cell(position in reachable()) {
        let board = board_of(&position);
        let turn = position.side_to_move();
        let fast = Measures::of(&position, Centre::Board, Threats::Counted);
        let plain = |side| plain_measures(&board, side, Cell::CENTRE);
        prop_assert_eq!(fast, (plain(turn), plain(!turn)));
    }

    #[test]
    fn the_centre_of_mass_is_the_nearest_cell(position in reachable()) {
        let board = board_of(&position);
        let turn = position.side_to_move();
        let fast = Measures::of(&position, Centre::Mass, Threats::Ignored).0.centre;
        let plain: Vec<i32> =
            nearest_to_mass(&board).into_iter().map(|cell| plain_measures(&board, turn, cell).centre).collect();
        prop_assert!(plain.contains(&fast), "{fast} is none of {plain:?} in {}", position.to_text());
    }

    #[test]
    fn hauff_is_the_formula_of_the_thesis(position in reachable(), which in 0..3usize, ply in prop_oneof![Just(0u32), Just(19), Just(20), Just(60)]) {
        prop_assume!(position.outcome().is_none());
        check_hauff(&position, [Emphasis::NORMAL, Emphasis::OFFENSIVE, Emphasis::DEFENSIVE][which], ply)?;
    }

    #[test]
    fn chorus_is_the_sum_without_means(position in reachable()) {
        let board = board_of(&position);
        let turn = position.side_to_move();
        let weights = Chorus::default();
        let side = |side: Side| {
            let measures = plain_measures(&board, side, Cell::CENTRE);
            f64::from(weights.centre) * f64::from(measures.centre)
                + f64::from(weights.compactness) * f64::from(measures.compactness)
                + f64::from(weights.attack) * f64::from(measures.attacks.count())
        };
        let marbles = 1000.0 * (f64::from(position.lost(!turn)) - f64::from(position.lost(turn)));
        let expected = marbles + side(turn) - side(!turn);
        prop_assert!((f64::from(weights.position(&position)) - expected).abs() < 0.01);
    }

    #[test]
    fn an_afterstate_is_worth_what_it_is_worth_to_the_mover(position in reachable()) {
        let hauff = Hauff::default();
        for mv in position.moves() {
            let after = position.play_unchecked(mv).afterstate;
            prop_assert_eq!(hauff.afterstate(&after), -hauff.position(&after.0));
        }
    }
}
