//! Running planned series against a store: what is there counts, what is missing is played, and every finished game is
//! stored before it is forgotten.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use super::StopRule;
use super::bench::Bench;
use super::missing::gaps;
use super::part::Part;
use crate::executor::{Delivery, run_jobs};
use crate::series::{Recorded, Series, Tally, end_with};
use crate::store::{SeriesId, SessionId, Store, StoredResult, Writer};
use crate::{LabError, Machinery};

/// A series and when it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned<S> {
    /// The games.
    pub series: S,
    /// When there are enough of them.
    pub stop: StopRule,
}

/// How far a run is.
#[derive(Debug)]
pub struct Progress<'a, R, T> {
    /// The number of the series whose game has just finished.
    pub series: usize,
    /// That game.
    pub game: &'a Recorded<R>,
    /// Games that this run has played.
    pub played: u64,
    ledgers: &'a [Ledger<R, T>],
}

impl<R: StoredResult, T: Tally<R>> Progress<'_, R, T> {
    /// The games that count so far, series by series, how many there can be when this run ends, and whether they are all that
    /// the series needs.
    pub fn tallies(&self) -> impl Iterator<Item = (&T, u64, bool)> {
        self.ledgers.iter().map(|ledger| (&ledger.tally, ledger.max_games, ledger.complete))
    }

    /// The games still to be played; `None` if a stopping rule will decide that.
    #[must_use]
    pub fn left(&self) -> Option<u64> {
        let open = self.ledgers.iter().filter(|ledger| !ledger.complete);
        open.map(|ledger| ledger.stop.is_fixed().then(|| ledger.max_games - ledger.tally.games())).sum()
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd<T> {
    /// The games of every series that count.
    pub tallies: Vec<T>,
    /// Whether every series has its games.
    pub complete: bool,
    /// Games that this run has stored.
    pub stored: u64,
}

/// Counts the games of one series: for a fixed number of games as they come, for a rule in the order of their numbers.
#[derive(Debug)]
struct Ledger<R, T> {
    stop: StopRule,
    tally: T,
    /// The first number that is not counted yet.
    next: u64,
    /// Results that wait for an earlier one.
    later: BTreeMap<u64, R>,
    /// The most games that it can have when the run ends: those that others play are not waited for.
    max_games: u64,
    complete: bool,
}

impl<R: StoredResult, T: Tally<R>> Ledger<R, T> {
    fn new(stop: StopRule) -> Self {
        Self {
            stop,
            tally: T::default(),
            next: 0,
            later: BTreeMap::new(),
            max_games: stop.max_games(),
            complete: false,
        }
    }

    fn add(&mut self, result: R) {
        if self.complete || result.game() >= self.stop.max_games() {
            return;
        }
        if self.stop.is_fixed() {
            self.tally.add(&result);
            self.complete = self.stop.ends(&self.tally);
            return;
        }
        self.later.insert(result.game(), result);
        while !self.complete
            && let Some(result) = self.later.remove(&self.next)
        {
            self.tally.add(&result);
            self.next += 1;
            self.complete = self.stop.ends(&self.tally);
        }
    }
}

/// The games of a series in a store that count under a stopping rule, and whether they are all it needs.
pub fn stored_tally<R: StoredResult, T: Tally<R>>(
    store: &Store,
    series: SeriesId,
    stop: StopRule,
) -> Result<(T, bool), LabError> {
    let ledger = stored_ledger(store, series, stop)?;
    Ok((ledger.tally, ledger.complete))
}

fn stored_ledger<R: StoredResult, T: Tally<R>>(
    store: &Store,
    series: SeriesId,
    stop: StopRule,
) -> Result<Ledger<R, T>, LabError> {
    let mut ledger = Ledger::new(stop);
    store.for_each_result(series, |result| {
        ledger.add(result);
        if ledger.complete { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(ledger)
}

/// Plays what is missing of every series and stores it. Games that are stored already are counted, not played again.
///
/// `watch` is shown every game that this run finishes, series by series and in the order of the numbers; when it breaks
/// or [`Machinery::stop`] is raised the run ends, and the same call goes on with it later. So it does where a device fails,
/// with an error.
pub fn run_planned<S: Series>(
    planned: &[Planned<S>],
    store: &mut Store,
    session: SessionId,
    machinery: &Machinery,
    watch: impl FnMut(&Progress<'_, S::Result, S::Tally>) -> ControlFlow<()>,
) -> Result<RunEnd<S::Tally>, LabError>
where
    S::Result: StoredResult + Clone,
{
    if let Some(open) = planned.iter().find(|planned| !machinery.part.is_whole() && !planned.stop.is_fixed()) {
        return Err(LabError::Divided { who: open.series.who() });
    }
    let books = Books::open(planned, store, machinery.part)?;
    for (planned, ledger) in planned.iter().zip(&books.ledgers) {
        // Agents that cannot be built are known before the first game is played.
        if !ledger.complete {
            planned.series.build()?;
        }
    }
    std::thread::scope(|scope| {
        let (writer, writing) = store.start_writer(session, scope);
        let played = play_missing(planned, books, &writer, machinery, watch);
        drop(writer);
        // What went wrong at the disk is the cause, and what the players saw of it only the effect.
        let stored = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(RunEnd { stored, ..played? })
    })
}

/// What is known before the first game is played.
struct Books<R, T> {
    /// The different series: rows that ask for the same games share them.
    shelves: Vec<Shelf>,
    /// One for each planned series.
    ledgers: Vec<Ledger<R, T>>,
}

/// The games of one series.
struct Shelf {
    id: SeriesId,
    /// What is stored already.
    stored: Vec<Range<u64>>,
    /// The planned series that these games count for; they differ in their stopping rules at most.
    readers: Vec<usize>,
    /// The most games that any of them can have.
    max_games: u64,
}

impl<R: StoredResult, T: Tally<R>> Books<R, T> {
    fn open<S: Series<Result = R, Tally = T>>(
        planned: &[Planned<S>],
        store: &Store,
        part: Part,
    ) -> Result<Self, LabError> {
        let mut books = Self { shelves: Vec::new(), ledgers: Vec::new() };
        for (reader, Planned { series, stop }) in planned.iter().enumerate() {
            let id = store.series(&series.definition())?;
            let mut ledger = stored_ledger(store, id, *stop)?;
            let stored = store.stored_games::<R>(id)?;
            ledger.max_games -= part.left_to_others(&gaps(&stored, stop.max_games()));
            books.ledgers.push(ledger);
            match books.shelves.iter_mut().find(|shelf| shelf.id == id) {
                Some(shelf) => {
                    shelf.readers.push(reader);
                    shelf.max_games = shelf.max_games.max(stop.max_games());
                }
                None => {
                    books.shelves.push(Shelf { id, stored, readers: vec![reader], max_games: stop.max_games() });
                }
            }
        }
        Ok(books)
    }
}

impl Shelf {
    /// The games of a part that are not there: the first one alone, and the others.
    ///
    /// The first game of every series is played before the rest of any, so that the time of all of them can be foretold.
    /// That is of use only where nothing is known yet.
    fn missing(&self, part: Part) -> (Option<u64>, impl Iterator<Item = u64> + use<>) {
        let gaps = gaps(&self.stored, self.max_games);
        let mut missing = gaps.into_iter().flatten().filter(move |&game| part.holds(game));
        let scout = if self.stored.is_empty() { missing.next() } else { None };
        (scout, missing)
    }

    fn is_complete<R, T>(&self, ledgers: &[Ledger<R, T>]) -> bool {
        self.readers.iter().all(|&reader| ledgers[reader].complete)
    }
}

fn play_missing<S: Series>(
    planned: &[Planned<S>],
    books: Books<S::Result, S::Tally>,
    writer: &Writer<S::Result>,
    machinery: &Machinery,
    mut watch: impl FnMut(&Progress<'_, S::Result, S::Tally>) -> ControlFlow<()>,
) -> Result<RunEnd<S::Tally>, LabError>
where
    S::Result: StoredResult + Clone,
{
    let Books { shelves, mut ledgers } = books;
    let complete: Vec<AtomicBool> = shelves.iter().map(|shelf| AtomicBool::new(shelf.is_complete(&ledgers))).collect();
    let is_open = |shelf: usize| !complete[shelf].load(Ordering::Relaxed);
    let (scouts, others): (Vec<_>, Vec<_>) = shelves.iter().map(|shelf| shelf.missing(machinery.part)).unzip();
    let scouts = scouts.into_iter().enumerate().filter_map(|(shelf, scout)| Some((shelf, scout?)));
    let others = others.into_iter().enumerate().flat_map(|(shelf, games)| {
        // A series whose rule is satisfied needs no more games: the rest of its numbers is passed over.
        games.take_while(move |_| is_open(shelf)).map(move |game| (shelf, game))
    });
    let jobs = scouts.filter(|&(shelf, _)| is_open(shelf)).chain(others);
    let mut played = 0;
    let mut failure = None;
    run_jobs(
        machinery,
        Delivery::InOrder,
        jobs,
        || (Bench::new(planned, machinery), writer.clone()),
        |(bench, writer), (shelf, game), halt| {
            let Shelf { id, readers, .. } = &shelves[shelf];
            let played = bench.play(readers[0], game, halt)?;
            let store = |game: Recorded<S::Result>| writer.store(*id, game.clone()).then_some(game);
            Some((shelf, played.and_then(|game| store(game).ok_or(LabError::NotStored))))
        },
        |(shelf, game)| match game {
            Ok(game) => {
                let readers = &shelves[shelf].readers;
                readers.iter().for_each(|&reader| ledgers[reader].add(game.result.clone()));
                complete[shelf].store(shelves[shelf].is_complete(&ledgers), Ordering::Relaxed);
                played += 1;
                watch(&Progress { series: readers[0], game: &game, ledgers: &ledgers, played })
            }
            Err(error) => end_with(error, &mut failure),
        },
    );
    let complete = ledgers.iter().all(|ledger| ledger.complete);
    let tallies = ledgers.into_iter().map(|ledger| ledger.tally).collect();
    failure.map_or(Ok(RunEnd { tallies, complete, stored: 0 }), Err)
}
