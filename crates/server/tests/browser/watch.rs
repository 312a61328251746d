//! Watching agents.

use serde_json::json;

use crate::house::{start_server, stop_server};
use crate::screen::Screen;
use crate::stage::cases;
use crate::twenty48::full_speed;

cases![
    two_agents_play_2048_side_by_side_and_a_match,
    a_match_ends_with_its_connection,
    two_agents_play_abalone_move_by_move,
];

async fn two_agents_play_2048_side_by_side_and_a_match(screen: &mut Screen) {
    screen.go("/watch?game=2048").await;
    screen.choose_agent(".watch-agents > :nth-child(2) .agent-picker", "greedy").await;
    screen.choose_agent(".watch-agents > :nth-child(3) .agent-picker", "random").await;
    full_speed(screen).await;
    screen.press("Start").await;
    screen.count(".seat.is-over", 2).await;
    // After the end it begins anew.
    let moves = "[...document.querySelectorAll('.seat-head .hint-text')].map((e) => parseInt(e.textContent))";
    let played = screen.script(&format!("return {moves}")).await;
    screen.press("One move").await;
    screen.settles(moves, &json!([1, 1]), &format!("the moves after a game of {played}")).await;
    screen.fill(".match .input", "1.5").await;
    screen.press("Start the match").await;
    screen.until("document.querySelector('.match .input').validationMessage").await;
    screen.fill(".match .input", "3").await;
    screen.press("Start the match").await;
    screen.count(".match-results li", 3).await;
    screen.shows(".match .table", "Mean score").await;
}

async fn a_match_ends_with_its_connection(screen: &mut Screen) {
    screen.go("/watch?game=2048").await;
    for side in [2, 3] {
        screen.choose_agent(&format!(".watch-agents > :nth-child({side}) .agent-picker"), "greedy").await;
    }
    screen.fill(".match .input", "1000").await;
    screen.press("Start the match").await;
    screen.until("document.querySelectorAll('.match-results li').length >= 2").await;
    let address = stop_server(screen).await;
    screen.shows(".match [role=status]", "the connection was lost").await;
    start_server(screen, address).await;
    // The next one is a match of its own.
    screen.fill(".match .input", "2").await;
    screen.press("Start the match").await;
    screen.shows(".match [role=status]", "All 2 games").await;
    screen.count(".match-results li", 2).await;
}

async fn two_agents_play_abalone_move_by_move(screen: &mut Screen) {
    screen.go("/watch?game=abalone").await;
    screen.choose_agent(".watch-agents > :nth-child(2) .agent-picker", "one-ply").await;
    screen.choose_agent(".watch-agents > :nth-child(3) .agent-picker", "random").await;
    for side in [0, 1] {
        screen.press("One move").await;
        screen.until(&format!("document.querySelector('.thought-{side}').textContent")).await;
    }
}
