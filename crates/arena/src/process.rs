//! A player in a process of its own.
//!
//! A thread that does not stop cannot be terminated, and a stack overflow kills its process. A player that is
//! not trusted that far runs as a child process that speaks the protocol on loopback. The child is killed
//! when its seat is dropped.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use game::{Deadline, Fault, Goal, MatchContext, Role, Seat, Thought, Turn};

use crate::remote::{Address, Remote};

/// How long the child may take until it listens.
const BEGIN: Duration = Duration::from_secs(10);

/// A seat whose player is a child process.
pub struct Process {
    program: PathBuf,
    arguments: Vec<String>,
    roles: Vec<Role>,
    hides: bool,
    child: Option<Child>,
    remote: Option<Remote>,
}

impl Process {
    /// Creates a seat whose player is the program with these arguments. The program must print a line that
    /// ends with the address it listens at, and exit when its standard input is closed.
    pub fn new(program: PathBuf, arguments: Vec<String>, roles: &[Role], hides: bool) -> Process {
        Process { program, arguments, roles: roles.to_vec(), hides, child: None, remote: None }
    }

    fn begin(&mut self) -> Result<&mut Remote, Fault> {
        if self.remote.is_none() {
            let failed = |what: String| Fault::Unreachable(format!("{}: {what}", self.program.display()));
            let mut child = Command::new(&self.program)
                .args(&self.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| failed(error.to_string()))?;
            let out = child.stdout.take();
            self.child = Some(child);
            let (line, lines) = channel();
            thread::spawn(move || {
                let mut out = BufReader::new(out.expect("standard output is piped"));
                let mut first = String::new();
                let _ = out.read_line(&mut first);
                let _ = line.send(first);
                let _ = std::io::copy(&mut out, &mut std::io::sink());
            });
            let first = lines.recv_timeout(BEGIN).unwrap_or_default();
            let place = first.split_whitespace().next_back().unwrap_or_default();
            let address = Address::parse(place)
                .map_err(|_| failed("it did not print the address it listens at".to_string()))?;
            self.remote = Some(Remote::new(address, &self.roles, self.hides));
        }
        Ok(self.remote.as_mut().expect("it was made above"))
    }

    fn running(&mut self) -> Result<&mut Remote, Fault> {
        self.remote
            .as_mut()
            .ok_or_else(|| Fault::Unreachable("the player's process did not start".to_string()))
    }
}

impl Seat for Process {
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.begin()?.preview(context, deadline)
    }

    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.begin()?.start(context, deadline)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        self.running()?.play(last, deadline)
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        if let Some(remote) = &mut self.remote {
            remote.stop(last, goals);
        }
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn thought(&self) -> Thought<String> {
        self.remote.as_ref().map(Remote::thought).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
