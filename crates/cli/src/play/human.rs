//! A person plays 2048 in the terminal, with hints from any agent and undo.

use std::time::Duration;

use afterstate_game::{Afterstate, History, Player, Position};
use afterstate_lab::{GameSeeds, SoloGame, Transcript};
use afterstate_twenty48::{Direction, State};

use super::thinking::{Thought, think};
use crate::failure::Failure;
use crate::number;
use crate::terminal::{Key, Screen, board2048};

/// A game that a person plays.
pub(super) struct HumanGame {
    seeds: GameSeeds,
    /// Every turn so far, the current one last; never empty.
    turns: Vec<Turn>,
    hint: Vec<String>,
}

/// What undo brings back.
#[derive(Clone, Copy)]
struct Turn {
    state: State,
    score: u32,
    /// The move that led here; `None` at the start.
    mv: Option<Direction>,
}

impl HumanGame {
    pub(super) fn new(start: State, seeds: GameSeeds) -> Self {
        Self { seeds, turns: vec![Turn { state: start, score: 0, mv: None }], hint: Vec::new() }
    }

    /// Plays until the person leaves, by the key that is returned. The moves that count and the states they led to remain in the
    /// game.
    pub(super) fn run(&mut self, adviser: &mut dyn Player<State>) -> Result<Key, Failure> {
        let mut screen = Screen::open()?;
        let mut next = None;
        loop {
            screen.show(&self.lines())?;
            let pressed = if next.is_some() { next.take() } else { screen.key(Duration::from_millis(200))? };
            let Some(key) = pressed else { continue };
            match key {
                Key::Up | Key::Letter('w') => self.slide(Direction::Up),
                Key::Right | Key::Letter('d') => self.slide(Direction::Right),
                Key::Down | Key::Letter('s') => self.slide(Direction::Down),
                Key::Left | Key::Letter('a') => self.slide(Direction::Left),
                Key::Letter('h') => next = self.ask(&mut screen, adviser)?,
                Key::Letter('u') => self.undo(),
                Key::Letter('q') | Key::Interrupt => return Ok(key),
                Key::Letter(_) => {}
            }
        }
    }

    fn now(&self) -> Turn {
        self.turns[self.turns.len() - 1]
    }

    pub(super) fn score(&self) -> u32 {
        self.now().score
    }

    /// Moves that were not taken back.
    pub(super) fn moves(&self) -> usize {
        self.turns.len() - 1
    }

    /// The game in the record format, without what was taken back.
    pub(super) fn record(&self) -> String {
        let plies = self.turns.iter().filter_map(|turn| turn.mv.map(|mv| (mv, turn.state))).collect();
        State::record(&Transcript { start: self.turns[0].state, plies }, "human", self.seeds)
    }

    fn slide(&mut self, direction: Direction) {
        let Turn { state, score, .. } = self.now();
        let Ok(played) = state.play(direction) else { return };
        // The n-th spawn of a seed is always the same roll, so taking a move back and repeating it changes nothing.
        let next = played.afterstate.draw(&mut self.seeds.chance(self.turns.len() as u32));
        self.turns.push(Turn { state: next, score: score + played.reward, mv: Some(direction) });
        self.hint.clear();
    }

    fn undo(&mut self) {
        if self.turns.len() > 1 {
            self.turns.pop();
        }
        self.hint.clear();
    }

    /// Asks for a hint. A key that is pressed before it is there counts instead.
    fn ask(&mut self, screen: &mut Screen, adviser: &mut dyn Player<State>) -> Result<Option<Key>, Failure> {
        self.hint = vec!["thinking; any key ends it".to_owned()];
        screen.show(&self.lines())?;
        self.hint.clear();
        let decision = match think(screen, adviser, &History::new(self.now().state), |_| true)? {
            Thought::Decided(decision) => decision,
            Thought::GameOver => return Ok(None),
            Thought::Ended(key) => return Ok(Some(key)),
        };
        self.hint = decision
            .moves
            .iter()
            .map(|known| {
                let value = known.value.map_or_else(|| "only move".to_owned(), number::value);
                format!(
                    "  {:<6}{value:>14}{}",
                    known.mv.name(),
                    if known.mv == decision.best { "  <- best" } else { "" }
                )
            })
            .collect();
        Ok(None)
    }

    fn lines(&self) -> Vec<String> {
        let Turn { state, score, .. } = self.now();
        let mut lines = vec![format!("2048   score {}   move {}", number::grouped(score.into()), self.turns.len() - 1)];
        lines.push(String::new());
        lines.extend(board2048::coloured(state.0));
        lines.push(String::new());
        if state.outcome().is_some() {
            lines.push("Game over: no move is left. u takes a move back, q leaves.".to_owned());
        } else {
            lines.push("arrow keys or WASD move, h hint, u undo, q quit".to_owned());
        }
        lines.extend(self.hint.iter().cloned());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_game::Notation;

    fn game() -> HumanGame {
        let seeds = GameSeeds::new(1, 0, 0);
        HumanGame::new(State::start(&mut seeds.chance(0)), seeds)
    }

    #[test]
    fn a_move_taken_back_and_repeated_leads_to_the_same_board() {
        let mut game = game();
        let mv = game.turns[0].state.moves()[0];
        game.slide(mv);
        let (once, score) = (game.now().state, game.score());
        game.undo();
        assert_eq!(game.now().state, game.turns[0].state);
        game.undo();
        game.slide(mv);
        assert_eq!((game.now().state, game.score()), (once, score));
        assert_eq!(game.moves(), 1);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = game();
        let start: State = Notation::parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 0").unwrap();
        game.turns[0].state = start;
        game.slide(Direction::Up);
        game.slide(Direction::Left);
        assert_eq!(game.moves(), 0);
    }
}
