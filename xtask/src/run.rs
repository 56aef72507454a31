//! Running other programs: shown before, timed, bounded in time.

use std::fmt;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::corpus::root;

/// A command in the form that a person would type.
#[derive(Clone)]
pub struct Line {
    environment: Vec<(&'static str, String)>,
    words: Vec<String>,
}

impl Line {
    /// The words of a command, separated by blanks.
    pub fn new(words: &str) -> Line {
        Line { environment: Vec::new(), words: words.split(' ').map(String::from).collect() }
    }

    /// With one word more, which may hold blanks.
    pub fn word(mut self, word: impl Into<String>) -> Line {
        self.words.push(word.into());
        self
    }

    /// With a variable of the environment.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Line {
        self.environment.push((name, value.into()));
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).current_dir(root()).stdin(Stdio::null());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it with its output on the terminal; whether it succeeded.
    pub fn succeeds(&self) -> io::Result<bool> {
        Ok(self.command().status()?.success())
    }

    /// Runs it unseen, for at most `limit`.
    pub fn output(&self, limit: Duration) -> io::Result<Output> {
        let begin = Instant::now();
        let mut child = self.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let code = wait(&mut child, begin + limit)?;
        let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
        Ok(Output { code, out: text(out), err: text(err), seconds: begin.elapsed().as_secs_f64() })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(out, "{name}={} ", quoted(value))?;
        }
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        out.write_str(&words.join(" "))
    }
}

fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./=:+,".contains(char);
    if word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// What a program left.
pub struct Output {
    /// Its exit code; none if it was ended, by the limit of time or otherwise.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub seconds: f64,
}

/// Reads all of a stream, so that the program never waits for a reader.
fn reader(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What could be read before an error is all there is.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<i32>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_one_would_type_it() {
        let line = Line::new("cargo doc").with("RUSTDOCFLAGS", "-D warnings").word("it's");
        assert_eq!(line.to_string(), r"RUSTDOCFLAGS='-D warnings' cargo doc 'it'\''s'");
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_takes_too_long_is_ended() {
        let output = Line::new("sleep 60").output(Duration::from_millis(50)).unwrap();
        assert_eq!(output.code, None);
        assert!(output.seconds < 30.0);
    }
}
