//! `tafl possible`: what a role can know about a match.

use std::io::Write;

use clap::Args;
use tafl::analysis::PossibleRequest;

use super::after::AfterArguments;
use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, grouped};

/// Count the states that are possible from a role's point of view
///
/// Shows for each step the number of all states that can be reached, of those that
/// agree with what the role knew before the step and its own move, and of those
/// that also agree with what it saw. Equal states count once; histories are the
/// ways that lead to them.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl possible simultaneous_krieg_tic_tac_toe_graph --role o \\\n    \
    --after 'choose 2 2; choose 2 2; take_first; choose 1 1'")]
pub(crate) struct Possible {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    /// The role whose point of view is taken
    #[arg(long, value_name = "NAME")]
    role: String,
    #[command(flatten)]
    after: AfterArguments,
    /// Give up if there are more states than this
    #[arg(long, value_name = "N", default_value_t = PossibleRequest::default().max_states)]
    #[arg(value_parser = number_in::<usize>(1..=usize::MAX, 100000))]
    max_states: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Possible {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let found = self.request()?.run(&arguments.library())?;
        let out = &mut screen.out;
        if self.json {
            serde_json::to_writer(&mut *out, &found)?;
            return Ok(writeln!(out)?);
        }
        writeln!(out, "{STRONG}{}{STRONG:#}, as {} sees it", found.game, found.role)?;
        writeln!(
            out,
            "{:>4} {:>9} {:>9} {:>9} {:>11}  moves",
            "step", "all", "expected", "states", "histories"
        )?;
        for (number, step) in found.steps.iter().enumerate() {
            let [expected, states] = [step.expected, step.states].map(|n| grouped(n as u64));
            let all = step.all.map_or("many".to_string(), |n| grouped(n as u64));
            let histories = grouped(step.histories);
            let moves: Vec<&str> =
                step.moves.iter().map(String::as_str).filter(|text| *text != "noop").collect();
            let number = number + 1;
            writeln!(
                out,
                "{number:>4} {all:>9} {expected:>9} {states:>9} {histories:>11}  {}",
                moves.join(", ")
            )?;
        }
        Ok(())
    }
    fn request(&self) -> anyhow::Result<PossibleRequest> {
        Ok(PossibleRequest {
            game: self.game.game.clone(),
            reasoner: self.game.reasoner.clone(),
            state: self.state.text()?,
            role: self.role.clone(),
            after: self.after.after(),
            max_states: self.max_states,
        })
    }
}
