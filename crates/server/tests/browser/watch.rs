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
    games_go_on_in_another_language,
    a_duel_goes_on_in_another_language,
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
    screen.shows(".seat-head .hint-text", "1 move,").await;
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

/// Chooses a language in the header and waits until the screen speaks it.
async fn speak(screen: &Screen, language: &str, word: &str) {
    screen.fill("[data-key=language]", language).await;
    screen.shows(".watch-agents", word).await;
}

async fn games_go_on_in_another_language(screen: &mut Screen) {
    screen.go("/watch?game=2048").await;
    for side in [2, 3] {
        screen.choose_agent(&format!(".watch-agents > :nth-child({side}) .agent-picker"), "greedy").await;
    }
    let moves =
        "Math.min(...[...document.querySelectorAll('.seat-head .hint-text')].map((e) => parseInt(e.textContent)))";
    let results = "document.querySelectorAll('.match-results li').length";
    screen.fill(".match .input", "1000").await;
    screen.press("Start the match").await;
    screen.press("Start").await;
    let played = screen.until(&format!("{moves} >= 5 && {moves}")).await;
    let games = screen.until(&format!("{results} >= 2 && {results}")).await;
    let seed = screen.script("return document.querySelector('.watch-head input').value").await;
    for (language, word, stop) in [("de", "Spiel", "Stopp"), ("en", "Game", "Stop")] {
        speak(screen, language, word).await;
        screen.settles("document.querySelector('.watch-head input').value", &seed, "the seed").await;
        screen.until(&format!("{moves} > {played}")).await;
        screen.until(&format!("{results} > {games}")).await;
        screen.shows(".match .button-strong", stop).await;
    }
    // One that was stopped shows what came of it.
    screen.press("Stop").await;
    let games = screen.script(&format!("return {results}")).await;
    speak(screen, "de", "Spiel").await;
    screen.settles(results, &games, "the results").await;
    screen.sees(".match .table tr").await;
}

async fn a_duel_goes_on_in_another_language(screen: &mut Screen) {
    screen.go("/watch?game=abalone").await;
    for side in [2, 3] {
        screen.choose_agent(&format!(".watch-agents > :nth-child({side}) .agent-picker"), "one-ply").await;
    }
    screen.press("Start").await;
    let number = "Number(document.querySelector('.watch-view .game-status').textContent.match(/\\d+$/)[0])";
    let played = screen.until(&format!("{number} >= 4 && {number}")).await;
    speak(screen, "de", "Spiel").await;
    screen.shows(".watch-view .game-status", "Schwarz").await;
    screen.until(&format!("{number} > {played}")).await;
    // It stops where it is told to.
    screen.press("Anhalten").await;
    screen.shows(".pace .button-strong", "Start").await;
}
