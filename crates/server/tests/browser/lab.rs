//! The laboratory on the page.

use afterstate_server::Settings;

use serde_json::json;

use crate::common::{Results, TestServer};
use crate::screen::Screen;
use crate::stage::cases;

cases![reports_figures_and_stored_games_are_shown, a_running_experiment_grows_under_the_eyes_of_who_looks];

async fn reports_figures_and_stored_games_are_shown(screen: &mut Screen) {
    let results = Results::of_small_experiments();
    let server = TestServer::with(Settings { results: results.folder.clone(), ..Settings::default() }).await;
    std::mem::replace(&mut screen.server, server).stop().await;
    screen.go("/lab?experiment=tiles").await;
    screen.shows(".report-title", "Two players of 2048").await;
    screen.until("document.querySelector('.report table').tBodies[0].rows.length === 2").await;
    // Loaded and drawn, not just asked for.
    screen.until("document.querySelector('.report-figures img').naturalWidth > 0").await;
    screen.count(".lab-results tbody tr", 4).await;
    // Whoever comes back from a game comes back to its series.
    screen.click(".lab-entry[data-key='1']").await;
    screen.sees(".lab-entry[data-key='1'][aria-current]").await;
    screen.until("document.querySelector('.lab-main > .panel:last-child h2').textContent === document.querySelectorAll('.lab-definition')[1].textContent").await;
    screen.press("Replay").await;
    screen.until("document.querySelectorAll('.tree-move').length > 20").await;
    screen.until("location.search.includes('experiment=tiles&series=1')").await;
    screen.browser.back().await.unwrap();
    screen.sees(".lab-entry[data-key='1'][aria-current]").await;
    screen.fill(".row input[type=number]", "1.5").await;
    screen.press("Replay this game").await;
    screen.until("document.querySelector('.row input[type=number]').validationMessage").await;
    screen.until("location.pathname === '/lab'").await;
    screen.go("/lab?experiment=marbles").await;
    screen.count(".lab-results tbody tr", 2).await;
    screen.press("Replay").await;
    screen.count(".tree-move", 12).await;
    screen.sees(".hexboard").await;
    // Single decisions are no games: what they cost is told, and nothing is there to replay.
    screen.go("/lab?experiment=costs").await;
    screen.shows(".report-title", "What a search costs").await;
    screen.until("document.querySelector('.lab-series .hint-text').textContent === '1 decision'").await;
    screen.until("document.querySelector('.lab-results').parentElement.hidden").await;
}

async fn a_running_experiment_grows_under_the_eyes_of_who_looks(screen: &mut Screen) {
    let results = Results::of_small_experiments();
    let server = TestServer::with(Settings { results: results.folder.clone(), ..Settings::default() }).await;
    std::mem::replace(&mut screen.server, server).stop().await;
    screen.go("/lab?experiment=tiles").await;
    screen.count(".lab-results tbody tr", 4).await;
    screen.shows(".report [role=status]", "8 games").await;
    // Whoever stands on a game with the keyboard stands on it still when more have come.
    screen.script("document.querySelector('.lab-results [data-key=\"2\"]').focus()").await;
    results.play_tiles(7);
    screen.count(".lab-results tbody tr", 7).await;
    screen.shows(".report [role=status]", "14 games").await;
    screen.settles("document.activeElement.dataset.key ?? null", &json!("2"), "the focus").await;
    // A figure and its interval are two lines of one cell.
    screen.until("/^[\\d,]+ to [\\d,]+$/.test(document.querySelector('.report td small').textContent)").await;
    // Every game can be had by its number, listed or not.
    screen.fill(".row input[type=number]", "6").await;
    screen.press("Replay this game").await;
    screen.until("location.search.includes('number=5')").await;
    screen.until("document.querySelectorAll('.tree-move').length > 20").await;
}
