//! N-tuple networks: the value of a board is the sum of table entries, one for each tuple and symmetry.

mod design;

pub use design::{Design, DesignError, Shape};
