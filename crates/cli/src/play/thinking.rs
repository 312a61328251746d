//! A decision that a key can end: on a raw terminal Ctrl-C is a key too.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use afterstate_game::{Decision, History, Limits, Player, Stop, Task};
use afterstate_twenty48::{Direction, State};

use crate::failure::Failure;
use crate::terminal::{Key, Screen};

/// How thinking ended.
pub(super) enum Thought {
    Decided(Decision<Direction>),
    /// There was nothing to decide.
    GameOver,
    /// A key came first.
    Ended(Key),
}

/// Lets the player think in a thread of its own until it has decided or a key that `ends` it is pressed.
pub(super) fn think(
    screen: &Screen,
    player: &mut dyn Player<State>,
    history: &History<State>,
    ends: impl Fn(Key) -> bool,
) -> Result<Thought, Failure> {
    let stop = Stop::new();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            let task = Task { history, limits: Limits::NONE, stop, observer: &mut |_| {} };
            // Where a key came first nobody waits for it.
            let _ = sender.send(player.decide(task));
        });
        loop {
            match receiver.recv_timeout(Duration::from_millis(10)) {
                Ok(decided) => return Ok(decided.map_or(Thought::GameOver, Thought::Decided)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Thought::GameOver),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let pressed = screen.key(Duration::ZERO).inspect_err(|_| stop.raise())?;
            if let Some(key) = pressed.filter(|&key| ends(key)) {
                stop.raise();
                return Ok(Thought::Ended(key));
            }
        }
    })
}
