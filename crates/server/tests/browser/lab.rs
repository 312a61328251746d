//! The laboratory on the page.

use afterstate_server::Settings;

use crate::common::{Results, TestServer};
use crate::screen::Screen;
use crate::stage::cases;

cases![reports_figures_and_stored_games_are_shown];

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
    screen.press("Replay").await;
    screen.until("document.querySelectorAll('.tree-move').length > 20").await;
    screen.until("location.search.includes('experiment=tiles')").await;
    screen.go("/lab?experiment=marbles").await;
    screen.count(".lab-results tbody tr", 2).await;
    screen.press("Replay").await;
    screen.count(".tree-move", 12).await;
    screen.sees(".hexboard").await;
}
