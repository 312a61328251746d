//! What the search does, node for node: a signature that tells a change of behaviour from a change of code.

use std::fmt::Write as _;

use afterstate_game::{Evaluation, Notation as _};
use afterstate_search::expectimax::{Leaves, Reuse, Settings};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::{Dietenberger, Jordal, Maqsood, Tabled, Xiao, ZhawSearch};

use crate::{decide, presets};

const POSITIONS: [(&str, &str); 4] = [
    ("start", "0 0 0 2/0 0 0 0/0 2 0 0/0 0 0 0"),
    ("middle", "2 4 16 64/0 2 8 32/0 0 4 16/0 2 0 8"),
    ("late", "0 2 0 0/0 0 4 0/4 32 32 8/4096 128 64 16"),
    ("crowded", "2 4 8 2/16 32 64 128/8 16 32 1024/4 2 4 0"),
];

fn measure<E: Evaluation<State> + Clone>(report: &mut String, name: &str, settings: &Settings<State>, evaluation: E) {
    for (place, text) in POSITIONS {
        let root = State::parse(text).expect("the positions are well written");
        let decision = decide(settings.clone(), evaluation.clone(), &root);
        let effort = decision.effort;
        let line: Vec<String> = decision.line.iter().map(ToString::to_string).collect();
        writeln!(
            report,
            "{name:<26}{place:<9}{:>2}{:>9}{:>9}{:>9}{:>8}{:>8}{:>14.3}  {}",
            decision.depth,
            effort.nodes,
            effort.evaluations,
            effort.moves_tried,
            effort.table_probes,
            effort.table_hits,
            decision.moves[0].value.unwrap_or(f64::NAN),
            line.join(" "),
        )
        .expect("a string takes everything");
    }
}

#[test]
fn the_search_does_what_it_did() {
    let mut report = format!(
        "{:<26}{:<9}{:>2}{:>9}{:>9}{:>9}{:>8}{:>8}{:>14}  line\n",
        "settings", "position", "", "nodes", "evals", "moves", "probes", "hits", "value"
    );
    let maqsood = Tabled::<Maqsood>::default();
    measure(&mut report, "zhaw/search", &presets::zhaw_search(), Tabled::<ZhawSearch>::default());
    measure(&mut report, "jordal", &presets::jordal(), Tabled::<Jordal>::default());
    for depth in 2..=6 {
        let settings = presets::maqsood(depth, Some(Reuse::Sound));
        measure(&mut report, &format!("maqsood/exp{depth}"), &settings, maqsood.clone());
    }
    measure(&mut report, "maqsood/exp4, no table", &presets::maqsood(4, None), maqsood.clone());
    measure(&mut report, "maqsood/exp4, exact", &presets::maqsood(4, Some(Reuse::Exact)), maqsood.clone());
    measure(&mut report, "maqsood/exp4, shallower", &presets::maqsood(4, Some(Reuse::Shallower)), maqsood.clone());
    let one_by_one = Settings { leaves: Leaves::OneByOne, ..presets::maqsood(4, Some(Reuse::Sound)) };
    measure(&mut report, "maqsood/exp4, one by one", &one_by_one, maqsood);
    measure(&mut report, "dietenberger/exp4", &presets::dietenberger(4), Tabled::<Dietenberger>::default());
    measure(&mut report, "dietenberger/exp6", &presets::dietenberger(6), Tabled::<Dietenberger>::default());
    measure(&mut report, "xiao", &presets::xiao(), Tabled::<Xiao>::default());
    insta::assert_snapshot!(report);
}
