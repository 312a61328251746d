//! Thinking in the background: the player lives in a thread while it thinks, and here between two thoughts.

use std::thread::JoinHandle;

use afterstate_game::{History, Limits, Player, Stop, Task};
use afterstate_players::DecisionReport;

use super::say;
use crate::device;
use crate::game::CliGame;

/// A player that may be thinking.
pub(super) struct Thinker<P: CliGame> {
    player: Option<Box<dyn Player<P>>>,
    thinking: Option<JoinHandle<Box<dyn Player<P>>>>,
    infinite: bool,
    stop: Stop,
}

impl<P: CliGame> Thinker<P> {
    /// Nobody thinks yet.
    pub(super) fn idle() -> Self {
        Self { player: None, thinking: None, infinite: false, stop: Stop::new() }
    }

    /// Starts to think about a game. The answer is printed by the thinking thread.
    pub(super) fn go(
        &mut self,
        agent: &str,
        seed: u64,
        history: History<P>,
        limits: Limits,
        infinite: bool,
    ) -> Result<(), String> {
        if self.thinking.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Err("already thinking; send `stop` first".to_owned());
        }
        self.join();
        let mut player = match self.player.take() {
            Some(player) => player,
            None => {
                let mut player = afterstate_players::build::<P>(agent).map_err(|error| error.to_string())?;
                player.start_game(seed);
                player
            }
        };
        self.stop.lower();
        self.infinite = infinite;
        let stop = self.stop.clone();
        self.thinking = Some(std::thread::spawn(move || {
            think(&mut *player, &history, limits, &stop);
            player
        }));
        Ok(())
    }

    /// Ends the current thought; its answer is printed before this returns.
    pub(super) fn stop(&mut self) {
        self.stop.raise();
        self.join();
    }

    /// Waits for the current thought, which the agent's own limits end, unless it was asked for until somebody stops it.
    pub(super) fn finish(&mut self) {
        if self.infinite {
            self.stop.raise();
        }
        self.join();
    }

    /// Ends the current thought and the player with it: the next one starts afresh.
    pub(super) fn forget(&mut self) {
        self.stop();
        self.player = None;
    }

    fn join(&mut self) {
        // A player that died with its thread is built anew by the next `go`.
        if let Some(Ok(player)) = self.thinking.take().map(JoinHandle::join) {
            self.player = Some(player);
        }
    }
}

/// Decides and prints: `info` lines on the way, the last one with the result, and `bestmove` at the end. If nobody reads any more,
/// nobody is told.
fn think<P: CliGame>(player: &mut dyn Player<P>, history: &History<P>, limits: Limits, stop: &Stop) {
    let mut told = None;
    let mut observer = |decision: &_| {
        let report = DecisionReport::new(history.position(), decision);
        let _ = say(info(&report));
        told = Some(report);
    };
    let decided = player.decide(Task { history, limits, stop, observer: &mut observer });
    device::tell_once();
    let answer = match decided {
        Ok(decision) => {
            let report = DecisionReport::new(history.position(), &decision);
            if !told.is_some_and(|told| says_the_same(&told, &report)) {
                let _ = say(info(&report));
            }
            format!("bestmove {}", report.best)
        }
        Err(error) => format!("info string {error}\nbestmove none"),
    };
    let _ = say(answer);
}

/// Whether the `info` lines differ at most in their times: a later look at the clock is no news.
fn says_the_same(one: &DecisionReport, other: &DecisionReport) -> bool {
    let said = |report: &DecisionReport| (report.depth, report.value, report.nodes, report.line.clone());
    said(one) == said(other)
}

fn info(report: &DecisionReport) -> String {
    let value = report.value.map_or_else(String::new, |value| format!(" score {value}"));
    format!(
        "info depth {}{value} nodes {} time {} pv {}",
        report.depth,
        report.nodes,
        (report.seconds * 1e3).round(),
        report.line.join(" ")
    )
}
