//! `tafl completions`: shell completions.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::screen::Screen;

/// Print shell completions
///
/// `tafl install` puts them where the shells look for them.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl completions bash > ~/.local/share/bash-completion/completions/tafl")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "tafl", &mut text);
        Ok(screen.out.write_all(&text)?)
    }
}
