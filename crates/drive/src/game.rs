//! Playing games on a page.

use std::time::{Duration, Instant};

use afterstate_game::{History, Limits, Player, Position, Stop, Task, derive_seed};
use afterstate_players::{build, device_failure};
use afterstate_twenty48::{Direction, Record, State, Tile};

use crate::{Browser, BrowserKind, DriveError, DriveFailure, Message, Page, Sight, Window};

/// What is to be played, where and how.
#[derive(Clone, Debug)]
pub struct DriveSettings {
    /// The page.
    pub url: String,
    /// Who decides.
    pub agent: String,
    /// In which browser.
    pub browser: BrowserKind,
    /// Whether it is seen.
    pub window: Window,
    /// Moves per second at most.
    pub speed: Option<f64>,
    /// How many games.
    pub games: u32,
    /// Moves per game at most.
    pub max_moves: Option<u32>,
    /// The seed of an agent that draws random numbers.
    pub seed: u64,
}

/// A game as far as it was played.
#[derive(Clone, Debug)]
pub struct DrivenGame {
    /// What was played, from the board that was found.
    pub record: Record,
    /// The score that the page shows at the end.
    pub score: Option<u32>,
    /// Whether no move is left.
    pub is_over: bool,
    /// From the first look to the last.
    pub time: Duration,
}

impl DrivenGame {
    /// The largest tile on the last board.
    #[must_use]
    pub fn largest_tile(&self) -> u32 {
        self.record.end().0.max_tile().map_or(0, Tile::value)
    }
}

/// What happens, as it happens.
#[derive(Debug)]
pub enum DriveEvent<'a> {
    /// The page is open and shows this.
    Opened(&'a Sight),
    /// A move was made; the page shows this now.
    Moved(Direction, &'a Sight),
    /// 2048 was reached, and the game goes on.
    KeptPlaying,
    /// A game is over.
    GameOver(&'a DrivenGame),
}

/// How long a page may show no change before the key is pressed again.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
/// How long a page may show what does not follow by the rules: it slides, and its new tile is on the way.
const SPAWN_WITHIN: Duration = Duration::from_secs(6);
/// How often a key is pressed in vain.
const PATIENCE: u32 = 3;

/// Plays on the page that `settings` name, until the games are over, `stop` is raised, or something goes wrong. Opens
/// and closes the browser, and runs a small runtime of its own.
pub fn drive(
    settings: &DriveSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(DriveEvent<'_>),
) -> Result<Vec<DrivenGame>, DriveFailure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| DriveFailure::at_once(DriveError::Browser(error.to_string())))?;
    // An agent that cannot be made needs no browser to say so.
    let mut player = player(settings)?;
    runtime.block_on(async {
        let browser = Browser::open(settings.browser, settings.window).await.map_err(DriveFailure::at_once)?;
        let driven = Drive { browser: &browser, settings, stop, observer }.run(player.as_mut()).await;
        browser.close().await;
        driven
    })
}

/// The same in a browser that is open already, in its present tab.
pub async fn drive_in(
    browser: &Browser,
    settings: &DriveSettings,
    stop: &Stop,
    observer: &mut dyn FnMut(DriveEvent<'_>),
) -> Result<Vec<DrivenGame>, DriveFailure> {
    let mut player = player(settings)?;
    Drive { browser, settings, stop, observer }.run(player.as_mut()).await
}

fn player(settings: &DriveSettings) -> Result<Box<dyn Player<State>>, DriveFailure> {
    build::<State>(&settings.agent).map_err(|error| DriveFailure::at_once(error.into()))
}

/// Games on one page.
struct Drive<'a> {
    browser: &'a Browser,
    settings: &'a DriveSettings,
    stop: &'a Stop,
    observer: &'a mut dyn FnMut(DriveEvent<'_>),
}

impl Drive<'_> {
    async fn run(mut self, player: &mut dyn Player<State>) -> Result<Vec<DrivenGame>, DriveFailure> {
        let mut games = Vec::new();
        match self.play_games(player, &mut games).await {
            Ok(()) => Ok(games),
            Err(error) => Err(DriveFailure { error: Box::new(error), games }),
        }
    }

    async fn play_games(
        &mut self,
        player: &mut dyn Player<State>,
        games: &mut Vec<DrivenGame>,
    ) -> Result<(), DriveError> {
        let Self { browser, settings, stop, .. } = *self;
        let page = Page::open(browser, &settings.url).await?;
        for number in 0..settings.games {
            if number > 0 {
                page.retry().await?;
            }
            player.start_game(derive_seed(settings.seed, &[u64::from(number)]));
            let mut table = Table { page: &page, settings, stop, observer: &mut *self.observer };
            let (game, ended) = table.play(player).await;
            games.extend(game);
            ended?;
            if stop.is_raised() {
                break;
            }
        }
        Ok(())
    }
}

/// One game on a page.
struct Table<'a> {
    page: &'a Page<'a>,
    settings: &'a DriveSettings,
    stop: &'a Stop,
    observer: &'a mut dyn FnMut(DriveEvent<'_>),
}

impl Table<'_> {
    /// Plays a game to its end. What was played is kept even where something went wrong.
    async fn play(&mut self, player: &mut dyn Player<State>) -> (Option<DrivenGame>, Result<(), DriveError>) {
        let started = Instant::now();
        let first = match self.page.look().await {
            Ok(sight) => sight,
            Err(error) => return (None, Err(error)),
        };
        (self.observer)(DriveEvent::Opened(&first));
        let mut record = Record::new(first.state()).by(&self.settings.agent);
        let mut last = first;
        let ended = self.play_on(player, &mut record, &mut last).await;
        let game = DrivenGame {
            is_over: record.end().outcome().is_some(),
            score: last.score,
            record,
            time: started.elapsed(),
        };
        if ended.is_ok() {
            (self.observer)(DriveEvent::GameOver(&game));
        }
        (Some(game), ended)
    }

    async fn play_on(
        &mut self,
        player: &mut dyn Player<State>,
        record: &mut Record,
        last: &mut Sight,
    ) -> Result<(), DriveError> {
        let most = self.settings.max_moves.map_or(usize::MAX, |most| most as usize);
        while !self.stop.is_raised() && record.plies().len() < most {
            let began = Instant::now();
            let history = History::new(record.end());
            let task = Task { history: &history, limits: Limits::NONE, stop: self.stop, observer: &mut |_| {} };
            let Ok(decision) = player.decide(task) else { return Ok(()) };
            if self.stop.is_raised() {
                return Ok(());
            }
            if let Some(reason) = device_failure() {
                return Err(DriveError::DeviceFailed { agent: self.settings.agent.clone(), reason });
            }
            *last = self.make(decision.best, record).await?;
            (self.observer)(DriveEvent::Moved(decision.best, last));
            if last.message == Some(Message::Won) {
                self.keep_playing().await?;
            }
            if let Some(speed) = self.settings.speed.filter(|speed| *speed > 0.0) {
                let pause = Duration::try_from_secs_f64(1.0 / speed).unwrap_or_default();
                tokio::time::sleep(pause.saturating_sub(began.elapsed())).await;
            }
        }
        Ok(())
    }

    async fn keep_playing(&mut self) -> Result<(), DriveError> {
        self.page.keep_playing().await?;
        (self.observer)(DriveEvent::KeptPlaying);
        Ok(())
    }

    /// Presses a key and waits until the page shows the new tile.
    async fn make(&mut self, mv: Direction, record: &mut Record) -> Result<Sight, DriveError> {
        let before = record.end();
        for _ in 0..PATIENCE {
            self.page.press(mv).await?;
            let pressed = Instant::now();
            loop {
                let sight = self.page.look().await?;
                if sight.board == before.0 {
                    if sight.message == Some(Message::Won) {
                        // The message came after the board of the move before, and the key was lost on it.
                        self.keep_playing().await?;
                        break;
                    }
                    if pressed.elapsed() >= ANSWER_WITHIN {
                        break;
                    }
                    continue;
                }
                match record.push_answer(mv, sight.state()) {
                    Ok(()) => return Ok(sight),
                    Err(reason) if pressed.elapsed() >= SPAWN_WITHIN => {
                        return Err(DriveError::Unexpected { board: sight.board.to_string(), reason });
                    }
                    Err(_) => {}
                }
            }
        }
        let waited = ANSWER_WITHIN * PATIENCE;
        Err(DriveError::NoAnswer { mv: mv.name().to_owned(), waited, board: before.0.to_string() })
    }
}
