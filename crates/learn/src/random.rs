//! Random numbers of shapes that learning needs.

use afterstate_game::Dice;

/// A standard normal number (Box and Muller; the second number of each pair is thrown away to keep no state).
pub(crate) fn normal(dice: &mut Dice) -> f64 {
    let radius = (-2.0 * (1.0 - dice.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * dice.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut dice = Dice::seeded(5);
        let numbers: Vec<f64> = (0..20_000).map(|_| normal(&mut dice)).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert!(numbers.iter().all(|number| number.is_finite()));
    }
}
