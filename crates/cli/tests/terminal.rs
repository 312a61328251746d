//! The live boards, driven in a real terminal through tmux. Without tmux these tests say so and pass; `cargo xtask test`
//! installs it, or counts them as skipped.

use std::process::Command;
use std::time::{Duration, Instant};

/// A terminal of 80 by 30 characters that runs one command. Ends with the test.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn run(name: &str, arguments: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: tmux is not installed");
            return None;
        }
        let terminal = Self { socket: format!("afterstate-test-{}-{name}", std::process::id()) };
        let program = assert_cmd::cargo::cargo_bin!("afterstate").display().to_string();
        // The shell stays after the program has ended, so that its last words can be read.
        let command = format!("{program} {arguments}; echo exit code $?; sleep 60");
        terminal.tmux(&["new-session", "-d", "-x", "80", "-y", "30", &command]);
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the screen contains `text`, and gives the screen.
    fn wait_for(&self, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if screen.contains(text) {
                return screen;
            }
            assert!(Instant::now() < deadline, "`{text}` never appeared; the screen shows:\n{screen}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn a_person_plays_takes_back_asks_and_leaves() {
    let Some(terminal) = Terminal::run("human", "play 2048 --agent human --seed 1 --hint greedy") else { return };
    terminal.wait_for("move 0");
    // With this seed each of these changes the board.
    terminal.press(&["Left", "Up", "d", "s"]);
    let screen = terminal.wait_for("move 4");
    assert!(screen.contains("score"));
    terminal.press(&["h"]);
    terminal.wait_for("<- best");
    for _ in 0..4 {
        terminal.press(&["u"]);
    }
    terminal.wait_for("move 0");
    terminal.press(&["q"]);
    terminal.wait_for("exit code 0");
}

#[test]
fn a_game_can_be_watched_to_its_end() {
    let file = std::env::temp_dir().join(format!("afterstate-watched-{}", std::process::id()));
    let record = file.display();
    let arguments = format!("play 2048 --agent random --watch --speed 100000 --seed 1 --record {record}");
    let Some(terminal) = Terminal::run("watch", &arguments) else { return };
    terminal.wait_for("exit code 0");
    let text = std::fs::read(&file).expect("a record");
    let records: Result<Vec<_>, _> = afterstate_twenty48::Records::new(&text[..]).collect();
    assert_eq!(records.expect("every record replays").len(), 1);
    std::fs::remove_file(&file).expect("the record can go");
}

#[test]
fn an_agent_that_thinks_long_can_be_left() {
    let spec = "'expectimax(depth=100)'";
    for (key, code) in [("q", "exit code 0"), ("C-c", "exit code 130")] {
        let arguments = format!("play 2048 --agent {spec} --watch --seed 1");
        let Some(terminal) = Terminal::run(&format!("think-{code}").replace(' ', "-"), &arguments) else { return };
        terminal.wait_for("move 0");
        terminal.press(&[key]);
        terminal.wait_for(code);
        let arguments = format!("play 2048 --agent human --hint {spec} --seed 1");
        let Some(terminal) = Terminal::run(&format!("hint-{code}").replace(' ', "-"), &arguments) else { return };
        terminal.wait_for("move 0");
        terminal.press(&["h"]);
        terminal.wait_for("thinking");
        terminal.press(&[key]);
        terminal.wait_for(code);
    }
}

#[test]
fn watching_can_be_interrupted() {
    let Some(terminal) = Terminal::run("interrupt", "play 2048 --agent random --watch --speed 5 --seed 1") else {
        return;
    };
    terminal.wait_for("move 1");
    terminal.press(&["q"]);
    terminal.wait_for("exit code");
}

#[test]
fn a_long_error_goes_on_between_words() {
    let Some(terminal) = Terminal::run("error", "play 2048 --agent nobody") else { return };
    let screen = terminal.wait_for("exit code 2");
    assert!(screen.contains("\n       ") && screen.contains(" maqsood/exp6-listing,"), "{screen}");
}
