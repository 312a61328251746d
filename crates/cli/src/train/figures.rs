//! The curves of trainings as figures: every training draws its own, and `afterstate train figures` draws several in one.
//!
//! A run is known by the tables in its folder; a figure belongs to every run that has the columns it shows.

use std::io::Write;
use std::path::{Path, PathBuf};

use afterstate_lab::Provenance as Here;
use afterstate_lab::report::{Content, Figure, Line, Point};
use afterstate_lab::stats::Interval;
use clap::Args;

use super::outcome;
use crate::command_line;
use crate::failure::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  afterstate train figures runs/crossover-50 runs/crossover-100 --out figures
  afterstate train figures quick

A line for each run, named after its folder: the first example draws figures 3.1 and 3.2 of the dietenberger thesis. \
Every figure comes as SVG, PDF and PNG.";

#[derive(Debug, Args)]
pub(crate) struct FiguresArgs {
    /// The folders of the runs
    #[arg(required = true, value_name = "FOLDER")]
    runs: Vec<PathBuf>,
    /// Where the figures go [default: the folder of the first run]
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// What is drawn from a table.
struct Drawing {
    /// The training that it belongs to, as it is typed.
    kind: &'static str,
    file: &'static str,
    title: &'static str,
    table: &'static str,
    /// A column that tables of other trainings lack.
    sign: &'static str,
    x: (&'static str, &'static str),
    y: (&'static str, &'static str),
    half_width: Option<&'static str>,
    /// The columns whose values together name a line of its own.
    lines: &'static [&'static str],
}

const fn genetic(file: &'static str, title: &'static str, y: (&'static str, &'static str)) -> Drawing {
    let x = ("generation", "generation");
    Drawing { kind: "ga", file, title, table: "curve.csv", sign: "median_tile", x, y, half_width: None, lines: &[] }
}

const fn by_moves(file: &'static str, title: &'static str, y: (&'static str, &'static str)) -> Drawing {
    let x = ("moves", "moves learned from");
    Drawing { kind: "dqn", file, title, table: "curve.csv", sign: "reached_2048", x, y, half_width: None, lines: &[] }
}

const fn by_iteration(file: &'static str, title: &'static str, y: (&'static str, &'static str)) -> Drawing {
    let x = ("iteration", "iteration (0: the teacher)");
    Drawing {
        kind: "value",
        file,
        title,
        table: "scores.csv",
        sign: "median_seconds",
        x,
        y,
        half_width: None,
        lines: &[],
    }
}

const fn by_epoch(file: &'static str, title: &'static str, y: (&'static str, &'static str)) -> Drawing {
    let (x, lines) = (("epoch", "epoch"), &["stage", "iteration"]);
    Drawing { kind: "value", file, title, table: "epochs.csv", sign: "stage", x, y, half_width: None, lines }
}

const fn by_tuning(file: &'static str, title: &'static str, y: (&'static str, &'static str)) -> Drawing {
    let x = ("generation", "generation");
    Drawing { kind: "weights", file, title, table: "curve.csv", sign: "step", x, y, half_width: None, lines: &[] }
}

const DRAWINGS: &[Drawing] = &[
    genetic("mean", "Mean score of the population", ("mean", "points")),
    genetic("best", "Best game of the generation", ("best", "points")),
    genetic("tile", "Median of the largest tiles", ("median_tile", "tile")),
    genetic("seconds", "Time of a generation", ("seconds", "seconds")),
    Drawing { half_width: Some("half_width"), ..by_moves("score", "Mean score, not learning", ("mean", "points")) },
    by_moves("loss", "Loss", ("loss", "loss")),
    by_moves("tile", "Games that reach 2048", ("reached_2048", "share of the games")),
    Drawing { half_width: Some("half_width"), ..by_iteration("score", "Mean score", ("mean", "points")) },
    by_iteration("best", "Best game", ("best", "points")),
    by_iteration("tile", "Games that reach 2048", ("r2048", "share of the games")),
    by_iteration("seconds", "Median time of a game", ("median_seconds", "seconds")),
    by_epoch("loss", "Loss (RMSE)", ("training", "loss")),
    by_epoch("validation", "Loss (RMSE) on games that are not learned from", ("validation", "loss")),
    by_tuning("best", "Best candidate of the generation", ("best", "fitness")),
    by_tuning("mean", "Mean of the generation", ("mean", "fitness")),
    by_tuning("step", "Width of the search", ("step", "step of the evolution")),
];

/// Draws several runs in one.
pub(super) fn run(out: &mut impl Write, args: &FiguresArgs) -> Result<(), Failure> {
    let folder = args.out.as_deref().unwrap_or(&args.runs[0]);
    for run in &args.runs {
        if !DRAWINGS.iter().any(|drawing| drawing.lines(run, "").is_some()) {
            let run = run.display();
            return Err(Failure::input(format!(
                "{run} holds no curve of a training: a curve.csv, scores.csv or epochs.csv of train ga, value, dqn or weights"
            )));
        }
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::world(format_args!("making the folder {}", folder.display()), error))?;
    for (path, figure) in figures(&args.runs, folder) {
        let origin = origin();
        let forms = [
            ("svg", figure.to_svg(&origin).into_bytes()),
            ("pdf", figure.to_pdf(&origin)),
            ("png", figure.to_png(&origin)),
        ];
        for (extension, bytes) in forms {
            outcome::write(&path.with_extension(extension), &bytes)?;
        }
        writeln!(out, "wrote {}", path.with_extension("svg").display())?;
    }
    Ok(())
}

/// Draws what a run has reached, into its own folder.
pub(super) fn draw_own(folder: &Path) -> Result<(), Failure> {
    figures(&[folder.to_owned()], folder)
        .into_iter()
        .try_for_each(|(path, figure)| outcome::write(&path.with_extension("svg"), figure.to_svg(&origin()).as_bytes()))
}

fn origin() -> String {
    outcome::origin(&Here::here(command_line(), 1))
}

/// All figures for which the runs have something to show, and where they go.
fn figures(runs: &[PathBuf], out: &Path) -> Vec<(PathBuf, Figure)> {
    let name = |run: &PathBuf| match runs {
        [_] => String::new(),
        _ => run.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned(),
    };
    let drawn = |drawing: &'static Drawing| {
        let lines: Vec<Line> = runs.iter().filter_map(|run| drawing.lines(run, &name(run))).flatten().collect();
        (!lines.is_empty()).then(|| (drawing, drawing.figure(lines)))
    };
    let drawn: Vec<_> = DRAWINGS.iter().filter_map(drawn).collect();
    let is_alone = |file: &str| drawn.iter().filter(|(drawing, _)| drawing.file == file).count() == 1;
    let names: Vec<String> = drawn.iter().map(|(drawing, _)| drawing.name(is_alone(drawing.file))).collect();
    names.into_iter().zip(drawn).map(|(name, (_, figure))| (out.join(name), figure)).collect()
}

impl Drawing {
    /// The name of its file. Runs of several kinds have figures of one name, which are told apart by the kind.
    fn name(&self, is_alone: bool) -> String {
        if is_alone { self.file.to_owned() } else { format!("{}-{}", self.kind, self.file) }
    }

    fn figure(&self, lines: Vec<Line>) -> Figure {
        Figure {
            title: self.title.to_owned(),
            x_label: self.x.1.to_owned(),
            y_label: self.y.1.to_owned(),
            log: false,
            log_x: false,
            content: Content::Lines(lines),
        }
    }

    /// The lines of a run, if its folder has the table.
    fn lines(&self, run: &Path, name: &str) -> Option<Vec<Line>> {
        let text = std::fs::read_to_string(run.join(self.table)).ok()?;
        let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let header = rows.next()?;
        let column = |name: &str| header.iter().position(|&found| found == name);
        column(self.sign)?;
        let (x, y) = (column(self.x.0)?, column(self.y.0)?);
        let half_width = self.half_width.and_then(column);
        let groups: Vec<usize> = self.lines.iter().filter_map(|name| column(name)).collect();
        let mut lines: Vec<Line> = Vec::new();
        for row in rows {
            let number = |column: usize| row.get(column)?.parse::<f64>().ok().filter(|number| number.is_finite());
            let words = groups.iter().filter_map(|&group| row.get(group).copied());
            let name: Vec<&str> = [name].into_iter().chain(words).filter(|word| !word.is_empty()).collect();
            let name = name.join(" ");
            // What was not measured, such as a validation without games, is no point.
            let (Some(x), Some(y)) = (number(x), number(y)) else { continue };
            let interval = half_width.and_then(number).map(|half_width| Interval::around(y, half_width));
            let point = Point { x, y, interval };
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => lines.push(Line { name, points: vec![point], marked: true }),
            }
        }
        lines.iter_mut().for_each(|line| line.marked = line.points.len() <= MARKED);
        Some(lines)
    }
}

/// Longer lines are drawn without marks.
const MARKED: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that goes with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, tables: &[(&str, &str)]) -> Self {
            let path = std::env::temp_dir().join(format!("afterstate-figures-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            tables.iter().for_each(|(table, text)| std::fs::write(path.join(table), text).unwrap());
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn lines(figure: &Figure) -> &[Line] {
        match &figure.content {
            Content::Lines(lines) => lines,
            Content::Bars(_) => &[],
        }
    }

    #[test]
    fn runs_are_known_by_their_tables_and_drawn_together() {
        let header = "generation,mean,best_mean,best,median_tile,moves,seconds\n";
        let one =
            Folder::new("one", &[("curve.csv", &format!("{header}1,900,1,2000,128,9,0.1\n2,950,1,2100,256,9,0.1\n"))]);
        let two = Folder::new("two", &[("curve.csv", &format!("{header}1,800,1,1900,128,9,0.2\n"))]);
        let figures = figures(&[one.0.clone(), two.0.clone()], &one.0);
        let names: Vec<_> = figures.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["mean", "best", "tile", "seconds"]);
        let mean = lines(&figures[0].1);
        assert_eq!(mean.len(), 2);
        assert!(mean[1].name.contains("two"));
        assert_eq!(
            mean[0].points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(),
            [(1.0, 900.0), (2.0, 950.0)]
        );
    }

    #[test]
    fn losses_have_a_line_for_each_stage_and_nothing_is_made_of_what_was_not_measured() {
        let epochs = "iteration,stage,epoch,rate,training,validation\n0,pretraining,1,0.1,5,\n0,training,1,0.1,4,\n0,training,2,0.1,3,2.5\n";
        let folder = Folder::new("losses", &[("epochs.csv", epochs)]);
        let figures = figures(std::slice::from_ref(&folder.0), &folder.0);
        let named = |index: usize| {
            lines(&figures[index].1).iter().map(|line| (line.name.as_str(), line.points.len())).collect::<Vec<_>>()
        };
        assert_eq!(named(0), [("pretraining 0", 1), ("training 0", 2)]);
        assert_eq!(named(1), [("training 0", 1)]);
    }

    #[test]
    fn figures_of_several_kinds_have_names_of_their_own() {
        let bred = Folder::new(
            "bred",
            &[("curve.csv", "generation,mean,best_mean,best,median_tile,moves,seconds\n1,900,1,2000,128,9,0.1\n")],
        );
        let tuned = Folder::new("tuned", &[("curve.csv", "generation,best,mean,step\n1,5,4,0.3\n")]);
        let figures = figures(&[bred.0.clone(), tuned.0.clone()], &bred.0);
        let names: Vec<_> = figures.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["ga-mean", "ga-best", "tile", "seconds", "weights-best", "weights-mean", "step"]);
    }

    #[test]
    fn a_folder_without_curves_is_refused() {
        let folder = Folder::new("empty", &[("curve.csv", "something,else\n1,2\n")]);
        let error = run(&mut Vec::new(), &FiguresArgs { runs: vec![folder.0.clone()], out: None }).unwrap_err();
        assert!(format!("{error:?}").contains("holds no curve of a training"));
    }
}
