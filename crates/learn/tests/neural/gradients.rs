//! Every slope of every layer against the difference of two losses.

use afterstate_game::Dice;
use afterstate_learn::neural::{Network, Pass};
use afterstate_twenty48::Board;

use super::{designs, random_boards};

/// A loss with a different slope for every output.
fn loss(outputs: &[f32]) -> f64 {
    outputs.iter().enumerate().map(|(index, &output)| (f64::from(output) - index as f64 / 7.0).powi(2)).sum()
}

fn slopes(outputs: &[f32]) -> Vec<f32> {
    outputs.iter().enumerate().map(|(index, &output)| 2.0 * (output - index as f32 / 7.0)).collect()
}

fn loss_with(network: &mut Network, weight: usize, value: f32, boards: &[Board], pass: &mut Pass) -> f64 {
    let old = std::mem::replace(&mut network.weights_mut()[weight], value);
    let loss = loss(pass.forward(network, boards));
    network.weights_mut()[weight] = old;
    loss
}

#[test]
fn gradients_are_finite_differences() {
    let mut dice = Dice::seeded(3);
    for design in designs() {
        let mut network = Network::random(&design, &mut dice);
        let boards = random_boards(5, &mut dice);
        let mut pass = Pass::default();
        let outputs = pass.forward(&network, &boards).to_vec();
        let mut gradient = vec![0.0; design.weights()];
        pass.backward(&network, &slopes(&outputs), &mut gradient);

        let here = loss(&outputs);
        let mut wrong = 0;
        for (index, &slope) in gradient.iter().enumerate() {
            let (weight, step) = (network.weights()[index], 1e-3);
            let above = loss_with(&mut network, index, weight + step, &boards, &mut pass);
            let below = loss_with(&mut network, index, weight - step, &boards, &mut pass);
            let (slope, step) = (f64::from(slope), f64::from(step));
            // Where an activation has its kink within a step, one side of it is still right.
            let differences = [(above - below) / (2.0 * step), (above - here) / step, (here - below) / step];
            wrong += usize::from(
                differences.iter().all(|difference| (difference - slope).abs() > 5e-3 + 0.02 * slope.abs()),
            );
        }
        assert!(wrong <= design.weights() / 100, "{wrong} of {} slopes in {design:?}", design.weights());
        assert!(gradient.iter().any(|slope| slope.abs() > 0.01));
    }
}

#[test]
fn slopes_of_batches_add_up() {
    let mut dice = Dice::seeded(4);
    for design in designs() {
        let network = Network::random(&design, &mut dice);
        let boards = random_boards(9, &mut dice);
        let mut pass = Pass::default();
        let mut gradient_of = |parts: &[&[Board]]| {
            let mut gradient = vec![0.0; design.weights()];
            for boards in parts {
                let outputs = pass.forward(&network, boards).to_vec();
                pass.backward(&network, &outputs, &mut gradient);
            }
            gradient
        };
        let (whole, parts) = (gradient_of(&[&boards]), gradient_of(&[&boards[..2], &boards[2..]]));
        for (whole, parts) in whole.iter().zip(&parts) {
            assert!((whole - parts).abs() <= 1e-4 * (1.0 + whole.abs()), "{whole} {parts}");
        }
    }
}
