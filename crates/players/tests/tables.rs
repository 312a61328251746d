//! Endgame tables in play: what they forbid is not played, and what they do not know is left to the search.

use std::path::{Path, PathBuf};

use afterstate_game::{Dice, Player, Position, Stop};
use afterstate_learn::endgame::{BuildSettings, Table, Tables, build as build_table};
use afterstate_players::{build, table_files};
use afterstate_twenty48::{Board, State};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("afterstate-players-tables-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn with_table(name: &str) -> PathBuf {
    let folder = folder(name);
    let pattern = "0044-32".parse().expect("a pattern");
    let settings = BuildSettings { pattern, slack: 16, memory: 1 << 30, threads: 1 };
    build_table(&folder.join("0044-32.table"), &settings, &Stop::new(), &mut |_| {}).expect("a table");
    folder
}

/// Eight locked tiles and small ones on some of the free cells.
fn random_state(dice: &mut Dice) -> State {
    let locked = [15, 14, 13, 12, 5, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0];
    let exponents = locked.map(|exponent| {
        let free = dice.below(5) as u8 * u8::from(dice.chance(0.6));
        if exponent > 0 { exponent } else { free }
    });
    State(Board::from_exponents(exponents).expect("no tile is that large"))
}

fn agent(folder: &Path, more: &str) -> Box<dyn Player<State>> {
    let folder = folder.display();
    build(&format!("expectimax(depth=2, eval=empty, tables={folder}{more})")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_slide_that_throws_away_a_likely_success_is_not_played() {
    let folder = with_table("veto");
    let tables = Tables::new(vec![Table::load(&folder.join("0044-32.table")).unwrap()]);
    let mut strict = agent(&folder, ", tables-margin=0.01, tables-from=0.2");
    let mut free = build::<State>("expectimax(depth=2, eval=empty)").unwrap();
    let mut dice = Dice::seeded(5);
    let (mut known, mut overruled) = (0, 0);
    for _ in 0..400 {
        let state = random_state(&mut dice);
        if state.outcome().is_some() {
            continue;
        }
        let (ours, theirs) = (strict.decide_position(&state).unwrap(), free.decide_position(&state).unwrap());
        assert_eq!(ours.moves[0].mv, ours.best);
        assert_eq!(ours.moves.len(), theirs.moves.len());
        match tables.advice(state).filter(|advice| advice.slides[0].1 >= 0.2) {
            Some(advice) => {
                let chosen = advice.slides.iter().find(|(slide, _)| *slide == ours.best);
                let (best, chosen) = (advice.slides[0].1, chosen.map_or(0.0, |slide| slide.1));
                assert!(chosen >= best - 0.01, "{}: {chosen} instead of {best}", state.0);
                known += 1;
                overruled += u32::from(ours.best != theirs.best);
            }
            None => assert_eq!(ours.best, theirs.best),
        }
    }
    assert!(known > 50 && overruled > 5, "{known} known, {overruled} overruled");
}

#[test]
fn without_tables_everything_is_as_before() {
    let empty = folder("empty");
    let mut asking = agent(&empty, "");
    let mut plain = build::<State>("expectimax(depth=2, eval=empty)").unwrap();
    let mut dice = Dice::seeded(6);
    for _ in 0..50 {
        let state = random_state(&mut dice);
        if state.outcome().is_none() {
            let (asked, plain) = (asking.decide_position(&state).unwrap(), plain.decide_position(&state).unwrap());
            assert_eq!((asked.best, asked.moves), (plain.best, plain.moves));
        }
    }
}

#[test]
fn missing_folders_and_damaged_tables_are_errors() {
    let refused = |spec: &str, reason: &str| {
        let error = build::<State>(spec).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    refused("expectimax(tables=/nonexistent/folder)", "there is no folder `/nonexistent/folder`");
    let damaged = folder("damaged");
    std::fs::write(damaged.join("x.table"), b"nonsense").unwrap();
    refused(&format!("expectimax(tables={})", damaged.display()), "is no endgame table");
    assert_eq!(table_files(Some(&damaged)).len(), 1);
    // What is still being built is no table yet.
    std::fs::rename(damaged.join("x.table"), damaged.join("x.table.part")).unwrap();
    assert!(table_files(Some(&damaged)).is_empty());
}
