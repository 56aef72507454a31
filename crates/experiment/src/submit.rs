//! Playing an experiment on many machines.
//!
//! A submission is a folder that all machines can access: the plans, a list of tasks (one shard of one plan
//! each), and a script for the scheduler of the cluster. A task is a `tafl worker`, so it may be killed,
//! requeued or run twice.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tournament::Shard;

use super::foresight::Expected;
use super::spec::{Experiment, PartKind};

/// Where the tasks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cluster {
    /// On this machine.
    Local,
    /// On Slurm, as an array job, with extra option lines for its script.
    Slurm(Vec<String>),
    /// On HTCondor.
    Condor,
}

/// Why options cannot be passed to `sbatch`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SbatchError {
    /// A word does not belong to an option.
    #[error("`{0}` is not an option of sbatch; options begin with `-`.")]
    NoOption(String),
    /// The array is determined by the number of tasks.
    #[error("`{0}` would leave tasks out; --shards says how many there are.")]
    Array(String),
}

impl Cluster {
    /// Creates a Slurm cluster with options of `sbatch` (partition, time, memory), written as on a command
    /// line.
    pub fn slurm(options: &str) -> Result<Cluster, SbatchError> {
        let mut lines: Vec<String> = Vec::new();
        for word in options.split_whitespace() {
            match lines.last_mut() {
                _ if word.starts_with('-') => lines.push(word.to_string()),
                Some(line) => *line = format!("{line} {word}"),
                None => return Err(SbatchError::NoOption(word.to_string())),
            }
        }
        let array = |line: &&String| line.starts_with("--array") || line.starts_with("-a");
        match lines.iter().find(array) {
            Some(line) => Err(SbatchError::Array(line.clone())),
            None => Ok(Cluster::Slurm(lines)),
        }
    }
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The part of the experiment.
    pub part: String,
    /// The shard of its plan.
    pub shard: Shard,
}

/// What was written.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The folder.
    pub folder: PathBuf,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The file for the scheduler.
    pub script: Option<PathBuf>,
}

impl Task {
    /// Returns the words of the command for this task, to be run in the folder of the submission.
    pub fn words(&self) -> Vec<String> {
        let Shard { index, count } = self.shard;
        let (plan, out) = (format!("{}/plan.json", self.part), format!("{}/parts", self.part));
        ["worker", "--plan", &plan, "--shard", &format!("{index}/{count}"), "--out", &out]
            .map(String::from)
            .into()
    }
}

/// Writes plans, tasks and script into a folder. `program` is the path of `tafl` on the machines of the
/// cluster.
pub fn submit(
    experiment: &Experiment,
    cluster: &Cluster,
    shards: u64,
    program: &Path,
    folder: &Path,
) -> io::Result<Submission> {
    fs::create_dir_all(folder.join("log"))?;
    let folder = fs::canonicalize(folder)?;
    let mut tasks = Vec::new();
    for part in &experiment.parts {
        let PartKind::Tournament(ready) = &part.kind else { continue };
        let plan = ready.plan();
        fs::create_dir_all(folder.join(&part.name).join("parts"))?;
        let (own, text) = (folder.join(&part.name), plan.write());
        // Workers may have played some of it since an earlier submission of the same plan.
        if fs::read_to_string(own.join("plan.json")).ok().as_ref() != Some(&text) {
            Expected::of(experiment, part).write(part, &own)?;
        }
        replace(&own.join("plan.json"), &text)?;
        let count = shards.clamp(1, plan.len().max(1));
        tasks.extend((0..count).map(|index| Task { part: part.name.clone(), shard: Shard { index, count } }));
    }
    let lines: String = tasks.iter().map(|task| task.words().join(" ") + "\n").collect();
    replace(&folder.join("tasks.txt"), &lines)?;
    let name = &experiment.name;
    let script = match cluster {
        Cluster::Local => None,
        Cluster::Slurm(options) => {
            Some(("array.sbatch", slurm(name, tasks.len(), options, program, &folder)))
        }
        Cluster::Condor => Some(("tasks.sub", condor(tasks.len(), program, &folder))),
    };
    let script = match script {
        None => None,
        Some((file, text)) => {
            replace(&folder.join(file), &text)?;
            Some(folder.join(file))
        }
    };
    Ok(Submission { folder, tasks, script })
}

/// Writes a file that appears only when it is complete.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text)?;
    fs::rename(part, path)
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

fn slurm(name: &str, tasks: usize, options: &[String], program: &Path, folder: &Path) -> String {
    let last = tasks.saturating_sub(1);
    let (program, here) = (quoted(program), quoted(folder));
    let log = folder.join("log").join("%A_%a.out");
    // The last value of an option wins, so these can override the lines before them.
    let options: String = options.iter().map(|line| format!("#SBATCH {line}\n")).collect();
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=tafl-{name}\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n\
         #SBATCH --output={}\n\
         {options}\
         # Each task runs one line of tasks.txt. A task that is requeued or runs twice\n\
         # continues with what it finds and writes the same file.\n\
         cd {here} || exit 1\n\
         read -r -a words < <(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" tasks.txt)\n\
         exec {program} \"${{words[@]}}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
        log.display()
    )
}

fn condor(tasks: usize, program: &Path, folder: &Path) -> String {
    format!(
        "# condor_submit tasks.sub ({tasks} tasks); all machines must see this folder.\n\
         universe = vanilla\n\
         executable = {}\n\
         arguments = $(words)\n\
         initialdir = {}\n\
         should_transfer_files = NO\n\
         output = log/$(Cluster)_$(Process).out\n\
         error = log/$(Cluster)_$(Process).err\n\
         log = log/condor.log\n\
         request_cpus = 1\n\
         max_retries = 5\n\
         queue words from tasks.txt\n",
        program.display(),
        folder.display()
    )
}
