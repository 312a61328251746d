//! Openings as text: one position on each line, with or without a name.

use afterstate_game::Notation;

use super::Opening;

/// What is wrong with a list of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// A line that holds no position.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// No line holds a position.
    #[error("no openings; expected one position on each line")]
    Empty,
}

/// Reads `name: position` or a bare position from each line; `#` begins a comment.
pub fn parse_openings<P: Notation>(text: &str) -> Result<Vec<Opening<P>>, OpeningsError> {
    let mut openings = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let (name, position) = content.split_once(':').unwrap_or(("", content));
        let position =
            P::parse(position.trim()).map_err(|error| OpeningsError::Line { line, reason: error.to_string() })?;
        let name = if name.trim().is_empty() { format!("line {line}") } else { name.trim().to_owned() };
        openings.push(Opening { name, position });
    }
    if openings.is_empty() { Err(OpeningsError::Empty) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_abalone::{Layout, Position};

    #[test]
    fn lines_hold_positions_with_and_without_names() {
        let standard = Layout::Standard.position().to_text();
        let text = format!("# two openings\nfirst: {standard}\n\n{standard} # again\n");
        let openings = parse_openings::<Position>(&text).unwrap();
        let names: Vec<&str> = openings.iter().map(|opening| opening.name.as_str()).collect();
        assert_eq!(names, ["first", "line 4"]);
        assert_eq!(openings[1].position, Layout::Standard.position());
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = parse_openings::<Position>("# nothing\nfirst: here be dragons").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert_eq!(parse_openings::<Position>("\n# nothing\n"), Err(OpeningsError::Empty));
    }
}
