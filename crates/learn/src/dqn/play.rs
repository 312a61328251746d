//! Games without random slides: what a network has learned so far.

use afterstate_game::{Afterstate, Dice, derive_seed};
use afterstate_twenty48::{Board, Slid, State, Tile};
use serde::{Deserialize, Serialize};

use super::judge::{Judge, best};
use super::settings::Variant;
use crate::neural::{Device, DeviceError, Frozen, Network};
use crate::parallel;

/// What some games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Finished games.
    pub games: u32,
    /// The mean score.
    pub mean: f64,
    /// Half of the 95% interval of the mean.
    pub half_width: f64,
    /// The best score.
    pub best: u32,
    /// The share of games that reached 1024.
    pub reached_1024: f64,
    /// The share of games that reached 2048.
    pub reached_2048: f64,
}

/// Who plays: a network, and how it is asked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) network: &'a Network,
    pub(super) device: Device,
    pub(super) variant: Variant,
    pub(super) unit: f32,
    /// Whether slides are judged by their mean over the symmetries of the board.
    pub(super) averaged: bool,
}

impl Asked<'_> {
    /// Games that are played side by side, so that the network is asked for many boards at once.
    fn together(&self) -> usize {
        match self.device {
            Device::Cpu => 32,
            Device::Cuda => 4096,
        }
    }
}

/// Plays games, each fixed by the seed and its number.
pub(super) fn sample(asked: Asked<'_>, games: u32, seed: u64, threads: usize) -> Result<Sample, DeviceError> {
    let together = asked.together();
    let parts = (games as usize).div_ceil(together);
    let ends = parallel::map(parts, threads, |part| {
        let numbers = part * together..((part + 1) * together).min(games as usize);
        Some(play_together(asked, numbers.map(|game| derive_seed(seed, &[game as u64]))))
    });
    let ends: Vec<Vec<(Board, u32)>> = ends.unwrap_or_default().into_iter().collect::<Result<_, _>>()?;
    let ends: Vec<(Board, u32)> = ends.into_iter().flatten().collect();
    let count = ends.len().max(1) as f64;
    let mean = ends.iter().map(|(_, score)| f64::from(*score)).sum::<f64>() / count;
    let squares: f64 = ends.iter().map(|(_, score)| (f64::from(*score) - mean).powi(2)).sum();
    let reached = |tile: u32| {
        let reached = ends.iter().filter(|(board, _)| board.max_tile().map_or(0, Tile::value) >= tile);
        reached.count() as f64 / count
    };
    Ok(Sample {
        games: ends.len() as u32,
        mean,
        half_width: 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt(),
        best: ends.iter().map(|(_, score)| *score).max().unwrap_or(0),
        reached_1024: reached(1024),
        reached_2048: reached(2048),
    })
}

fn play_together(asked: Asked<'_>, seeds: impl Iterator<Item = u64>) -> Result<Vec<(Board, u32)>, DeviceError> {
    let mut games: Vec<(Dice, Board, u32)> = seeds
        .map(|seed| {
            let mut dice = Dice::seeded(seed);
            let start = State::start(&mut dice).0;
            (dice, start, 0)
        })
        .collect();
    let mut judge = Judge::new(asked.variant, asked.unit);
    let mut network = Frozen::new(asked.device, asked.network, 4 * games.len())?;
    loop {
        let going: Vec<usize> = (0..games.len()).filter(|&game| games[game].1.can_slide_somewhere()).collect();
        if going.is_empty() {
            return Ok(games.into_iter().map(|(_, board, score)| (board, score)).collect());
        }
        let boards: Vec<Board> = going.iter().map(|&game| games[game].1).collect();
        let values = judge.chosen_by(asked.averaged, &mut network, &boards)?;
        for (&game, values) in going.iter().zip(values) {
            let (dice, board, score) = &mut games[game];
            let Some((direction, _)) = best(values) else { continue };
            let slide = board.slide(direction);
            *score += slide.reward;
            *board = Slid(slide.board).draw(dice).0;
        }
    }
}
