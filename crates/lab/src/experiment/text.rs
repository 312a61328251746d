//! From the text of a file and `key=value` overrides to a checked experiment.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use afterstate_players::nearest;
use toml::{Table, Value};

use super::Experiment;
use crate::store::is_database;

/// A file or an override that is no experiment: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Which kind of error that is.
        kind: io::ErrorKind,
        /// What the system says, or what is wrong with the content.
        reason: String,
    },
    /// The file holds the results of an experiment, not the experiment.
    #[error("{}: a results file (SQLite); expected an experiment (TOML)", path.display())]
    Results {
        /// The file.
        path: PathBuf,
    },
    /// The file is no text at all.
    #[error("{}: not a text (UTF-8); expected an experiment (TOML)", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// The text is not the text of an experiment.
    #[error("line {line}: {reason}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// An override or a profile that does not fit.
    #[error("{what}: {reason}")]
    Override {
        /// Which one.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Settings that do not go together.
    #[error("{setting}: {reason}")]
    Setting {
        /// Where.
        setting: String,
        /// What is wrong.
        reason: String,
    },
}

impl ExperimentError {
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), kind: error.kind(), reason: error.to_string() }
    }

    pub(crate) fn setting(setting: impl Into<String>, reason: impl std::fmt::Display) -> Self {
        Self::Setting { setting: setting.into(), reason: reason.to_string() }
    }
}

/// How an override begins that names a profile.
const PROFILE: &str = "profile=";

impl Experiment {
    /// Reads an experiment's file and puts the overrides (`key=value`, `profile=NAME`) over it.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ExperimentError> {
        let bytes = std::fs::read(path).map_err(|error| ExperimentError::unreadable(path, &error))?;
        if is_database(&bytes) {
            return Err(ExperimentError::Results { path: path.to_owned() });
        }
        let text = String::from_utf8(bytes).map_err(|_| ExperimentError::NoText { path: path.to_owned() })?;
        Self::parse(&text, overrides)
    }

    /// Reads an experiment and puts the overrides over it.
    ///
    /// `key=value` sets a key; keys of inner tables are separated by dots, places in lists are numbers:
    /// `stop.elo1=20`, `agents.0.spec=random`. A value that is no TOML is taken as text. `profile=NAME` puts the
    /// settings of a profile over the file's before that; `profile=paper` is the file as it stands.
    pub fn parse(text: &str, overrides: &[String]) -> Result<Self, ExperimentError> {
        // First as it stands, so that mistakes of the file are found with their line.
        let plain: Self = toml::from_str(text).map_err(|error| explain(text, &error))?;
        let mut table: Table = toml::from_str(text).map_err(|error| explain(text, &error))?;
        table.remove("profiles");
        let (file, overrides) = (Plain { table, profiles: &plain.profiles }, overrides.iter().map(String::as_str));
        let overrides: Vec<&str> = overrides.collect();
        file.with(&overrides)?.try_into().map_err(|error: toml::de::Error| ExperimentError::Override {
            what: file.wrong_one(&overrides, error.message()).to_owned(),
            reason: in_words(error.message()),
        })
    }

    /// The experiment as it is run: everything resolved, nothing left to profiles or overrides.
    #[must_use]
    pub fn resolved(&self) -> String {
        // Every part of an experiment came from TOML, so it can be written as TOML.
        toml::to_string(self).unwrap_or_default()
    }
}

/// An experiment's file as it stands.
struct Plain<'a> {
    /// Everything but the profiles.
    table: Table,
    profiles: &'a BTreeMap<String, Table>,
}

impl Plain<'_> {
    /// The settings with the overrides over them, profiles first.
    fn with(&self, overrides: &[&str]) -> Result<Table, ExperimentError> {
        let mut table = self.table.clone();
        for name in overrides.iter().filter_map(|setting| setting.strip_prefix(PROFILE)) {
            match self.profiles.get(name) {
                Some(profile) => merge(&mut table, profile),
                // The file as it stands, with the published numbers of games.
                None if name == "paper" => {}
                None => return Err(self.unknown_profile(name)),
            }
        }
        for setting in overrides.iter().filter(|setting| !setting.starts_with(PROFILE)) {
            apply(&mut table, setting)?;
        }
        Ok(table)
    }

    fn unknown_profile(&self, name: &str) -> ExperimentError {
        let known: Vec<&str> = std::iter::once("paper").chain(self.profiles.keys().map(String::as_str)).collect();
        let reason = format!("unknown profile; known: {}", known.join(", "));
        ExperimentError::Override { what: format!("{PROFILE}{name}"), reason }
    }

    /// Which of several overrides a mistake comes from: one without which it is not made. Overrides may need each other
    /// (`stop.rule` and `stop.elo0`), so that there can be more than one; then the one whose key or value the message names.
    fn wrong_one<'a>(&self, overrides: &[&'a str], mistake: &str) -> &'a str {
        let mut wrong = overrides.first().copied().unwrap_or_default();
        let mut most = (false, false, false);
        for (place, setting) in overrides.iter().enumerate() {
            let others = [&overrides[..place], &overrides[place + 1..]].concat();
            let without = self.with(&others).map(Table::try_into::<Experiment>);
            let right = matches!(without, Ok(Ok(_)));
            let other = !matches!(&without, Ok(Err(error)) if error.message() == mistake);
            let signs = (other, right, is_named(setting, mistake));
            if signs > most {
                (wrong, most) = (setting, signs);
            }
        }
        wrong
    }
}

/// Whether a message names the key or the value of an override.
fn is_named(setting: &str, message: &str) -> bool {
    let (path, value) = setting.split_once('=').unwrap_or((setting, ""));
    let key = path.rsplit('.').next().unwrap_or(path);
    [key, value.trim_matches('"')]
        .iter()
        .any(|name| ['`', '"'].iter().any(|q| message.contains(&format!("{q}{name}{q}"))))
}

/// Puts the values of `over` over those of `base`; tables are merged, everything else is replaced.
fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(over)) => merge(inner, over),
            _ => drop(base.insert(key.clone(), value.clone())),
        }
    }
}

fn apply(table: &mut Table, setting: &str) -> Result<(), ExperimentError> {
    let wrong = |reason: &str| ExperimentError::Override { what: setting.to_owned(), reason: reason.to_owned() };
    let (path, value) = setting.split_once('=').ok_or_else(|| wrong("expected key=value"))?;
    let value = format!("value = {value}")
        .parse::<Table>()
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.to_owned()));
    let (parents, key) = path.rsplit_once('.').map_or((None, path), |(parents, key)| (Some(parents), key));
    if key.is_empty() {
        return Err(wrong("expected key=value"));
    }
    let mut inner = table;
    let mut steps = parents.into_iter().flat_map(|parents| parents.split('.'));
    while let Some(step) = steps.next() {
        inner = match inner.entry(step).or_insert_with(|| Value::Table(Table::new())) {
            Value::Table(inner) => inner,
            Value::Array(items) => {
                let index = steps.next().and_then(|index| index.parse::<usize>().ok());
                let item = index.and_then(|index| items.get_mut(index)).and_then(Value::as_table_mut);
                item.ok_or_else(|| wrong("there is no such place in the list"))?
            }
            _ => return Err(wrong(&format!("`{step}` has no keys of its own"))),
        };
    }
    inner.insert(key.to_owned(), value);
    Ok(())
}

/// What is wrong with a TOML text, and in which line.
pub(crate) fn explain(text: &str, error: &toml::de::Error) -> ExperimentError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = 1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
    ExperimentError::Text { line, reason: in_words(error.message()) }
}

/// What the reader of a TOML text says, in one line: types in words, and with the nearest right name behind an unknown one.
fn in_words(message: &str) -> String {
    let message = message.replace('\n', " ");
    if message.starts_with("unknown field") || message.starts_with("unknown variant") {
        return with_suggestion(message);
    }
    match message.rsplit_once("expected ") {
        Some((found, "u64" | "usize")) => format!("{found}expected a whole number from 0 on"),
        Some((found, "u32")) => format!("{found}expected a whole number from 0 to {}", u32::MAX),
        Some((found, "f64" | "f32")) => format!("{found}expected a number"),
        _ => message,
    }
}

/// Adds the nearest right name to a message about an unknown one, which lists the right ones in backticks.
fn with_suggestion(message: String) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match quoted.next().and_then(|found| nearest(found, quoted)) {
        Some(name) => format!("{message} (did you mean `{name}`?)"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
name = "test"
game = "2048"
games = 10

[[agents]]
spec = "random"

[profiles.quick]
games = 2
limits = { depth = 1 }
"#;

    fn read(overrides: &[&str]) -> Result<Experiment, String> {
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        Experiment::parse(FILE, &overrides).map_err(|error| error.to_string())
    }

    #[test]
    fn overrides_go_over_profiles_and_profiles_over_the_file() {
        assert_eq!(read(&[]).unwrap().games, Some(10));
        let quick = read(&["profile=quick"]).unwrap();
        assert_eq!((quick.games, quick.limits.depth), (Some(2), Some(1)));
        let both = read(&["games=5", "profile=quick", "agents.0.spec=greedy", "limits.time=5ms"]).unwrap();
        assert_eq!((both.games, both.agents[0].spec.as_str()), (Some(5), "greedy"));
        assert_eq!((both.limits.depth, both.limits.time.as_deref()), (Some(1), Some("5ms")));
        assert!(both.profiles.is_empty());
    }

    #[test]
    fn the_resolved_text_is_the_same_experiment() {
        let experiment = read(&["profile=quick", "stop={rule=\"sprt\", elo0=0, elo1=10}"]).unwrap();
        assert_eq!(Experiment::parse(&experiment.resolved(), &[]), Ok(experiment));
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_the_nearest_right_name() {
        let error = |text: &str| Experiment::parse(text, &[]).unwrap_err().to_string();
        let misspelt = error(&FILE.replace("games = 10", "gmaes = 10"));
        assert!(misspelt.starts_with("line 4: unknown field `gmaes`"), "{misspelt}");
        assert!(misspelt.ends_with("(did you mean `games`?)"), "{misspelt}");
        let negative = error(&FILE.replace("games = 10", "games = -1"));
        assert!(negative.starts_with("line 4: "), "{negative}");
        assert!(error("name = ").starts_with("line 1: "));
        let game = error(&FILE.replace("\"2048\"", "\"abalon\""));
        assert!(game.contains("did you mean `abalone`"), "{game}");
    }

    #[test]
    fn a_number_that_is_none_is_told_what_would_be_one() {
        let check = |setting: &str, ending: &str| {
            let error = read(&[setting]).unwrap_err();
            assert!(error.starts_with(setting) && error.ends_with(ending), "{error}");
        };
        let games = ", expected a whole number from 1 to 1000000000";
        for setting in ["games=-3", "games=many", "games=1.5", "agents.0.games=-1", "stop={rule=\"games\", games=-3}"] {
            check(setting, games);
        }
        check("stop={rule=\"sprt\", elo0=0, elo1=9, max_games=-3}", games);
        check("stop={rule=\"sprt\", elo0=\"low\", elo1=9}", ", expected a number");
        check("seed=-1", ", expected a whole number from 0 on");
        check("limits.depth=-1", ", expected a whole number from 0 to 4294967295");
        let file = Experiment::parse(&FILE.replace("games = 10", "games = -1"), &[]).unwrap_err().to_string();
        assert!(file.starts_with("line 4: ") && file.ends_with(games), "{file}");
    }

    #[test]
    fn overrides_that_do_not_fit_are_refused() {
        for wrong in ["games", "=1", "profile=slow", "agents.7.spec=random", "name.inner=1", "gaems=3", "games=many"] {
            let error = read(&[wrong]).unwrap_err();
            assert!(error.contains(wrong), "{wrong}: {error}");
        }
    }

    #[test]
    fn of_several_overrides_only_the_wrong_one_is_named() {
        let check = |overrides: &[&str], wrong: &str, ending: &str| {
            let error = read(overrides).unwrap_err();
            assert!(error.starts_with(&format!("{wrong}: ")) && error.ends_with(ending), "{overrides:?}: {error}");
        };
        let games = ", expected a whole number from 1 to 1000000000";
        check(&["seed=3", "games=many", "limits.depth=2"], "games=many", games);
        check(&["profile=quick", "games=-1", "seed=2"], "games=-1", games);
        check(&["seed=2", "gaems=3", "games=3"], "gaems=3", "(did you mean `games`?)");
        check(&["games=-1", "profile=paper", "seed=-1"], "games=-1", games);
        let number = ", expected a number";
        check(&["stop.rule=sprt", "stop.elo0=low", "stop.elo1=9", "seed=2"], "stop.elo0=low", number);
        check(&["stop.elo1=9", "seed=2", "stop.rule=sprt"], "stop.rule=sprt", "missing field `elo0`");
        assert!(read(&["stop.elo1=9", "stop.rule=sprt", "stop.elo0=0"]).is_ok());
        let profile = FILE.replace("games = 2", "gmaes = 2");
        let overrides = ["seed=2", "profile=quick"].map(str::to_owned);
        let error = Experiment::parse(&profile, &overrides).unwrap_err().to_string();
        assert!(error.starts_with("profile=quick: unknown field `gmaes`"), "{error}");
    }
}
