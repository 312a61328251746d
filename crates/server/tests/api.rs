//! What the API promises: the `OpenAPI` document, valued moves, chance by seed, games as files.

mod common;

use afterstate_server::Settings;
use common::{Results, START, TestServer};
use serde_json::{Value, json};

const ABALONE: &str = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A request to every documented path that has an answer in JSON.
fn examples() -> Vec<(&'static str, &'static str, String, Option<Value>)> {
    let (tiles, marbles) = (encoded(START), encoded(ABALONE));
    let game = "[Variant \"standard\"]\n[Result \"*\"]\n[Notation \"Aba-Pro\"]\n\n1. a1b2 i9h8 *\n";
    vec![
        ("get", "/api/openapi.json", "/api/openapi.json".to_owned(), None),
        ("get", "/api/status", "/api/status".to_owned(), None),
        ("get", "/api/{game}/catalogue", "/api/2048/catalogue".to_owned(), None),
        ("get", "/api/{game}/catalogue", "/api/abalone/catalogue".to_owned(), None),
        ("get", "/api/{game}/start", "/api/2048/start?seed=7".to_owned(), None),
        ("get", "/api/{game}/start", "/api/abalone/start?layout=belgian-daisy".to_owned(), None),
        ("get", "/api/{game}/moves", format!("/api/2048/moves?position={tiles}"), None),
        ("get", "/api/{game}/moves", format!("/api/abalone/moves?position={marbles}&moves=a1b2%20i9h8"), None),
        (
            "get",
            "/api/{game}/analyse",
            format!("/api/2048/analyse?position={tiles}&agent=mcts(iterations=50)&seed=1"),
            None,
        ),
        (
            "get",
            "/api/{game}/analyse",
            format!("/api/abalone/analyse?position={marbles}&agent=alphabeta&depth=2"),
            None,
        ),
        (
            "post",
            "/api/{game}/play",
            "/api/2048/play".to_owned(),
            Some(json!({"position": START, "moves": ["left", "up"], "seed": 3})),
        ),
        (
            "post",
            "/api/{game}/play",
            "/api/abalone/play".to_owned(),
            Some(json!({"position": ABALONE, "moves": "a1b2 i9h8"})),
        ),
        ("get", "/api/lab", "/api/lab".to_owned(), None),
        ("get", "/api/lab/{experiment}/report", "/api/lab/tiles/report".to_owned(), None),
        ("get", "/api/lab/{experiment}/report", "/api/lab/marbles/report".to_owned(), None),
        ("get", "/api/lab/{experiment}/{series}", "/api/lab/tiles/1".to_owned(), None),
        ("get", "/api/lab/{experiment}/{series}", "/api/lab/marbles/0".to_owned(), None),
        ("get", "/api/lab/{experiment}/{series}", "/api/lab/costs/0".to_owned(), None),
        ("get", "/api/lab/{experiment}/{series}/{game}", "/api/lab/tiles/0/3".to_owned(), None),
        ("get", "/api/lab/{experiment}/{series}/{game}", "/api/lab/marbles/0/1".to_owned(), None),
        ("post", "/api/abalone/import", "/api/abalone/import".to_owned(), Some(json!({ "text": game }))),
        (
            "post",
            "/api/abalone/export",
            "/api/abalone/export".to_owned(),
            Some(json!({"start": ABALONE, "moves": ["a1b2"], "tags": [["Black", "me"]]})),
        ),
    ]
}

/// Checks a value against a schema of the document, as far as its words go.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/")) {
        let target = document.pointer(&format!("/{name}")).unwrap_or_else(|| panic!("{place}: no {name}"));
        return check(document, target, value, place);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        check(document, part, value, place);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let fits = types.iter().any(|kind| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{place}: unknown type {other}"),
    });
    assert!(fits, "{place}: {value} is not {types:?}");
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{place}: {value} is not one of {allowed:?}");
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(value.get(name).is_some(), "{place}: {name} is missing in {value}");
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(inner) = value.get(name) {
            check(document, property, inner, &format!("{place}.{name}"));
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check(document, &schema["items"], item, &format!("{place}[]"));
    }
}

#[tokio::test]
async fn every_documented_path_answers_as_documented() {
    let results = Results::of_small_experiments();
    let server = TestServer::with(Settings { results: results.folder.clone(), ..Settings::default() }).await;
    let document = server.get("/api/openapi.json").await.json();
    let examples = examples();
    for (method, path, target, body) in &examples {
        let answer = match body {
            Some(body) => server.post(target, body).await,
            None => server.get(target).await,
        };
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        let pointer =
            format!("/paths/{}/{method}/responses/200/content/application~1json/schema", path.replace('/', "~1"));
        let schema = document.pointer(&pointer).unwrap_or_else(|| panic!("{method} {path} is not documented"));
        check(&document, schema, &answer.json(), target);
    }
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys().filter(|key| *key != "parameters") {
            let is_tried = examples.iter().any(|(tried, at, ..)| tried == method && at == path);
            // The stream speaks no plain HTTP, and a figure is no JSON: other tests look at them.
            let is_elsewhere = path == "/api/stream" || path.ends_with("/figures/{figure}");
            assert!(is_tried || is_elsewhere, "{method} {path} is documented and has no example");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_laboratory_shows_reports_figures_and_every_stored_game() {
    let results = Results::of_small_experiments();
    let server = TestServer::with(Settings { results: results.folder.clone(), ..Settings::default() }).await;
    let report = server.get("/api/lab/tiles/report").await.json();
    assert_eq!((&report["title"], &report["complete"]), (&json!("Two players of 2048"), &json!(true)), "{report}");
    assert_eq!((&report["games"], &report["figures"]), (&json!(8), &json!(["Mean score"])), "{report}");
    assert_eq!(report["tables"][0]["rows"].as_array().map(Vec::len), Some(2), "{report}");
    let figure = server.get("/api/lab/tiles/figures/0").await;
    assert!(figure.head.contains("image/svg+xml") && figure.body.contains("Mean score"), "{figure:?}");
    for game in 0..4 {
        let stored = server.get(&format!("/api/lab/tiles/1/{game}")).await.json();
        assert!(stored["plies"].as_array().is_some_and(|plies| plies.len() > 20), "{stored}");
    }
    let experiments = server.get("/api/lab").await.json()["experiments"].clone();
    let costs = experiments.as_array().and_then(|all| all.iter().find(|one| one["name"] == "costs")).unwrap();
    let series = costs["series"].as_array().unwrap();
    assert!(series.iter().all(|one| one["kind"] == "decision" && one["games"] == 1), "{costs}");
    let cost = server.get("/api/lab/costs/0").await.json();
    assert_eq!((&cost["kind"], &cost["summary"]["depth"]), (&json!("decision"), &json!(2.0)), "{cost}");
    assert!(cost["results"][0]["nodes"].as_u64() > Some(40), "{cost}");
    for (path, error) in [
        ("/api/lab/tiles/figures/1", "no such figure"),
        ("/api/lab/nothing/report", "no such experiment"),
        ("/api/lab/tiles/7", "no such series"),
        ("/api/lab/tiles/0/4", "no such game"),
        ("/api/lab/costs/0/0", "single decisions"),
        ("/api/lab/..%2Ftiles/report", "no such experiment"),
    ] {
        let refused = server.get(path).await.error();
        assert!(refused.contains(error), "{path}: {refused}");
    }
    server.stop().await;
}

#[tokio::test]
async fn moves_are_valued_and_the_best_comes_first() {
    let server = TestServer::start().await;
    let answer = server.get(&format!("/api/2048/moves?position={}", encoded(START))).await.json();
    let values: Vec<f64> = answer["moves"].as_array().unwrap().iter().map(|mv| mv["value"].as_f64().unwrap()).collect();
    assert_eq!(values.len(), 4);
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let over =
        server.get(&format!("/api/2048/moves?position={}", encoded("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2"))).await.json();
    assert_eq!((&over["outcome"], over["moves"].as_array().unwrap().len()), (&json!("over"), 0));
    server.stop().await;
}

#[tokio::test]
async fn chance_follows_from_the_seed_and_the_number_of_the_move() {
    let server = TestServer::start().await;
    let play = async |body: Value| server.post("/api/2048/play", &body).await.json();
    let moves = ["left", "up", "left", "up", "right"];
    let start = server.get("/api/2048/start?seed=11").await.json()["position"].clone();
    let whole = play(json!({ "position": start, "moves": moves, "seed": 11 })).await;
    let mut position = start;
    for (ply, mv) in moves.iter().enumerate() {
        position =
            play(json!({ "position": position, "moves": [mv], "seed": 11, "ply": ply })).await["position"].clone();
    }
    assert_eq!(whole["position"], position);
    assert_eq!(whole["plies"].as_array().unwrap().len(), 5);
    let other = play(json!({ "position": whole["plies"][0]["position"], "moves": ["up"], "seed": 12, "ply": 1 })).await;
    assert_ne!(other["position"], whole["plies"][1]["position"], "another seed brings other tiles");
    server.stop().await;
}

/// The page's game with a seed is the laboratory's first game with that seed.
#[tokio::test]
async fn a_seed_means_the_same_to_the_page_and_to_the_laboratory() {
    use afterstate_game::{Limits, Stop};
    use afterstate_lab::{Series, SoloRun};
    let server = TestServer::start().await;
    let run = SoloRun::<afterstate_twenty48::State>::new("greedy", 5, Limits::NONE);
    let record = run.play_game(&mut run.build().unwrap(), 0, &Stop::new()).unwrap().record;
    let game: afterstate_twenty48::Record =
        afterstate_twenty48::Records::new(record.as_bytes()).next().unwrap().unwrap();
    let moves: Vec<&str> = game.plies().iter().map(|ply| ply.mv.name()).collect();
    let start = server.get("/api/2048/start?seed=5").await.json()["position"].clone();
    assert_eq!(start, game.start().0.to_string());
    let played = server.post("/api/2048/play", &json!({ "position": start, "moves": moves, "seed": 5 })).await.json();
    assert_eq!(played["position"], game.end().0.to_string());
    assert_eq!(played["outcome"], "over");
    server.stop().await;
}

#[tokio::test]
async fn every_adviser_and_level_of_the_page_answers() {
    let server = TestServer::start().await;
    for (game, position) in [("2048", START), ("abalone", ABALONE)] {
        let catalogue = server.get(&format!("/api/{game}/catalogue")).await.json();
        let levels = catalogue["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 5);
        for spec in levels.iter().map(|level| &level["spec"]).chain([&catalogue["adviser"]]) {
            let agent = encoded(spec.as_str().unwrap());
            let path =
                format!("/api/{game}/analyse?position={}&agent={agent}&depth=1&iterations=10", encoded(position));
            let answer = server.get(&path).await;
            assert_eq!(answer.status, 200, "{spec}: {}", answer.body);
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_game_survives_a_file() {
    let server = TestServer::start().await;
    let game = json!({ "start": ABALONE, "moves": ["a1b2", "i9h8", "a3b3"], "outcome": "second", "tags": [["Black", "A \"B\""]] });
    let text = server.post("/api/abalone/export", &game).await.json()["text"].clone();
    let read = server.post("/api/abalone/import", &json!({ "text": text })).await.json();
    let game_read = &read["games"][0];
    assert_eq!(
        (&game_read["start"], &game_read["moves"], &game_read["outcome"]),
        (&game["start"], &game["moves"], &game["outcome"])
    );
    assert!(game_read["tags"].as_array().unwrap().contains(&json!(["Black", "A \"B\""])), "{read}");
    let error =
        server.post("/api/abalone/import", &json!({ "text": "[Variant \"standard\"]\n\n1. a1b2" })).await.error();
    assert!(error.contains("game 1"), "{error}");
    server.stop().await;
}

#[tokio::test]
async fn repetition_ends_a_game_of_abalone() {
    let server = TestServer::start().await;
    // The start counts as the first occurrence, and every four half-moves bring it back.
    let to_and_fro = "c3d3 g7f7 d3c3 f7g7 ".repeat(2);
    let drawn = server.post("/api/abalone/play", &json!({ "position": ABALONE, "moves": to_and_fro })).await.json();
    assert_eq!(drawn["outcome"], "drawn", "{drawn}");
    assert!(drawn["moves"].as_array().unwrap().is_empty());
    server.stop().await;
}

#[tokio::test]
async fn refusals_say_what_would_be_right_and_name_no_types() {
    let server = TestServer::start().await;
    for (path, words) in [
        ("/api/2048/start?seed=-1", "seed: expected a whole number"),
        ("/api/2048/start?seed=", "seed: expected a whole number"),
        ("/api/2048/start?seed=99999999999999999999", "seed: the number is too large"),
        ("/api/lab/tiles/0/0.5", "the address has \"0.5\" where a whole number belongs"),
    ] {
        assert_eq!(server.get(path).await.error(), words, "{path}");
    }
    let long = " ".repeat(4 << 20);
    let start = json!(START);
    for (body, words) in [
        ("null", "invalid type: null, expected an object with a position at line 1 column 4".to_owned()),
        ("{", "the body is no JSON: EOF while parsing an object at line 1 column 1".to_owned()),
        (&*long, "the body is longer than this address takes".to_owned()),
        (
            &*format!("{{\"position\":{start},\"moves\":3}}"),
            "moves: expected a list of words, or words between spaces".to_owned(),
        ),
        (
            &*format!("{{\"position\":{start},\"seed\":-1}}"),
            "seed: invalid value: integer `-1`, expected a whole number".to_owned(),
        ),
    ] {
        let error = server.post_text("/api/2048/play", body).await.error();
        assert!(error.starts_with(&words), "{error}");
    }
    let request = format!(
        "POST /api/2048/play HTTP/1.1\r\nHost: {}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}",
        server.address
    );
    let error = server.raw(request.as_bytes()).await.error();
    assert_eq!(error, "expected the header `Content-Type: application/json`");
    server.stop().await;
}
