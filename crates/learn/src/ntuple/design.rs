//! What a network looks like, as data: which cells each tuple reads, and when the next stage begins.

use std::fmt;
use std::str::FromStr;

use afterstate_twenty48::Cell;
use serde::{Deserialize, Serialize};

/// The cells that one tuple reads. Their order does not matter: a tuple is a set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    cells: u16,
}

/// A network described: its tuples, each of them looked up through all eight symmetries of the board, and its stages.
///
/// In TOML:
///
/// ```toml
/// name = "own"
/// tuples = ["a1 b1 c1 d1 a2 b2", "a2 b2 c2 d2 a3 b3"]
/// stages = [16448, 24640] # optional: the tile sums at which the next set of weights takes over
/// ceiling = 32832 # optional: the tile sum from which on the largest tiles are lowered
/// late = [57408, 61504] # optional: the tile sums above the ceiling at which stages begin that see all tiles as they are again
/// added = { from = 24640, tuples = ["a1 b1 c1 d1 a2 b2 c2"] } # optional: tuples that only the stages from a tile sum on have
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawDesign", into = "RawDesign")]
pub struct Design {
    name: String,
    /// All of them; those that only some stages have come last.
    shapes: Vec<Shape>,
    stages: Vec<u32>,
    ceiling: Option<u32>,
    late: Vec<u32>,
    added: Option<Added>,
}

/// Which tuples only some stages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Added {
    /// The tile sum at which the first of these stages begins.
    from: u32,
    /// The tuples that all stages have; the others are added.
    common: usize,
    /// The stages before.
    narrow_stages: usize,
}

/// A design as it is written, not checked yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDesign {
    name: String,
    tuples: Vec<String>,
    #[serde(default)]
    stages: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ceiling: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    late: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    added: Option<RawAdded>,
}

/// Tuples that only the stages from a tile sum on have, as they are written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAdded {
    from: u32,
    tuples: Vec<String>,
}

/// What is wrong with the description of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// A word that names no cell.
    #[error("`{word}` in the tuple `{tuple}` is no cell: cells are a1 (top left) to d4 (bottom right)")]
    NoSuchCell {
        /// The word.
        word: String,
        /// The tuple it was found in.
        tuple: String,
    },
    /// A cell that occurs twice in one tuple.
    #[error("the cell {cell} occurs twice in the tuple `{tuple}`")]
    RepeatedCell {
        /// The cell.
        cell: Cell,
        /// The tuple.
        tuple: String,
    },
    /// A tuple without cells or with too many.
    #[error("the tuple `{tuple}` has {count} cells: 1 to {} are possible", Shape::MAX_CELLS)]
    CellCount {
        /// The tuple.
        tuple: String,
        /// How many cells it has.
        count: usize,
    },
    /// No tuples, or too many.
    #[error("the network has {0} tuples: 1 to {max} are possible", max = Design::MAX_TUPLES)]
    TupleCount(usize),
    /// Stages that do not begin one after the other.
    #[error("the stages {0:?} are not strictly ascending positive tile sums")]
    StageOrder(Vec<u32>),
    /// A ceiling within the stages, or below the smallest tile that can be lowered.
    #[error("the ceiling {0} is not a tile sum from 16 on and above every stage")]
    Ceiling(u32),
    /// Late stages without a ceiling, below it, at the next one, or in disorder.
    #[error(
        "the late stages {0:?} are not strictly ascending tile sums between a ceiling and that of a tile twice as large"
    )]
    Late(Vec<u32>),
    /// Tuples that are added where no stage begins.
    #[error("tuples are added from {from} on, but stages begin at {begins:?}")]
    Added {
        /// The tile sum from which on they are added.
        from: u32,
        /// Where stages begin.
        begins: Vec<u32>,
    },
    /// More stages than a model file can hold.
    #[error("the network has {0} stages: at most {max} are possible", max = Design::MAX_STAGES)]
    StageCount(usize),
    /// Tables that cannot be addressed.
    #[error("the network has {0} weights in a stage: at most {max} are possible", max = u32::MAX)]
    TooLarge(u64),
    /// A built-in design that does not exist.
    #[error("no built-in network is called `{0}`: there are {known}", known = Design::BUILT_IN.join(", "))]
    NoSuchDesign(String),
    /// Text that is no description of a network.
    #[error("not the description of a network: {0}")]
    Syntax(String),
}

impl Shape {
    /// The most cells a tuple may read: eight would be a table of 16 GiB.
    pub const MAX_CELLS: usize = 7;

    /// The cells, row by row from the top left.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |cell| self.cells >> cell.index() & 1 != 0)
    }

    /// The number of cells.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.cells.count_ones()
    }

    /// Whether the tuple reads nothing; never true for a shape that was read from text.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.cells == 0
    }

    /// The number of weights: one for every content of the cells.
    #[must_use]
    pub const fn weights(self) -> usize {
        1 << (4 * self.len())
    }

    /// The nibbles of the packed board that belong to the tuple.
    #[must_use]
    pub fn mask(self) -> u64 {
        self.cells().fold(0, |mask, cell| mask | 15 << (4 * cell.index()))
    }
}

impl FromStr for Shape {
    type Err = DesignError;

    fn from_str(text: &str) -> Result<Self, DesignError> {
        let tuple = || text.to_owned();
        let mut cells = 0u16;
        let mut count = 0;
        for word in text.split_whitespace() {
            let no_such_cell = || DesignError::NoSuchCell { word: word.to_owned(), tuple: tuple() };
            let cell = Cell::from_name(word).ok_or_else(no_such_cell)?;
            if cells >> cell.index() & 1 != 0 {
                return Err(DesignError::RepeatedCell { cell, tuple: tuple() });
            }
            cells |= 1 << cell.index();
            count += 1;
        }
        if !(1..=Self::MAX_CELLS).contains(&count) {
            return Err(DesignError::CellCount { tuple: tuple(), count });
        }
        Ok(Self { cells })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cell) in self.cells().enumerate() {
            write!(f, "{}{cell}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}

/// Four tuples of six cells: the outer and the inner row with two more, and two 2x3 blocks (Yeh and others 2016).
const FOUR_BY_SIX: [&str; 4] = ["a1 b1 c1 d1 a2 b2", "a2 b2 c2 d2 a3 b3", "a1 b1 c1 a2 b2 c2", "a2 b2 c2 a3 b3 c3"];

/// Eight tuples of six cells, chosen by a systematic search (Matsuzaki 2016).
const EIGHT_BY_SIX: [&str; 8] = [
    "a1 b1 c1 a2 b2 c2",
    "a2 b2 c2 d2 a3 b3",
    "a1 b1 c1 d1 a2 b2",
    "c1 d1 a2 b2 c2 b3",
    "a1 b1 c1 b2 b3 c3",
    "d1 a2 b2 c2 d2 a3",
    "b1 d1 a2 b2 c2 d2",
    "a1 b1 a2 a3 b3 c3",
];

/// The four tuples of six, then two rows and three squares of four cells. What small tuples learn from a few games serves
/// boards that the large ones have not met yet (the "redundant encoding" of Jaskowski 2017).
const FOUR_BY_SIX_AND_FIVE_BY_FOUR: [&str; 9] = [
    FOUR_BY_SIX[0],
    FOUR_BY_SIX[1],
    FOUR_BY_SIX[2],
    FOUR_BY_SIX[3],
    "a1 b1 c1 d1",
    "a2 b2 c2 d2",
    "a1 b1 a2 b2",
    "b1 c1 b2 c2",
    "b2 c2 b3 c3",
];

/// Four small tuples with 1 MiB of weights, for tests and first steps.
const FOUR_BY_FOUR: [&str; 4] = ["a1 b1 c1 d1", "a2 b2 c2 d2", "a1 b1 a2 b2", "b2 c2 b3 c3"];

impl Design {
    /// The names of the designs that come with the program.
    pub const BUILT_IN: [&str; 4] = ["4x4", "4x6", "4x6+5x4", "8x6"];
    /// The most tuples a network may have.
    pub const MAX_TUPLES: usize = 64;
    /// The most stages a network may have.
    pub const MAX_STAGES: usize = 32;

    /// A checked design.
    pub fn new(name: &str, tuples: &[&str], stages: &[u32]) -> Result<Self, DesignError> {
        Self::try_from(RawDesign {
            name: name.to_owned(),
            tuples: tuples.iter().map(ToString::to_string).collect(),
            stages: stages.to_vec(),
            ceiling: None,
            late: Vec::new(),
            added: None,
        })
    }

    /// A design that comes with the program.
    pub fn built_in(name: &str) -> Result<Self, DesignError> {
        match name {
            "4x4" => Self::new(name, &FOUR_BY_FOUR, &[]),
            "4x6" => Self::new(name, &FOUR_BY_SIX, &[]),
            "4x6+5x4" => Self::new(name, &FOUR_BY_SIX_AND_FIVE_BY_FOUR, &[]),
            "8x6" => Self::new(name, &EIGHT_BY_SIX, &[]),
            _ => Err(DesignError::NoSuchDesign(name.to_owned())),
        }
    }

    /// Reads a design from TOML.
    pub fn from_toml(text: &str) -> Result<Self, DesignError> {
        toml::from_str(text).map_err(|error| DesignError::Syntax(error.to_string()))
    }

    /// The same tuples with other stages: `stages` are the tile sums at which the second, third, ... stage begins.
    pub fn with_stages(&self, stages: &[u32]) -> Result<Self, DesignError> {
        Self::try_from(RawDesign { stages: stages.to_vec(), ..self.clone().into() })
    }

    /// The same network with another ceiling.
    pub fn with_ceiling(&self, ceiling: Option<u32>) -> Result<Self, DesignError> {
        Self::try_from(RawDesign { ceiling, ..self.clone().into() })
    }

    /// The same network with other stages above its ceiling.
    pub fn with_late(&self, late: &[u32]) -> Result<Self, DesignError> {
        Self::try_from(RawDesign { late: late.to_vec(), ..self.clone().into() })
    }

    /// The same network with tuples that only the stages from a tile sum on have.
    pub fn with_added(&self, from: u32, tuples: &[&str]) -> Result<Self, DesignError> {
        let added = RawAdded { from, tuples: tuples.iter().map(ToString::to_string).collect() };
        Self::try_from(RawDesign { added: Some(added), ..self.clone().into() })
    }

    /// Whether this is the network that `wanted` describes. Stages and a ceiling that it does not name may be there all the same:
    /// built-in designs have neither, and are divided later.
    #[must_use]
    pub fn is_meant_by(&self, wanted: &Self) -> bool {
        let is_divided = wanted.stage_count() == 1 && (wanted.ceiling.is_none() || wanted.ceiling == self.ceiling);
        self == wanted || is_divided && self.added.is_none() && self.shapes == wanted.shapes
    }

    fn checked(self) -> Result<Self, DesignError> {
        if !(1..=Self::MAX_TUPLES).contains(&self.shapes.len()) {
            return Err(DesignError::TupleCount(self.shapes.len()));
        }
        if self.stages.first() == Some(&0) || !self.stages.is_sorted_by(|a, b| a < b) {
            return Err(DesignError::StageOrder(self.stages));
        }
        let weights: u64 = self.shapes.iter().map(|shape| shape.weights() as u64).sum();
        if weights > u64::from(u32::MAX) {
            return Err(DesignError::TooLarge(weights));
        }
        let below = |ceiling: &u32| *ceiling < 16 || self.stages.iter().any(|stage| stage >= ceiling);
        if let Some(wrong) = self.ceiling.filter(below) {
            return Err(DesignError::Ceiling(wrong));
        }
        let within = |late: &u32| self.ceiling.is_some_and(|ceiling| ceiling < *late) && *late < self.end();
        if !self.late.iter().all(within) || !self.late.is_sorted_by(|a, b| a < b) {
            return Err(DesignError::Late(self.late));
        }
        if self.stage_count() > Self::MAX_STAGES {
            return Err(DesignError::StageCount(self.stage_count()));
        }
        Ok(self)
    }

    /// The tile sum from which on the largest tiles are lowered, if there is one: such boards are judged as if their
    /// largest tile were half of it, and so belong to a stage again that was learned well.
    #[must_use]
    pub fn ceiling(&self) -> Option<u32> {
        self.ceiling
    }

    /// The tile sums at which stages begin that judge boards above the ceiling with all tiles as they are. Below the first of
    /// them tiles are lowered.
    #[must_use]
    pub fn late(&self) -> &[u32] {
        &self.late
    }

    /// The tile sum at which learning ends: the ceiling or, where stages lie above it, the ceiling of a tile twice as large.
    pub(crate) fn end(&self) -> u32 {
        match self.ceiling {
            Some(ceiling) if !self.late.is_empty() => ceiling.saturating_add(1 << ceiling.ilog2()),
            ceiling => ceiling.unwrap_or(u32::MAX),
        }
    }

    /// The tile sums at which the stages begin, those above the ceiling included; the first one begins at 0.
    pub fn begins(&self) -> impl Iterator<Item = u32> {
        [0].into_iter().chain(self.stages.iter().copied()).chain(self.late.iter().copied())
    }

    /// The name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tuples, those included that only some stages have.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The tuples of a stage.
    #[must_use]
    pub fn shapes_of(&self, stage: usize) -> &[Shape] {
        match self.added {
            Some(Added { common, narrow_stages, .. }) if stage < narrow_stages => &self.shapes[..common],
            _ => &self.shapes,
        }
    }

    /// How many stages have only the tuples that all have; the stages that have more follow.
    pub(crate) fn narrow_count(&self) -> usize {
        self.added.map_or(self.stage_count(), |added| added.narrow_stages)
    }

    /// The tile sums at which the second, third, ... stage begins.
    ///
    /// A slide does not change the sum of the tiles, so all moves of a position lead into the same stage: no move can
    /// look good or bad only because another set of weights judges it.
    #[must_use]
    pub fn stages(&self) -> &[u32] {
        &self.stages
    }

    /// The number of stages below the ceiling, at least 1.
    #[must_use]
    pub fn early_count(&self) -> usize {
        self.stages.len() + 1
    }

    /// The number of all stages, at least 1.
    #[must_use]
    pub fn stage_count(&self) -> usize {
        self.early_count() + self.late.len()
    }

    /// The look-ups whose sum is the value of a board in a stage.
    #[must_use]
    pub fn features(&self, stage: usize) -> usize {
        8 * self.shapes_of(stage).len()
    }
}

impl TryFrom<RawDesign> for Design {
    type Error = DesignError;

    fn try_from(raw: RawDesign) -> Result<Self, DesignError> {
        let RawDesign { name, mut tuples, stages, ceiling, late, added } = raw;
        let common = tuples.len();
        let from = added.map(|added| {
            tuples.extend(added.tuples);
            added.from
        });
        let shapes = tuples.iter().map(|tuple| tuple.parse()).collect::<Result<Vec<Shape>, _>>()?;
        if common == 0 {
            return Err(DesignError::TupleCount(0));
        }
        let mut design = Self { name, shapes, stages, ceiling, late, added: None }.checked()?;
        if let Some(from) = from {
            let begins: Vec<u32> = design.begins().collect();
            let Some(narrow_stages) = begins.iter().position(|&begin| begin == from) else {
                return Err(DesignError::Added { from, begins });
            };
            design.added = Some(Added { from, common, narrow_stages });
        }
        Ok(design)
    }
}

impl From<Design> for RawDesign {
    fn from(design: Design) -> Self {
        let mut tuples: Vec<String> = design.shapes.iter().map(ToString::to_string).collect();
        let added = design.added.map(|Added { from, common, .. }| RawAdded { from, tuples: tuples.split_off(common) });
        Self { name: design.name, tuples, stages: design.stages, ceiling: design.ceiling, late: design.late, added }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_designs_are_valid_and_survive_writing() {
        for name in Design::BUILT_IN {
            let design = Design::built_in(name).unwrap();
            let text = toml::to_string(&design).unwrap();
            assert_eq!(Design::from_toml(&text).unwrap(), design, "{text}");
            assert_eq!(design.stage_count(), 1);
        }
    }

    #[test]
    fn some_tuples_may_belong_to_late_stages_only() {
        let text = "name = \"x\"\ntuples = [\"a1\"]\nstages = [100, 200]\nadded = { from = 200, tuples = [\"b1 c1\"] }";
        let design = Design::from_toml(text).unwrap();
        assert_eq!([0, 1, 2].map(|stage| design.features(stage)), [8, 8, 16]);
        assert_eq!((design.narrow_count(), design.shapes().len()), (2, 2));
        assert_eq!(Design::from_toml(&toml::to_string(&design).unwrap()).unwrap(), design);
        let check = |text: &str, reason: &str| {
            let error = Design::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check(&text.replace("from = 200", "from = 150"), "added from 150 on, but stages begin at [0, 100, 200]");
        check(&text.replace("[\"a1\"]", "[]"), "the network has 0 tuples");
        check(&text.replace("b1 c1", "b1 b1"), "the cell b1 occurs twice");
    }

    #[test]
    fn a_design_is_meant_by_itself_and_by_its_tuples_alone() {
        let plain = Design::new("own", &["a1", "b1 c1"], &[]).unwrap();
        let stages = plain.with_stages(&[100, 200]).unwrap();
        let ceiling = stages.with_ceiling(Some(300)).unwrap();
        for design in [&plain, &stages, &ceiling] {
            assert!(design.is_meant_by(design) && design.is_meant_by(&plain));
        }
        // Stages that cannot be taken away: tuples belong to them.
        let added = plain.with_stages(&[100]).unwrap().with_added(100, &["d1"]).unwrap();
        assert!(added.is_meant_by(&added));
        let other = Design::new("own", &["a1", "b1 d1"], &[]).unwrap();
        let all = Design::new("own", &["a1", "b1 c1", "d1"], &[]).unwrap();
        for wanted in
            [&other, &all, &plain, &stages.with_stages(&[100]).unwrap(), &added.with_stages(&[100, 200]).unwrap()]
        {
            assert!(!added.is_meant_by(wanted), "{wanted:?}");
        }
        assert!(!stages.is_meant_by(&other) && !stages.is_meant_by(&ceiling) && !plain.is_meant_by(&stages));
        assert!(!ceiling.is_meant_by(&plain.with_ceiling(Some(400)).unwrap()));
    }

    #[test]
    fn a_wrong_design_is_refused_with_its_reason() {
        let check = |tuples: &str, stages: &str, reason: &str| {
            let text = format!("name = \"x\"\ntuples = {tuples}\nstages = {stages}");
            let error = Design::from_toml(&text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check("[\"a1 b1 a1\"]", "[]", "the cell a1 occurs twice in the tuple `a1 b1 a1`");
        check("[\"a1 e1\"]", "[]", "`e1` in the tuple `a1 e1` is no cell");
        check("[\"\"]", "[]", "has 0 cells");
        check("[\"a1 b1 c1 d1 a2 b2 c2 d2\"]", "[]", "has 8 cells");
        check("[]", "[]", "the network has 0 tuples");
        let seven = "\"a1 b1 c1 d1 a2 b2 c2\"";
        check(&format!("[{}]", [seven; 16].join(",")), "[]", "the network has 4294967296 weights in a stage");
        check("[\"a1\"]", "[5, 5]", "not strictly ascending");
        check("[\"a1\"]", "[0]", "not strictly ascending");
        check("[1]", "[]", "not the description of a network");
        assert!(Design::built_in("9x9").unwrap_err().to_string().contains("there are 4x4, 4x6, 4x6+5x4, 8x6"));
    }

    #[test]
    fn the_ceiling_lies_above_the_stages() {
        let design = Design::new("x", &["a1"], &[100, 200]).unwrap();
        assert_eq!(design.with_ceiling(Some(201)).unwrap().ceiling(), Some(201));
        assert_eq!(design.with_ceiling(Some(200)), Err(DesignError::Ceiling(200)));
        let text = toml::to_string(&design.with_ceiling(Some(300)).unwrap()).unwrap();
        assert_eq!(Design::from_toml(&text).unwrap().ceiling(), Some(300));
    }

    #[test]
    fn late_stages_lie_above_the_ceiling() {
        let design = Design::new("x", &["a1"], &[100]).unwrap();
        let wrong = |late: &[u32]| Err(DesignError::Late(late.to_vec()));
        assert_eq!(design.with_late(&[300]), wrong(&[300]), "there is no ceiling");
        let design = design.with_ceiling(Some(200)).unwrap();
        // The ceiling for 256 is 328.
        assert_eq!(design.with_late(&[200, 300]), wrong(&[200, 300]));
        assert_eq!(design.with_late(&[300, 300]), wrong(&[300, 300]));
        assert_eq!(design.with_late(&[300, 328]), wrong(&[300, 328]));
        let design = design.with_late(&[300, 320]).unwrap();
        assert_eq!((design.early_count(), design.stage_count()), (2, 4));
        assert!(design.begins().eq([0, 100, 300, 320]));
        let text = toml::to_string(&design).unwrap();
        assert_eq!(Design::from_toml(&text).unwrap(), design, "{text}");
        let many: Vec<u32> = (280..311).collect();
        assert_eq!(design.with_late(&many), Err(DesignError::StageCount(33)));
    }
}
