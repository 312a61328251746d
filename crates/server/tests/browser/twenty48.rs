//! Playing 2048 on the page.

use afterstate_drive::{BrowserKind, DriveSettings, Window, drive_in};
use afterstate_game::Stop;
use serde_json::json;
use thirtyfour::Key;

use crate::screen::Screen;
use crate::stage::cases;

cases![
    a_game_is_played_with_keys_undone_and_survives_a_reload,
    the_adviser_values_the_directions_and_gives_a_hint,
    autoplay_plays_to_the_end_and_a_new_game_begins,
    autoplay_goes_on_in_another_language,
    what_the_adviser_says_moves_nothing_below_it,
    on_a_slow_connection_moves_wait_for_the_one_before,
    a_position_is_edited_by_mouse_keys_and_text_and_played,
    a_wrong_position_is_not_played_and_the_editor_gives_way,
    a_link_shows_the_position_it_was_made_of_and_a_broken_one_says_so,
    what_is_played_from_a_link_survives_a_reload,
    a_swipe_is_a_move,
    the_same_seed_brings_the_same_game,
    a_program_that_plays_other_pages_plays_this_one,
];

/// Waits until so many moves are counted.
pub(crate) async fn moves(screen: &Screen, count: u64) {
    screen.until(&format!("document.querySelector('.moves-container strong').textContent === '{count}'")).await;
}

/// The board as it is told to a screen reader.
pub(crate) async fn tiles(screen: &Screen) -> String {
    screen.count(".board2048 table td", 16).await;
    let cells = screen
        .script("return [...document.querySelectorAll('.board2048 table td')].map((c) => Number(c.textContent) || 0)")
        .await;
    cells.as_array().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Opens an address that leads to a game, and waits until it is there.
pub(crate) async fn open(screen: &Screen, path: &str) {
    screen.go(path).await;
    screen.until("document.querySelectorAll('.board2048 .tile').length >= 2").await;
}

/// Sets the speed of autoplay to its greatest.
pub(crate) async fn full_speed(screen: &Screen) {
    screen.fill(".range", "6").await;
}

async fn a_game_is_played_with_keys_undone_and_survives_a_reload(screen: &mut Screen) {
    open(screen, "/2048?seed=5").await;
    let start = tiles(screen).await;
    screen.keys(&[Key::Left]).await;
    moves(screen, 1).await;
    let first = tiles(screen).await;
    assert_ne!(first, start);
    screen.letters("u").await;
    moves(screen, 0).await;
    assert_eq!(tiles(screen).await, start);
    screen.keys(&[Key::Left]).await;
    moves(screen, 1).await;
    assert_eq!(tiles(screen).await, first, "the same move brings the same tile again");
    for (count, key) in [(2, Key::Up), (3, Key::Right), (4, Key::Down), (5, Key::Left)] {
        screen.keys(&[key]).await;
        moves(screen, count).await;
    }
    let (before, score) = (tiles(screen).await, screen.text(".score-container strong").await);
    open(screen, "/2048").await;
    moves(screen, 5).await;
    assert_eq!((tiles(screen).await, screen.text(".score-container strong").await), (before.clone(), score));
    // A new game that nobody meant is taken back too.
    screen.letters("n").await;
    moves(screen, 0).await;
    screen.letters("u").await;
    moves(screen, 5).await;
    assert_eq!(tiles(screen).await, before);
    screen.press("Undo").await;
    moves(screen, 4).await;
}

async fn the_adviser_values_the_directions_and_gives_a_hint(screen: &mut Screen) {
    open(screen, "/2048?seed=6").await;
    screen.choose_agent(".agent-picker", "expectimax(depth=2)").await;
    screen.sees(".bar.is-best").await;
    screen.letters("h").await;
    let hint = screen.until("document.querySelector('.board-arrow[class*=points-]').className").await;
    let best = screen.text(".bar.is-best .bar-name").await;
    assert_eq!(hint, json!(format!("board-arrow points-{best}")));
    screen.shows("#live", "Best move:").await;
}

async fn autoplay_plays_to_the_end_and_a_new_game_begins(screen: &mut Screen) {
    open(screen, "/2048?seed=7").await;
    screen.choose_agent(".agent-picker", "random").await;
    full_speed(screen).await;
    screen.press("Autoplay").await;
    screen.sees(".board-overlay.game-over:not([hidden])").await;
    let moves: u32 = screen.text(".moves-container strong").await.parse().unwrap();
    assert!(moves > 20, "{moves}");
    let best = screen.text(".best-container strong").await;
    assert_eq!(best, screen.text(".score-container strong").await, "the first game is the best so far");
    screen.click(".board-overlay .retry-button").await;
    screen.sees(".board-overlay[hidden]").await;
    assert_eq!(screen.text(".best-container strong").await, best);
}

async fn autoplay_goes_on_in_another_language(screen: &mut Screen) {
    let count = "Number(document.querySelector('.moves-container strong').textContent)";
    open(screen, "/2048?seed=7").await;
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.press("Autoplay").await;
    let played = screen.until(&format!("{count} >= 3 && {count}")).await;
    screen.fill("[data-key=language]", "de").await;
    screen.shows("[aria-pressed=true]", "Anhalten").await;
    screen.until(&format!("{count} > {played}")).await;
    screen.press("Anhalten").await;
    screen.shows("[aria-pressed=false]", "Automatik").await;
    // A new game that nobody meant is taken back in another language too.
    let played = screen.until(count).await;
    screen.press("Neues Spiel").await;
    moves(screen, 0).await;
    screen.fill("[data-key=language]", "en").await;
    screen.shows("#auto-title", "Autoplay").await;
    screen.letters("u").await;
    moves(screen, played.as_u64().unwrap()).await;
}

async fn what_the_adviser_says_moves_nothing_below_it(screen: &mut Screen) {
    let place = "document.querySelector('.agent-picker').getBoundingClientRect().top";
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.shows(".effort", "ms").await;
    let before = screen.script(&format!("return {place}")).await;
    screen.script("document.querySelector('.check input').click()").await;
    screen.until("document.querySelector('.effort').textContent === ''").await;
    screen.settles(place, &before, "the place of what is below").await;
}

/// Keeps back what the page asks while it plays, and notes the moves that were asked for, until `__release()`.
const SLOW_CONNECTION: &str = "
    const ask = window.fetch;
    window.__asked = [];
    const released = new Promise((resolve) => (window.__release = resolve));
    window.fetch = async (path, init) => {
        if (String(path).endsWith('/play')) {
            window.__asked.push(JSON.parse(init.body).ply);
            await released;
        }
        return ask(path, init);
    };";

async fn on_a_slow_connection_moves_wait_for_the_one_before(screen: &mut Screen) {
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.script(SLOW_CONNECTION).await;
    // While a move of autoplay is on its way, the person takes over, plays twice, and takes the second move back.
    screen.letters("p").await;
    screen.until("window.__asked.length").await;
    screen.keys(&[Key::Left, Key::Right]).await;
    screen.letters("u").await;
    screen.script("window.__release()").await;
    screen.settles("window.__asked", &json!([0, 1]), "every move is asked for after the one before").await;
    moves(screen, 2).await;
    screen
        .settles("JSON.parse(sessionStorage['afterstate.2048']).past.length", &json!(2), "what can be taken back")
        .await;
}

async fn a_position_is_edited_by_mouse_keys_and_text_and_played(screen: &mut Screen) {
    open(screen, "/2048?seed=8").await;
    screen.press("Edit position").await;
    screen.press("Clear").await;
    screen.click(".editor-choice.tile-65536").await;
    screen.click(".editor-cell:nth-child(1)").await;
    screen.click(".editor-cell:nth-child(2)").await;
    screen.click(".editor-cell:nth-child(9)").await;
    screen.keys(&[Key::Right]).await;
    screen.letters("++").await;
    screen.press("Play from here").await;
    screen.count(".editor", 0).await;
    assert_eq!(tiles(screen).await, "65536 65536 0 0 0 0 0 0 65536 4 0 0 0 0 0 0");
    screen.keys(&[Key::Left]).await;
    screen.sees(".tile-131072").await;
    screen.shows(".score-container strong", "131,072").await;
    screen.press("Edit position").await;
    screen.fill(".editor-tools .input", "2 2 2 2/0 0 0 0/0 0 0 0/0 0 0 0").await;
    screen.press("Play from here").await;
    screen.count(".tile-2", 4).await;
}

async fn a_wrong_position_is_not_played_and_the_editor_gives_way(screen: &mut Screen) {
    open(screen, "/2048?seed=8").await;
    let before = tiles(screen).await;
    screen.press("Edit position").await;
    screen.press("Edit position").await;
    screen.count(".editor", 1).await;
    screen.fill(".editor-tools .input", "4 4 0 0/0 0 0 0/0 0 0 0/0 0 0 3").await;
    screen.press("Play from here").await;
    screen.until("document.querySelector('.editor-tools .input').validationMessage.includes('2 0 0 4/')").await;
    assert_eq!(tiles(screen).await, before);
    // What plays takes the board back.
    screen.press("New game").await;
    screen.count(".editor", 0).await;
    // A board without tiles has no move, and says so.
    screen.press("Edit position").await;
    screen.press("Clear").await;
    screen.press("Play from here").await;
    screen.sees(".board-overlay.game-over:not([hidden])").await;
    assert_eq!(screen.script("return document.activeElement.textContent").await, json!("Edit position"));
}

async fn a_link_shows_the_position_it_was_made_of_and_a_broken_one_says_so(screen: &mut Screen) {
    open(screen, "/2048?position=2+4+8+16/0+0+0+0/0+0+0+0/0+0+0+2&score=100&ply=9").await;
    screen.sees(".tile-16").await;
    screen.shows(".score-container strong", "100").await;
    screen.press("Copy link").await;
    let link = screen.until("location.search.includes('score=100') && location.pathname + location.search").await;
    open(screen, "/2048?seed=1").await;
    open(screen, link.as_str().unwrap()).await;
    screen.sees(".tile-16").await;
    screen.go("/2048?position=2+4+nonsense").await;
    screen.shows(".toast-error", "nonsense").await;
    screen.until("document.querySelectorAll('.board2048 .tile').length >= 2").await;
    screen.go("/nowhere/at/all").await;
    screen.shows("h1", "There is nothing here").await;
}

async fn what_is_played_from_a_link_survives_a_reload(screen: &mut Screen) {
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.keys(&[Key::Left]).await;
    moves(screen, 1).await;
    let played = tiles(screen).await;
    screen.browser.refresh().await.unwrap();
    moves(screen, 1).await;
    assert_eq!(tiles(screen).await, played);
    // A link of the game itself is the game itself: it can still be taken back.
    screen.press("Copy link").await;
    screen.until("location.search.includes('ply=1')").await;
    screen.browser.refresh().await.unwrap();
    moves(screen, 1).await;
    screen.press("Undo").await;
    moves(screen, 0).await;
}

async fn a_swipe_is_a_move(screen: &mut Screen) {
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+4").await;
    let (x, y) = screen.middle(".board2048").await;
    let swipe = screen.browser.action_chain().move_to(x + 60, y).click_and_hold().move_to(x - 60, y + 5).release();
    swipe.perform().await.unwrap();
    moves(screen, 1).await;
    assert!(tiles(screen).await.starts_with("2 "));
}

async fn the_same_seed_brings_the_same_game(screen: &mut Screen) {
    let mut boards = Vec::new();
    for _ in 0..2 {
        open(screen, "/2048?seed=1").await;
        screen.fill("input[type=number]", "77").await;
        screen.press("Start").await;
        screen.until("location.search === ''").await;
        moves(screen, 0).await;
        screen.keys(&[Key::Down]).await;
        moves(screen, 1).await;
        boards.push(tiles(screen).await);
    }
    assert_eq!(boards[0], boards[1]);
}

async fn a_program_that_plays_other_pages_plays_this_one(screen: &mut Screen) {
    let settings = DriveSettings {
        url: format!("http://{}/2048?position=1024+1024+0+0/0+0+0+0/0+0+0+0/0+0+0+2", screen.server.address),
        agent: "greedy".to_owned(),
        browser: BrowserKind::Chrome,
        window: Window::Headless,
        speed: None,
        games: 1,
        max_moves: Some(40),
        seed: 1,
    };
    let games = drive_in(&screen.browser, &settings, &Stop::new(), &mut |_| {}).await.unwrap();
    let game = &games[0];
    assert_eq!(game.record.plies().len(), 40);
    assert_eq!((game.largest_tile(), game.score), (2048, Some(game.record.score())), "it goes on after 2048");
    moves(screen, 40).await;
    println!("{:.1} moves/s", 40.0 / game.time.as_secs_f64());
}
