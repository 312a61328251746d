//! A small game of two players, to test the vocabulary itself: take one to three from a heap; who takes the last wins.

use std::fmt;

use afterstate_game::{
    AtPlyLimit, DrawRules, History, Notation, Outcome, Played, Position, Settled, Side, conformance,
};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Heap {
    left: u8,
    turn: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take(u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position for Heap {
    type Move = Take;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Won(!self.turn))
    }

    fn for_each_move(&self, visit: impl FnMut(Take)) {
        (1..=self.left.min(3)).map(Take).for_each(visit);
    }

    fn play_unchecked(&self, mv: Take) -> Played<Self> {
        Played { afterstate: Settled(Self { left: self.left - mv.0, turn: !self.turn }), reward: 0 }
    }

    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | self.turn as u64
    }

    fn is_irreversible(&self, _mv: Take) -> bool {
        false
    }

    fn leader(&self) -> Option<Side> {
        Some(Side::Second)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("not a heap: {0}")]
struct NotAHeap(String);

impl Notation for Heap {
    const GAME: &'static str = "subtraction";
    type Error = NotAHeap;

    fn parse(text: &str) -> Result<Self, NotAHeap> {
        let bad = || NotAHeap(text.to_owned());
        let (left, turn) = text.split_once(' ').ok_or_else(bad)?;
        let turn = if turn == "first" { Side::First } else { Side::Second };
        Ok(Self { left: left.parse().map_err(|_| bad())?, turn })
    }

    fn to_text(&self) -> String {
        format!("{} {}", self.left, if self.turn == Side::First { "first" } else { "second" })
    }

    fn parse_move(&self, text: &str) -> Result<Take, NotAHeap> {
        text.parse().map(Take).map_err(|_| NotAHeap(text.to_owned()))
    }
}

const START: Heap = Heap { left: 21, turn: Side::First };

/// The same game with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mistaken<const MISTAKE: u8>(Heap);

const FORGETS_TURN: u8 = 0;
const ALLOWS_ALL: u8 = 1;
const NEVER_RETURNS: u8 = 2;

impl<const MISTAKE: u8> Position for Mistaken<MISTAKE> {
    type Move = Take;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn for_each_move(&self, mut visit: impl FnMut(Take)) {
        // Taking nothing is a pass.
        let may_pass = MISTAKE == NEVER_RETURNS && self.0.left > 0;
        if may_pass {
            visit(Take(0));
        }
        self.0.for_each_move(visit);
    }

    fn play_unchecked(&self, mv: Take) -> Played<Self> {
        let Heap { left, turn } = self.0;
        Played { afterstate: Settled(Self(Heap { left: left.saturating_sub(mv.0), turn: !turn })), reward: 0 }
    }

    fn key(&self) -> u64 {
        if MISTAKE == FORGETS_TURN { self.0.left.into() } else { self.0.key() }
    }

    fn is_irreversible(&self, _mv: Take) -> bool {
        MISTAKE == NEVER_RETURNS
    }

    fn leader(&self) -> Option<Side> {
        None
    }

    fn is_legal(&self, mv: Take) -> bool {
        MISTAKE == ALLOWS_ALL || self.moves().contains(&mv)
    }
}

#[test]
fn a_mistake_is_named() {
    fn law<const MISTAKE: u8>() -> &'static str {
        conformance::check_rules(&[Mistaken::<MISTAKE>(START)], 20, 30).unwrap_err().law
    }
    assert_eq!(law::<FORGETS_TURN>(), "different afterstates have different keys");
    assert_eq!(law::<ALLOWS_ALL>(), "a move of another position is legal here only if it is generated here");
    assert_eq!(law::<NEVER_RETURNS>(), "after an irreversible move no earlier position returns");
}

#[test]
fn a_correct_game_conforms() {
    assert!(conformance::check_rules(&[START], 20, 30).unwrap() > 100);
    assert!(conformance::check_notation(&[START], 20, 30).unwrap() > 100);
}

#[test]
fn an_illegal_move_is_refused() {
    let error = START.play(Take(4)).unwrap_err();
    assert_eq!(error.to_string(), "the move 4 is not legal here");
}

#[test]
fn a_random_move_is_uniform() {
    let mut dice = afterstate_game::Dice::seeded(5);
    let mut counts = [0; 3];
    for _ in 0..3000 {
        counts[usize::from(START.random_move(&mut dice).unwrap().0) - 1] += 1;
    }
    assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
}

#[test]
fn the_ply_limit_ends_a_game_as_its_rule_says() {
    let ended_with = |at_limit| {
        let rules = DrawRules { max_plies: Some(2), at_limit, ..DrawRules::default() };
        let mut game = History::with_rules(START, rules);
        while game.outcome().is_none() {
            let next = game.position().play_unchecked(Take(1)).afterstate.0;
            game.push(Take(1), next);
        }
        (game.ply(), game.outcome())
    };
    assert_eq!(ended_with(AtPlyLimit::Draw), (2, Some(Outcome::Drawn)));
    assert_eq!(ended_with(AtPlyLimit::LeaderWins), (2, Some(Outcome::Won(Side::Second))));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let rules = DrawRules { repetitions: Some(3), ..DrawRules::default() };
    let mut game = History::with_rules(START, rules);
    // The heap cannot really repeat; the history only compares keys.
    for occurrence in 2..=3 {
        game.push(Take(1), Heap { left: 20, turn: Side::Second });
        assert_eq!(game.outcome(), None);
        game.push(Take(1), START);
        assert_eq!(game.occurrences(), occurrence);
    }
    assert_eq!(game.outcome(), Some(Outcome::Drawn));
}
