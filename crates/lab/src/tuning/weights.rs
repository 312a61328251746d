//! From the numbers of the search to the spec of an agent.

use afterstate_players::{Key, Playable, Spec, Values, build_spec, nearest, resolve};

use super::settings::{Scale, TuningSettings, WeightSettings};
use crate::LabError;
use crate::experiment::ExperimentError;

/// The agent with its searched numbers: coordinate 0 is the start, 1 one standard deviation of the first generation.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    base: Spec,
    weights: Vec<Weight>,
}

#[derive(Clone, Debug)]
struct Weight {
    path: Vec<String>,
    start: f64,
    step: f64,
    min: f64,
    max: f64,
    scale: Scale,
}

impl Weights {
    /// Checks the agent and the paths of the keys.
    pub(super) fn new<P: Playable>(settings: &TuningSettings) -> Result<Self, LabError> {
        let base = resolve::<P>(&Spec::parse(&settings.agent)?)?;
        build_spec::<P>(&base)?;
        let mut weights = Vec::new();
        for weight in &settings.weights {
            weights.push(Weight::new::<P>(weight, &base)?);
        }
        let tuned = Self { base, weights };
        build_spec::<P>(&tuned.spec(&vec![0.0; tuned.weights.len()]))?;
        Ok(tuned)
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The values of the weights at a point.
    pub(super) fn values(&self, point: &[f64]) -> Vec<f64> {
        self.weights.iter().zip(point).map(|(weight, &coordinate)| weight.value(coordinate)).collect()
    }

    /// The agent at a point.
    pub(super) fn spec(&self, point: &[f64]) -> Spec {
        let mut spec = self.base.clone();
        for (weight, value) in self.weights.iter().zip(self.values(point)) {
            put(&mut spec, &weight.path, &value.to_string());
        }
        spec
    }
}

impl Weight {
    fn new<P: Playable>(settings: &WeightSettings, base: &Spec) -> Result<Self, LabError> {
        let wrong = |reason: String| ExperimentError::setting(format!("weights: {}", settings.key), reason);
        let path: Vec<String> = settings.key.split('.').map(str::to_owned).collect();
        let start = settings.start.or_else(|| current::<P>(base, &path)).ok_or_else(|| {
            let known = siblings::<P>(base, &path).iter().map(|key| key.name);
            let nearest = nearest(path.last().map_or("", String::as_str), known);
            let nearest = nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
            wrong(format!("the agent {base} has no such number{nearest}; give its start if it has"))
        })?;
        let usual = match settings.scale {
            Scale::Log => 0.5,
            Scale::Linear => 0.3 * start.abs(),
        };
        let step = settings.step.unwrap_or(usual);
        // Where the file sets no bounds, those of the key hold: the search may step far, an agent may not.
        let allowed = key::<P>(base, &path).map_or((f64::NEG_INFINITY, f64::INFINITY), |key| range(&key.values));
        let (min, max) = (settings.min.unwrap_or(allowed.0), settings.max.unwrap_or(allowed.1));
        if !(step.is_finite() && step > 0.0) {
            return Err(wrong("give it a step above 0".to_owned()).into());
        }
        if !(start.is_finite() && min <= start && start <= max) {
            return Err(wrong(format!("its start {start} is not between {min} and {max}")).into());
        }
        if settings.scale == Scale::Log && start == 0.0 {
            return Err(wrong("a factor of 0 stays 0: start elsewhere or use scale = \"linear\"".to_owned()).into());
        }
        Ok(Self { path, start, step, min, max, scale: settings.scale })
    }

    /// The value at a coordinate, with as many digits as a person would copy.
    fn value(&self, coordinate: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => self.start + self.step * coordinate,
            Scale::Log => self.start * (self.step * coordinate).exp(),
        };
        rounded(value.clamp(self.min, self.max))
    }
}

/// Four significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn put(spec: &mut Spec, path: &[String], value: &str) {
    let Some((key, rest)) = path.split_first() else { return };
    let place = match spec.arguments.iter().position(|(name, _)| name == key) {
        Some(place) => place,
        None => {
            spec.arguments.push((key.clone(), Spec::word(value)));
            spec.arguments.len() - 1
        }
    };
    let argument = &mut spec.arguments[place].1;
    if rest.is_empty() { *argument = Spec::word(value) } else { put(argument, rest, value) }
}

/// The value that the spec gives a key, or its default.
fn current<P: Playable>(base: &Spec, path: &[String]) -> Option<f64> {
    let (key_name, parents) = path.split_last()?;
    let owner = parents.iter().try_fold(base, |spec, parent| spec.argument(parent))?;
    match owner.argument(key_name) {
        Some(value) => value.name.parse().ok(),
        None => key::<P>(base, path)?.default.parse().ok(),
    }
}

/// The key that a path leads to.
fn key<P: Playable>(base: &Spec, path: &[String]) -> Option<&'static Key> {
    siblings::<P>(base, path).iter().find(|key| Some(key.name) == path.last().map(String::as_str))
}

/// The keys of whoever a path leads to: an evaluation, or the agent itself.
fn siblings<P: Playable>(base: &Spec, path: &[String]) -> &'static [Key] {
    let Some((_, parents)) = path.split_last() else { return &[] };
    let Some(owner) = parents.iter().try_fold(base, |spec, parent| spec.argument(parent)) else { return &[] };
    let catalogue = P::catalogue();
    if parents.is_empty() {
        return catalogue.agents.iter().find(|agent| agent.name == owner.name).map_or(&[], |agent| agent.keys);
    }
    catalogue.evaluations.iter().find(|kind| kind.name == owner.name).map_or(&[], |kind| kind.keys)
}

/// The numbers that a key takes.
fn range(values: &Values) -> (f64, f64) {
    match *values {
        Values::Number(min, max) | Values::NumberOrOff(min, max) => (min, max),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use afterstate_twenty48::State;

    use super::*;

    fn weights(key: &str, more: &str) -> Result<Weights, String> {
        let text = format!(
            "name = \"test\"\ngame = \"2048\"\nagent = \"maqsood/exp2(table=off, eval=maqsood(empty=8))\"\n\
             games = 1\ngenerations = 1\n[[weights]]\nkey = \"{key}\"\n{more}"
        );
        let settings = TuningSettings::parse(&text).map_err(|error| error.to_string())?;
        Weights::new::<State>(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn a_point_becomes_the_spec_of_an_agent() {
        let factor = weights("eval.monotonicity", "scale = \"log\"\nstep = 0.6931471805599453").unwrap();
        assert!(factor.spec(&[1.0]).to_string().contains("eval=maqsood(empty=8, monotonicity=1)"));
        assert!(factor.spec(&[-1.0]).to_string().contains("monotonicity=0.25"));
        let given = weights("eval.empty", "min = 7").unwrap();
        assert_eq!(
            (given.values(&[0.0]), given.values(&[1.0]), given.values(&[-9.0])),
            (vec![8.0], vec![10.4], vec![7.0])
        );
        let dead = weights("dead", "step = 5000").unwrap();
        assert!(dead.spec(&[0.25]).to_string().contains("dead=-8750"), "{}", dead.spec(&[0.25]));
        assert_eq!(rounded(-1234.56), -1235.0);
    }

    #[test]
    fn no_step_leads_beyond_what_a_key_takes() {
        let far = weights("eval.monotonicity", "scale = \"log\"").unwrap();
        assert_eq!(far.values(&[99.0]), [1e6]);
        build_spec::<State>(&far.spec(&[99.0])).unwrap();
    }

    #[test]
    fn a_weight_that_is_none_is_refused_with_the_nearest_name() {
        let error = |key, more| weights(key, more).unwrap_err();
        assert!(error("eval.emty", "").contains("did you mean `empty`?"));
        assert!(error("evil.empty", "").contains("no such number"));
        assert!(error("eval.emty", "start = 1").contains("has no key `emty`"));
        assert!(error("eval.empty", "step = -1").contains("above 0"));
        assert!(error("eval.empty", "max = 1").contains("not between"));
        assert!(error("eval.empty", "scale = \"log\"\nstart = 0").contains("stays 0"));
        assert!(error("eval.empty", "stat = 0").starts_with("line 8: unknown field `stat`"));
    }
}
