//! The laws that every game obeys, as one harness that each game's tests call.
//!
//! Each function plays random games and returns the first broken law in words. A harness that returns `Ok` says how
//! many positions it saw, so that a test can insist on having tested something.
//!
//! A game's tests call [`check_rules`], and the others for what else the game implements; the front page of the crate has
//! an example.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use crate::{Afterstate, Dice, Notation, Played, Position, Side, Symmetric, Tactics};

/// A broken law: which one, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {place}")]
pub struct Violation {
    /// The law in words.
    pub law: &'static str,
    /// The position or move that breaks it.
    pub place: String,
}

fn require(holds: bool, law: &'static str, place: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation { law, place: place() }) }
}

/// Plays `games` random games of at most `plies` half-moves from each start and calls `visit` on every position.
fn walk<P: Position>(
    starts: &[P],
    games: u64,
    plies: u32,
    mut visit: impl FnMut(&P) -> Result<(), Violation>,
) -> Result<usize, Violation> {
    let mut seen = 0;
    for start in starts {
        for game in 0..games {
            let mut dice = Dice::seeded(game);
            let mut position = start.clone();
            for _ in 0..plies {
                visit(&position)?;
                seen += 1;
                let Some(mv) = position.random_move(&mut dice) else { break };
                position = position.play_unchecked(mv).afterstate.draw(&mut dice);
            }
        }
    }
    Ok(seen)
}

/// Laws of [`Position`] and [`Afterstate`].
pub fn check_rules<P: Position>(starts: &[P], games: u64, plies: u32) -> Result<usize, Violation> {
    check_irreversible(starts, games, plies)?;
    check_keys(starts, games, plies)?;
    let mut elsewhere = Vec::new();
    walk(starts, games, plies, |position| {
        let moves = position.moves();
        check_moves(position, &moves, &elsewhere)?;
        moves.iter().try_for_each(|&mv| check_play(position, mv))?;
        elsewhere = moves;
        Ok(())
    })
}

/// Laws of the moves of a position. Some of another one are tried, too.
fn check_moves<P: Position>(position: &P, moves: &[P::Move], elsewhere: &[P::Move]) -> Result<(), Violation> {
    let place = || format!("{position:?}");
    require(P::SIDES == 2 || position.side_to_move() == Side::First, "one player is the first side", place)?;
    require(
        moves.is_empty() == position.outcome().is_some(),
        "a game is over exactly when there is no legal move",
        place,
    )?;
    require(moves.iter().collect::<HashSet<_>>().len() == moves.len(), "every legal move is generated once", place)?;
    require(moves.len() == position.count_moves(), "moves are counted as they are generated", place)?;
    require(moves.iter().all(|&mv| position.is_legal(mv)), "every generated move is legal", place)?;
    require(
        elsewhere.iter().all(|&mv| position.is_legal(mv) == moves.contains(&mv)),
        "a move of another position is legal here only if it is generated here",
        place,
    )?;
    let drawn = position.random_move(&mut Dice::seeded(position.key()));
    require(drawn.map_or(moves.is_empty(), |mv| moves.contains(&mv)), "a random move is a legal one", place)?;
    let mut plays = Vec::new();
    position.for_each_play(|mv, played| plays.push((mv, played)));
    require(
        plays == moves.iter().map(|&mv| (mv, position.play_unchecked(mv))).collect::<Vec<_>>(),
        "moves are generated in the same order with and without what they lead to",
        place,
    )
}

/// Laws of playing a legal move.
fn check_play<P: Position>(position: &P, mv: P::Move) -> Result<(), Violation> {
    let place = || format!("{position:?}, move {mv}");
    let played =
        position.play(mv).map_err(|error| Violation { law: "a legal move can be played", place: error.to_string() })?;
    require(played == position.play_unchecked(mv), "checked and unchecked play agree", place)?;
    check_answers(position, &played.afterstate).map_err(|law| Violation { law, place: place() })
}

/// Plays random games and looks for keys that stand for two positions, or two afterstates.
fn check_keys<P: Position>(starts: &[P], games: u64, plies: u32) -> Result<(), Violation> {
    let (mut positions, mut afterstates) = (HashMap::new(), HashMap::new());
    walk(starts, games, plies, |position| {
        let place = || format!("{position:?}");
        let law = "different positions have different keys";
        require(has_own_key(&mut positions, position.key(), position), law, place)?;
        let mut differ = true;
        position.for_each_play(|_, Played { afterstate, .. }| {
            differ &= has_own_key(&mut afterstates, afterstate.key(), &afterstate);
        });
        require(differ, "different afterstates have different keys", place)
    })?;
    Ok(())
}

/// Whether nothing else was seen with this key.
fn has_own_key<T: Clone + Eq>(seen: &mut HashMap<u64, T>, key: u64, item: &T) -> bool {
    match seen.entry(key) {
        Entry::Occupied(known) => known.get() == item,
        Entry::Vacant(place) => {
            place.insert(item.clone());
            true
        }
    }
}

/// Plays random games and looks for positions that return although an irreversible move came between.
fn check_irreversible<P: Position>(starts: &[P], games: u64, plies: u32) -> Result<(), Violation> {
    for start in starts {
        for game in 0..games {
            let mut dice = Dice::seeded(game);
            let mut position = start.clone();
            let (mut gone, mut recent) = (HashSet::new(), Vec::new());
            for _ in 0..plies {
                let law = "after an irreversible move no earlier position returns";
                require(!gone.contains(&position.key()), law, || format!("{position:?}"))?;
                let Some(mv) = position.random_move(&mut dice) else { break };
                recent.push(position.key());
                if position.is_irreversible(mv) {
                    gone.extend(recent.drain(..));
                }
                position = position.play_unchecked(mv).afterstate.draw(&mut dice);
            }
        }
    }
    Ok(())
}

fn check_answers<P: Position>(before: &P, afterstate: &P::Afterstate) -> Result<(), &'static str> {
    let mut total = 0.0f64;
    let mut answers = Vec::new();
    afterstate.for_each_answer(|position, probability| {
        total += f64::from(probability);
        answers.push((position, probability));
    });
    if answers.iter().any(|&(_, probability)| probability <= 0.0) {
        return Err("every answer of chance has a positive probability");
    }
    if (total - 1.0).abs() > 1e-5 {
        return Err("the probabilities of chance sum to 1");
    }
    if !P::Afterstate::HAS_CHANCE && answers.len() != 1 {
        return Err("without chance there is one answer");
    }
    let drawn = afterstate.draw(&mut Dice::seeded(before.key()));
    if !answers.iter().any(|(position, _)| *position == drawn) {
        return Err("a drawn answer is one of the possible answers");
    }
    if P::SIDES == 2 && drawn.side_to_move() == before.side_to_move() {
        return Err("two sides move in turn");
    }
    Ok(())
}

/// Laws of [`Notation`]: text is read back as the same position and move, with the same key as the incremental one.
pub fn check_notation<P: Notation>(starts: &[P], games: u64, plies: u32) -> Result<usize, Violation> {
    walk(starts, games, plies, |position| {
        let text = position.to_text();
        let read = P::parse(&text)
            .map_err(|error| Violation { law: "a written position can be read", place: format!("{text}: {error}") })?;
        require(read == *position, "a position is read back as itself", || text.clone())?;
        require(read.key() == position.key(), "the key kept from move to move is the key of the position", || {
            text.clone()
        })?;
        for mv in position.moves() {
            let written = position.move_to_text(mv);
            let place = || format!("{text}, move {written}");
            let read = position
                .parse_move(&written)
                .map_err(|_| Violation { law: "a written move can be read", place: place() })?;
            require(read == mv, "a move is read back as itself", place)?;
        }
        Ok(())
    })
}

/// Laws of [`Symmetric`]: symmetries invert, keep the outcome, and commute with playing.
pub fn check_symmetry<P: Symmetric>(starts: &[P], games: u64, plies: u32) -> Result<usize, Violation> {
    walk(starts, games, plies, |position| {
        for symmetry in P::symmetries() {
            let place = || format!("{position:?}, {symmetry:?}");
            let image = position.transformed(symmetry);
            require(image.transformed(P::inverse(symmetry)) == *position, "a symmetry and its inverse cancel", place)?;
            require(image.outcome() == position.outcome(), "a symmetry keeps the outcome", place)?;
            let moves: HashSet<_> = position.moves().into_iter().map(|mv| P::transformed_move(mv, symmetry)).collect();
            require(
                moves == image.moves().into_iter().collect(),
                "a symmetry maps the legal moves onto the legal moves",
                place,
            )?;
            for mv in position.moves() {
                check_commutes(position, &image, mv, symmetry)?;
            }
        }
        require(position.transformed(crate::Symmetry::IDENTITY) == *position, "symmetry 0 is the identity", || {
            format!("{position:?}")
        })
    })
}

fn check_commutes<P: Symmetric>(
    position: &P,
    image: &P,
    mv: P::Move,
    symmetry: crate::Symmetry,
) -> Result<(), Violation> {
    let played = position.play_unchecked(mv);
    let image_played = image.play_unchecked(P::transformed_move(mv, symmetry));
    let place = || format!("{position:?}, move {mv}, {symmetry:?}");
    require(played.reward == image_played.reward, "a symmetry keeps the reward", place)?;
    let mut answers = Vec::new();
    played.afterstate.for_each_answer(|next, _| answers.push(next.transformed(symmetry)));
    let mut commutes = true;
    image_played.afterstate.for_each_answer(|next, _| commutes &= answers.contains(&next));
    require(commutes, "playing and transforming commute", place)
}

/// Laws of [`Tactics`]: classes and codes are in range, codes are read back as legal moves or none, loud moves are legal,
/// passing changes nothing but the side to move.
pub fn check_tactics<P: Tactics>(starts: &[P], games: u64, plies: u32) -> Result<usize, Violation> {
    walk(starts, games, plies, |position| {
        let moves = position.moves();
        for &mv in &moves {
            let place = || format!("{position:?}, move {mv}");
            require(position.move_class(mv) < P::CLASSES, "a move class is below the number of classes", place)?;
            let code = P::move_code(mv);
            require(code < P::MOVE_CODES, "a move code is below the number of codes", place)?;
            require(position.move_from_code(code) == Some(mv), "a move code is read back as its move", place)?;
        }
        let mut known = (0..P::MOVE_CODES).filter_map(|code| Some((code, position.move_from_code(code)?)));
        require(
            known.all(|(code, mv)| P::move_code(mv) == code && moves.contains(&mv)),
            "a move code of another position is read as a legal move of this one, or none",
            || format!("{position:?}"),
        )?;
        let mut loud_are_legal = true;
        position.for_each_loud_move(|mv| loud_are_legal &= moves.contains(&mv));
        require(loud_are_legal, "loud moves are legal", || format!("{position:?}"))?;
        if let Some(passed) = position.pass() {
            require(
                passed.side_to_move() != position.side_to_move() && passed.pass().as_ref() == Some(position),
                "passing twice changes nothing",
                || format!("{position:?}"),
            )?;
        }
        Ok(())
    })
}
