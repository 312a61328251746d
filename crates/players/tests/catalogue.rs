//! Every name in the catalogues works, and every wrong one says what would be right.

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{Dice, History, Limits};
use afterstate_players::{Key, Playable, Spec, Values, build, canonical, resolve};
use afterstate_twenty48::State;

fn decides<P: Playable>(spec: &str, position: &P) {
    let mut player = build::<P>(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    player.start_game(1);
    let history = History::new(position.clone());
    // Enough for a first look, and little enough that the strongest preset is quick.
    let limits = Limits { depth: Some(2), iterations: Some(10), nodes: Some(2000), time: None };
    let decision = player.decide_within(&history, limits).unwrap_or_else(|error| panic!("{spec}: {error}"));
    assert!(position.is_legal(decision.best), "{spec}");
    assert_eq!(decision.moves.len(), position.count_moves(), "{spec} reports every legal move");
    assert_eq!(decision.moves[0].mv, decision.best, "{spec} reports the best move first");
}

fn every_name_decides<P: Playable>(position: &P) {
    let catalogue = P::catalogue();
    for agent in catalogue.agents {
        decides(agent.name, position);
        // All defaults written out mean the same as none.
        let spelled: Vec<String> = agent.keys.iter().map(|key| format!("{}={}", key.name, key.default)).collect();
        decides(&format!("{}({})", agent.name, spelled.join(", ")), position);
        if agent.keys.iter().any(|key| key.name == "eval") {
            for evaluation in catalogue.evaluations {
                let spelled: Vec<String> =
                    evaluation.keys.iter().map(|key| format!("{}={}", key.name, key.default)).collect();
                decides(&format!("{}(eval={}({}))", agent.name, evaluation.name, spelled.join(", ")), position);
            }
        }
    }
    for preset in catalogue.presets {
        decides(preset.name, position);
        // A preset is an agent with settings, never another preset.
        let resolved = resolve::<P>(&Spec::word(preset.name)).expect("a preset resolves");
        assert!(catalogue.agents.iter().any(|agent| agent.name == resolved.name), "{}", preset.name);
    }
}

#[test]
fn every_agent_evaluation_and_preset_of_2048_decides() {
    every_name_decides(&State::start(&mut Dice::seeded(1)));
}

#[test]
fn every_agent_evaluation_and_preset_of_abalone_decides() {
    every_name_decides(&Layout::BelgianDaisy.position());
}

#[test]
fn a_bare_mcts_of_2048_sees_points() {
    let start = State::start(&mut Dice::seeded(1));
    let mut player = build::<State>("mcts(iterations=50)").unwrap();
    let decision = player.decide_position(&start).unwrap();
    assert!(decision.moves.iter().all(|it| it.value > Some(0.0)), "{:?}", decision.moves);
}

#[test]
fn arguments_go_over_a_preset() {
    let spec = Spec::parse("maqsood/exp6(table=off, depth=2)").unwrap();
    let resolved = resolve::<State>(&spec).unwrap();
    assert_eq!(resolved.argument("table"), Some(&Spec::word("off")));
    assert_eq!(resolved.argument("depth"), Some(&Spec::word("2")));
    assert_eq!(resolved.argument("eval"), Some(&Spec::word("maqsood")));
}

#[test]
fn a_wrong_spec_says_what_would_be_right() {
    let check = |spec: &str, part: &str| {
        let message = canonical::<State>(spec).unwrap_err().to_string();
        assert!(message.contains(part), "{spec}: {message}");
        assert_eq!(message.lines().count(), 1, "{spec}: {message}");
    };
    check("expectimx", "did you mean `expectimax`?");
    check("maqsood/exp9", "did you mean `maqsood/exp");
    check("expectimax(dept=3)", "did you mean `depth`?");
    check("expectimax(depth=0)", "a whole number from 1 to 100");
    check("expectimax(depth=1000)", "a whole number from 1 to 100");
    check("expectimax(depth=-1)", "a whole number from 1 to 100");
    check("expectimax(eval=hauff)", "unknown evaluation `hauff`");
    check("expectimax(eval=xiao(emty=1))", "did you mean `empty`?");
    check("expectimax(table=10000G)", "at most 1024G");
    check("expectimax(table=1024G)", "does not fit");
    check("expectimax(time=1y)", "a time such as");
    check("mcts(iterations=0)", "a whole number from 1");
    check("mcts(selection=uct(c=-1))", "a number from 0");
    check("mcts(selection=uct(c=nan))", "a number from 0");
    check("mcts(selection=usb)", "one of uct");
    check("mcts(order=evaluation, expansion=reduced(best=0.8, random=0.8))", "share");
    check("random(seed=1)", "it has no keys");
    let message = canonical::<Abalone>("hauff/alphabet").unwrap_err().to_string();
    assert!(message.contains("did you mean `hauff/alphabeta`?"), "{message}");
}

#[test]
fn the_canonical_text_is_stable() {
    let text = canonical::<State>(" maqsood/exp4 ( table = off ) ").unwrap();
    assert_eq!(text, "maqsood/exp4(table=off)");
    assert_eq!(canonical::<State>(&text).unwrap(), text);
}

#[test]
fn no_weight_that_is_allowed_takes_a_board_out_of_the_numbers() {
    let tiles = |numbers: [u32; 2]| {
        let rows = (0..4).map(|row| [numbers[row % 2], numbers[(row + 1) % 2], 0, numbers[row % 2]]);
        let rows: Vec<String> = rows.map(|row| row.map(|number| number.to_string()).join(" ")).collect();
        State(rows.join("/").parse().expect("a board"))
    };
    for evaluation in State::catalogue().evaluations {
        for highest in [true, false] {
            let extreme = |key: &Key| match key.values {
                Values::Number(min, max) => Some(format!("{}={}", key.name, if highest { max } else { min })),
                _ => None,
            };
            let keys: Vec<String> = evaluation.keys.iter().filter_map(extreme).collect();
            let spec = format!("one-ply(eval={}({}))", evaluation.name, keys.join(", "));
            for position in [tiles([2, 4]), tiles([32768, 2]), tiles([65536, 131072])] {
                let mut player = build::<State>(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
                let decision = player.decide_position(&position).unwrap_or_else(|error| panic!("{spec}: {error}"));
                assert!(decision.moves.iter().all(|it| it.value.is_some_and(f64::is_finite)), "{spec}: {decision:?}");
            }
        }
    }
}
