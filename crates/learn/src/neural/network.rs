//! A design with its weights.

use afterstate_game::Dice;
use afterstate_twenty48::Board;

use super::design::{Design, DesignError};
use super::pass::Pass;
use super::plan::{Plan, Stage};

/// A network: its design, and all weights in one flat vector. The order of the weights is this program's own; files have
/// the order of PyTorch.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    design: Design,
    pub(super) plan: Plan,
    pub(super) weights: Vec<f32>,
}

impl Network {
    /// A network with random weights: uniform within one over the root of a layer's inputs, biases too (the default of
    /// PyTorch).
    #[must_use]
    pub fn random(design: &Design, dice: &mut Dice) -> Self {
        let mut network = Self::zero(design);
        for Stage { inputs, matrix, biases, .. } in &network.plan.stages {
            let bound = 1.0 / (*inputs as f64).sqrt();
            for weight in &mut network.weights[matrix.start..biases.end] {
                *weight = ((2.0 * dice.unit() - 1.0) * bound) as f32;
            }
        }
        network
    }

    /// A network of zeros.
    #[must_use]
    pub fn zero(design: &Design) -> Self {
        let plan = design.plan();
        Self { design: design.clone(), weights: vec![0.0; plan.weights], plan }
    }

    /// A network with these weights, in the order of [`Self::weights`].
    pub fn with_weights(design: &Design, weights: Vec<f32>) -> Result<Self, DesignError> {
        let plan = design.plan();
        if weights.len() != plan.weights {
            return Err(DesignError::WeightCount { wanted: plan.weights, found: weights.len() });
        }
        Ok(Self { design: design.clone(), plan, weights })
    }

    /// The design.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// All weights, layer by layer: the matrix with a row for every input, then the biases.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// All weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// The outputs for these boards, one row each. For many calls a [`Pass`] of one's own saves the memory.
    #[must_use]
    pub fn outputs(&self, boards: &[Board]) -> Vec<f32> {
        Pass::default().forward(self, boards).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_dice_give_the_same_network() {
        let design = Design::built_in("fc").unwrap();
        let network = Network::random(&design, &mut Dice::seeded(1));
        assert_eq!(network, Network::random(&design, &mut Dice::seeded(1)));
        assert_ne!(network, Network::random(&design, &mut Dice::seeded(2)));
        assert!(network.weights().iter().all(|weight| weight.abs() <= 0.25));
        let again = Network::with_weights(&design, network.weights().to_vec()).unwrap();
        assert_eq!(again, network);
        let error = Network::with_weights(&design, vec![0.0; 3]).unwrap_err().to_string();
        assert_eq!(error, format!("3 weights do not fit a network of {}", design.weights()));
    }
}
