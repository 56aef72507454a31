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
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen};
use crate::storage::StoreArguments;

/// Open the arena in a browser
///
/// Serves pages for playing and watching matches and for writing rules, and the
/// API they use. Without --host, only this machine can reach it. Otherwise, every
/// change requires a token, which is generated if none is given. Matches are
/// stored; open matches, tournaments and experiments are resumed when the service
/// is started again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl serve --open\n  tafl serve my_games ../ggp-repository\n  tafl serve --host 0.0.0.0 --token SECRET"
)]
pub(crate) struct Serve {
    /// Folders of games to show beside the library: rule sheets, one folder per game, or a checkout of the
    /// public game repository
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder of experiments [default: experiments, here or in a parent folder]
    #[arg(long, value_name = "DIR", env = "TAFL_EXPERIMENTS", hide_env_values = true)]
    experiments: Option<PathBuf>,
    /// The port; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 9180, value_parser = number_in::<u16>(0..=u16::MAX, 9180))]
    port: u16,
    /// The address to listen at, such as 0.0.0.0 for all addresses of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The token required for every change
    #[arg(long, value_name = "TEXT", env = "TAFL_TOKEN", hide_env_values = true)]
    token: Option<String>,
    #[command(flatten)]
    store: StoreArguments,
    /// Do not store anything
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    /// Open the pages in your browser
    #[arg(long)]
    open: bool,
    /// The format of the log, which is written to standard error
    #[arg(long, value_name = "FORM", default_value = "none", value_parser = ["none", "text", "json"])]
    log: String,
    /// Also log every request
    #[arg(long)]
    log_requests: bool,
}

impl Serve {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        if self.token.as_ref().is_some_and(|token| token.len() < 8 || !token.bytes().all(is_plain)) {
            bail!("A token must consist of at least eight letters, digits, - or _.");
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
    /// Returns the folder of experiments, if there is one.
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

/// Returns the address to open, with the token if there is one.
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
    writeln!(out, "Serving at {STRONG}{}{STRONG:#}", place(running))?;
    match running.resumed {
        0 => {}
        1 => writeln!(out, "Resumed 1 match.")?,
        count => writeln!(out, "Resumed {count} matches.")?,
    }
    writeln!(out, "{FAINT}Press Ctrl-C to stop; open matches are resumed at the next start.{FAINT:#}")?;
    Ok(out.flush()?)
}

/// Opens the browser. If there is none, the address has already been printed.
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
