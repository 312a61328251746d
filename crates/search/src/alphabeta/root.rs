//! The root: deepening step by step, windows around the last value, and what is known about every legal move.

use afterstate_game::{Bound, Decision, Effort, Evaluation, MoveValue, Settled, Tactics};

use super::score::{Bounds, Score};
use super::settings::{AfterMiss, Unfinished};
use super::worker::{Ask, Interrupted, Searched, Worker};

/// What a search has found out so far.
#[derive(Clone, Debug)]
pub(super) struct Findings<M> {
    /// Every legal move, in the order of generation.
    moves: Vec<Found<M>>,
    /// The choice.
    best: M,
    /// The expected continuation.
    line: Vec<M>,
    /// The last depth that was searched completely.
    depth: u32,
    /// The value of the last complete search.
    value: Score,
}

/// What is known about a legal move.
#[derive(Clone, Copy, Debug)]
struct Found<M> {
    mv: M,
    value: Option<Score>,
    bound: Bound,
}

/// The best move of an iteration that is still running.
#[derive(Clone, Copy, Debug)]
struct Running<M> {
    best: Option<M>,
    /// Whether the move that was expected to be best has been searched.
    saw_expected: bool,
}

impl<M: Copy + PartialEq> Findings<M> {
    fn note(&mut self, mv: M, value: Score, bounds: Bounds) {
        let Some(found) = self.moves.iter_mut().find(|found| found.mv == mv) else { return };
        found.value = Some(value);
        found.bound = if value <= bounds.alpha {
            Bound::Upper
        } else if value >= bounds.beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
    }

    /// The findings as a decision, less effort and time. The choice comes first, whatever is said of the others: a
    /// move that was refuted may have a bound as high.
    fn decision(&self, resolution: f32) -> Decision<M> {
        let mut moves = self.moves.clone();
        moves.sort_by_key(|found| (found.mv != self.best, found.value.map_or(Score::INFINITY, |value| -value)));
        let value_of = |found: &Found<M>| MoveValue {
            value: found.value.map(|value| value.in_units(resolution)),
            bound: found.bound,
            ..MoveValue::unknown(found.mv)
        };
        Decision {
            moves: moves.iter().map(value_of).collect(),
            line: self.line.clone(),
            depth: self.depth,
            ..Decision::unsearched(self.best, [])
        }
    }
}

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// What is known before any search: the legal moves, and the most promising of them. `None` if there is none.
    pub(super) fn first_look(&mut self, root: &P) -> Option<Findings<P::Move>> {
        let unknown = |mv| Found { mv, value: None, bound: Bound::Exact };
        let moves = root.moves().into_iter().map(unknown).collect();
        let mut picker = self.pick_from(None);
        let best = self.next_move(&mut picker, root, 0)?.mv;
        self.drop_moves(&picker);
        Some(Findings { moves, best, line: vec![best], depth: 0, value: Score::DRAW })
    }

    /// Searches depth after depth, until a limit is reached or a win is found, and shows the findings of each.
    pub(super) fn deepen(
        &mut self,
        root: &P,
        depths: impl Iterator<Item = u32>,
        findings: &mut Findings<P::Move>,
        mut show: impl FnMut(&Self, &Findings<P::Move>),
    ) {
        for depth in depths {
            let mut running = Running { best: None, saw_expected: false };
            let searched = self.search_around(root, depth, findings, &mut running);
            self.path.return_to_root();
            self.moves.clear();
            match searched {
                Ok(value) => self.conclude(findings, &running, depth, value),
                Err(Interrupted) => return self.salvage(findings, &running),
            }
            show(self, findings);
            if findings.value.plies_to_win().is_some_and(|plies| plies <= depth) {
                return;
            }
        }
    }

    /// The findings as a decision, with the effort of this thread and of the `helped` ones.
    pub(super) fn decision(&self, root: &P, findings: &Findings<P::Move>, helped: Effort) -> Decision<P::Move> {
        let mut effort = self.effort;
        effort += helped;
        let mut decision = findings.decision(self.settings.resolution);
        self.complete(root, &mut decision.line, decision.depth as usize);
        Decision { effort, time: self.budget.elapsed(), ..decision }
    }

    /// Continues a line that a remembered value cut short with the best moves that the table remembers.
    fn complete(&self, root: &P, line: &mut Vec<P::Move>, depth: usize) {
        let Some(table) = self.table else { return };
        let mut position = root.clone();
        for &mv in &*line {
            position = position.play_unchecked(mv).afterstate.0;
        }
        while line.len() < depth && position.outcome().is_none() {
            let entry = table.get(position.key() ^ self.path.salt(line.len()));
            let best = entry.filter(|entry| entry.bound == Bound::Exact).and_then(|entry| entry.best);
            let Some(mv) = best.and_then(|code| position.move_from_code(usize::from(code))) else { return };
            position = position.play_unchecked(mv).afterstate.0;
            line.push(mv);
        }
    }

    fn conclude(&self, findings: &mut Findings<P::Move>, running: &Running<P::Move>, depth: u32, value: Score) {
        self.choose(findings, running.best);
        findings.depth = depth;
        findings.value = value;
    }

    fn choose(&self, findings: &mut Findings<P::Move>, best: Option<P::Move>) {
        let Some(best) = best else { return };
        findings.best = best;
        let line = self.lines.root();
        findings.line = if line.first() == Some(&best) { line.to_vec() } else { vec![best] };
    }

    /// Takes what can be had from an iteration that did not end.
    fn salvage(&self, findings: &mut Findings<P::Move>, running: &Running<P::Move>) {
        let is_first = findings.depth == 0;
        let is_trusted = self.settings.unfinished == Unfinished::Used && running.saw_expected;
        if is_first || is_trusted {
            self.choose(findings, running.best);
        }
    }

    /// One iteration, with windows around the last value until it lies inside.
    fn search_around(
        &mut self,
        root: &P,
        depth: u32,
        findings: &mut Findings<P::Move>,
        running: &mut Running<P::Move>,
    ) -> Searched {
        let mut bounds = self.first_window(findings);
        let mut step = self.tuning.half_window.unwrap_or(0);
        loop {
            let value = self.search_root(root, depth, bounds, findings, running)?;
            let is_open = self.settings.window.is_none_or(|window| window.after_miss == AfterMiss::Open);
            step = step.saturating_mul(2);
            if value <= bounds.alpha && bounds.alpha > Bounds::OPEN.alpha {
                bounds.alpha = if is_open { Bounds::OPEN.alpha } else { widened(value - step) };
            } else if value >= bounds.beta && bounds.beta < Bounds::OPEN.beta {
                bounds.beta = if is_open { Bounds::OPEN.beta } else { widened(value + step) };
            } else {
                return Ok(value);
            }
        }
    }

    fn first_window(&self, findings: &Findings<P::Move>) -> Bounds {
        match self.tuning.half_window {
            Some(half) if findings.depth > 0 && !findings.value.is_decided() => {
                Bounds { alpha: findings.value - half, beta: findings.value + half }
            }
            _ => Bounds::OPEN,
        }
    }

    fn search_root(
        &mut self,
        root: &P,
        depth: u32,
        bounds: Bounds,
        findings: &mut Findings<P::Move>,
        running: &mut Running<P::Move>,
    ) -> Searched {
        self.spend()?;
        self.lines.clear(0);
        let expected = findings.best;
        let hash_move =
            (self.settings.ordering.hash_move && findings.depth > 0).then_some(running.best.unwrap_or(expected));
        let ask = Ask { depth, ply: 0, bounds, after_loud: false, after_pass: false };
        let best = self.best_of_moves(root, ask, hash_move, None, |mv, value, bounds| {
            findings.note(mv, value, bounds);
            running.saw_expected |= mv == expected;
            if value > bounds.alpha {
                running.best = Some(mv);
            }
        })?;
        self.remember(root.key() ^ self.path.salt(0), ask, &best, hash_move);
        Ok(best.value)
    }
}

/// A bound that leaves out nothing when it comes near the wins.
fn widened(score: Score) -> Score {
    if !score.is_decided() {
        score
    } else if score > Score::DRAW {
        Bounds::OPEN.beta
    } else {
        Bounds::OPEN.alpha
    }
}
