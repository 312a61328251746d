//! The terminal taken over for a live board, and given back whatever happens.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, event, execute, queue, style, terminal};

use crate::failure::Failure;

/// A full-screen view. Dropping it restores the terminal, also when the program panics.
pub(crate) struct Screen {
    out: io::Stdout,
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn open() -> Result<Self, Failure> {
        if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return Err(Failure::input(
                "a live board needs a terminal; leave out --watch, or use --agent with a program",
            ));
        }
        terminal::enable_raw_mode()?;
        let mut screen = Self { out: io::stdout() };
        execute!(screen.out, terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Replaces what is shown. Lines may contain colours.
    pub(crate) fn show(&mut self, lines: &[String]) -> Result<(), Failure> {
        queue!(self.out, cursor::MoveTo(0, 0))?;
        for line in lines {
            queue!(
                self.out,
                style::Print(line),
                terminal::Clear(terminal::ClearType::UntilNewLine),
                cursor::MoveToNextLine(1)
            )?;
        }
        queue!(self.out, terminal::Clear(terminal::ClearType::FromCursorDown))?;
        self.out.flush()?;
        Ok(())
    }

    /// The next key within `wait`, if one is pressed.
    pub(crate) fn key(&self, wait: Duration) -> Result<Option<Key>, Failure> {
        if !event::poll(wait)? {
            return Ok(None);
        }
        let Event::Key(pressed) = event::read()? else { return Ok(None) };
        if pressed.kind == KeyEventKind::Release {
            return Ok(None);
        }
        let ctrl_c = pressed.code == KeyCode::Char('c') && pressed.modifiers.contains(KeyModifiers::CONTROL);
        Ok(match pressed.code {
            _ if ctrl_c => Some(Key::Interrupt),
            KeyCode::Up => Some(Key::Up),
            KeyCode::Down => Some(Key::Down),
            KeyCode::Left => Some(Key::Left),
            KeyCode::Right => Some(Key::Right),
            KeyCode::Esc => Some(Key::Letter('q')),
            KeyCode::Char(letter) => Some(Key::Letter(letter.to_ascii_lowercase())),
            _ => None,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing can be done about a terminal that is gone.
        let _ = execute!(self.out, cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// A key that means something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Up,
    Down,
    Left,
    Right,
    Letter(char),
    /// Ctrl-C, which a raw terminal delivers as a key.
    Interrupt,
}
