//! Playing Abalone on the page.

use serde_json::json;
use thirtyfour::Key;

use crate::screen::Screen;
use crate::stage::cases;

cases![
    marbles_are_moved_by_click_handle_drag_and_key,
    an_agent_answers_and_the_game_is_resumed_after_a_reload,
    a_game_goes_on_behind_its_own_link,
    a_push_off_the_board_is_shown_and_counted,
    a_game_is_opened_from_apgn_and_saved_again,
    a_position_is_set_up_by_text_and_by_hand_and_played_on,
    the_clock_runs_for_who_has_to_move_and_a_draw_is_agreed,
    five_levels_are_named_and_described,
    a_hint_ends_with_the_position_that_it_is_for,
];

fn cell(name: &str) -> String {
    format!("[data-cell='{name}'] .dimple")
}

async fn click_cell(screen: &Screen, name: &str) {
    screen.drag(&cell(name), &cell(name)).await;
}

/// Waits until so many moves are listed, the marbles have come to rest and the board is open again.
async fn played(screen: &Screen, count: usize) {
    screen.count(".move-button", count).await;
    screen.sees(".hexboard.is-open").await;
}

async fn list(screen: &Screen) -> String {
    let moves = screen.script("return [...document.querySelectorAll('.move-button')].map((m) => m.textContent)").await;
    moves.as_array().unwrap().iter().filter_map(|mv| mv.as_str()).collect::<Vec<_>>().join(" ")
}

async fn marbles_are_moved_by_click_handle_drag_and_key(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.sees(".hexboard.is-open").await;
    // Click the ends of a line of three, then the handle of a broadside.
    click_cell(screen, "c3").await;
    click_cell(screen, "c5").await;
    screen.count(".marble.is-chosen", 3).await;
    screen.click(".handle[data-direction='ne']").await;
    played(screen, 1).await;
    // Drag the rearmost marble of a line.
    screen.drag(&cell("i9"), &cell("h8")).await;
    played(screen, 2).await;
    // A marble and its target cell.
    click_cell(screen, "b1").await;
    screen.count(".marble.is-chosen", 1).await;
    click_cell(screen, "c1").await;
    played(screen, 3).await;
    // A key for each direction, from the cell that has the focus.
    screen.script("document.querySelector(\"[data-cell='g5']\").focus()").await;
    screen.letters(" ").await;
    screen.count(".marble.is-chosen", 1).await;
    screen.letters("z").await;
    played(screen, 4).await;
    assert_eq!(list(screen).await, "c5c3d6 i9h8 b1c1 g5f4");
    screen.letters("u").await;
    played(screen, 3).await;
}

async fn an_agent_answers_and_the_game_is_resumed_after_a_reload(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.press("New game").await;
    screen.choose_agent("dialog .agent-picker", "one-ply").await;
    screen.press("Begin").await;
    screen.shows(".player-bar strong", "one-ply").await;
    screen.sees(".hexboard.is-open").await;
    screen.drag(&cell("a1"), &cell("b2")).await;
    played(screen, 2).await;
    click_cell(screen, "b1").await;
    screen.count(".marble.is-chosen", 1).await;
    screen.click(".handle[data-direction='nw']").await;
    played(screen, 4).await;
    let before = list(screen).await;
    screen.go("/abalone").await;
    played(screen, 4).await;
    assert_eq!(list(screen).await, before);
    for _ in 0..4 {
        screen.keys(&[Key::Left]).await;
    }
    screen.count(".move-button[aria-current]", 0).await;
    // Whoever goes through the moves with the keyboard does not lose his place.
    screen.script("document.querySelectorAll('.move-button')[2].focus()").await;
    screen.keys(&[Key::Enter]).await;
    screen.until("document.activeElement.matches('.move-button[data-key=\"3\"][aria-current]')").await;
    screen.press("Resign").await;
    screen.click("dialog .button-strong").await;
    screen.shows(".game-status", "White has won (by resignation)").await;
}

async fn a_game_goes_on_behind_its_own_link(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.press("New game").await;
    screen.choose_agent("dialog .agent-picker", "one-ply").await;
    screen.press("Begin").await;
    screen.shows(".player-bar strong", "one-ply").await;
    screen.drag(&cell("a1"), &cell("b2")).await;
    played(screen, 2).await;
    screen.press("Copy link").await;
    screen.until("location.search.includes('moves=')").await;
    screen.browser.refresh().await.unwrap();
    played(screen, 2).await;
    screen.shows(".player-bar strong", "one-ply").await;
    screen.drag(&cell("a5"), &cell("b5")).await;
    played(screen, 4).await;
    let before = list(screen).await;
    screen.browser.refresh().await.unwrap();
    played(screen, 4).await;
    assert_eq!(list(screen).await, before);
    // Who only looks at another game keeps his own.
    screen.go("/abalone?position=wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb+b+0+0").await;
    played(screen, 0).await;
    screen.go("/abalone").await;
    played(screen, 4).await;
}

async fn a_push_off_the_board_is_shown_and_counted(screen: &mut Screen) {
    let position = "wwwww/wwwwww/2ww3/8/wbbb5/8/7/bbbbbb/bbbbb b 0 0".replace(' ', "+");
    screen.go(&format!("/abalone?position={position}")).await;
    screen.count(".hexboard.is-open .marble", 28).await;
    screen.drag(&cell("e4"), &cell("e3")).await;
    played(screen, 1).await;
    screen.count(".marble", 27).await;
    let label = screen.until("document.querySelectorAll('.tray')[1].getAttribute('aria-label')").await;
    assert_eq!(label, json!("1 of 6 marbles pushed off"));
}

async fn a_game_is_opened_from_apgn_and_saved_again(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.press("Open APGN").await;
    screen.fill("textarea.apgn-text", "not a game").await;
    screen.click("dialog .button-strong").await;
    screen.shows(".problem:not([hidden])", "game 1").await;
    let game = "[Variant \"belgian\"]\n[Result \"*\"]\n[Notation \"Aba-Pro\"]\n\n1. a1b2 a5b5 2. b1c2 *\n";
    screen.fill("textarea.apgn-text", game).await;
    screen.click("dialog .button-strong").await;
    screen.count("dialog", 0).await;
    played(screen, 3).await;
    // Of several games one is chosen, however often one asks; what cannot be read is named.
    screen.press("Open APGN").await;
    let won = game.replace("\"*\"", "\"1-0\"").replace(" *\n", " 1-0\n");
    let broken = game.replace("a5b5", "a5a9");
    screen.fill("textarea.apgn-text", &format!("{won}\n{broken}\n{game}")).await;
    for _ in 0..2 {
        screen.click("dialog .button-strong").await;
        screen.count("dialog select", 1).await;
        screen.count("dialog option", 2).await;
    }
    screen.shows(".problem:not([hidden])", "game 2").await;
    screen.click("dialog > div:last-child .button").await;
    screen.count("dialog", 0).await;
    screen.shows(".game-status", "Black has won").await;
    assert_eq!(screen.text(".game-status").await, "Black has won", "the file does not say why");
    screen.press("Take back").await;
    played(screen, 2).await;
    screen.press("Save APGN").await;
    let text = screen.until("document.querySelector('dialog textarea').value").await;
    let text = text.as_str().unwrap();
    assert!(text.contains("[Variant \"belgian\"]") && text.contains("1. a1b2 a5b5 *"), "{text}");
}

async fn a_position_is_set_up_by_text_and_by_hand_and_played_on(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.sees(".hexboard.is-open").await;
    screen.press("Edit position").await;
    screen.fill("dialog .position-text", "wwwww/rubbish").await;
    screen.sees("dialog .problem:not([hidden])").await;
    screen.press("Set this position").await;
    screen.fill("dialog .position-text", "wwwww/wwwwww/2ww3/8/wbbb5/8/7/bbbbbb/bbbbb w 0 0").await;
    screen.count("dialog .marble", 28).await;
    screen.sees("dialog .problem[hidden]").await;
    let dimple = "dialog [data-cell='a5'] .dimple";
    screen.drag(dimple, dimple).await;
    screen.drag(dimple, dimple).await;
    screen.until("document.querySelector('dialog .position-text').value.endsWith('/bbbb1 w 1 0')").await;
    screen.press("Set this position").await;
    screen.count("dialog", 0).await;
    screen.count(".hexboard.is-open .marble", 27).await;
    screen.shows(".game-status", "White to move").await;
    screen.drag(&cell("i5"), &cell("h4")).await;
    screen.count(".move-button", 1).await;
}

async fn the_clock_runs_for_who_has_to_move_and_a_draw_is_agreed(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.press("New game").await;
    let choice = |number: u32| format!("dialog > .field:nth-of-type({number}) select");
    screen.fill(&choice(2), "both").await;
    screen.fill(&choice(5), "1").await;
    screen.press("Begin").await;
    screen.until("[...document.querySelectorAll('.clock')].map((c) => c.textContent).join() === '3:00,3:00'").await;
    screen.drag(&cell("a1"), &cell("b2")).await;
    played(screen, 1).await;
    // White stands above: its time runs, Black has got two seconds for the move.
    screen.until("document.querySelectorAll('.clock')[0].textContent === '2:59'").await;
    screen
        .settles("document.querySelectorAll('.clock')[1].textContent", &json!("3:02"), "the clock of who waits")
        .await;
    // The time goes on after a reload where it was, with what the move brought.
    screen.browser.refresh().await.unwrap();
    played(screen, 1).await;
    screen.until("/^2:5[0-9]$/.test(document.querySelectorAll('.clock')[0].textContent)").await;
    screen
        .settles("document.querySelectorAll('.clock')[1].textContent", &json!("3:02"), "the clock of who waits")
        .await;
    screen.press("Offer a draw").await;
    screen.press("Agree").await;
    screen.shows(".game-status", "Drawn (by agreement)").await;
    screen.count(".hexboard.is-open", 0).await;
}

async fn five_levels_are_named_and_described(screen: &mut Screen) {
    const LEVELS: &str = "[...document.querySelector('.agent-picker optgroup').children].map((o) => o.textContent)";
    let english = json!(["Beginner", "Casual", "Club player", "Expert", "Strongest"]);
    for path in ["/abalone", "/2048?seed=1"] {
        screen.go(path).await;
        screen.settles(LEVELS, &english, path).await;
    }
    screen.shows(".agent-picker .hint-text", "learned network").await;
    screen.sees(".bar.is-best").await;
    screen.script("localStorage.setItem('afterstate.language', '\"de\"')").await;
    screen.go("/2048?seed=1").await;
    screen.shows(".agent-picker .hint-text[lang=de]", "gelerntes Netz").await;
    // What only the catalogue describes is marked as English.
    screen.choose_agent(".agent-picker", "zhaw/search").await;
    screen.shows(".agent-picker .hint-text[lang=en]", "zhaw").await;
}

async fn a_hint_ends_with_the_position_that_it_is_for(screen: &mut Screen) {
    screen.go("/abalone").await;
    screen.sees(".hexboard.is-open").await;
    screen.choose_agent(".agent-picker", "alphabeta(depth=60)").await;
    screen.letters("h").await;
    screen.shows(".effort", "thinking").await;
    screen.server.wait_for_load(1, 0).await;
    screen.drag(&cell("a1"), &cell("b2")).await;
    played(screen, 1).await;
    screen.until("document.querySelector('.effort').textContent === ''").await;
    screen.server.wait_for_load(0, 0).await;
}
