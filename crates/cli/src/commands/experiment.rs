//! `tafl experiment`: compares our figures with published ones, here or on a cluster.

mod verify;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use experiment::{
    Cluster, Expected, Experiment, Foresight, Judged, Outcome, Outcomes, PartKind, RunPart, Submission,
    Variant, files, judge, list, run_part, submit,
};
use tafl::library::did_you_mean;
use tafl::tournament::{RunOptions, collect, cores};

use super::tournament::told;
use super::worker::{damage, missing};
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{ERROR, FAINT, GOOD, STRONG, Screen, counted, wrapped};
use crate::storage::StoreArguments;
use crate::{Verdict, interrupt};

/// Run experiments and compare our figures with published ones
///
/// An experiment is a folder with a file experiment.toml: what was published,
/// and what to play. docs/experiments.md explains how to write one.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl experiment list\n  tafl experiment run connect_four_random --quick\n  tafl experiment verify connect_four_random --part matches\n  tafl experiment submit connect_four_players --on slurm --shards 100 --sbatch \"--time=2:00:00\""
)]
pub(crate) struct ExperimentCommand {
    /// The folder of experiments [default: experiments, here or in a parent folder]
    #[arg(long, global = true, value_name = "DIR", env = "TAFL_EXPERIMENTS", hide_env_values = true)]
    experiments: Option<PathBuf>,
    #[command(subcommand)]
    command: Do,
}

#[derive(Debug, Subcommand)]
enum Do {
    /// List the experiments
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run an experiment and show the results
    Run {
        #[command(flatten)]
        which: Which,
        /// The number of cores to use [default: all]
        #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=1024, 4))]
        jobs: Option<u32>,
        /// Run only this part (can be repeated); use earlier results for the rest
        #[arg(long = "part", value_name = "NAME")]
        parts: Vec<String>,
        /// Stop after N minutes and report the results so far; run again to continue
        #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=1_000_000, 60))]
        minutes: Option<u64>,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArguments,
        /// Do not store the matches
        #[arg(long)]
        no_store: bool,
    },
    /// Write the report of an experiment that was run
    Report {
        #[command(flatten)]
        which: Which,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run an experiment again and compare it with the existing results
    ///
    /// Nothing is written. Only random games and matches in which no player thinks
    /// by the clock are compared, matches by the digest of all their moves.
    Verify(verify::Verify),
    /// Run an experiment in shards, on this machine or a cluster
    Submit {
        #[command(flatten)]
        which: Which,
        /// Where to run: all cores of this machine, a Slurm array, or HTCondor
        #[arg(long, value_enum, default_value = "local")]
        on: On,
        /// The number of shards per plan
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_in::<u64>(1..=100_000, 10))]
        shards: u64,
        /// A folder that all machines can access [default: NAME.work]
        #[arg(long, value_name = "DIR")]
        work: Option<PathBuf>,
        /// Options for sbatch, with --on slurm: partition, time, memory, …
        #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
        sbatch: Option<String>,
        /// Only write the files
        #[arg(long)]
        write_only: bool,
    },
    /// Merge the shards and write the report
    Collect {
        #[command(flatten)]
        which: Which,
        /// The folder of the shards [default: NAME.work]
        #[arg(long, value_name = "DIR")]
        work: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// The experiment, and where its results go.
#[derive(Debug, Args)]
struct Which {
    /// The name of the experiment
    name: String,
    /// Use the quick variant
    #[arg(long)]
    quick: bool,
    /// The folder for results and report [default: results in the experiment's folder; none with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum On {
    Local,
    Slurm,
    Condor,
}

impl On {
    /// Returns the cluster, with its options if it supports any.
    fn cluster(self, sbatch: Option<&str>) -> anyhow::Result<Cluster> {
        match (self, sbatch) {
            (On::Slurm, options) => {
                Cluster::slurm(options.unwrap_or_default()).map_err(|why| anyhow!("--sbatch: {why}"))
            }
            (_, Some(_)) => bail!("--sbatch requires --on slurm."),
            (On::Local, None) => Ok(Cluster::Local),
            (On::Condor, None) => Ok(Cluster::Condor),
        }
    }
}

impl ExperimentCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        match &self.command {
            Do::List { json } => self.list(*json, screen),
            Do::Run { which, jobs, parts, minutes, json, store, no_store } => {
                let (experiment, folder) = self.read(which, arguments)?;
                let store = if *no_store { None } else { store.open()? };
                let options = RunOptions {
                    jobs: jobs.map_or_else(cores, |jobs| jobs as usize),
                    stop: interrupt::token(),
                };
                has_parts(&experiment, parts)?;
                stop_after(*minutes, &options.stop);
                let out = which.out(&folder);
                let run = Run { experiment: &experiment, out: out.as_deref(), parts };
                let outcomes = run.play(store, &options, arguments, screen)?;
                let stopped = options.stop.is_stopped();
                if stopped && (out.is_none() || outcomes.iter().all(Option::is_none)) {
                    bail!("Interrupted. Run the same command again to continue.");
                }
                let verdict = finish(&experiment, &outcomes, out.as_deref(), *json, screen)?;
                if stopped {
                    screen.out.flush()?;
                    eprintln!(
                        "Interrupted: these are the results so far. Run the same command again to continue."
                    );
                }
                Ok(verdict)
            }
            Do::Report { which, json } => {
                let (experiment, folder) = self.read(which, arguments)?;
                let Some(out) = which.out(&folder) else {
                    bail!("Use --out to give the folder of the quick variant's results.");
                };
                let read = |part| Outcome::read(part, &out);
                let outcomes: Outcomes = experiment.parts.iter().map(read).collect::<Result<_, _>>()?;
                if outcomes.iter().all(Option::is_none) {
                    bail!(
                        "There are no results in {}. Run `tafl experiment run {}` first.",
                        out.display(),
                        which.name
                    );
                }
                finish(&experiment, &outcomes, Some(&out), *json, screen)
            }
            Do::Verify(verify) => verify.run(self, arguments, screen),
            Do::Submit { which, on, shards, work, sbatch, write_only } => {
                let cluster = on.cluster(sbatch.as_deref())?;
                let (experiment, _) = self.read(which, arguments)?;
                let work = which.work(work);
                submit_to(&experiment, which, &cluster, *shards, &work, *write_only, screen)
            }
            Do::Collect { which, work, json } => {
                let (experiment, folder) = self.read(which, arguments)?;
                let work = which.work(work);
                let outcomes = collected(&experiment, &work, arguments, screen)?;
                let out = which.out(&folder);
                for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
                    // Workers played by the plan of the submission, so what was expected then counts.
                    let expected = match &part.kind {
                        PartKind::Tournament(_) => Expected::read(part, &work.join(&part.name)),
                        _ => Some(Expected::of(&experiment, part)),
                    };
                    if let (Some(outcome), Some(out)) = (outcome, &out) {
                        put_outcome(part, outcome, expected.as_ref(), out)?;
                    }
                }
                finish(&experiment, &outcomes, out.as_deref(), *json, screen)
            }
        }
    }

    /// Returns the folder of the experiments.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.experiments {
            return Ok(folder.clone());
        }
        let here = std::env::current_dir().context("Cannot determine the current folder")?;
        let found = here.ancestors().map(|folder| folder.join("experiments")).find(|folder| folder.is_dir());
        found.context("There is no folder `experiments` here or in a parent folder. Use --experiments.")
    }

    fn read(&self, which: &Which, arguments: &Arguments) -> anyhow::Result<(Experiment, PathBuf)> {
        let path = PathBuf::from(&which.name);
        let folder = match path.join("experiment.toml").is_file() {
            true => path,
            false => self.folder()?.join(&which.name),
        };
        if !folder.join("experiment.toml").is_file() {
            let known = list(&self.folder()?).unwrap_or_default();
            let hint = did_you_mean(&which.name, known.iter().map(|found| found.name.as_str()));
            bail!("There is no experiment `{}`.{hint} `tafl experiment list` lists them.", which.name);
        }
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        let variant = if which.quick { Variant::Quick } else { Variant::Full };
        match Experiment::read(&folder, variant, &arguments.library()) {
            Ok(experiment) => Ok((experiment, folder)),
            Err(bad) => bail!("Nothing was started.\n{bad}"),
        }
    }

    fn list(&self, json: bool, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let folder = self.folder()?;
        let found = list(&folder).with_context(|| format!("Cannot read {}", folder.display()))?;
        let out = &mut screen.out;
        if json {
            let row = |found: &experiment::ExperimentFolder| {
                let done = found.path.join("results").join("report.md").is_file();
                serde_json::json!({ "name": found.name, "title": found.title, "source": found.source, "has_results": done })
            };
            let rows: Vec<_> = found.iter().map(row).collect();
            serde_json::to_writer_pretty(
                &mut *out,
                &serde_json::json!({ "version": 1, "experiments": rows }),
            )?;
            writeln!(out)?;
            return Ok(Verdict::Good);
        }
        for found in &found {
            writeln!(out, "{STRONG}{}{STRONG:#}", found.name)?;
            out.write_all(wrapped(found.title.split_whitespace(), 2).as_bytes())?;
            write!(out, "{FAINT}{}{FAINT:#}", wrapped(found.source.split_whitespace(), 2))?;
        }
        Ok(Verdict::Good)
    }
}

impl Which {
    fn out(&self, folder: &Path) -> Option<PathBuf> {
        self.out.clone().or_else(|| (!self.quick).then(|| folder.join("results")))
    }

    fn work(&self, asked: &Option<PathBuf>) -> PathBuf {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let quick = if self.quick { "-quick" } else { "" };
        asked.clone().unwrap_or_else(|| PathBuf::from(format!("{name}{quick}.work")))
    }
}

/// Fails if the experiment does not have one of these parts.
fn has_parts(experiment: &Experiment, names: &[String]) -> anyhow::Result<()> {
    for name in names {
        if !experiment.parts.iter().any(|part| part.name == *name) {
            let known = experiment.parts.iter().map(|part| part.name.as_str());
            bail!("There is no part `{name}`.{}", did_you_mean(name, known));
        }
    }
    Ok(())
}

/// Stops after a number of minutes, if given.
fn stop_after(minutes: Option<u64>, stop: &tafl::game::StopToken) {
    if let Some(minutes) = minutes {
        let stop = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(60 * minutes));
            stop.stop();
        });
    }
}

/// What to run.
struct Run<'a> {
    experiment: &'a Experiment,
    out: Option<&'a Path>,
    /// Run only these parts; all if empty.
    parts: &'a [String],
}

impl Run<'_> {
    /// Runs the parts one after another, and writes each outcome when it is finished.
    fn play(
        &self,
        store: Option<std::sync::Arc<tafl::store::Store>>,
        options: &RunOptions,
        arguments: &Arguments,
        screen: &Screen,
    ) -> anyhow::Result<Outcomes> {
        let bar = screen.progress("{elapsed_precise} {prefix}: {msg}");
        let log = screen.log();
        let library = arguments.library();
        let mut outcomes: Outcomes = vec![None; self.experiment.parts.len()];
        for (part, outcome) in self.experiment.parts.iter().zip(&mut outcomes) {
            let wanted = self.parts.is_empty() || self.parts.contains(&part.name);
            if !wanted || options.stop.is_stopped() {
                continue;
            }
            bar.set_prefix(part.name.clone());
            bar.set_message("");
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            let how = RunPart {
                library: &library,
                store: store.clone(),
                options: options.clone(),
                progress: &|progress| {
                    let text = told(progress);
                    log.tell(&format!("{}: {text}", part.name));
                    bar.set_message(text);
                },
                tell: &|text| {
                    log.tell(&format!("{}: {text}", part.name));
                    bar.set_message(text.to_string());
                },
            };
            *outcome = run_part(part, &how)?;
            if let (Some(outcome), Some(folder)) = (&outcome, self.out) {
                let expected = Expected::of(self.experiment, part);
                put_outcome(part, outcome, Some(&expected), folder)?;
            }
        }
        bar.finish_and_clear();
        // Read the other parts only now: another process may have run them in the meantime.
        for (part, outcome) in self.experiment.parts.iter().zip(&mut outcomes) {
            *outcome = outcome.take().or_else(|| self.earlier(part));
        }
        Ok(outcomes)
    }

    /// Returns the outcome of a part from an earlier run, if it was the same.
    fn earlier(&self, part: &experiment::Part) -> Option<Outcome> {
        self.out.and_then(|out| Outcome::read(part, out).ok().flatten())
    }
}

/// Writes the outcome of a part, and what was expected of it.
fn put_outcome(
    part: &experiment::Part,
    outcome: &Outcome,
    expected: Option<&Expected>,
    folder: &Path,
) -> anyhow::Result<()> {
    outcome.keep(part, expected, folder).with_context(|| format!("Cannot write to {}", folder.display()))
}

/// Writes the report, and prints the verdicts.
fn finish(
    experiment: &Experiment,
    outcomes: &Outcomes,
    folder: Option<&Path>,
    json: bool,
    screen: &mut Screen,
) -> anyhow::Result<Verdict> {
    let foresight = folder.map_or_else(Foresight::unknown, |folder| Foresight::read(experiment, folder));
    let judged = judge(experiment, outcomes, &foresight);
    if let Some(folder) = folder {
        fs::create_dir_all(folder)
            .with_context(|| format!("Cannot create the folder {}", folder.display()))?;
        let put = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("Cannot write {}", path.display()))
        };
        for (name, text) in files(experiment, outcomes, &foresight) {
            put(&name, &text)?;
        }
    }
    let good = judged.iter().all(|found| found.expected);
    let out = &mut screen.out;
    if json {
        let all = serde_json::json!({
            "version": 1, "experiment": experiment.name, "variant": experiment.variant.name(),
            "as_expected": good, "as_foreseen": judged.iter().all(is_foreseen), "figures": judged,
        });
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
        return Ok(if good { Verdict::Good } else { Verdict::Bad });
    }
    writeln!(out, "{STRONG}{}{STRONG:#} ({})", experiment.title, experiment.variant.name())?;
    let mut table = "";
    for found in &judged {
        if found.table != table {
            writeln!(out, "\n{}", found.table)?;
            table = &found.table;
        }
        let word = found.words();
        let word = match (found.verdict, found.expected) {
            (_, false) => format!("{ERROR}{word}{ERROR:#}"),
            (experiment::Verdict::Shown, _) => "not published".to_string(),
            (experiment::Verdict::Unclear | experiment::Verdict::Fitted, _) => word.to_string(),
            _ if !found.claimed => word.to_string(),
            _ => format!("{GOOD}{word}{GOOD:#}"),
        };
        writeln!(out, "  {}: {word}", found.label)?;
        let p = match (found.raw_p, found.p) {
            (Some(raw), Some(p)) => format!(", p {raw:.3}, corrected {p:.3}"),
            _ => String::new(),
        };
        writeln!(out, "    {FAINT}{:<9}{FAINT:#} {}", found.origin.name(), found.published)?;
        writeln!(out, "    {FAINT}ours{FAINT:#}      {}{p}", found.ours)?;
    }
    if let Some(folder) = folder {
        writeln!(out, "\nWritten to {}.", folder.display())?;
    }
    Ok(if good { Verdict::Good } else { Verdict::Bad })
}

/// Returns `true` if nothing was expected, or if the verdict is as foreseen.
fn is_foreseen(found: &Judged) -> bool {
    !found.is_expectation() || found.is_as_foreseen()
}

fn submit_to(
    experiment: &Experiment,
    which: &Which,
    cluster: &Cluster,
    shards: u64,
    work: &Path,
    write_only: bool,
    screen: &mut Screen,
) -> anyhow::Result<Verdict> {
    let program = std::env::current_exe().context("Cannot find this program")?;
    let place = || format!("Cannot write to {}", work.display());
    let made = submit(experiment, cluster, shards, &program, work).with_context(place)?;
    let tasks = counted(made.tasks.len() as u64, "task");
    let quick = if which.quick { " --quick" } else { "" };
    let then = format!("tafl experiment collect {}{quick} --work {}", which.name, work.display());
    let out = &mut screen.out;
    match (cluster, &made.script) {
        (_, script) if write_only => {
            let file = script.clone().unwrap_or_else(|| made.folder.join("tasks.txt"));
            writeln!(out, "{tasks}, written to {}", file.display())?;
        }
        (Cluster::Slurm(_), Some(script)) => {
            let sent = Command::new("sbatch").arg("--parsable").arg(script).output();
            let sent = sent.context("Cannot run sbatch; use --write-only to submit the script yourself")?;
            if !sent.status.success() {
                bail!("sbatch failed: {}", String::from_utf8_lossy(&sent.stderr).trim());
            }
            writeln!(out, "{tasks}, Slurm job {}", String::from_utf8_lossy(&sent.stdout).trim())?;
        }
        (Cluster::Condor, Some(script)) => {
            writeln!(out, "{tasks}; to submit them: condor_submit {}", script.display())?;
        }
        _ => {
            run_local(experiment, &made, screen)?;
            writeln!(screen.out, "{tasks} done")?;
        }
    }
    writeln!(screen.out, "Then: {then}")?;
    Ok(Verdict::Good)
}

/// Runs all tasks on this machine, one after another, each on all cores.
fn run_local(experiment: &Experiment, made: &Submission, screen: &Screen) -> anyhow::Result<()> {
    let bar = screen.progress("{elapsed_precise} {pos} of {len} tasks");
    bar.set_length(made.tasks.len() as u64);
    let options = RunOptions { jobs: cores(), stop: interrupt::token() };
    for task in &made.tasks {
        let part = experiment.parts.iter().find(|part| part.name == task.part);
        let Some(PartKind::Tournament(ready)) = part.map(|part| &part.kind) else { continue };
        let parts = made.folder.join(&task.part).join("parts");
        let done = tafl::tournament::work(ready, task.shard, &parts, &options, &|_, _| ())
            .context("A task failed")?;
        if done.is_none() {
            bail!("Interrupted. Run the same command again to continue.");
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Merges the results of workers. Parts that are not tournaments are run here.
fn collected(
    experiment: &Experiment,
    work: &Path,
    arguments: &Arguments,
    screen: &mut Screen,
) -> anyhow::Result<Outcomes> {
    let mut outcomes = Vec::new();
    let options = RunOptions { jobs: cores(), stop: interrupt::token() };
    let library = arguments.library();
    for part in &experiment.parts {
        let PartKind::Tournament(ready) = &part.kind else {
            let progress = &|_: &tafl::tournament::Progress| ();
            let options = options.clone();
            let how = RunPart { library: &library, store: None, options, progress, tell: &|_| {} };
            outcomes.push(run_part(part, &how)?);
            continue;
        };
        let parts = work.join(&part.name).join("parts");
        let place = || format!("Cannot read the parts in {}", parts.display());
        let found = collect(ready.plan(), &parts).with_context(place)?;
        let (count, all) = (found.results.matches.len() as u64, ready.plan().len());
        if !found.results.complete {
            writeln!(screen.out, "{}: {count} of {all} matches; the rest is missing", part.name)?;
        }
        if let Some(text) = missing(&found) {
            writeln!(screen.out, "{}: {text}", part.name)?;
        }
        for damaged in &found.damaged {
            writeln!(screen.out, "{}: {}", part.name, damage(damaged))?;
        }
        outcomes.push(Some(Outcome::Tournament(Box::new(ready.plan().clone()), found.results)));
    }
    Ok(outcomes)
}
