//! Bad input of every kind: refused with a short error, and nobody else notices.

mod common;

use std::time::Duration;

use afterstate_server::{Access, Capacity, Settings, Token};
use common::{ENDLESS, START, TestServer};
use futures_util::SinkExt;
use proptest::prelude::*;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

/// The server still answers.
async fn assert_alive(server: &TestServer) {
    assert_eq!(server.get("/api/status").await.status, 200);
    assert_eq!(server.get("/").await.status, 200);
}

#[tokio::test]
async fn bad_requests_get_one_short_sentence() {
    let server = TestServer::start().await;
    let position = "position=0+2+2+0/0+0+0+0/4+0+0+0/0+0+0+0";
    let agent = |spec: &str| format!("/api/2048/analyse?{position}&agent={spec}");
    let wrong = [
        "/api/2048/moves".to_owned(),
        "/api/2048/moves?position=".to_owned(),
        "/api/2048/moves?position=wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb+b+0+0".to_owned(),
        "/api/abalone/moves?position=0+2+2+0/0+0+0+0/4+0+0+0/0+0+0+0".to_owned(),
        format!("/api/2048/moves?{position}&depth=-1"),
        format!("/api/2048/moves?{position}&unknown=1"),
        format!("/api/2048/analyse?{position}&time=1h"),
        format!("/api/2048/moves?position={}", "2+".repeat(4000)),
        agent("nobody"),
        agent("expectimax(depth=1000)"),
        agent("expectimax(depth=99)"),
        agent("expectimax(table=1024G)"),
        agent("expectimax(threads=200)"),
        agent("expectimax(time=10m)"),
        agent("mcts(iterations=18446744073709551615)"),
        agent("mcts(memory=500G)"),
        agent(&"a(b=".repeat(500)),
        "/api/2048/start?layout=standard".to_owned(),
        "/api/abalone/start?layout=nowhere".to_owned(),
        "/api/nothing".to_owned(),
        "/api/2048/".to_owned(),
        "/api/stream".to_owned(),
        "/api/lab/tiles/none".to_owned(),
        "/api/lab/tiles/-1".to_owned(),
        "/api/lab/tiles/0/none".to_owned(),
        "/api/lab/tiles/figures/none".to_owned(),
        "/api/lab/%ff/report".to_owned(),
        "/api/lab/%ff/0".to_owned(),
    ];
    for path in wrong {
        let answer = server.get(&path).await;
        assert_ne!(answer.status, 200, "{path}");
        let error = answer.error();
        assert!((1..=420).contains(&error.chars().count()) && !error.contains('\n'), "{path}: {error}");
    }
    for body in ["", "{", "[]", "null", "{\"position\":1}", "{\"position\":\"\",\"more\":1}", "\u{0}"] {
        server.post_text("/api/2048/play", body).await.error();
    }
    let illegal = json!({ "position": "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "moves": ["left"] });
    assert!(server.post("/api/2048/play", &illegal).await.error().starts_with("move 1:"));
    assert_eq!(server.post("/api/status", &json!({})).await.status, 405);
    assert_alive(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn ten_megabytes_are_refused() {
    let server = TestServer::start().await;
    let long = format!("{{\"position\":\"{}\"}}", "2 ".repeat(5 << 20));
    assert!([400, 413].contains(&server.post_text("/api/2048/play", &long).await.status));
    let head =
        format!("GET /api/2048/moves?position={} HTTP/1.1\r\nHost: {}\r\n\r\n", "2".repeat(1 << 20), server.address);
    assert!([0, 400, 414, 431].contains(&server.raw(head.as_bytes()).await.status));
    let mut client = server.stream().await;
    let _ = client.socket.send(Message::text("x".repeat(10 << 20))).await;
    assert!(client.hear().await.is_none(), "the stream is closed");
    assert_alive(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn ten_thousand_messages_at_once_do_not_hurt_others() {
    let server = TestServer::start().await;
    let mut flood = server.stream().await;
    let question = json!({ "position": START, "agent": ENDLESS });
    for id in 0..10_000 {
        let message = match id % 3 {
            0 => "{".to_owned(),
            1 => json!({ "type": "analyse", "id": id, "game": "2048", "question": question }).to_string(),
            _ => json!({ "type": "stop", "id": id - 1 }).to_string(),
        };
        // The server may have had enough.
        if flood.socket.feed(Message::text(message)).await.is_err() {
            break;
        }
    }
    let _ = flood.socket.flush().await;
    let mut other = server.stream().await;
    other.analyse(1, START, "expectimax(depth=2)").await;
    assert_eq!(other.hear_one(&["done", "error"]).await["type"], "done");
    assert_alive(&server).await;
    drop(flood);
    server.wait_for_load(0, 0).await;
    server.stop().await;
}

/// A match that waits for its turn when it is stopped must not go on waiting, with a thread and two agents.
#[tokio::test]
async fn matches_that_are_begun_and_stopped_leave_nothing_behind() {
    let hour = Duration::from_secs(3600);
    let capacity = Capacity { running: 1, search_time: hour, patience: hour, ..Capacity::default() };
    let server = TestServer::with(Settings { capacity, ..Settings::default() }).await;
    let mut searching = server.stream().await;
    searching.analyse(1, START, ENDLESS).await;
    server.wait_for_load(1, 0).await;
    let searching = tokio::spawn(async move { while searching.hear().await.is_some() {} });
    let begin =
        json!({ "type": "match", "id": 2, "game": "2048", "match": { "agents": ["random", "random"], "games": 1 } });
    let mut client = server.stream().await;
    for _ in 0..20 {
        client.say(&begin).await;
        assert_eq!(client.hear_one(&["board", "error"]).await["type"], "board");
        client.say(&json!({ "type": "stop", "id": 2 })).await;
    }
    server.wait_for_load(1, 0).await;
    client.say(&begin).await;
    client.hear_one(&["board"]).await;
    searching.abort();
    assert_eq!(client.hear_one(&["match_over", "error"]).await["type"], "match_over");
    client.analyse(3, START, "greedy").await;
    assert_eq!(client.hear_one(&["done", "error"]).await["type"], "done");
    server.stop().await;
}

#[tokio::test]
async fn no_path_leaves_the_embedded_files() {
    let server = TestServer::start().await;
    let paths = [
        "/../Cargo.toml",
        "/../../etc/passwd",
        "/%2e%2e/Cargo.toml",
        "/js/../../../Cargo.toml",
        "/js/%2e%2e/%2e%2e/tsconfig.json",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/js/",
        "/index.html/",
        "/js/main.js%00.html",
    ];
    for path in paths {
        let answer = server.get(path).await;
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path}");
    }
    assert_eq!(server.get("/nothing").await.status, 404);
    assert!(
        server.get("/nothing").await.body.contains("<html"),
        "people get the page, which says that nothing is here"
    );
    server.stop().await;
}

#[tokio::test]
async fn other_sites_and_other_names_are_refused() {
    let server = TestServer::start().await;
    let request = |path: &str, lines: &str| format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{lines}\r\n");
    let host = format!("Host: {}\r\n", server.address);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for path in ["/", "/api/status", "/api/stream"] {
        for lines in [
            format!("{host}Origin: http://evil.example\r\n{upgrade}"),
            format!("Host: evil.example\r\n{upgrade}"),
            format!("{host}Origin: null\r\n{upgrade}"),
        ] {
            let answer = server.raw(request(path, &lines).as_bytes()).await;
            assert_eq!(answer.status, 403, "{path} with {lines}");
        }
    }
    let own = format!("{host}Origin: http://{}\r\n", server.address);
    assert_eq!(server.raw(request("/api/status", &own).as_bytes()).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn every_answer_forbids_inline_scripts_and_foreign_content() {
    let server = TestServer::start().await;
    for path in ["/", "/js/main.js", "/api/status", "/api/nothing", "/nothing"] {
        let head = server.get(path).await.head;
        let policy = head.lines().find(|line| line.starts_with("content-security-policy:")).unwrap_or_default();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn whoever_has_no_token_stays_outside() {
    let token = Token::random().expect("as the test needs it");
    let settings = Settings { access: Access::WithToken(token.clone()), ..Settings::default() };
    let server = TestServer::with(settings).await;
    for path in ["/", "/api/status", "/js/main.js", "/?token=wrong", "/api/stream"] {
        assert_eq!(server.get(path).await.status, 403, "{path}");
    }
    let entered = server.get(&format!("/2048?token={}", token.as_str())).await;
    assert_eq!(entered.status, 303);
    assert!(
        entered.head.contains("location: /2048\r\n") && entered.head.contains("httponly; samesite=strict"),
        "{entered:?}"
    );
    let elsewhere = server.get(&format!("//evil.example?token={}", token.as_str())).await;
    assert!(!elsewhere.head.contains("location: //"), "{elsewhere:?}");
    let request = format!(
        "GET /api/status HTTP/1.1\r\nHost: a.example\r\nCookie: afterstate={}\r\nConnection: close\r\n\r\n",
        token.as_str()
    );
    assert_eq!(server.raw(request.as_bytes()).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn unfinished_requests_hold_nobody_up() {
    let server = TestServer::start().await;
    let mut slow = Vec::new();
    for _ in 0..50 {
        let mut socket = TcpStream::connect(server.address).await.expect("as the test needs it");
        socket.write_all(b"GET / HTTP/1.1\r\nHost: loc").await.expect("as the test needs it");
        slow.push(socket);
    }
    assert_alive(&server).await;
    server.stop().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever a stream is told, it answers in JSON or closes, and the server lives.
    #[test]
    fn no_message_hurts_the_stream(messages in proptest::collection::vec(any_message(), 1..30)) {
        let runtime = tokio::runtime::Runtime::new().expect("as the test needs it");
        runtime.block_on(async {
            let server = TestServer::start().await;
            let mut client = server.stream().await;
            for message in messages {
                client.socket.send(Message::text(message)).await.expect("as the test needs it");
            }
            client.say(&json!({ "type": "analyse", "id": 4_000_000, "game": "chess", "question": { "position": "" } })).await;
            while client.hear_one(&["error"]).await["id"] != 4_000_000 {}
            server.stop().await;
        });
    }

    /// Whatever is asked, the answer is no fault of the server's.
    #[test]
    fn no_question_is_an_internal_error(questions in proptest::collection::vec(any_question(), 1..20)) {
        let runtime = tokio::runtime::Runtime::new().expect("as the test needs it");
        runtime.block_on(async {
            let server = TestServer::start().await;
            for (path, body) in questions {
                let answer = match body {
                    Some(body) => server.post_text(&path, &body).await,
                    None => server.get(&path).await,
                };
                assert!((200..500).contains(&answer.status), "{path}: {answer:?}");
                // What is no HTTP is refused before anything is asked, without a word.
                if answer.status != 200 && !answer.body.is_empty() {
                    answer.error();
                }
            }
            server.stop().await;
        });
    }
}

/// Parts of messages, right and wrong.
fn any_value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("\"{START}\"")),
        Just("\"greedy\"".to_owned()),
        Just("\"random\"".to_owned()),
        Just("\"2048\"".to_owned()),
        Just("\"abalone\"".to_owned()),
        Just("null".to_owned()),
        Just("[\"left\", \"up\"]".to_owned()),
        Just("[[[[]]]]".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| serde_json::to_string(&number).expect("as the test needs it")),
        "\\PC{0,30}".prop_map(|text| serde_json::to_string(&text).expect("as the test needs it")),
    ]
}

fn any_object(keys: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec((proptest::sample::select(keys), any_value()), 0..6).prop_map(|parts| {
        let parts: Vec<String> = parts.into_iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}}}", parts.join(", "))
    })
}

fn any_message() -> impl Strategy<Value = String> {
    let question = any_object(&["position", "moves", "agent", "seed", "depth", "nodes", "iterations", "time", "role"]);
    let game = prop_oneof![Just("2048"), Just("abalone"), Just("chess")];
    prop_oneof![
        "\\PC{0,80}",
        any_object(&["type", "id", "game", "question", "match"]),
        (0..5u32, game.clone(), question).prop_map(|(id, game, question)| format!(
            "{{\"type\": \"analyse\", \"id\": {id}, \"game\": \"{game}\", \"question\": {question}}}"
        )),
        (0..5u32, game, any_object(&["agents", "games", "seed", "layouts", "max_plies"])).prop_map(
            |(id, game, asked)| format!(
                "{{\"type\": \"match\", \"id\": {id}, \"game\": \"{game}\", \"match\": {asked}}}"
            )
        ),
        (0..5u32).prop_map(|id| format!("{{\"type\": \"stop\", \"id\": {id}}}")),
    ]
}

fn any_question() -> impl Strategy<Value = (String, Option<String>)> {
    let game = proptest::sample::select(vec!["2048", "abalone"]);
    let query = proptest::collection::vec(
        (
            proptest::sample::select(vec!["position", "agent", "seed", "depth", "time", "moves", "layout", "nodes"]),
            prop_oneof![
                Just("0+2+2+0/0+0+0+0/4+0+0+0/0+0+0+0".to_owned()),
                Just("greedy".to_owned()),
                "[!-~&&[^#]]{0,20}",
                "[0-9]{1,20}",
            ],
        ),
        0..5,
    );
    let get = (game.clone(), proptest::sample::select(vec!["moves", "analyse", "start", "catalogue"]), query).prop_map(
        |(game, what, query)| {
            let query: Vec<String> = query.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
            // Advisers think for a second; what is tested here is reading.
            (format!("/api/{game}/{what}?{}&depth=1", query.join("&")), None)
        },
    );
    let play = (game, any_object(&["position", "moves", "seed", "ply"]))
        .prop_map(|(game, body)| (format!("/api/{game}/play"), Some(body)));
    let files = (
        proptest::sample::select(vec!["/api/abalone/import", "/api/abalone/export"]),
        any_object(&["text", "start", "moves", "outcome", "tags"]),
    )
        .prop_map(|(path, body)| (path.to_owned(), Some(body)));
    let lab = ("[a-z0-9.%-]{0,12}", "report|figures/[0-9]{1,25}|[0-9-]{1,25}(/[0-9-]{1,25})?")
        .prop_map(|(name, what)| (format!("/api/lab/{name}/{what}"), None));
    prop_oneof![get, play, files, lab]
}
