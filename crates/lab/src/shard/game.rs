//! A finished game as bytes: the row that the store will have, so that both ways into the store give the same.

use rusqlite::types::Value;

use crate::series::Recorded;
use crate::store::StoredResult;

/// A game of a shard: what the store keeps of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardGame {
    /// The place of its series in the heading.
    pub series: u32,
    /// Its number.
    pub game: u64,
    /// The columns of its row.
    pub values: Vec<Value>,
    /// The whole game in its own record format.
    pub record: String,
}

const INTEGER: u8 = 0;
const REAL: u8 = 1;
const TEXT: u8 = 2;

impl ShardGame {
    /// What is kept of a finished game.
    pub fn new<R: StoredResult>(series: u32, game: Recorded<R>) -> Self {
        Self { series, game: game.result.game(), values: game.result.values(), record: game.record }
    }

    /// Appends the game as bytes.
    pub(super) fn write(&self, buffer: &mut Vec<u8>) {
        buffer.extend(self.series.to_le_bytes());
        buffer.extend(self.game.to_le_bytes());
        // A row has a few dozen columns, and texts that name openings.
        buffer.extend((self.values.len() as u16).to_le_bytes());
        for value in &self.values {
            match value {
                Value::Integer(number) => push(buffer, INTEGER, &number.to_le_bytes()),
                Value::Real(number) => push(buffer, REAL, &number.to_le_bytes()),
                Value::Text(text) => {
                    push(buffer, TEXT, &(text.len() as u32).to_le_bytes());
                    buffer.extend(text.as_bytes());
                }
                // No column of a game has these; an empty text is what the tables keep instead of nothing.
                Value::Null | Value::Blob(_) => push(buffer, TEXT, &[0; 4]),
            }
        }
        buffer.extend(self.record.as_bytes());
    }

    /// Reads what [`Self::write`] wrote; `None` if it is something else.
    pub(super) fn read(mut bytes: &[u8]) -> Option<Self> {
        let source = &mut bytes;
        let series = u32::from_le_bytes(take(source)?);
        let game = u64::from_le_bytes(take(source)?);
        let columns = u16::from_le_bytes(take(source)?);
        let values = (0..columns).map(|_| value(source)).collect::<Option<Vec<Value>>>()?;
        let record = str::from_utf8(source).ok()?.to_owned();
        Some(Self { series, game, values, record })
    }
}

fn push(buffer: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    buffer.push(kind);
    buffer.extend(bytes);
}

fn take<const N: usize>(source: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, rest) = source.split_first_chunk()?;
    *source = rest;
    Some(*bytes)
}

fn value(source: &mut &[u8]) -> Option<Value> {
    match take(source)? {
        [INTEGER] => Some(Value::Integer(i64::from_le_bytes(take(source)?))),
        [REAL] => Some(Value::Real(f64::from_le_bytes(take(source)?))),
        [TEXT] => {
            let length = u32::from_le_bytes(take(source)?) as usize;
            let (text, rest) = source.split_at_checked(length)?;
            *source = rest;
            Some(Value::Text(str::from_utf8(text).ok()?.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i64>().prop_map(Value::Integer),
            prop::num::f64::ANY.prop_filter("NaN is not equal to itself", |x| !x.is_nan()).prop_map(Value::Real),
            ".*".prop_map(Value::Text),
        ]
    }

    proptest! {
        #[test]
        fn a_game_is_read_as_it_was_written(
            series: u32,
            game: u64,
            values in prop::collection::vec(values(), 0..30),
            record in ".*",
        ) {
            let game = ShardGame { series, game, values, record };
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            prop_assert_eq!(ShardGame::read(&bytes), Some(game));
        }

        #[test]
        fn any_bytes_are_a_game_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(game) = ShardGame::read(&bytes) {
                let mut again = Vec::new();
                game.write(&mut again);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}
