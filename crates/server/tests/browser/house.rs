//! What holds for every screen: languages, colours, two tabs, a server that comes back, no complaint, no foreign request.

use serde_json::json;

use crate::common::TestServer;
use crate::screen::Screen;

const SCREENS: [&str; 5] = ["/2048", "/abalone", "/analyse?game=2048", "/analyse?game=abalone", "/watch"];

#[tokio::test]
async fn every_screen_speaks_german_and_fits_a_phone_in_the_dark() {
    let Some(screen) = Screen::open("/2048").await else { return };
    screen.until("return document.querySelector('.header nav a') !== null").await;
    screen.script("localStorage.setItem('afterstate.language', '\"de\"'); localStorage.setItem('afterstate.theme', '\"dark\"')").await;
    screen.browser.set_window_rect(0, 0, 400, 850).await.expect("as the test needs it");
    for path in SCREENS {
        screen.go(path).await;
        screen.until("return document.querySelector('main .panel') !== null").await;
        let language =
            screen.script("return [document.documentElement.lang, document.documentElement.dataset.theme]").await;
        assert_eq!(language, json!(["de", "dark"]));
        let overflow =
            screen.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
        assert!(overflow.as_i64().expect("as the test needs it") <= 0, "{path} is {overflow} pixels too wide");
    }
    screen.close().await;
}

#[tokio::test]
async fn nothing_is_loaded_from_elsewhere_and_no_script_is_inline() {
    let Some(screen) = Screen::open("/2048").await else { return };
    for path in SCREENS {
        screen.go(path).await;
        screen.until("return document.querySelector('main .panel') !== null").await;
        let foreign = screen
            .script("return performance.getEntriesByType('resource').map((e) => e.name).filter((u) => !u.startsWith(location.origin))")
            .await;
        assert_eq!(foreign, json!([]), "{path}");
    }
    screen.close().await;
}

#[tokio::test]
async fn every_control_has_a_name() {
    let Some(screen) = Screen::open("/2048").await else { return };
    for path in SCREENS {
        screen.go(path).await;
        screen.until("return document.querySelector('main .panel') !== null").await;
        let nameless = screen
            .script(
                "return [...document.querySelectorAll('button, a, input, select, textarea, [role=button]')].filter((e) => \
                 !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML.slice(0, 120))",
            )
            .await;
        assert_eq!(nameless, json!([]), "{path}");
    }
    screen.close().await;
}

#[tokio::test]
async fn two_tabs_play_their_own_games_and_share_the_record() {
    let Some(screen) = Screen::open("/2048?position=512+512+0+0/0+0+0+0/0+0+0+0/0+0+0+0").await else { return };
    screen.until("return document.querySelectorAll('.tile').length === 2").await;
    let first = screen.browser.window().await.expect("as the test needs it");
    screen.browser.new_tab().await.map(|_| ()).expect("as the test needs it");
    let windows = screen.browser.windows().await.expect("as the test needs it");
    screen.browser.switch_to_window(windows.last().expect("as the test needs it").clone()).await.unwrap();
    screen.go("/2048?seed=2").await;
    screen.until("return document.querySelectorAll('.tile').length === 2").await;
    let second_tiles = screen.tiles().await;
    screen.browser.switch_to_window(first).await.expect("as the test needs it");
    screen.keys(&[thirtyfour::Key::Left]).await;
    screen.until("return document.querySelector('.tile-1024') !== null").await;
    screen.browser.switch_to_window(windows.last().expect("as the test needs it").clone()).await.unwrap();
    screen.until("return document.querySelector('.best-container strong').textContent === '1,024'").await;
    assert_eq!(screen.tiles().await, second_tiles);
    screen.close().await;
}

#[tokio::test]
async fn the_page_survives_a_restart_of_the_server() {
    let Some(mut screen) = Screen::open("/2048?seed=4").await else { return };
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.until("return document.querySelector('.bar.is-best') !== null").await;
    let address = screen.server.address;
    let gone = std::mem::replace(&mut screen.server, TestServer::start().await);
    gone.stop().await;
    screen.until("return document.getElementById('connection').dataset.status === 'closed'").await;
    let again = TestServer::at(address).await;
    screen.until("return document.getElementById('connection').dataset.status === 'open'").await;
    screen.keys(&[thirtyfour::Key::Left, thirtyfour::Key::Up]).await;
    screen.until("return Number(document.querySelectorAll('.score-box strong')[2].textContent) >= 1").await;
    screen.until("return document.querySelector('.bar.is-best') !== null").await;
    let spare = std::mem::replace(&mut screen.server, again);
    spare.stop().await;
    screen.close().await;
}

#[tokio::test]
async fn the_first_paint_comes_at_once() {
    let Some(screen) = Screen::open("/2048").await else { return };
    let paint = screen
        .until("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        .await
        .as_f64()
        .expect("as the test needs it");
    println!("first contentful paint after {paint:.0} ms");
    screen.close().await;
}
