//! The kernels on the device.

use std::ops::Range;
use std::sync::Arc;

use afterstate_game::derive_seed;
use afterstate_twenty48::Board;
use cudarc::driver::{CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg};

use super::dice::dice_state;
use super::memory::{Memory, Settings};
use super::prelude::{DOUBLED, GIVEN, MET, POOL, source};
use super::{Plan, Promotion};
use crate::cuda::{GpuError, Rounding, compile, open, refused};
use crate::ntuple::places::Places;
use crate::ntuple::tournament::Tally;
use crate::ntuple::{Design, Network, Quantiser, Sample};
use crate::parallel::map_all;

/// What happened in a stage since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageEvents {
    /// Games that started in the stage.
    pub started: u64,
    /// Games that went on to the next stage.
    pub left: u64,
    /// Games that ended here.
    pub lost: u64,
}

/// A training on the first GPU of the machine.
pub struct GpuTraining {
    pub(super) design: Design,
    pub(super) stream: Arc<CudaStream>,
    kernels: Kernels,
    pub(super) games: u32,
    pub(super) memory: Memory,
    pub(super) steps: u64,
}

struct Kernels {
    begin: CudaFunction,
    step: CudaFunction,
    apply: CudaFunction,
    average: CudaFunction,
    fill: CudaFunction,
    freeze: CudaFunction,
    promote: CudaFunction,
    play: CudaFunction,
}

impl Kernels {
    fn compile(context: &Arc<CudaContext>, design: &Design) -> Result<Self, GpuError> {
        // Rounded as on the processor, so that both learn the same weights.
        let code = compile(context, &source(design), Rounding::Everywhere)?;
        let module = context.load_module(code).map_err(refused("load the kernels"))?;
        let load = |name| module.load_function(name).map_err(refused("find a kernel"));
        Ok(Self {
            begin: load("begin")?,
            step: load("step")?,
            apply: load("apply")?,
            average: load("average")?,
            fill: load("fill")?,
            freeze: load("freeze")?,
            promote: load("promote")?,
            play: load("play")?,
        })
    }
}

/// The weights that one thread goes through at a time.
const PART: usize = 1 << 22;

/// Threads of a block, as the kernels expect.
const BLOCK: u32 = 256;

/// Eight lanes for each game; the last warp is filled up with lanes that do nothing.
fn lanes(games: u32) -> LaunchConfig {
    blocks((8 * games).div_ceil(BLOCK))
}

fn blocks(count: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (count, 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 }
}

impl GpuTraining {
    /// A training that starts from nothing, with this many games at once (rounded up to a multiple of 4).
    pub fn new(design: &Design, games: u32, seed: u64) -> Result<Self, GpuError> {
        let context = open()?;
        let games = games.max(1).next_multiple_of(4);
        // Weights, their sums, and a few words per game.
        let needed = Places::new(design).len() * 20 + games as usize * 100;
        let (free, _) = context.mem_get_info().map_err(refused("count its memory"))?;
        if needed > free {
            return Err(GpuError::Memory { needed, free });
        }
        let kernels = Kernels::compile(&context, design)?;
        let stream = context.new_stream().map_err(refused("make a stream"))?;
        let memory = Memory::allocate(&stream, design, games as usize).map_err(refused("give memory"))?;
        let mut training = Self { design: design.clone(), stream, kernels, games, memory, steps: 0 };
        let seeds: Vec<u64> = (0..games).map(|game| derive_seed(seed, &[u64::from(game)])).collect();
        training.begin(&seeds).map_err(refused("begin"))?;
        Ok(training)
    }

    /// Where the weights of each stage lie.
    pub(super) fn places(&self) -> Places {
        Places::new(&self.design)
    }

    /// Starts all games anew, one from each seed.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn begin(&mut self, seeds: &[u64]) -> Result<(), DriverError> {
        let words: Vec<u64> = seeds.iter().flat_map(|&seed| dice_state(seed)).collect();
        let words = self.stream.clone_htod(&words)?;
        let games = self.memory.games(&self.stream);
        let count = seeds.len() as u32;
        let mut launch = self.stream.launch_builder(&self.kernels.begin);
        launch.arg(&games).arg(&count).arg(&words);
        // SAFETY: the kernel writes one entry per seed, and there are at most as many seeds as games.
        unsafe { launch.launch(blocks(count.div_ceil(BLOCK))) }?;
        self.games = count;
        self.stream.synchronize()
    }

    /// Gives all weights of a stage the same value, so that each of its boards is worth `value` points.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub fn initialise(&mut self, stage: usize, value: f32) -> Result<(), GpuError> {
        if stage >= self.design.stage_count() {
            return Ok(());
        }
        let places = self.places().of(stage);
        let (begin, end) = (places.start as u64, places.end as u64);
        let share = value / self.design.features(stage) as f32;
        let mut launch = self.stream.launch_builder(&self.kernels.fill);
        launch.arg(&mut self.memory.values).arg(&begin).arg(&end).arg(&share);
        // SAFETY: the range lies within the weights.
        unsafe { launch.launch(blocks(4096)) }.map_err(refused("fill the weights"))?;
        Ok(())
    }

    /// Gives a stage the weights that another one has for the same features, each of the `lowered` tiles replaced by its
    /// half: with the largest tile halved, what was learned before it was made serves as a beginning for what follows.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub fn promote(&mut self, promotion: &Promotion) -> Result<(), GpuError> {
        let stages = self.design.stage_count();
        if promotion.from >= stages || promotion.to >= stages {
            return Ok(());
        }
        let lowered = promotion.table();
        let [mut to, mut from] = [promotion.to, promotion.from].map(|stage| self.places().begin(stage) as u64);
        let [tuples_to, tuples_from] = [promotion.to, promotion.from].map(|stage| self.design.shapes_of(stage));
        for (shape, _) in tuples_to.iter().zip(tuples_from) {
            let count = shape.weights() as u64;
            let mut launch = self.stream.launch_builder(&self.kernels.promote);
            launch.arg(&mut self.memory.values).arg(&to).arg(&from).arg(&count).arg(&lowered);
            // SAFETY: both tables lie within the weights, and a lowered index is at most the index itself.
            unsafe { launch.launch(blocks(4096)) }.map_err(refused("promote"))?;
            (to, from) = (to + count, from + count);
        }
        Ok(())
    }

    /// Makes `steps` moves in every game and learns from each of them.
    #[expect(unsafe_code, reason = "kernels are launched")]
    pub fn learn(&mut self, plan: &Plan, steps: u32) -> Result<(), GpuError> {
        let settings = Settings::new(plan, self.games, self.design.section_ends().len());
        let games = self.memory.games(&self.stream);
        for _ in 0..steps {
            let mut launch = self.stream.launch_builder(&self.kernels.step);
            launch.arg(&settings).arg(&games).arg(&self.memory.values).arg(&mut self.memory.sums);
            // SAFETY: all arrays were allocated for this design and this number of games.
            unsafe { launch.launch(lanes(self.games)) }.map_err(refused("play"))?;
            let mut launch = self.stream.launch_builder(&self.kernels.apply);
            launch.arg(&settings).arg(&games).arg(&mut self.memory.values).arg(&mut self.memory.sums);
            // SAFETY: as above.
            unsafe { launch.launch(lanes(self.games)) }.map_err(refused("learn"))?;
        }
        self.stream.synchronize().map_err(refused("learn"))?;
        self.steps += u64::from(steps);
        Ok(())
    }

    /// Moves learned from so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.steps * u64::from(self.games)
    }

    /// Mixes the present weights into their running mean: `share` 1 starts it, 1/n adds the n-th sample.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub fn average(&mut self, share: f32) -> Result<(), GpuError> {
        let count = self.memory.values.len();
        let mean = match self.memory.mean.take() {
            Some(mean) => mean,
            None => self.stream.alloc_zeros(count).map_err(refused("give memory"))?,
        };
        let mean = self.memory.mean.insert(mean);
        let count = count as u64;
        let mut launch = self.stream.launch_builder(&self.kernels.average);
        launch.arg(mean).arg(&self.memory.values).arg(&count).arg(&share);
        // SAFETY: both arrays have `count` entries.
        unsafe { launch.launch(blocks(8192)) }.map_err(refused("average"))?;
        Ok(())
    }

    /// Puts the running mean in the place of the weights.
    pub fn adopt_average(&mut self) {
        if let Some(mean) = self.memory.mean.take() {
            self.memory.values = mean;
        }
    }

    /// Rounds the weights of these stages that a quantiser stores coarsely or not at all, and fixes them for good: the others
    /// learn on and make up for it.
    pub fn freeze(&mut self, quantiser: &Quantiser, stages: Range<usize>) -> Result<(), GpuError> {
        for stage in stages {
            let base = quantiser.base_of(stage).map(|base| self.weights_of(base)).transpose()?;
            let begin = self.places().begin(stage);
            let resembled = |place: usize| base.as_ref().map_or(0.0, |weights| weights[place - begin]);
            self.fix(stage, |place, value| quantiser.fixed(place, value, resembled(place)))?;
        }
        Ok(())
    }

    /// Fixes the weights of these stages that were fixed by this quantiser before, at what they are.
    pub(super) fn keep_frozen(&mut self, quantiser: &Quantiser, stages: Range<usize>) -> Result<(), GpuError> {
        for stage in stages {
            self.fix(stage, |place, value| quantiser.fixed(place, value, value).map(|_| value))?;
        }
        Ok(())
    }

    /// The weights of a stage as they are now.
    fn weights_of(&self, stage: usize) -> Result<Vec<f32>, GpuError> {
        let part = self.memory.values.slice(self.places().of(stage));
        self.stream.clone_dtoh(&part).map_err(refused("return the weights"))
    }

    /// Fixes weights of a stage: `fixed` says for a place and its weight at what, or nothing for those that stay free.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    fn fix(&mut self, stage: usize, fixed: impl Fn(usize, f32) -> Option<f32> + Sync) -> Result<(), GpuError> {
        let places = self.places().of(stage);
        let weights = self.weights_of(stage)?;
        let parts: Vec<(usize, &[f32])> = (places.start..).step_by(PART).zip(weights.chunks(PART)).collect();
        let fixed = map_all(parts.len(), |part| {
            let (begin, weights) = parts[part];
            let fixed = (begin..).zip(weights).map(|(place, &weight)| fixed(place, weight).unwrap_or(f32::NAN));
            fixed.collect::<Vec<f32>>()
        });
        let fixed = self.stream.clone_htod(&fixed.concat()).map_err(refused("take the weights"))?;
        let (begin, count) = (places.start as u64, places.len() as u64);
        let mut launch = self.stream.launch_builder(&self.kernels.freeze);
        launch.arg(&mut self.memory.values).arg(&mut self.memory.sums).arg(&begin).arg(&count).arg(&fixed);
        // SAFETY: the range lies within the weights, and `fixed` has `count` entries.
        unsafe { launch.launch(blocks(4096)) }.map_err(refused("fix weights"))?;
        self.stream.synchronize().map_err(refused("fix weights"))
    }

    /// What happened in each stage since the last call.
    pub fn take_events(&mut self) -> Result<Vec<StageEvents>, GpuError> {
        let counts = self.stream.clone_dtoh(&self.memory.events).map_err(refused("return counts"))?;
        self.stream.memset_zeros(&mut self.memory.events).map_err(refused("clear counts"))?;
        let event = |count: &[u64]| StageEvents { started: count[0], left: count[1], lost: count[2] };
        Ok(counts.chunks_exact(3).map(event).collect())
    }

    /// Plays whole games with the present weights. Tiles beyond 32768 are not made.
    pub fn play_games(&self, games: u32, seed: u64) -> Result<Sample, GpuError> {
        self.play(games, seed, &[], None).map_err(refused("play"))
    }

    /// Plays whole games, or games from these boards in turn, and counts how often each weight was looked up.
    pub fn count_visits(&self, games: u32, seed: u64, starts: &[u64]) -> Result<Vec<u32>, GpuError> {
        let mut visits = self.stream.alloc_zeros(self.memory.values.len()).map_err(refused("give memory"))?;
        self.play(games, seed, starts, Some(&mut visits)).map_err(refused("play"))?;
        self.stream.clone_dtoh(&visits).map_err(refused("return counts"))
    }

    /// Takes boards from which games may start, each in the stage that it belongs to, and says how many it took: none from before
    /// the second stage, none from beyond the last one or with tiles that are not made here, and no more for a stage than there
    /// is room for.
    pub fn give(&mut self, boards: &[Board]) -> Result<usize, GpuError> {
        let ends = self.design.section_ends();
        let mut given = vec![Vec::new(); ends.len()];
        for board in boards.iter().filter(|board| board.high_bits() == 0) {
            let section = self.design.section_of_sum(board.sum());
            if section > 0 && section < ends.len() && given[section].len() < POOL {
                given[section].push(board.nibbles());
            }
        }
        let counts: Vec<u32> = given.iter().map(|boards| boards.len() as u32).collect();
        let first = GIVEN * ends.len();
        let mut write = || {
            for (section, boards) in given.iter().enumerate().filter(|(_, boards)| !boards.is_empty()) {
                let begin = (first + section) * POOL;
                self.stream.memcpy_htod(boards, &mut self.memory.pool.slice_mut(begin..begin + boards.len()))?;
            }
            self.stream.memcpy_htod(&counts, &mut self.memory.pooled.slice_mut(first..first + counts.len()))?;
            self.stream.synchronize()
        };
        write().map_err(refused("take boards"))?;
        Ok(given.iter().map(Vec::len).sum())
    }

    /// Boards from which games may start in the stages from `first` on, one of each stage in turn: those that were given for it,
    /// where there are none doubled ones, and else those that were met.
    pub(super) fn starts_from(&self, first: usize) -> Result<Vec<u64>, GpuError> {
        let sections = self.design.section_ends().len();
        let known = self.stream.clone_dtoh(&self.memory.pooled).map_err(refused("return boards"))?;
        let filled = (self.design.section_of_stage(first)..sections).filter_map(|section| {
            let pools = [GIVEN, DOUBLED, MET].map(|kind| kind * sections + section);
            pools.into_iter().find(|&pool| known[pool] > 0)
        });
        let read = |pool: usize| {
            let count = (known[pool] as usize).min(POOL);
            self.stream.clone_dtoh(&self.memory.pool.slice(pool * POOL..pool * POOL + count))
        };
        let boards = filled.map(read).collect::<Result<Vec<_>, _>>().map_err(refused("return boards"))?;
        let shortest = boards.iter().map(Vec::len).min().unwrap_or(0);
        Ok((0..shortest).flat_map(|nth| boards.iter().map(move |pool| pool[nth])).collect())
    }

    #[expect(unsafe_code, reason = "a kernel is launched")]
    fn play(
        &self,
        games: u32,
        seed: u64,
        starts: &[u64],
        visits: Option<&mut CudaSlice<u32>>,
    ) -> Result<Sample, DriverError> {
        let words: Vec<u64> = (0..games).flat_map(|game| dice_state(derive_seed(seed, &[u64::from(game)]))).collect();
        let words = self.stream.clone_htod(&words)?;
        let starts: Vec<u64> = starts.iter().copied().cycle().take(games as usize).collect();
        let starts = (!starts.is_empty()).then(|| self.stream.clone_htod(&starts)).transpose()?;
        let mut ends = self.stream.alloc_zeros::<u64>(games as usize)?;
        let mut scores = self.stream.alloc_zeros::<u32>(games as usize)?;
        let mut moves = self.stream.alloc_zeros::<u32>(games as usize)?;
        let nowhere = 0u64;
        let mut launch = self.stream.launch_builder(&self.kernels.play);
        launch.arg(&games).arg(&words);
        match &starts {
            Some(starts) => launch.arg(starts),
            None => launch.arg(&nowhere),
        };
        launch.arg(&self.memory.values).arg(&mut ends).arg(&mut scores).arg(&mut moves);
        match visits {
            Some(visits) => launch.arg(visits),
            None => launch.arg(&nowhere),
        };
        // SAFETY: `starts` and the outputs have one entry per game, `visits` one per weight; what is not given has the address 0.
        unsafe { launch.launch(lanes(games)) }?;
        let (ends, scores, moves) =
            (self.stream.clone_dtoh(&ends)?, self.stream.clone_dtoh(&scores)?, self.stream.clone_dtoh(&moves)?);
        self.stream.synchronize()?;
        let mut tally = Tally::default();
        for ((end, score), moves) in ends.into_iter().zip(scores).zip(moves) {
            tally.count(Board::from_nibbles(end), score.into(), moves.into());
        }
        Ok(tally.sample())
    }

    /// The network as it is now.
    pub fn network(&self) -> Result<Network, GpuError> {
        let network = Network::new(&self.design, 0.0)?;
        for stage in 0..self.design.stage_count() {
            network.values.write(self.places().begin(stage), &self.weights_of(stage)?);
        }
        Ok(network)
    }

    /// Replaces the weights by those of a network of the same design; other networks change nothing.
    pub fn load(&mut self, network: &Network) -> Result<(), GpuError> {
        self.load_stages(network, 0..self.design.stage_count())
    }

    /// Replaces the weights of these stages by those of a network of the same design; other networks change nothing.
    pub(super) fn load_stages(&mut self, network: &Network, stages: Range<usize>) -> Result<(), GpuError> {
        if *network.design() != self.design {
            return Ok(());
        }
        for stage in stages {
            let places = self.places().of(stage);
            let values = network.values.read(places.clone());
            let mut part = self.memory.values.slice_mut(places);
            self.stream.memcpy_htod(&values, &mut part).map_err(refused("take the weights"))?;
        }
        self.stream.synchronize().map_err(refused("take the weights"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::gpu::reference::Reference;

    fn training(design: &Design) -> GpuTraining {
        GpuTraining::new(design, 4, 1).unwrap()
    }

    fn weights(network: &Network) -> Vec<f32> {
        network.values.read(0..network.values.len())
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn one_game_learns_the_same_weights_on_the_gpu_and_here() {
        let small = Design::built_in("4x4").unwrap();
        let late = small.with_stages(&[300]).and_then(|design| design.with_ceiling(Some(532))).unwrap();
        one_game_learns_the_same(&small.with_stages(&[600, 1500]).unwrap());
        one_game_learns_the_same(&late.with_late(&[788, 900]).unwrap());
        one_game_learns_the_same(&small.with_stages(&[600, 1500]).unwrap().with_added(600, &["a1 b1 c1 d2"]).unwrap());
    }

    fn one_game_learns_the_same(design: &Design) {
        let mut gpu = training(design);
        let plans = [
            Plan::default(),
            Plan { coherent: false, alpha: 0.1, ..Plan::default() },
            Plan { fade: 0.99, bridge: vec![-1.0, 900.0], ..Plan::default() },
            Plan { coherent: false, alpha: 0.1, bonus: vec![0.0, 300.0, 700.0], ..Plan::default() },
            Plan { coherent: false, alpha: 0.1, rates: vec![1.0, 0.5, 2.0], ..Plan::default() },
        ];
        for (seed, plan) in plans.iter().enumerate() {
            for stage in 0..design.stage_count() {
                gpu.initialise(stage, 0.0).unwrap();
            }
            gpu.stream.memset_zeros(&mut gpu.memory.sums).unwrap();
            gpu.begin(&[seed as u64]).unwrap();
            let mut reference = Reference::new(design, &[seed as u64]).unwrap();
            for _ in 0..20 {
                gpu.learn(plan, 500).unwrap();
                (0..500).for_each(|_| reference.step(plan));
                assert_eq!(weights(&gpu.network().unwrap()), weights(&reference.network), "{plan:?}");
            }
        }
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn frozen_weights_play_the_same_games_on_the_gpu_and_here() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[600]).unwrap();
        let design = design.with_ceiling(Some(1100)).unwrap();
        let wide = design.with_added(600, &["b1 c1 d2", "a1"]).unwrap();
        for design in [design.clone(), design.with_late(&[1300, 1400]).unwrap(), wide] {
            let mut gpu = training(&design);
            let mut reference = Reference::new(&design, &[1, 2, 3, 4]).unwrap();
            (0..3000).for_each(|_| reference.step(&Plan::default()));
            gpu.load(&reference.network).unwrap();
            assert_eq!(gpu.play_games(301, 7).unwrap(), reference.network.play_games(301, 7, 1));
        }
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn fixed_weights_stay_on_the_gpu_as_they_do_here() {
        let design = Design::built_in("4x4").unwrap();
        let mut gpu = training(&design);
        let plan = Plan { coherent: false, alpha: 0.1, ..Plan::default() };
        let mut reference = Reference::new(&design, &[9]).unwrap();
        gpu.begin(&[9]).unwrap();
        gpu.learn(&plan, 500).unwrap();
        (0..500).for_each(|_| reference.step(&plan));
        let visits = reference.network.count_visits(&crate::ntuple::Stretch::default(), 2, 1, 1).unwrap();
        let around = crate::ntuple::Rounding::LearnedAround;
        let quantiser = Quantiser::by_visits(&reference.network, &visits, 1.0, crate::ntuple::Keep::Seen, around);
        gpu.freeze(&quantiser, 0..1).unwrap();
        reference.freeze(|place, value| quantiser.fixed(place, value, 0.0));
        gpu.learn(&plan, 500).unwrap();
        (0..500).for_each(|_| reference.step(&plan));
        assert!(weights(&gpu.network().unwrap()) == weights(&reference.network));
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn a_promoted_stage_values_a_board_as_the_lowered_board() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[20_000]).unwrap();
        let mut gpu = training(&design);
        let mut reference = Reference::new(&design, &[1, 2, 3, 4]).unwrap();
        (0..3000).for_each(|_| reference.step(&Plan::default()));
        gpu.load(&reference.network).unwrap();
        gpu.promote(&Promotion { from: 0, to: 1, lowered: vec![16_384, 2] }).unwrap();
        let network = gpu.network().unwrap();
        let (board, lowered) = (Board::from_nibbles(0xe321_0eed_1000_0214), Board::from_nibbles(0xd320_0ddd_0000_0204));
        assert_eq!(network.value(board), network.value(lowered));
        assert!(network.value(board) != 0.0);
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn games_start_from_doubled_boards() {
        let design = Design::built_in("4x4").unwrap().with_ceiling(Some(532)).unwrap().with_late(&[788, 900]).unwrap();
        let mut gpu = training(&design);
        // The sections: up to the ceiling, lowered tiles, two late stages.
        let plan = Plan { starts: vec![1.0, 0.0, 1.0, 1.0], doubled: 1.0, ..Plan::default() };
        gpu.learn(&plan, 20_000).unwrap();
        let known = gpu.stream.clone_dtoh(&gpu.memory.pooled).unwrap();
        assert!(known[6] > 100 && known[7] > 100, "{known:?}");
        let pool = gpu.stream.clone_dtoh(&gpu.memory.pool).unwrap();
        for (stage, begin) in [(6, 788), (7, 900)] {
            let boards = &pool[stage * POOL..][..(known[stage] as usize).min(POOL)];
            let sums = boards.iter().map(|&board| Board::from_nibbles(board).sum());
            assert!(sums.clone().all(|sum| (begin..begin + 8).contains(&sum) && sum % 4 == 0));
        }
        assert!(gpu.take_events().unwrap()[3].started > 0);
        let starts = gpu.starts_from(1).unwrap();
        assert!(starts.iter().step_by(2).all(|&board| Board::from_nibbles(board).sum() < 900));
        assert!(starts.iter().skip(1).step_by(2).all(|&board| Board::from_nibbles(board).sum() >= 900));
        let visits = gpu.count_visits(64, 1, &starts).unwrap();
        let looked_up = [0, 1, 2].map(|stage| visits[gpu.places().of(stage)].iter().sum::<u32>());
        assert!(looked_up[0] == 0 && looked_up[1] > 0 && looked_up[2] > 0, "{looked_up:?}");
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn games_start_from_given_boards() {
        let design = Design::built_in("4x4").unwrap().with_stages(&[600, 5000, 9000]).unwrap();
        let mut gpu = training(&design);
        let rows = ["512 64 32 4/2 0 0 0", "4096 512 512 4/2 0 0 0", "8 4 0 0/0 0 0 0"];
        let boards = rows.map(|rows| format!("{rows}/0 0 0 0/0 0 0 0").parse::<Board>().unwrap());
        assert_eq!(gpu.give(&boards).unwrap(), 2);
        // The last board is before the second stage, where games start anew.
        assert_eq!(gpu.starts_from(1).unwrap(), [boards[0].nibbles(), boards[1].nibbles()]);
        assert_eq!(gpu.starts_from(2).unwrap(), [boards[1].nibbles()]);
        let plan = Plan { starts: vec![0.0, 1.0, 1.0, 1.0], segments: true, given: 1.0, ..Plan::default() };
        gpu.learn(&plan, 5000).unwrap();
        let events = gpu.take_events().unwrap();
        // Nothing is known of the last stage, so that the stage before may lead there.
        assert!(events[0].started == 0 && events[1].started > 0 && events[2].started > events[1].started, "{events:?}");
        let visits = gpu.count_visits(64, 1, &boards.map(Board::nibbles)[..2]).unwrap();
        let looked_up = [0, 1, 2].map(|stage| visits[gpu.places().of(stage)].iter().sum::<u32>());
        assert!(looked_up[0] == 0 && looked_up[1] > 0 && looked_up[2] > 0, "{looked_up:?}");
    }
}
