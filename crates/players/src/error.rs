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

/// The known name most similar to `name`, if it is similar at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, candidate)| distance <= 1 + candidate.len().min(name.len()) / 3)
        .map(|(_, candidate)| candidate.to_owned())
}

/// The Levenshtein distance in bytes; names are ASCII.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut current = vec![i + 1];
        for (j, y) in b.bytes().enumerate() {
            let replaced = previous[j] + usize::from(x != y);
            current.push(replaced.min(previous[j + 1] + 1).min(current[j] + 1));
        }
        previous = current;
    }
    previous[b.len()]
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
}
