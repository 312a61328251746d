//! What the kernels compute, in Rust: the same games and, for a single game, the same weights to the last bit.
//!
//! This is the yardstick of the GPU: slow, plain, and tested where there is no GPU.

use afterstate_game::Dice;
use afterstate_twenty48::{Board, Slid, State};

use afterstate_game::Afterstate;

use super::Plan;
use crate::ntuple::index::{Portable, Tuple, images};
use crate::ntuple::view::tile_sum;
use crate::ntuple::{Design, Network, OutOfMemory};

/// One game of the batch.
struct Slot {
    state: State,
    dice: Dice,
    before: Option<(u64, usize)>,
}

/// The batch learner on the processor.
pub(crate) struct Reference {
    pub(crate) network: Network,
    /// Per weight: the sum of errors, the sum of their sizes, the errors and visits of the present step.
    sums: Vec<[f32; 4]>,
    slots: Vec<Slot>,
}

impl Reference {
    pub(crate) fn new(design: &Design, seeds: &[u64]) -> Result<Self, OutOfMemory> {
        let network = Network::new(design, 0.0)?;
        let slots = seeds.iter().map(|&seed| {
            let mut dice = Dice::seeded(seed);
            Slot { state: State::start(&mut dice), dice, before: None }
        });
        Ok(Self { sums: vec![[0.0; 4]; network.values.len()], slots: slots.collect(), network })
    }

    /// One move in every game, then the corrections.
    pub(crate) fn step(&mut self, plan: &Plan) {
        let mut corrected = Vec::new();
        for slot in &mut self.slots {
            let design = self.network.design();
            let sum = tile_sum(slot.state.0.nibbles());
            let stage = design.section_of_sum(sum);
            let beyond = stage == design.section_ends().len();
            let failed = beyond && !design.is_whole(slot.state.0.nibbles());
            let choice = self.network.best(slot.state.0);
            if let Some((before, before_stage)) = slot.before {
                let target = choice.filter(|_| !failed).map_or(0.0, |choice| choice.reward as f32 + choice.value);
                let entered = || plan.bridge_into(stage).unwrap_or_else(|| target + plan.bonus_for(stage));
                let value = self.network.value(Board::from_nibbles(before));
                let error = if stage == before_stage || failed { target } else { entered() } - value;
                for place in places(&self.network, before, before_stage) {
                    let sums = &mut self.sums[place];
                    *sums = [sums[0] + error, sums[1] + error.abs(), sums[2] + error, sums[3] + 1.0];
                    corrected.push((place, plan.alpha * plan.rate_in(before_stage)));
                }
            }
            if let Some(choice) = choice.filter(|_| !beyond) {
                slot.before = Some((choice.afterstate.nibbles(), stage));
                slot.state = Slid(choice.afterstate).draw(&mut slot.dice);
            } else {
                slot.before = None;
                slot.state = State::start(&mut slot.dice);
            }
        }
        for (place, alpha) in corrected {
            self.apply(plan, alpha, place);
        }
    }

    /// Fixes weights for good: `fixed` says at what, or nothing for those that stay free.
    pub(crate) fn freeze(&mut self, fixed: impl Fn(usize, f32) -> Option<f32>) {
        for place in 0..self.network.values.len() {
            if let Some(value) = fixed(place, self.network.values.get(place)) {
                self.network.values.set(place, value);
                self.sums[place][1] = FROZEN;
            }
        }
    }

    fn apply(&mut self, plan: &Plan, alpha: f32, place: usize) {
        let [errors, sizes, sum, visits] = self.sums[place];
        if visits == 0.0 {
            return;
        }
        if sizes < 0.0 {
            self.sums[place] = [errors, sizes, 0.0, 0.0];
            return;
        }
        let coherence = if sizes > 0.0 { errors.abs() / sizes } else { 1.0 };
        let share = alpha * visits * if plan.coherent { coherence } else { 1.0 };
        let features = self.network.design().features(self.network.places().stage(place)) as f32;
        let value = self.network.values.get(place) + share.min(1.0) * (sum / visits) / features;
        self.network.values.set(place, value);
        self.sums[place] = [errors * plan.fade, sizes * plan.fade, 0.0, 0.0];
    }
}

/// The sum of sizes that marks a weight which does not learn any more: no error changes a number of this size.
const FROZEN: f32 = -3.0e38;

/// Where the features of a board lie in the tables of all stages; nowhere in a section that does not learn.
fn places(network: &Network, board: u64, section: usize) -> Vec<usize> {
    let Some(stage) = network.design().stage_of_section(section) else { return Vec::new() };
    let base = network.places().begin(stage);
    let images = images(board);
    let found = |tuple: &Tuple| tuple.places(Portable, &images).map(|place| base + place as usize);
    network.tuples(stage).iter().flat_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_batch_learner_learns() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[600]).unwrap();
        let seeds: Vec<u64> = (0..64).collect();
        for design in [design.clone(), design.with_added(600, &["a1 b1 c1", "b1 b2 c2"]).unwrap()] {
            let mut reference = Reference::new(&design, &seeds).unwrap();
            let before = reference.network.play_games(50, 9, 1).mean;
            for _ in 0..6000 {
                reference.step(&Plan::default());
            }
            let after = reference.network.play_games(50, 9, 1).mean;
            assert!(after > 1.5 * before, "from {before} to {after}");
            let (places, last) = (reference.network.places().of(1), design.shapes()[design.shapes().len() - 1]);
            let weights = reference.network.values.read(places.end - last.weights()..places.end);
            assert!(weights.iter().any(|&weight| weight != 0.0), "the last tuple learned nothing");
        }
    }

    #[test]
    fn a_single_game_moves_weights_as_the_learner_does() {
        use crate::ntuple::learner::{Coherence, Credit, Rate, Rule, Step};
        let design = Design::built_in("4x4").unwrap();
        let mut reference = Reference::new(&design, &[3]).unwrap();
        let plan = Plan { coherent: false, alpha: 0.015_625, ..Plan::default() };
        // Two moves: the first afterstate is corrected once.
        let mut replay = Dice::seeded(3);
        let start = State::start(&mut replay);
        let first = reference.network.best(start.0).unwrap();
        let second = reference.network.best(Slid(first.afterstate).draw(&mut replay).0).unwrap();
        reference.step(&plan);
        reference.step(&plan);
        let network = Network::new(&design, 0.0).unwrap();
        let coherence = Coherence::new(&network).unwrap();
        let rule = Rule::new(&network, Some(&coherence), Rate::Constant(0.015_625), Credit::Online);
        let step = Step { board: first.afterstate.nibbles(), stage: 0, reward: first.reward };
        rule.correct_step(step, second.reward as f32 + second.value);
        let weights = |network: &Network| network.values.read(0..network.values.len());
        assert_eq!(weights(&reference.network), weights(&network));
        assert_eq!(tile_sum(first.afterstate.nibbles()), start.0.sum());
    }

    #[test]
    fn fixed_weights_stay_while_the_others_learn() {
        let design = Design::built_in("4x4").unwrap();
        for plan in [Plan::default(), Plan { coherent: false, alpha: 0.1, fade: 0.9, ..Plan::default() }] {
            let mut reference = Reference::new(&design, &[1, 2, 3]).unwrap();
            (0..500).for_each(|_| reference.step(&plan));
            reference.freeze(|place, value| (place % 2 == 0).then(|| value.round()));
            let before = reference.network.values.read(0..reference.network.values.len());
            (0..500).for_each(|_| reference.step(&plan));
            let after = reference.network.values.read(0..before.len());
            let moved = |odd| (odd..before.len()).step_by(2).filter(|&place| before[place] != after[place]).count();
            assert_eq!(moved(0), 0, "{plan:?}");
            assert!(moved(1) > 100, "{plan:?}");
        }
    }

    #[test]
    fn entering_a_stage_is_worth_what_the_stage_says_where_no_bridge_is_given() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[24]).unwrap();
        let learned = |bridge: Vec<f32>| {
            let mut reference = Reference::new(&design, &[5]).unwrap();
            let size = reference.network.places().begin(1);
            (size..2 * size).for_each(|place| reference.network.values.set(place, 5000.0 / 32.0));
            let plan = Plan { coherent: false, alpha: 0.5, bridge, ..Plan::default() };
            (0..12).for_each(|_| reference.step(&plan));
            reference.network.values.read(0..size).into_iter().fold(0.0, f32::max)
        };
        let (own, fixed) = (learned(vec![-1.0, -1.0]), learned(vec![-1.0, 0.0]));
        assert!(own > 50.0 && fixed < 10.0, "{own} and {fixed}");
    }

    #[test]
    fn the_end_is_worth_nothing_without_its_tile() {
        let design = Design::built_in("4x4").unwrap().with_ceiling(Some(36)).unwrap();
        let plan = Plan { coherent: false, alpha: 0.5, bridge: vec![-1.0, 5000.0], ..Plan::default() };
        let learned = |before: &str, end: &str| {
            let mut reference = Reference::new(&design, &[1]).unwrap();
            let [before, end] = [before, end].map(|text| text.parse::<Board>().unwrap());
            reference.slots[0].before = Some((before.nibbles(), 0));
            reference.slots[0].state = State(end);
            reference.step(&plan);
            reference.network.value(before)
        };
        let made = learned("32 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "32 2 0 0/0 2 0 0/0 0 0 0/0 0 0 0");
        let never_made = learned("16 8 0 0/2 8 0 0/0 0 0 0/0 0 0 0", "16 8 0 0/2 8 0 0/2 0 0 0/0 0 0 0");
        assert!(made > 1000.0 && never_made == 0.0, "{made} and {never_made}");
    }

    #[test]
    fn nothing_is_learned_where_tiles_are_lowered() {
        let early = Design::built_in("4x4").unwrap().with_stages(&[100]).unwrap().with_ceiling(Some(132)).unwrap();
        let design = early.with_late(&[200]).unwrap();
        let plan = Plan { bonus: vec![0.0, 0.0, 50.0], ..Plan::default() };
        let mut reference = Reference::new(&design, &[1, 2, 3, 4]).unwrap();
        let size = reference.network.places().begin(1);
        let (mut entered, mut last) = (false, reference.network.values.read(0..3 * size));
        for _ in 0..4000 {
            let lowered = |slot: &Slot| slot.before.is_some_and(|(_, section)| section == 2);
            let all_lowered = reference.slots.iter().all(lowered);
            reference.step(&plan);
            let now = reference.network.values.read(0..3 * size);
            assert!(!all_lowered || now == last, "learned between the ceiling and the late stage");
            entered |= now[2 * size..].iter().any(|&weight| weight != 0.0);
            last = now;
        }
        assert!(entered, "no game came to the late stage");
    }

    /// The part of the kernels that is not about the network, compiled for this machine where it has a compiler for C++: what
    /// `main` answers to the questions, a line each.
    fn answers_of_kernels(name: &str, constants: &str, main: &str, questions: &str) -> Option<Vec<String>> {
        const KERNEL: &str = include_str!("kernel.cu");
        const SHIM: &str = "#include <cstddef>\n#include <cstdio>\n#include <algorithm>\nusing std::min;\n\
                            #define __device__\n#define __forceinline__ inline\n\
                            #define MAX_STAGES 8\n#define POOL 4\n#define DOUBLED_POOLS (1 * STAGES)\n\
                            #define GIVEN_POOLS (2 * STAGES)\n#define NO_POOL (3 * STAGES)\n\
                            static inline unsigned atomicAdd(unsigned* place, unsigned more) \
                            { unsigned before = *place; *place += more; return before; }\n\
                            static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }\n\
                            static inline int __ffsll(long long x) { return __builtin_ffsll(x); }\n\
                            static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) \
                            { return (unsigned long long)(((unsigned __int128)a * b) >> 64); }\n";
        let (rules, _) = KERNEL.split_once("// ---- The network. ----").unwrap();
        let folder = std::env::temp_dir().join(format!("afterstate-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [source, program, asked] = ["rules.cpp", "rules", "questions"].map(|name| folder.join(name));
        std::fs::write(&source, format!("{SHIM}{constants}\n{rules}{main}")).unwrap();
        let compiled = std::process::Command::new("c++").arg("-w").arg(&source).arg("-o").arg(&program).output();
        let Ok(compiled) = compiled else {
            eprintln!("not tested: there is no C++ compiler");
            return None;
        };
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        std::fs::write(&asked, questions).unwrap();
        let input = std::fs::File::open(&asked).unwrap();
        let said = std::process::Command::new(&program).stdin(input).output().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        Some(String::from_utf8_lossy(&said.stdout).lines().map(str::to_owned).collect())
    }

    #[test]
    fn the_kernels_slide_and_spawn_as_the_processor_does() {
        let constants = "#define STAGES 1\n#define LOWERED 1u\n#define CEILING 4000000000u\n#define CEILING_TILE 15u\n\
                         static unsigned stage_ends[1] = {4000000000u};";
        let main = "int main() { unsigned long long a, b, c, d, board; \
                    while (std::scanf(\"%llu %llu %llu %llu %llu\", &a, &b, &c, &d, &board) == 5) { Dice dice = {a, b, c, d}; \
                    for (u32 way = 0; way < 4; way++) { u32 reward = 0; u64 slid = slide(board, way, &reward); \
                    std::printf(\"%llu %u \", slid, reward); } \
                    u64 spawned = spawn(board, dice); std::printf(\"%llu %llu\\n\", spawned, new_game(dice)); } }";
        let mut dice = Dice::seeded(11);
        let (mut questions, mut answers) = (String::new(), Vec::new());
        for seed in 0..300 {
            // Full boards, empty ones and everything between; without 32768, which is not merged on the GPU.
            let mut board = Board::EMPTY.nibbles();
            for cell in 0..16 {
                board |= u64::from(dice.below(1 + seed % 16).min(14)) << (4 * cell);
            }
            let words = super::super::dice::dice_state(seed.into());
            questions += &format!("{} {} {} {} {board}\n", words[0], words[1], words[2], words[3]);
            let mut answer = String::new();
            for direction in afterstate_twenty48::Direction::ALL {
                let slide = Board::from_nibbles(board).slide(direction);
                answer += &format!("{} {} ", slide.board.nibbles(), slide.reward);
            }
            let mut rolled = Dice::seeded(seed.into());
            let spawned = Slid(Board::from_nibbles(board)).draw(&mut rolled);
            answers.push(answer + &format!("{} {}", spawned.0.nibbles(), State::start(&mut rolled).0.nibbles()));
        }
        if let Some(said) = answers_of_kernels("rules", constants, main, &questions) {
            assert_eq!(said, answers);
        }
    }

    #[test]
    fn a_doubled_board_enters_the_late_stage_of_its_sum() {
        let early = Design::new("x", &["a1"], &[100]).unwrap().with_ceiling(Some(132)).unwrap();
        let design = early.with_late(&[200, 230]).unwrap();
        assert_eq!(design.section_ends(), [100, 132, 200, 230, 260]);
        let constants = "#define STAGES 5\n#define LOWERED 2u\n#define CEILING 132u\n#define CEILING_TILE 7u\n\
                         static unsigned stage_ends[5] = {100, 132, 200, 230, 260};";
        let main = "int main() { unsigned before, sum; unsigned long long board; \
                    while (std::scanf(\"%u %u %llu\", &before, &sum, &board) == 3) \
                    std::printf(\"%u %llu\\n\", entered_doubled(before, sum), doubled(board)); }";
        let (mut questions, mut answers) = (String::new(), Vec::new());
        for (board, double) in [(0x0123u64, 0x0234u64), (0x4000_0000_0000_0501, 0x5000_0000_0000_0602)] {
            for before in (60..140).step_by(2) {
                for sum in [before + 2, before + 4] {
                    questions += &format!("{before} {sum} {board}\n");
                    let [from, to] = [before, sum].map(|sum| design.section_of_sum(2 * sum));
                    let entered = if sum < 128 && to != from && (3..5).contains(&to) { to } else { 0 };
                    answers.push(format!("{entered} {double}"));
                }
            }
        }
        assert!(answers.iter().any(|answer| answer.starts_with('3')));
        assert!(answers.iter().any(|answer| answer.starts_with('4')));
        if let Some(said) = answers_of_kernels("doubled", constants, main, &questions) {
            assert_eq!(said, answers);
        }
    }

    #[test]
    fn the_kernels_know_an_end_as_the_reference_does() {
        let design =
            Design::new("x", &["a1"], &[]).unwrap().with_ceiling(Some(132)).unwrap().with_late(&[200]).unwrap();
        let constants = "#define STAGES 3\n#define LOWERED 1u\n#define CEILING 132u\n#define CEILING_TILE 7u\n\
                         static unsigned stage_ends[3] = {132, 200, 260};";
        let main = "int main() { unsigned long long board; while (std::scanf(\"%llu\", &board) == 1) \
                    std::printf(\"%d\\n\", is_whole(board)); }";
        let mut dice = Dice::seeded(5);
        let boards: Vec<u64> =
            (0..300).map(|_| (0..4).fold(0, |board, _| board << 4 | u64::from(dice.below(10)))).collect();
        let questions: String = boards.iter().map(|board| format!("{board}\n")).collect();
        let answers: Vec<String> = boards.iter().map(|&board| u32::from(design.is_whole(board)).to_string()).collect();
        assert!(answers.contains(&"0".to_owned()) && answers.contains(&"1".to_owned()));
        if let Some(said) = answers_of_kernels("whole", constants, main, &questions) {
            assert_eq!(said, answers);
        }
    }

    #[test]
    fn games_start_from_the_pools_in_the_shares_that_were_said() {
        let constants = "#define STAGES 3\n#define LOWERED 3u\n#define CEILING 4000000000u\n#define CEILING_TILE 15u\n\
                         static unsigned stage_ends[3] = {100, 200, 4000000000u};";
        let main = "int main() { Settings settings = {}; u32 pooled[9]; Games games = {}; games.pooled = pooled; \
                    Dice dice = {1, 2, 3, 4}; u32 met, twice, given; \
                    while (std::scanf(\"%u %u %u %u %u\", &settings.given, &settings.doubled, &met, &twice, &given) == 5) { \
                    for (u32 pool = 0; pool < 9; pool++) pooled[pool] = pool < 3 ? met : pool < 6 ? twice : given; \
                    u32 chosen[10] = {}; for (int i = 0; i < 10000; i++) chosen[pool_for(settings, games, dice, 1)]++; \
                    std::printf(\"%u %u %u %u\\n\", chosen[1], chosen[4], chosen[7], chosen[NO_POOL]); } }";
        let (quarter, half) = (1u32 << 30, 1u32 << 31);
        // Of 10,000 games: from boards that were met, doubled ones, given ones, and from none.
        let cases = [
            ([quarter, half, 1, 1, 1], [2500, 5000, 2500, 0]),
            ([quarter, 0, 1, 1, 1], [7500, 0, 2500, 0]),
            ([0, half, 1, 1, 1], [5000, 5000, 0, 0]),
            ([quarter, half, 0, 1, 1], [0, 7500, 2500, 0]),
            ([quarter, half, 0, 0, 1], [0, 0, 10_000, 0]),
            ([quarter, half, 1, 1, 0], [5000, 5000, 0, 0]),
            ([quarter, half, 0, 1, 0], [0, 10_000, 0, 0]),
            ([0, 0, 0, 1, 1], [0, 0, 0, 10_000]),
        ];
        let questions: String =
            cases.iter().map(|(asked, _)| format!("{}\n", asked.map(|n| n.to_string()).join(" "))).collect();
        let Some(said) = answers_of_kernels("pools", constants, main, &questions) else { return };
        for ((asked, expected), answer) in cases.iter().zip(&said) {
            let counts: Vec<u32> = answer.split(' ').map(|count| count.parse().unwrap()).collect();
            let is_near = counts.iter().zip(expected).all(|(count, &wanted)| count.abs_diff(wanted) < 300);
            assert!(is_near && counts.len() == 4, "{asked:?}: {answer}");
        }
        assert_eq!(said.len(), cases.len());
    }
}
