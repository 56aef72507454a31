//! `tafl perft`: counts sequences of joint moves.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use tafl::analysis::perft as count;
use tafl::game::perft::Depth;
use tafl::game::{AnyGame, Deadline};

use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, grouped};

/// Count the sequences of joint moves, depth by depth
///
/// Each line shows how many sequences of exactly that many joint moves there are,
/// and how many of them end in a terminal state. These are the standard numbers
/// for checking the rules of a game.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl perft chess --depth 3\n  tafl perft tic_tac_toe --depth 9 --plain > perft.txt"
)]
pub(crate) struct Perft {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    /// The number of joint moves
    #[arg(long, short, value_name = "N", value_parser = number_in::<u32>(0..=u32::MAX, 5))]
    depth: u32,
    /// Print only numbers, without times, as in a game's perft.txt
    #[arg(long)]
    plain: bool,
}

struct Count<'a> {
    perft: &'a Perft,
    screen: &'a mut Screen,
}

impl Perft {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        if !self.plain {
            writeln!(screen.out, "{STRONG}{}{STRONG:#}, reasoner {chosen}", loaded.title())?;
        }
        Count { perft: self, screen }.run(&chosen.game)
    }
}

impl Count<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<()> {
        let Count { perft, screen } = self;
        let from = perft.state.of(game)?;
        if let Some(state) = perft.state.canonical()? {
            writeln!(screen.out, "{}from {state}", if perft.plain { "# " } else { "" })?;
        }
        if !perft.plain {
            writeln!(screen.out, "{:>5} {:>20} {:>20} {:>9}", "depth", "sequences", "terminal", "seconds")?;
        }
        let began = Instant::now();
        let bar = screen.progress("{elapsed_precise} {msg}");
        let mut written = Ok(());
        let mut dead_ends = Vec::new();
        let out = &mut screen.out;
        count(game, &from, perft.depth, &Deadline::never(), &mut |progress| {
            if let Some(count) = progress.finished {
                let seconds = began.elapsed().as_secs_f64();
                let line = line(progress.depth, &count, seconds, perft.plain);
                bar.suspend(|| {
                    if written.is_ok() {
                        written = writeln!(out, "{line}").and_then(|()| out.flush());
                    }
                });
                if count.dead_ends > 0 {
                    dead_ends.push((progress.depth, count.dead_ends));
                }
            } else if progress.done % 256 == 0 {
                let (done, states) = (grouped(progress.done as u64), grouped(progress.states as u64));
                bar.set_message(format!("depth {}: {done} of {states} states", progress.depth));
                bar.tick();
            }
        })?;
        written?;
        bar.finish_and_clear();
        for (depth, count) in dead_ends {
            let mark = if perft.plain { "# " } else { "" };
            let count = grouped(count);
            writeln!(
                screen.out,
                "{mark}depth {depth}: {count} end in a dead end, where a role has no legal move"
            )?;
        }
        Ok(())
    }
}

fn line(depth: u32, count: &Depth, seconds: f64, plain: bool) -> String {
    if plain {
        return format!("{depth} {} {}", count.sequences, count.terminal);
    }
    let (sequences, terminal) = (grouped(count.sequences), grouped(count.terminal));
    format!("{depth:>5} {sequences:>20} {terminal:>20} {seconds:>9.3}")
}
