//! What happens below the tree.

use afterstate_game::{Afterstate, Evaluation, Outcome, Position};

use super::ahead::{LookAhead, Window};
use super::ordering::{self, MoveOrdering};
use super::settings::{Cut, Expansion, Over, Rule, Shares, Simulation};
use super::sharing::Sharing;
use super::worker::{Method, Worker};

impl<P, E, O, S> Worker<'_, P, E, O, S>
where
    P: Position,
    E: Evaluation<P>,
    O: MoveOrdering<P>,
    S: Sharing,
{
    /// Plays on from `position` as the settings say; the payoff for the side to move in it.
    pub(super) fn simulate(&mut self, mut position: P) -> f64 {
        let settings = &self.method.settings;
        if let Simulation::LookAhead { moves } = settings.simulation {
            return self.look_ahead(|ahead| ahead.value(&position, moves, Window::OPEN));
        }
        let side = position.side_to_move();
        let limit = settings.simulation.limit();
        let mut earned = 0.0;
        let mut outcome = None;
        let mut plies = 0;
        while plies < limit {
            let Some(mv) = self.simulated_move(&position) else {
                outcome = position.outcome();
                break;
            };
            self.referee.play(&position, mv);
            let played = position.play_unchecked(mv);
            if E::COUNTS_REWARDS {
                let reward = f64::from(played.reward);
                earned += if position.side_to_move() == side { reward } else { -reward };
            }
            position = played.afterstate.draw(&mut self.dice);
            plies += 1;
            outcome = self.referee.outcome(&position);
            if outcome.is_some() {
                break;
            }
        }
        self.effort.moves_tried += u64::from(plies);
        if plies == limit && outcome.is_none() && !self.ends_alike() {
            outcome = position.outcome();
        }
        let value = self.value(&position, outcome);
        let value = if position.side_to_move() == side { value } else { -value };
        settings.payoff.of(value + earned)
    }

    /// The payoff of what a look-ahead finds out; it means nothing once the budget is exhausted.
    pub(super) fn look_ahead(&mut self, find: impl FnOnce(&mut LookAhead<'_, '_, P::Move, E, O>) -> f64) -> f64 {
        let Method { settings, evaluation, ordering } = self.method;
        let payoff = &settings.payoff;
        let (room, budget) = (&mut self.room, &mut self.budget);
        let mut ahead = LookAhead { evaluation, ordering, payoff, room, budget, evaluations: 0 };
        let value = find(&mut ahead);
        self.effort.evaluations += ahead.evaluations;
        settings.payoff.of(value)
    }

    /// Whether a finished game is judged as one that goes on, so that nobody need ask which it is.
    #[inline]
    fn ends_alike(&self) -> bool {
        let payoff = &self.method.settings.payoff;
        P::SIDES == 1 && payoff.over == Over::Evaluation && payoff.cut == Cut::Evaluation
    }

    /// The value of the end of a simulation for the side to move.
    fn value(&mut self, position: &P, outcome: Option<Outcome>) -> f64 {
        let payoff = &self.method.settings.payoff;
        let mut judged = || {
            self.effort.evaluations += 1;
            f64::from(self.method.evaluation.position(position))
        };
        match outcome {
            Some(outcome) => payoff.of_outcome(outcome, position.side_to_move(), judged),
            None if payoff.cut == Cut::Draw => 0.0,
            None => judged(),
        }
    }

    #[inline]
    fn simulated_move(&mut self, position: &P) -> Option<P::Move> {
        match self.method.settings.simulation {
            Simulation::None | Simulation::LookAhead { .. } | Simulation::Random { .. } => {
                position.random_move(&mut self.dice)
            }
            Simulation::Policy { shares, .. } => self.preferred_move(position, shares),
            Simulation::Greedy { random, .. } if self.dice.chance(random) => position.random_move(&mut self.dice),
            Simulation::Greedy { .. } => self.greedy_move(position),
        }
    }

    /// A move drawn evenly from the best share and the random share. A random selection of the rest need not be
    /// made: one of it, drawn at random, is any of the rest.
    fn preferred_move(&mut self, position: &P, shares: Shares) -> Option<P::Move> {
        self.rank(position);
        let (best, random) = shares.of(self.ranked.len());
        let pick = self.dice.below((best + random) as u32) as usize;
        ordering::front(&mut self.ranked, best);
        let place = if pick < best { pick } else { best + self.dice.below((self.ranked.len() - best) as u32) as usize };
        self.ranked.get(place).map(|&(mv, _)| mv)
    }

    /// The move whose result the evaluation likes best; the first of equal ones.
    fn greedy_move(&mut self, position: &P) -> Option<P::Move> {
        let mut best: Option<(P::Move, f32)> = None;
        let mut judged = 0;
        position.for_each_move(|mv| {
            judged += 1;
            let value = self.method.evaluation.played(&position.play_unchecked(mv));
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((mv, value));
            }
        });
        self.effort.evaluations += judged;
        best.map(|(mv, _)| mv)
    }

    /// Puts the legal moves with their promises into `ranked`, in the order of generation.
    fn rank(&mut self, position: &P) {
        self.moves.clear();
        self.promises.clear();
        self.ranked.clear();
        position.for_each_move(|mv| self.moves.push(mv));
        self.method.ordering.promises(position, &self.moves, &mut self.promises);
        // An ordering that forgets a move finds it unpromising.
        let promises = self.promises.iter().copied().chain(std::iter::repeat(f32::NEG_INFINITY));
        self.ranked.extend(self.moves.iter().copied().zip(promises));
    }

    /// Puts the moves that get a node into `ranked`, with what the selection wants to know of them: in random order,
    /// or where promises count, the most promising first.
    pub(super) fn rank_family(&mut self, position: &P) {
        let settings = &self.method.settings;
        let keep = match settings.expansion {
            Expansion::AllAtOnce { keep, .. } => keep,
            Expansion::OneByOne => None,
        };
        let promises_count = settings.uses_promises();
        if keep.is_some() || promises_count {
            self.rank(position);
        } else {
            self.ranked.clear();
            position.for_each_move(|mv| self.ranked.push((mv, 0.0)));
        }
        if let Some(shares) = keep {
            let kept = shares.of(self.ranked.len());
            ordering::keep(&mut self.ranked, kept, &mut self.dice);
        }
        if promises_count {
            self.ranked.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            match settings.selection.rule {
                Rule::Puct { temperature, .. } => softmax(&mut self.ranked, temperature as f32),
                _ => stretch(&mut self.ranked),
            }
        } else {
            self.dice.shuffle(&mut self.ranked);
        }
    }
}

/// Turns promises, the highest first, into probabilities.
fn softmax<M>(ranked: &mut [(M, f32)], temperature: f32) {
    let highest = ranked.first().map_or(0.0, |first| first.1);
    let mut sum = 0.0;
    for (_, promise) in ranked.iter_mut() {
        let weight = ((*promise - highest) / temperature).exp();
        // Infinite promises give no number; such moves share what the others leave.
        *promise = if weight.is_finite() { weight } else { 1.0 };
        sum += *promise;
    }
    ranked.iter_mut().for_each(|(_, promise)| *promise /= sum);
}

/// Maps promises, the highest first, to `0..=1`.
fn stretch<M>(ranked: &mut [(M, f32)]) {
    let (Some(highest), Some(lowest)) = (ranked.first().map(|it| it.1), ranked.last().map(|it| it.1)) else { return };
    let range = highest - lowest;
    for (_, promise) in ranked.iter_mut() {
        let share = (*promise - lowest) / range;
        *promise = if share.is_finite() { share } else { 0.0 };
    }
}
