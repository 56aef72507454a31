//! `tafl install`: manual pages and shell completions, where shells and `man` look for them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::Arguments;
use crate::screen::{Screen, counted};

/// Install manual pages and shell completions
///
/// Writes a manual page for each command, and completions for bash, zsh and fish,
/// to your data folder, where `man` and the shells look for them. Files of an
/// earlier version are replaced.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl install\n  tafl install --dir /usr/local/share")]
pub(crate) struct Install {
    /// The folder to install into [default: your data folder, ~/.local/share]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// The shells, and where in a data folder they look for completions.
const SHELLS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/tafl"),
    (Shell::Zsh, "zsh/site-functions/_tafl"),
    (Shell::Fish, "fish/vendor_completions.d/tafl.fish"),
];

impl Install {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let Some(dir) = self.dir.clone().or_else(data_folder) else {
            bail!("Your data folder is unknown, because HOME is not set. Give a folder with --dir.");
        };
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        let mut all = Vec::new();
        pages(&command, &mut all)?;
        let manual = dir.join("man/man1");
        for (name, page) in &all {
            write(&manual.join(name), page)?;
        }
        let out = &mut screen.out;
        writeln!(out, "{} in {}", counted(all.len() as u64, "manual page"), manual.display())?;
        for (shell, place) in SHELLS {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "tafl", &mut text);
            let path = dir.join(place);
            write(&path, &text)?;
            writeln!(out, "completions for {shell} in {}", path.display())?;
        }
        writeln!(out, "Start a new shell to use them. If zsh does not find its file, add this line to")?;
        let folder = dir.join("zsh/site-functions");
        writeln!(out, "~/.zshrc, before compinit: fpath=({} $fpath)", folder.display())?;
        Ok(())
    }
}

/// Returns the folder for data of this user.
fn data_folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    path("XDG_DATA_HOME").or_else(|| path("HOME").map(|home| home.join(".local/share")))
}

/// Adds the manual pages of a command and all its subcommands, with the names of their files.
fn pages(command: &Command, all: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    all.push((man.get_filename(), page));
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        pages(command, all)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let place = || format!("Cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(place)?;
    }
    fs::write(path, bytes).with_context(place)
}
