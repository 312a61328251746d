//! Playing Abalone on the page.

use serde_json::json;
use thirtyfour::Key;

use crate::screen::Screen;

fn cell(name: &str) -> String {
    format!("[data-cell='{name}'] .dimple")
}

async fn played(screen: &Screen, count: u32) {
    screen.until(&format!("return document.querySelectorAll('.move-button').length === {count}")).await;
    // The marbles have come to rest and the board is open again.
    screen.until("return document.querySelector('.hexboard.is-open') !== null").await;
}

async fn list(screen: &Screen) -> String {
    screen
        .script("return [...document.querySelectorAll('.move-button')].map((m) => m.textContent).join(' ')")
        .await
        .as_str()
        .expect("as the test needs it")
        .to_owned()
}

#[tokio::test]
async fn marbles_are_moved_by_click_handle_drag_and_key() {
    let Some(screen) = Screen::open("/abalone").await else { return };
    screen.until("return document.querySelector('.hexboard.is-open') !== null").await;
    // Click the ends of a line of three, then the handle of a broadside.
    screen.drag(&cell("c3"), &cell("c3")).await.expect("as the test needs it");
    screen.drag(&cell("c5"), &cell("c5")).await.expect("as the test needs it");
    screen.until("return document.querySelectorAll('.marble.is-chosen').length === 3").await;
    screen.click(".handle[data-direction='ne']").await;
    played(&screen, 1).await;
    // Drag the rearmost marble of a line.
    screen.drag(&cell("i9"), &cell("h8")).await.expect("as the test needs it");
    played(&screen, 2).await;
    // A marble and its target cell.
    screen.drag(&cell("b1"), &cell("b1")).await.expect("as the test needs it");
    screen.drag(&cell("c1"), &cell("c1")).await.expect("as the test needs it");
    played(&screen, 3).await;
    // A key for each direction, from the cell that has the focus.
    screen.script("document.querySelector(\"[data-cell='g5']\").focus()").await;
    screen.letters(" ").await;
    screen.until("return document.querySelectorAll('.marble.is-chosen').length === 1").await;
    screen.letters("z").await;
    played(&screen, 4).await;
    assert_eq!(list(&screen).await, "c5c3d6 i9h8 b1c1 g5f4");
    screen.letters("u").await;
    screen.until("return document.querySelectorAll('.move-button').length === 3").await;
    screen.close().await;
}

#[tokio::test]
async fn an_agent_answers_and_the_game_is_resumed_after_a_reload() {
    let Some(screen) = Screen::open("/abalone").await else { return };
    screen.press("New game").await;
    screen.choose_agent("dialog .agent-picker", "one-ply").await;
    screen.press("Begin").await;
    screen.until("return document.querySelector('.player-bar strong').textContent === 'one-ply'").await;
    screen.until("return document.querySelector('.hexboard.is-open') !== null").await;
    screen.drag(&cell("a1"), &cell("b2")).await.expect("as the test needs it");
    played(&screen, 2).await;
    let before = list(&screen).await;
    screen.go("/abalone").await;
    played(&screen, 2).await;
    assert_eq!(list(&screen).await, before);
    screen.keys(&[Key::Left, Key::Left]).await;
    screen.until("return document.querySelector('.move-button[aria-current]') === null").await;
    screen.press("Resign").await;
    screen.click("dialog .button-strong").await;
    let status = screen.until("return document.querySelector('.game-status').textContent").await;
    assert_eq!(status, json!("White has won (by resignation)"));
    screen.close().await;
}

#[tokio::test]
async fn a_push_off_the_board_is_shown_and_counted() {
    let position = "wwwww/wwwwww/2ww3/8/wbbb5/8/7/bbbbbb/bbbbb b 0 0".replace(' ', "+");
    let Some(screen) = Screen::open(&format!("/abalone?position={position}")).await else { return };
    screen.until("return document.querySelectorAll('.hexboard.is-open .marble').length === 28").await;
    screen.drag(&cell("e4"), &cell("e3")).await.expect("as the test needs it");
    played(&screen, 1).await;
    screen.until("return document.querySelectorAll('.marble').length === 27").await;
    let label = screen.until("return document.querySelectorAll('.tray')[1].getAttribute('aria-label')").await;
    assert_eq!(label, json!("1 of 6 marbles pushed off"));
    screen.close().await;
}

#[tokio::test]
async fn a_game_is_opened_from_apgn_and_saved_again() {
    let Some(screen) = Screen::open("/abalone").await else { return };
    screen.press("Open a game (APGN)").await;
    let area = screen.find("textarea.apgn-text").await;
    area.send_keys("not a game").await.expect("as the test needs it");
    screen.click("dialog .button-strong").await;
    screen.until("return document.querySelector('.problem:not([hidden])')?.textContent.includes('game 1')").await;
    screen.script("document.querySelector('textarea.apgn-text').value = '[Variant \"belgian\"]\\n[Result \"*\"]\\n[Notation \"Aba-Pro\"]\\n\\n1. a1b2 a5b5 2. b1c2 *\\n'").await;
    screen.click("dialog .button-strong").await;
    screen.until("return document.querySelectorAll('.move-button').length === 3").await;
    screen.press("Save the game (APGN)").await;
    let text = screen.until("return document.querySelector('dialog textarea')?.value").await;
    assert!(text.as_str().expect("as the test needs it").contains("[Variant \"belgian\"]"), "{text}");
    assert!(text.as_str().expect("as the test needs it").contains("1. a1b2 a5b5 2. b1c2"), "{text}");
    screen.close().await;
}
