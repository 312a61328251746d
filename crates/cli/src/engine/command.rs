//! The commands of the engine protocol, read from one line of text.

use std::time::Duration;

use afterstate_game::Limits;

/// One command.
#[derive(Debug, PartialEq)]
pub(super) enum Command<'a> {
    /// An empty line.
    Nothing,
    Ugi,
    IsReady,
    NewGame,
    SetOption {
        name: &'a str,
        value: &'a str,
    },
    Position {
        /// The text of the start position; `None` for the game's own start.
        start: Option<&'a str>,
        moves: Vec<&'a str>,
    },
    Go {
        /// On top of the agent's own.
        limits: Limits,
        /// Whether an end of the input ends the search as well.
        infinite: bool,
    },
    Stop,
    Query(&'a str),
    Quit,
}

impl<'a> Command<'a> {
    /// Reads a command; the error is a complaint to be shown.
    pub(super) fn parse(line: &'a str) -> Result<Self, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match word {
            "" => Self::Nothing,
            "ugi" | "uci" => Self::Ugi,
            "isready" => Self::IsReady,
            "uginewgame" | "ucinewgame" => Self::NewGame,
            "setoption" => set_option(rest)?,
            "position" => position(rest)?,
            "go" => go(rest)?,
            "stop" => Self::Stop,
            "query" => Self::Query(rest),
            "quit" => Self::Quit,
            _ => {
                let shown: String = word.chars().take(40).collect();
                return Err(format!(
                    "unknown command `{}`; known: ugi, isready, uginewgame, setoption, position, go, stop, query, quit",
                    shown.escape_default()
                ));
            }
        })
    }
}

fn set_option(rest: &str) -> Result<Command<'_>, String> {
    let usage = || "setoption: expected `setoption name NAME value VALUE`".to_owned();
    let named = rest.strip_prefix("name").ok_or_else(usage)?;
    let (name, value) = named.split_once(" value ").ok_or_else(usage)?;
    Ok(Command::SetOption { name: name.trim(), value: value.trim() })
}

fn position(rest: &str) -> Result<Command<'_>, String> {
    let (start, moves) = match rest.find("moves") {
        Some(at) => (rest[..at].trim(), rest[at + "moves".len()..].split_whitespace().collect()),
        None => (rest, Vec::new()),
    };
    if start == "startpos" {
        return Ok(Command::Position { start: None, moves });
    }
    match start.strip_prefix("fen") {
        Some(text) if !text.trim().is_empty() => Ok(Command::Position { start: Some(text.trim()), moves }),
        _ => Err("position: expected `position startpos` or `position fen TEXT`, then `moves ...`".to_owned()),
    }
}

fn go(rest: &str) -> Result<Command<'_>, String> {
    let mut limits = Limits::NONE;
    let mut infinite = false;
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, String> {
            let text = words.next().unwrap_or_default();
            text.parse().map_err(|_| format!("go: `{word}` takes a whole number, not `{text}`"))
        };
        match word {
            "infinite" => infinite = true,
            "depth" => {
                let depth = number()?;
                limits.depth = Some(u32::try_from(depth).map_err(|_| format!("go: depth {depth} is too large"))?);
            }
            "nodes" => limits.nodes = Some(number()?),
            "iterations" => limits.iterations = Some(number()?),
            "movetime" => limits.time = Some(Duration::from_millis(number()?)),
            _ => {
                return Err(format!(
                    "go: unknown word `{}`; known: depth, nodes, iterations, movetime, infinite",
                    word.escape_default()
                ));
            }
        }
    }
    Ok(Command::Go { limits, infinite })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let check = |line: &str, command| assert_eq!(Command::parse(line).unwrap(), command);
        check("", Command::Nothing);
        check("ugi", Command::Ugi);
        check("setoption name Agent value random", Command::SetOption { name: "Agent", value: "random" });
        check(
            "position fen 2 0/4 2 moves left a1=2",
            Command::Position { start: Some("2 0/4 2"), moves: vec!["left", "a1=2"] },
        );
        check("position startpos", Command::Position { start: None, moves: vec![] });
        check(
            "go depth 4 movetime 50",
            Command::Go {
                limits: Limits { depth: Some(4), time: Some(Duration::from_millis(50)), ..Limits::NONE },
                infinite: false,
            },
        );
        check("go infinite", Command::Go { limits: Limits::NONE, infinite: true });
    }

    #[test]
    fn a_wrong_command_gets_a_complaint() {
        let complaint = |line: &str| Command::parse(line).unwrap_err();
        assert!(complaint("xyzzy").starts_with("unknown command `xyzzy`; known: ugi"));
        assert_eq!(complaint("go depth x"), "go: `depth` takes a whole number, not `x`");
        assert_eq!(complaint("go depth"), "go: `depth` takes a whole number, not ``");
        assert!(complaint("go sideways").contains("unknown word `sideways`"));
        assert!(complaint("position").contains("startpos"));
        assert!(complaint("setoption Agent").contains("name NAME"));
    }
}
