//! The error that training makes small.

/// A loss that is no number: training cannot go on from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the loss is no longer a number")]
pub struct Diverged;

/// The root of the mean squared error.
pub fn rmse(outputs: &[f32], targets: &[f32]) -> Result<f64, Diverged> {
    let loss = (squared_errors(outputs, targets) / outputs.len().max(1) as f64).sqrt();
    if loss.is_finite() { Ok(loss) } else { Err(Diverged) }
}

/// The sum of the squared errors.
pub(super) fn squared_errors(outputs: &[f32], targets: &[f32]) -> f64 {
    outputs.iter().zip(targets).map(|(&output, &target)| f64::from(output - target).powi(2)).sum()
}
