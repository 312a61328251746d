//! What makes a Monte Carlo tree search the one or the other variant.

use afterstate_game::Limits;

/// Everything that can be chosen about a search. [`Settings::default`] is plain UCT: random simulations to the end
/// of the game, one child at a time, the child with the highest mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What one decision may spend; the limits of a task hold beside these. `depth` bounds the tree, in half-moves;
    /// `nodes` counts the nodes that a decision adds to it.
    pub limits: Limits,
    /// What the tree knows of chance. Without effect in a game without chance.
    pub chance: Chance,
    /// Which child is followed.
    pub selection: Selection,
    /// How the tree grows.
    pub expansion: Expansion,
    /// What happens below the tree.
    pub simulation: Simulation,
    /// What an end of a simulation is worth.
    pub payoff: Payoff,
    /// Weight in `0..=1` of the minimax value of the static evaluations beside the mean of the payoffs (implicit
    /// minimax backups, Lanctot et al. 2014); 0 leaves them out.
    pub minimax: f64,
    /// Which root move is played.
    pub choice: Choice,
    /// Whether a decision starts with what the one before it learned.
    pub reuse: Reuse,
    /// How many threads work, and on what. A decision panics where the system cannot start them.
    pub parallelism: Parallelism,
    /// Bytes for the nodes, all threads together. A tree that fills them stops growing; its search goes on.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits { iterations: Some(1000), ..Limits::NONE },
            chance: Chance::Explicit,
            selection: Selection::uct(std::f64::consts::SQRT_2),
            expansion: Expansion::OneByOne,
            simulation: Simulation::Random { limit: None },
            payoff: Payoff::default(),
            minimax: 0.0,
            choice: Choice::Max,
            reuse: Reuse::Fresh,
            parallelism: Parallelism::Single,
            memory: 256 << 20,
        }
    }
}

/// What the tree knows of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// An answer is drawn once, when a node is made, and stays: the tree sees one possible future (`maqsood` MCTS).
    Sampled,
    /// Moves and answers alternate in the tree; each visit draws an answer and follows or makes its node (MCTSE).
    Explicit,
    /// As explicit, but the answers take turns, each as often as its probability asks: the tree is deterministic, and
    /// no mean depends on luck. Once the tree is full they are drawn.
    Balanced,
    /// A node stands for the moves that led to it; each visit draws the answers anew and sees the moves that are
    /// legal this time.
    OpenLoop,
}

impl Chance {
    /// Whether moves and answers alternate in the tree.
    pub(super) fn has_nodes(self) -> bool {
        matches!(self, Self::Explicit | Self::Balanced)
    }
}

/// Which child is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The score of a child that was visited before.
    pub rule: Rule,
    /// Weight of the progressive bias (Chaslot et al. 2008): `bias * p / (1 + n)` is added to the score, with the
    /// promise `p` of the move by the ordering, scaled to `0..=1` among its siblings. 0 leaves it out.
    pub bias: f64,
    /// What a child counts before its first visit.
    pub first_play: FirstPlay,
}

impl Selection {
    /// Plain UCT, every child once before any is visited twice.
    #[must_use]
    pub fn uct(c: f64) -> Self {
        Self { rule: Rule::Uct { c }, bias: 0.0, first_play: FirstPlay::BeforeAll }
    }
}

/// The score of a child: `m` its mean payoff for the side that chooses, `n` its visits, `N` those of its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// `m + c * sqrt(ln N / n)`. In the other convention, `m + 2 * Cp * sqrt(ln N / n)`, `c` is `2 * Cp`: Kocsis and
    /// Szepesvári's `Cp = 1 / sqrt(2)` is `c = sqrt(2)`.
    Uct {
        /// The weight of exploration.
        c: f64,
    },
    /// `m + c * sqrt(ln N / n * min(1/4, v + sqrt(2 * ln N / n)))` with the variance `v` of the child's payoffs
    /// (Auer et al. 2002, with `c = 1`). The bound 1/4 is that of payoffs in `0..=1`.
    Ucb1Tuned {
        /// The weight of exploration.
        c: f64,
    },
    /// UCT and the possible deviation `sqrt(v + d / n)` (Schadd et al. 2008, SP-MCTS).
    SinglePlayer {
        /// The weight of exploration.
        c: f64,
        /// Keeps a rarely visited child uncertain.
        d: f64,
    },
    /// UCT on means divided by the largest payoff seen so far, from the 100th iteration on (Kutsch 2017, `UCT_N`).
    UctN {
        /// The weight of exploration.
        c: f64,
    },
    /// UCT whose `c` counts standard deviations of the payoffs of the parent, so that it fits payoffs of any size. Where
    /// these are nearly all alike hardly anything else is explored, a move whose first payoffs were poor by bad luck
    /// included.
    UctSpread {
        /// The weight of exploration.
        c: f64,
    },
    /// `m + c * p * sqrt(N) / (1 + n)` with the prior `p` of the move (Silver et al. 2017): the softmax of the
    /// ordering's promises divided by `temperature`.
    Puct {
        /// The weight of exploration.
        c: f64,
        /// How much the promises are levelled.
        temperature: f64,
    },
}

impl Rule {
    /// The weight of exploration.
    #[must_use]
    pub fn exploration(self) -> f64 {
        match self {
            Self::Uct { c }
            | Self::Ucb1Tuned { c }
            | Self::SinglePlayer { c, .. }
            | Self::UctN { c }
            | Self::UctSpread { c }
            | Self::Puct { c, .. } => c,
        }
    }
}

/// What a child counts before its first visit. With [`Rule::Puct`], its mean, to which exploration is added as to any
/// other; with [`Rule::UctN`], divided by the largest payoff as means are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// More than every visited one, in random order; with [`Rule::Puct`], the mean of the parent.
    BeforeAll,
    /// This score (first-play urgency, Gelly and Wang 2006).
    Urgency(f64),
    /// The mean of the parent less this.
    BelowParent(f64),
    /// The static value of the move by the evaluation, explored as if it had been visited once. Needs
    /// [`Expansion::AllAtOnce`].
    Static,
}

/// How the tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expansion {
    /// A visit adds one child, an untried move drawn at random.
    OneByOne,
    /// A visit of a node adds a child for every move, or for those that are kept.
    AllAtOnce {
        /// The moves that get a child: a reduction of the branching factor. `None` keeps all.
        keep: Option<Shares>,
        /// Which visit of the node does so: 1 for the first. What ends there is judged as everywhere; but where
        /// nothing is simulated and the children have static values, the node is worth what the best of them is.
        at_visit: u32,
    },
}

impl Expansion {
    /// All moves, at the second visit of their node.
    pub const ALL_AT_ONCE: Self = Self::AllAtOnce { keep: None, at_visit: 2 };
}

/// A part of the legal moves: the most promising ones, and some of the rest drawn at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// The share of the most promising moves, in `0..=1`.
    pub best: f64,
    /// The share of the random ones, counted in all moves.
    pub random: f64,
}

impl Shares {
    /// How many of `count` moves are kept: the best, and the random ones. At least one of one or more.
    #[must_use]
    pub fn of(self, count: usize) -> (usize, usize) {
        let part = |share: f64| ((share * count as f64).round() as usize).min(count);
        let (best, random) = (part(self.best), part(self.random));
        if best + random == 0 { (count.min(1), 0) } else { (best, random.min(count - best)) }
    }
}

/// What happens below the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Simulation {
    /// Nothing: the position is judged where the tree ends.
    None,
    /// A full-width search: the position is judged by what its best moves lead to. Static values of moves are those of
    /// the look-ahead, too.
    LookAhead {
        /// Moves ahead; each but the last with the answers of chance, or of the opponent.
        moves: u32,
    },
    /// Random moves, to the end of the game or to a number of half-moves.
    Random {
        /// Half-moves at most.
        limit: Option<u32>,
    },
    /// Moves drawn from the most promising ones and some of the rest (`hauff` simulation policy).
    Policy {
        /// Half-moves at most.
        limit: Option<u32>,
        /// From which moves one is drawn.
        shares: Shares,
    },
    /// The move whose result the evaluation likes best, and now and then a random one.
    Greedy {
        /// Half-moves at most.
        limit: Option<u32>,
        /// How often a random move is played instead, in `0..=1`.
        random: f64,
    },
}

impl Simulation {
    /// Half-moves after which a simulation without a limit is cut all the same, so that every search ends.
    pub const LONGEST: u32 = 100_000;

    /// Whether a position is always given the same value.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, Self::None | Self::LookAhead { .. })
    }

    /// The number of half-moves after which a simulation is cut.
    #[must_use]
    pub fn limit(self) -> u32 {
        match self {
            Self::None | Self::LookAhead { .. } => 0,
            Self::Random { limit } | Self::Policy { limit, .. } | Self::Greedy { limit, .. } => {
                limit.unwrap_or(Self::LONGEST).min(Self::LONGEST)
            }
        }
    }
}

/// What an end of a simulation is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoff {
    /// How a value of the evaluation becomes a payoff.
    pub scale: Scale,
    /// What a game that goes on is worth where its simulation was cut.
    pub cut: Cut,
    /// What a finished game of one player is worth.
    pub over: Over,
    /// The value of a won game in the unit of the evaluation; a lost one is worth the opposite, a draw 0.
    pub win: f64,
}

impl Default for Payoff {
    fn default() -> Self {
        Self { scale: Scale::Linear { half_range: 1.0 }, cut: Cut::Evaluation, over: Over::Evaluation, win: 1e6 }
    }
}

/// How a value of the evaluation becomes a payoff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// As it is, of any size. The only one for an evaluation that counts rewards.
    Raw,
    /// Divided by `half_range`, cut to `-1..=1` and mapped to `0..=1`.
    Linear {
        /// The value that counts as won.
        half_range: f64,
    },
    /// Mapped to `0..=1` by the logistic function.
    Logistic {
        /// The value that counts as won with probability `e / (1 + e)`.
        scale: f64,
    },
}

/// What a game that goes on is worth where its simulation was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// What the evaluation says.
    Evaluation,
    /// As much as a draw.
    Draw,
}

/// What a finished game of one player is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Over {
    /// What the evaluation says of the last position.
    Evaluation,
    /// This, in the unit of the evaluation.
    Worth(f64),
}

/// Which root move is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The one with the highest mean.
    Max,
    /// The one with the most visits.
    Robust,
    /// The one with both. While there is none, the search goes on, up to this share of its own limits; then the
    /// most visited.
    MaxRobust {
        /// How much longer the search may take.
        extension: f64,
    },
    /// The one with the highest `m - a / sqrt(n)`.
    Secure {
        /// How much a rarely visited move is distrusted.
        a: f64,
    },
}

/// Whether a decision starts with what the one before it learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// With an empty tree.
    Fresh,
    /// With the part of the last tree below the moves played since.
    Keep,
}

/// How many threads work, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// One thread, one tree. Reproducible.
    Single,
    /// A tree for each thread; the statistics of their roots are added up. The iterations are divided among the
    /// trees, so that a number of trees is reproducible on every machine.
    Root {
        /// The number of trees and threads.
        trees: u32,
    },
    /// One tree for all threads. Not reproducible: what a thread sees depends on how far the others are.
    Tree {
        /// The number of threads.
        threads: u32,
    },
}

impl Parallelism {
    /// The number of threads.
    #[must_use]
    pub fn threads(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Root { trees: threads } | Self::Tree { threads } => threads,
        }
    }

    /// Whether the same seed and iterations give the same decision.
    #[must_use]
    pub fn is_reproducible(self) -> bool {
        !matches!(self, Self::Tree { threads } if threads > 1)
    }
}
