//! `tafl graph serve`: a channel for other programs.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use clap::Args;

use crate::numbers::number_in;
use crate::screen::Screen;

/// The maximum number of conversations at the same time.
const MAX_TALKS: usize = 16;

/// Let other programs explore grammars: lines in, JSON lines out
///
/// The first line of a conversation is a packed grammar (zip) in base64; then
/// `rules`, `state N`, `info N` and `exit` are each answered with a line of JSON.
/// Only programs on this machine can connect. docs/graph-channel.md describes the
/// answers.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The TCP port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, conflicts_with = "stdin")]
    #[arg(value_parser = number_in::<u16>(0..=u16::MAX, 8080))]
    port: u16,
    /// Use standard input and output instead
    #[arg(long)]
    stdin: bool,
    /// Stop after this many conversations
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..=usize::MAX, 10))]
    conversations: Option<usize>,
}

impl Serve {
    pub(super) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        if self.stdin {
            return Ok(graph::channel::serve(io::stdin().lock(), &mut screen.out)?);
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port))
            .with_context(|| format!("Cannot listen on port {}", self.port))?;
        writeln!(screen.out, "listening on {}", listener.local_addr()?)?;
        screen.out.flush()?;
        let talking = Arc::new(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for (number, stream) in listener.incoming().enumerate() {
                let Ok(mut stream) = stream else { continue };
                if talking.fetch_add(1, Ordering::SeqCst) >= MAX_TALKS {
                    talking.fetch_sub(1, Ordering::SeqCst);
                    let _ = writeln!(stream, "{{\"error\":\"Too many conversations.\"}}");
                    continue;
                }
                let talking = Arc::clone(&talking);
                scope.spawn(move || {
                    if let Ok(input) = stream.try_clone() {
                        let _ = graph::channel::serve(input, &stream);
                    }
                    talking.fetch_sub(1, Ordering::SeqCst);
                });
                if self.conversations.is_some_and(|most| number + 1 >= most) {
                    break;
                }
            }
        });
        Ok(())
    }
}
