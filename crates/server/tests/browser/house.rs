//! What holds for every screen: languages, colours, two tabs, a server that comes back, no complaint, no foreign request.

use std::net::SocketAddr;

use serde_json::json;
use thirtyfour::Key;

use crate::common::TestServer;
use crate::screen::Screen;
use crate::stage::cases;
use crate::twenty48::{moves, open, tiles};

cases![
    every_screen_speaks_german_and_english,
    no_screen_is_wider_than_a_phone,
    no_button_below_a_board_stands_alone_on_a_phone,
    every_text_can_be_read_in_light_and_dark,
    every_control_has_a_name_and_nothing_comes_from_elsewhere,
    every_screen_has_its_landmarks_and_says_what_happens,
    every_screen_can_be_used_by_keyboard_alone,
    the_header_keeps_its_focus_and_leads_to_the_content,
    two_tabs_play_their_own_games_and_share_the_record,
    the_page_survives_a_restart_of_the_server,
    a_screen_that_the_server_is_missing_for_says_so_and_opens_once_it_is_back,
    who_waits_for_an_agent_to_be_loaded_is_told_so,
    a_finger_finds_everything_on_a_phone,
    the_first_paint_is_measured,
];

const SCREENS: [&str; 6] = ["/2048", "/abalone", "/analyse?game=2048", "/analyse?game=abalone", "/watch", "/lab"];

/// Opens a screen and waits until it stands.
async fn visit(screen: &Screen, path: &str) {
    screen.go(path).await;
    screen.sees("main .panel").await;
    screen.sees("main h1").await;
}

async fn prefer(screen: &Screen, name: &str, value: &str) {
    screen.script(&format!("localStorage.setItem('afterstate.{name}', '\"{value}\"')")).await;
}

async fn every_screen_speaks_german_and_english(screen: &mut Screen) {
    screen.go("/nowhere").await;
    let mut spoken = Vec::new();
    for language in ["en", "de"] {
        prefer(screen, "language", language).await;
        let mut words = Vec::new();
        for path in SCREENS {
            visit(screen, path).await;
            assert_eq!(screen.script("return document.documentElement.lang").await, json!(language));
            let text = screen.script("return [...document.querySelectorAll('button, h2, label')].map((e) => e.textContent.trim()).join('|')").await;
            assert!(!text.as_str().unwrap().contains('{'), "{path} shows a name instead of its value: {text}");
            words.push(text);
        }
        spoken.push(words);
    }
    for (path, (english, german)) in SCREENS.iter().zip(spoken[0].iter().zip(&spoken[1])) {
        assert_ne!(english, german, "{path} speaks one language");
    }
}

/// The end of a game that went as far as games go.
const LARGE_NUMBERS: &str = "/2048?position=2+4+2+4/4+2+4+2/2+4+2+4/4+2+4+131072&score=3932100&ply=131072";

async fn no_screen_is_wider_than_a_phone(screen: &mut Screen) {
    // A window has a least width, a device has not.
    let phone = json!({ "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true });
    screen.browser.cdp().send_raw("Emulation.setDeviceMetricsOverride", phone).await.unwrap();
    screen.go("/nowhere").await;
    for language in ["en", "de"] {
        prefer(screen, "language", language).await;
        for path in SCREENS.iter().chain(&[LARGE_NUMBERS]) {
            visit(screen, path).await;
            let root = "document.documentElement";
            let widths = format!("[{root}.scrollWidth, {root}.clientWidth]");
            screen.settles(&widths, &json!([360, 360]), &format!("{path} in {language}")).await;
            let ways =
                "(() => { const nav = document.querySelector('nav'); return nav.scrollWidth <= nav.clientWidth; })()";
            screen.settles(ways, &json!(true), &format!("all screens are to be seen in {language}")).await;
        }
    }
    screen.browser.cdp().send_raw("Emulation.clearDeviceMetricsOverride", json!({})).await.unwrap();
}

async fn no_button_below_a_board_stands_alone_on_a_phone(screen: &mut Screen) {
    const ROWS: &str = "(() => { const tops = [...document.querySelectorAll('.controls .button')].map((b) => Math.round(b.getBoundingClientRect().top)); \
         return [...new Set(tops.map((top) => tops.filter((other) => other === top).length))]; })()";
    let phone = json!({ "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true });
    screen.browser.cdp().send_raw("Emulation.setDeviceMetricsOverride", phone).await.unwrap();
    screen.go("/nowhere").await;
    prefer(screen, "language", "de").await;
    for path in ["/2048", "/abalone"] {
        visit(screen, path).await;
        screen.settles(ROWS, &json!([2]), path).await;
    }
    screen.browser.cdp().send_raw("Emulation.clearDeviceMetricsOverride", json!({})).await.unwrap();
}

/// The texts that are too pale, once nothing is fading in any more.
fn poor_texts() -> String {
    format!("(() => {{ {} }})()", include_str!("contrast.js"))
}

async fn every_text_can_be_read_in_light_and_dark(screen: &mut Screen) {
    const ALL_TILES: &str = "/2048?position=131072+4+8+16/32+64+128+256/512+1024+2048+4096/8192+16384+32768+65536";
    screen.go("/nowhere").await;
    for theme in ["light", "dark"] {
        prefer(screen, "theme", theme).await;
        for path in SCREENS.iter().chain(&[ALL_TILES]) {
            visit(screen, path).await;
            screen.sees(&format!(":root[data-theme={theme}]")).await;
            screen.settles(&poor_texts(), &json!([]), &format!("{path} in {theme}")).await;
        }
    }
    // Over everything: the editor with small tiles, a note and the end of a game.
    open(screen, "/2048?position=2+4+2+4/4+2+4+2/2+4+2+4/4+2+4+2").await;
    screen.sees(".game-over:not([hidden])").await;
    screen.press("Edit position").await;
    screen.sees(".editor-choice").await;
    screen.settles(&poor_texts(), &json!([]), "the editor").await;
}

async fn every_screen_has_its_landmarks_and_says_what_happens(screen: &mut Screen) {
    const NAMELESS: &str = "[...document.querySelectorAll('[role=group], [role=img], section, dialog, table:not(.table)')].filter((e) => \
         !e.closest('[hidden]') && !e.getAttribute('aria-label') && !e.getAttribute('aria-labelledby')).map((e) => e.outerHTML.slice(0, 100))";
    for path in SCREENS {
        visit(screen, path).await;
        for (selector, count) in [("main", 1), ("header nav[aria-label]", 1), ("h1", 1), ("[aria-current=page]", 1)] {
            screen.count(selector, count).await;
        }
        screen.sees("#live[role=status][aria-live=polite]").await;
        screen.settles(NAMELESS, &json!([]), path).await;
    }
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.keys(&[Key::Left]).await;
    screen.shows("#live", "left, 0 points, score 0").await;
    screen.go("/abalone").await;
    screen.sees(".hexboard.is-open").await;
    screen.sees("[data-cell=a1][aria-label*=lack]").await;
}

/// The focus, as a person sees it: what has it, and whether it is marked.
async fn focus(screen: &Screen) -> (String, bool) {
    let seen = screen
        .script(
            "const e = document.activeElement; const s = getComputedStyle(e); \
             const marked = s.outlineStyle !== 'none' || e.querySelector('.dimple') !== null; \
             return [e === document.body ? 'BODY' : e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent || e.tagName, marked]",
        )
        .await;
    (seen[0].as_str().unwrap().to_owned(), seen[1].as_bool().unwrap())
}

async fn every_screen_can_be_used_by_keyboard_alone(screen: &mut Screen) {
    for path in SCREENS {
        visit(screen, path).await;
        let reachable = "document.querySelectorAll('button:not(:disabled), a[href], input, select, textarea, [tabindex=\"0\"]').length";
        let most = screen.until(reachable).await.as_u64().unwrap();
        let mut reached = Vec::new();
        for _ in 0..most + 20 {
            screen.keys(&[Key::Tab]).await;
            let (name, marked) = focus(screen).await;
            if name == "BODY" || reached.len() as u64 >= most {
                break;
            }
            assert!(marked, "{path}: the focus on {name} is not to be seen");
            reached.push(name);
        }
        assert!(reached.len() >= 8, "{path}: only {reached:?} are reached");
        assert_eq!(reached[0], "To the content", "{path}");
    }
    // A game of Abalone without a mouse: from the first cell to a marble, choose it, push it forward.
    visit(screen, "/abalone").await;
    screen.sees(".hexboard.is-open").await;
    for _ in 0..40 {
        screen.keys(&[Key::Tab]).await;
        if screen.script("return document.activeElement.hasAttribute('data-cell')").await == json!(true) {
            break;
        }
    }
    // The first cell is E5 in the middle.
    screen.settles("document.activeElement.dataset.cell", &json!("e5"), "the board").await;
    for (key, cell) in [(Key::Down, "d5"), (Key::Down, "c5")] {
        screen.keys(&[key]).await;
        screen.settles("document.activeElement.dataset.cell", &json!(cell), "the board").await;
    }
    screen.letters(" ").await;
    screen.count(".marble.is-chosen", 1).await;
    screen.letters("w").await;
    screen.count(".move-button", 1).await;
}

async fn the_header_keeps_its_focus_and_leads_to_the_content(screen: &mut Screen) {
    // What was built on the screen stays when one only goes to its content; capitals are keys like small letters.
    visit(screen, "/analyse?game=2048&position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.sees(".bar.is-best").await;
    screen.letters("A").await;
    screen.count(".tree-move", 1).await;
    screen.script("document.querySelector('.skip-link').focus()").await;
    screen.keys(&[Key::Enter]).await;
    screen.settles("document.activeElement.id", &json!("main"), "the focus").await;
    screen.letters("S").await;
    screen.count(".tree-move", 2).await;
    for control in ["theme", "language"] {
        screen.script(&format!("document.querySelector('[data-key={control}]').focus()")).await;
        screen.keys(&[if control == "theme" { Key::Enter } else { Key::Down }]).await;
        screen.until(&format!("document.activeElement.dataset.key === '{control}'")).await;
    }
    screen.settles("document.documentElement.lang", &json!("de"), "the language").await;
    // The colours of the system count as long as nobody has chosen others, and the button leads to the others.
    screen.script("localStorage.removeItem('afterstate.theme')").await;
    screen.browser.refresh().await.unwrap();
    screen.sees(":root[data-theme=light] [data-key=theme]").await;
    for (theme, other) in [("dark", "Helle Farben"), ("light", "Dunkle Farben")] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        screen.browser.cdp().send_raw("Emulation.setEmulatedMedia", media).await.unwrap();
        screen.sees(&format!(":root[data-theme={theme}]")).await;
        screen.sees(&format!("[data-key=theme][title='{other}']")).await;
    }
    screen.browser.cdp().send_raw("Emulation.setEmulatedMedia", json!({ "features": [] })).await.unwrap();
}

async fn every_control_has_a_name_and_nothing_comes_from_elsewhere(screen: &mut Screen) {
    const NAMELESS: &str = "[...document.querySelectorAll('button, a, input, select, textarea, [role=button]')].filter((e) => \
         !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML.slice(0, 120))";
    const FOREIGN: &str =
        "performance.getEntriesByType('resource').map((e) => e.name).filter((u) => !u.startsWith(location.origin))";
    for path in SCREENS {
        visit(screen, path).await;
        screen.settles(NAMELESS, &json!([]), path).await;
        screen.settles(FOREIGN, &json!([]), path).await;
    }
}

async fn two_tabs_play_their_own_games_and_share_the_record(screen: &mut Screen) {
    open(screen, "/2048?position=512+512+0+0/0+0+0+0/0+0+0+0/0+0+0+0").await;
    let first = screen.browser.window().await.unwrap();
    let second = screen.browser.new_tab().await.unwrap();
    screen.browser.switch_to_window(second.clone()).await.unwrap();
    open(screen, "/2048?seed=2").await;
    let second_tiles = tiles(screen).await;
    screen.browser.switch_to_window(first).await.unwrap();
    screen.keys(&[Key::Left]).await;
    screen.sees(".tile-1024").await;
    moves(screen, 1).await;
    screen.browser.switch_to_window(second).await.unwrap();
    screen.shows(".best-container strong", "1,024").await;
    assert_eq!(tiles(screen).await, second_tiles);
}

/// Stops the server, and gives the address at which the page expects it back.
pub(crate) async fn stop_server(screen: &mut Screen) -> SocketAddr {
    let address = screen.server.address;
    let gone = std::mem::replace(&mut screen.server, TestServer::start().await);
    gone.stop().await;
    screen.sees("#connection[data-status=closed]").await;
    address
}

pub(crate) async fn start_server(screen: &mut Screen, address: SocketAddr) {
    let spare = std::mem::replace(&mut screen.server, TestServer::at(address).await);
    spare.stop().await;
    screen.sees("#connection[data-status=open]").await;
}

async fn the_page_survives_a_restart_of_the_server(screen: &mut Screen) {
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.sees(".bar.is-best").await;
    let address = stop_server(screen).await;
    start_server(screen, address).await;
    screen.keys(&[Key::Left]).await;
    moves(screen, 1).await;
    screen.sees(".bar.is-best").await;
}

async fn a_screen_that_the_server_is_missing_for_says_so_and_opens_once_it_is_back(screen: &mut Screen) {
    screen.go("/nowhere").await;
    prefer(screen, "language", "de").await;
    visit(screen, "/lab").await;
    let address = stop_server(screen).await;
    for path in ["/abalone", "/2048"] {
        screen.click(&format!("nav a[href='{path}']")).await;
        screen.shows("h1", "Diese Ansicht l\u{e4}sst sich nicht \u{f6}ffnen").await;
        screen.shows("main", "Der Server antwortet nicht.").await;
    }
    start_server(screen, address).await;
    screen.until("document.querySelectorAll('.board2048 .tile').length >= 2").await;
    screen.keys(&[Key::Left, Key::Right, Key::Up, Key::Down]).await;
    screen.until("document.querySelector('.moves-container strong').textContent !== '0'").await;
}

/// Notes every text that is put into the page and says that something is loaded, however short it stays.
const NOTE_LOADING: &str = "
    window.__loading = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            if (/Loading the agent/.test(target.textContent)) window.__loading.push(target.className || target.id);
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });";

/// Waits until the page says in this element that it loads an agent, and forgets what it has said so far.
async fn says_that_it_loads(screen: &Screen, class: &str) {
    screen.until(&format!("window.__loading.some((name) => name.split(' ').includes('{class}'))")).await;
    screen.script("window.__loading.length = 0").await;
}

async fn who_waits_for_an_agent_to_be_loaded_is_told_so(screen: &mut Screen) {
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.script(NOTE_LOADING).await;
    screen.choose_agent(".agent-picker", "greedy").await;
    says_that_it_loads(screen, "effort").await;
    screen.sees(".bar.is-best").await;
    screen.shows(".effort", "ms").await;
    // A hint is asked for by keys as well: whoever does not see the page hears it.
    screen.click(".check input").await;
    screen.choose_agent(".agent-picker", "one-ply").await;
    screen.letters("h").await;
    says_that_it_loads(screen, "visually-hidden").await;
    screen.sees("[class*=points-]").await;
    screen.shows(".effort", "ms").await;
    visit(screen, "/analyse?game=2048").await;
    screen.script(NOTE_LOADING).await;
    screen.choose_agent(".agent-picker", "greedy").await;
    says_that_it_loads(screen, "hint-text").await;
    screen.shows(".engine .hint-text", "ms").await;
    visit(screen, "/abalone").await;
    screen.sees(".hexboard.is-open").await;
    screen.script(NOTE_LOADING).await;
    screen.choose_agent(".agent-picker", "one-ply").await;
    screen.letters("h").await;
    says_that_it_loads(screen, "effort").await;
    screen.shows(".effort", "ms").await;
    for (game, place) in [("2048", "hint-text"), ("abalone", "thought")] {
        visit(screen, &format!("/watch?game={game}")).await;
        screen.script(NOTE_LOADING).await;
        screen.press("One move").await;
        says_that_it_loads(screen, place).await;
        screen.until("!document.querySelector('.watch-view').textContent.includes('Loading the agent')").await;
    }
}

async fn a_finger_finds_everything_on_a_phone(screen: &mut Screen) {
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    screen.browser.cdp().send_raw("Emulation.setDeviceMetricsOverride", phone).await.unwrap();
    screen.browser.cdp().send_raw("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await.unwrap();
    // The board and the values of all directions are on one screen.
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+4").await;
    screen.choose_agent(".agent-picker", "greedy").await;
    screen.sees(".bar.is-best").await;
    screen.script("scrollTo(0, 0)").await;
    screen.until("Math.max(...[...document.querySelectorAll('.bar')].map((b) => b.getBoundingClientRect().bottom)) <= innerHeight").await;
    // A swipe of a finger is a move, and does not scroll the page.
    let (x, y) = screen.middle(".board2048").await;
    let touch = async |kind: &str, points: serde_json::Value| {
        let event = json!({ "type": kind, "touchPoints": points });
        screen.browser.cdp().send_raw("Input.dispatchTouchEvent", event).await.unwrap();
    };
    touch("touchStart", json!([{ "x": x, "y": y + 80 }])).await;
    for step in 0..5 {
        touch("touchMove", json!([{ "x": x, "y": y + 80 - 40 * step }])).await;
    }
    touch("touchEnd", json!([])).await;
    moves(screen, 1).await;
    screen.settles("scrollY", &json!(0), "the page").await;
    assert_eq!(tiles(screen).await.split(' ').nth(3), Some("2"));
    // What moves marbles is as large as a finger needs.
    screen.go("/abalone").await;
    screen.sees(".hexboard.is-open").await;
    for cell in ["c3", "c5"] {
        screen.script(&format!("document.querySelector(\"[data-cell='{cell}']\").focus()")).await;
        screen.letters(" ").await;
    }
    screen.count(".marble.is-chosen", 3).await;
    screen.until("[...document.querySelectorAll('.handle')].every((h) => h.getBoundingClientRect().width >= 24)").await;
    // Agents come right after the board that they speak of.
    visit(screen, "/analyse?game=abalone").await;
    screen.until("document.querySelector('.engine').getBoundingClientRect().top < document.querySelector('.graph-panel').getBoundingClientRect().top").await;
    screen.browser.cdp().send_raw("Emulation.setTouchEmulationEnabled", json!({ "enabled": false })).await.unwrap();
    screen.browser.cdp().send_raw("Emulation.clearDeviceMetricsOverride", json!({})).await.unwrap();
}

/// The time depends on the machine, so it is printed and not judged.
async fn the_first_paint_is_measured(screen: &mut Screen) {
    screen.go("/2048").await;
    let paint = screen.until("performance.getEntriesByName('first-contentful-paint')[0].startTime").await;
    println!("first contentful paint after {:.0} ms", paint.as_f64().unwrap());
}
