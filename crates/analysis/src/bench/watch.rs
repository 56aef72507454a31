//! A process that may run away, watched from outside.

use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the process is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// How a process is to be run.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// It is ended after this time.
    pub time: Duration,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// By itself and well, with what it wrote.
    Well(String),
    /// It ran out of memory.
    Memory,
    /// It ran out of time.
    Time,
    /// In another way, with what it wrote about it.
    Badly(String),
}

impl Watch {
    /// Runs a process to its end. What it writes must be short.
    pub fn run(&self, command: &mut Command) -> io::Result<Ended> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let in_time = self.wait(&mut child);
        if !matches!(in_time, Ok(true)) {
            // It may have ended on its own since.
            let _ = child.kill();
        }
        let output = child.wait_with_output()?;
        if !in_time? {
            return Ok(Ended::Time);
        }
        if output.status.success() {
            return Ok(Ended::Well(String::from_utf8_lossy(&output.stdout).into_owned()));
        }
        let complaint = String::from_utf8_lossy(&output.stderr).trim().to_string();
        if complaint.contains("memory allocation of") {
            return Ok(Ended::Memory);
        }
        let complaint = if complaint.is_empty() { output.status.to_string() } else { complaint };
        Ok(Ended::Badly(complaint))
    }

    fn wait(&self, child: &mut Child) -> io::Result<bool> {
        let began = Instant::now();
        while child.try_wait()?.is_none() {
            if began.elapsed() > self.time {
                return Ok(false);
            }
            thread::sleep(LOOK);
        }
        Ok(true)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration) -> Ended {
        Watch { time }.run(Command::new("sh").args(["-c", script])).expect("`sh` can be started")
    }

    #[test]
    fn every_end_is_told() {
        let long = Duration::from_secs(20);
        assert_eq!(shell("echo fine", long), Ended::Well("fine\n".into()));
        assert_eq!(shell("echo oh >&2; exit 3", long), Ended::Badly("oh".into()));
        assert_eq!(shell("echo memory allocation of 8 bytes failed >&2; kill -6 $$", long), Ended::Memory);
        assert_eq!(shell("while :; do :; done", Duration::from_millis(30)), Ended::Time);
    }
}
