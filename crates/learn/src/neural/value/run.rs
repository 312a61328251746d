//! The loop: play, learn, play again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use afterstate_game::{Dice, Evaluation, Player, Stop, derive_seed};
use afterstate_twenty48::eval::{Dietenberger, Tabled};
use afterstate_twenty48::{Board, State};

use super::check::{self, CheckRow};
use super::error::ValueError;
use super::games::{self, Game, GameFile, Wanted};
use super::report::{Epoch, Scores, Stage};
use super::settings::{NETWORK, ValueSettings};
use super::targets::{Boards, lessons};
use crate::neural::file::write_whole;
use crate::neural::fit::{Examples, Fit, FitSettings};
use crate::neural::{Device, FitError, Network, Origin, StoredNetwork, Trainer};

/// Makes a player from a spec; this room knows no specs.
pub type MakePlayer<'a> = dyn Fn(&str) -> Result<Box<dyn Player<State>>, String> + Sync + 'a;

/// Says why the device of a player has failed, if it has. A player itself only finds moves.
pub type DeviceFailure<'a> = dyn Fn() -> Option<String> + Sync + 'a;

/// A training in its folder.
pub struct ValueTraining<'a> {
    settings: ValueSettings,
    folder: PathBuf,
    threads: usize,
    device: Device,
    command: String,
    make: &'a MakePlayer<'a>,
    failure: &'a DeviceFailure<'a>,
}

/// How often games under way are asked whether they should end.
const POLL: Duration = Duration::from_millis(20);

/// Games that are played at once on a GPU, one thread each: they mostly wait for it, and it judges what all of them hand in.
const GAMES_ON_GPU: usize = 512;

/// What a watcher is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A game ended.
    Game {
        /// The iteration; 0 is the teacher's.
        iteration: u32,
        /// How many of its games are played.
        played: usize,
        /// How many there will be.
        of: u32,
        /// The score of this one.
        score: u64,
    },
    /// All games of an iteration are played.
    Played(Scores),
    /// An epoch ended.
    Epoch(Epoch),
    /// A network was written.
    Network(PathBuf),
    /// A comparison with a deeper search.
    Checked(CheckRow),
}

impl<'a> ValueTraining<'a> {
    /// A training in this folder, which is made if it is not there; a training that lies there goes on.
    pub fn open(
        settings: ValueSettings,
        folder: &Path,
        threads: usize,
        command: &str,
        make: &'a MakePlayer<'a>,
    ) -> Result<Self, ValueError> {
        let (folder, threads, device) = (folder.to_owned(), threads.max(1), Device::Cpu);
        let training = Self { settings, folder, threads, device, command: command.to_owned(), make, failure: &|| None };
        training.check_settings()?;
        // A wrong spec or file is found before the first game, not after hours.
        training.first_network()?;
        training.player(&training.settings.teacher)?;
        if !training.settings.check.is_empty() {
            training.player(&training.settings.check)?;
        }
        training.keep_settings()?;
        Ok(training)
    }

    /// The same training on a device: there the network is fitted, and there its player asks it (by `device=cuda` behind the
    /// network's file in its spec). The teacher stays where it is. When `failure` says that the device has failed, the training
    /// ends: what is played from then on is not learned from.
    #[must_use]
    pub fn on(self, device: Device, failure: &'a DeviceFailure<'a>) -> Self {
        Self { device, failure, ..self }
    }

    /// The folder must be new or hold these settings, except that more iterations may be asked for.
    fn check_settings(&self) -> Result<(), ValueError> {
        let path = self.settings_file();
        let iterations = self.settings.iterations;
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let there = ValueSettings::from_toml(&text).map(|there| ValueSettings { iterations, ..there });
                if there.as_ref() == Ok(&self.settings) {
                    return Ok(());
                }
                Err(ValueError::OtherTraining { folder: self.folder.clone() })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(ValueError::Io { path, source }),
        }
    }

    fn keep_settings(&self) -> Result<(), ValueError> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder).map_err(|source| ValueError::Io { path: folder.clone(), source })?;
        let text = toml::to_string(&self.settings).unwrap_or_default();
        Ok(write_whole(&self.settings_file(), text.as_bytes())?)
    }

    fn settings_file(&self) -> PathBuf {
        self.folder.join("settings.toml")
    }

    /// Plays and learns until all iterations are done, or `stop` is raised.
    pub fn run(&self, stop: &Stop, observe: &mut dyn FnMut(&Event)) -> Result<(), ValueError> {
        let (mut scores, mut window) = (Vec::new(), VecDeque::new());
        for iteration in 0..=self.settings.iterations {
            let games = self.games(iteration, stop, observe)?;
            scores.push(Scores::new(iteration, &games));
            let rows = scores.iter().map(Scores::csv);
            self.table("scores.csv", Scores::CSV_HEADER, rows)?;
            observe(&Event::Played(scores[scores.len() - 1].clone()));
            self.check(iteration, &games, stop, observe)?;
            if iteration < self.settings.iterations {
                window.push_back((iteration, games));
                if window.len() > self.settings.window as usize {
                    window.pop_front();
                }
                self.learn(iteration, window.make_contiguous(), stop, observe)?;
            }
        }
        Ok(())
    }

    /// The network that an iteration plays with; for 0 the pretrained one, with which nobody plays.
    #[must_use]
    pub fn network_file(&self, iteration: u32) -> PathBuf {
        self.folder.join(format!("network-{iteration}.safetensors"))
    }

    fn table(&self, name: &str, header: &str, rows: impl Iterator<Item = String>) -> Result<(), ValueError> {
        let text: String = [header.to_owned()].into_iter().chain(rows).map(|row| row + "\n").collect();
        Ok(write_whole(&self.folder.join(name), text.as_bytes())?)
    }

    fn player(&self, spec: &str) -> Result<Box<dyn Player<State>>, ValueError> {
        (self.make)(spec).map_err(|reason| ValueError::Player { spec: spec.to_owned(), reason })
    }

    fn spec(&self, iteration: u32) -> String {
        let network = self.network_file(iteration).display().to_string();
        match (iteration, self.device) {
            (0, _) => self.settings.teacher.clone(),
            (_, Device::Cpu) => self.settings.player.replace(NETWORK, &network),
            (_, Device::Cuda) => self.settings.player.replace(NETWORK, &format!("{network}, device=cuda")),
        }
    }

    /// How many games of an iteration are played at once.
    fn at_once(&self, iteration: u32) -> usize {
        if iteration > 0 && self.device == Device::Cuda { GAMES_ON_GPU } else { self.threads }
    }

    /// The games of an iteration, in the order of their numbers; those that are missing are played.
    fn games(&self, iteration: u32, stop: &Stop, observe: &mut dyn FnMut(&Event)) -> Result<Vec<Game>, ValueError> {
        let path = self.folder.join(format!("games-{iteration}.txt"));
        let io = |source| ValueError::Io { path: path.clone(), source };
        let (mut file, mut games) = GameFile::open(&path)?;
        let of = self.settings.games_of(iteration);
        let missing: Vec<u32> = (0..of).filter(|number| games.iter().all(|game| game.number != *number)).collect();
        let players: Vec<_> = (0..self.at_once(iteration).min(missing.len()))
            .map(|_| self.player(&self.spec(iteration)))
            .collect::<Result<_, _>>()?;
        self.play(iteration, &missing, players, stop, |game| {
            file.add(&game).map_err(io)?;
            let score = game.score;
            games.push(game);
            observe(&Event::Game { iteration, played: games.len(), of, score });
            Ok(())
        })?;
        if games.len() < of as usize {
            return Err(ValueError::Interrupted);
        }
        games.sort_unstable_by_key(|game| game.number);
        games.truncate(of as usize);
        Ok(games)
    }

    /// Plays games of an iteration, as many at once as there are players, until all are over, somebody raises the flag, or the
    /// device fails.
    fn play(
        &self,
        iteration: u32,
        numbers: &[u32],
        players: Vec<Box<dyn Player<State>>>,
        stop: &Stop,
        mut keep: impl FnMut(Game) -> Result<(), ValueError>,
    ) -> Result<(), ValueError> {
        let wanted = Wanted {
            raised: if iteration == 0 { self.settings.high_tiles } else { 0.0 },
            slides: self.settings.boards == Boards::Slides,
            points: self.settings.points,
        };
        let (next, halt, failed) = (AtomicUsize::new(0), Stop::new(), OnceLock::new());
        // Asked while a player is there: with the last one, its device goes.
        let fails = || match (self.failure)() {
            Some(reason) => {
                // The first reason is the one that counts.
                let _ = failed.set(reason);
                true
            }
            None => false,
        };
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for mut player in players {
                let (sender, next, halt, fails) = (sender.clone(), &next, &halt, &fails);
                scope.spawn(move || {
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let seed = derive_seed(self.settings.seed, &[GAMES, u64::from(iteration), u64::from(number)]);
                        let Some(game) = games::play(&mut *player, number, seed, wanted, halt) else { return };
                        if fails() || sender.send(game).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut kept = Ok(());
            loop {
                if stop.is_raised() || kept.is_err() || fails() {
                    halt.raise();
                }
                match receiver.recv_timeout(POLL) {
                    Ok(game) if kept.is_ok() => kept = keep(game),
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return kept,
                }
            }
        })?;
        failed.into_inner().map_or(Ok(()), |reason| Err(self.device_failed(iteration, reason)))
    }

    fn device_failed(&self, iteration: u32, reason: String) -> ValueError {
        ValueError::DeviceFailed { iteration, reason, folder: self.folder.clone() }
    }

    /// From the games of an iteration and of those before it to the network of the next.
    fn learn(
        &self,
        iteration: u32,
        games: &[(u32, Vec<Game>)],
        stop: &Stop,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<(), ValueError> {
        if self.network_file(iteration + 1).exists() {
            return Ok(());
        }
        let settings = &self.settings;
        let begin = self.network_file(iteration);
        if iteration == 0 && settings.pretraining.epochs > 0 && !begin.exists() {
            let heuristic = Tabled::new(Dietenberger::default());
            let examples = self.examples(games, |board, _| heuristic.position(&State(board)));
            let network = self.first_network()?;
            self.fit(Stage::Pretraining, iteration, network, &settings.pretraining, &examples, stop, observe)?;
        }
        let network =
            if begin.exists() { StoredNetwork::load_with_outputs(&begin, 1)?.network } else { self.first_network()? };
        let examples = self.examples(games, |_, value| value);
        self.fit(Stage::Training, iteration, network, &settings.training, &examples, stop, observe)
    }

    /// The network before anything is learned.
    fn first_network(&self) -> Result<Network, ValueError> {
        let ValueSettings { start, network, scale, seed, .. } = &self.settings;
        if start.as_os_str().is_empty() {
            return Ok(Network::random(network, &mut Dice::seeded(derive_seed(*seed, &[WEIGHTS]))));
        }
        let stored = StoredNetwork::load_with_outputs(start, 1)?;
        let unlike = |what| Err(ValueError::OtherStart { start: start.clone(), what });
        match stored {
            StoredNetwork { network: first, .. } if first.design() != network => unlike("design"),
            StoredNetwork { scale: other, .. } if other != *scale => unlike("scale"),
            StoredNetwork { network: first, .. } => Ok(first),
        }
    }

    /// Examples to learn from, and examples to validate with: whole games, so that no board is nearly in both. `target` says
    /// what is learned of a board, given what its search and its game say.
    fn examples(&self, games: &[(u32, Vec<Game>)], target: impl Fn(Board, f32) -> f32) -> [Examples; 2] {
        let every =
            if self.settings.validation > 0.0 { (1.0 / self.settings.validation).round() as u32 } else { u32::MAX };
        let mut both = [Examples::default(), Examples::default()];
        for (iteration, games) in games {
            for game in games {
                let examples = &mut both[usize::from(game.number % every.max(2) == every.max(2) - 1)];
                let played = lessons(game, *iteration, &self.settings);
                for (board, value) in played.into_iter().chain(game.raised.iter().copied()) {
                    examples.boards.push(self.settings.copies.first_of(board));
                    examples.targets.push(target(board, value) / self.settings.scale);
                }
            }
        }
        both
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call site for each stage; a struct would be named after this function"
    )]
    fn fit(
        &self,
        stage: Stage,
        iteration: u32,
        network: Network,
        settings: &FitSettings,
        [training, validation]: &[Examples; 2],
        stop: &Stop,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<(), ValueError> {
        if training.boards.is_empty() {
            return Err(ValueError::NoExamples { iteration });
        }
        let kept = self.folder.join("checkpoint.safetensors");
        let label = format!("{stage} {iteration}");
        let mut fit = Fit::load(&kept, network.design(), &label)?.unwrap_or_else(|| Fit::new(network));
        let mut rows = self.earlier_epochs((iteration, stage, fit.epoch()));
        let seed = derive_seed(self.settings.seed, &[ORDER, u64::from(iteration), stage as u64]);
        let (design, copies) = (fit.network.design().clone(), self.settings.copies);
        let examples = [training, validation];
        let mut trainer = Trainer::new(self.device, (&design, settings.batch), examples, copies, self.threads)?;
        if fit.epoch() == 0 {
            fit.save(&kept, &label)?;
        }
        while !fit.is_over(settings) {
            if stop.is_raised() {
                return Err(ValueError::Interrupted);
            }
            let (epoch, rate) = (fit.epoch() + 1, settings.rate(fit.epoch()));
            let losses = trainer.run_epoch(&mut fit, settings, seed).map_err(|error| match error {
                FitError::Diverged(_) => ValueError::Diverged { stage, iteration, epoch, kept: kept.clone() },
                FitError::Device(error) => error.into(),
            })?;
            let (training, validation) = (losses.training, losses.validation);
            rows.push(Epoch { iteration, stage, epoch, rate, training, validation });
            fit.save(&kept, &label)?;
            self.table("epochs.csv", Epoch::CSV_HEADER, rows.iter().map(Epoch::csv))?;
            observe(&Event::Epoch(rows[rows.len() - 1]));
        }
        let path = self.network_file(if stage == Stage::Pretraining { 0 } else { iteration + 1 });
        let notes = rows.iter().filter(|row| row.iteration == iteration).map(Epoch::csv).collect();
        let origin = Origin { command: self.command.clone(), seed: self.settings.seed, notes };
        StoredNetwork { network: fit.into_network(settings), scale: self.settings.scale, origin }.save(&path)?;
        observe(&Event::Network(path));
        Ok(())
    }

    /// The rows of the curve before this moment; a run that was killed may have written one more.
    fn earlier_epochs(&self, (iteration, stage, epoch): (u32, Stage, u32)) -> Vec<Epoch> {
        let text = std::fs::read_to_string(self.folder.join("epochs.csv")).unwrap_or_default();
        let rows = text.lines().filter_map(Epoch::from_csv);
        rows.filter(|row| (row.iteration, row.stage, row.epoch) <= (iteration, stage, epoch)).collect()
    }

    /// Compares with the deeper search: the teacher, and the player that the games are of.
    fn check(
        &self,
        iteration: u32,
        games: &[Game],
        stop: &Stop,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<(), ValueError> {
        let wanted = self.settings.check_positions as usize;
        if self.settings.check.is_empty() || wanted == 0 {
            return Ok(());
        }
        let path = self.folder.join("checks.csv");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut rows: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        if rows.iter().any(|row| row.starts_with(&format!("{iteration},"))) {
            return Ok(());
        }
        if stop.is_raised() {
            return Err(ValueError::Interrupted);
        }
        let boards: Vec<Board> = games.iter().flat_map(|game| game.positions.iter().map(|&(board, _)| board)).collect();
        let boards: Vec<Board> = boards.iter().copied().step_by((boards.len() / wanted).max(1)).take(wanted).collect();
        let mut deep = self.player(&self.settings.check)?;
        let players = [("teacher", self.spec(0)), ("player", self.spec(iteration))];
        for (who, spec) in players.into_iter().take(if iteration == 0 { 1 } else { 2 }) {
            let mut player = self.player(&spec)?;
            let agreement = check::compare(&mut *player, &mut *deep, &boards);
            if let Some(reason) = (self.failure)() {
                return Err(self.device_failed(iteration, reason));
            }
            let row = CheckRow { iteration, who, agreement };
            rows.push(row.csv());
            observe(&Event::Checked(row));
        }
        self.table("checks.csv", CheckRow::CSV_HEADER, rows.into_iter())
    }
}

/// First steps of the paths from which seeds are derived.
const GAMES: u64 = 0;
const WEIGHTS: u64 = 1;
const ORDER: u64 = 2;
