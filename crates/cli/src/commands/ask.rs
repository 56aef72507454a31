//! `tafl ask`: what a player thinks its moves are worth.

use std::io::Write;

use clap::Args;
use tafl::analysis::{After, Answers, AskRequest, Estimate, ask};
use tafl::game::{AnyGame, Seed, StopToken};

use crate::arguments::{Arguments, GameArguments};
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, counted, grouped};

/// Show what a player thinks its moves are worth, and what its choices cost
///
/// The player is told the steps so far, as by a referee, and asked for a move,
/// many times with different seeds. The values it assigns to its moves are
/// averaged (95 % intervals), and the states it visits are counted. Only players
/// that use a bag of models assign values to their moves.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl ask spy_vs_spy 'hyperplay(16,16)'\n  tafl ask exploding_bomb 'hyperplay2(4,4,4,4)' \\\n    --after 'arm red; ask'\n  tafl ask exploding_bomb 'hyperplay(16,16)' --saw noop --saw 'ask: red'\n  tafl ask krieg_tic_tac_toe_5 'hyperplay(64,32)' --speed --times 20"
)]
pub(crate) struct AskCommand {
    #[command(flatten)]
    game: GameArguments,
    /// The player (see `tafl players`)
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Its role [default: the first that is not chance]
    #[arg(long, value_name = "NAME")]
    role: Option<String>,
    /// Make these moves first, as in `tafl show`; the player is told what its role
    /// sees of them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    after: String,
    /// Instead, tell it a step as its role saw it: 'MOVE' or 'MOVE: PERCEPT PERCEPT'
    /// (can be repeated)
    #[arg(long, value_name = "STEP", conflicts_with = "after")]
    saw: Vec<String>,
    /// How often to ask
    #[arg(long, value_name = "N", default_value_t = AskRequest::default().times)]
    #[arg(value_parser = number_in::<u64>(1..=10_000_000, 100))]
    times: u64,
    /// Compare the speed of its playouts with that of plain ones
    #[arg(long)]
    speed: bool,
    /// The seed for all random choices
    #[arg(long, value_name = "N", default_value_t = AskRequest::default().seed.0)]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Formats an estimate with half of its interval.
fn told(estimate: &Estimate) -> String {
    format!("{:.2} ± {:.2}", estimate.value, 1.96 * estimate.error)
}

impl AskCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let answers = self.ask(&chosen.game, screen)?;
        let out = &mut screen.out;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &answers)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(out, "{STRONG}{}{STRONG:#}, {} as {}", loaded.title(), answers.player, answers.role)?;
        for answer in &answers.moves {
            let value =
                answer.value.as_ref().map_or(String::new(), |value| format!(", worth {}", told(value)));
            let times = counted(answer.chosen, "time");
            writeln!(out, "  {STRONG}{}{STRONG:#} {FAINT}chosen {times}{value}{FAINT:#}", answer.mv)?;
        }
        if let (Some(playouts), Some(sampling)) = (&answers.playouts, &answers.sampling) {
            writeln!(
                out,
                "states for a choice: {} in playouts, {} in sampling",
                told(playouts),
                told(sampling)
            )?;
        }
        if let Some(speed) = &answers.speed {
            writeln!(
                out,
                "states per second: {} in its playouts, {} in plain ones, {:.2} times as many ({:.2} to {:.2})",
                grouped(speed.player as u64),
                grouped(speed.plain as u64),
                speed.ratio.median,
                speed.ratio.lower,
                speed.ratio.upper
            )?;
        }
        Ok(())
    }
    fn request(&self) -> AskRequest {
        AskRequest {
            game: self.game.game.clone(),
            reasoner: self.game.reasoner.clone(),
            player: self.player.clone(),
            role: self.role.clone(),
            after: After { moves: self.after.clone(), ..After::default() },
            saw: self.saw.clone(),
            times: self.times,
            seed: Seed(self.seed),
            speed: self.speed,
        }
    }

    fn ask(&self, game: &AnyGame, screen: &Screen) -> anyhow::Result<Answers> {
        let bar = screen.progress("{elapsed_precise} {msg}");
        let answers = ask(game, &self.request(), &StopToken::default(), &mut |done| {
            bar.set_message(format!("{} of {} answers", grouped(done), grouped(self.times)));
            bar.tick();
        });
        bar.finish_and_clear();
        Ok(answers?)
    }
}
