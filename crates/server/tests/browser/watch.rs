//! Watching agents.

use crate::screen::Screen;

#[tokio::test]
async fn two_agents_play_2048_side_by_side_and_a_match() {
    let Some(screen) = Screen::open("/watch?game=2048").await else { return };
    screen.choose_agent(".watch-agents > :nth-child(2) .agent-picker", "greedy").await;
    screen.choose_agent(".watch-agents > :nth-child(3) .agent-picker", "random").await;
    screen.script("const r = document.querySelector('.range'); r.value = 6; r.dispatchEvent(new Event('input'))").await;
    screen.press("Start").await;
    screen.until("return document.querySelectorAll('.seat.is-over').length === 2").await;
    screen.script("document.querySelector('.match .input').value = 3").await;
    screen.press("Start the match").await;
    screen.until("return document.querySelectorAll('.match-results li').length === 3").await;
    screen.until("return document.querySelector('.match .table').textContent.includes('Mean score')").await;
    screen.close().await;
}

#[tokio::test]
async fn two_agents_play_abalone_move_by_move() {
    let Some(screen) = Screen::open("/watch?game=abalone").await else { return };
    screen.choose_agent(".watch-agents > :nth-child(2) .agent-picker", "one-ply").await;
    screen.choose_agent(".watch-agents > :nth-child(3) .agent-picker", "random").await;
    screen.press("One move").await;
    screen.until("return document.querySelector('.thought-0').textContent !== ''").await;
    screen.press("One move").await;
    screen.until("return document.querySelector('.thought-1').textContent !== ''").await;
    screen.close().await;
}
