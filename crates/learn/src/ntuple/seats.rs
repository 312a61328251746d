//! Several games at a time in one thread: while the weights of one position are on their way into the cache, another game
//! makes its move.

use afterstate_game::{Afterstate, Dice};
use afterstate_twenty48::{Board, Slid, State};

use super::design::Design;
use super::index::{Packing, Work};
use super::learner::{Credit, Rule, Step};
use super::network::{Choice, Network};
use super::prospect::{FeaturePlaces, Prospect};
use super::stretch::Stretch;
use super::view::{ViewCounter, downgraded, may_exceed};
use super::weights::Tables;

/// The games that a thread plays at a time.
const SEATS: usize = 2;

/// Games this short are not cut in halves any more.
const SHORTEST: usize = 10;

/// Where a game starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) state: State,
    pub(crate) dice: Dice,
    /// Whether this is a whole game and not one that goes on from another.
    pub(crate) whole: bool,
}

/// One game as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) whole: bool,
    pub(crate) end: Board,
    pub(crate) score: u64,
    pub(crate) moves: u64,
}

/// Where games come from, and what becomes of them.
pub(crate) trait Source {
    /// The next game, if there is one.
    fn next(&mut self) -> Option<Start>;

    /// A game entered a stage.
    fn entered(&mut self, _stage: usize, _state: State) {}

    /// The weights of all moves of a position were looked up.
    #[inline(always)]
    fn looked_up(&mut self, _stage: usize, _located: &[u32]) {}

    /// A game is over.
    fn finished(&mut self, game: Game);
}

/// One game in play.
struct Seat {
    state: State,
    dice: Dice,
    tiles: ViewCounter,
    prospect: Prospect,
    game: Game,
}

impl Seat {
    fn new(design: &Design, start: Start) -> Self {
        let Start { state, dice, whole } = start;
        let game = Game { whole, end: state.0, score: 0, moves: 0 };
        Self { state, dice, tiles: ViewCounter::new(design, state.0), prospect: Prospect::default(), game }
    }

    fn restart(&mut self, design: &Design, start: Start) {
        self.tiles = ViewCounter::new(design, start.state.0);
        self.game = Game { whole: start.whole, end: start.state.0, score: 0, moves: 0 };
        (self.state, self.dice) = (start.state, start.dice);
    }

    #[inline(always)]
    fn look<P: Packing, T: Tables>(&mut self, packing: P, network: &Network<T>) {
        let view = self.tiles.view;
        self.prospect.look(packing, network.tuples(view.stage), network.stage(view.stage), self.state, view.lowering);
    }

    /// The move, and where its features lie; nowhere on boards that are judged one by one.
    #[inline(always)]
    fn choose<T: Tables>(&self, network: &Network<T>) -> Option<(Choice, &[u32])> {
        if may_exceed(self.state.0) {
            return network.best_of_huge(self.state.0).map(|choice| (choice, [].as_slice()));
        }
        self.prospect.best(network.stage(self.tiles.view.stage))
    }

    /// Plays the move and draws the answer; whether a new stage began.
    #[inline(always)]
    fn play(&mut self, design: &Design, choice: &Choice) -> bool {
        self.game.score += u64::from(choice.reward);
        self.game.moves += 1;
        self.state = Slid(choice.afterstate).draw(&mut self.dice);
        self.tiles.count(design, choice.afterstate, self.state.0)
    }

    fn finish(&mut self) -> Game {
        self.game.end = self.state.0;
        self.game
    }
}

/// Plays games without learning.
pub(crate) struct Play<'a, T, S> {
    pub(crate) network: &'a Network<T>,
    pub(crate) stretch: &'a Stretch,
    pub(crate) source: &'a mut S,
}

impl<T: Tables, S: Source> Work for Play<'_, T, S> {
    type Output = ();

    #[inline(always)]
    fn run<P: Packing>(mut self, packing: P) {
        let network = self.network;
        let begin = |start| Seat::new(network.design(), start);
        let mut seats: Vec<Seat> = std::iter::from_fn(|| self.source.next()).take(SEATS).map(begin).collect();
        for seat in &mut seats {
            seat.look(packing, network);
        }
        while !seats.is_empty() {
            let mut turn = 0;
            while let Some(seat) = seats.get_mut(turn) {
                if self.play(packing, seat) {
                    turn += 1;
                } else {
                    seats.remove(turn);
                }
            }
        }
    }
}

impl<T: Tables, S: Source> Play<'_, T, S> {
    /// Makes a move, or begins another game; `false` if there is none.
    #[inline(always)]
    fn play<P: Packing>(&mut self, packing: P, seat: &mut Seat) -> bool {
        let Self { network, stretch, source } = self;
        source.looked_up(seat.tiles.view.stage, seat.prospect.located());
        let choice = seat.choose(network).map(|(choice, _)| choice);
        if let Some(choice) = choice.filter(|_| !stretch.is_through(seat.state)) {
            seat.play(network.design(), &choice);
        } else {
            source.finished(seat.finish());
            let Some(start) = source.next() else { return false };
            seat.restart(network.design(), start);
        }
        seat.look(packing, network);
        true
    }
}

/// Plays games and learns from them.
pub(crate) struct Learn<'a, S> {
    pub(crate) network: &'a Network,
    pub(crate) rule: Rule<'a>,
    /// Whether the second half of a game is played again, then the last quarter, and so on.
    pub(crate) halves: bool,
    pub(crate) stretch: &'a Stretch,
    pub(crate) source: &'a mut S,
}

/// A game that is learned from.
struct Lesson {
    seat: Seat,
    /// Learning online: the afterstate that waits for its correction, and where its features lie.
    before: Option<usize>,
    places: FeaturePlaces,
    /// The afterstates so far as they are learned, where that happens when the game is over.
    steps: Vec<Step>,
    /// The same as they were played, where the half of the game is played again: steps have large tiles lowered.
    played: Vec<Board>,
}

impl Lesson {
    fn new(design: &Design, start: Start) -> Self {
        let seat = Seat::new(design, start);
        Self { seat, before: None, places: FeaturePlaces::new(), steps: Vec::new(), played: Vec::new() }
    }
}

impl<S: Source> Work for Learn<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<P: Packing>(mut self, packing: P) {
        let network = self.network;
        let begin = |start| Lesson::new(network.design(), start);
        let mut lessons: Vec<Lesson> = std::iter::from_fn(|| self.source.next()).take(SEATS).map(begin).collect();
        for lesson in &mut lessons {
            lesson.seat.look(packing, network);
        }
        while !lessons.is_empty() {
            let mut turn = 0;
            while let Some(lesson) = lessons.get_mut(turn) {
                if self.go_on(packing, lesson) {
                    turn += 1;
                } else {
                    lessons.remove(turn);
                }
            }
        }
    }
}

impl<S: Source> Learn<'_, S> {
    /// Makes a move, or learns from the whole game and begins another one; `false` if there is none.
    #[inline(always)]
    fn go_on<P: Packing>(&mut self, packing: P, lesson: &mut Lesson) -> bool {
        if !self.play(packing, lesson) {
            self.conclude(packing, lesson);
            let Some(start) = self.next(lesson) else { return false };
            lesson.seat.restart(self.network.design(), start);
            lesson.steps.clear();
            lesson.played.clear();
        }
        lesson.seat.look(packing, self.network);
        true
    }

    /// Makes a move; `false` if the game is over.
    #[inline(always)]
    fn play<P: Packing>(&mut self, packing: P, lesson: &mut Lesson) -> bool {
        let Lesson { seat, before, places, steps, played } = lesson;
        if self.stretch.is_through(seat.state) {
            return false;
        }
        let Some((choice, located)) = seat.choose(self.network) else { return false };
        let view = seat.tiles.view;
        let board = view.lowering.lower(downgraded(choice.afterstate));
        let step = Step { board, stage: view.stage, reward: choice.reward };
        if self.rule.credit == Credit::Online {
            if let Some(stage) = before.replace(view.stage) {
                self.rule.correct(self.rule.part(stage), places, choice.total());
            }
            places.clear();
            // There is room for all features.
            let _ = places.try_extend_from_slice(located);
            if located.is_empty() {
                *places = self.rule.places(packing, step);
            }
            self.rule.part(view.stage).prefetch_coherence(places);
        }
        if self.rule.credit != Credit::Online {
            steps.push(step);
        }
        if self.halves {
            played.push(choice.afterstate);
        }
        if seat.play(self.network.design(), &choice) {
            self.source.entered(seat.tiles.view.stage, seat.state);
        }
        true
    }

    /// Learns what the end of a game shows.
    #[inline(always)]
    fn conclude<P: Packing>(&mut self, packing: P, lesson: &mut Lesson) {
        let rest = self.stretch.rest(lesson.seat.state);
        match self.rule.credit {
            Credit::Online => {
                if let Some(stage) = lesson.before.take() {
                    self.rule.correct(self.rule.part(stage), &lesson.places, rest);
                }
            }
            Credit::Backward(lambda) => self.rule.correct_backward(packing, &lesson.steps, rest, lambda),
        }
        self.source.finished(lesson.seat.finish());
    }

    /// The game after this one.
    fn next(&mut self, lesson: &mut Lesson) -> Option<Start> {
        let Lesson { seat, played, .. } = lesson;
        if self.halves && played.len() > SHORTEST {
            let state = Slid(played[played.len() / 2]).draw(&mut seat.dice);
            return Some(Start { state, dice: seat.dice.clone(), whole: false });
        }
        self.source.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::index::Instructions;
    use crate::ntuple::learner::{Coherence, Rate};

    struct Seeds {
        next: u64,
        end: u64,
        scores: Vec<u64>,
    }

    impl Source for Seeds {
        fn next(&mut self) -> Option<Start> {
            let mut dice = Dice::seeded(self.next);
            self.next += 1;
            (self.next <= self.end).then(|| Start { state: State::start(&mut dice), dice, whole: true })
        }

        fn finished(&mut self, game: Game) {
            self.scores.push(game.score);
        }
    }

    /// Games from the boards of a stretch.
    struct Starts<'a> {
        left: u64,
        stretch: &'a Stretch,
    }

    impl Source for Starts<'_> {
        fn next(&mut self) -> Option<Start> {
            self.left = self.left.checked_sub(1)?;
            let mut dice = Dice::seeded(self.left);
            Some(Start { state: self.stretch.start(&mut dice), dice, whole: true })
        }

        fn finished(&mut self, _: Game) {}
    }

    fn small() -> Design {
        Design::built_in("4x4").unwrap()
    }

    fn learn(design: &Design, rate: Rate, credit: Credit, games: u64, with: Instructions) -> (Vec<u64>, Network) {
        let network = Network::new(design, 0.0).unwrap();
        let coherence = Coherence::new(&network).unwrap();
        let mut source = Seeds { next: 0, end: games, scores: Vec::new() };
        let stretch = &Stretch::default();
        let rule = Rule::new(&network, Some(&coherence), rate, credit);
        with.with(Learn { network: &network, rule, halves: false, stretch, source: &mut source });
        (source.scores, network)
    }

    #[test]
    fn every_method_learns_to_play_better() {
        for rate in [Rate::Constant(0.1), Rate::Coherent(1.0)] {
            for credit in [Credit::Online, Credit::Backward(0.5)] {
                let (scores, _) = learn(&small(), rate, credit, 600, Instructions::detect());
                let mean = |scores: &[u64]| scores.iter().sum::<u64>() / scores.len() as u64;
                assert_eq!(scores.len(), 600);
                let (first, last) = (mean(&scores[..50]), mean(&scores[500..]));
                assert!(last > 2 * first, "{rate:?}, {credit:?}: from {first} to {last}");
            }
        }
    }

    /// Learns with one seat, and counts how often each whole game is gone on with.
    struct Halves<'a>(Learn<'a, Seeds>);

    impl Work for Halves<'_> {
        type Output = Vec<u32>;

        fn run<P: Packing>(mut self, packing: P) -> Vec<u32> {
            let network = self.0.network;
            let mut lesson = Lesson::new(network.design(), self.0.source.next().unwrap());
            lesson.seat.look(packing, network);
            let (mut restarts, mut games, mut before) = (0, Vec::new(), Vec::new());
            loop {
                before.push(lesson.seat.state.0);
                let goes_on = self.0.go_on(packing, &mut lesson);
                let Seat { state: State(board), game, .. } = &lesson.seat;
                if goes_on && game.moves > 0 {
                    continue;
                }
                if !goes_on || game.whole {
                    games.push(std::mem::take(&mut restarts));
                } else {
                    restarts += 1;
                    assert!(restarts < 40, "the game is played again and again");
                    // Only the tile that appeared may be another one.
                    let is_like =
                        |met: &Board| met.max_tile() == board.max_tile() && met.sum().abs_diff(board.sum()) <= 2;
                    assert!(before.iter().any(is_like), "{board} did not occur");
                }
                if !goes_on {
                    return games;
                }
                before.clear();
            }
        }
    }

    #[test]
    fn the_second_half_of_a_game_begins_where_the_game_was_even_above_the_ceiling() {
        let design = small().with_ceiling(Some(100)).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        for credit in [Credit::Online, Credit::Backward(0.5)] {
            let mut source = Seeds { next: 0, end: 50, scores: Vec::new() };
            let rule = Rule::new(&network, None, Rate::Constant(0.1), credit);
            let learn =
                Learn { network: &network, rule, halves: true, stretch: &Stretch::default(), source: &mut source };
            let restarts = Instructions::detect().with(Halves(learn));
            assert_eq!(restarts.len(), 50);
            // A game of 100 to 1000 moves is halved four to seven times until it is short.
            let mean = f64::from(restarts.iter().sum::<u32>()) / 50.0;
            assert!((2.0..9.0).contains(&mean), "{restarts:?}");
        }
    }

    #[test]
    fn what_the_end_is_worth_is_learned_by_every_method() {
        // Every game is a few slides long and comes to its end: two spawns more.
        let board: Board = "64 32 0 0/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap();
        for credit in [Credit::Online, Credit::Backward(0.5)] {
            for worth in [0, 5000] {
                let stretch = Stretch { starts: vec![board], until: Some(100), worth };
                let network = Network::new(&small(), 0.0).unwrap();
                let mut source = Starts { left: 2000, stretch: &stretch };
                let rule = Rule::new(&network, None, Rate::Constant(0.1), credit);
                let learn = Learn { network: &network, rule, halves: false, stretch: &stretch, source: &mut source };
                Instructions::detect().with(learn);
                let value = network.best(board).unwrap().total();
                assert!((value - worth as f32).abs() < 500.0, "{credit:?}: {value} instead of {worth}");
            }
        }
    }

    #[test]
    fn all_instructions_learn_the_same_weights() {
        // Weights of six cells lie in another order than those of four.
        let mixed = Design::new("x", &["a1 b1 c1 d1 a2 b2", "a2 b2 c2 d2"], &[]).unwrap();
        let wide = small().with_stages(&[300]).unwrap().with_added(300, &["a1 b1 c1", "a1 b1 c1 d1 a2 b2"]).unwrap();
        let [online, backward] = [Credit::Online, Credit::Backward(0.5)];
        let cases =
            [(small(), online), (small(), backward), (mixed, backward), (wide.clone(), online), (wide, backward)];
        for (design, credit) in cases {
            let (scores, network) = learn(&design, Rate::Coherent(1.0), credit, 30, Instructions::Portable);
            let weights = network.values.read(0..network.values.len());
            for instructions in Instructions::all() {
                let (other_scores, other) = learn(&design, Rate::Coherent(1.0), credit, 30, instructions);
                assert_eq!(scores, other_scores, "{instructions:?}");
                assert!(weights == other.values.read(0..other.values.len()), "{instructions:?}");
            }
        }
    }
}
