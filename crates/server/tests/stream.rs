//! Streams: decisions that deepen, searches that end with whoever asked, fair turns, matches.

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use afterstate_server::{Capacity, Settings};
use common::{ENDLESS, START, TestServer};
use serde_json::json;
use tokio_tungstenite::MaybeTlsStream;

fn small(running: usize) -> Settings {
    let capacity = Capacity { running, patience: Duration::from_millis(500), ..Capacity::default() };
    Settings { capacity, ..Settings::default() }
}

#[tokio::test]
async fn decisions_deepen_and_end() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    let question = json!({ "position": START, "agent": "expectimax(depth=4, deepening=always)" });
    client.say(&json!({ "type": "analyse", "id": 7, "game": "2048", "question": question })).await;
    let done = client.hear_one(&["done"]).await;
    assert_eq!((&done["id"], &done["cut"], &done["decision"]["depth"]), (&json!(7), &json!(false), &json!(4)));
    assert_eq!(done["decision"]["moves"].as_array().unwrap().len(), 4);
    server.stop().await;
}

#[tokio::test]
async fn an_agent_that_is_not_there_yet_is_said_to_load() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    for is_new in [true, false] {
        client.analyse(1, START, "greedy").await;
        let reply = client.hear_one(&["loading", "decision", "done"]).await;
        assert_eq!(reply["type"] == "loading", is_new, "{reply}");
        if is_new {
            client.hear_one(&["done"]).await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_refused_by_its_name() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    let agents = ["random", "random"];
    for (name, games) in [(json!(3), json!(1.5)), (json!(4), json!(-1)), (json!("five"), json!(1))] {
        let asked = json!({ "agents": agents, "games": games, "seed": 1 });
        client.say(&json!({ "type": "match", "id": name, "game": "2048", "match": asked })).await;
        let refused = client.hear_one(&["error"]).await;
        assert_eq!(refused["id"], if name.is_u64() { name } else { json!(null) });
        assert!(refused["error"].as_str().unwrap().starts_with("not a message of this stream: "), "{refused}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_endless_search_shows_what_it_has_and_stops_when_told() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    let question = json!({ "position": START, "agent": "expectimax(depth=60)", "time": "50s" });
    client.say(&json!({ "type": "analyse", "id": 1, "game": "2048", "question": question })).await;
    let first = client.hear_one(&["decision"]).await["decision"]["depth"].as_u64().unwrap();
    let later = client.hear_one(&["decision"]).await["decision"]["depth"].as_u64().unwrap();
    assert!(later >= first);
    client.say(&json!({ "type": "stop", "id": 1 })).await;
    server.wait_for_load(0, 0).await;
    server.stop().await;
}

#[tokio::test]
async fn a_new_request_of_the_same_name_replaces_the_old_one() {
    let server = TestServer::with(small(1)).await;
    let mut client = server.stream().await;
    client.analyse(1, START, ENDLESS).await;
    server.wait_for_load(1, 0).await;
    client.analyse(1, START, "greedy").await;
    let done = client.hear_one(&["done"]).await;
    assert_eq!(done["decision"]["depth"], 1);
    server.stop().await;
}

#[tokio::test]
async fn whoever_leaves_takes_his_searches_with_him() {
    let server = TestServer::with(small(2)).await;
    let mut client = server.stream().await;
    for id in 0..4 {
        client.analyse(id, START, ENDLESS).await;
    }
    server.wait_for_load(2, 2).await;
    drop(client);
    server.wait_for_load(0, 0).await;
    server.stop().await;
}

#[tokio::test]
async fn whoever_falls_silent_loses_his_searches_and_keeps_his_stream() {
    let server = TestServer::with(small(2)).await;
    let mut client = server.stream().await;
    client.analyse(1, START, ENDLESS).await;
    server.wait_for_load(1, 0).await;
    // Nothing is read, so no ping is answered.
    server.wait_for_load(0, 0).await;
    assert_eq!(client.hear_one(&["abandoned"]).await["id"], 1);
    client.analyse(2, START, "greedy").await;
    assert_eq!(client.hear_one(&["done"]).await["id"], 2);
    server.stop().await;
}

#[tokio::test]
async fn everybody_gets_a_turn_while_some_would_search_forever() {
    // The last one waits for nobody, so that only the longest search ends it.
    let mut settings = small(1);
    settings.capacity.search_time = Duration::from_secs(3);
    let server = TestServer::with(settings).await;
    let mut clients = Vec::new();
    for _ in 0..6 {
        let mut client = server.stream().await;
        client.analyse(1, START, ENDLESS).await;
        clients.push(client);
    }
    // All of them at once, so that none falls silent; each search is cut for the sake of the next.
    let all = clients.into_iter().map(|mut client| {
        tokio::spawn(async move {
            let done = client.hear_one(&["done", "error"]).await;
            (done["type"] == "done", client)
        })
    });
    let mut served = 0;
    for client in all.collect::<Vec<_>>() {
        let (is_done, _client) = client.await.unwrap();
        served += u32::from(is_done);
    }
    assert_eq!(served, 6);
    server.stop().await;
}

#[tokio::test]
async fn one_connection_has_so_many_requests_and_no_more() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    for id in 0..9 {
        client.analyse(id, START, ENDLESS).await;
    }
    let refused = client.hear_one(&["error"]).await;
    assert_eq!(refused["id"], 8);
    assert!(refused["error"].as_str().unwrap().contains("already has 8"), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn a_stopping_server_says_goodbye() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    client.analyse(1, START, ENDLESS).await;
    server.wait_for_load(1, 0).await;
    let listening = tokio::spawn(async move { client.hear_one(&["goodbye"]).await });
    server.stop().await;
    assert_eq!(listening.await.unwrap()["type"], "goodbye");
}

#[tokio::test]
async fn a_match_tells_of_every_game_and_what_they_say() {
    let server = TestServer::start().await;
    let mut client = server.stream().await;
    let asked = json!({ "agents": ["greedy", "random"], "games": 4, "seed": 9 });
    client.say(&json!({ "type": "match", "id": 3, "game": "2048", "match": asked })).await;
    for number in 0..4 {
        let game = client.hear_one(&["game", "error"]).await;
        assert_eq!((&game["type"], &game["number"]), (&json!("game"), &json!(number)), "{game}");
        assert_eq!(game["summary"]["each"][0]["games"], number + 1);
    }
    assert_eq!(client.hear_one(&["match_over"]).await["id"], 3);
    let asked = json!({ "agents": ["one-ply", "random"], "games": 2, "layouts": ["belgian daisy"], "max_plies": 60 });
    client.say(&json!({ "type": "match", "id": 4, "game": "abalone", "match": asked })).await;
    let game = client.hear_one(&["game", "error"]).await;
    assert_eq!((&game["type"], &game["figures"]["opening"]), (&json!("game"), &json!("belgian daisy")), "{game}");
    client.hear_one(&["match_over"]).await;
    for wrong in [
        json!({ "agents": ["greedy", "nobody"], "games": 1 }),
        json!({ "agents": ["greedy", "xiao(table=2G)"], "games": 1 }),
        json!({ "agents": ["greedy", "greedy"], "games": 100_000 }),
    ] {
        client.say(&json!({ "type": "match", "id": 5, "game": "2048", "match": wrong })).await;
        assert_eq!(client.hear_one(&["game", "error"]).await["type"], "error");
    }
    server.stop().await;
}

#[tokio::test]
async fn whoever_breaks_off_while_he_is_written_to_leaves_no_panic_behind() {
    static PANICS: AtomicU32 = AtomicU32::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.to_string().contains("polled after completion") {
            PANICS.fetch_add(1, Ordering::Relaxed);
        }
        usual(panic);
    }));
    let server = TestServer::with(small(2)).await;
    for _ in 0..20 {
        let mut client = server.stream().await;
        client.analyse(1, START, ENDLESS).await;
        client.hear_one(&["started", "decision"]).await;
        // A reset in place of a farewell: the server's writer fails before its reader.
        if let MaybeTlsStream::Plain(socket) = client.socket.get_ref() {
            socket.set_zero_linger().expect("a socket");
        }
        drop(client);
    }
    server.wait_for_load(0, 0).await;
    server.stop().await;
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}
