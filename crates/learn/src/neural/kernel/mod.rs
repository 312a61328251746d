//! Products with a matrix that is packed once and used often: what playing with a network spends its time on.
//!
//! Every sum runs over the inputs in a fixed order with fused multiplications, on every processor and in every batch. So
//! the value of a board depends neither on its company nor on the machine, and the same seed gives the same game.

mod bf16;
mod packed;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(super) use bf16::Pair;
use packed::{Packed, WIDTH};

/// How exact the factors of products are; sums are float32 always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Factors of 24 binary digits.
    #[default]
    Float32,
    /// Factors of 8 binary digits.
    Bf16,
}

/// A matrix made ready to be multiplied.
#[derive(Clone, Debug)]
pub(super) enum Matrix {
    Float32(Packed<f32>),
    Bf16 { packed: Packed<Pair>, inputs: usize },
}

impl Matrix {
    /// A matrix whose rows have this many outputs.
    pub(super) fn new(precision: Precision, matrix: &[f32], outputs: usize) -> Self {
        match precision {
            Precision::Float32 => Self::Float32(Packed::new(matrix, outputs)),
            Precision::Bf16 => Self::Bf16 {
                packed: Packed::new(&bf16::paired(matrix, outputs), outputs),
                inputs: matrix.len() / outputs,
            },
        }
    }

    /// Writes the products of the rows of `from` with the matrix into the rows of `to`; `rounded` is a place to work in.
    pub(super) fn multiply(&self, instructions: Instructions, from: &[f32], rounded: &mut Vec<Pair>, to: &mut [f32]) {
        match self {
            Self::Float32(packed) => packed.multiply(instructions, from, to),
            Self::Bf16 { packed, inputs } => {
                bf16::round_rows(instructions, from, *inputs, rounded);
                packed.multiply(instructions, rounded, to);
            }
        }
    }
}

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// AVX-512 with products of bf16 numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Instructions {
    /// All that this processor has, the best first.
    pub(super) fn available() -> Vec<Self> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                if is_x86_feature_detected!("avx512bf16") {
                    available.push(Self::Avx512Bf16);
                }
                available.push(Self::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                available.push(Self::Avx2);
            }
        }
        available.push(Self::Portable);
        available
    }

    /// The best that this processor has.
    pub(super) fn best() -> Self {
        Self::available()[0]
    }
}
