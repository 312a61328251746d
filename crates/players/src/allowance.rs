//! What a spec from a stranger may ask for.
//!
//! Lives beside the catalogue because only the catalogue knows what a key means: a size is memory, a time is time,
//! whatever agent it belongs to. How much is allowed is for the caller to say.

use std::time::Duration;

use crate::catalogue::{agent, evaluation_kind};
use crate::key::{Key, Values, parse_size, parse_time};
use crate::{Playable, Spec, SpecError, resolve};

/// The most that a spec may ask for.
///
/// What a stranger writes himself is refused where it asks for more; what the catalogue's defaults and presets ask for is
/// lowered, so that their names work everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Depth of a search.
    pub depth: u64,
    /// Iterations of a Monte Carlo search; they are memory as well as time.
    pub iterations: u64,
    /// Threads of one search.
    pub threads: u64,
    /// Bytes of a table.
    pub memory: u64,
    /// Time of one decision.
    pub time: Duration,
}

impl Allowance {
    /// Moves of a look-ahead: with three, a leaf takes milliseconds.
    const LOOK_AHEAD: u64 = 3;

    /// The spec that may be built: presets resolved, defaults lowered where they ask for too much.
    pub fn admit<P: Playable>(&self, asked: &Spec) -> Result<Spec, SpecError> {
        let mut admitted = resolve::<P>(asked)?;
        let agent = agent::<P>(&admitted.name)?;
        self.admit_keys::<P>(agent.name, agent.keys, Some(asked), &mut admitted)?;
        Ok(admitted)
    }

    /// Checks the values of these keys in `admitted`; `asked` holds what the stranger wrote himself.
    fn admit_keys<P: Playable>(
        &self,
        owner: &str,
        keys: &[Key],
        asked: Option<&Spec>,
        admitted: &mut Spec,
    ) -> Result<(), SpecError> {
        for key in keys {
            let asked = asked.and_then(|asked| asked.argument(key.name));
            let value = admitted.argument(key.name).cloned().map_or_else(|| Spec::parse(key.default), Ok)?;
            let allowed = match key.values {
                Values::Evaluation => {
                    let kind = evaluation_kind(P::catalogue().evaluations, &value)?;
                    self.admitted_part::<P>(kind.name, kind.keys, asked, &value)?
                }
                Values::Variant(variants) => {
                    // An unknown word is nothing to be judged here: building the player refuses it.
                    let keys = variants.iter().find(|variant| variant.name == value.name).map_or(&[][..], |v| v.keys);
                    self.admitted_part::<P>(owner, keys, asked, &value)?
                }
                _ => self.admitted_scalar(owner, key, asked, &value)?,
            };
            if let Some(allowed) = allowed {
                let lowered = [(key.name.to_owned(), allowed)];
                *admitted = std::mem::replace(admitted, Spec::word("")).overridden_by(&lowered);
            }
        }
        Ok(())
    }

    /// A value with settings of its own, if any of them had to be lowered.
    fn admitted_part<P: Playable>(
        &self,
        owner: &str,
        keys: &[Key],
        asked: Option<&Spec>,
        value: &Spec,
    ) -> Result<Option<Spec>, SpecError> {
        let mut admitted = value.clone();
        self.admit_keys::<P>(owner, keys, asked, &mut admitted)?;
        Ok((admitted != *value).then_some(admitted))
    }

    /// A value without settings, if it had to be lowered.
    fn admitted_scalar(
        &self,
        owner: &str,
        key: &Key,
        asked: Option<&Spec>,
        value: &Spec,
    ) -> Result<Option<Spec>, SpecError> {
        if let Some(expected) = closed(key, &value.name) {
            return Err(SpecError::BadValue {
                owner: owner.to_owned(),
                key: key.name.to_owned(),
                value: value.to_string(),
                expected: expected.to_owned(),
            });
        }
        let Some(most) = self.exceeded(key, &value.name) else { return Ok(None) };
        if asked.is_none() {
            return Ok(Some(Spec::word(most)));
        }
        Err(SpecError::BadValue {
            owner: owner.to_owned(),
            key: key.name.to_owned(),
            value: value.to_string(),
            expected: format!("at most {most} here"),
        })
    }

    /// The most that is allowed of this key, in the words of a spec, if the value is more. A value that cannot be read is
    /// nothing to be judged here: building the player refuses it.
    fn exceeded(&self, key: &Key, value: &str) -> Option<String> {
        match key.values {
            // Memory that is not limited is as much as there is; a table that is off is none.
            Values::SizeOrOff if value == "off" => (key.name == "memory").then(|| size_text(self.memory)),
            Values::SizeOrOff => parse_size(value).filter(|&bytes| bytes > self.memory).map(|_| size_text(self.memory)),
            Values::TimeOrOff => {
                parse_time(value).filter(|&time| time > self.time).map(|_| format!("{}ms", self.time.as_millis()))
            }
            Values::Integer(..) | Values::IntegerOrOff(..) => {
                let most = match key.name {
                    "depth" => self.depth,
                    "iterations" => self.iterations,
                    "threads" | "trees" => self.threads,
                    "moves" => Self::LOOK_AHEAD,
                    _ => return None,
                };
                value.parse::<u64>().ok().filter(|&asked| asked > most).map(|_| most.to_string())
            }
            _ => None,
        }
    }
}

/// What a stranger may say instead, where the value names something of this machine that is not for strangers.
fn closed(key: &Key, value: &str) -> Option<&'static str> {
    match key.values {
        Values::Model if value.contains(['/', '.']) => Some("the name of a shipped model; files cannot be named here"),
        Values::Tables if !matches!(value, "all" | "off") => Some("all or off; folders cannot be named here"),
        Values::Choice(_) if key.name == "device" && value == "cuda" => Some("cpu here"),
        _ => None,
    }
}

/// A size in the words of a spec, in the largest unit that divides it.
fn size_text(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    let unit = units.into_iter().find(|(shift, _)| bytes.trailing_zeros() >= *shift);
    unit.map_or_else(|| bytes.to_string(), |(shift, unit)| format!("{}{unit}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Allowance =
        Allowance { depth: 30, iterations: 1000, threads: 1, memory: 64 << 20, time: Duration::from_secs(10) };

    fn exceeded(values: Values, name: &'static str, value: &str) -> Option<String> {
        ALLOWANCE.exceeded(&Key { name, default: "off", values, help: "" }, value)
    }

    #[test]
    fn what_is_too_much_is_judged_by_what_the_key_means() {
        assert_eq!(exceeded(Values::SizeOrOff, "table", "1024G").as_deref(), Some("64M"));
        assert_eq!(exceeded(Values::SizeOrOff, "table", "64M"), None);
        assert_eq!(exceeded(Values::SizeOrOff, "table", "off"), None);
        assert_eq!(exceeded(Values::TimeOrOff, "time", "1m").as_deref(), Some("10000ms"));
        assert_eq!(exceeded(Values::Integer(1, 2000), "depth", "1000").as_deref(), Some("30"));
        assert_eq!(exceeded(Values::IntegerOrOff(1, 1 << 40), "iterations", "1001").as_deref(), Some("1000"));
        assert_eq!(exceeded(Values::Integer(1, 64), "threads", "2").as_deref(), Some("1"));
        assert_eq!(exceeded(Values::Integer(1, 64), "width", "60"), None);
        assert_eq!(exceeded(Values::Integer(1, 64), "depth", "many"), None);
    }

    #[test]
    fn every_agent_and_preset_of_the_catalogue_can_be_had_with_little() {
        fn check<P: Playable>() {
            let catalogue = P::catalogue();
            let agents = catalogue.agents.iter().map(|agent| agent.name);
            for name in agents.chain(catalogue.presets.iter().map(|preset| preset.name)) {
                let admitted = ALLOWANCE.admit::<P>(&Spec::word(name)).unwrap();
                crate::build_spec::<P>(&admitted).unwrap_or_else(|error| panic!("{name} as {admitted}: {error}"));
            }
        }
        check::<afterstate_twenty48::State>();
        check::<afterstate_abalone::Position>();
    }

    fn admitted(spec: &str) -> Result<String, String> {
        let admitted = ALLOWANCE.admit::<afterstate_twenty48::State>(&Spec::parse(spec).unwrap());
        admitted.map(|spec| spec.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_refused_and_what_is_only_implied_is_lowered() {
        let refused = |spec: &str, key: &str| {
            let error = admitted(spec).unwrap_err();
            assert!(error.contains(key) && error.ends_with("here"), "{spec}: {error}");
        };
        refused("expectimax(depth=99)", "depth=99");
        refused("expectimax(table=1024G)", "table=1024G");
        refused("xiao(table=128M)", "table=128M");
        refused("mcts(parallelism=tree(threads=8))", "threads=8");
        refused("mcts(parallelism=root(trees=200))", "trees=200");
        refused("mcts(memory=off)", "memory=off");
        refused("mcts(iterations=1000000000)", "iterations=");
        refused("mcts(simulation=look-ahead(moves=4))", "moves=4");
        refused("expectimax(time=1m)", "time=1m");
        refused("expectimax(eval=neural(device=cuda))", "device=cuda");
        assert!(admitted("maqsood/exp6-listing").unwrap().contains("table=64M"));
        assert!(admitted("mcts(iterations=10)").unwrap().contains("memory=64M"));
        assert!(admitted("mcts(parallelism=tree)").unwrap().contains("parallelism=tree(threads=1)"));
        assert_eq!(admitted("expectimax(depth=3)").unwrap(), "expectimax(depth=3)");
    }

    #[test]
    fn an_unknown_agent_is_refused_as_everywhere() {
        let error = ALLOWANCE.admit::<afterstate_twenty48::State>(&Spec::word("nobody")).unwrap_err();
        assert!(error.to_string().starts_with("unknown 2048 agent `nobody`"));
    }
}
