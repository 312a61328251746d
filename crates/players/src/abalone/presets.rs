//! Named settings of the agents of Abalone: the players of the seed documents, and the best of today.

use crate::Preset;

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "hauff/alphabeta",
        spec: "alphabeta(eval=hauff, table=16M, window=100)",
        summary: "hauff's final alpha-beta: table cleared for every search, all four orderings, window 100",
    },
    Preset {
        name: "hauff/tuned",
        spec: "alphabeta(eval=hauff(centre=164.5, compactness=28.24, attack=12.8, broken=12.84), table=16M, window=100)",
        summary: "hauff's final alpha-beta with evolved weights (trainings/weights/hauff.toml)",
    },
    Preset {
        name: "abalone/strong",
        spec: "alphabeta(eval=fitted, table=64M, table-lifetime=game, replacement=old-and-shallow, unfinished=used, \
               history=on, evaluated-levels=0, pvs=on, window=60, window-miss=double, quiescence=always, \
               loud-classes=2, reductions=on, null-move=on, reverse-futility=on(max-depth=4, base=0, per-ply=80), \
               futility=on(max-depth=3, base=60, per-ply=60), late-moves=on(max-depth=4, base=8, factor=3), \
               repetition=once)",
        summary: "the strongest alpha-beta so far: what today's engines do, on an evaluation fitted to games",
    },
    Preset {
        name: "hauff/mcts",
        spec: "mcts(iterations=600, eval=hauff, order=classes, expansion=reduced(best=0.4, random=0.1), \
               simulation=random(limit=40), selection=uct(c=0.2), choice=robust, reuse=on)",
        summary: "hauff's final MCTS: simulations of 40 half-moves, reduced tree, tree reuse; 600 simulations are its 20 s",
    },
    Preset {
        name: "mcts/strong",
        spec: "mcts(iterations=5000, eval=fitted, simulation=none, expansion=all-at-once(at-visit=1), first-play=static, \
               minimax=0.5, scale=logistic(scale=1500), selection=uct(c=0.02), choice=robust, reuse=on)",
        summary: "the strongest MCTS so far: no simulations, every move judged when its node is made, minimax values \
                  beside the means, little exploration",
    },
];
