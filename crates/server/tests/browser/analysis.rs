//! The analysis board.

use serde_json::json;
use thirtyfour::Key;

use crate::screen::Screen;
use crate::stage::cases;
use crate::twenty48::{moves, open};

cases![
    an_agent_deepens_live_and_its_line_can_be_followed,
    agents_think_side_by_side_and_variations_are_kept,
    a_played_game_is_reviewed_and_its_graph_is_drawn,
    a_position_is_set_up_marble_by_marble,
    an_analysis_is_found_again_as_it_was_left,
    a_link_of_a_game_shows_the_same_game,
    a_game_of_thousands_of_moves_is_asked_for_in_parts,
    agents_come_and_go_and_keep_their_numbers,
];

async fn an_agent_deepens_live_and_its_line_can_be_followed(screen: &mut Screen) {
    screen.go("/analyse?game=abalone").await;
    // With its own limits the agent comes to an end, and its line stays as it is.
    screen.fill(".engine-0 select[aria-label=Time]", "").await;
    screen.choose_agent(".engine-0 .agent-picker", "alphabeta(depth=3)").await;
    screen.shows(".engine-0", "depth 3").await;
    screen.until("document.querySelectorAll('.line-move').length >= 3").await;
    screen.sees(".arrows path").await;
    let third = screen.text(".line-move:nth-child(3)").await;
    screen.click(".line-move:nth-child(3)").await;
    screen.count(".tree-move", 3).await;
    screen.shows(".tree-move[aria-current]", &third).await;
    screen.keys(&[Key::Left]).await;
    screen.keys(&[Key::Left]).await;
    screen.until("document.querySelector('.tree-move[aria-current]').textContent.startsWith('1.')").await;
    // Whoever goes through the moves with the keyboard does not lose his place.
    screen.script("document.querySelectorAll('.tree-move')[1].focus()").await;
    screen.keys(&[Key::Enter]).await;
    screen.until("document.activeElement === document.querySelectorAll('.tree-move')[1] && document.activeElement.hasAttribute('aria-current')").await;
}

async fn agents_think_side_by_side_and_variations_are_kept(screen: &mut Screen) {
    screen.go("/analyse?game=2048&position=2+2+4+8/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.press("Another agent").await;
    screen
        .settles("document.querySelector('.engine-1 select').selectedOptions[0].text", &json!("Expert"), "the second")
        .await;
    screen.choose_agent(".engine-1 .agent-picker", "greedy").await;
    screen.count(".engine .engine-row.is-best", 2).await;
    screen.letters("a").await;
    screen.count(".tree-move", 1).await;
    screen.keys(&[Key::Left]).await;
    screen.count(".tree-move[aria-current]", 0).await;
    screen.letters("s").await;
    screen.count(".tree-move", 2).await;
    screen.sees(".variation .tree-move[aria-current]").await;
}

async fn a_played_game_is_reviewed_and_its_graph_is_drawn(screen: &mut Screen) {
    open(screen, "/2048?seed=3").await;
    for (i, key) in [Key::Left, Key::Up, Key::Right, Key::Down].iter().cycle().take(12).enumerate() {
        screen.keys(std::slice::from_ref(key)).await;
        moves(screen, i as u64 + 1).await;
    }
    screen.press("Analyse").await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.count(".tree-move", 12).await;
    // A long review can be stopped, and gone through again.
    screen.fill(".graph-head select", "2s").await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=60)").await;
    screen.press("Review the game").await;
    screen.shows(".graph-panel .hint-text", "1 of 13 positions").await;
    screen.press("Stop").await;
    screen.shows(".graph-panel .hint-text", " found").await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.press("Review the game").await;
    screen.shows(".graph-panel .hint-text", "of 13 positions").await;
    screen.shows(".graph-panel .hint-text", " found").await;
    screen.until("document.querySelector('.graph-line').getAttribute('points').split(' ').length >= 12").await;
    // A mistake is a dot on the graph, a mark behind the move, and a way there.
    screen.until("document.querySelectorAll('.graph-mark[aria-label*=better]').length >= 1").await;
    screen.click(".graph-mark").await;
    screen.until("document.querySelector('.tree-move[aria-current]').textContent.includes('?')").await;
}

async fn a_position_is_set_up_marble_by_marble(screen: &mut Screen) {
    screen.go("/analyse?game=abalone").await;
    screen.sees(".hexboard.is-open").await;
    screen.press("Edit position").await;
    for cell in ["e5", "a1", "a1"] {
        let dimple = format!("dialog [data-cell='{cell}'] .dimple");
        screen.drag(&dimple, &dimple).await;
    }
    screen.press("Set this position").await;
    screen.until("document.querySelector('.position-text').value.startsWith('wwwww/wwwwww/2www2/8/4b4/8/2bbb2/bbbbbb/1bbbb')").await;
    screen.fill(".position-text", "rubbish").await;
    screen.sees(".toast-error").await;
}

async fn an_analysis_is_found_again_as_it_was_left(screen: &mut Screen) {
    const LEFT: &str = "/analyse?game=2048&position=2+2+4+8/0+0+0+0/0+0+0+0/0+0+0+2";
    screen.go(LEFT).await;
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=2)").await;
    screen.sees(".engine-row.is-best").await;
    screen.letters("a").await;
    screen.count(".tree-move", 1).await;
    screen.press("Review the game").await;
    screen.shows(".graph-panel .hint-text", " found").await;
    screen.keys(&[Key::Left]).await;
    screen.count(".tree-move[aria-current]", 0).await;
    screen.letters("s").await;
    screen.sees(".variation .tree-move[aria-current]").await;
    let position = screen.script("return document.querySelector('.position-text').value").await;
    let as_it_was = async |screen: &Screen| {
        screen.count(".tree-move", 2).await;
        screen.sees(".variation .tree-move[aria-current]").await;
        screen.sees(".graph-box:not([hidden])").await;
        assert_eq!(screen.script("return document.querySelector('.position-text').value").await, position);
    };
    screen.browser.refresh().await.unwrap();
    as_it_was(screen).await;
    screen.fill("[data-key=language]", "de").await;
    screen.shows("h1", "Analyse").await;
    as_it_was(screen).await;
    screen.click("nav a[href='/lab']").await;
    screen.sees(".lab").await;
    screen.browser.back().await.unwrap();
    as_it_was(screen).await;
    // A link to something else shows that, and a new game is a new one.
    screen.go("/analyse?game=2048&position=4+4+4+8/0+0+0+0/0+0+0+0/0+0+0+2").await;
    screen.until("document.querySelector('.position-text').value.startsWith('4 4 4 8')").await;
    screen.press("Neues Spiel").await;
    screen.until("document.querySelector('.position-text').value.startsWith('4 4 4 8') === false").await;
    screen.count(".tree-move", 0).await;
}

async fn a_link_of_a_game_shows_the_same_game(screen: &mut Screen) {
    // The tiles of this game are those from its ninth move on.
    open(screen, "/2048?position=0+0+0+2/0+0+0+0/0+0+0+0/0+0+0+2&seed=5&ply=8").await;
    for (i, key) in [Key::Left, Key::Up, Key::Right, Key::Down].into_iter().enumerate() {
        screen.keys(&[key]).await;
        moves(screen, i as u64 + 9).await;
    }
    screen.press("Analyse").await;
    screen.count(".tree-move", 4).await;
    screen.keys(&[Key::End]).await;
    screen.count(".tree-move:last-child[aria-current]", 1).await;
    let position = screen.script("return document.querySelector('.position-text').value").await;
    screen.press("Copy link").await;
    let link = screen.until("location.search.includes('moves=') && location.pathname + location.search").await;
    screen.script("sessionStorage.clear()").await;
    screen.go("/nowhere").await;
    screen.script("sessionStorage.clear()").await;
    screen.go(link.as_str().unwrap()).await;
    screen.count(".tree-move", 4).await;
    screen.settles("document.querySelector('.position-text').value", &position, "the end of the game").await;
}

async fn a_game_of_thousands_of_moves_is_asked_for_in_parts(screen: &mut Screen) {
    // A server that knows one position, and takes as many moves as this one.
    const ASKED: &str = "
        const position = '2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0';
        window.__asked = [];
        window.fetch = async (path, init) => {
            const { moves, ply } = JSON.parse(init.body);
            window.__asked.push([ply, moves.length]);
            const plies = moves.map((move) => ({ move, afterstate: position, reward: 0, position }));
            return new Response(JSON.stringify({ position, side: 'first', outcome: null, moves: [], plies }));
        };
        import('/js/analysis/tree.js').then(async ({ GameTree }) => {
            const tree = await GameTree.of('2048', position, Array(9000).fill('left'), 1, 7);
            window.__ends = [tree.mainLine().length, tree.mainLine().at(-1).ply, tree.root.facts];
        });";
    screen.go("/nowhere").await;
    screen.script(ASKED).await;
    screen.settles("window.__asked", &json!([[7, 4000], [4007, 4000], [8007, 1000]]), "the questions").await;
    screen.settles("window.__ends", &json!([9001, 9000, null]), "the tree").await;
    let all = vec!["left"; 4001];
    let position = "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0";
    let refused = screen.server.post("/api/2048/play", &json!({ "position": position, "moves": all })).await;
    assert_eq!(refused.status, 400, "the server takes no more than that");
}

async fn agents_come_and_go_and_keep_their_numbers(screen: &mut Screen) {
    screen.go("/analyse?game=2048&position=2+2+4+8/0+0+0+0/0+0+0+0/0+0+0+2").await;
    for count in 2..=3 {
        screen.press("Another agent").await;
        screen.count(".engine .agent-picker", count).await;
    }
    screen.click(".engine-1 [aria-label=Remove]").await;
    screen.count(".engine", 2).await;
    screen.press("Another agent").await;
    let numbers = "[...document.querySelectorAll('.engine')].map((e) => e.getAttribute('aria-label'))";
    screen.settles(numbers, &json!(["Agent 1", "Agent 2", "Agent 3"]), "the agents").await;
    // What is no spec is not made one.
    screen.choose_agent(".engine-0 .agent-picker", "expectimax(depth=4").await;
    screen.shows(".engine-0 .hint-text", "spec, column").await;
}
