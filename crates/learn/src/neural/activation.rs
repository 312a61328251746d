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

/// As [`apply`], for play: an exponential of our own, right to seven digits and the same on every machine, which the
/// compiler can turn into vector instructions.
pub(super) fn apply_quickly(activation: Activation, sums: &mut [f32]) {
    match activation {
        Activation::Linear | Activation::Relu => apply(activation, sums),
        Activation::Selu => sums.iter_mut().for_each(|sum| {
            let below = SCALE * ALPHA * (exponential(*sum) - 1.0);
            *sum = if *sum > 0.0 { SCALE * *sum } else { below };
        }),
    }
}

/// `e^x` for x up to 0: a power of two times a polynomial on the rest (the coefficients of the Cephes library).
#[inline]
fn exponential(x: f32) -> f32 {
    // Adding and subtracting this rounds to whole numbers, and leaves the number in the low bits.
    const ROUNDER: f32 = 12_582_912.0;
    let x = x.clamp(-80.0, 0.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let power = rounded.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    let whole = rounded - ROUNDER;
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
        series = series * rest + coefficient;
    }
    (series * rest * rest + rest + 1.0) * f32::from_bits(power)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_exponential_is_right_to_seven_digits() {
        for step in 0..20_000 {
            let x = step as f32 * -0.005;
            let (quick, exact) = (exponential(x), f64::from(x).exp());
            assert!((f64::from(quick) - exact).abs() <= 2e-7 * exact + 1e-30, "{x}: {quick}, not {exact}");
        }
        let mut sums = [-1e30, -1.0, -1e-3, 0.0, 2.0];
        let mut expected = sums;
        apply_quickly(Activation::Selu, &mut sums);
        apply(Activation::Selu, &mut expected);
        assert!(sums.iter().zip(expected).all(|(quick, exact)| (quick - exact).abs() < 1e-6), "{sums:?}");
    }
}
