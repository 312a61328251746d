//! The player: owns what outlives a decision and divides the work among threads.

use std::fmt;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::thread;

use afterstate_game::{
    Decision, Effort, Evaluation, History, Limits, NoLegalMove, Player, Settled, Stop, Tactics, Task,
};

use super::MAX_PLY;
use super::line::Lines;
use super::memory::OwnTable;
use super::ordering::Experience;
use super::path::Path;
use super::settings::{InvalidSettings, Settings};
use super::tuning::Tuning;
use super::worker::Worker;
use crate::Budget;

/// A player that chooses moves by alpha-beta search.
pub struct AlphaBeta<P: Tactics, E> {
    settings: Settings,
    tuning: Tuning,
    evaluation: E,
    table: Option<OwnTable>,
    /// One for each thread.
    experience: Vec<Experience<P::Move>>,
}

/// Raises a flag when it goes, also where a panic takes it away: the helpers are not kept at work that nobody waits for.
struct RaisedOnDrop<'a>(&'a Stop);

impl Drop for RaisedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl<P: Tactics, E> fmt::Debug for AlphaBeta<P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> AlphaBeta<P, E> {
    /// A player with these settings. Fails if they make no sense or if there is no memory for the table.
    pub fn new(settings: Settings, evaluation: E) -> Result<Self, InvalidSettings> {
        settings.check()?;
        const {
            assert!(P::SIDES == 2, "alpha-beta is for two players");
            assert!(P::MOVE_CODES < u16::MAX as usize, "a move code fits the table's 16 bits");
        }
        Ok(Self {
            tuning: Tuning::new(&settings),
            evaluation,
            table: settings.table.map(OwnTable::new).transpose()?,
            experience: vec![Experience::new::<P>(); settings.threads.get()],
            settings,
        })
    }

    /// The settings the player was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of positions `depth` half-moves after the current one, counted on the search's own way through the
    /// moves: in its order, and with what the last decision remembered. A finished game leads nowhere.
    pub fn count_leaves(&mut self, history: &History<P>, depth: u32) -> u64 {
        self.prepare(history);
        let mut experience = self.take_experience();
        let stop = Stop::new();
        let mut leaves = 0;
        if let Some(own) = experience.first_mut() {
            let depth = depth.min(MAX_PLY as u32);
            let mut worker = self.worker(history, Budget::start(&Limits::NONE, &stop), own);
            leaves = worker.count_leaves(history.position(), depth, 0);
        }
        self.experience = experience;
        leaves
    }

    /// What the threads remember of one decision for the next; without a memory where the search before has panicked, and
    /// taken it away.
    fn take_experience(&mut self) -> Vec<Experience<P::Move>> {
        let mut experience = std::mem::take(&mut self.experience);
        experience.resize_with(self.settings.threads.get(), Experience::new::<P>);
        experience
    }

    /// Brings the evaluation to the position to decide, and forgets what it said if it now says something else.
    fn prepare(&mut self, history: &History<P>) {
        if self.evaluation.prepare(history)
            && let Some(table) = &mut self.table
        {
            table.forget_values();
        }
    }

    /// The depths to search, one after the other, for the thread with this number. Every second thread is a step ahead,
    /// so that the table already holds what the others will ask for.
    fn depths(&self, limits: &Limits, thread: usize) -> RangeInclusive<u32> {
        let is_unlimited = limits.nodes.is_none() && limits.time.is_none();
        let needs_default = is_unlimited || !self.settings.iterative_deepening;
        let fallback = if needs_default { Settings::DEFAULT_DEPTH } else { MAX_PLY as u32 };
        let last = limits.depth.unwrap_or(fallback).min(MAX_PLY as u32);
        let first = if self.settings.iterative_deepening { 1 + (thread % 2) as u32 } else { last };
        first.max(1)..=last
    }

    fn worker<'a>(
        &'a self,
        history: &History<P>,
        budget: Budget<'a>,
        experience: &'a mut Experience<P::Move>,
    ) -> Worker<'a, P, E> {
        Worker {
            settings: &self.settings,
            tuning: &self.tuning,
            evaluation: &self.evaluation,
            table: self.table.as_ref().map(OwnTable::view),
            budget,
            path: Path::new(history, self.settings.repetition),
            experience,
            moves: Vec::with_capacity(1024),
            lines: Lines::new(MAX_PLY + 1),
            effort: Effort::default(),
        }
    }

    /// Searches with every thread until the first of them is done; its findings count.
    fn search(
        &self,
        task: Task<'_, P>,
        limits: &Limits,
        experience: &mut [Experience<P::Move>],
    ) -> Result<Decision<P::Move>, NoLegalMove> {
        let Task { history, stop, observer, .. } = task;
        let root = history.position();
        let share = Limits { nodes: limits.nodes.map(|nodes| nodes / experience.len().max(1) as u64), ..*limits };
        let Some((own, others)) = experience.split_first_mut() else { return Err(NoLegalMove) };
        let mut main = self.worker(history, Budget::start(&share, stop), own);
        let mut findings = main.first_look(root).ok_or(NoLegalMove)?;
        let done = Stop::new();
        let helped = thread::scope(|scope| {
            let over = RaisedOnDrop(&done);
            let mut helpers = Vec::new();
            for (index, experience) in others.iter_mut().enumerate() {
                let mut helper = self.worker(history, Budget::start(&share, &done), experience);
                let mut findings = findings.clone();
                let depths = self.depths(limits, index + 1);
                helpers.push(scope.spawn(move || {
                    helper.deepen(root, depths, &mut findings, |_, _| {});
                    helper.effort
                }));
            }
            main.deepen(root, self.depths(limits, 0), &mut findings, |worker, findings| {
                observer(&worker.decision(root, findings, Effort::default()));
            });
            drop(over);
            let mut helped = Effort::default();
            for helper in helpers {
                helped += helper.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            helped
        });
        Ok(main.decision(root, &findings, helped))
    }
}

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Player<P> for AlphaBeta<P, E> {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        let limits = self.settings.limits.and(task.limits);
        self.prepare(task.history);
        if let Some(table) = &mut self.table {
            table.start_search();
        }
        let mut experience = self.take_experience();
        experience.iter_mut().for_each(Experience::clear);
        let decision = self.search(task, &limits, &mut experience);
        self.experience = experience;
        decision
    }

    fn start_game(&mut self, _seed: u64) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }
}
