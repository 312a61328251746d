//! Games for two players: two agents meet from given openings, each opening with both colours.

mod openings;
mod tally;

use afterstate_game::{DrawRules, History, Limits, Outcome, PerSide, Player, Position, Side, Stop, derive_seed};
use afterstate_players::{Playable, build};

pub use openings::{OpeningsError, parse_openings};
pub use tally::{AgentCost, MatchSummary, MatchTally};

use crate::LabError;
use crate::definition;
use crate::play::{GameSeeds, Seats, Spent, Transcript, Unfinished, play};
use crate::series::{Recorded, Series};

/// A game for two players that the laboratory can play.
pub trait DuelGame: Position {
    /// How many marbles each side has lost.
    fn lost(&self) -> PerSide<u32>;

    /// The game in the record format of its own room.
    fn record(transcript: &Transcript<Self>, headings: &Headings<'_>) -> String;
}

/// What a record says about a game besides its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headings<'a> {
    /// The specs of the players of both sides.
    pub players: PerSide<&'a str>,
    /// The name of the opening.
    pub opening: &'a str,
    /// The number of the game, from 0.
    pub game: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// A position from which games start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<P> {
    /// Its name in records and reports.
    pub name: String,
    /// The position.
    pub position: P,
}

/// One of the two agents of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Contender {
    /// The agent whose point of view the results take.
    A = 0,
    /// Its opponent.
    B = 1,
}

impl Contender {
    /// Both, A first.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];
}

/// Who plays what in game number `game`: two games in a row share an opening, with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of the game.
    pub game: u64,
}

impl Round {
    /// The number of the pair of games.
    #[must_use]
    pub fn pair(self) -> u64 {
        self.game / 2
    }

    /// The side of a contender: A moves first in the first game of each pair.
    #[must_use]
    pub fn side_of(self, contender: Contender) -> Side {
        let first_game = self.game.is_multiple_of(2);
        if (contender == Contender::A) == first_game { Side::First } else { Side::Second }
    }

    /// Which of the openings is played; they are used in turn.
    #[must_use]
    pub fn opening<P>(self, openings: &[Opening<P>]) -> Option<&Opening<P>> {
        let count = openings.len() as u64;
        (count > 0).then(|| &openings[(self.pair() % count) as usize])
    }
}

/// The figures of one finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelResult {
    /// The number of the game.
    pub game: u64,
    /// The name of its opening.
    pub opening: String,
    /// What it was worth for A, in half points: 0, 1 or 2.
    pub half_points: u8,
    /// Marbles that A and B have lost.
    pub lost: [u32; 2],
    /// Half-moves played.
    pub plies: u64,
    /// What A and B spent.
    pub spent: [Spent; 2],
}

/// A match between two agents. An even number of games plays every opening with both colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelRun<P> {
    /// The specs of A and B.
    pub agents: [String; 2],
    /// Where games start.
    pub openings: Vec<Opening<P>>,
    /// When a game that nobody wins ends.
    pub rules: DrawRules,
    /// Limits per move on top of the agents' own.
    pub limits: Limits,
    /// The seed that fixes the randomness of the players.
    pub seed: u64,
}

/// The number of a pairing in the derivation of seeds. It follows from the agents and not from their place in a list, so
/// that a further agent leaves the games of the others alone.
fn pairing_number(agents: &[String; 2]) -> u64 {
    let names = agents.iter().flat_map(|agent| agent.bytes().chain([0]));
    names.fold(0, |number, byte| derive_seed(number, &[u64::from(byte)]))
}

impl<P: DuelGame> DuelRun<P> {
    /// Plays one game with these players.
    pub fn play_with(
        &self,
        [a, b]: [&mut dyn Player<P>; 2],
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<DuelResult>, Unfinished> {
        let round = Round { game };
        let Some(opening) = round.opening(&self.openings) else { return Err(Unfinished::NoOpening) };
        let swapped = round.side_of(Contender::A) == Side::Second;
        let seats = if swapped { [b, a] } else { [a, b] };
        let history = History::with_rules(opening.position.clone(), self.rules);
        let seeds = GameSeeds::new(self.seed, pairing_number(&self.agents), game);
        let finished = play(history, Seats::Two(seats), seeds, self.limits, stop)?;
        let end_lost = finished.transcript.end().lost();
        let [first, second] = &self.agents;
        let players = if swapped { [second, first] } else { [first, second] };
        let headings = Headings {
            players: PerSide(players.map(String::as_str)),
            opening: &opening.name,
            game,
            outcome: finished.outcome,
        };
        let result = DuelResult {
            game,
            opening: opening.name.clone(),
            half_points: (1 + finished.outcome.sign_for(round.side_of(Contender::A))) as u8,
            lost: Contender::BOTH.map(|contender| end_lost[round.side_of(contender)]),
            plies: finished.transcript.plies.len() as u64,
            spent: Contender::BOTH.map(|contender| finished.spent[round.side_of(contender)]),
        };
        Ok(Recorded { result, record: P::record(&finished.transcript, &headings) })
    }
}

impl<P: DuelGame + Playable> Series for DuelRun<P> {
    type Players = [Box<dyn Player<P>>; 2];
    type Result = DuelResult;
    type Tally = MatchTally;

    fn definition(&self) -> String {
        definition::duel(&self.agents, self.seed, &self.limits, &self.rules, &self.openings)
    }

    fn who(&self) -> String {
        self.agents.join(" against ")
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        if self.openings.is_empty() {
            return Err(LabError::from(Unfinished::NoOpening));
        }
        Ok([build::<P>(&self.agents[0])?, build::<P>(&self.agents[1])?])
    }

    fn play_game(
        &self,
        [a, b]: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<DuelResult>, Unfinished> {
        self.play_with([a.as_mut(), b.as_mut()], game, stop)
    }
}
