//! `tafl player`: a player that listens on a port.

use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tafl::arena::{PlayerServer, ServeOptions};
use tafl::game::{Seed, StopToken};

use crate::interrupt;
use crate::screen::Screen;

/// The usual port of players.
const PORT: u16 = 9147;
/// The number of further ports to try.
const OTHERS: u16 = 20;

/// Let a player take part in matches over the network
///
/// The player listens on a port and speaks the GGP protocol: INFO, PREVIEW, START,
/// PLAY, STOP and ABORT over HTTP. It plays one match at a time, and answers
/// others that it is busy. Only programs on this machine can reach it, unless
/// --host is given. Press Ctrl-C to stop it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl player mcts\n  tafl player 'mcts(c=0.7)' --port 9150 --name clever\n  tafl match connect_four http://localhost:9147 random"
)]
pub(crate) struct PlayerCommand {
    /// The player (see `tafl players`)
    #[arg(value_name = "PLAYER")]
    spec: String,
    /// The port; 0 picks a free one [default: 9147 or the next free port]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen at; 0.0.0.0 makes it reachable from the network
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The name that the player reports [default: its spec]
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// The number of matches it plays at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    matches: usize,
    /// The reasoner that evaluates the rules (see `tafl reasoners`)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
    /// Answer this many milliseconds before the clock runs out
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u64,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The maximum size of a request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20)]
    max_request: usize,
    /// End when standard input is closed
    #[arg(long, hide = true)]
    with_parent: bool,
}

impl PlayerCommand {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let host = tafl::cast::host(&self.spec, &self.reasoner)?;
        let options = ServeOptions {
            name: self.name.clone().unwrap_or_else(|| self.spec.clone()),
            matches: self.matches.max(1),
            max_request: self.max_request,
            margin: Duration::from_millis(self.margin),
            seed: Seed(self.seed),
            ..ServeOptions::default()
        };
        let ports = self.port.map_or(PORT..=PORT + OTHERS, |port| port..=port);
        let mut taken = None;
        let mut server = None;
        for port in ports {
            match PlayerServer::start((self.host, port), host.clone(), options.clone()) {
                Ok(started) => {
                    server = Some(started);
                    break;
                }
                Err(error) => taken = Some((port, error)),
            }
        }
        let Some(server) = server else {
            let (port, error) = taken.expect("at least one port was tried");
            bail!(
                "Cannot listen at {}:{port}: {error}. Use another --port, or 0 for any free one.",
                self.host
            );
        };
        writeln!(screen.out, "{} listens at http://{}", self.spec, server.address())?;
        screen.out.flush()?;
        let stop = interrupt::token();
        if self.with_parent {
            let gone: StopToken = stop.clone();
            std::thread::spawn(move || {
                let _ = io::copy(&mut io::stdin().lock().by_ref(), &mut io::sink());
                gone.stop();
            });
        }
        while !stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(50));
        }
        server.stop();
        Ok(())
    }
}
