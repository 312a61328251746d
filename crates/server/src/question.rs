//! A question to an agent: read from the network, checked, and answered within a search's turn.

use std::sync::Arc;
use std::time::Duration;

use afterstate_game::{Afterstate, Decision, DrawRules, History, Limits, Stop, Task};
use afterstate_players::{Allowance, DecisionReport, Spec, build_spec, parse_time};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::bench::{Bench, Seat};
use crate::error::ApiError;
use crate::game::{WebGame, chance};
use crate::searches::Searched;
use crate::turns::ClientId;

/// What may be asked about a position, as it comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
pub(crate) struct Asked {
    /// The position, or the start of the game where `moves` follow.
    pub(crate) position: String,
    /// The moves played since, for a game whose draws depend on them.
    #[serde(default)]
    pub(crate) moves: Words,
    /// Who is asked; the game's adviser if nobody is named.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    /// Makes the answer reproducible: the agent begins afresh with this seed. Without it, an agent that this connection
    /// has asked before remembers what it found.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// Tells two agents of the same spec apart, as the two players of a game.
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    #[serde(default)]
    pub(crate) nodes: Option<u64>,
    #[serde(default)]
    pub(crate) iterations: Option<u64>,
    /// Such as `500ms`.
    #[serde(default)]
    pub(crate) time: Option<String>,
}

/// A list of words: as a list in a message, as words between spaces in an address.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(from = "List")]
pub(crate) struct Words(Vec<String>);

impl From<Vec<String>> for Words {
    fn from(words: Vec<String>) -> Self {
        Self(words)
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of words, or words between spaces")]
enum List {
    Words(String),
    List(Vec<String>),
}

impl From<List> for Words {
    fn from(list: List) -> Self {
        match list {
            List::Words(words) => Self(words.split_whitespace().map(str::to_owned).collect()),
            List::List(words) => Self(words),
        }
    }
}

impl Words {
    pub(crate) fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// A question that can be answered.
#[derive(Debug)]
pub(crate) struct Question<P: WebGame> {
    pub(crate) history: History<P>,
    agent: Spec,
    limits: Limits,
    seed: Option<u64>,
    role: String,
}

const LONGEST_ROLE: usize = 32;

/// No game of Abalone comes near; 2048 needs no history.
const MOST_MOVES: usize = 4000;

impl<P: WebGame> Question<P> {
    /// Reads a question; `adviser` is asked if nobody is named.
    pub(crate) fn read(asked: &Asked, adviser: &str, allowance: &Allowance) -> Result<Self, ApiError> {
        let history = replay(&asked.position, asked.moves.as_slice(), P::RULES, 0, 0)?.history;
        let agent = Spec::parse(asked.agent.as_deref().unwrap_or(adviser)).map_err(ApiError::bad_request)?;
        let agent = allowance.admit::<P>(&agent).map_err(ApiError::bad_request)?;
        let time = asked.time.as_deref().map(|text| read_time(text, allowance.time)).transpose()?;
        let limits = Limits { depth: asked.depth, nodes: asked.nodes, iterations: asked.iterations, time };
        if asked.role.len() > LONGEST_ROLE {
            return Err(ApiError::bad_request(format!("role: expected at most {LONGEST_ROLE} letters")));
        }
        Ok(Self { history, agent, limits, seed: asked.seed, role: asked.role.clone() })
    }

    /// Asks the agent when the turn of this client comes.
    pub(crate) async fn ask(
        self,
        app: &App,
        client: ClientId,
    ) -> Result<Searched<Result<DecisionReport, ApiError>>, ApiError> {
        let bench = Arc::clone(&app.bench);
        app.searches.run(client, || {}, move |stop| self.answer(&bench, client, stop, || {}, |_| {})).await
    }

    /// Asks the agent; `loading` is called before a new one is made, which may read a network. To be called in a thread that
    /// may be busy for as long as it takes.
    pub(crate) fn answer(
        &self,
        bench: &Bench,
        client: ClientId,
        stop: &Stop,
        loading: impl FnOnce(),
        mut observer: impl FnMut(&DecisionReport),
    ) -> Result<DecisionReport, ApiError> {
        let position = self.history.position();
        let report = |decision: &Decision<P::Move>| DecisionReport::new(position, decision);
        let seat = Seat { client, game: P::GAME, agent: self.agent.to_string(), role: self.role.clone() };
        let build = || {
            loading();
            build_spec::<P>(&self.agent)
        };
        let mut player = bench.call(&seat, build).map_err(ApiError::bad_request)?;
        if let Some(seed) = self.seed {
            player.start_game(seed);
        }
        let mut show = |decision: &Decision<P::Move>| observer(&report(decision));
        let task = Task { history: &self.history, limits: self.limits, stop, observer: &mut show };
        let decision = player.decide(task).map(|decision| report(&decision)).map_err(ApiError::bad_request);
        bench.sit(seat, player);
        decision
    }
}

fn read_time(text: &str, most: Duration) -> Result<Duration, ApiError> {
    let expected = || ApiError::bad_request(format!("time: expected a time such as 500ms or 2s, at most {most:?}"));
    parse_time(text).filter(|&time| time <= most).ok_or_else(expected)
}

/// A game played from a text.
pub(crate) struct Replay<P: WebGame> {
    pub(crate) history: History<P>,
    /// The moves with the positions they were played in.
    pub(crate) plies: Vec<(P, P::Move)>,
}

/// Plays moves from a position. Chance answers the n-th move of the game as the seed says; `ply` moves were played
/// before.
pub(crate) fn replay<P: WebGame>(
    position: &str,
    moves: &[String],
    rules: DrawRules,
    seed: u64,
    ply: u32,
) -> Result<Replay<P>, ApiError> {
    let start = P::parse(position).map_err(|error| ApiError::bad_request(format!("position: {error}")))?;
    if moves.len() > MOST_MOVES {
        return Err(ApiError::bad_request(format!("{} moves; expected at most {MOST_MOVES}", moves.len())));
    }
    let mut history = History::with_rules(start, rules);
    let mut plies = Vec::with_capacity(moves.len());
    for (number, text) in (1..).zip(moves) {
        let wrong = |error: &dyn std::fmt::Display| ApiError::bad_request(format!("move {number}: {error}"));
        let position = history.position().clone();
        if let Some(outcome) = history.outcome() {
            return Err(wrong(&format!("the game is already over ({outcome})")));
        }
        let mv = position.parse_move(text).map_err(|error| wrong(&error))?;
        let next = position.play_unchecked(mv).afterstate.draw(&mut chance(seed, ply.saturating_add(number)));
        history.push(mv, next);
        plies.push((position, mv));
    }
    Ok(Replay { history, plies })
}
