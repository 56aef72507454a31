//! `tafl graph check`: checks that a grammar defines a game.

use std::io::Write;

use clap::Args;
use graph::GraphGame;
use serde_json::json;
use tafl::game::Seed;

use super::GrammarArguments;
use crate::Verdict;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{GOOD, Screen, WARNING, counted};

/// Check that a grammar defines a game, by playing it
///
/// Every state that is not final must give the turn to one player; moves must have
/// different names; `filter` must apply once and leave the moves unchanged. An error
/// is reported with the state where it occurs.
#[derive(Debug, Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    grammar: GrammarArguments,
    /// The number of random games to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_in::<u64>(1..=u64::MAX, 100))]
    play: u64,
    /// The seed for all random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(super) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let bundle = self.grammar.bundle(arguments)?;
        let game = GraphGame::new(&bundle, self.grammar.start.as_deref())?;
        let report = game.inspect(self.play, 10_000, Seed(self.seed));
        let out = &mut screen.out;
        if self.json {
            let mistake = report.mistake.as_ref();
            let mistake = mistake
                .map(|found| json!({ "what": found.what, "moves": found.moves, "state": found.state }));
            let is_fine = mistake.is_none();
            let all = json!({
                "version": 1, "grammar": bundle.name, "fine": is_fine,
                "games": report.games, "states": report.states, "mistake": mistake,
            });
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)?;
            return Ok(if is_fine { Verdict::Good } else { Verdict::Bad });
        }
        let games = counted(report.games, "game");
        match report.mistake {
            None => {
                let states = counted(report.states, "state");
                writeln!(out, "{GOOD}fine{GOOD:#}: {games} with {states} played")?;
                Ok(Verdict::Good)
            }
            Some(mistake) => {
                writeln!(out, "{WARNING}wrong{WARNING:#}: {}", mistake.what)?;
                writeln!(
                    out,
                    "\nAfter {games} and {} in this state:\n",
                    counted(mistake.moves.len() as u64, "move")
                )?;
                for (number, text) in mistake.moves.iter().enumerate() {
                    writeln!(out, "  {:>3}. {text}", number + 1)?;
                }
                writeln!(out)?;
                out.write_all(mistake.state.as_bytes())?;
                Ok(Verdict::Bad)
            }
        }
    }
}
