//! Processes that are held still for a while.
//!
//! A node that is to die with a task on it must not be left by the task a moment
//! before. So the task is stopped first, the node is killed around it, and when
//! [`Frozen`] is dropped the task goes on, as it may on a node that is only cut off.

use std::fs;
use std::path::Path;

use crate::run::Line;
use crate::soak::output;

/// Processes that are stopped until this is dropped.
pub struct Frozen(Vec<u32>);

impl Frozen {
    /// Stops these processes; those that have ended meanwhile are left out.
    pub fn new(processes: Vec<u32>) -> Frozen {
        Frozen(processes.into_iter().filter(|process| signal("-STOP", *process)).collect())
    }

    /// Whether some of them are there and cannot end.
    pub fn is_holding(&self) -> bool {
        self.0.iter().any(|process| {
            let found = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            state(&found) == Some('T')
        })
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for process in &self.0 {
            signal("-CONT", *process);
        }
    }
}

fn signal(name: &str, process: u32) -> bool {
    output(&Line::new("kill").word(name).word(process.to_string())).is_ok_and(|done| done.code == Some(0))
}

/// The state in a line of `/proc/PID/stat`: the letter after the name, which is in parentheses.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Processes that have this variable in their environment, and this word in their command.
pub fn processes(variable: &str, word: &str) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let number = |entry: fs::DirEntry| entry.file_name().to_string_lossy().parse::<u32>().ok();
    let has = |process: u32, file: &str, text: &str| {
        let found = fs::read(Path::new("/proc").join(process.to_string()).join(file)).unwrap_or_default();
        found.split(|byte| *byte == 0).any(|entry| entry == text.as_bytes())
    };
    let mut found: Vec<u32> = all.flatten().filter_map(number).collect();
    found.retain(|process| has(*process, "environ", variable) && has(*process, "cmdline", word));
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_comes_after_a_name_that_may_hold_anything() {
        assert_eq!(state("12 (a) b) T 1 2"), Some('T'));
        assert_eq!(state(""), None);
    }

    /// Waits until something is so: a process that was just made has no environment yet, and one
    /// that is sent a signal does not take it at once.
    #[cfg(target_os = "linux")]
    fn becomes(is_so: impl Fn() -> bool) -> bool {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while !is_so() && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        is_so()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_found_held_and_let_go() {
        let mut child =
            std::process::Command::new("sleep").arg("600").env("TAFL_FROZEN", "here").spawn().unwrap();
        let found = || processes("TAFL_FROZEN=here", "600");
        let is_found = becomes(|| found() == [child.id()]);
        let frozen = Frozen::new(found());
        let is_held = becomes(|| frozen.is_holding());
        drop(frozen);
        let stat = format!("/proc/{}/stat", child.id());
        let is_let_go = becomes(|| state(&fs::read_to_string(&stat).unwrap_or_default()) != Some('T'));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_found && is_held && is_let_go, "{is_found} {is_held} {is_let_go}");
    }
}
