//! Random games with a checked sheet, and their findings in words.

use analysis::{Example, Finding, Trial, trial};
use game::{AnyGame, Fault, Game, Seed};
use library::Loaded;

use super::Check;
use crate::screen::{Screen, counted};

struct Games<'a>(&'a Check, &'a Screen);

impl Games<'_> {
    fn run(self, game: &AnyGame) -> Result<Trial, Fault> {
        let Games(check, screen) = self;
        let bar = screen.progress("{elapsed_precise} {msg}");
        let result = trial(game, &game.initial(), check.play, check.max_steps, Seed(check.seed), |done| {
            bar.set_message(format!("{} of {}", counted(done, "random game"), check.play));
            bar.tick();
        });
        bar.finish_and_clear();
        result
    }
}

pub(super) fn play(check: &Check, loaded: &Loaded, screen: &Screen) -> Result<Trial, String> {
    let chosen = loaded.play(&check.reasoner).map_err(|error| error.to_string())?;
    Games(check, screen).run(&chosen.game).map_err(|fault| format!("The game cannot be played: {fault}."))
}

/// Returns a stable code and a sentence for a finding.
pub(super) fn told(example: &Example) -> (&'static str, String) {
    let games = counted(example.count, "game");
    let roles = example.roles.join(" and ");
    let has = if example.roles.len() == 1 { "has" } else { "have" };
    match example.finding {
        Finding::DeadEnd => (
            "dead-end",
            format!(
                "{games} reached a nonterminal state where a role has no legal move; in the first, {roles} {has} none"
            ),
        ),
        Finding::NoSingleGoal => {
            ("no-single-goal", format!("{games} ended where {roles} {has} no goal value or several"))
        }
        Finding::StrangeGoal => (
            "strange-goal",
            format!("{games} ended with a goal value outside 0 to 100; in the first, {roles} {has} one"),
        ),
        Finding::Endless => {
            ("endless", format!("{games} did not end within {}", counted(example.length, "step")))
        }
    }
}
