//! Whether a search with the network sees what a deeper search without it sees.

use afterstate_game::{Player, Position};
use afterstate_twenty48::{Board, Direction, State};

/// How a player compares with a deeper search.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckRow {
    /// The iteration.
    pub iteration: u32,
    /// Who is compared: the teacher or the player.
    pub who: &'static str,
    /// How it compares.
    pub agreement: Agreement,
}

impl CheckRow {
    /// The names of the columns of [`Self::csv`].
    pub const CSV_HEADER: &str = "iteration,who,positions,same_move,regret,correlation";

    /// The row as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let Agreement { positions, same_move, regret, correlation } = self.agreement;
        format!("{},{},{positions},{same_move:.4},{regret:.1},{correlation:.4}", self.iteration, self.who)
    }
}

/// Two players on the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// The positions.
    pub positions: usize,
    /// The share of them in which both choose the same move.
    pub same_move: f64,
    /// What the deeper search thinks is lost by the other's choice, on average.
    pub regret: f64,
    /// The correlation of their values.
    pub correlation: f64,
}

/// What a player says of a position.
struct Opinion {
    best: Direction,
    value: f64,
    moves: Vec<(Direction, f64)>,
}

fn opinion(player: &mut dyn Player<State>, board: Board) -> Option<Opinion> {
    let decision = player.decide_position(&State(board)).ok()?;
    let moves: Option<Vec<_>> = decision.moves.iter().map(|known| Some((known.mv, known.value?))).collect();
    let moves = moves?;
    let &(_, value) = moves.iter().find(|(mv, _)| *mv == decision.best)?;
    Some(Opinion { best: decision.best, value, moves })
}

/// Compares two players; positions with a single move say nothing and are left out.
pub(super) fn compare(player: &mut dyn Player<State>, deep: &mut dyn Player<State>, boards: &[Board]) -> Agreement {
    let (mut same, mut regret, mut values) = (0usize, 0.0, Vec::new());
    for &board in boards.iter().filter(|&&board| State(board).count_moves() > 1) {
        let (Some(shallow), Some(deep)) = (opinion(player, board), opinion(deep, board)) else { continue };
        same += usize::from(shallow.best == deep.best);
        let chosen = deep.moves.iter().find(|(mv, _)| *mv == shallow.best).map_or(deep.value, |&(_, value)| value);
        regret += deep.value - chosen;
        values.push((shallow.value, deep.value));
    }
    let count = values.len().max(1) as f64;
    Agreement {
        positions: values.len(),
        same_move: same as f64 / count,
        regret: regret / count,
        correlation: correlation(&values),
    }
}

/// Pearson's correlation; 0 where one side does not vary.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len().max(1) as f64;
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        (xx, yy, xy) = (xx + (a - x).powi(2), yy + (b - y).powi(2), xy + (a - x) * (b - y));
    }
    if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}
