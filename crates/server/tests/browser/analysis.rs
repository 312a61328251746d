//! The analysis board.

use thirtyfour::Key;

use crate::screen::Screen;

#[tokio::test]
async fn an_agent_deepens_live_and_its_line_can_be_followed() {
    let Some(screen) = Screen::open("/analyse?game=abalone").await else { return };
    screen.choose_agent(".engine-0 .agent-picker", "alphabeta(depth=3)").await;
    screen.until("return document.querySelectorAll('.line-move').length >= 3").await;
    screen.until("return document.querySelector('.arrows path') !== null").await;
    let third = screen.script("return document.querySelectorAll('.line-move')[2].textContent").await;
    screen.click(".line-move:nth-child(3)").await;
    screen.until("return document.querySelectorAll('.tree-move').length === 3").await;
    let last = screen.script("return document.querySelector('.tree-move[aria-current]').lastChild.textContent").await;
    assert_eq!(last, third);
    screen.keys(&[Key::Left, Key::Left]).await;
    screen.until("return document.querySelector('.tree-move[aria-current]')?.textContent.startsWith('1.')").await;
    screen.close().await;
}

#[tokio::test]
async fn agents_think_side_by_side_and_variations_are_kept() {
    let Some(screen) = Screen::open("/analyse?game=2048&position=2+2+4+8/0+0+0+0/0+0+0+0/0+0+0+2").await else {
        return;
    };
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.press("Another agent").await;
    screen.choose_agent(".engine-1 .agent-picker", "greedy").await;
    screen.until("return document.querySelectorAll('.engine .engine-row.is-best').length === 2").await;
    screen.letters("a").await;
    screen.until("return document.querySelectorAll('.tree-move').length === 1").await;
    screen.keys(&[Key::Left]).await;
    screen.letters("w").await;
    screen.until("return document.querySelectorAll('.variation .tree-move, .tree-move').length === 1").await;
    screen.letters("s").await;
    screen.until("return document.querySelectorAll('.tree-move').length >= 1").await;
    screen.close().await;
}

#[tokio::test]
async fn a_played_game_is_reviewed_and_its_graph_is_drawn() {
    let Some(screen) = Screen::open("/2048?seed=3").await else { return };
    screen.until("return document.querySelectorAll('.tile').length >= 2").await;
    for _ in 0..6 {
        screen.keys(&[Key::Left, Key::Up, Key::Right, Key::Down]).await;
    }
    screen.until("return Number(document.querySelectorAll('.score-box strong')[2].textContent) >= 12").await;
    screen.press("Analyse").await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.until("return document.querySelectorAll('.tree-move').length >= 12").await;
    screen.press("Review the game").await;
    screen
        .until("return (document.querySelector('.graph-line')?.getAttribute('points') ?? '').split(' ').length >= 12")
        .await;
    screen.until("return document.querySelector('.graph-panel .hint-text').textContent.includes('mistakes')").await;
    screen.close().await;
}

#[tokio::test]
async fn a_position_is_set_up_marble_by_marble() {
    let Some(screen) = Screen::open("/analyse?game=abalone").await else { return };
    screen.until("return document.querySelector('.hexboard.is-open') !== null").await;
    screen.press("Edit position").await;
    screen
        .drag("dialog [data-cell='e5'] .dimple", "dialog [data-cell='e5'] .dimple")
        .await
        .expect("as the test needs it");
    screen
        .drag("dialog [data-cell='a1'] .dimple", "dialog [data-cell='a1'] .dimple")
        .await
        .expect("as the test needs it");
    screen
        .drag("dialog [data-cell='a1'] .dimple", "dialog [data-cell='a1'] .dimple")
        .await
        .expect("as the test needs it");
    screen.press("Set this position").await;
    screen.until("return document.querySelector('.position-text').value.startsWith('wwwww/wwwwww/2www2/8/4b4/8/2bbb2/bbbbbb/1bbbb')").await;
    screen.script("const i = document.querySelector('.position-text'); i.value = 'rubbish'; i.dispatchEvent(new Event('change'))").await;
    screen.until("return document.querySelector('.toast-error') !== null").await;
    screen.close().await;
}
