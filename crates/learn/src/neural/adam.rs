//! Adam (Kingma and Ba 2015): steps whose size adapts to each weight.

use serde::{Deserialize, Serialize};

/// The state of the optimiser. The rate belongs to the step, so that a schedule can change it.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// How steps are made.
    pub settings: AdamSettings,
    /// The running means of the gradients.
    pub(super) mean: Vec<f32>,
    /// The running means of their squares.
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

/// The constants of Adam; the defaults are those of its authors, and of PyTorch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamSettings {
    /// How slowly the mean of the gradients forgets.
    pub beta1: f32,
    /// How slowly the mean of their squares forgets.
    pub beta2: f32,
    /// Keeps the smallest denominators away from zero.
    pub epsilon: f32,
}

impl Default for AdamSettings {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

impl Adam {
    /// An optimiser for this many weights.
    #[must_use]
    pub fn new(weights: usize, settings: AdamSettings) -> Self {
        Self { settings, mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// The running means of the gradients and of their squares, and the number of steps: what a checkpoint keeps.
    #[must_use]
    pub fn state(&self) -> (&[f32], &[f32], u64) {
        (&self.mean, &self.square, self.steps)
    }

    /// An optimiser that goes on from this state, whose two lists are equally long.
    #[must_use]
    pub fn resume(settings: AdamSettings, mean: Vec<f32>, square: Vec<f32>, steps: u64) -> Self {
        debug_assert_eq!(mean.len(), square.len(), "both have a number for every weight");
        Self { settings, mean, square, steps }
    }

    /// How many steps were made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Begins a step: the rate and the factor of the denominators, corrected because the means start at zero; without that
    /// the first steps would be too short.
    pub(super) fn begin_step(&mut self, rate: f32) -> (f32, f32) {
        let AdamSettings { beta1, beta2, .. } = self.settings;
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let rate = f64::from(rate) / (1.0 - f64::from(beta1).powi(steps));
        let correction = (1.0 - f64::from(beta2).powi(steps)).sqrt();
        (rate as f32, (1.0 / correction) as f32)
    }

    /// Moves the weights against the gradient.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        let AdamSettings { beta1, beta2, epsilon } = self.settings;
        let (rate, correction) = self.begin_step(rate);
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(state) {
            *mean += (1.0 - beta1) * (slope - *mean);
            *square += (1.0 - beta2) * (slope * slope - *square);
            *weight -= rate * *mean / (square.sqrt() * correction + epsilon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_length_of_the_rate() {
        let mut adam = Adam::new(2, AdamSettings::default());
        let mut weights = [1.0, 1.0];
        adam.step(&mut weights, &[3.0, -0.02], 0.1);
        assert!((weights[0] - 0.9).abs() < 1e-5 && (weights[1] - 1.1).abs() < 1e-5, "{weights:?}");
    }

    #[test]
    fn a_valley_is_found() {
        let mut adam = Adam::new(2, AdamSettings::default());
        let mut weights = [5.0, -3.0];
        for _ in 0..3000 {
            let slopes = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 2.0)];
            adam.step(&mut weights, &slopes, 0.01);
        }
        assert!((weights[0] - 1.0).abs() < 1e-3 && (weights[1] - 2.0).abs() < 1e-3, "{weights:?}");
    }
}
