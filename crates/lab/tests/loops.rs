//! The game loops, with games small enough to be understood at a glance and with 2048 itself.

use std::fmt;
use std::ops::ControlFlow;

use afterstate_game::{
    Decision, DrawRules, History, Limits, NoLegalMove, Outcome, PerSide, Played, Player, Position, Settled, Side, Stop,
    Task,
};
use afterstate_lab::{
    Comparison, DuelGame, DuelRun, GameSeeds, Headings, Machinery, MatchTally, Opening, Recorded, Seats, Series as _,
    SoloResult, SoloRun, Tally as _, Transcript, Unfinished, play,
};
use afterstate_players::Random;
use afterstate_twenty48::{Direction, State};

/// Take one to three from a heap; who takes the last wins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heap {
    left: u32,
    turn: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take(u32);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position for Heap {
    type Move = Take;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Won(!self.turn))
    }

    fn for_each_move(&self, visit: impl FnMut(Take)) {
        (1..=self.left.min(3)).map(Take).for_each(visit);
    }

    fn play_unchecked(&self, mv: Take) -> Played<Self> {
        Played { afterstate: Settled(Self { left: self.left - mv.0, turn: !self.turn }), reward: 0 }
    }

    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | self.turn as u64
    }

    fn is_irreversible(&self, _mv: Take) -> bool {
        true
    }

    fn leader(&self) -> Option<Side> {
        None
    }
}

impl DuelGame for Heap {
    fn lost(&self) -> PerSide<u32> {
        PerSide([self.left, 0])
    }

    fn record(transcript: &Transcript<Self>, headings: &Headings<'_>) -> String {
        let moves: String = transcript.plies.iter().map(|(mv, _)| mv.to_string()).collect();
        let PerSide([first, second]) = headings.players;
        format!("{} {first}-{second} {moves} {}", headings.opening, headings.outcome)
    }
}

/// Knows how to win a heap.
struct Expert;

impl Player<Heap> for Expert {
    fn decide(&mut self, task: Task<'_, Heap>) -> Result<Decision<Take>, NoLegalMove> {
        let rest = task.position().left % 4;
        Ok(Decision::unsearched(Take(rest.max(1)), task.position().moves()))
    }

    fn start_game(&mut self, _seed: u64) {}
}

/// Always plays the same move, legal or not.
struct Stubborn;

impl Player<State> for Stubborn {
    fn decide(&mut self, _task: Task<'_, State>) -> Result<Decision<Direction>, NoLegalMove> {
        Ok(Decision::unsearched(Direction::Up, []))
    }

    fn start_game(&mut self, _seed: u64) {}
}

fn heaps() -> DuelRun<Heap> {
    let heap = |left| Opening { name: format!("heap of {left}"), position: Heap { left, turn: Side::First } };
    DuelRun {
        agents: ["expert".to_owned(), "random".to_owned()],
        openings: vec![heap(5), heap(8)],
        rules: DrawRules::default(),
        limits: Limits::NONE,
        seed: 1,
    }
}

#[test]
fn every_opening_is_played_with_both_colours() {
    let run = heaps();
    let results: Vec<_> =
        (0..4).map(|game| run.play_with([&mut Expert, &mut Random::new()], game, &Stop::new()).unwrap()).collect();
    let openings: Vec<&str> = results.iter().map(|game| game.result.opening.as_str()).collect();
    assert_eq!(openings, ["heap of 5", "heap of 5", "heap of 8", "heap of 8"]);
    for Recorded { result, record } in &results {
        let first = if result.game % 2 == 0 { " expert-random " } else { " random-expert " };
        assert!(record.contains(first), "{}", record);
        let expert_won = record.contains(if result.game % 2 == 0 { "first side" } else { "second side" });
        assert_eq!(result.half_points, if expert_won { 2 } else { 0 });
        assert_eq!(result.spent[0].moves + result.spent[1].moves, result.plies);
    }
    // With five left the player to move wins, and the expert knows it.
    assert_eq!(results[0].result.half_points, 2);
}

#[test]
fn a_match_counts_pairs_by_the_points_of_both_games() {
    let run = heaps();
    let mut tally = MatchTally::default();
    let mut points = [0u64; 5];
    let mut pair = 0;
    for game in 0..8 {
        let result = run.play_with([&mut Expert, &mut Random::new()], game, &Stop::new()).unwrap().result;
        pair += usize::from(result.half_points);
        if game % 2 == 1 {
            points[pair] += 1;
            pair = 0;
        }
        tally.add(&result);
    }
    let summary = tally.summary();
    assert_eq!(summary.pairs.counts, points);
    assert_eq!((summary.games, summary.won + summary.drawn + summary.lost), (8, 8));
    assert!(summary.score.unwrap() > 0.5, "the expert is better than chance");
}

#[test]
fn a_match_without_an_opening_is_refused() {
    let run = DuelRun { openings: Vec::new(), ..heaps() };
    let result = run.play_with([&mut Expert, &mut Expert], 0, &Stop::new());
    assert_eq!(result, Err(Unfinished::NoOpening));
}

fn stranger() -> SoloRun<State> {
    SoloRun::new("a player of the test", 3, Limits::NONE)
}

#[test]
fn an_illegal_move_is_a_fault_and_no_result() {
    let error = stranger().play_with(&mut Stubborn, 0, &Stop::new()).unwrap_err();
    assert!(matches!(error, Unfinished::NoLegalMove { side: Side::First, .. }), "{error}");
}

#[test]
fn a_stopped_game_is_no_result() {
    let stop = Stop::new();
    stop.raise();
    let result = stranger().play_with(&mut Random::new(), 0, &stop);
    assert_eq!(result, Err(Unfinished::Stopped));
}

fn random_games(games: u64, threads: usize) -> Vec<Recorded<SoloResult>> {
    let run = SoloRun::<State>::new("random", 2048, Limits::NONE);
    let mut results = Vec::new();
    let machinery = Machinery { threads, ..Machinery::default() };
    let tally = run.play(games, &machinery, |game, _| {
        // The time is the only thing that may differ.
        let mut game = game.clone();
        game.result.spent.time = std::time::Duration::ZERO;
        results.push(game);
        ControlFlow::Continue(())
    });
    assert_eq!(tally.map(|tally| tally.games()), Ok(games));
    results
}

#[test]
fn games_are_the_same_whatever_the_number_of_threads() {
    let one = random_games(60, 1);
    assert_eq!(one, random_games(60, 2));
    assert_eq!(one, random_games(60, 5));
    assert!(one.iter().any(|game| game.result.score != one[0].result.score), "games differ from each other");
    assert_eq!(one[..20], random_games(20, 1)[..], "a longer run begins with the games of a shorter one");
}

/// Plays the first legal direction of a fixed order.
struct Ordered([Direction; 4]);

impl Player<State> for Ordered {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<Direction>, NoLegalMove> {
        let legal = self.0.into_iter().find(|&direction| task.position().is_legal(direction));
        Ok(Decision::unsearched(legal.ok_or(NoLegalMove)?, []))
    }

    fn start_game(&mut self, _seed: u64) {}
}

#[test]
fn chance_is_the_same_for_every_player_until_their_boards_differ() {
    use Direction::{Down, Left, Right, Up};
    let transcripts = [[Up, Left, Down, Right], [Up, Left, Right, Down]].map(|order| {
        let seeds = GameSeeds::new(11, 0, 4);
        let history = History::new(State::start(&mut seeds.chance(0)));
        play(history, Seats::One(&mut Ordered(order)), seeds, Limits::NONE, &Stop::new()).unwrap().transcript
    });
    let [one, two] = &transcripts;
    assert_eq!(one.start, two.start);
    let shared = one.plies.iter().zip(&two.plies).take_while(|(a, b)| a.0 == b.0).collect::<Vec<_>>();
    assert!(shared.len() >= 2, "the players begin with the same moves");
    assert!(shared.iter().all(|(a, b)| a.1 == b.1), "the same move meets the same tile");
}

#[test]
fn an_interrupted_run_keeps_its_finished_games() {
    let run = SoloRun::<State>::new("random", 1, Limits::NONE);
    let machinery = Machinery { threads: 2, ..Machinery::default() };
    let mut seen = 0;
    let tally = run.play(u64::MAX, &machinery, |_, _| {
        seen += 1;
        if seen == 30 {
            machinery.stop.raise();
        }
        ControlFlow::Continue(())
    });
    assert!(seen >= 30);
    assert_eq!(tally.map(|tally| tally.games()), Ok(seen));
}

#[test]
fn an_agent_that_does_not_exist_is_refused_before_the_first_game() {
    let run = SoloRun::<State>::new("randem", 1, Limits::NONE);
    let error = run.play(1, &Machinery::default(), |_, _| unreachable!("no game is played")).unwrap_err();
    assert!(error.to_string().contains("did you mean `random`"), "{error}");
}

#[test]
fn an_agent_compared_with_itself_differs_in_no_game() {
    let run = SoloRun::<State>::new("random", 5, Limits::NONE);
    let comparison = Comparison { runs: [run.clone(), run] };
    let tally = comparison.play(40, &Machinery::default(), |_, _| ControlFlow::Continue(())).unwrap();
    let summary = tally.summary();
    assert_eq!((summary.paired.pairs, summary.paired.equal), (40, 40));
    assert_eq!(summary.each[0].score, summary.each[1].score);
    assert!(summary.each[0].deviation.unwrap() > 0.0);
}
