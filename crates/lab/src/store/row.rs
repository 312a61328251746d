//! Results as rows.

use std::time::Duration;

use afterstate_game::Effort;
use rusqlite::Row;
use rusqlite::types::Value;

use crate::play::Spent;
use crate::{DecisionResult, DuelResult, SoloResult};

/// Figures of a game that the store can keep.
pub trait StoredResult: Sized + Send {
    /// The table.
    const TABLE: &'static str;

    /// The columns besides the number of the game, each with its type.
    const COLUMNS: &'static [(&'static str, &'static str)];

    /// The number of the game.
    fn game(&self) -> u64;

    /// The values of the columns.
    fn values(&self) -> Vec<Value>;

    /// Reads the number of the game and the columns.
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self>;

    /// The names of the columns, separated by commas.
    #[must_use]
    fn columns() -> String {
        Self::COLUMNS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The statement that stores series, game, session and the columns; a game that is there already stays.
    #[must_use]
    fn insert() -> String {
        let places = vec!["?"; Self::COLUMNS.len() + 3].join(", ");
        let (table, columns) = (Self::TABLE, Self::columns());
        format!("INSERT INTO {table} (series, game, session, {columns}) VALUES ({places}) ON CONFLICT DO NOTHING")
    }

    /// The columns as a table definition has them.
    #[must_use]
    fn column_definitions() -> String {
        Self::COLUMNS.iter().map(|(name, kind)| format!("{name} {kind} NOT NULL")).collect::<Vec<_>>().join(", ")
    }
}

/// SQLite's integers are signed; no count of a game comes near the border.
fn integer(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn spent_values(spent: &Spent) -> [Value; 8] {
    let Effort { nodes, evaluations, moves_tried, table_probes, table_hits, iterations } = spent.effort;
    let nanoseconds = u64::try_from(spent.time.as_nanos()).unwrap_or(u64::MAX);
    [spent.moves, nodes, evaluations, moves_tried, table_probes, table_hits, iterations, nanoseconds].map(integer)
}

fn spent_from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Spent> {
    let number = |offset: usize| row.get::<_, i64>(first + offset).map(|number| number as u64);
    Ok(Spent {
        moves: number(0)?,
        effort: Effort {
            nodes: number(1)?,
            evaluations: number(2)?,
            moves_tried: number(3)?,
            table_probes: number(4)?,
            table_hits: number(5)?,
            iterations: number(6)?,
        },
        time: Duration::from_nanos(number(7)?),
    })
}

impl StoredResult for SoloResult {
    const TABLE: &'static str = "solo_games";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("score", "INTEGER"),
        ("largest_tile", "INTEGER"),
        ("moves", "INTEGER"),
        ("nodes", "INTEGER"),
        ("evaluations", "INTEGER"),
        ("moves_tried", "INTEGER"),
        ("table_probes", "INTEGER"),
        ("table_hits", "INTEGER"),
        ("iterations", "INTEGER"),
        ("nanoseconds", "INTEGER"),
    ];

    fn game(&self) -> u64 {
        self.game
    }

    fn values(&self) -> Vec<Value> {
        let mut values = vec![integer(self.score), integer(u64::from(self.largest_tile))];
        values.extend(spent_values(&self.spent));
        values
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            game: row.get::<_, i64>(0)? as u64,
            score: row.get::<_, i64>(1)? as u64,
            largest_tile: row.get(2)?,
            spent: spent_from_row(row, 3)?,
        })
    }
}

impl StoredResult for DuelResult {
    const TABLE: &'static str = "duel_games";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("opening", "TEXT"),
        ("half_points", "INTEGER"),
        ("lost_a", "INTEGER"),
        ("lost_b", "INTEGER"),
        ("plies", "INTEGER"),
        ("moves_a", "INTEGER"),
        ("nodes_a", "INTEGER"),
        ("evaluations_a", "INTEGER"),
        ("moves_tried_a", "INTEGER"),
        ("table_probes_a", "INTEGER"),
        ("table_hits_a", "INTEGER"),
        ("iterations_a", "INTEGER"),
        ("nanoseconds_a", "INTEGER"),
        ("moves_b", "INTEGER"),
        ("nodes_b", "INTEGER"),
        ("evaluations_b", "INTEGER"),
        ("moves_tried_b", "INTEGER"),
        ("table_probes_b", "INTEGER"),
        ("table_hits_b", "INTEGER"),
        ("iterations_b", "INTEGER"),
        ("nanoseconds_b", "INTEGER"),
    ];

    fn game(&self) -> u64 {
        self.game
    }

    fn values(&self) -> Vec<Value> {
        let mut values = vec![Value::Text(self.opening.clone()), integer(u64::from(self.half_points))];
        values.extend(self.lost.map(|lost| integer(u64::from(lost))));
        values.push(integer(self.plies));
        self.spent.iter().for_each(|spent| values.extend(spent_values(spent)));
        values
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            game: row.get::<_, i64>(0)? as u64,
            opening: row.get(1)?,
            half_points: row.get(2)?,
            lost: [row.get(3)?, row.get(4)?],
            plies: row.get::<_, i64>(5)? as u64,
            spent: [spent_from_row(row, 6)?, spent_from_row(row, 14)?],
        })
    }
}

impl StoredResult for DecisionResult {
    const TABLE: &'static str = "decisions";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("depth", "INTEGER"),
        // NULL cannot stand in a column of figures; a value that was not computed is stored as an empty text.
        ("value", "ANY"),
        ("moves", "INTEGER"),
        ("nodes", "INTEGER"),
        ("evaluations", "INTEGER"),
        ("moves_tried", "INTEGER"),
        ("table_probes", "INTEGER"),
        ("table_hits", "INTEGER"),
        ("iterations", "INTEGER"),
        ("nanoseconds", "INTEGER"),
    ];

    fn game(&self) -> u64 {
        self.game
    }

    fn values(&self) -> Vec<Value> {
        let value = self.value.map_or_else(|| Value::Text(String::new()), Value::Real);
        let mut values = vec![integer(u64::from(self.depth)), value];
        values.extend(spent_values(&self.spent));
        values
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let value = match row.get::<_, Value>(2)? {
            Value::Real(value) => Some(value),
            Value::Integer(value) => Some(value as f64),
            _ => None,
        };
        Ok(Self { game: row.get::<_, i64>(0)? as u64, depth: row.get(1)?, value, spent: spent_from_row(row, 3)? })
    }
}
