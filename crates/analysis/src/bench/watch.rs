//! Running a process that may run away.

use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks whether the process has ended.
const LOOK: Duration = Duration::from_millis(5);

/// How to run a process.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// The time after which it is killed.
    pub time: Duration,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Successfully, with its output.
    Well(String),
    /// Out of memory.
    Memory,
    /// Out of time.
    Time,
    /// In another way, with its error output.
    Badly(String),
}

impl Watch {
    /// Runs a process to its end. Its output is read only afterwards, so it must fit into a pipe buffer.
    pub fn run(&self, command: &mut Command) -> io::Result<Ended> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let in_time = self.wait(&mut child);
        if !matches!(in_time, Ok(true)) {
            // Killing fails if it has ended in the meantime, which is fine.
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
