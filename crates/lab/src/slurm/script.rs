//! The script of an array job, as a person would write it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{Round, SlurmError};

/// What Slurm is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySettings {
    /// The partition; Slurm's own choice if none is named.
    pub partition: Option<String>,
    /// The longest time of a task, as Slurm writes it: `2:00:00`, `1-12`.
    pub time: Option<String>,
    /// Processors of a task; it plays that many games at the same time.
    pub cpus: u32,
    /// Games of a task; chosen by their number if nothing is said.
    pub chunk: Option<u64>,
    /// Games of a series that are submitted before its stopping rule is asked again.
    pub round: u64,
    /// Tasks that may run at the same time.
    pub at_once: Option<u32>,
    /// An Apptainer image that holds the program.
    pub image: Option<PathBuf>,
    /// More options for sbatch, such as `--account=thesis`.
    pub options: Vec<String>,
}

impl Default for ArraySettings {
    fn default() -> Self {
        Self {
            partition: None,
            time: None,
            cpus: 1,
            chunk: None,
            round: 1000,
            at_once: None,
            image: None,
            options: Vec::new(),
        }
    }
}

/// Slurm's own default (`MaxArraySize` = 1001) allows the numbers 0 to 1000.
const MAX_TASKS: u64 = 1000;
/// Into how many tasks work is cut if nothing is said: enough for a large cluster, and few enough that Slurm, which starts
/// about four tasks in a second, is not what everybody waits for.
const USUAL_TASKS: u64 = 64;

impl ArraySettings {
    /// How many games each task gets.
    pub(super) fn chunk_for(&self, games: u64) -> Result<u64, SlurmError> {
        let usual = || games.div_ceil(USUAL_TASKS).max(u64::from(self.cpus));
        let chunk = self.chunk.unwrap_or_else(usual).max(1);
        let tasks = games.div_ceil(chunk);
        if tasks > MAX_TASKS {
            return Err(SlurmError::TooManyTasks { tasks, limit: MAX_TASKS, chunk: games.div_ceil(MAX_TASKS) });
        }
        Ok(chunk)
    }

    /// The script that plays a round of this many tasks by `program`.
    pub(super) fn script(&self, round: &Round, tasks: usize, program: &Path) -> Result<String, SlurmError> {
        let throttle = self.at_once.map_or_else(String::new, |tasks| format!("%{tasks}"));
        let mut options = vec![
            format!("--job-name={}", round.job_name()),
            format!("--array=0-{}{throttle}", tasks.saturating_sub(1)),
            format!("--cpus-per-task={}", self.cpus),
            // A node that fails is not the fault of its tasks: what they had finished stays, and the rest starts again.
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}", quoted(&round.logs().join("task-%a.txt"))?),
        ];
        options.extend(self.partition.iter().map(|partition| format!("--partition={partition}")));
        options.extend(self.time.iter().map(|time| format!("--time={time}")));
        options.extend_from_slice(&self.options);
        let is_option = |option: &&String| !option.starts_with("--") || option.contains(['\n', '\r']);
        if let Some(option) = options.iter().find(is_option) {
            return Err(SlurmError::Option { option: option.clone() });
        }
        let mut script = format!(
            "#!/bin/bash\n\
             # Round {} of an experiment of Afterstate: {tasks} tasks, whose games stand in work.json.\n\
             # To submit games that are missing run the same `afterstate run` again, not this file: it knows which.\n",
            round.number
        );
        for option in options {
            let _ = writeln!(script, "#SBATCH {option}");
        }
        let folder = quoted(&round.path)?;
        let (image, program) = match &self.image {
            // The image has its own program; it sees the folder under the name that it has outside.
            Some(image) => (format!("apptainer exec --bind {folder} {} ", quoted(image)?), "afterstate".to_owned()),
            None => (String::new(), quoted(program)?),
        };
        let task = format!("--task \"$SLURM_ARRAY_TASK_ID\" --threads {}", self.cpus);
        let _ = write!(script, "\nexec {image}{program} slurm-task {folder} {task}\n");
        Ok(script)
    }
}

/// A path that means the same to Slurm and to the shell.
fn quoted(path: &Path) -> Result<String, SlurmError> {
    let text = path.to_string_lossy();
    let name = text.strip_suffix("task-%a.txt").unwrap_or(&text);
    match name.chars().find(|&c| c.is_control() || "\"'\\$`%!".contains(c) || c == char::REPLACEMENT_CHARACTER) {
        Some(character) => Err(SlurmError::Path { path: path.to_owned(), character }),
        None => Ok(format!("\"{text}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(path: &str) -> Round {
        Round { number: 2, path: PathBuf::from(path).join("round-002"), token: "depths-0a1b2c3d".to_owned() }
    }

    #[test]
    fn the_script_can_be_read() {
        let settings = ArraySettings {
            partition: Some("main".to_owned()),
            time: Some("2:00:00".to_owned()),
            cpus: 4,
            at_once: Some(10),
            options: vec!["--account=thesis".to_owned()],
            ..ArraySettings::default()
        };
        let script = settings.script(&round("/shared/my results"), 64, Path::new("/home/me/bin/afterstate")).unwrap();
        let expected = r#"#!/bin/bash
# Round 2 of an experiment of Afterstate: 64 tasks, whose games stand in work.json.
# To submit games that are missing run the same `afterstate run` again, not this file: it knows which.
#SBATCH --job-name=depths-0a1b2c3d-2
#SBATCH --array=0-63%10
#SBATCH --cpus-per-task=4
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/shared/my results/round-002/log/task-%a.txt"
#SBATCH --partition=main
#SBATCH --time=2:00:00
#SBATCH --account=thesis

exec "/home/me/bin/afterstate" slurm-task "/shared/my results/round-002" --task "$SLURM_ARRAY_TASK_ID" --threads 4
"#;
        assert_eq!(script, expected);
    }

    #[test]
    fn an_image_brings_its_own_program() {
        let settings = ArraySettings { image: Some(PathBuf::from("/shared/a.sif")), ..ArraySettings::default() };
        let script = settings.script(&round("/shared"), 1, Path::new("/bin/afterstate")).unwrap();
        let last = "exec apptainer exec --bind \"/shared/round-002\" \"/shared/a.sif\" afterstate slurm-task \"/shared/round-002\"";
        assert!(script.contains(last), "{script}");
    }

    #[test]
    fn what_cannot_stand_in_a_script_is_refused() {
        let settings = ArraySettings::default();
        for wrong in ["/a\"b", "/a\nb", "/100%", "/$HOME", "/a`b"] {
            let error = settings.script(&round(wrong), 1, Path::new("/bin/afterstate")).unwrap_err();
            assert!(matches!(error, SlurmError::Path { .. }), "{wrong}: {error}");
        }
        for wrong in ["account=me", "--a=b\nrm -rf"] {
            let settings = ArraySettings { options: vec![wrong.to_owned()], ..ArraySettings::default() };
            let error = settings.script(&round("/shared"), 1, Path::new("/bin/afterstate")).unwrap_err();
            assert_eq!(error, SlurmError::Option { option: wrong.to_owned() });
        }
    }

    #[test]
    fn chunks_keep_the_number_of_tasks_small() {
        let settings = ArraySettings { cpus: 4, ..ArraySettings::default() };
        assert_eq!(settings.chunk_for(10), Ok(4));
        assert_eq!(settings.chunk_for(6400), Ok(100));
        let settings = ArraySettings { chunk: Some(2), ..settings };
        assert_eq!(settings.chunk_for(2000), Ok(2));
        let error = settings.chunk_for(2001).unwrap_err();
        assert!(error.to_string().contains("--chunk 3"), "{error}");
    }
}
