//! A device that fails in the middle of games: what it did not decide is never counted, and what it did is never lost.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use afterstate_game::{Decision, Limits, NoLegalMove, Player, Position as _, Stop, Task};
use afterstate_lab::experiment::{Planned, StopRule, run_planned};
use afterstate_lab::store::Store;
use afterstate_lab::{
    LabError, Machinery, Provenance, Recorded, Series, SoloResult, SoloRun, SoloTally, Tally as _, Unfinished,
};
use afterstate_twenty48::{Direction, State};

/// The devices of these tests, one for each: the moves until it fails.
static LEFT: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

fn failure<const DEVICE: usize>() -> Option<String> {
    (LEFT[DEVICE].load(Ordering::SeqCst) == 0).then(|| "it fell off the bus".to_owned())
}

fn machinery<const DEVICE: usize>(threads: usize) -> Machinery {
    Machinery { threads, device_failure: failure::<DEVICE>, ..Machinery::default() }
}

/// What takes the place of the device.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Processor {
    /// Ends the game at once, with other moves.
    Fast,
    /// Would think for hours.
    Slow,
}

/// Plays on when its device fails, as a network does whose place the processor takes.
struct Faulty<const DEVICE: usize> {
    player: Box<dyn Player<State>>,
    processor: Processor,
}

impl<const DEVICE: usize> Player<State> for Faulty<DEVICE> {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<Direction>, NoLegalMove> {
        let take = |left: u64| left.checked_sub(1);
        if LEFT[DEVICE].fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok() {
            return self.player.decide(task);
        }
        let (started, patience) = (Instant::now(), Duration::from_secs(20));
        while self.processor == Processor::Slow && !task.stop.is_raised() {
            assert!(started.elapsed() < patience, "nobody ends a game that has lost its device");
            std::thread::yield_now();
        }
        Ok(Decision::unsearched(*task.position().moves().first().ok_or(NoLegalMove)?, []))
    }

    fn start_game(&mut self, seed: u64) {
        self.player.start_game(seed);
    }
}

/// Games of a random player on a device.
struct OnDevice<const DEVICE: usize> {
    run: SoloRun<State>,
    processor: Processor,
}

impl<const DEVICE: usize> OnDevice<DEVICE> {
    fn new(seed: u64, processor: Processor) -> Self {
        Self { run: SoloRun::new("random", seed, Limits::NONE), processor }
    }
}

impl<const DEVICE: usize> Series for OnDevice<DEVICE> {
    type Players = Faulty<DEVICE>;
    type Result = SoloResult;
    type Tally = SoloTally;

    fn definition(&self) -> String {
        self.run.definition()
    }

    fn who(&self) -> String {
        self.run.who()
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        Ok(Faulty { player: self.run.build()?, processor: self.processor })
    }

    fn play_game(
        &self,
        player: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<SoloResult>, Unfinished> {
        self.run.play_with(player, game, stop)
    }
}

fn assert_failed(error: &LabError) {
    let LabError::DeviceFailed { who, reason, .. } = error else { panic!("{error}") };
    assert_eq!((who.as_str(), reason.as_str()), ("random", "it fell off the bus"));
}

/// The records of a store's games, in the order of series and numbers.
fn records(store: &Store) -> Vec<String> {
    let mut records = Vec::new();
    for series in store.all_series::<SoloResult>().expect("series") {
        let keep = |result: SoloResult| {
            records.push(store.record(series.id, result.game).expect("readable").expect("a record"));
            ControlFlow::Continue(())
        };
        store.for_each_result(series.id, keep).expect("results");
    }
    records
}

/// Two series into a store, on a device that lasts for so many moves.
fn run<const DEVICE: usize>(store: &mut Store, processor: Processor, moves: u64) -> Result<bool, LabError> {
    LEFT[DEVICE].store(moves, Ordering::SeqCst);
    let planned = [1, 2]
        .map(|seed| Planned { series: OnDevice::<DEVICE>::new(seed, processor), stop: StopRule::Games { games: 8 } });
    let session = store.begin_session(&Provenance::here("test", 3), "")?;
    let end = run_planned(&planned, store, session, &machinery::<DEVICE>(3), |_| ControlFlow::Continue(()))?;
    Ok(end.complete)
}

fn check_stored_games<const DEVICE: usize>(processor: Processor) {
    let [mut whole, mut broken] = [(); 2].map(|()| Store::scratch().expect("a store for the test"));
    assert_eq!(run::<DEVICE>(&mut whole, processor, u64::MAX), Ok(true));
    let expected = records(&whole);
    let (mut failures, mut stored) = (0, 0);
    // A device that lasts a little longer each time, until it lasts to the end.
    while let Err(error) = run::<DEVICE>(&mut broken, processor, 1 + 200 * failures) {
        assert_failed(&error);
        let games = records(&broken);
        assert!(games.iter().all(|game| expected.contains(game)), "a game that the device did not end is stored");
        assert!(games.len() >= stored && (failures > 0 || games.is_empty()), "{} games", games.len());
        (failures, stored) = (failures + 1, games.len());
        assert!(failures < 40);
    }
    assert!(failures >= 3, "{failures} failures");
    assert_eq!(records(&broken), expected);
}

#[test]
fn games_that_a_fast_processor_ends_are_not_stored() {
    check_stored_games::<0>(Processor::Fast);
}

#[test]
fn games_that_lose_their_device_are_ended_and_the_same_run_goes_on_with_them() {
    check_stored_games::<1>(Processor::Slow);
}

#[test]
fn the_tally_holds_what_was_finished_before_the_device_failed() {
    let series = OnDevice::<2>::new(3, Processor::Slow);
    let play = |moves: u64| {
        LEFT[2].store(moves, Ordering::SeqCst);
        let (mut tally, mut games) = (SoloTally::default(), Vec::new());
        let played = series.play_into(&mut tally, 20, &machinery::<2>(2), |game, _| {
            games.push(game.record.clone());
            ControlFlow::Continue(())
        });
        assert_eq!(tally.games(), games.len() as u64);
        (played, games)
    };
    let (played, all) = play(u64::MAX);
    assert_eq!((played, all.len()), (Ok(()), 20));
    let (played, games) = play(1000);
    assert_failed(&played.unwrap_err());
    assert!((2..20).contains(&games.len()) && games.iter().all(|game| all.contains(game)), "{} games", games.len());
}

/// Its first game loses the device when five others are over.
struct LongFirstGame(OnDevice<3>);

impl Series for LongFirstGame {
    type Players = (Faulty<3>, u64);
    type Result = SoloResult;
    type Tally = SoloTally;

    fn definition(&self) -> String {
        self.0.definition()
    }

    fn who(&self) -> String {
        self.0.who()
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        Ok((self.0.build()?, 0))
    }

    fn play_game(
        &self,
        (player, played): &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<SoloResult>, Unfinished> {
        static OVER: AtomicU64 = AtomicU64::new(0);
        if game > 0 && *played < 5 {
            let finished = self.0.play_game(player, game, stop);
            *played += 1;
            return finished;
        }
        if game > 0 {
            // Five games have been handed over by now.
            OVER.store(1, Ordering::SeqCst);
        }
        while OVER.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        LEFT[3].store(0, Ordering::SeqCst);
        Err(Unfinished::Stopped)
    }
}

#[test]
fn games_that_ended_before_an_earlier_one_lost_its_device_count() {
    LEFT[3].store(u64::MAX, Ordering::SeqCst);
    let series = LongFirstGame(OnDevice::new(4, Processor::Slow));
    let mut tally = SoloTally::default();
    let played = series.play_into(&mut tally, 20, &machinery::<3>(2), |_, _| ControlFlow::Continue(()));
    assert_failed(&played.unwrap_err());
    assert_eq!(tally.games(), 5);
}
