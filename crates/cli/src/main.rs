//! `tafl`: plays any game from its rules alone.
//!
//! Each subcommand is a file in `commands`. This one parses the arguments, sets up colours and exit
//! codes, and makes sure that every failure reaches the user as a plain sentence.

mod arguments;
mod commands;
mod draw;
mod interrupt;
mod numbers;
mod screen;
mod storage;

use std::io::{self, IsTerminal, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Observed};
use screen::{ERROR, Screen, fitted};

/// The result of a command that could be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Success.
    Good,
    /// What was checked is wrong, or the run was interrupted.
    Bad,
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        // A player's panic costs it a move and is reported in the match record.
        if std::thread::current().name().is_some_and(|name| name.starts_with("seat-")) {
            return;
        }
        let place = panic.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
        let text = "this is a bug in tafl, not in your input; please report it";
        let _ = writeln!(io::stderr(), "tafl: {text}{place}.");
    }));
    let mut arguments = Arguments::parse();
    let run = std::panic::catch_unwind(AssertUnwindSafe(move || {
        let mut screen = Screen::new(arguments.color);
        arguments.observer = Observed(screen.compiling());
        let verdict = commands::run(&arguments, &mut screen)?;
        screen.out.flush()?;
        Ok(verdict)
    }));
    match run {
        Ok(Ok(Verdict::Good)) => ExitCode::SUCCESS,
        Ok(Ok(Verdict::Bad)) => ExitCode::from(1),
        Ok(Err(error)) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            let text = format!("error: {error:#}");
            // Lines are only broken for people, not for programs.
            let text = if io::stderr().is_terminal() { fitted(&text) } else { text };
            let text = text.strip_prefix("error:").unwrap_or(&text);
            let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#}{text}");
            ExitCode::from(2)
        }
        Err(_) => ExitCode::from(2),
    }
}

/// Returns `true` if the reader of our output is gone, as in `tafl games | head -1`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}
