//! Keys of agents and evaluations as data: name, default, what values are allowed, and what they mean.
//! The listing, the validation and the defaults all come from this one description.

use std::time::Duration;

use crate::error::nearest;
use crate::{Spec, SpecError};

/// One setting of an agent or an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Its name in a spec.
    pub name: &'static str,
    /// The value when it is not given, in the words of a spec.
    pub default: &'static str,
    /// What values it takes.
    pub values: Values,
    /// What it does, in one line.
    pub help: &'static str,
}

/// What values a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// A whole number in a range.
    Integer(u64, u64),
    /// A whole number in a range, or `off`.
    IntegerOrOff(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// A number in a range, or `off`.
    NumberOrOff(f64, f64),
    /// A time such as `5ms` or `1.5s`, or `off`.
    TimeOrOff,
    /// A memory size such as `64M` or `2G`, or `off`.
    SizeOrOff,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// The name of a shipped model, or the path of a model file.
    Model,
    /// `all` for the endgame tables that can be found, the path of a folder, or `off`.
    Tables,
    /// An evaluation, with its own keys.
    Evaluation,
    /// One of these words, each with settings of its own: `word(key=value, ...)`.
    Variant(&'static [Variant]),
}

/// One of the words of [`Values::Variant`] with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// The word.
    pub name: &'static str,
    /// Its settings.
    pub keys: &'static [Key],
}

impl Variant {
    /// A word without settings.
    #[must_use]
    pub const fn plain(name: &'static str) -> Self {
        Self { name, keys: &[] }
    }

    /// `off`, or `on` with settings.
    #[must_use]
    pub const fn technique(keys: &'static [Key]) -> [Self; 2] {
        [Self::plain("off"), Self { name: "on", keys }]
    }

    /// The word with its settings and their defaults.
    fn describe(&self) -> String {
        let settings: Vec<String> = self.keys.iter().map(|key| format!("{}={}", key.name, key.default)).collect();
        if settings.is_empty() { self.name.to_owned() } else { format!("{}({})", self.name, settings.join(", ")) }
    }
}

impl Values {
    /// The allowed values in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Integer(min, max) => format!("a whole number from {min} to {max}"),
            Self::IntegerOrOff(min, max) => format!("a whole number from {min} to {max}, or off"),
            Self::Number(min, max) => format!("a number from {min} to {max}"),
            Self::NumberOrOff(min, max) => format!("a number from {min} to {max}, or off"),
            Self::TimeOrOff => "a time such as 5ms or 1.5s (at most 1 day), or off".to_owned(),
            Self::SizeOrOff => format!("a memory size such as 64M or 2G (at most {}), or off", size_text(MAX_SIZE)),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Switch => "on or off".to_owned(),
            Self::Model => "the name of a shipped model or the path of a model file".to_owned(),
            Self::Tables => "all, the path of a folder, or off".to_owned(),
            Self::Evaluation => "an evaluation".to_owned(),
            Self::Variant(variants) => {
                let words: Vec<String> = variants.iter().map(Variant::describe).collect();
                format!("one of {}", words.join(", "))
            }
        }
    }
}

/// No table is ever larger than this; how much fits is checked against the machine's memory as well.
const MAX_SIZE: u64 = 1 << 40;
/// No decision takes longer.
const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The arguments of one agent or evaluation, checked against its keys, read by name.
#[derive(Clone, Debug)]
pub struct Arguments {
    owner: String,
    keys: &'static [Key],
    spec: Spec,
}

impl Arguments {
    /// Checks that every given key exists. Values are checked when they are read.
    pub fn new(owner: impl Into<String>, keys: &'static [Key], spec: Spec) -> Result<Self, SpecError> {
        let arguments = Self { owner: owner.into(), keys, spec };
        for (key, _) in &arguments.spec.arguments {
            arguments.key(key)?;
        }
        Ok(arguments)
    }

    /// Whether the key was given (not left to its default).
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        self.spec.argument(name).is_some()
    }

    fn key(&self, name: &str) -> Result<&'static Key, SpecError> {
        self.keys.iter().find(|key| key.name == name).ok_or_else(|| SpecError::UnknownKey {
            owner: self.owner.clone(),
            key: name.to_owned(),
            nearest: nearest(name, self.keys.iter().map(|key| key.name)),
            allowed: self.keys.iter().map(|key| key.name.to_owned()).collect(),
        })
    }

    /// The value of a key as a spec: as given, or its default.
    pub fn spec(&self, name: &str) -> Result<Spec, SpecError> {
        let key = self.key(name)?;
        self.spec.argument(name).cloned().map_or_else(|| Spec::parse(key.default), Ok)
    }

    /// Reads a value with `read`, which returns `None` for what is not allowed.
    fn read<T>(&self, name: &str, read: impl FnOnce(&str, &Values) -> Option<T>) -> Result<T, SpecError> {
        let key = self.key(name)?;
        let value = self.spec(name)?;
        let scalar = if value.arguments.is_empty() { read(&value.name, &key.values) } else { None };
        scalar.ok_or_else(|| self.bad_value(name, &value, key.values.describe()))
    }

    /// A name or a path, which has no settings of its own.
    pub fn word(&self, name: &str) -> Result<String, SpecError> {
        self.read(name, |text, _| Some(text.to_owned()))
    }

    /// The error for a value that is not allowed.
    pub fn bad_value(&self, name: &str, value: &Spec, expected: impl Into<String>) -> SpecError {
        SpecError::BadValue {
            owner: self.owner.clone(),
            key: name.to_owned(),
            value: value.to_string(),
            expected: expected.into(),
        }
    }

    /// The error for settings that cannot work together or on this machine.
    pub fn unsuitable(&self, reason: impl Into<String>) -> SpecError {
        SpecError::Unsuitable { owner: self.owner.clone(), reason: reason.into() }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Result<u64, SpecError> {
        self.read(name, |text, values| match values {
            Values::Integer(min, max) => text.parse().ok().filter(|n| (min..=max).contains(&n)),
            _ => None,
        })
    }

    /// A whole number, or `None` for `off`.
    pub fn integer_or_off(&self, name: &str) -> Result<Option<u64>, SpecError> {
        self.read(name, |text, values| match values {
            Values::IntegerOrOff(..) if text == "off" => Some(None),
            Values::IntegerOrOff(min, max) => text.parse().ok().filter(|n| (min..=max).contains(&n)).map(Some),
            _ => None,
        })
    }

    /// A number.
    pub fn number(&self, name: &str) -> Result<f64, SpecError> {
        self.read(name, |text, values| match values {
            Values::Number(min, max) => text.parse().ok().filter(|n| (min..=max).contains(&n)),
            _ => None,
        })
    }

    /// A number, or `None` for `off`.
    pub fn number_or_off(&self, name: &str) -> Result<Option<f64>, SpecError> {
        self.read(name, |text, values| match values {
            Values::NumberOrOff(..) if text == "off" => Some(None),
            Values::NumberOrOff(min, max) => text.parse().ok().filter(|n| (min..=max).contains(&n)).map(Some),
            _ => None,
        })
    }

    /// A time, or `None` for `off`.
    pub fn time_or_off(&self, name: &str) -> Result<Option<Duration>, SpecError> {
        self.read(name, |text, values| match values {
            Values::TimeOrOff if text == "off" => Some(None),
            Values::TimeOrOff => parse_time(text).map(Some),
            _ => None,
        })
    }

    /// A memory size in bytes, or `None` for `off`.
    pub fn size_or_off(&self, name: &str) -> Result<Option<u64>, SpecError> {
        self.read(name, |text, values| match values {
            Values::SizeOrOff if text == "off" => Some(None),
            Values::SizeOrOff => parse_size(text).map(Some),
            _ => None,
        })
    }

    /// One of the words of a choice.
    pub fn choice(&self, name: &str) -> Result<&'static str, SpecError> {
        self.read(name, |text, values| match values {
            Values::Choice(words) => words.iter().copied().find(|&word| word == text),
            _ => None,
        })
    }

    /// The chosen variant: its word, and its settings to be read.
    pub fn variant(&self, name: &str) -> Result<(&'static str, Self), SpecError> {
        let value = self.spec(name)?;
        let values = &self.key(name)?.values;
        let chosen = match values {
            Values::Variant(variants) => variants.iter().find(|variant| variant.name == value.name),
            _ => None,
        };
        match chosen {
            Some(variant) => {
                let owner = format!("{}, {name}={}", self.owner, variant.name);
                Ok((variant.name, Self::new(owner, variant.keys, value)?))
            }
            None => Err(self.bad_value(name, &value, values.describe())),
        }
    }

    /// The settings of a technique that is `off` or `on(key=value, ...)`.
    pub fn technique(&self, name: &str) -> Result<Option<Self>, SpecError> {
        let (word, settings) = self.variant(name)?;
        Ok((word == "on").then_some(settings))
    }

    /// `on` or `off`.
    pub fn switch(&self, name: &str) -> Result<bool, SpecError> {
        self.read(name, |text, values| match (values, text) {
            (Values::Switch, "on") => Some(true),
            (Values::Switch, "off") => Some(false),
            _ => None,
        })
    }
}

/// Reads `250us`, `5ms`, `1.5s`, `2m` or plain seconds.
#[must_use]
pub fn parse_time(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let factor = match &text[unit_at..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    let seconds = text[..unit_at].parse::<f64>().ok()? * factor;
    Duration::try_from_secs_f64(seconds).ok().filter(|&time| time <= MAX_TIME)
}

/// Reads `65536`, `512K`, `64M` or `2G` (powers of 1024) as bytes.
#[must_use]
pub fn parse_size(text: &str) -> Option<u64> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let shift = match &text[unit_at..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    let bytes = text[..unit_at].parse::<u64>().ok()?.checked_mul(1 << shift)?;
    (64..=MAX_SIZE).contains(&bytes).then_some(bytes)
}

fn size_text(bytes: u64) -> String {
    format!("{}G", bytes >> 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(parse_time("5ms"), Some(Duration::from_millis(5)));
        assert_eq!(parse_time("1.5s"), Some(Duration::from_millis(1500)));
        assert_eq!(parse_time("0"), Some(Duration::ZERO));
        assert_eq!(parse_time("2h"), None);
        assert_eq!(parse_time("-1s"), None);
        assert_eq!(parse_time("nan"), None);
        assert_eq!(parse_size("64M"), Some(64 << 20));
        assert_eq!(parse_size("10000G"), None);
        assert_eq!(parse_size("99999999999999999999G"), None);
        assert_eq!(parse_size("-1"), None);
    }

    const KEYS: &[Key] = &[
        Key { name: "depth", default: "3", values: Values::Integer(1, 20), help: "" },
        Key { name: "c", default: "1.4", values: Values::Number(0.0, 100.0), help: "" },
        Key { name: "table", default: "off", values: Values::SizeOrOff, help: "" },
        Key {
            name: "null",
            default: "off",
            values: Values::Variant(&Variant::technique(&[Key {
                name: "min",
                default: "3",
                values: Values::Integer(1, 9),
                help: "",
            }])),
            help: "",
        },
    ];

    fn read<T>(text: &str, get: impl FnOnce(Arguments) -> Result<T, SpecError>) -> Result<T, String> {
        let spec = Spec::parse(text).unwrap();
        Arguments::new("agent", KEYS, spec).and_then(get).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_checked_against_their_keys() {
        assert_eq!(read("agent(depth=7)", |a| a.integer("depth")), Ok(7));
        assert_eq!(read("agent", |a| a.integer("depth")), Ok(3));
        assert_eq!(read("agent(table=1M)", |a| a.size_or_off("table")), Ok(Some(1 << 20)));
        let error =
            |text| read(text, |a| Ok((a.integer("depth")?, a.number("c")?, a.size_or_off("table")?))).unwrap_err();
        assert_eq!(error("agent(depth=0)"), "`agent`: depth=0 is not allowed; expected a whole number from 1 to 20");
        assert_eq!(error("agent(c=nan)"), "`agent`: c=nan is not allowed; expected a number from 0 to 100");
        assert_eq!(
            error("agent(dept=1)"),
            "`agent` has no key `dept` (did you mean `depth`?); its keys: depth, c, table, null"
        );
        assert!(error("agent(table=10000G)").contains("at most 1024G"));
        assert!(error("agent(depth=x(y=1))").contains("a whole number"));
    }

    #[test]
    fn a_technique_is_off_or_on_with_its_own_keys() {
        let min = |text| read(text, |a| a.technique("null")?.map(|on| on.integer("min")).transpose());
        assert_eq!(min("agent"), Ok(None));
        assert_eq!(min("agent(null=off)"), Ok(None));
        assert_eq!(min("agent(null=on)"), Ok(Some(3)));
        assert_eq!(min("agent(null=on(min=5))"), Ok(Some(5)));
        let wrong_key = "`agent, null=on` has no key `max` (did you mean `min`?); its keys: min";
        assert_eq!(min("agent(null=on(max=5))").unwrap_err(), wrong_key);
        assert_eq!(min("agent(null=off(min=5))").unwrap_err(), "`agent, null=off` has no key `min`; it has no keys");
        assert!(min("agent(null=3)").unwrap_err().ends_with("expected one of off, on(min=3)"));
    }
}
