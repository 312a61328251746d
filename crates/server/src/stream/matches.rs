//! A match as it runs: the laboratory plays, each move takes its turn among all searches, and the client sees the board,
//! every finished game and what the games so far say.

use std::sync::Arc;
use std::time::{Duration, Instant};

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{AtPlyLimit, Decision, Limits, NoLegalMove, Notation, Player, Stop, Task};
use afterstate_lab::{
    Comparison, ComparisonTally, DuelResult, DuelRun, MatchTally, Opening, Recorded, Series, SoloResult, SoloRun,
    Tally, Unfinished,
};
use afterstate_players::{Allowance, Playable, Spec, build_spec};
use afterstate_twenty48::State;
use axum::extract::ws::Message;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, watch};

use super::message::{Id, Reply};
use crate::app::App;
use crate::error::ApiError;
use crate::game::WebGame;
use crate::searches::RaisedOnDrop;
use crate::turns::{ClientId, Refused, Turn};

/// What a match may be, as it comes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with agents and games")]
pub(super) struct Asked {
    agents: [String; 2],
    games: u64,
    #[serde(default)]
    seed: u64,
    /// The layouts that Abalone games start from, in turn.
    #[serde(default)]
    layouts: Vec<String>,
    /// Half-moves after which a game of Abalone is decided by who leads.
    #[serde(default)]
    max_plies: Option<u32>,
}

/// The figures of a finished game of a match.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum GameFigures {
    /// The scores and largest tiles of both agents, on the same chance.
    Solo { scores: [u64; 2], largest: [u32; 2] },
    /// A's points (0, 0.5, 1), the marbles each has lost, the half-moves and the layout.
    Duel { points: f64, lost: [u32; 2], plies: u64, opening: String },
}

/// More games belong into an experiment of the laboratory.
const MOST_GAMES: u64 = 1000;
/// The board is shown this often at most.
const SHOWN_EVERY: Duration = Duration::from_millis(80);
/// A match that was stopped leaves its table within a moment, so that one that takes its place need not be refused.
const CLEARED: Duration = Duration::from_secs(1);

/// Plays a match and tells how it goes.
pub(super) async fn run(app: App, client: ClientId, outbox: mpsc::Sender<Message>, id: Id, game: String, asked: Asked) {
    let played = match game.as_str() {
        State::GAME => compare(&app, client, &outbox, id, asked).await,
        Abalone::GAME => duel(&app, client, &outbox, id, asked).await,
        _ => Err(ApiError::bad_request("game: expected 2048 or abalone")),
    };
    let reply = match played {
        Ok(()) => Reply::MatchOver { id }.written(),
        Err(error) => Reply::Error { id: Some(id), error: error.to_string() }.written(),
    };
    let _ = outbox.send(reply).await;
}

/// The specs that may be built, as text.
fn admitted<P: WebGame>(asked: &Asked, allowance: &Allowance) -> Result<[Spec; 2], ApiError> {
    if !(1..=MOST_GAMES).contains(&asked.games) {
        return Err(ApiError::bad_request(format!("games: expected 1 to {MOST_GAMES}")));
    }
    let admit = |text: &String| {
        let spec = Spec::parse(text).map_err(ApiError::bad_request)?;
        allowance.admit::<P>(&spec).map_err(ApiError::bad_request)
    };
    let [first, second] = &asked.agents;
    Ok([admit(first)?, admit(second)?])
}

async fn compare(
    app: &App,
    client: ClientId,
    outbox: &mpsc::Sender<Message>,
    id: Id,
    asked: Asked,
) -> Result<(), ApiError> {
    let agents = admitted::<State>(&asked, &app.capacity.spec)?;
    let runs = agents.each_ref().map(|agent| SoloRun::new(agent.to_string(), asked.seed, Limits::NONE));
    let series = Comparison { runs };
    let figures = |[a, b]: &[SoloResult; 2]| GameFigures::Solo {
        scores: [a.score, b.score],
        largest: [a.largest_tile, b.largest_tile],
    };
    let summary = |tally: &ComparisonTally| serde_json::to_value(tally.summary()).unwrap_or_default();
    let table = Table { app: app.clone(), client, outbox: outbox.clone(), id, agents, games: asked.games };
    table.play::<State, _>(series, figures, summary).await
}

async fn duel(
    app: &App,
    client: ClientId,
    outbox: &mpsc::Sender<Message>,
    id: Id,
    asked: Asked,
) -> Result<(), ApiError> {
    let agents = admitted::<Abalone>(&asked, &app.capacity.spec)?;
    let layouts = if asked.layouts.is_empty() { vec![Layout::Standard.name().to_owned()] } else { asked.layouts };
    let opening = |name: &String| {
        let layout: Layout = name.parse().map_err(ApiError::bad_request)?;
        Ok(Opening { name: name.clone(), position: layout.position() })
    };
    let openings = layouts.iter().map(opening).collect::<Result<_, ApiError>>()?;
    let mut rules = Abalone::RULES;
    rules.max_plies = asked.max_plies.or(Some(400));
    rules.at_limit = AtPlyLimit::LeaderWins;
    let specs = agents.each_ref().map(Spec::to_string);
    let series = DuelRun { agents: specs, openings, rules, limits: Limits::NONE, seed: asked.seed };
    let figures = |result: &DuelResult| GameFigures::Duel {
        points: f64::from(result.half_points) / 2.0,
        lost: result.lost,
        plies: result.plies,
        opening: result.opening.clone(),
    };
    let summary = |tally: &MatchTally| serde_json::to_value(tally.summary()).unwrap_or_default();
    let table = Table { app: app.clone(), client, outbox: outbox.clone(), id, agents, games: asked.games };
    table.play::<Abalone, _>(series, figures, summary).await
}

/// The table at which a match is played.
struct Table {
    app: App,
    client: ClientId,
    outbox: mpsc::Sender<Message>,
    id: Id,
    agents: [Spec; 2],
    games: u64,
}

impl Table {
    async fn play<P, S>(
        self,
        series: S,
        figures: impl Fn(&S::Result) -> GameFigures + Send + 'static,
        summary: impl Fn(&S::Tally) -> serde_json::Value + Send + 'static,
    ) -> Result<(), ApiError>
    where
        P: Playable,
        S: Series<Players = [Box<dyn Player<P>>; 2]> + Send + 'static,
    {
        let tables = Arc::clone(&self.app.tables);
        let Ok(Ok(table)) = tokio::time::timeout(CLEARED, tables.acquire_owned()).await else {
            return Err(Refused::Full.into());
        };
        let (_here, gone) = watch::channel(());
        // Dropped first, so that whoever sees that nobody is here sees the flag too.
        let stop = RaisedOnDrop(Stop::new());
        let watched = stop.0.clone();
        let handle = Handle::current();
        let played = tokio::task::spawn_blocking(move || {
            // The table is left when the players leave it, not when nobody waits for them any more.
            let _table = table;
            let mut players = self.players::<P>(&handle, &watched, &gone)?;
            let mut tally = S::Tally::default();
            for game in 0..self.games {
                let Recorded { result, .. } = match series.play_game(&mut players, game, &watched) {
                    Ok(recorded) => recorded,
                    Err(Unfinished::Stopped) => return Ok(()),
                    Err(fault) => return Err(ApiError::bad_request(fault)),
                };
                tally.add(&result);
                let reply =
                    Reply::Game { id: self.id, number: game, figures: figures(&result), summary: summary(&tally) };
                if self.outbox.blocking_send(reply.written()).is_err() {
                    return Ok(());
                }
            }
            Ok(())
        });
        played.await.map_err(|_| ApiError::internal())?
    }

    fn players<P: Playable>(
        &self,
        handle: &Handle,
        stop: &Stop,
        gone: &watch::Receiver<()>,
    ) -> Result<[Box<dyn Player<P>>; 2], ApiError> {
        let seat = |number: usize| -> Result<Box<dyn Player<P>>, ApiError> {
            let player = build_spec::<P>(&self.agents[number]).map_err(ApiError::bad_request)?;
            Ok(Box::new(TakingTurns {
                player,
                number,
                id: self.id,
                app: self.app.clone(),
                client: self.client,
                outbox: self.outbox.clone(),
                handle: handle.clone(),
                stop: stop.clone(),
                gone: gone.clone(),
                shown: None,
            }))
        };
        Ok([seat(0)?, seat(1)?])
    }
}

/// A player that waits for its turn before every move, and shows the board it is asked about.
struct TakingTurns<P: Playable> {
    player: Box<dyn Player<P>>,
    number: usize,
    id: Id,
    app: App,
    client: ClientId,
    outbox: mpsc::Sender<Message>,
    handle: Handle,
    stop: Stop,
    /// Closed when nobody waits for the match any more.
    gone: watch::Receiver<()>,
    shown: Option<Instant>,
}

impl<P: Playable> TakingTurns<P> {
    /// The turn for a move; `None` when the match is stopped.
    fn turn(&mut self) -> Option<Turn> {
        // A full waiting room passes: the match is in no hurry.
        while !self.stop.is_raised() {
            let turn = self.handle.block_on(async {
                tokio::select! {
                    turn = self.app.searches.turn(self.client) => turn.ok(),
                    _ = self.gone.changed() => None,
                }
            });
            if turn.is_some() {
                return turn;
            }
            std::thread::sleep(SHOWN_EVERY);
        }
        None
    }
}

impl<P: Playable> Player<P> for TakingTurns<P> {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        if self.shown.is_none_or(|shown| shown.elapsed() >= SHOWN_EVERY) {
            self.shown = Some(Instant::now());
            let position = task.position().to_text();
            let _ = self.outbox.try_send(Reply::Board { id: self.id, agent: self.number, position }.written());
        }
        let turn = self.turn();
        let share = Limits { time: Some(self.app.searches.share()), ..Limits::NONE };
        let decision = self.player.decide(Task { limits: task.limits.and(share), ..task });
        drop(turn);
        decision
    }

    fn start_game(&mut self, seed: u64) {
        self.player.start_game(seed);
    }
}

/// The number of matches at a time is bounded apart from the searches, because each keeps two agents alive.
pub(crate) fn tables(running: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(running))
}
