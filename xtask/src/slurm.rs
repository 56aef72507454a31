//! `cargo xtask soak slurm`: an experiment on a real Slurm.
//!
//! Starts munged, slurmctld and four slurmd (virtual nodes of this machine) from
//! a configuration of its own in a folder of its own, submits an experiment as
//! an array, kills a node with a task on it, sees that Slurm gives the task to
//! another, waits for the rest, and compares the results with those of this machine
//! alone and with those of shards that were played twice. Needs root and the packages `slurm-wlm` and `munge`; says so
//! where they are missing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::frozen::{Frozen, processes};
use crate::run::{Line, Output};
use crate::soak::{Options, output, text};
use crate::table::Table;

const NODES: usize = 4;
const SHARDS: &str = "16";
const PATIENCE: Duration = Duration::from_secs(900);

/// What is played: long enough that a node can be killed on the way.
const EXPERIMENT: &str = r#"title = "An array of matches"
source = "nobody"

[[part]]
name = "search"
games = ["connect_four"]
players = ["mcts(playouts=$budget)", "random", "lookahead"]
budgets = [100, 1000]
matches = 16
seed = 5

[[part]]
name = "random"
games = ["tic_tac_toe"]
players = ["random", "legal"]
matches = 320
seed = 6
"#;

/// Runs the check, or says why it cannot.
pub fn run(options: &Options) -> Result<(), String> {
    if let Some(missing) = missing() {
        println!("== left out: {missing}");
        return Ok(());
    }
    let tafl = options.program()?;
    let folder = std::env::temp_dir().join(format!("tafl-slurm-{}", std::process::id()));
    let site = Site::new(&folder)?;
    let done = site.start().and_then(|()| check(&site, &tafl));
    site.stop();
    match done {
        Ok(row) => {
            let _ = fs::remove_dir_all(&folder);
            let row: Vec<&str> = row.iter().map(String::as_str).collect();
            Table::open("slurm.csv", "nodes,tasks,requeued,matches,seconds,verdict", 2).put(&row)
        }
        Err(error) => Err(format!("{error}\nWhat Slurm wrote is in {}.", folder.join("log").display())),
    }
}

/// What keeps this check from being run.
fn missing() -> Option<String> {
    for program in ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"] {
        let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
            .iter()
            .any(|folder| Path::new(folder).join(program).exists());
        if !found {
            return Some(format!(
                "`{program}` is not installed (Debian packages `slurm-wlm` and `munge`), so Slurm was not tried."
            ));
        }
    }
    let root = fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt;
        own.uid() == 0
    });
    (!root).then(|| "a Slurm of its own has to be started as root, so it was not tried.".to_string())
}

/// A Slurm of our own.
struct Site {
    folder: PathBuf,
}

impl Site {
    fn new(folder: &Path) -> Result<Site, String> {
        let make =
            |path: &Path| fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()));
        for part in ["state", "log", "munge"] {
            make(&folder.join(part))?;
        }
        for node in 1..=NODES {
            make(&folder.join(format!("spool-n{node}")))?;
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let mut key = vec![0u8; 1024];
        let random = fs::File::open("/dev/urandom");
        random
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut key))
            .map_err(|e| e.to_string())?;
        let put = |name: &str, bytes: &[u8], mode: u32| {
            let path = folder.join(name);
            fs::write(&path, bytes)
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(mode)))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        put("munge.key", &key, 0o400)?;
        put("slurm.conf", configuration(folder, host.trim()).as_bytes(), 0o644)?;
        Ok(Site { folder: folder.to_path_buf() })
    }

    fn path(&self, name: &str) -> String {
        text(&self.folder.join(name))
    }

    /// A command that speaks to this Slurm.
    fn line(&self, words: &str) -> Line {
        Line::new(words).with("SLURM_CONF", self.path("slurm.conf"))
    }

    fn ask(&self, words: &str) -> Result<Output, String> {
        output(&self.line(words))
    }

    fn must(&self, line: &Line) -> Result<String, String> {
        let done = output(line)?;
        match done.code {
            Some(0) => Ok(done.out),
            _ => Err(format!("`{line}` failed:\n{}{}", done.out, done.err)),
        }
    }

    fn start(&self) -> Result<(), String> {
        let munged = Line::new("munged --force --num-threads=2")
            .word(format!("--key-file={}", self.path("munge.key")))
            .word(format!("--socket={}", self.path("munge/munge.socket.2")))
            .word(format!("--pid-file={}", self.path("munge/munged.pid")))
            .word(format!("--log-file={}", self.path("log/munged.log")))
            .word(format!("--seed-file={}", self.path("munge/seed")));
        self.detached(&munged)?;
        self.detached(&self.line("slurmctld -f").word(self.path("slurm.conf")))?;
        for node in 1..=NODES {
            self.detached(&self.line(&format!("slurmd -N n{node} -f")).word(self.path("slurm.conf")))?;
        }
        self.wait(Duration::from_secs(90), "the nodes to come up", || {
            let nodes = self.ask("sinfo -h -N -o %N:%t")?.out;
            Ok(nodes.lines().filter(|line| line.ends_with(":idle")).count() == NODES)
        })
    }

    /// Starts a program that goes into the background by itself.
    fn detached(&self, line: &Line) -> Result<(), String> {
        match line.succeeds() {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("`{line}` failed")),
            Err(error) => Err(format!("cannot run `{line}`: {error}")),
        }
    }

    fn wait(
        &self,
        limit: Duration,
        what: &str,
        mut done: impl FnMut() -> Result<bool, String>,
    ) -> Result<(), String> {
        let began = Instant::now();
        while !done()? {
            if began.elapsed() > limit {
                return Err(format!("waited {} s for {what}", limit.as_secs()));
            }
            sleep(Duration::from_millis(300));
        }
        Ok(())
    }

    fn process(&self, pid_file: &str) -> Option<String> {
        let pid = fs::read_to_string(self.folder.join(pid_file)).ok()?;
        Some(pid.trim().to_string()).filter(|pid| pid.parse::<u32>().is_ok())
    }

    /// Ends what was started, by process id.
    fn stop(&self) {
        let _ = self.ask("scancel --quiet --full -u root");
        let mut files: Vec<String> = (1..=NODES).map(|node| format!("slurmd-n{node}.pid")).collect();
        files.extend(["slurmctld.pid".to_string(), "munge/munged.pid".to_string()]);
        for pid in files.iter().filter_map(|file| self.process(file)) {
            let _ = output(&Line::new("kill").word(pid));
        }
        sleep(Duration::from_secs(1));
    }
}

fn configuration(folder: &Path, host: &str) -> String {
    let run = folder.display();
    let nodes: String = (1..=NODES)
        .map(|node| {
            let port = 17_100 + node;
            format!(
                "NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=1000\n"
            )
        })
        .collect();
    format!(
        "ClusterName=tafl\n\
         SlurmctldHost={host}(127.0.0.1)\n\
         SlurmUser=root\nSlurmdUser=root\n\
         # A task that is requeued waits for its credentials to be over.\n\
         AuthType=auth/munge\nAuthInfo=socket={run}/munge/munge.socket.2,cred_expire=30\nCredType=cred/munge\n\
         SlurmctldPort=17100\n\
         SlurmctldPidFile={run}/slurmctld.pid\nSlurmdPidFile={run}/slurmd-%n.pid\n\
         StateSaveLocation={run}/state\nSlurmdSpoolDir={run}/spool-%n\n\
         SlurmctldLogFile={run}/log/slurmctld.log\nSlurmdLogFile={run}/log/slurmd-%n.log\n\
         # No control groups and no database are needed.\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
         MpiDefault=none\nSwitchType=switch/none\nAccountingStorageType=accounting_storage/none\n\
         JobCompType=jobcomp/filetxt\nJobCompLoc={run}/log/jobcomp.txt\n\
         # Tasks start at once, and several nodes live on one machine.\n\
         SchedulerParameters=sched_min_interval=100000,default_queue_depth=10000,bf_interval=5,batch_sched_delay=0\n\
         SchedulerType=sched/backfill\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         SlurmdParameters=config_overrides\nReturnToService=2\nSlurmdTimeout=30\n\
         MaxArraySize=10001\nMaxJobCount=20000\nMinJobAge=3600\n\
         {nodes}\
         PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}

/// The experiment on the cluster, on this machine, and in shards played twice.
fn check(site: &Site, tafl: &str) -> Result<Vec<String>, String> {
    let name = site.path("array");
    fs::create_dir_all(&name)
        .and_then(|()| fs::write(Path::new(&name).join("experiment.toml"), EXPERIMENT))
        .map_err(|error| error.to_string())?;
    let experiment = |words: &str| Line::new(tafl).word("experiment").word(words).word(&name);
    let began = Instant::now();
    let submit = experiment("submit").with("SLURM_CONF", site.path("slurm.conf"));
    let submit = submit
        .word("--on")
        .word("slurm")
        .word("--shards")
        .word(SHARDS)
        .word("--work")
        .word(site.path("slurm"));
    let said = site.must(&submit)?;
    println!("{}", said.lines().next().unwrap_or_default());
    let tasks = said.split(' ').next().unwrap_or("0").to_string();
    // The shards that are whole.
    let shards = || -> Vec<PathBuf> {
        let found = |part: &str| fs::read_dir(Path::new(&site.path("slurm")).join(part).join("parts"));
        let all = ["search", "random"].into_iter().filter_map(|part| found(part).ok()).flatten().flatten();
        let whole = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
        all.map(|entry| entry.path()).filter(whole).collect()
    };
    let parts = || shards().len();
    // A node dies with a task on it: the task is held, so that it cannot end before the node
    // does, and goes on when its work has been done elsewhere.
    let mut held = None;
    site.wait(PATIENCE, "the first parts, and work on the third node", || {
        let running = || site.ask("squeue -h -r -t R -w n3 -o %i").map(|found| !found.out.trim().is_empty());
        if parts() >= 3 {
            drop(held.take());
            held = Some(Frozen::new(processes("SLURMD_NODENAME=n3", "worker")));
        }
        Ok(held.as_ref().is_some_and(Frozen::is_holding) && running()?)
    })?;
    let node = site.process("slurmd-n3.pid").ok_or("the third node has no process")?;
    site.must(&Line::new("kill -9").word(node))?;
    site.must(&site.line("scontrol update NodeName=n3 State=DOWN Reason=killed"))?;
    println!("killed a node after {} parts", parts());
    let requeued = || {
        let ended = fs::read_to_string(site.path("log/jobcomp.txt")).unwrap_or_default();
        ended.lines().filter(|line| line.contains("NODE_FAIL") || line.contains("REQUEUE")).count()
    };
    site.wait(PATIENCE, "a task of the dead node to be requeued", || Ok(requeued() > 0))?;
    site.wait(PATIENCE, "the array to end", || Ok(site.ask("squeue -h -r -o %i")?.out.trim().is_empty()))?;
    drop(held);
    let requeued = requeued();
    let seconds = began.elapsed().as_secs_f64();

    let collect = |work: &str, out: &str| {
        let line =
            experiment("collect").word("--work").word(site.path(work)).word("--out").word(site.path(out));
        site.must(&line)
    };
    collect("slurm", "out-slurm")?;
    let local = experiment("submit").word("--on").word("local").word("--shards").word("3");
    site.must(&local.word("--work").word(site.path("local")))?;
    collect("local", "out-local")?;
    // Shards of another cut in the same folder: every match twice.
    for part in ["search", "random"] {
        for shard in ["0/2", "1/2"] {
            let worker = Line::new(tafl)
                .word("worker")
                .word("--plan")
                .word(site.path(&format!("local/{part}/plan.json")));
            let worker = worker.word("--shard").word(shard).word("--out");
            site.must(&worker.word(site.path(&format!("local/{part}/parts"))))?;
        }
    }
    collect("local", "out-twice")?;
    let whole = experiment("run").word("--no-store").word("--out").word(site.path("out-run"));
    site.must(&whole)?;
    let lines = |path: PathBuf| fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let matches: usize = shards().into_iter().map(lines).sum();
    for file in ["search.results.gz", "random.results.gz", "report.html", "figures.json"] {
        let read = |out: &str| {
            let path = Path::new(&site.path(out)).join(file);
            fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let expected = read("out-run")?;
        for out in ["out-slurm", "out-local", "out-twice"] {
            if read(out)? != expected {
                return Err(format!("{file} of {out} differs from that of a plain run"));
            }
        }
    }
    println!(
        "== {tasks} tasks on {NODES} nodes, {requeued} of the dead node given to others; all results are the same"
    );
    let row = [NODES.to_string(), tasks, requeued.to_string(), matches.to_string(), format!("{seconds:.0}")];
    Ok(row.into_iter().chain(["same".to_string()]).collect())
}
