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
    /// The spec that may be built: presets resolved, defaults lowered where they ask for too much.
    pub fn admit<P: Playable>(&self, asked: &Spec) -> Result<Spec, SpecError> {
        let mut admitted = resolve::<P>(asked)?;
        let agent = agent::<P>(&admitted.name)?;
        for key in agent.keys {
            self.admit_key::<P>(agent.name, key, asked, &mut admitted)?;
        }
        Ok(admitted)
    }

    /// Checks one key of `admitted`; `asked` holds what the stranger wrote himself.
    fn admit_key<P: Playable>(
        &self,
        owner: &str,
        key: &Key,
        asked: &Spec,
        admitted: &mut Spec,
    ) -> Result<(), SpecError> {
        let value = admitted.argument(key.name).cloned().map_or_else(|| Spec::parse(key.default), Ok)?;
        let lowered = if matches!(key.values, Values::Evaluation) {
            self.admit_evaluation::<P>(&value, asked.argument(key.name))?
        } else {
            let Some(most) = self.exceeded(key, &value.name) else { return Ok(()) };
            if asked.argument(key.name).is_some() {
                return Err(SpecError::BadValue {
                    owner: owner.to_owned(),
                    key: key.name.to_owned(),
                    value: value.to_string(),
                    expected: format!("at most {most} here"),
                });
            }
            Spec::word(most)
        };
        *admitted = std::mem::replace(admitted, Spec::word("")).overridden_by(&[(key.name.to_owned(), lowered)]);
        Ok(())
    }

    fn admit_evaluation<P: Playable>(&self, value: &Spec, asked: Option<&Spec>) -> Result<Spec, SpecError> {
        let kind = evaluation_kind(P::catalogue().evaluations, value)?;
        let nothing = Spec::word(kind.name);
        let mut admitted = value.clone();
        for key in kind.keys {
            self.admit_key::<P>(kind.name, key, asked.unwrap_or(&nothing), &mut admitted)?;
        }
        Ok(admitted)
    }

    /// The most that is allowed of this key, in the words of a spec, if the value is more. A value that cannot be read is
    /// nothing to be judged here: building the player refuses it.
    fn exceeded(&self, key: &Key, value: &str) -> Option<String> {
        match key.values {
            Values::SizeOrOff => parse_size(value).filter(|&bytes| bytes > self.memory).map(|_| size_text(self.memory)),
            Values::TimeOrOff => {
                parse_time(value).filter(|&time| time > self.time).map(|_| format!("{}ms", self.time.as_millis()))
            }
            Values::Integer(..) | Values::IntegerOrOff(..) => {
                let most = match key.name {
                    "depth" => self.depth,
                    "iterations" => self.iterations,
                    "threads" => self.threads,
                    _ => return None,
                };
                value.parse::<u64>().ok().filter(|&asked| asked > most).map(|_| most.to_string())
            }
            _ => None,
        }
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

    #[test]
    fn an_unknown_agent_is_refused_as_everywhere() {
        let error = ALLOWANCE.admit::<afterstate_twenty48::State>(&Spec::word("nobody")).unwrap_err();
        assert!(error.to_string().starts_with("unknown 2048 agent `nobody`"));
    }
}
