//! The text form of an agent: `name` or `name(key=value, ...)`.
//!
//! A value is itself a spec: a number or a word is a spec without arguments, so `eval=maqsood(empty=8)` needs no second
//! grammar. This module knows the shape of the text only; which names and keys exist is the catalogue's business.

use std::fmt;

use crate::SpecError;

/// A parsed spec. [`fmt::Display`] writes the canonical text, which parses back to the same spec.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The agent, preset, evaluation or scalar.
    pub name: String,
    /// The arguments in the order they were written, each key once.
    pub arguments: Vec<(String, Self)>,
}

/// Longer texts are refused unread: no sensible spec comes near.
const MAX_LENGTH: usize = 4096;
/// Arguments within arguments; an evaluation inside an agent is the second level.
const MAX_NESTING: usize = 8;

impl Spec {
    /// A spec without arguments.
    pub fn word(name: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: Vec::new() }
    }

    /// Reads a spec.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        if text.len() > MAX_LENGTH {
            return Err(SpecError::Syntax {
                column: MAX_LENGTH + 1,
                found: format!("{} bytes", text.len()),
                expected: "a spec of at most 4096 bytes",
            });
        }
        let mut reader = Reader { text, at: 0 };
        let spec = reader.spec(0)?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.error("the end of the spec"));
        }
        Ok(spec)
    }

    /// The value of a key, if it was given.
    #[must_use]
    pub fn argument(&self, key: &str) -> Option<&Self> {
        self.arguments.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// This spec with the keys in alphabetical order, on every level.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.arguments = self.arguments.into_iter().map(|(key, value)| (key, value.sorted())).collect();
        self.arguments.sort_by(|(a, _), (b, _)| a.cmp(b));
        self
    }

    /// This spec with the arguments of `other` put over its own.
    #[must_use]
    pub fn overridden_by(mut self, other: &[(String, Self)]) -> Self {
        for (key, value) in other {
            match self.arguments.iter_mut().find(|(name, _)| name == key) {
                Some((_, old)) => old.clone_from(value),
                None => self.arguments.push((key.clone(), value.clone())),
            }
        }
        self
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.arguments.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { "(" } else { ", " })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn spec(&mut self, nesting: usize) -> Result<Spec, SpecError> {
        if nesting > MAX_NESTING {
            return Err(self.error("at most 8 levels of arguments"));
        }
        let name = self.word("a name or a number")?;
        let mut spec = Spec::word(name);
        if !self.take('(') || self.take(')') {
            return Ok(spec);
        }
        loop {
            let key_at = self.at;
            let key = self.word("a key")?;
            if spec.argument(&key).is_some() {
                self.at = key_at;
                return Err(self.error("each key once"));
            }
            if !self.take('=') {
                return Err(self.error("`=` and a value"));
            }
            let value = self.spec(nesting + 1)?;
            spec.arguments.push((key, value));
            if self.take(')') {
                return Ok(spec);
            }
            if !self.take(',') {
                return Err(self.error("`,` or `)`"));
            }
        }
    }

    fn word(&mut self, expected: &'static str) -> Result<String, SpecError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error(expected));
        }
        self.at += length;
        Ok(rest[..length].to_owned())
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn error(&self, expected: &'static str) -> SpecError {
        let rest: String = self.text[self.at..].trim_start().chars().take(20).collect();
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{}`", rest.escape_default()) };
        SpecError::Syntax { column: self.text[..self.at].chars().count() + 1, found, expected }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '+' | '%')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_spec_is_read_with_nested_values_and_any_white_space() {
        let spec = Spec::parse(" expectimax( depth = 4,eval=maqsood(empty=8.5 , x=-1) ) ").unwrap();
        assert_eq!(spec.to_string(), "expectimax(depth=4, eval=maqsood(empty=8.5, x=-1))");
        assert_eq!(Spec::parse("maqsood/exp6()").unwrap(), Spec::word("maqsood/exp6"));
    }

    #[test]
    fn a_broken_spec_says_where_and_what_was_expected() {
        let check = |text: &str, message: &str| assert_eq!(Spec::parse(text).unwrap_err().to_string(), message);
        check("", "spec, column 1: found the end, expected a name or a number");
        check("a(b", "spec, column 4: found the end, expected `=` and a value");
        check("a(b=1", "spec, column 6: found the end, expected `,` or `)`");
        check("a(b=1,b=2)", "spec, column 7: found `b=2)`, expected each key once");
        check("a(b=1) x", "spec, column 8: found `x`, expected the end of the spec");
        check("a(b==1)", "spec, column 5: found `=1)`, expected a name or a number");
        check("ä", "spec, column 1: found `\\u{e4}`, expected a name or a number");
        assert!(Spec::parse(&"a(b=".repeat(100)).is_err());
        assert!(Spec::parse(&"a".repeat(5000)).is_err());
    }

    fn any_spec() -> impl Strategy<Value = Spec> {
        let leaf = "[a-z0-9./+%_-]{1,8}".prop_map(Spec::word);
        leaf.prop_recursive(3, 20, 4, |inner| {
            ("[a-z/]{1,8}", proptest::collection::btree_map("[a-z]{1,5}", inner, 0..4))
                .prop_map(|(name, arguments)| Spec { name, arguments: arguments.into_iter().collect() })
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(spec in any_spec()) {
            prop_assert_eq!(Spec::parse(&spec.to_string()).unwrap(), spec);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            let _ = Spec::parse(&text);
        }
    }
}
