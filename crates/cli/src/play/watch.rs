//! One game of an agent, shown as a live board.

use std::time::{Duration, Instant};

use afterstate_game::{Afterstate, History, Limits, Player, Position, Side, Stop, Task};
use afterstate_lab::{GameSeeds, Transcript};
use afterstate_twenty48::State;

use crate::failure::Failure;
use crate::terminal::{Key, Screen, board2048};
use crate::{device, number};

/// What was shown.
pub(super) struct Watched {
    pub(super) game: Transcript<State>,
    pub(super) score: u32,
    pub(super) finished: bool,
}

/// Plays a game on the screen, at most `speed` moves a second, until it is over or a key says `q`.
pub(super) fn run(
    agent: &str,
    player: &mut dyn Player<State>,
    start: State,
    seeds: GameSeeds,
    speed: f64,
) -> Result<Watched, Failure> {
    let mut screen = Screen::open()?;
    let pause = Duration::try_from_secs_f64(1.0 / speed).unwrap_or(Duration::MAX).min(Duration::from_secs(60));
    let stop = Stop::new();
    let mut history = History::new(start);
    let mut game = Transcript { start, plies: Vec::new() };
    let mut score = 0;
    player.start_game(seeds.player(Side::First));
    loop {
        let shown = Instant::now();
        screen.show(&lines(agent, history.position(), score, history.ply()))?;
        let task = Task { history: &history, limits: Limits::NONE, stop: &stop, observer: &mut |_| {} };
        let Ok(decision) = player.decide(task) else { break };
        device::check(agent)?;
        if let Some(Key::Letter('q') | Key::Interrupt) = screen.key(pause.saturating_sub(shown.elapsed()))? {
            break;
        }
        let played = history.position().play_unchecked(decision.best);
        score += played.reward;
        let next = played.afterstate.draw(&mut seeds.chance(history.ply() + 1));
        history.push(decision.best, next);
        game.plies.push((decision.best, next));
    }
    Ok(Watched { game, score, finished: history.position().outcome().is_some() })
}

fn lines(agent: &str, state: &State, score: u32, moves: u32) -> Vec<String> {
    let mut lines = vec![format!("2048   score {}   move {moves}", number::grouped(score.into())), String::new()];
    lines.extend(board2048::coloured(state.0));
    lines.extend([String::new(), format!("{agent} is playing; q leaves")]);
    lines
}
