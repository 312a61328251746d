//! Training on the processor: all cores play and learn on one network.
//!
//! With one thread the same settings give the same weights, also across a checkpoint. With several threads the order
//! of updates depends on the machine, and so do the last digits of the weights.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use afterstate_game::{Dice, Stop, derive_seed};
use afterstate_twenty48::State;
use serde::{Deserialize, Serialize};

use super::carousel::Carousel;
use super::learner::{Coherence, Rate, Rule};
use super::mean::{Mean, SAMPLES};
use super::network::Network;
use super::schedule::End;
use super::seats::{Game, Learn, Source, Start};
use super::settings::{Phase, Restart, Settings, SettingsError};
use super::tournament::{Sample, Tally};

/// One row of a learning curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Games learned from so far.
    pub games: u64,
    /// Moves learned from so far.
    pub moves: u64,
    /// Seconds of learning so far, without evaluations.
    pub seconds: f64,
    /// How the network plays now, without learning.
    pub sample: Sample,
}

impl CurvePoint {
    /// The names of the columns of [`Self::csv`].
    pub const CSV_HEADER: &str = "games,moves,seconds,mean,half_width,r2048,r4096,r8192,r16384,r32768,r65536";

    /// The row as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let Self { games, moves, seconds, sample } = self;
        let rates: Vec<String> = (11..=16).map(|exponent| format!("{:.4}", sample.rate(1 << exponent))).collect();
        format!("{games},{moves},{seconds:.1},{:.0},{:.0},{}", sample.mean, sample.half_width, rates.join(","))
    }
}

/// How far a round is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Games learned from so far, those of earlier rounds included.
    pub games: u64,
    /// Moves learned from so far.
    pub moves: u64,
    /// Moves per second in this round.
    pub speed: f64,
    /// The whole games of this round, as they were played while learning.
    pub recent: Sample,
}

/// A training in progress.
#[derive(Debug)]
pub struct Training {
    pub(crate) settings: Settings,
    pub(crate) network: Network,
    pub(crate) coherence: Option<Coherence>,
    pub(crate) carousel: Mutex<Carousel>,
    pub(crate) games: u64,
    pub(crate) moves: u64,
    pub(crate) seconds: f64,
    pub(crate) curve: Vec<CurvePoint>,
    pub(crate) end: End,
    pub(crate) mean: Option<Mean>,
}

/// What the threads of a round share.
struct Round {
    next: AtomicU64,
    end: u64,
    /// The part of the training that it belongs to.
    part: u32,
    finished: AtomicU64,
    moves: AtomicU64,
    whole: Mutex<Tally>,
}

impl Training {
    /// A training that starts from nothing.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let network = Network::new(&settings.design, settings.optimism)?;
        Self::starting_from(network, settings)
    }

    /// A training that starts from a network. Its design takes the place of that in the settings.
    pub fn starting_from(network: Network, mut settings: Settings) -> Result<Self, SettingsError> {
        settings.design = network.design().clone();
        settings.check()?;
        let needs_coherence = settings.phases.iter().any(|phase| matches!(phase.rate, Rate::Coherent(_)));
        let coherence = if needs_coherence { Some(Coherence::new(&network)?) } else { None };
        let carousel = Mutex::new(Carousel::new(settings.design.stage_count()));
        let (curve, end) = (Vec::new(), End::default());
        let mean = if settings.average > 0.0 { Some(Mean::new(&settings.design)?) } else { None };
        Ok(Self { settings, network, coherence, carousel, games: 0, moves: 0, seconds: 0.0, curve, end, mean })
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The network that learns, as it is now.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The network, when the training is over.
    #[must_use]
    pub fn into_network(self) -> Network {
        self.network
    }

    /// Games learned from so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The evaluations that were noted so far, those before a checkpoint included.
    #[must_use]
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Adds an evaluation to the learning curve.
    pub fn note(&mut self, point: CurvePoint) {
        self.curve.push(point);
    }

    /// Changes the number of threads; 0 takes all cores.
    pub fn set_threads(&mut self, threads: usize) {
        self.settings.threads = threads;
    }

    /// Seconds of learning so far, without evaluations.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Says when the training will end, so that its rate can fall before that. A checkpoint remembers the games and not the
    /// time: who goes on from one says that again.
    pub fn set_end(&mut self, end: End) {
        self.end = end;
    }

    /// The games in all after which the training is to end, if that was said.
    #[must_use]
    pub fn end_games(&self) -> Option<u64> {
        self.end.games
    }

    /// Whether the training can end after this many games as if that had been said from the start. It cannot where the rate
    /// falls towards another end that has not been reached, or the weights are averaged, and that has begun, or would have.
    #[must_use]
    pub fn can_end_at(&self, games: u64) -> bool {
        let nears = |end: u64| {
            let (end, game) = (End { games: Some(end), time: None }, self.games.saturating_sub(1));
            self.settings.fall.factor(end.done(game)) < 1.0 || self.part(end, game) > 0
        };
        match self.end.games {
            Some(known) if known != games && self.games < known => !nears(known) && !nears(games),
            _ => true,
        }
    }

    /// In which of the parts before and between two samples of the mean the training is before this game: 0 as long as nothing
    /// is averaged.
    fn part(&self, end: End, game: u64) -> u32 {
        let share = f64::from(self.settings.average);
        let averaged = end.done(game) - (1.0 - share);
        if share == 0.0 || averaged < 0.0 {
            return 0;
        }
        1 + (averaged / share * f64::from(SAMPLES)).min(f64::from(SAMPLES)) as u32
    }

    /// What the training has come to: the mean of the weights as far as they were averaged, or else the network as it is.
    #[must_use]
    pub fn outcome(&self) -> &Network {
        let mean = self.mean.as_ref().filter(|mean| mean.samples > 0);
        mean.map_or(&self.network, |mean| &mean.network)
    }

    /// Learns from one round of games and shows the progress about once a second. A raised `stop` ends the round after
    /// the games in play; the next call finishes it.
    pub fn round(&mut self, stop: &Stop, observe: impl FnMut(&Progress)) {
        self.round_up_to(u64::MAX, stop, observe);
    }

    /// [`Self::round`], ended when `most` games have been learned from in all.
    pub fn round_up_to(&mut self, most: u64, stop: &Stop, mut observe: impl FnMut(&Progress)) {
        let rounds = self.games / self.settings.round + 1;
        let target = rounds.saturating_mul(self.settings.round).min(most);
        while self.games < target && !stop.is_raised() {
            let (phase, end) = self.settings.phase(self.games);
            let part = self.part(self.end, self.games);
            self.learn(phase, (target.min(end), part), stop, &mut observe);
            let is_sampled = part > 0 && part != self.part(self.end, self.games);
            match &mut self.mean {
                Some(mean) if is_sampled => mean.add(&self.network),
                // A training that had ended goes on to another end.
                Some(mean) if part == 0 => mean.samples = 0,
                _ => (),
            }
        }
    }

    /// Plays the evaluation games of this moment: one row of the learning curve.
    #[must_use]
    pub fn evaluate(&self) -> CurvePoint {
        let seed = derive_seed(self.settings.seed, &[EVALUATION, self.games]);
        let Settings { stretch, sample, .. } = &self.settings;
        let sample = self.outcome().play_stretch(stretch, *sample, seed, self.settings.thread_count());
        CurvePoint { games: self.games, moves: self.moves, seconds: self.seconds, sample }
    }

    /// Learns up to a game, or to the next sample of the mean.
    fn learn(&mut self, phase: Phase, (end, part): (u64, u32), stop: &Stop, observe: &mut impl FnMut(&Progress)) {
        let started = Instant::now();
        let round = Round {
            next: AtomicU64::new(self.games),
            end,
            part,
            finished: AtomicU64::new(0),
            moves: AtomicU64::new(0),
            whole: Mutex::default(),
        };
        let (this, round) = (&*self, &round);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..this.settings.thread_count())
                .map(|_| scope.spawn(move || this.play_until(phase, round, stop)))
                .collect();
            let mut shown = Instant::now();
            while !threads.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                std::thread::sleep(Duration::from_millis(5));
                if shown.elapsed() >= Duration::from_secs(1) {
                    shown = Instant::now();
                    observe(&this.progress(round, started.elapsed()));
                }
            }
        });
        observe(&this.progress(round, started.elapsed()));
        self.games += round.finished.load(Ordering::Relaxed);
        self.moves += round.moves.load(Ordering::Relaxed);
        self.seconds += started.elapsed().as_secs_f64();
    }

    fn progress(&self, round: &Round, elapsed: Duration) -> Progress {
        let moves = round.moves.load(Ordering::Relaxed);
        Progress {
            games: self.games + round.finished.load(Ordering::Relaxed),
            moves: self.moves + moves,
            speed: moves as f64 / elapsed.as_secs_f64().max(1e-9),
            recent: locked(&round.whole).sample(),
        }
    }

    fn play_until(&self, phase: Phase, round: &Round, stop: &Stop) {
        let goes_on = || self.part(self.end, round.next.load(Ordering::Relaxed)) == round.part;
        while !stop.is_raised() && goes_on() {
            let begin = round.next.fetch_add(BATCH, Ordering::Relaxed);
            let end = begin.saturating_add(BATCH).min(round.end);
            if begin >= end {
                break;
            }
            let rate = phase.rate.times(self.settings.fall.factor(self.end.done(begin)));
            let rule = Rule::new(&self.network, self.coherence.as_ref(), rate, phase.credit);
            let mut batch = Batch { training: self, restart: phase.restart, next: begin, end, round };
            let halves = phase.restart == Restart::Midpoint;
            let stretch = &self.settings.stretch;
            self.network.instructions().with(Learn {
                network: &self.network,
                rule,
                halves,
                stretch,
                source: &mut batch,
            });
            round.finished.fetch_add(end - begin, Ordering::Relaxed);
        }
    }
}

/// The games that a thread plays before it looks whether it should stop. It finishes them all, several at a time, so that
/// a training that is interrupted between two batches and goes on later meets the same games in the same order.
const BATCH: u64 = 64;

/// The games of one batch.
struct Batch<'a> {
    training: &'a Training,
    restart: Restart,
    next: u64,
    end: u64,
    round: &'a Round,
}

impl Source for Batch<'_> {
    fn next(&mut self) -> Option<Start> {
        let game = self.next;
        if game >= self.end {
            return None;
        }
        self.next += 1;
        let mut dice = Dice::seeded(derive_seed(self.training.settings.seed, &[LEARNING, game]));
        let captured = match self.restart {
            Restart::Carousel => locked(&self.training.carousel).start(game, &mut dice),
            Restart::Never | Restart::Midpoint => None,
        };
        let state = captured.unwrap_or_else(|| self.training.settings.stretch.start(&mut dice));
        Some(Start { state, dice, whole: captured.is_none() })
    }

    fn entered(&mut self, stage: usize, state: State) {
        if self.restart == Restart::Carousel {
            locked(&self.training.carousel).add(stage, state);
        }
    }

    fn finished(&mut self, game: Game) {
        self.round.moves.fetch_add(game.moves, Ordering::Relaxed);
        if game.whole {
            locked(&self.round.whole).count(game.end, game.score, game.moves);
        }
    }
}

/// First steps of the paths from which seeds are derived.
const LEARNING: u64 = 0;
const EVALUATION: u64 = 1;

/// The content of a lock, also after a thread that held it panicked: every change here is complete in itself.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ntuple::{Credit, Design};

    pub(crate) fn small(restart: Restart, threads: usize) -> Settings {
        let phase = |games, rate| Phase { games, rate, credit: Credit::Backward(0.5), restart };
        Settings {
            design: Design::built_in("4x4").unwrap().with_stages(&[600]).unwrap(),
            phases: vec![phase(150, Rate::Constant(0.1)), phase(u64::MAX, Rate::Coherent(1.0))],
            round: 100,
            sample: 50,
            threads,
            ..Settings::default()
        }
    }

    #[test]
    fn every_restart_learns_and_one_thread_is_reproducible() {
        for restart in [Restart::Never, Restart::Midpoint, Restart::Carousel] {
            let train = || {
                let mut training = Training::new(small(restart, 1)).unwrap();
                let before = training.evaluate();
                (0..3).for_each(|_| training.round(&Stop::new(), |_| ()));
                (before.sample.mean, training.evaluate())
            };
            let (before, after) = train();
            assert!(after.sample.mean > 1.3 * before, "{restart:?}: from {before} to {}", after.sample.mean);
            assert_eq!(after.games, 300);
            assert_eq!(train().1.sample, after.sample, "{restart:?}");
        }
    }

    #[test]
    fn several_threads_learn_on_one_network() {
        let mut training = Training::new(small(Restart::Carousel, 3)).unwrap();
        let mut shown = 0;
        for _ in 0..3 {
            training.round(&Stop::new(), |progress| shown = progress.games);
        }
        assert_eq!((training.games(), shown), (300, 300));
        assert!(training.evaluate().sample.mean > 2000.0);
    }

    #[test]
    fn the_weights_of_the_last_part_are_averaged() {
        let train = |average| {
            let mut training = Training::new(Settings { average, ..small(Restart::Never, 1) }).unwrap();
            training.set_end(End { games: Some(2400), time: None });
            while training.games() < 2400 {
                training.round(&Stop::new(), |_| ());
            }
            training
        };
        let weights = |network: &Network| network.values.read(0..network.values.len());
        let (plain, averaged) = (train(0.0), train(0.5));
        // Batches of games are as long as the time between two samples.
        let samples = averaged.mean.as_ref().map_or(0, |mean| mean.samples);
        assert!((SAMPLES / 2..=SAMPLES).contains(&samples), "{samples}");
        let last = weights(plain.outcome());
        assert!(weights(averaged.network()) == last, "the mean is not learned from");
        let mean = weights(averaged.outcome());
        assert!(mean != last);
        let near = |(mean, last): &(&f32, &f32)| (*mean - *last).abs() < 0.5 * last.abs().max(100.0);
        let near = mean.iter().zip(&last).filter(near).count();
        assert!(near > last.len() * 9 / 10, "{near} of {}", last.len());
    }

    #[test]
    fn a_raised_flag_ends_the_round() {
        let mut training = Training::new(small(Restart::Never, 2)).unwrap();
        let stop = Stop::new();
        stop.raise();
        training.round(&stop, |_| ());
        assert_eq!(training.games(), 0);
    }

    #[test]
    fn wrong_settings_are_named() {
        let check = |change: fn(&mut Settings), reason: &str| {
            let mut settings = small(Restart::Never, 1);
            change(&mut settings);
            let error = Training::new(settings).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check(|settings| settings.phases.clear(), "at least one phase");
        check(|settings| settings.phases[0].rate = Rate::Constant(0.0), "rate is 0: it must be above 0 and at most 2");
        check(|settings| settings.phases[1].credit = Credit::Backward(1.5), "lambda is 1.5: it must be from 0 to 1");
        check(|settings| settings.optimism = f32::NAN, "optimism is NaN");
        check(|settings| settings.fall.share = 2.0, "fall.share is 2: it must be from 0 to 1");
        check(|settings| settings.average = -0.5, "average is -0.5: it must be from 0 to 1");
        check(|settings| settings.round = 0, "round is 0");
    }
}
