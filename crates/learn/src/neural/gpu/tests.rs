//! What the tests on a GPU have in common, and those of judging.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use afterstate_game::{Dice, Evaluation};
use afterstate_twenty48::{Board, Slid};

use super::{GpuJudge, Products};
use crate::neural::{Activation, Asked, Design, Device, Encoding, Layer, Network, NeuralValue, Origin, StoredNetwork};

/// Networks of every kind of layer, padding and activation that a GPU computes.
pub(super) fn designs(outputs: usize) -> Vec<Design> {
    use Activation::{Linear, Relu, Selu};
    let convolution = |channels, padding, activation| Layer::Convolution { channels, padding, activation };
    let dense = |units, activation| Layer::Dense { units, activation };
    let end = dense(outputs, Linear);
    let planes = |layers: &[Layer]| Design::new(Encoding::Planes, layers.to_vec()).unwrap();
    vec![
        planes(&[convolution(20, 0, Relu), convolution(33, 1, Selu), convolution(5, 0, Relu), dense(6, Selu), end]),
        planes(&[convolution(3, 1, Selu), convolution(40, 0, Linear), convolution(2, 1, Relu), end]),
        planes(&[
            convolution(3, 0, Selu),
            convolution(3, 0, Selu),
            convolution(3, 0, Selu),
            convolution(2, 1, Relu),
            end,
        ]),
        planes(&[dense(300, Relu), end]),
        Design::new(Encoding::OneHot, vec![dense(70, Selu), dense(6, Relu), end]).unwrap(),
        Design::new(Encoding::OneHot, vec![end]).unwrap(),
    ]
}

/// Asserts that numbers agree up to this share of the largest.
#[track_caller]
pub(super) fn close(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * largest, "{index}: {found}, not {expected} (of {largest})");
    }
}

fn boards(count: usize, dice: &mut Dice) -> Vec<Board> {
    (0..count).map(|_| Board::from_nibbles(dice.bits())).collect()
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn outputs_are_those_of_the_processor() {
    let mut dice = Dice::seeded(3);
    let with_cnn = designs(2).into_iter().chain([Design::built_in("cnn").unwrap()]);
    for design in with_cnn {
        let network = Network::random(&design, &mut dice);
        // The room is less than what is asked for: several launches.
        let mut judge = GpuJudge::new(&network, 16, Products::Exact).unwrap();
        let boards = boards(35, &mut dice);
        let (mut outputs, expected) = (Vec::new(), network.outputs(&boards));
        judge.judge(&boards, &mut outputs).unwrap();
        close(&outputs, &expected, 1e-4);
        let mut judge = GpuJudge::new(&network, 64, Products::Rounded).unwrap();
        outputs.clear();
        judge.judge(&boards, &mut outputs).unwrap();
        close(&outputs, &expected, 2e-2);
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn many_games_ask_at_once() {
    let mut dice = Dice::seeded(4);
    let network = Network::random(&Design::built_in("cnn-small").unwrap(), &mut dice);
    let stored = StoredNetwork { network, scale: 1000.0, origin: Origin::default() };
    let asked = |value: NeuralValue| Asked::<false> { network: Arc::new(value), averaged: false };
    let there = asked(NeuralValue::on(Device::Cuda, &stored).unwrap());
    let here = asked(NeuralValue::new(&stored));
    assert!(there.batch() > here.batch());
    std::thread::scope(|scope| {
        for seed in 0..24 {
            let (there, here) = (&there, &here);
            scope.spawn(move || {
                let mut dice = Dice::seeded(seed);
                for _ in 0..5 {
                    let count = 1 + dice.below(90) as usize;
                    let boards: Vec<Slid> = boards(count, &mut dice).into_iter().map(Slid).collect();
                    let (mut on_gpu, mut on_cpu) = (Vec::new(), Vec::new());
                    there.afterstates(&boards, &mut on_gpu);
                    here.afterstates(&boards, &mut on_cpu);
                    close(&on_gpu, &on_cpu, 2e-2);
                }
            });
        }
    });
}
