use afterstate_game::Dice;

use super::*;

/// Random numbers up to half of `size`.
fn random(len: usize, size: f32, dice: &mut Dice) -> Vec<f32> {
    (0..len).map(|_| size * (dice.unit() as f32 - 0.5)).collect()
}

/// A sum of products of rounded numbers: both factors are wrong by at most a part in 256.
const ROUNDED: f64 = 2.0 / 256.0;

#[test]
fn every_processor_gets_the_same_bits_in_every_batch() {
    let mut dice = Dice::seeded(1);
    for (precision, part) in [(Precision::Float32, 0.0), (Precision::Bf16, ROUNDED)] {
        for (rows, inputs, outputs) in [(1, 1, 1), (3, 5, 33), (17, 64, 40), (29, 100, 96), (13, 129, 70)] {
            // Where products are denormal, or sums could be.
            for size in [1.0, 1e-16, 1e-19] {
                let (matrix, from) =
                    (random(inputs * outputs, size, &mut dice), random(rows * inputs, size, &mut dice));
                let packed = Matrix::new(precision, &matrix, outputs);
                let product = |instructions, from: &[f32]| {
                    let mut to = vec![f32::NAN; from.len() / inputs * outputs];
                    packed.multiply(instructions, from, &mut Vec::new(), &mut to);
                    to
                };
                let expected = product(Instructions::Portable, &from);
                for row in 0..rows {
                    for column in 0..outputs {
                        let factors = (0..inputs).map(|input| {
                            f64::from(from[row * inputs + input]) * f64::from(matrix[input * outputs + column])
                        });
                        let (exact, size) =
                            factors.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()));
                        let found = f64::from(expected[row * outputs + column]);
                        assert!(
                            (found - exact).abs() < 1e-5 + 1.01 * part * size,
                            "{precision:?}: {found}, not {exact}"
                        );
                    }
                }
                for instructions in Instructions::available() {
                    assert!(product(instructions, &from) == expected, "{precision:?}, {instructions:?}");
                    for row in 0..rows {
                        let alone = product(instructions, &from[row * inputs..][..inputs]);
                        assert!(alone == expected[row * outputs..][..outputs], "{precision:?}, {instructions:?}");
                    }
                }
            }
        }
    }
}
