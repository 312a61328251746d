//! `drive` on a page with the markup of the original, in a real browser. Where there is no browser the tests say so and
//! pass; `cargo xtask test` counts them as skipped.

use afterstate_drive::{BrowserKind, DriveError, DriveFailure, DriveSettings, DrivenGame, Window, drive};
use afterstate_game::Stop;

fn settings(query: &str) -> DriveSettings {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/foreign.html");
    DriveSettings {
        url: format!("file://{page}{query}"),
        agent: "greedy".to_owned(),
        browser: BrowserKind::Chrome,
        window: Window::Headless,
        speed: None,
        games: 1,
        max_moves: None,
        seed: 1,
    }
}

/// What came of it, or `None` where there is no browser.
fn driven(settings: &DriveSettings) -> Option<Result<Vec<DrivenGame>, DriveFailure>> {
    let result = drive(settings, &Stop::new(), &mut |_| {});
    if let Err(DriveFailure { error, .. }) = &result
        && let DriveError::NoDriver { .. } | DriveError::NoBrowser(_) = **error
    {
        assert!(std::env::var_os("AFTERSTATE_NEEDS_BROWSER").is_none(), "{error}");
        eprintln!("SKIPPED: {error}");
        return None;
    }
    Some(result)
}

/// The error of a drive that has to fail, and the number of moves that were kept.
fn failed(query: &str) -> Option<(DriveError, usize)> {
    let DriveFailure { error, games } = driven(&settings(query))?.expect_err("this page cannot be played");
    Some((*error, games.first().map_or(0, |game| game.record.plies().len())))
}

#[test]
fn a_game_is_played_to_its_end_and_recorded() {
    let Some(result) = driven(&settings("")) else { return };
    let games = result.unwrap();
    let game = &games[0];
    assert!(game.is_over);
    assert_eq!(game.score, Some(game.record.score()), "the page counts as the rules do");
    let speed = game.record.plies().len() as f64 / game.time.as_secs_f64();
    println!("{} moves, {speed:.0} moves/s", game.record.plies().len());
}

#[test]
fn a_page_without_a_stored_game_is_read_by_its_tiles_and_played_twice() {
    let settings = DriveSettings { games: 2, max_moves: Some(30), ..settings("?state=off") };
    let Some(result) = driven(&settings) else { return };
    let games = result.unwrap();
    assert_eq!(games.iter().map(|game| game.record.plies().len()).collect::<Vec<_>>(), [30, 30]);
}

#[test]
fn play_goes_on_after_the_page_has_declared_victory() {
    let settings =
        DriveSettings { max_moves: Some(60), agent: "expectimax(depth=2)".to_owned(), ..settings("?won=16") };
    let Some(result) = driven(&settings) else { return };
    let games = result.unwrap();
    assert_eq!(games[0].record.plies().len(), 60);
    assert!(games[0].largest_tile() > 16);
}

#[test]
fn a_dialog_a_cover_and_a_deaf_page_are_named_and_the_record_is_kept() {
    let Some((error, kept)) = failed("?dialog=5") else { return };
    assert!(matches!(&error, DriveError::Dialog(text) if text.contains("Subscribe")), "{error}");
    assert!(kept >= 4, "{kept}");
    let Some((error, kept)) = failed("?cover=5") else { return };
    assert!(matches!(&error, DriveError::Covered(what) if what.contains("id=cookies")), "{error}");
    assert!(kept >= 4, "{kept}");
    let Some((error, kept)) = failed("?deaf=5") else { return };
    assert!(matches!(error, DriveError::NoAnswer { .. }), "{error}");
    assert_eq!(kept, 5);
    let Some((error, kept)) = failed("?cheat=5") else { return };
    assert!(matches!(error, DriveError::Unexpected { .. }), "{error}");
    assert_eq!(kept, 4);
}

#[test]
fn what_is_no_2048_page_is_refused() {
    let elsewhere = |url: &str| DriveSettings { url: url.to_owned(), ..settings("") };
    let Some(result) = driven(&elsewhere("data:text/html,<title>Chess</title>")) else { return };
    let error = result.unwrap_err().error;
    assert!(matches!(&*error, DriveError::NotTheGame(why) if why.contains("Chess")), "{error}");
    let Some(result) = driven(&elsewhere("http://127.0.0.1:9/")) else { return };
    assert!(matches!(*result.unwrap_err().error, DriveError::Unreachable { .. }));
}
