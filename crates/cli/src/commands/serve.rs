//! `tafl serve`: the arena in a browser.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use web::{Limits, Options, Running};

use crate::arguments::Arguments;
use crate::interrupt;
use crate::screen::{FAINT, STRONG, Screen};
use crate::storage::StoreArguments;

/// Open the arena in a browser
///
/// Serves pages to play and watch matches and to write rules, and the API they
/// use. Without --host only this machine can reach it. Beyond it, everything
/// that changes something needs a token; one is made up where none is given.
/// Matches are kept, and those that are open go on when the service is started
/// again, as do tournaments and experiments that were begun on the pages.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl serve --open\n  tafl serve my_games ../ggp-repository\n  tafl serve --host 0.0.0.0 --token SECRET"
)]
pub(crate) struct Serve {
    /// Folders of games to show beside the library: rule sheets, one folder for each game, or a
    /// checkout of the public repository
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder of the experiments [default: experiments, here or above]
    #[arg(long, value_name = "DIR", env = "TAFL_EXPERIMENTS", hide_env_values = true)]
    experiments: Option<PathBuf>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 9180)]
    port: u16,
    /// The address to listen on, such as 0.0.0.0 for all of this machine's
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// What everything that changes something needs
    #[arg(long, value_name = "TEXT", env = "TAFL_TOKEN", hide_env_values = true)]
    token: Option<String>,
    #[command(flatten)]
    store: StoreArguments,
    /// Keep nothing
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    /// Open the pages in your browser
    #[arg(long)]
    open: bool,
    /// How the log is written, to standard error
    #[arg(long, value_name = "FORM", default_value = "none", value_parser = ["none", "text", "json"])]
    log: String,
    /// Also log every request
    #[arg(long)]
    log_requests: bool,
}

impl Serve {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        if self.token.as_ref().is_some_and(|token| token.len() < 8 || !token.bytes().all(is_plain)) {
            bail!("A token has at least eight letters, digits, - or _.");
        }
        if self.log != "none" || self.log_requests {
            web::log_to_stderr(self.log == "json", self.log_requests);
        }
        let store = if self.no_store { None } else { self.store.open()? };
        let mut library = arguments.library();
        for folder in &self.folders {
            if !folder.is_dir() {
                bail!("There is no folder {}.", folder.display());
            }
            library = library.with(folder);
        }
        library.names()?;
        let options = Options {
            host: self.host,
            port: self.port,
            token: self.token.clone(),
            store,
            library,
            experiments: self.experiments(),
            limits: Limits::default(),
        };
        let stop = interrupt::token();
        let mut written = Ok(());
        let served = web::serve(options, &stop, |running| {
            written = tell(screen, running);
            if self.open {
                open(&place(running));
            }
        });
        written?;
        served.with_context(|| format!("Cannot serve on {}, port {}", self.host, self.port))?;
        Ok(())
    }
}

impl Serve {
    /// The folder of the experiments, if there is one.
    fn experiments(&self) -> Option<PathBuf> {
        let above = || {
            let here = std::env::current_dir().ok()?;
            here.ancestors().map(|folder| folder.join("experiments")).find(|folder| folder.is_dir())
        };
        self.experiments.clone().or_else(above)
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// The address to open, with the token where one is needed.
fn place(running: &Running) -> String {
    let mut address = running.address;
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let token = running.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
    format!("http://{address}/{token}")
}

fn tell(screen: &mut Screen, running: &Running) -> anyhow::Result<()> {
    let out = &mut screen.out;
    writeln!(out, "tafl is at {STRONG}{}{STRONG:#}", place(running))?;
    match running.resumed {
        0 => {}
        1 => writeln!(out, "One match goes on from before.")?,
        count => writeln!(out, "{count} matches go on from before.")?,
    }
    writeln!(out, "{FAINT}Ctrl-C ends it; open matches go on when it is started again.{FAINT:#}")?;
    Ok(out.flush()?)
}

/// Asks the system for its browser. Where there is none, the address has been told.
fn open(place: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut browser = Command::new(program);
    browser.args(first).arg(place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = browser.spawn();
}
