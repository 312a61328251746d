//! `afterstate drive`: playing somebody else's 2048 page.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use afterstate_drive::{BrowserKind, DriveError, DriveEvent, DriveSettings, DrivenGame, Window};
use afterstate_twenty48::State;
use clap::Args;

use crate::failure::Failure;
use crate::interrupt;
use crate::number::{decimal, whole_number};
use crate::output::tell;
use crate::record::RecordFile;

#[derive(Debug, Args)]
pub(crate) struct DriveArgs {
    /// The page; it has to follow the markup of the original game
    #[arg(long)]
    url: String,
    /// Who decides (see `afterstate agents 2048`)
    #[arg(long, short, value_name = "SPEC", default_value = "xiao")]
    agent: String,
    /// The browser: chrome or firefox
    #[arg(long, default_value = "chrome")]
    browser: BrowserKind,
    /// Work without a window; this is also what happens where there is no display
    #[arg(long)]
    headless: bool,
    /// Moves per second at most; 0 for as many as possible
    #[arg(long, value_name = "MOVES", default_value_t = 0.0, value_parser = decimal::<f64>)]
    speed: f64,
    /// How many games
    #[arg(long, short = 'n', default_value_t = 1, value_parser = whole_number::<u32>(1..=u32::MAX.into()))]
    games: u32,
    /// End a game after so many moves
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u32>(0..=u32::MAX.into()))]
    max_moves: Option<u32>,
    /// Append the games here
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The seed of an agent that draws random numbers
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: u64,
}

/// Plays on the page and says what it sees.
pub(crate) fn run(out: &mut impl Write, args: DriveArgs) -> Result<(), Failure> {
    if args.speed.is_nan() || args.speed < 0.0 {
        let reason = "expected moves per second, or 0 for as many as possible";
        return Err(Failure::input(format!("--speed {}: {reason}", args.speed)));
    }
    afterstate_players::canonical::<State>(&args.agent).map_err(Failure::input)?;
    let mut record = RecordFile::open(args.record.as_deref())?;
    let stop = interrupt::stop_on_ctrl_c()?;
    let no_display = std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none();
    let settings = DriveSettings {
        window: if args.headless || no_display { Window::Headless } else { Window::Shown },
        url: args.url,
        agent: args.agent,
        browser: args.browser,
        speed: Some(args.speed),
        games: args.games,
        max_moves: args.max_moves,
        seed: args.seed,
    };
    let driven = afterstate_drive::drive(&settings, &stop, &mut |event| say(&event));
    let (games, error) = match driven {
        Ok(games) => (games, None),
        Err(failure) => (failure.games, Some(failure.error)),
    };
    for game in &games {
        summarise(out, game)?;
        record.append(&game.record.to_string());
    }
    record.finish()?;
    match error {
        Some(error) if matches!(*error, DriveError::Agent(_)) => Err(Failure::input(error)),
        Some(error) => Err(Failure::World(error.to_string())),
        None => interrupt::report(games.iter().filter(|game| game.is_over).count() as u64, u64::from(settings.games)),
    }
}

/// What happens goes to standard error; a terminal gets the board as it changes.
fn say(event: &DriveEvent<'_>) {
    match event {
        DriveEvent::Opened(sight) => tell!("the page shows {}", sight.board),
        DriveEvent::Moved(mv, sight) if io::stderr().is_terminal() => {
            let score = sight.score.map_or_else(String::new, |score| format!("  score {score}"));
            let _ = write!(io::stderr(), "\r\x1b[K{mv:5} {}{score}", sight.board);
        }
        DriveEvent::Moved(..) => {}
        DriveEvent::KeptPlaying => tell!("\r\x1b[K2048 is reached; playing on"),
        DriveEvent::GameOver(_) => tell!(""),
    }
}

fn summarise(out: &mut impl Write, game: &DrivenGame) -> Result<(), Failure> {
    let moves = game.record.plies().len();
    let seconds = game.time.as_secs_f64();
    writeln!(
        out,
        "{}  {moves} moves, {} points, largest tile {}, {:.1} moves/s",
        if game.is_over { "over     " } else { "unfinished" },
        game.score.unwrap_or_else(|| game.record.score()),
        game.largest_tile(),
        moves as f64 / seconds.max(1e-9)
    )?;
    Ok(())
}
