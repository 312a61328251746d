//! The players of the seeds, as settings of the search over 2048.

use afterstate_game::Position;
use afterstate_search::expectimax::{
    Chance, Dead, Depth, DepthUnit, Horizon, Reuse, Settings, Sharing, SingleMove, TableNodes, TableSettings,
};
use afterstate_twenty48::State;

pub(crate) fn zhaw_search<P: Position>() -> Settings<P> {
    Settings {
        depth: Depth::Fixed(3),
        unit: DepthUnit::HalfMoves,
        dead: Dead::Floor(0.0),
        horizon: Horizon::Evaluates,
        ..Settings::default()
    }
}

pub(crate) fn jordal<P: Position>() -> Settings<P> {
    Settings {
        depth: Depth::Fixed(3),
        unit: DepthUnit::Levels,
        chance: Chance::Likeliest(4),
        horizon: Horizon::Evaluates,
        ..Settings::default()
    }
}

pub(crate) fn maqsood<P: Position>(depth: u32, reuse: Option<Reuse>) -> Settings<P> {
    Settings {
        depth: Depth::Fixed(depth),
        unit: DepthUnit::HalfMovesAfterMove,
        dead: Dead::Value(-10_000.0),
        single_move: SingleMove::Played,
        table: reuse.map(|reuse| TableSettings { reuse, bytes: 1 << 20, ..TableSettings::default() }),
        ..Settings::default()
    }
}

pub(crate) fn dietenberger<P: Position>(depth: u32) -> Settings<P> {
    Settings {
        depth: Depth::Fixed(depth),
        unit: DepthUnit::HalfMoves,
        dead: Dead::Evaluated,
        chance: Chance::Sampled(10),
        table: Some(TableSettings {
            reuse: Reuse::Sound,
            nodes: TableNodes::Max,
            bytes: 1 << 20,
            ..TableSettings::default()
        }),
        ..Settings::default()
    }
}

pub(crate) fn xiao() -> Settings<State> {
    Settings {
        depth: Depth::adaptive(|state: &State| state.0.count_distinct().saturating_sub(2).max(3)),
        unit: DepthUnit::MovesAhead,
        dead: Dead::Floor(0.0),
        cutoff: 0.0001,
        table: Some(TableSettings {
            reuse: Reuse::Sound,
            sharing: Sharing::PerMove,
            bytes: 1 << 20,
            ..TableSettings::default()
        }),
        ..Settings::default()
    }
}
