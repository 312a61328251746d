//! What a search adds to an endgame table: a table counts a chain that is away for more than one slide as lost, and a search
//! that has the table's probabilities at its leaves brings it back. From boards on which the chain lies in place (one per line
//! on standard input) plays until the tile is built and merged or the game is over: `table_search TABLE SEED REPEATS DEPTH...`,
//! depths in moves ahead, all on the same chance.

use std::error::Error;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use afterstate_game::{Afterstate, Dice, Evaluation, Player, Position, derive_seed};
use afterstate_learn::endgame::{Table, Tables};
use afterstate_search::expectimax::{Dead, Depth, DepthUnit, Expectimax, Settings, TableSettings};
use afterstate_twenty48::{Board, Cell, Slid, State, Tile};

/// The probabilities of a table; a chain that is away is worth nothing, however near it is.
#[derive(Clone)]
struct Chain {
    tables: Arc<Tables>,
    target: Tile,
    /// The sum of the tiles above the target when the two ends are merged.
    goal: u32,
}

impl Chain {
    fn is_merged(&self, board: Board) -> bool {
        large(board, self.target) >= self.goal
    }
}

impl Evaluation<State> for Chain {
    fn position(&self, position: &State) -> f32 {
        self.best_afterstate(position).unwrap_or(0.0)
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        if self.is_merged(afterstate.0) { 1.0 } else { self.tables.after_slide(*afterstate).unwrap_or(0.0) }
    }
}

/// The sum of the tiles above the target.
fn large(board: Board, target: Tile) -> u32 {
    Cell::all().filter_map(|cell| board.get(cell)).filter(|&tile| tile > target).map(Tile::value).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, seed, repeats, depths @ ..] = &arguments[..] else {
        return Err("usage: table_search TABLE SEED REPEATS DEPTH... < BOARDS".into());
    };
    let (seed, repeats): (u64, u64) = (seed.parse()?, repeats.parse()?);
    let table = Table::load(Path::new(path))?;
    let target = table.description().pattern.target();
    let tables = Arc::new(Tables::new(vec![table]));
    let boards = std::io::stdin().lock().lines().map(|line| Ok(line?.trim().parse()?));
    let boards = boards.collect::<Result<Vec<Board>, Box<dyn Error>>>()?;
    for depth in depths {
        let mut built = 0;
        for (number, &board) in boards.iter().enumerate() {
            let goal = large(board, target) + 2 * target.value();
            let evaluation = Chain { tables: Arc::clone(&tables), target, goal };
            let mut player = Expectimax::new(settings(depth.parse()?), evaluation.clone())?;
            for repeat in 0..repeats {
                let seed = derive_seed(seed, &[number as u64, repeat]);
                built += u32::from(succeeds(&mut player, &evaluation, State(board), seed)?);
            }
        }
        let count = (boards.len() as u64 * repeats).max(1) as f64;
        let share = f64::from(built) / count;
        let error = 1.96 * (share * (1.0 - share) / count).sqrt();
        println!("{depth} ahead: {:.2}% +- {:.2} of {count} built", 100.0 * share, 100.0 * error);
    }
    Ok(())
}

fn settings(depth: u32) -> Settings<State> {
    Settings {
        depth: Depth::Fixed(depth),
        unit: DepthUnit::MovesAhead,
        dead: Dead::Value(0.0),
        table: Some(TableSettings { bytes: 16 << 20, ..TableSettings::default() }),
        ..Settings::default()
    }
}

fn succeeds(
    player: &mut impl Player<State>,
    chain: &Chain,
    mut state: State,
    seed: u64,
) -> Result<bool, Box<dyn Error>> {
    player.start_game(seed);
    let mut moves = 0;
    while state.outcome().is_none() && !chain.is_merged(state.0) {
        let decision = player.decide_position(&state)?;
        moves += 1;
        state = state.play(decision.best)?.afterstate.draw(&mut Dice::seeded(derive_seed(seed, &[moves])));
    }
    Ok(chain.is_merged(state.0))
}
