//! Networks for 2048 by a genetic algorithm: the weights of a network are its chromosome.
//!
//! A [`Brain`] is a network of any design; fully connected ones over the 256 one-hot inputs or a few numbers are asked directly, others through
//! a judge. As a *policy* it has an output for each slide, as a *value* one output that expectimax searches with. [`Genetic`] breeds a population of them, one generation at a time;
//! [`Structures`] breeds their layers.

mod brain;
mod breeding;
mod checkpoint;
mod fitness;
mod run;
mod settings;
mod structure;

pub use brain::{Brain, BrainError, Shape, Thought};
pub use breeding::Mutation;
pub use fitness::{Role, Worth};
pub use run::{Generation, Genetic};
pub use settings::{BreedingSettings, Chance, GeneticError, GeneticSettings, Operators, Selection, StructureSettings};
pub use structure::{Attempt, Structures};
