//! Playing many games to see how good a network is.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use afterstate_game::{Dice, derive_seed};
use afterstate_twenty48::{Board, Tile};
use serde::{Deserialize, Serialize};

use super::memory::{Mapped, OutOfMemory};
use super::network::Network;
use super::places::Places;
use super::seats::{Game, Play, Source, Start};
use super::stretch::Stretch;
use super::weights::Tables;

/// What a number of games came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The games played.
    pub games: u64,
    /// The moves of all games.
    pub moves: u64,
    /// The mean score.
    pub mean: f64,
    /// Half of the width of the 95% interval around the mean.
    pub half_width: f64,
    /// The share of the games that reached each tile, for tiles from 1024 on.
    pub tiles: Vec<TileRate>,
}

/// How often a tile was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileRate {
    /// The tile.
    pub tile: u32,
    /// The share of games that reached it.
    pub rate: f64,
}

impl Sample {
    /// The share of games that reached a tile.
    #[must_use]
    pub fn rate(&self, tile: u32) -> f64 {
        self.tiles.iter().find(|rate| rate.tile == tile).map_or(0.0, |rate| rate.rate)
    }
}

/// Sums from which a [`Sample`] is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    games: u64,
    moves: u64,
    scores: f64,
    squares: f64,
    largest: [u64; 18],
}

impl Tally {
    pub(crate) fn count(&mut self, end: Board, score: u64, moves: u64) {
        self.games += 1;
        self.moves += moves;
        self.scores += score as f64;
        self.squares += score as f64 * score as f64;
        self.largest[end.max_tile().map_or(0, |tile| usize::from(tile.exponent()))] += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.scores += other.scores;
        self.squares += other.squares;
        self.largest.iter_mut().zip(other.largest).for_each(|(mine, theirs)| *mine += theirs);
    }

    pub(crate) fn sample(&self) -> Sample {
        let games = self.games.max(1) as f64;
        let mean = self.scores / games;
        let variance = (self.squares - self.scores * mean).max(0.0) / (games - 1.0).max(1.0);
        let reached = |tile: Tile| self.largest[usize::from(tile.exponent())..].iter().sum::<u64>() as f64 / games;
        let tiles = Tile::all().filter(|tile| tile.value() >= 1024);
        Sample {
            games: self.games,
            moves: self.moves,
            mean,
            half_width: 1.96 * (variance / games).sqrt(),
            tiles: tiles.map(|tile| TileRate { tile: tile.value(), rate: reached(tile) }).collect(),
        }
    }
}

/// The games of a tournament, shared out to threads.
struct Entries<'a> {
    next: &'a AtomicU64,
    games: u64,
    seed: u64,
    stretch: &'a Stretch,
    tally: Tally,
    /// Counts how often each weight is looked up, where that is wanted.
    visits: Option<(&'a [AtomicU32], Places)>,
}

impl Source for Entries<'_> {
    fn next(&mut self) -> Option<Start> {
        let game = self.next.fetch_add(1, Ordering::Relaxed);
        let mut dice = Dice::seeded(derive_seed(self.seed, &[game]));
        (game < self.games).then(|| Start { state: self.stretch.start(&mut dice), dice, whole: true })
    }

    #[inline(always)]
    fn looked_up(&mut self, stage: usize, located: &[u32]) {
        if let Some((visits, places)) = self.visits {
            let visits = &visits[places.of(stage)];
            for &place in located {
                visits[place as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn finished(&mut self, game: Game) {
        self.tally.count(game.end, game.score, game.moves);
    }
}

impl<T: Tables> Network<T> {
    /// Plays `games` whole games, each move the best by this network without looking further. The same seed gives the
    /// same games whatever the number of threads.
    #[must_use]
    pub fn play_games(&self, games: u64, seed: u64, threads: usize) -> Sample {
        self.play(&Stretch::default(), games, seed, threads, None)
    }

    /// [`Self::play_games`] for a part of the game: from its boards up to its end.
    #[must_use]
    pub fn play_stretch(&self, stretch: &Stretch, games: u64, seed: u64, threads: usize) -> Sample {
        self.play(stretch, games, seed, threads, None)
    }

    fn play(
        &self,
        stretch: &Stretch,
        games: u64,
        seed: u64,
        threads: usize,
        visits: Option<(&[AtomicU32], Places)>,
    ) -> Sample {
        let next = AtomicU64::new(0);
        let play = || {
            let mut entries = Entries { next: &next, games, seed, stretch, tally: Tally::default(), visits };
            self.instructions().with(Play { network: self, stretch, source: &mut entries });
            entries.tally
        };
        let mut total = Tally::default();
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(play)).collect();
            total.add(&play());
            for other in others {
                // A thread that panicked has nothing to add; its panic is already on the screen.
                if let Ok(tally) = other.join() {
                    total.add(&tally);
                }
            }
        });
        total.sample()
    }
}

impl Network {
    /// Plays games of a part of the game and counts how often each weight is looked up.
    pub fn count_visits(
        &self,
        stretch: &Stretch,
        games: u64,
        seed: u64,
        threads: usize,
    ) -> Result<Visits, OutOfMemory> {
        let located = Mapped::<AtomicU32>::zeroed(self.values.len())?;
        let places = self.places();
        let _ = self.play(stretch, games, seed, threads, Some((&located, places)));
        let mut visits = Mapped::<u32>::zeroed(located.len())?;
        for (place, visits) in visits.iter_mut().enumerate() {
            // A stage has less than 2^32 places.
            let within = places.within(place);
            let place = place - within + self.values.layout().locate(within as u32) as usize;
            *visits = located[place].load(Ordering::Relaxed);
        }
        Ok(Visits(visits))
    }
}

/// How often each weight was looked up in play.
#[derive(Debug)]
pub struct Visits(Mapped<u32>);

impl std::ops::Deref for Visits {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::Design;

    #[test]
    fn the_number_of_threads_does_not_change_the_games() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let alone = network.play_games(40, 5, 1);
        assert_eq!(network.play_games(40, 5, 3), alone);
        assert!(alone.games == 40 && alone.mean > 500.0 && alone.half_width > 0.0, "{alone:?}");
    }

    #[test]
    fn visits_are_counted_for_every_move_that_is_judged() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let visits = network.count_visits(&Stretch::default(), 3, 5, 2).unwrap();
        let sample = network.play_games(3, 5, 1);
        let judged = visits.iter().map(|&seen| u64::from(seen)).sum::<u64>() / network.design().features(0) as u64;
        assert!(judged >= sample.moves && judged <= 4 * (sample.moves + 3), "{judged} of {}", sample.moves);
    }

    #[test]
    fn a_sample_counts_every_tile_below_the_largest_as_reached() {
        let mut tally = Tally::default();
        tally.count(Board::from_nibbles(0xb), 20_000, 1000);
        tally.count(Board::from_nibbles(0xa), 10_000, 600);
        let sample = tally.sample();
        assert_eq!((sample.rate(1024), sample.rate(2048), sample.rate(4096)), (1.0, 0.5, 0.0));
        assert_eq!((sample.mean, sample.moves), (15_000.0, 1600));
        assert!((sample.half_width - 9800.0).abs() < 1.0, "{sample:?}");
    }
}
