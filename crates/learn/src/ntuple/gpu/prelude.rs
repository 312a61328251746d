//! The kernel's source: the design of the network as constants, then the code that is the same for all networks.

use std::fmt::Write as _;

use super::section::MAX_SECTIONS;
use crate::ntuple::Design;
use crate::ntuple::index::Tuple;
use crate::ntuple::places::Places;
use crate::ntuple::view::ceiling_tile;

/// How many positions of each stage are remembered to start from.
pub(super) const POOL: usize = 1 << 16;

/// The kinds of pools, one after the other, each with a pool for every stage: boards that games met there, doubled ones, and those
/// that were given.
pub(super) const MET: usize = 0;
pub(super) const DOUBLED: usize = 1;
pub(super) const GIVEN: usize = 2;
pub(super) const POOLS: usize = 3;

const KERNEL: &str = include_str!("kernel.cu");

/// The source of the kernels for a network: every shift and mask is a constant that the compiler sees.
pub(super) fn source(design: &Design) -> String {
    let tuples = Tuple::all(design);
    let mut text = String::new();
    let ceiling = design.ceiling().unwrap_or(u32::MAX);
    let stages = design.section_ends().into_iter().map(|end| format!("{end}u"));
    let weights = |stage: usize| Places::new(design).of(stage).len();
    let (mut offsets, mut indices) = (String::new(), String::new());
    for (number, tuple) in tuples.iter().enumerate() {
        let runs: Vec<String> =
            tuple.runs.iter().map(|(mask, shift)| format!("((board & {mask:#x}ull) >> {shift})")).collect();
        // Writing to a string cannot fail.
        let _ = write!(offsets, "case {number}: return {}u; ", tuple.offset);
        let _ = write!(indices, "case {number}: return (unsigned)({}); ", runs.join(" | "));
    }
    let _ = write!(
        text,
        "#define TUPLES {tuples}\n#define STAGES {sections}\n#define MAX_STAGES {most}\n\
         #define COMMON {common}\n#define NARROW_STAGES {narrow_stages}u\n\
         #define NARROW_WEIGHTS {narrow}ull\n#define WIDE_WEIGHTS {wide}ull\n#define POOL {POOL}\n\
         #define DOUBLED_POOLS ({DOUBLED} * STAGES)\n#define GIVEN_POOLS ({GIVEN} * STAGES)\n\
         #define NO_POOL ({POOLS} * STAGES)\n\
         #define CEILING {ceiling}u\n#define CEILING_TILE {ceiling_tile}u\n#define LOWERED {lowered}u\n\
         __device__ __constant__ unsigned stage_ends[STAGES] = {{{stages}}};\n\
         __device__ __forceinline__ unsigned offset_of(int tuple) {{ switch (tuple) {{ {offsets}default: return 0; }} }}\n\
         __device__ __forceinline__ unsigned index_of(int tuple, unsigned long long board) {{ \
         switch (tuple) {{ {indices}default: return 0; }} }}\n{KERNEL}",
        tuples = tuples.len(),
        common = design.shapes_of(0).len(),
        narrow_stages = design.narrow_count(),
        narrow = weights(0),
        wide = weights(design.narrow_count()),
        ceiling_tile = ceiling_tile(ceiling),
        sections = design.section_ends().len(),
        most = MAX_SECTIONS,
        lowered = design.early_count(),
        stages = stages.collect::<Vec<_>>().join(", "),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_holds_every_tuple_and_stage() {
        let design = Design::built_in("8x6").unwrap().with_stages(&[16_448, 32_832]).unwrap();
        let source = source(&design);
        assert!(source.contains("#define STAGES 3"));
        assert!(source.contains("stage_ends[STAGES] = {16448u, 32832u, 4294967295u};"));
        assert!(source.contains("case 2: return (unsigned)(((board & 0xffffffull) >> 0));"));
        assert!(source.contains("case 7: return 117440512u;"));
        assert!(source.contains("#define LOWERED 3u"));
    }
}
