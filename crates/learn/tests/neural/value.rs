//! The loop of playing and learning: resumed in the middle, stopped by a bad loss, kept apart from other trainings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use afterstate_game::{Decision, Evaluation, MoveValue, NoLegalMove, Player, Position, Stop, Task};
use afterstate_learn::neural::value::{Event, MakePlayer, ValueError, ValueSettings, ValueTraining};
use afterstate_learn::neural::{Asked, Design, Device, NeuralValue, Precision, RateFrom, StoredNetwork};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::Empty;

/// Judges the afterstates and nothing else.
struct Glance<E>(E, f64);

impl<E: Evaluation<State>> Player<State> for Glance<E> {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<<State as Position>::Move>, NoLegalMove> {
        let state = task.position();
        let value = |mv| f64::from(self.0.afterstate(&state.play_unchecked(mv).afterstate)) * self.1;
        let values = state.moves().into_iter().map(|mv| MoveValue::exact(mv, value(mv))).collect();
        Decision::from_values(values).ok_or(NoLegalMove)
    }

    fn start_game(&mut self, _seed: u64) {}
}

/// Gives up before the first move.
struct Mute;

impl Player<State> for Mute {
    fn decide(&mut self, _task: Task<'_, State>) -> Result<Decision<<State as Position>::Move>, NoLegalMove> {
        Err(NoLegalMove)
    }

    fn start_game(&mut self, _seed: u64) {}
}

/// Players by name: `empty`, `endless` (whose values are no numbers), `mute`, or the file of a network.
fn make(spec: &str) -> Result<Box<dyn Player<State>>, String> {
    match spec {
        "empty" => Ok(Box::new(Glance(Empty, 1000.0))),
        "mute" => Ok(Box::new(Mute)),
        "endless" => Ok(Box::new(Glance(Empty, f64::INFINITY))),
        _ => {
            let file = spec.strip_prefix("network ").ok_or("no such player")?;
            let network = NeuralValue::load(Path::new(file), Precision::Float32).map_err(|error| error.to_string())?;
            Ok(Box::new(Glance(Asked::<false> { network: Arc::new(network), averaged: false }, 1.0)))
        }
    }
}

fn settings(teacher: &str) -> ValueSettings {
    let text = format!(
        "network = {{ encoding = \"one-hot\", layers = [{{ kind = \"dense\", units = 4, activation = \"relu\" }}, \
         {{ kind = \"dense\", units = 1 }}] }}\nteacher = \"{teacher}\"\nplayer = \"network NETWORK\"\ngames = [6, 3]\n\
         iterations = 2\nvalidation = 0.3\nhigh-tiles = 0.2\nwindow = 2\npoints = true\n\
         lambda = [0.0, 0.7]\ncheck = \"empty\"\ncheck-positions = 5\n\
         pretraining = {{ epochs = 2 }}\ntraining = {{ epochs = 3, patience = 2 }}"
    );
    ValueSettings::from_toml(&text).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("afterstate-value-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Plays on when its device fails, as a network does whose place the processor takes.
struct Faulty<'a> {
    player: Box<dyn Player<State>>,
    /// The moves until the device fails, for all players.
    left: &'a AtomicUsize,
}

impl Player<State> for Faulty<'_> {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<<State as Position>::Move>, NoLegalMove> {
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        self.player.decide(task)
    }

    fn start_game(&mut self, seed: u64) {
        self.player.start_game(seed);
    }
}

/// Runs in a folder until it is done or `most` events were seen; says how many there were.
fn run(folder: &Path, settings: &ValueSettings, threads: usize, most: usize) -> Result<usize, ValueError> {
    let make: &MakePlayer<'_> = &make;
    let training = ValueTraining::open(settings.clone(), folder, threads, "test", make)?;
    let (stop, mut seen) = (Stop::new(), 0);
    training.run(&stop, &mut |_: &Event| {
        seen += 1;
        if seen >= most {
            stop.raise();
        }
    })?;
    Ok(seen)
}

/// Everything that must not depend on interruptions and threads. Games carry times.
fn result(folder: &Path) -> (Vec<StoredNetwork>, Vec<String>) {
    let network = |index| StoredNetwork::load(&folder.join(format!("network-{index}.safetensors"))).unwrap();
    let table = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    ((0..3).map(network).collect(), ["epochs.csv", "checks.csv"].map(table).to_vec())
}

#[test]
fn a_training_that_is_interrupted_anywhere_ends_like_one_that_is_not() {
    let (whole, pieces) = (folder("whole"), folder("pieces"));
    let settings = settings("empty");
    run(&whole, &settings, 1, usize::MAX).unwrap();
    let mut interruptions = 0;
    while let Err(error) = run(&pieces, &settings, 2, 5) {
        assert!(matches!(error, ValueError::Interrupted), "{error}");
        interruptions += 1;
        assert!(interruptions < 30);
    }
    assert!(interruptions >= 3);
    assert!(result(&whole) == result(&pieces));
    let scores = std::fs::read_to_string(whole.join("scores.csv")).unwrap();
    assert_eq!(scores.lines().count(), 4, "{scores}");

    let mut other = settings.clone();
    other.seed = 2;
    let error = run(&whole, &other, 1, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("holds a training with other settings"), "{error}");
    let more = ValueSettings { iterations: 3, ..settings };
    run(&whole, &more, 1, usize::MAX).unwrap();
    assert!(whole.join("network-3.safetensors").exists());
    std::fs::write(whole.join("network-3.safetensors"), b"x").unwrap();
    std::fs::remove_file(whole.join("games-3.txt")).unwrap();
    let error = run(&whole, &more, 1, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("network-3.safetensors is damaged"), "{error}");
    [whole, pieces].iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
}

/// The device works for this many moves of the network's player, then it fails.
fn run_with_device(folder: &Path, settings: &ValueSettings, moves: usize) -> Result<(), ValueError> {
    static LEFT: AtomicUsize = AtomicUsize::new(0);
    LEFT.store(moves, Ordering::Relaxed);
    let make = |spec: &str| -> Result<Box<dyn Player<State>>, String> {
        let player = make(spec)?;
        Ok(if spec.starts_with("network ") { Box::new(Faulty { player, left: &LEFT }) } else { player })
    };
    let failure = || (LEFT.load(Ordering::Relaxed) == 0).then(|| "it fell off the bus".to_owned());
    let training = ValueTraining::open(settings.clone(), folder, 2, "test", &make)?.on(Device::Cpu, &failure);
    training.run(&Stop::new(), &mut |_: &Event| ())
}

#[test]
fn a_device_that_fails_ends_the_training_and_what_it_played_before_counts() {
    let (whole, broken) = (folder("device-whole"), folder("device-broken"));
    let settings = settings("empty");
    run(&whole, &settings, 1, usize::MAX).unwrap();
    let games = |name: &str| std::fs::read_to_string(broken.join(name)).unwrap().matches("game ").count();
    let mut failures = 0;
    // A device that lasts a little longer each time, until it lasts to the end.
    while let Err(error) = run_with_device(&broken, &settings, 1 + 150 * failures) {
        let ValueError::DeviceFailed { iteration: 1 | 2, .. } = &error else { panic!("{error}") };
        assert!(
            error.to_string().contains(": it fell off the bus; the games that ended before are kept in"),
            "{error}"
        );
        assert!(failures > 0 || games("games-1.txt") == 0, "no move was played on the device");
        failures += 1;
        assert!(failures < 30);
    }
    assert!(failures >= 3, "{failures} failures");
    assert!(result(&whole) == result(&broken));
    [whole, broken].iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
}

#[test]
fn a_loss_that_is_no_number_stops_and_keeps_the_last_state() {
    let folder = folder("diverged");
    let error = run(&folder, &settings("endless"), 1, usize::MAX).unwrap_err();
    let ValueError::Diverged { iteration: 0, epoch: 1, kept, .. } = &error else { panic!("{error}") };
    assert!(
        error.to_string().starts_with("training of iteration 0, epoch 1: the loss is no longer a number"),
        "{error}"
    );
    assert!(kept.exists() && folder.join("network-0.safetensors").exists());
    assert!(!folder.join("network-1.safetensors").exists());
    let error = run(&folder, &settings("nobody"), 1, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("holds a training with other settings"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
    let error = run(&folder, &settings("nobody"), 1, usize::MAX).unwrap_err().to_string();
    assert_eq!(error, "the player `nobody`: no such player");
    assert!(!folder.exists(), "a wrong spec leaves nothing behind that the right one would trip over");
}

#[test]
fn a_training_begins_with_a_network_of_its_own_kind() {
    let (first, second) = (folder("first"), folder("second"));
    let settings = settings("empty");
    run(&first, &settings, 1, usize::MAX).unwrap();
    let start = first.join("network-2.safetensors");
    let begun = |change: fn(&mut ValueSettings)| {
        let mut settings = ValueSettings { start: start.clone(), ..settings.clone() };
        change(&mut settings);
        run(&second, &settings, 1, usize::MAX).map_err(|error| error.to_string())
    };
    let design = begun(|settings| settings.network = Design::built_in("fc").unwrap()).unwrap_err();
    assert!(design.contains("network-2.safetensors has another design than the settings say"), "{design}");
    let scale = begun(|settings| settings.scale = 7.0).unwrap_err();
    assert!(scale.contains("has another scale"), "{scale}");
    assert!(!second.exists());

    // A rate of nearly nothing learns nearly nothing: the network is still the one it began with.
    begun(|settings| {
        settings.pretraining.epochs = 0;
        settings.training.rates = vec![RateFrom { from: 0, rate: 1e-9 }];
    })
    .unwrap();
    let [start, learned] =
        [start, second.join("network-1.safetensors")].map(|path| StoredNetwork::load(&path).unwrap());
    let pairs = start.network.weights().iter().zip(learned.network.weights());
    assert!(pairs.map(|(before, after)| (before - after).abs()).fold(0.0, f32::max) < 1e-4);
    [first, second].iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
}

#[test]
fn games_without_positions_are_an_error_and_nothing_is_written() {
    let folder = folder("mute");
    let error = run(&folder, &settings("mute"), 1, usize::MAX).unwrap_err();
    assert!(matches!(error, ValueError::NoExamples { iteration: 0 }), "{error}");
    assert_eq!(error.to_string(), "the games of iteration 0 hold no position to learn from");
    let networks = std::fs::read_dir(&folder).unwrap().flatten();
    assert!(networks.map(|entry| entry.path()).all(|path| path.extension().is_none_or(|it| it != "safetensors")));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The weights of the first three networks of a run.
fn networks(name: &str, settings: &ValueSettings) -> Vec<Vec<f32>> {
    let folder = folder(name);
    run(&folder, settings, 1, usize::MAX).unwrap();
    let network = |index| StoredNetwork::load(&folder.join(format!("network-{index}.safetensors"))).unwrap();
    let weights = (1..4).map(|index| network(index).network.weights().to_vec()).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    weights
}

#[test]
fn a_window_takes_the_games_of_the_last_iterations_and_lambda_holds_for_its_own() {
    let one = ValueSettings { iterations: 3, window: 1, lambda: vec![0.0, 0.5], ..settings("empty") };
    let with = |window, lambda: &[f32]| ValueSettings { window, lambda: lambda.to_vec(), ..one.clone() };
    let [first, second, third] = &networks("window-1", &one)[..] else { panic!("three networks") };
    let two = networks("window-2", &with(2, &[0.0, 0.5]));
    assert!(two[0] == *first && two[1] != *second);
    let all = networks("window-9", &with(9, &[0.0, 0.5]));
    assert!(all[..2] == two[..2] && all[2] != two[2]);
    let later = networks("lambda", &with(1, &[0.0, 0.5, 1.0]));
    assert!(later[0] == *first && later[1] == *second && later[2] != *third);
}

#[test]
fn the_settings_that_are_shipped_are_settings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trainings/dietenberger/value");
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 7);
    for file in files {
        let read = ValueSettings::from_toml(&std::fs::read_to_string(&file).unwrap());
        assert!(read.is_ok(), "{}: {}", file.display(), read.unwrap_err());
    }
}
