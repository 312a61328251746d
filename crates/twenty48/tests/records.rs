//! Records: what is written is read back and replays, and what is damaged is refused with its place.

use afterstate_game::{Afterstate, Dice, Position};
use afterstate_twenty48::record::ReadError;
use afterstate_twenty48::{Record, Records, State};

fn random_game(seed: u64) -> Record {
    let mut dice = Dice::seeded(seed);
    let start = State::start(&mut dice);
    let mut record = Record::new(start).by("random").seeded(seed);
    let mut state = start;
    while let Some(mv) = state.random_move(&mut dice) {
        state = state.play_unchecked(mv).afterstate.draw(&mut dice);
        record.push_answer(mv, state).expect("a game that was played replays");
    }
    record
}

fn read(text: impl AsRef<[u8]>) -> Result<Vec<Record>, ReadError> {
    Records::new(text.as_ref()).collect()
}

const SHORT: &str = "\
2048 record 1
agent somebody (fast)
seed 7
start 2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0
L d4=2
D a1=4
end 2 moves 4 points
";

#[test]
fn records_of_whole_games_are_read_back_one_after_the_other() {
    let games: Vec<Record> = (0..20).map(random_game).collect();
    let text: String = games.iter().map(|game| format!("{game}\n")).collect();
    assert_eq!(read(&text).unwrap(), games);
    assert!(games.iter().all(|game| game.end().outcome().is_some()));
}

#[test]
fn the_rewards_of_the_steps_add_up_to_the_score() {
    let game = random_game(3);
    let steps: Vec<_> = game.steps().collect();
    assert_eq!(steps.len(), game.plies().len());
    assert_eq!(steps.iter().map(|step| step.reward).sum::<u32>(), game.score());
    assert!(steps.windows(2).all(|pair| pair[0].next == pair[1].state));
    assert_eq!((steps[0].state, steps[steps.len() - 1].next), (game.start(), game.end()));
}

#[test]
fn a_record_reads_as_it_was_written() {
    let records = read(SHORT).unwrap();
    let [record] = &records[..] else { panic!("{records:?}") };
    assert_eq!(record.to_string(), SHORT);
    assert_eq!((record.agent(), record.seed(), record.score()), ("somebody (fast)", Some(7), 4));
    assert_eq!(record.end().0.to_string(), "4 0 0 0/0 0 0 0/0 0 0 0/4 0 0 2");
}

#[test]
fn agent_and_seed_may_be_missing_and_white_space_is_tolerated() {
    let text =
        "\n\n 2048 record 1\r\nstart 2 2 0 0 / . . . . / . . . . / . . . .\r\n left  d4=2 \r\nend 1 moves 4 points";
    let records = read(text).unwrap();
    assert_eq!((records.len(), records[0].agent(), records[0].seed()), (1, "", None));
    assert!(read("").unwrap().is_empty());
    assert!(read("\n \n").unwrap().is_empty());
}

#[test]
fn an_agent_too_long_for_a_line_is_cut() {
    let start = random_game(1).start();
    for name in ["x", "\u{e4}", "\u{20ac} ", "wort "] {
        let long = name.repeat(100_000);
        let record = Record::new(start).by(&long);
        assert!(long.starts_with(record.agent()) && record.agent().len() > 65_000, "{name}");
        let text = record.to_string();
        for text in [text.replace('\n', "\r\n"), text] {
            let read: Vec<Record> = Records::new(text.as_bytes()).map(|record| record.unwrap()).collect();
            assert_eq!(read, std::slice::from_ref(&record), "{name}");
        }
    }
}

#[test]
fn an_agent_of_several_lines_cannot_break_the_record() {
    let record = Record::new(random_game(1).start()).by(" a\nend 0 moves 0 points\r\n\t\u{1b}[1mb ");
    assert_eq!(record.agent(), "a end 0 moves 0 points [1mb");
    assert_eq!(read(record.to_string()).unwrap(), [record]);
}

#[test]
fn a_record_cut_anywhere_is_noticed() {
    for cut in 1..SHORT.trim_end().len() {
        let error = read(&SHORT[..cut]).expect_err(&SHORT[..cut]);
        assert!(error.line <= 8, "{error}");
    }
}

#[test]
fn bad_records_are_refused_with_their_place() {
    let check = |from: &str, to: &str, message: &str| {
        assert!(SHORT.contains(from), "{from}");
        let error = read(SHORT.replacen(from, to, 1)).expect_err(message);
        assert_eq!(error.to_string(), message);
    };
    check("record 1", "record 2", "line 1: \"2048 record 2\" begins no record; expected 2048 record 1");
    check("2048 record", "chess", "line 1: \"chess 1\" begins no record; expected 2048 record 1");
    check("seed 7", "seed -1", "line 3: found \"seed -1\"; expected seed and a number below 2^64");
    check("seed 7", "sead 7", "line 3: found \"sead 7\"; expected agent, seed or start");
    check("0 0/0 0 0 0/", "0 0/", "line 4: start: found 3 row(s); expected 4, separated by /");
    check("L d4=2", "U d4=2", "line 5, ply 1: the move up is not legal here; legal: right, down, left");
    check("L d4=2", "X d4=2", "line 5, ply 1: \"X\" is no move; expected up, right, down or left");
    check("L d4=2", "L a1=2", "line 5, ply 1: no tile can appear on a1: the cell is not empty");
    check(
        "D a1=4",
        "D a1=8",
        "line 6, ply 2: \"a1=8\" is no new tile; expected a cell from a1 to d4 and 2 or 4, such as a1=2",
    );
    check("D a1=4", "D", "line 6, ply 2: found \"D\"; expected a move and a new tile such as L a1=2, or end");
    check(
        "end 2 moves 4 points\n",
        "",
        "line 7, ply 3: the record is cut off; expected a move and a new tile such as L a1=2, or end",
    );
    let says = |said: &str| format!("line 7: the record says {said}, its moves come to end 2 moves 4 points");
    check("2 moves", "3 moves", &says("end 3 moves 4 points"));
    check("4 points", "8 points", &says("end 2 moves 8 points"));
    check("4 points", "4 pints", &says("end 2 moves 4 pints"));
    check("D a1=4\n", "", "line 6: the record says end 2 moves 4 points, its moves come to end 1 moves 4 points");
    check("points\n", "points\nL d4=2\n", "line 8: \"L d4=2\" begins no record; expected 2048 record 1");
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_refused() {
    let error = read(b"2048 record 1\nagent \xff\xfe\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2: not UTF-8");
    let error = read(format!("2048 record 1\nagent {}", "x".repeat(1 << 20))).unwrap_err();
    assert_eq!(error.to_string(), "line 2: the line is longer than 65536 bytes");
}

#[test]
fn a_game_goes_on_after_a_refused_ply() {
    let mut record = random_game(5);
    let before = record.clone();
    let next = record.start();
    let mv = record.plies()[0].mv;
    assert!(record.push_answer(mv, next).is_err());
    assert!(record.push(before.plies()[0]).is_err());
    assert_eq!(record, before);
}
