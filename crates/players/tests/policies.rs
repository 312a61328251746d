//! Network files as players: what fits is played as it says, what does not fit is refused with what would be right.

use std::path::PathBuf;

use afterstate_game::{Dice, Player, Position};
use afterstate_learn::neural::{Design, Encoding, Network, Origin, StoredNetwork};
use afterstate_players::build;
use afterstate_twenty48::{Board, State};

/// A file that is removed when the test is over.
struct NetworkFile(PathBuf);

impl NetworkFile {
    fn new(name: &str, design: &Design) -> (Self, Network) {
        let path = std::env::temp_dir().join(format!("afterstate-player-{name}-{}.safetensors", std::process::id()));
        let network = Network::random(design, &mut Dice::seeded(4));
        StoredNetwork { network: network.clone(), scale: 2.0, origin: Origin::default() }.save(&path).expect("written");
        (Self(path), network)
    }

    fn spec(&self, agent: &str) -> String {
        agent.replace("FILE", &self.0.display().to_string())
    }
}

impl Drop for NetworkFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn values(player: &mut dyn Player<State>, state: State) -> Vec<(<State as Position>::Move, f64)> {
    let decision = player.decide_position(&state).expect("a legal slide");
    assert_eq!(decision.moves[0].mv, decision.best);
    decision.moves.iter().map(|it| (it.mv, it.value.expect("a value for every slide"))).collect()
}

fn boards() -> impl Iterator<Item = State> {
    let mut dice = Dice::seeded(2);
    std::iter::repeat_with(move || State(Board::from_nibbles(dice.bits() & dice.bits())))
        .filter(|state| state.0.can_slide_somewhere())
        .take(20)
}

#[test]
fn a_policy_plays_the_legal_slide_of_the_highest_output() {
    // A file is loaded once per program: every network needs a name of its own.
    for (name, encoding) in [("hot", Encoding::OneHot), ("slides", Encoding::Slides)] {
        let (file, network) = NetworkFile::new(name, &Design::rectified(encoding, &[6], 4).unwrap());
        let mut player = build::<State>(&file.spec("policy(model=FILE)")).unwrap();
        for state in boards() {
            let outputs = network.outputs(&[state.0]);
            let found = values(&mut *player, state);
            assert_eq!(found.len(), state.count_moves());
            assert!(found.is_sorted_by(|a, b| a.1 >= b.1));
            assert!(found.iter().all(|&(slide, value)| (value - f64::from(outputs[slide as usize])).abs() < 1e-4));
        }
    }
}

#[test]
fn points_to_come_are_added_to_the_points_of_a_slide() {
    let (file, network) = NetworkFile::new("points", &Design::rectified(Encoding::OneHot, &[6], 1).unwrap());
    let mut plain = build::<State>(&file.spec("one-ply(eval=neural(model=FILE))")).unwrap();
    let mut points = build::<State>(&file.spec("one-ply(eval=neural(model=FILE, points=on))")).unwrap();
    for state in boards() {
        let judged = values(&mut *plain, state);
        for (slide, value) in values(&mut *points, state) {
            let played = state.play_unchecked(slide);
            let board = 2.0 * network.outputs(&[played.afterstate.0.canonical()])[0];
            assert!((value - f64::from(board) - f64::from(played.reward)).abs() < 1e-3);
            assert!(judged.iter().any(|&(other, value)| other == slide && (value - f64::from(board)).abs() < 1e-3));
        }
    }
}

#[test]
fn values_in_bf16_are_those_of_float32_up_to_rounding() {
    let (file, _) = NetworkFile::new("rounded", &Design::built_in("cnn-small").unwrap());
    let mut exact = build::<State>(&file.spec("one-ply(eval=neural(model=FILE))")).unwrap();
    let mut rounded = build::<State>(&file.spec("one-ply(eval=neural(model=FILE, precision=bf16))")).unwrap();
    let mut different = 0;
    for state in boards() {
        let exact = values(&mut *exact, state);
        for (slide, value) in values(&mut *rounded, state) {
            let difference = exact.iter().find(|&&(other, _)| other == slide).map(|&(_, exact)| (value - exact).abs());
            assert!(difference.is_some_and(|difference| difference < 0.02), "{slide:?}: {difference:?}");
            different += usize::from(difference != Some(0.0));
        }
    }
    assert!(different > 0, "bf16 was not used");
}

#[test]
fn a_precision_that_is_not_there_is_refused() {
    let check = |settings: &str, reason: &str| {
        let spec = format!("one-ply(eval=neural(model=2048-dqn, {settings}))");
        let message = build::<State>(&spec).map(drop).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    };
    check("precision=int8", "float32");
    check("precision=bf16, device=cuda", "`precision=bf16` is for `device=cpu`");
}

#[test]
fn a_network_for_something_else_is_refused() {
    let check = |file: &NetworkFile, agent: &str, reason: &str| {
        let message = build::<State>(&file.spec(agent)).map(drop).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    };
    let (value, _) = NetworkFile::new("value", &Design::built_in("fc").unwrap());
    check(&value, "policy(model=FILE)", "has 1 outputs, and 4 are needed here");
    let (policy, _) = NetworkFile::new("four", &Design::built_in("policy").unwrap());
    check(&policy, "one-ply(eval=neural(model=FILE))", "has 4 outputs, and 1 are needed here");

    let bytes = std::fs::read(&policy.0).unwrap();
    let other = String::from_utf8_lossy(&bytes).find("one-hot").unwrap();
    let mut encoded = bytes.clone();
    encoded[other..other + 7].copy_from_slice(b"one-hut");
    std::fs::write(&policy.0, &encoded).unwrap();
    check(&policy, "policy(model=FILE)", "is damaged: its digest is not that of its notes and weights");
    std::fs::write(&policy.0, &bytes[..bytes.len() - 5]).unwrap();
    check(&policy, "policy(model=FILE)", "is damaged");
    check(&policy, "policy(model=FILE.missing)", "there is no model");
}
