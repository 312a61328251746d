//! What follows the sums of a layer, forward and backward.

use super::design::Activation;

/// The constants of SELU, with which layers keep mean 0 and variance 1 (Klambauer and others 2017).
const SCALE: f32 = 1.050_701;
const ALPHA: f32 = 1.673_263_2;

/// Replaces sums by what the activation makes of them.
pub(super) fn apply(activation: Activation, sums: &mut [f32]) {
    match activation {
        Activation::Linear => {}
        Activation::Relu => sums.iter_mut().for_each(|sum| *sum = sum.max(0.0)),
        Activation::Selu => sums.iter_mut().for_each(|sum| *sum = selu(*sum)),
    }
}

#[inline]
fn selu(sum: f32) -> f32 {
    if sum > 0.0 { SCALE * sum } else { SCALE * ALPHA * sum.exp_m1() }
}

/// Turns slopes by the outputs of an activation into slopes by its sums. All activations here tell their slope from their
/// output, so the sums need not be kept.
pub(super) fn slopes(activation: Activation, outputs: &[f32], slopes: &mut [f32]) {
    let pairs = slopes.iter_mut().zip(outputs);
    match activation {
        Activation::Linear => {}
        Activation::Relu => pairs.for_each(|(slope, &output)| *slope = if output > 0.0 { *slope } else { 0.0 }),
        Activation::Selu => pairs.for_each(|(slope, &output)| {
            *slope *= if output > 0.0 { SCALE } else { output + SCALE * ALPHA };
        }),
    }
}
