//! The one result type of every player.

use std::time::Duration;

/// What a player chose and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// The chosen move.
    pub best: M,
    /// Every legal move with what is known about it, best first (equal ones in the order of generation).
    pub moves: Vec<MoveValue<M>>,
    /// The expected continuation, starting with [`Self::best`]. Where chance answers, the likeliest answer is assumed.
    pub line: Vec<M>,
    /// Depth of the last completed search, in the search's own unit; 0 without search.
    pub depth: u32,
    /// What it took.
    pub effort: Effort,
    /// Wall-clock time spent.
    pub time: Duration,
}

/// What is known about one legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue<M> {
    /// The move.
    pub mv: M,
    /// Its value for the side to move, in the unit of the player's evaluation, or of a Monte Carlo search the mean payoff (0
    /// to 1, unless its payoffs are raw); `None` if it was not looked at.
    pub value: Option<f64>,
    /// How the value relates to the true result of the search.
    pub bound: Bound,
    /// How often a Monte Carlo search tried it.
    pub visits: Option<u64>,
    /// Half-width of the 95% interval of a sampled value.
    pub half_width: Option<f64>,
}

impl<M> MoveValue<M> {
    /// A move with an exact value and nothing else.
    pub fn exact(mv: M, value: f64) -> Self {
        Self { mv, value: Some(value), bound: Bound::Exact, visits: None, half_width: None }
    }

    /// A move nothing is known about.
    pub fn unknown(mv: M) -> Self {
        Self { mv, value: None, bound: Bound::Exact, visits: None, half_width: None }
    }
}

/// How a reported value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value itself (up to sampling, where it is sampled).
    Exact,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
}

/// Counters of a search. What a search does not count stays 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Nodes visited (calls of the recursion, or nodes of a tree).
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Moves that were generated and tried.
    pub moves_tried: u64,
    /// Table look-ups.
    pub table_probes: u64,
    /// Table look-ups that saved a search.
    pub table_hits: u64,
    /// Monte Carlo iterations.
    pub iterations: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.evaluations += other.evaluations;
        self.moves_tried += other.moves_tried;
        self.table_probes += other.table_probes;
        self.table_hits += other.table_hits;
        self.iterations += other.iterations;
    }
}

impl<M: Copy> Decision<M> {
    /// The decision of a player that does not search: the only thing known is the choice.
    pub fn unsearched(best: M, legal: impl IntoIterator<Item = M>) -> Self
    where
        M: PartialEq,
    {
        let others = legal.into_iter().filter(|&mv| mv != best);
        Self {
            best,
            moves: std::iter::once(best).chain(others).map(MoveValue::unknown).collect(),
            line: vec![best],
            depth: 0,
            effort: Effort::default(),
            time: Duration::ZERO,
        }
    }

    /// A decision for the highest value; the first of equal ones wins. `None` if there is no move.
    /// A value that is not a number ranks below every number.
    pub fn from_values(mut moves: Vec<MoveValue<M>>) -> Option<Self> {
        let rank = |value: Option<f64>| value.filter(|value| !value.is_nan()).unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|a, b| rank(b.value).total_cmp(&rank(a.value)));
        let best = moves.first()?.mv;
        Some(Self { best, moves, line: vec![best], depth: 0, effort: Effort::default(), time: Duration::ZERO })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsearched_choice_stands_before_the_other_moves() {
        let decision = Decision::unsearched('b', ['a', 'b', 'c']);
        assert_eq!(decision.moves.iter().map(|m| m.mv).collect::<String>(), "bac");
    }

    #[test]
    fn the_first_of_equal_values_is_chosen_and_nan_never_wins() {
        let moves = vec![
            MoveValue::exact('a', f64::NAN),
            MoveValue::exact('b', 2.0),
            MoveValue::exact('c', 2.0),
            MoveValue::unknown('d'),
        ];
        let decision = Decision::from_values(moves).unwrap();
        assert_eq!(decision.best, 'b');
        assert_eq!(decision.moves.iter().map(|m| m.mv).collect::<String>(), "bcad");
        assert_eq!(Decision::<char>::from_values(Vec::new()), None);
    }
}
