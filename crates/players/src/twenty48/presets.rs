//! Named settings of the agents of 2048: the players of the seed documents, and the best of today.
//! Further arguments go over those of a preset: `maqsood/exp6(table=off)`.

use crate::Preset;

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "2048/fast",
        spec: "one-ply(eval=ntuple)",
        summary: "the shipped network without search: some hundred thousand moves a second",
    },
    Preset {
        name: "2048/strong",
        spec: "expectimax(depth=2, unit=moves-ahead, eval=ntuple, table=4M, tables=all)",
        summary: "the shipped network behind two moves of look-ahead, and endgame tables if there are any: the strongest \
                  player here",
    },
    Preset {
        name: "zhaw/heuristic",
        spec: "expectimax(depth=1, eval=zhaw-matrix)",
        summary: "zhaw's heuristic AI: the weight matrix on the board after each move, no look-ahead",
    },
    Preset {
        name: "zhaw/search",
        spec: "expectimax(depth=3, eval=zhaw, dead-rule=floor, horizon=evaluates)",
        summary: "zhaw's search AI: expectimax of three half-moves on matrix minus penalty",
    },
    Preset {
        name: "zhaw/tuned",
        spec: "expectimax(depth=3, eval=zhaw(penalty=0.8663, b1=3.745, c1=2.338, d1=0.07676, a2=4.168, b2=3.062, \
               c2=-0.3003, d2=-0.8449, a3=4.666, b3=3.474, c3=0.6874, d3=-1.958, a4=2.072, b4=3.418, c4=0.4469, \
               d4=-3.649), dead-rule=floor, horizon=evaluates)",
        summary: "zhaw's search AI with evolved weights (trainings/weights/zhaw.toml)",
    },
    Preset {
        name: "jordal",
        spec: "expectimax(depth=3, unit=levels, eval=jordal, chance=likeliest, samples=4, horizon=evaluates)",
        summary: "jordal's expectimax: three levels, four random cells, twos only",
    },
    Preset {
        name: "jordal/tuned",
        spec: "expectimax(depth=3, unit=levels, eval=jordal(gradient2=2.775, gradient3=1.883, gradient4=-1.083, \
               gradient-power=1.08, empty=0.006612, smoothness=2.086, smoothness-cap=282.2, monotonicity=0.518, \
               max-tile=0.831, corner=0.4195), chance=likeliest, samples=4, horizon=evaluates)",
        summary: "jordal's expectimax with evolved weights (trainings/weights/jordal.toml)",
    },
    Preset {
        name: "maqsood/exp2",
        spec: "expectimax(depth=2, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 2 by the rule of its text; without a table: (table=off)",
    },
    Preset {
        name: "maqsood/exp3",
        spec: "expectimax(depth=3, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 3 by the rule of its text; without a table: (table=off)",
    },
    Preset {
        name: "maqsood/exp4",
        spec: "expectimax(depth=4, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 4 by the rule of its text; without a table: (table=off)",
    },
    Preset {
        name: "maqsood/exp5",
        spec: "expectimax(depth=5, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 5 by the rule of its text; without a table: (table=off)",
    },
    Preset {
        name: "maqsood/exp6",
        spec: "expectimax(depth=6, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 6 by the rule of its text; without a table: (table=off)",
    },
    Preset {
        name: "maqsood/tuned",
        spec: "expectimax(depth=2, unit=half-moves-after-move, eval=maqsood(monotonicity=0.216, smoothness=2.165), \
               dead=-46740, single-move=played, table=64M, reuse=sound)",
        summary: "maqsood's expectimax of depth 2 with evolved weights (trainings/weights/maqsood.toml)",
    },
    Preset {
        name: "maqsood/exp2-listing",
        spec: "expectimax(depth=2, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=256M, reuse=shallower, table-lifetime=game)",
        summary: "the same by the rule of maqsood's listing, which reuses shallower values, with a table kept for the game",
    },
    Preset {
        name: "maqsood/exp3-listing",
        spec: "expectimax(depth=3, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=256M, reuse=shallower, table-lifetime=game)",
        summary: "the same by the rule of maqsood's listing, which reuses shallower values, with a table kept for the game",
    },
    Preset {
        name: "maqsood/exp4-listing",
        spec: "expectimax(depth=4, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=256M, reuse=shallower, table-lifetime=game)",
        summary: "the same by the rule of maqsood's listing, which reuses shallower values, with a table kept for the game",
    },
    Preset {
        name: "maqsood/exp5-listing",
        spec: "expectimax(depth=5, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=256M, reuse=shallower, table-lifetime=game)",
        summary: "the same by the rule of maqsood's listing, which reuses shallower values, with a table kept for the game",
    },
    Preset {
        name: "maqsood/exp6-listing",
        spec: "expectimax(depth=6, unit=half-moves-after-move, eval=maqsood, dead=-10000, single-move=played, table=256M, reuse=shallower, table-lifetime=game)",
        summary: "the same by the rule of maqsood's listing, which reuses shallower values, with a table kept for the game",
    },
    Preset {
        name: "dietenberger/exp4",
        spec: "expectimax(depth=4, eval=dietenberger, dead-rule=evaluated, chance=sampled, samples=10, table=16M, table-nodes=max)",
        summary: "dietenberger's expectimax of depth 4 with ten sampled spawns",
    },
    Preset {
        name: "dietenberger/exp6",
        spec: "expectimax(depth=6, eval=dietenberger, dead-rule=evaluated, chance=sampled, samples=10, table=16M, table-nodes=max)",
        summary: "dietenberger's expectimax of depth 6 with ten sampled spawns",
    },
    Preset {
        name: "xiao",
        spec: "expectimax(depth=3, depth-rule=distinct, unit=moves-ahead, eval=xiao, dead-rule=floor, cutoff=0.0001, table=8M, table-sharing=per-move, reuse=sound)",
        summary: "the best-known expectimax program: depth by the number of distinct tiles, unlikely boards cut off",
    },
    Preset {
        name: "mcts/strong",
        spec: "mcts(iterations=4300, eval=xiao, chance=balanced, simulation=look-ahead(moves=2), \
               expansion=all-at-once(at-visit=1), first-play=static, minimax=1, scale=raw, over=worth(value=0), \
               selection=uct-spread(c=5), reuse=on)",
        summary: "the strongest MCTS without a learned network: expected values of a look-ahead where the tree ends, \
                  10 ms per move",
    },
    Preset {
        name: "maqsood/mcts500",
        spec: "mcts(iterations=500, eval=empty, chance=sampled, simulation=random(limit=8))",
        summary: "maqsood's MCTS of 500 iterations: a spawn is drawn when a node is made",
    },
    Preset {
        name: "maqsood/mcts1000",
        spec: "mcts(iterations=1000, eval=empty, chance=sampled, simulation=random(limit=8))",
        summary: "maqsood's MCTS of 1000 iterations: a spawn is drawn when a node is made",
    },
    Preset {
        name: "maqsood/mcts1500",
        spec: "mcts(iterations=1500, eval=empty, chance=sampled, simulation=random(limit=8))",
        summary: "maqsood's MCTS of 1500 iterations: a spawn is drawn when a node is made",
    },
    Preset {
        name: "maqsood/mcts2000",
        spec: "mcts(iterations=2000, eval=empty, chance=sampled, simulation=random(limit=8))",
        summary: "maqsood's MCTS of 2000 iterations: a spawn is drawn when a node is made",
    },
    Preset {
        name: "maqsood/mcts2500",
        spec: "mcts(iterations=2500, eval=empty, chance=sampled, simulation=random(limit=8))",
        summary: "maqsood's MCTS of 2500 iterations: a spawn is drawn when a node is made",
    },
    Preset {
        name: "maqsood/mctse500",
        spec: "mcts(iterations=500, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE of 500 iterations: move and chance nodes alternate",
    },
    Preset {
        name: "maqsood/mctse1000",
        spec: "mcts(iterations=1000, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE of 1000 iterations: move and chance nodes alternate",
    },
    Preset {
        name: "maqsood/mctse1500",
        spec: "mcts(iterations=1500, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE of 1500 iterations: move and chance nodes alternate",
    },
    Preset {
        name: "maqsood/mctse2000",
        spec: "mcts(iterations=2000, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE of 2000 iterations: move and chance nodes alternate",
    },
    Preset {
        name: "maqsood/mctse2500",
        spec: "mcts(iterations=2500, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE of 2500 iterations: move and chance nodes alternate",
    },
    Preset {
        name: "maqsood/mctse-time2",
        spec: "mcts(iterations=off, time=3ms, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE with the time that its expectimax of depth 2 takes",
    },
    Preset {
        name: "maqsood/mctse-time3",
        spec: "mcts(iterations=off, time=5ms, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE with the time that its expectimax of depth 3 takes",
    },
    Preset {
        name: "maqsood/mctse-time4",
        spec: "mcts(iterations=off, time=35ms, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE with the time that its expectimax of depth 4 takes",
    },
    Preset {
        name: "maqsood/mctse-time5",
        spec: "mcts(iterations=off, time=58ms, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE with the time that its expectimax of depth 5 takes",
    },
    Preset {
        name: "maqsood/mctse-time6",
        spec: "mcts(iterations=off, time=200ms, eval=empty, chance=explicit, simulation=random(limit=8))",
        summary: "maqsood's MCTSE with the time that its expectimax of depth 6 takes",
    },
];
