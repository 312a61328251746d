//! One game of an agent, shown as a live board.

use std::time::{Duration, Instant};

use afterstate_game::{Afterstate, History, Player, Position, Side};
use afterstate_lab::{GameSeeds, Transcript};
use afterstate_twenty48::State;

use super::thinking::{Thought, think};
use crate::failure::Failure;
use crate::terminal::{Key, Screen, board2048};
use crate::{device, number};

/// What was shown.
pub(super) struct Watched {
    pub(super) game: Transcript<State>,
    pub(super) score: u32,
    /// The key that ended it.
    pub(super) left: Option<Key>,
}

impl Watched {
    pub(super) fn new(start: State) -> Self {
        Self { game: Transcript { start, plies: Vec::new() }, score: 0, left: None }
    }
}

/// Plays a game on the screen, at most `speed` moves a second, until it is over or a key says `q`. What was played before an
/// error is there too.
pub(super) fn run(
    agent: &str,
    player: &mut dyn Player<State>,
    Watched { game, score, left }: &mut Watched,
    seeds: GameSeeds,
    speed: f64,
) -> Result<(), Failure> {
    let mut screen = Screen::open()?;
    let pause = Duration::try_from_secs_f64(1.0 / speed).unwrap_or(Duration::MAX).min(Duration::from_secs(60));
    let leaves = |key| matches!(key, Key::Letter('q') | Key::Interrupt);
    let mut history = History::new(game.start);
    player.start_game(seeds.player(Side::First));
    loop {
        let shown = Instant::now();
        screen.show(&lines(agent, history.position(), *score, history.ply()))?;
        let decision = match think(&screen, player, &history, leaves)? {
            Thought::Decided(decision) => decision,
            Thought::GameOver => return Ok(()),
            Thought::Ended(key) => {
                *left = Some(key);
                return Ok(());
            }
        };
        device::check(agent)?;
        *left = screen.key(pause.saturating_sub(shown.elapsed()))?.filter(|&key| leaves(key));
        if left.is_some() {
            return Ok(());
        }
        let played = history.position().play_unchecked(decision.best);
        *score += played.reward;
        let next = played.afterstate.draw(&mut seeds.chance(history.ply() + 1));
        history.push(decision.best, next);
        game.plies.push((decision.best, next));
    }
}

fn lines(agent: &str, state: &State, score: u32, moves: u32) -> Vec<String> {
    let mut lines = vec![format!("2048   score {}   move {moves}", number::grouped(score.into())), String::new()];
    lines.extend(board2048::coloured(state.0));
    lines.extend([String::new(), format!("{agent} is playing; q leaves")]);
    lines
}
