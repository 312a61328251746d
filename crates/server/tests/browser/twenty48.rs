//! Playing 2048 on the page.

use serde_json::json;
use thirtyfour::Key;

use crate::screen::Screen;

async fn moves(screen: &Screen, count: u64) {
    screen.until(&format!("return document.querySelectorAll('.score-box strong')[2].textContent === '{count}'")).await;
}

#[tokio::test]
async fn a_game_is_played_with_keys_undone_and_survives_a_reload() {
    let Some(screen) = Screen::open("/2048?seed=5").await else { return };
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    let start = screen.tiles().await;
    screen.keys(&[Key::Left]).await;
    moves(&screen, 1).await;
    let first = screen.tiles().await;
    assert_ne!(first, start);
    screen.letters("u").await;
    moves(&screen, 0).await;
    assert_eq!(screen.tiles().await, start);
    screen.keys(&[Key::Left]).await;
    moves(&screen, 1).await;
    assert_eq!(screen.tiles().await, first, "the same move brings the same tile again");
    screen.keys(&[Key::Up, Key::Right, Key::Down]).await;
    screen.until("return Number(document.querySelectorAll('.score-box strong')[2].textContent) >= 3").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let (before, score) = (screen.tiles().await, screen.text(".score-container strong").await);
    screen.go("/2048").await;
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    assert_eq!((screen.tiles().await, screen.text(".score-container strong").await), (before, score));
    screen.close().await;
}

#[tokio::test]
async fn the_adviser_values_the_directions_and_gives_a_hint() {
    let Some(screen) = Screen::open("/2048?seed=6").await else { return };
    screen.choose_agent(".agent-picker", "expectimax(depth=2)").await;
    screen.until("return document.querySelector('.bar.is-best') !== null").await;
    screen.letters("h").await;
    let hint = screen.until("return document.querySelector('.board-arrow[class*=points-]')?.className").await;
    let best = screen.until("return document.querySelector('.bar.is-best .bar-name').textContent").await;
    assert_eq!(hint, json!(format!("board-arrow points-{}", best.as_str().expect("as the test needs it"))));
    let said = screen.until("return document.getElementById('live').textContent").await;
    assert!(said.as_str().expect("as the test needs it").starts_with("Best move:"), "{said}");
    screen.close().await;
}

#[tokio::test]
async fn autoplay_plays_to_the_end_and_the_game_can_go_on_from_there() {
    let Some(screen) = Screen::open("/2048?seed=7").await else { return };
    screen.choose_agent(".agent-picker", "random").await;
    screen.script("const r = document.querySelector('.range'); r.value = 6; r.dispatchEvent(new Event('input'))").await;
    screen.press("Autoplay").await;
    screen.until("return document.querySelector('.board-overlay.game-over:not([hidden])') !== null").await;
    let moves: u32 = screen.text(".score-box:nth-child(3) strong").await.parse().expect("as the test needs it");
    assert!(moves > 20, "{moves}");
    let best = screen.text(".best-container strong").await;
    assert_eq!(best, screen.text(".score-container strong").await, "the first game is the best so far");
    screen.click(".board-overlay .retry-button").await;
    screen.until("return document.querySelector('.board-overlay[hidden]') !== null").await;
    assert_eq!(screen.text(".best-container strong").await, best);
    screen.close().await;
}

#[tokio::test]
async fn a_position_is_edited_by_mouse_keys_and_text_and_played() {
    let Some(screen) = Screen::open("/2048?seed=8").await else { return };
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    screen.press("Edit position").await;
    screen.press("Clear").await;
    screen.click(".editor-choice.tile-65536").await;
    screen.click(".editor-cell:nth-child(1)").await;
    screen.click(".editor-cell:nth-child(2)").await;
    screen.click(".editor-cell:nth-child(9)").await;
    screen.keys(&[Key::Right]).await;
    screen.letters("++").await;
    screen.press("Play from here").await;
    screen.until("return document.querySelector('.editor') === null").await;
    assert_eq!(screen.tiles().await, "65536 65536 0 0 0 0 0 0 65536 4 0 0 0 0 0 0");
    screen.keys(&[Key::Left]).await;
    screen.until("return document.querySelector('.tile-131072') !== null").await;
    assert_eq!(screen.text(".score-container strong").await, "131,072");
    screen.close().await;
}

#[tokio::test]
async fn a_link_shows_the_position_it_was_made_of_and_a_broken_one_says_so() {
    let Some(screen) = Screen::open("/2048?position=2+4+8+16/0+0+0+0/0+0+0+0/0+0+0+2&score=100&ply=9").await else {
        return;
    };
    screen.until("return document.querySelector('.tile-16') !== null").await;
    assert_eq!(screen.text(".score-container strong").await, "100");
    screen.go("/2048?position=2+4+nonsense").await;
    screen.until("return document.querySelector('.toast-error')?.textContent.includes('nonsense')").await;
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    screen.go("/nowhere/at/all").await;
    screen.until("return document.querySelector('h1')?.textContent === 'There is nothing here'").await;
    screen.close().await;
}

#[tokio::test]
async fn a_swipe_is_a_move() {
    let Some(screen) = Screen::open("/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+4").await else { return };
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    let (x, y) = screen.middle(".board2048").await;
    screen
        .browser
        .action_chain()
        .move_to(x + 60, y)
        .click_and_hold()
        .move_to(x - 60, y + 5)
        .release()
        .perform()
        .await
        .expect("as the test needs it");
    moves(&screen, 1).await;
    assert!(screen.tiles().await.starts_with("2 "));
    screen.close().await;
}
