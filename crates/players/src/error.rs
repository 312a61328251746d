//! What can be wrong with an agent spec.

/// A spec that cannot become a player: what was wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text has not the shape of a spec.
    #[error("spec, column {column}: found {found}, expected {expected}")]
    Syntax {
        /// Where, counted in characters from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// No agent, preset or evaluation has this name.
    #[error("unknown {what} `{name}`{}; known: {}", suggestion(nearest.as_deref()), known.join(", "))]
    UnknownName {
        /// "2048 agent", "evaluation" and so on.
        what: String,
        /// The name that was given.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// The agent has no such key.
    #[error("`{owner}` has no key `{key}`{}; {}", suggestion(nearest.as_deref()), allowed_keys(allowed))]
    UnknownKey {
        /// The agent or evaluation.
        owner: String,
        /// The key that was given.
        key: String,
        /// The most similar known key.
        nearest: Option<String>,
        /// All keys of the owner.
        allowed: Vec<String>,
    },
    /// The value of a key is not one it can have.
    #[error("`{owner}`: {key}={value} is not allowed; expected {expected}")]
    BadValue {
        /// The agent or evaluation.
        owner: String,
        /// The key.
        key: String,
        /// The value that was given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// The settings are each fine and do not go together, or the machine cannot provide what they ask for.
    #[error("`{owner}`: {reason}")]
    Unsuitable {
        /// The agent.
        owner: String,
        /// Why it cannot be built.
        reason: String,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

fn allowed_keys(allowed: &[String]) -> String {
    if allowed.is_empty() { "it has no keys".to_owned() } else { format!("its keys: {}", allowed.join(", ")) }
}

/// The known name most similar to `name`, if it is similar at all. Of two that are one slip away the one of the same length is
/// meant: `gamse` is `games` with two letters swapped rather than `game` with one too many.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .min_by_key(|&(distance, candidate)| (distance, candidate.len().abs_diff(name.len())))
        .filter(|&(distance, candidate)| distance <= 1 + candidate.len().min(name.len()) / 3)
        .map(|(_, candidate)| candidate.to_owned())
}

/// The least number of bytes to add, leave out, replace, or swap with their neighbour (optimal string alignment); names are
/// ASCII.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let edited = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row.push(if swaps { edited.min(rows[i - 2][j - 2] + 1) } else { edited });
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        let known = ["depth", "eval", "table", "time"];
        assert_eq!(nearest("dept", known).as_deref(), Some("depth"));
        assert_eq!(nearest("tabel", known).as_deref(), Some("table"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn two_letters_swapped_are_one_slip() {
        assert_eq!(nearest("gamse", ["game", "games", "name"]).as_deref(), Some("games"));
        assert_eq!(edit_distance("gamse", "games"), 1);
        assert_eq!(edit_distance("ca", "abc"), 3);
        assert_eq!(edit_distance("", "ab"), 2);
    }
}
