//! Games with the value of every position, kept in a text file: one line for each position, a game complete with its last
//! line. A file that ends in the middle of a game loses that game alone; one that is wrong before complete games is refused.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use afterstate_game::{Afterstate, Decision, Dice, History, Limits, Player, Position, Stop, Task, derive_seed};
use afterstate_twenty48::{Board, Cell, Direction, State, Tile};

use super::error::ValueError;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its number within its iteration.
    pub number: u32,
    /// The points.
    pub score: u64,
    /// The seconds it took.
    pub seconds: f64,
    /// The last board.
    pub end: Board,
    /// Positions and what the player's search says of them; nothing where it played without a search, as players do that have
    /// only one slide.
    pub positions: Vec<(Board, Option<f32>)>,
    /// The same for positions with raised tiles, which were not played.
    pub raised: Vec<(Board, f32)>,
    /// Boards after slides, and what the search says of them.
    pub slides: Vec<(Board, f32)>,
}

impl Game {
    fn new(number: u32) -> Self {
        let (positions, raised, slides) = (Vec::new(), Vec::new(), Vec::new());
        Self { number, score: 0, seconds: 0.0, end: Board::EMPTY, positions, raised, slides }
    }
}

/// What is kept of a game beside its positions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    /// The probability that a position is also judged with its tiles raised.
    pub(super) raised: f64,
    /// The boards after all slides of every position.
    pub(super) slides: bool,
    /// Whether the search adds the points of a slide to what the board after it is worth.
    pub(super) points: bool,
}

/// Plays one game; `None` if the flag was raised before its end.
pub(super) fn play(
    player: &mut dyn Player<State>,
    number: u32,
    seed: u64,
    wanted: Wanted,
    stop: &Stop,
) -> Option<Game> {
    let started = std::time::Instant::now();
    let mut dice = Dice::seeded(seed);
    let mut raising = Dice::seeded(derive_seed(seed, &[1]));
    player.start_game(seed);
    let mut history = History::new(State::start(&mut dice));
    let mut game = Game::new(number);
    while let Some((decision, value)) = decide(player, &history, stop) {
        let state = *history.position();
        game.positions.push((state.0, value));
        if wanted.raised > 0.0 && raising.chance(wanted.raised) {
            let raised = raised(state.0, &mut raising);
            let judged = decide(player, &History::new(State(raised)), stop);
            game.raised.extend(judged.and_then(|(_, value)| Some((raised, value?))));
        }
        if wanted.slides {
            game.slides.extend(slides(state, &decision, wanted.points));
        }
        let played = state.play_unchecked(decision.best);
        game.score += u64::from(played.reward);
        history.push(decision.best, played.afterstate.draw(&mut dice));
        if stop.is_raised() {
            return None;
        }
    }
    game.end = history.position().0;
    game.seconds = started.elapsed().as_secs_f64();
    Some(game)
}

/// The decision, and what the search says of the position: the value of the best move, if it has one. `None` where no move is
/// left.
fn decide(
    player: &mut dyn Player<State>,
    history: &History<State>,
    stop: &Stop,
) -> Option<(Decision<Direction>, Option<f32>)> {
    let decision = player.decide(Task { history, limits: Limits::NONE, stop, observer: &mut |_| {} }).ok()?;
    let best = decision.moves.iter().find(|judged| judged.mv == decision.best);
    let value = best.and_then(|best| best.value).map(|value| value as f32);
    Some((decision, value))
}

/// The boards after all slides of a position, and what the search says of them.
fn slides(state: State, decision: &Decision<Direction>, points: bool) -> impl Iterator<Item = (Board, f32)> {
    decision.moves.iter().filter_map(move |judged| {
        let played = state.play_unchecked(judged.mv);
        let earned = if points { played.reward as f32 } else { 0.0 };
        Some((played.afterstate.0, judged.value? as f32 - earned))
    })
}

/// The board with all tiles raised by the same power of two, at most to 32768.
fn raised(board: Board, dice: &mut Dice) -> Board {
    let room = 15u8.saturating_sub(board.max_tile().map_or(15, Tile::exponent));
    let by = if room == 0 { 0 } else { 1 + dice.below(u32::from(room)) as u8 };
    Cell::all().fold(board, |raised, cell| match board.exponent(cell) {
        0 => raised,
        exponent => raised.with(cell, Tile::from_exponent(exponent + by)),
    })
}

/// A file of games that is being added to.
pub(super) struct GameFile(File);

impl GameFile {
    /// Opens a file and reads the games in it; what is left of an unfinished one is cut off.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Game>), ValueError> {
        let io = |source| ValueError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut text = String::new();
        io::Read::read_to_string(&mut file, &mut text).map_err(io)?;
        let (games, length) = parse(&text).map_err(|line| ValueError::Games { path: path.to_owned(), line })?;
        file.set_len(length as u64).and_then(|()| io::Seek::seek(&mut file, io::SeekFrom::End(0))).map_err(io)?;
        Ok((Self(file), games))
    }

    /// Adds a game, onto the disk.
    pub(super) fn add(&mut self, game: &Game) -> io::Result<()> {
        self.0.write_all(text(game).as_bytes())?;
        self.0.sync_data()
    }
}

/// The first words of the first and of the last line of a game.
const GAME: &str = "game";
const END: &str = "end";
/// The marks of boards that are no positions of the game.
const RAISED: &str = "+";
const SLID: &str = "/";
/// What stands for the value of a position that was not searched.
const UNKNOWN: &str = "-";

fn text(game: &Game) -> String {
    let Game { number, score, seconds, end, positions, raised, slides } = game;
    let mut text = format!("{GAME} {number} score {score} seconds {seconds:.3}\n");
    for (board, value) in positions {
        let value = value.map_or(UNKNOWN.to_owned(), |value| value.to_string());
        let _ = writeln!(text, "{} {value}", cells(*board));
    }
    for (mark, boards) in [(RAISED, raised), (SLID, slides)] {
        for (board, value) in boards {
            let _ = writeln!(text, "{mark}{} {value}", cells(*board));
        }
    }
    let _ = writeln!(text, "{END} {}", cells(*end));
    text
}

/// One character for each cell: its exponent.
fn cells(board: Board) -> String {
    board.exponents().iter().filter_map(|&exponent| char::from_digit(exponent.into(), 18)).collect()
}

fn board(text: &str) -> Option<Board> {
    let mut cells = Cell::all();
    let board = text.chars().try_fold(Board::EMPTY, |board, character| {
        let exponent = character.to_digit(18)?;
        Some(board.with(cells.next()?, Tile::from_exponent(exponent as u8)))
    });
    board.filter(|_| cells.next().is_none())
}

/// The complete games of a text, and where the last of them ends; or the number of the first line that is not understood, if
/// complete games follow it.
fn parse(text: &str) -> Result<(Vec<Game>, usize), usize> {
    let (mut games, mut end, mut at) = (Vec::new(), 0, 0);
    let (mut current, mut wrong) = (None, None);
    for (line, number) in text.split_inclusive('\n').take_while(|line| line.ends_with('\n')).zip(1..) {
        at += line.len();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&GAME) && current.take().is_some() {
            // The game before has no end.
            wrong = wrong.or(Some(number));
        }
        if add_line(&words, &mut current).is_none() {
            (wrong, current) = (wrong.or(Some(number)), None);
        } else if words.first() == Some(&END) {
            if let Some(line) = wrong {
                return Err(line);
            }
            games.extend(current.take());
            end = at;
        }
    }
    Ok((games, end))
}

/// Begins a game with a line or adds one to it; `None` where the line is not understood.
fn add_line(words: &[&str], current: &mut Option<Game>) -> Option<()> {
    match (words, &mut *current) {
        ([GAME, number, "score", score, "seconds", seconds], None) => {
            let (score, seconds) = (score.parse().ok()?, seconds.parse().ok()?);
            *current = Some(Game { score, seconds, ..Game::new(number.parse().ok()?) });
        }
        ([END, cells], Some(game)) => game.end = board(cells)?,
        ([cells, value], Some(game)) => match (cells.strip_prefix(RAISED), cells.strip_prefix(SLID)) {
            (Some(cells), _) => game.raised.push((board(cells)?, value.parse().ok()?)),
            (_, Some(cells)) => game.slides.push((board(cells)?, value.parse().ok()?)),
            _ if *value == UNKNOWN => game.positions.push((board(cells)?, None)),
            _ => game.positions.push((board(cells)?, Some(value.parse().ok()?))),
        },
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use afterstate_game::{Bound, Effort, MoveValue, NoLegalMove};

    use super::*;

    fn game(number: u32) -> Game {
        let board = Board::from_nibbles(0x0123_4567_89ab_cdef);
        let large = board.with(Cell::all().next().unwrap(), Some(Tile::MAX));
        let positions = vec![(board, Some(1.25)), (board, None), (large, Some(-3e-7))];
        let (raised, slides) = (vec![(large, 7.0)], vec![(large, 2.0), (board, 3.5)]);
        Game { number, score: 12, seconds: 0.5, end: large, positions, raised, slides }
    }

    #[test]
    fn games_are_read_back_and_an_unfinished_one_is_cut_off() {
        let path = std::env::temp_dir().join(format!("afterstate-games-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut file, games) = GameFile::open(&path).unwrap();
        assert!(games.is_empty());
        (0..2).for_each(|number| file.add(&game(number)).unwrap());
        let whole = std::fs::read(&path).unwrap();
        for cut in [whole.len() - 1, whole.len() - 30, whole.len() / 2 + 1] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut file, games) = GameFile::open(&path).unwrap();
            assert_eq!(games, [game(0)]);
            file.add(&game(5)).unwrap();
            assert_eq!(GameFile::open(&path).unwrap().1, [game(0), game(5)]);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_wrong_line_before_complete_games_is_an_error_and_nothing_is_cut_off() {
        let path = std::env::temp_dir().join(format!("afterstate-games-wrong-{}", std::process::id()));
        let one = text(&game(0));
        let lines = one.lines().count();
        for (from, to, line) in [("game 0", "gane 0", 1), (" 1.25", " 1.2s", 2), ("end ", "and ", 8)] {
            let whole = [one.replacen(from, to, 1).as_str(), &one, &text(&game(2))].concat();
            std::fs::write(&path, &whole).unwrap();
            let error = GameFile::open(&path).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(&format!("line {line} is not understood")), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        // Two programs that wrote at once: a game begins within another one.
        let (head, rest) = one.split_at(one.find('\n').unwrap() + 1);
        let mixed = [head, &text(&game(1)), rest].concat();
        std::fs::write(&path, &mixed).unwrap();
        let error = GameFile::open(&path).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("line 2 is not understood"), "{error}");
        // Nothing complete follows: only the last game is lost.
        std::fs::write(&path, [&one, one.replacen("end ", "and ", 1).as_str()].concat()).unwrap();
        assert_eq!(GameFile::open(&path).unwrap().1, [game(0)]);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), lines);
        std::fs::remove_file(&path).unwrap();
    }

    /// Judges positions with several moves and plays the only one of others, as players do that search.
    struct Unforced;

    impl Player<State> for Unforced {
        fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<Direction>, NoLegalMove> {
            match task.position().moves().as_slice() {
                &[only] => Ok(Decision::unsearched(only, [only])),
                moves => Decision::from_values(moves.iter().map(|&mv| MoveValue::exact(mv, 1.0)).collect())
                    .ok_or(NoLegalMove),
            }
        }

        fn start_game(&mut self, _seed: u64) {}
    }

    #[test]
    fn a_forced_move_without_a_search_is_not_the_end_of_a_game() {
        let mut unsearched = 0;
        for seed in 0..20 {
            let game = play(&mut Unforced, 0, seed, Wanted::default(), &Stop::new()).unwrap();
            assert_eq!(State(game.end).count_moves(), 0, "{}", game.end);
            unsearched += game.positions.iter().filter(|(_, value)| value.is_none()).count();
        }
        assert!(unsearched > 0);
    }

    #[test]
    fn boards_after_slides_are_worth_what_the_search_says_less_the_points_of_the_slide() {
        let state = State(Board::from_nibbles(0x11));
        let judged = |mv, value| MoveValue { mv, value, bound: Bound::Exact, visits: None, half_width: None };
        let values = [(Direction::Left, Some(10.0)), (Direction::Down, Some(3.0)), (Direction::Right, None)];
        let moves = values.map(|(mv, value)| judged(mv, value)).to_vec();
        let (effort, time) = (Effort::default(), Duration::ZERO);
        let decision = Decision { best: Direction::Left, moves, line: Vec::new(), depth: 1, effort, time };
        let [merged, down] = [Direction::Left, Direction::Down].map(|slide| state.0.slide(slide).board);
        let kept = |points| slides(state, &decision, points).collect::<Vec<_>>();
        assert_eq!(kept(true), [(merged, 6.0), (down, 3.0)]);
        assert_eq!(kept(false), [(merged, 10.0), (down, 3.0)]);
    }

    #[test]
    fn raised_tiles_keep_the_shape_of_a_board() {
        let board = Board::from_nibbles(0x0000_0310_0210_0001);
        let mut dice = Dice::seeded(1);
        for _ in 0..50 {
            let higher = raised(board, &mut dice);
            assert!(higher.max_tile().unwrap().value() <= 32768 && higher != board);
            assert_eq!(higher.count_empty(), board.count_empty());
            assert_eq!(higher.count_distinct(), board.count_distinct());
        }
        let full = Board::from_nibbles(0xf1);
        assert_eq!(raised(full, &mut dice), full);
    }
}
