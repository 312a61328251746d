//! Experiments from the text of a file to their report.

use std::ops::ControlFlow;
use std::path::Path;

use afterstate_lab::experiment::{Experiment, Mixing, Part, Plan, PlannedGames, RunProgress};
use afterstate_lab::export::{self, Form};
use afterstate_lab::report::{Cell, Content, Report};
use afterstate_lab::store::{Merged, Store};
use afterstate_lab::{LabError, Machinery, Provenance, Series as _};

const SOLO: &str = r#"
name = "depths"
title = "Two depths & <chance>"
game = "2048"
games = 12
seed = 7

[[agents]]
name = "random"
spec = "random"

[[agents]]
name = "EXP_{depth}"
spec = "expectimax(eval=empty)"
sweep = { depth = [1, 2] }

[[tables]]
title = "Scores"
measures = ["games", "score", "tile-512", "time-per-move"]

[[figures]]
kind = "bars"
title = "Mean scores"
measure = "score"

[[figures]]
kind = "lines"
title = "Score over depth"
over = "depth"
measure = "score"

[[figures]]
kind = "distribution"
title = "Scores"

[[figures]]
kind = "course"
title = "First games"

[published]
source = "nobody"
games = 50
values."EXP_1" = { score = 1000, tile-512 = 50 }

[profiles.quick]
games = 2
"#;

const DUEL: &str = r#"
name = "triangle"
game = "abalone"
games = 4
pairing = "round-robin"
draws = { repetitions = 3, max_plies = 40, at_limit = "leader-wins" }
openings = { layouts = ["standard", "belgian daisy"] }

[[agents]]
spec = "random"
name = "random"

[[agents]]
name = "AB_{depth}"
spec = "alphabeta(table=off)"
sweep = { depth = [1, 2] }
"#;

fn plan(text: &str, overrides: &[&str]) -> Result<(Experiment, Plan), String> {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let experiment = Experiment::parse(text, &overrides).map_err(|error| error.to_string())?;
    let plan = Plan::new(&experiment, Path::new(".")).map_err(|error| error.to_string())?;
    Ok((experiment, plan))
}

fn run(text: &str, overrides: &[&str], threads: usize) -> Report {
    let (experiment, plan) = plan(text, overrides).expect("an experiment");
    let path = std::env::temp_dir().join(format!(
        "afterstate-experiment-{}-{threads}-{}.db",
        std::process::id(),
        experiment.name
    ));
    let mut store = Store::open(&path).expect("a results file");
    play(&experiment, &plan, &mut store, threads);
    let report = Report::build(&experiment, &plan, &store).expect("a report");
    drop(store);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    report
}

fn play(experiment: &Experiment, plan: &Plan, store: &mut Store, threads: usize) {
    let provenance = Provenance::here("afterstate run test.toml", threads);
    let machinery = Machinery { threads, ..Machinery::default() };
    let (complete, _) = plan
        .run(experiment, store, &provenance, Mixing::Refused, &machinery, |_| ControlFlow::Continue(()))
        .expect("a run");
    assert!(complete);
}

/// The report without what no two runs share: times and the number of threads.
fn comparable(report: &Report) -> String {
    let mut report = report.clone();
    for table in &mut report.tables {
        for cell in table.rows.iter_mut().flatten() {
            if matches!(cell, Cell::Reading(reading) if format!("{:?}", reading.unit) == "Seconds") {
                *cell = Cell::Empty;
            }
        }
    }
    report.to_json()
}

#[test]
fn an_experiment_gives_the_same_report_with_one_thread_and_with_three() {
    let (one, three) = (run(SOLO, &[], 1), run(SOLO, &[], 3));
    assert_eq!(comparable(&one), comparable(&three));
    assert!(one.complete);
    assert_eq!(one.origin.games, 36);
    assert_eq!(one.tables.len(), 3, "measured, published, paired");
    assert_eq!(one.figures.len(), 4);
    assert_eq!(one.replays.len(), 36);
}

#[test]
fn every_format_shows_the_figures_and_their_origin() {
    let report = run(SOLO, &["profile=quick"], 2);
    let html = report.to_html();
    assert!(html.contains("Two depths &amp; &lt;chance&gt;"), "text is escaped");
    assert_eq!(html.matches("<svg").count(), 4);
    let texts = [report.to_markdown(), report.to_csv().concat(), report.to_latex().concat(), html, report.to_json()];
    for text in &texts {
        assert!(text.contains("EXP"), "{text}");
        assert!(text.contains("afterstate run test.toml"), "{text}");
    }
    for figure in &report.figures {
        let (svg, pdf) = (figure.to_svg("origin"), figure.to_pdf("origin"));
        assert!(svg.starts_with("<svg") && svg.contains("origin"));
        assert!(pdf.starts_with(b"%PDF-1.4") && pdf.ends_with(b"%%EOF\n"));
        assert!(figure.to_png("origin").starts_with(b"\x89PNG"));
    }
    let Content::Lines(lines) = &report.figures[1].content else { panic!("lines over depth") };
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["EXP", "EXP (published)"]);
    assert_eq!(lines[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [1.0, 2.0]);
}

#[test]
fn a_round_robin_of_abalone_gives_matches_and_ratings() {
    let report = run(DUEL, &[], 2);
    let titles: Vec<&str> = report.tables.iter().map(|table| table.title.as_str()).collect();
    assert_eq!(titles, ["Results", "Ratings (Bradley and Terry)"]);
    assert_eq!(report.tables[0].rows.len(), 3);
    assert_eq!(report.tables[1].rows.len(), 3);
    assert_eq!(report.replays.len(), 12);
    assert_eq!(report.tables[0].rows[1][0], Cell::from("random : AB_2"));
}

const DECISIONS: &str = r#"
name = "nodes"
game = "abalone"
positions = { layouts = ["standard", "belgian daisy"] }

[[agents]]
name = "{depth}"
spec = "alphabeta(table=off)"
sweep = { depth = [1, 2] }

[[figures]]
kind = "lines"
title = "Nodes"
over = "depth"
measure = "searched-nodes"
log = true
only = "Standard"
"#;

#[test]
fn positions_are_decided_once_by_every_agent() {
    let report = run(DECISIONS, &[], 2);
    let rows: Vec<&Cell> = report.tables[0].rows.iter().map(|row| &row[0]).collect();
    assert_eq!(rows, ["1, Standard", "2, Standard", "1, Belgian Daisy", "2, Belgian Daisy"].map(Cell::from).each_ref());
    let Content::Lines(lines) = &report.figures[0].content else { panic!("lines over depth") };
    let nodes: Vec<f64> = lines[0].points.iter().map(|point| point.y).collect();
    assert!(nodes.len() == 2 && nodes[0] < nodes[1], "{nodes:?}");
    assert!(plan(DECISIONS, &["games=3"]).unwrap_err().contains("leave this out"));
}

#[test]
fn parts_of_every_kind_of_experiment_are_merged_into_the_whole() {
    for text in [SOLO, DUEL, DECISIONS] {
        let (experiment, plan) = plan(text, &[]).expect("an experiment");
        let mut whole = Store::scratch().unwrap();
        play(&experiment, &plan, &mut whole, 2);
        let mut merged = Store::scratch().unwrap();
        let mut games = 0;
        for part in ["1/3", "2/3", "3/3"] {
            let mut store = Store::scratch().unwrap();
            let machinery = Machinery { part: part.parse().unwrap(), ..Machinery::default() };
            let provenance = Provenance::here("afterstate run test.toml", 1);
            let mut foretold = None;
            let mut go = || {
                plan.run(&experiment, &mut store, &provenance, Mixing::Refused, &machinery, |progress| {
                    let wanted = progress.rows().iter().map(|row| row.max_games).sum::<u64>();
                    foretold = Some((progress.played + progress.left.unwrap(), wanted));
                    ControlFlow::Continue(())
                })
            };
            let (complete, played) = go().unwrap();
            assert!(complete, "the part is played");
            assert_eq!(go(), Ok((true, 0)), "nothing is left of it");
            assert!(foretold.is_none_or(|foretold| foretold == (played, played)), "{foretold:?} of {played}");
            let Merged { found, new } = plan.merge(&mut merged, &store, Mixing::Refused).unwrap();
            assert_eq!(found, new);
            games += new;
            assert_eq!(plan.merge(&mut merged, &store, Mixing::Refused).unwrap().new, 0, "nothing is taken twice");
        }
        assert!(plan.is_played(&merged, Part::WHOLE).unwrap());
        let report = |store| comparable(&Report::build(&experiment, &plan, store).unwrap());
        assert_eq!(report(&merged), report(&whole), "{}", experiment.name);
        assert_eq!(plan.merge(&mut whole, &merged, Mixing::Refused).unwrap(), Merged { found: games, new: 0 });
    }
}

#[test]
fn sweeps_become_agents_with_their_values() {
    let (_, plan) = plan(SOLO, &[]).unwrap();
    let PlannedGames::Solo(planned) = &plan.games else { panic!("a game of one player") };
    let specs: Vec<&str> = planned.iter().map(|planned| planned.series.agent.as_str()).collect();
    assert_eq!(specs[0], "random");
    assert!(specs[1].contains("depth=1") && specs[2].contains("depth=2"), "{specs:?}");
    assert_eq!(plan.rows[2].name, "EXP_2");
    let definitions: Vec<String> = planned.iter().map(|planned| planned.series.definition()).collect();
    assert_ne!(definitions[1], definitions[2]);
}

#[test]
fn mistakes_are_refused_before_the_first_game() {
    for (text, overrides, part) in [
        (SOLO, vec!["agents=[]"], "agents: empty"),
        (SOLO, vec!["games=0"], "at least one game"),
        (SOLO, vec!["agents.0.spec=randum"], "agents.0.spec: unknown 2048 agent `randum` (did you mean `random`?)"),
        (SOLO, vec!["agents.1.sweep.dept=[1]"], "has no key `dept`"),
        (SOLO, vec!["pairing=gauntlet"], "2048 has one player"),
        (SOLO, vec!["name=a/b"], "letters, digits"),
        (SOLO, vec!["tables.0.measures=[\"elo\"]"], "`elo` measures matches, not games of one player"),
        (SOLO, vec!["tables.0.measures=[\"scor\"]"], "did you mean `score`"),
        (SOLO, vec!["figures.1.over=width"], "no agent sweeps `width`"),
        (SOLO, vec!["agents.1.name=random"], "two agents have this name"),
        (SOLO, vec!["published.values.EXP_9.score=1"], "no row is called so"),
        (SOLO, vec!["limits.time=never"], "expected a time"),
        (DUEL, vec!["pairing={pairs=[[\"random\", \"AB_7\"]]}"], "no agent is called \"AB_7\""),
        (DUEL, vec!["openings.layouts=[\"standart\"]"], "openings.layouts"),
        (DUEL, vec!["openings.file=\"nowhere.txt\""], "nowhere.txt"),
        (DUEL, vec!["stop={rule=\"sprt\", elo0=5, elo1=0}"], "give one of the two"),
    ] {
        let error = plan(text, &overrides).unwrap_err();
        assert!(error.contains(part), "{overrides:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let sprt = DUEL.replace("games = 4", "stop = { rule = \"sprt\", elo0 = 5, elo1 = 0 }");
    assert!(plan(&sprt, &[]).unwrap_err().contains("elo0 = 5 must be below elo1 = 0"));
    let missing = DUEL.replace("pairing = \"round-robin\"", "");
    assert!(plan(&missing, &[]).unwrap_err().contains("pairing: missing"));
}

#[test]
fn another_program_is_noticed_and_can_be_allowed() {
    let (experiment, plan) = plan(SOLO, &["profile=quick"]).unwrap();
    let path = std::env::temp_dir().join(format!("afterstate-mixed-{}.db", std::process::id()));
    let mut store = Store::open(&path).unwrap();
    let ours = Provenance::here("first", 1);
    let theirs = Provenance { commit: "0123456789ab".to_owned(), ..ours.clone() };
    let machinery = Machinery { threads: 1, ..Machinery::default() };
    let mut go = |by: &Provenance, mixing| {
        plan.run(&experiment, &mut store, by, mixing, &machinery, |_| ControlFlow::Continue(()))
    };
    assert_eq!(go(&ours, Mixing::Refused), Ok((true, 6)));
    let error = go(&theirs, Mixing::Refused).unwrap_err();
    assert!(matches!(error, LabError::MixedPrograms { .. }), "{error}");
    assert_eq!(go(&theirs, Mixing::Allowed), Ok((true, 0)));
    assert_eq!(plan.status(&store).unwrap().sessions.len(), 1, "a run without games leaves no trace");
    drop(store);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

#[test]
fn rows_with_the_same_agent_share_their_games() {
    let text = r#"
name = "twins"
game = "2048"
games = 12

[[agents]]
name = "preset"
spec = "zhaw/heuristic"

[[agents]]
name = "in full"
spec = "expectimax(eval=zhaw-matrix, depth=1)"
games = 20
"#;
    let (experiment, plan) = plan(text, &[]).unwrap();
    let mut store = Store::scratch().unwrap();
    let machinery = Machinery { threads: 2, ..Machinery::default() };
    let by = Provenance::here("test", 2);
    let go = |_: &RunProgress<'_>| ControlFlow::Continue(());
    let end = plan.run(&experiment, &mut store, &by, Mixing::Refused, &machinery, go);
    assert_eq!(end, Ok((true, 20)), "the preset and the same agent in full are one series");
    let rows = plan.status(&store).unwrap().rows;
    assert_eq!(rows.iter().map(|row| row.games).collect::<Vec<_>>(), [12, 20]);
    assert_eq!(Report::build(&experiment, &plan, &store).unwrap().origin.games, 20, "shared games are counted once");
}

const TWO: &str = "name = 'two'\ngame = '2048'\ngames = 6\n[[agents]]\nspec = 'random'\n[[agents]]\nspec = 'greedy'\n";

/// As tasks of a cluster leave them: the last games of a series may come first.
#[test]
fn games_that_both_rows_have_are_compared_whatever_is_missing_before_them() {
    let (experiment, plan) = plan(TWO, &[]).unwrap();
    let path = std::env::temp_dir().join(format!("afterstate-gaps-{}.db", std::process::id()));
    let mut store = Store::open(&path).unwrap();
    play(&experiment, &plan, &mut store, 1);
    drop(store);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("DELETE FROM solo_games WHERE series = 2 AND game < 4").unwrap();
    other.execute_batch("DELETE FROM records WHERE series = 2 AND game < 4").unwrap();
    drop(other);
    let report = Report::build(&experiment, &plan, &Store::read(&path).unwrap()).unwrap();
    let paired = report.tables.iter().find(|table| table.title.starts_with("Difference")).unwrap();
    assert_eq!(paired.rows[0][1].to_string(), "2", "{paired:?}");
    assert_eq!(report.replays.iter().map(|replay| replay.game).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 4, 5, 5]);
    for ending in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
}

#[test]
fn what_a_rule_does_not_count_is_not_exported() {
    let (experiment, many) = plan(TWO, &["games=40"]).unwrap();
    let mut store = Store::scratch().unwrap();
    play(&experiment, &many, &mut store, 1);
    let text = TWO.replace("games = 6", "stop = { rule = 'half-width', half_width = 100000.0, min_games = 25 }");
    let (experiment, ruled) = plan(&text, &[]).unwrap();
    let mut lines = Vec::new();
    let written = export::games(&ruled, &store, Form::JsonLines, |line| {
        lines.push(line.to_owned());
        Ok(())
    });
    written.unwrap().unwrap();
    assert_eq!(lines.len() as u64, Report::build(&experiment, &ruled, &store).unwrap().origin.games);
    assert_eq!(lines.len(), 50);
}

#[test]
fn what_is_stored_of_an_experiment_needs_no_file_of_openings() {
    let folder = std::env::temp_dir().join(format!("afterstate-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let standard = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";
    std::fs::write(folder.join("openings.txt"), format!("# two\n{standard}\nsecond: {standard}\n")).unwrap();
    let text = format!(
        "name = 'beside'\ngame = 'abalone'\ngames = 2\ndraws = {{ max_plies = 4 }}\npairing = 'gauntlet'\n\
         openings = {{ layouts = ['standard'], file = 'openings.txt', positions = ['{standard}'] }}\n\
         [[agents]]\nspec = 'random'\n[[agents]]\nspec = 'one-ply'\n"
    );
    let experiment = Experiment::parse(&text, &[]).unwrap();
    let plan = Plan::new(&experiment, &folder).unwrap();
    let mut store = Store::scratch().unwrap();
    play(&experiment, &plan, &mut store, 1);
    std::fs::remove_dir_all(&folder).unwrap();
    let stored = Experiment::parse(&store.sessions().unwrap()[0].experiment, &[]).unwrap();
    let again = Plan::new(&stored, Path::new("")).unwrap();
    assert_eq!(again, plan);
    assert!(Report::build(&stored, &again, &store).unwrap().complete);
}

#[test]
fn an_estimate_counts_what_is_left() {
    let (_, plan) = plan(SOLO, &[]).unwrap();
    let estimates = plan.estimate(None, std::time::Duration::from_secs(20)).unwrap();
    assert_eq!(estimates.iter().map(|estimate| estimate.games_left).collect::<Vec<_>>(), [12, 12, 12]);
    assert!(estimates.iter().all(|estimate| estimate.seconds_per_game > 0.0));
}

/// Every experiment of the repository, in full and quick, down to the last agent and published row.
#[test]
fn the_experiments_of_the_repository_can_be_planned() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut folders = vec![root];
    let mut names = std::collections::BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of experiments") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let experiment =
                    Experiment::read(&path, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let profiles = experiment.profiles.keys().map(|name| vec![format!("profile={name}")]);
                for overrides in std::iter::once(Vec::new()).chain(profiles) {
                    let plan =
                        Experiment::read(&path, &overrides).and_then(|experiment| Plan::new(&experiment, &folder));
                    assert!(plan.is_ok(), "{} {overrides:?}: {plan:?}", path.display());
                }
                assert!(names.insert(experiment.name.clone()), "{}: the name is taken", path.display());
            }
        }
    }
    assert!(names.len() > 40, "{}", names.len());
}
