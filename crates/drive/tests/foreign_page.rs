//! `drive` on a page with the markup of the original, in a real browser. Ignored unless asked for, because it needs
//! chromium and its driver: `cargo xtask test` installs them and asks for it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use afterstate_drive::{
    Browser, BrowserKind, DriveError, DriveEvent, DriveFailure, DriveSettings, DrivenGame, Window, drive, drive_in,
};
use afterstate_game::Stop;
use libtest_mimic::{Arguments, Trial};
use tokio::runtime::Runtime;

type Test = fn(&Stage);

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let stage = Arc::new(Stage::new());
    let tests: [(&str, Test); 10] = [
        ("a_game_is_played_to_its_end_and_recorded", a_game_is_played_to_its_end_and_recorded),
        ("a_page_is_read_by_its_tiles_and_played_twice", a_page_is_read_by_its_tiles_and_played_twice),
        ("play_goes_on_after_victory", play_goes_on_after_victory),
        ("play_goes_on_where_the_message_follows_late", play_goes_on_where_the_message_follows_late),
        ("a_dialog_is_named_and_the_record_kept", a_dialog_is_named_and_the_record_kept),
        ("a_cover_is_named_and_the_record_kept", a_cover_is_named_and_the_record_kept),
        ("a_deaf_page_is_named_and_the_record_kept", a_deaf_page_is_named_and_the_record_kept),
        ("a_board_against_the_rules_is_named", a_board_against_the_rules_is_named),
        ("a_closed_tab_is_named_and_the_record_kept", a_closed_tab_is_named_and_the_record_kept),
        ("what_is_no_2048_page_is_refused", what_is_no_2048_page_is_refused),
    ];
    let trials = tests.map(|(name, test)| {
        let stage = Arc::clone(&stage);
        Trial::test(name, move || {
            test(&stage);
            Ok(())
        })
        .with_ignored_flag(true)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.into());
    stage.close();
    conclusion.exit_code()
}

/// One browser for all tests.
struct Stage {
    runtime: Runtime,
    browser: Mutex<Option<Arc<Browser>>>,
}

impl Stage {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        Self { runtime, browser: Mutex::new(None) }
    }

    fn browser(&self) -> Arc<Browser> {
        let mut browser = self.browser.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || self.runtime.block_on(Browser::open(BrowserKind::Chrome, Window::Headless)).expect("a browser");
        Arc::clone(browser.get_or_insert_with(|| Arc::new(open())))
    }

    fn close(&self) {
        let browser = self.browser.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(browser) = browser.and_then(Arc::into_inner) {
            self.runtime.block_on(browser.close());
        }
    }

    fn driven(&self, settings: &DriveSettings) -> Result<Vec<DrivenGame>, DriveFailure> {
        let browser = self.browser();
        self.runtime.block_on(async {
            // The test before may have left its dialog open; mostly there is none to dismiss, and that is no fault.
            let _ = browser.dismiss_alert().await;
            drive_in(&browser, settings, &Stop::new(), &mut |_| {}).await
        })
    }

    /// The error of a drive that has to fail, and the number of moves that were kept.
    fn failed(&self, query: &str) -> (DriveError, usize) {
        kept(self.driven(&settings(query)).expect_err("this page cannot be played"))
    }
}

fn kept(DriveFailure { error, games }: DriveFailure) -> (DriveError, usize) {
    (*error, games.first().map_or(0, |game| game.record.plies().len()))
}

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

/// The one test that opens its own browser, as the program does.
fn a_game_is_played_to_its_end_and_recorded(_: &Stage) {
    // The player whose games are shortest.
    let settings = DriveSettings { agent: "random".to_owned(), ..settings("") };
    let games = drive(&settings, &Stop::new(), &mut |_| {}).unwrap();
    let game = &games[0];
    assert!(game.is_over);
    assert_eq!(game.score, Some(game.record.score()), "the page counts as the rules do");
    println!("{} moves in {:?}", game.record.plies().len(), game.time);
}

fn a_page_is_read_by_its_tiles_and_played_twice(stage: &Stage) {
    let games = stage.driven(&DriveSettings { games: 2, max_moves: Some(30), ..settings("?state=off") }).unwrap();
    assert_eq!(games.iter().map(|game| game.record.plies().len()).collect::<Vec<_>>(), [30, 30]);
}

fn play_goes_on_after_victory(stage: &Stage) {
    plays_past_victory(stage, "?won=16");
}

/// The message is still to be seen when the next move is made, and its button is gone before it is pressed again.
fn play_goes_on_where_the_message_follows_late(stage: &Stage) {
    plays_past_victory(stage, "?won=16&late=300");
}

fn plays_past_victory(stage: &Stage, query: &str) {
    let settings = DriveSettings { max_moves: Some(60), agent: "expectimax(depth=2)".to_owned(), ..settings(query) };
    let games = stage.driven(&settings).unwrap();
    assert_eq!(games[0].record.plies().len(), 60);
    assert!(games[0].largest_tile() > 16);
}

fn a_dialog_is_named_and_the_record_kept(stage: &Stage) {
    let (error, kept) = stage.failed("?dialog=5");
    assert!(matches!(&error, DriveError::Dialog(text) if text.contains("Subscribe")), "{error}");
    assert!(kept >= 4, "{kept}");
}

fn a_cover_is_named_and_the_record_kept(stage: &Stage) {
    let (error, kept) = stage.failed("?cover=5");
    assert!(matches!(&error, DriveError::Covered(what) if what.contains("id=cookies")), "{error}");
    assert!(kept >= 4, "{kept}");
}

fn a_deaf_page_is_named_and_the_record_kept(stage: &Stage) {
    let (error, kept) = stage.failed("?deaf=5");
    assert!(matches!(error, DriveError::NoAnswer { .. }), "{error}");
    assert_eq!(kept, 5);
}

fn a_board_against_the_rules_is_named(stage: &Stage) {
    let (error, kept) = stage.failed("?cheat=5");
    assert!(matches!(error, DriveError::Unexpected { .. }), "{error}");
    assert_eq!(kept, 4);
}

fn a_closed_tab_is_named_and_the_record_kept(stage: &Stage) {
    let browser = stage.browser();
    stage.runtime.block_on(async {
        let first = browser.window().await.unwrap();
        let tab = browser.new_tab().await.unwrap();
        browser.switch_to_window(tab).await.unwrap();
        let (moves, stop, settings) = (AtomicU32::new(0), Stop::new(), settings(""));
        let mut count = |event: DriveEvent<'_>| {
            if let DriveEvent::Moved(..) = event {
                moves.fetch_add(1, Ordering::Relaxed);
            }
        };
        let close = async {
            while moves.load(Ordering::Relaxed) < 5 {
                tokio::task::yield_now().await;
            }
            browser.close_window().await
        };
        let (driven, closed) = tokio::join!(drive_in(&browser, &settings, &stop, &mut count), close);
        closed.unwrap();
        let (error, kept) = kept(driven.expect_err("the tab is gone"));
        assert!(matches!(error, DriveError::TabLost), "{error}");
        assert!(kept >= 5, "{kept}");
        browser.switch_to_window(first).await.unwrap();
    });
}

fn what_is_no_2048_page_is_refused(stage: &Stage) {
    let elsewhere = |url: &str| DriveSettings { url: url.to_owned(), ..settings("") };
    let refused = |url: &str| stage.driven(&elsewhere(url)).unwrap_err().error;
    let error = refused("data:text/html,<title>Chess</title>");
    assert!(matches!(&*error, DriveError::NotTheGame(why) if why.contains("Chess")), "{error}");
    // Nobody listens there; the browser itself refuses the second.
    for url in ["http://127.0.0.1:60999/", "http://127.0.0.1:9/"] {
        let error = refused(url);
        assert!(matches!(*error, DriveError::Unreachable { .. }), "{error}");
    }
    for url in ["127.0.0.1:60999/2048", "example.org", ""] {
        let error = refused(url).to_string();
        assert!(error.ends_with("expected an address that begins with http:// or https://"), "{error}");
    }
}
