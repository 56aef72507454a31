//! Random games with a checked sheet, and their findings in words.

use tafl::analysis::{Example, Finding, Trial, trial};
use tafl::game::{AnyGame, Fault, Game, Goal, Seed};
use tafl::library::Loaded;

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
    let failed = |fault: Fault| {
        let text = loaded.with_lines(&fault.to_string());
        format!("The game cannot be played: {}.", text.trim_end_matches('.'))
    };
    Games(check, screen).run(&chosen.game).map_err(failed)
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
                "{games} reached a nonterminal state where a role has no legal move; in the first, {roles} {has} \
                 none; if this is the end, add a rule for `terminal`, otherwise a move, such as {}",
                waiting(&example.roles)
            ),
        ),
        Finding::NoGoal => {
            let rule =
                example.roles.first().map_or(String::new(), |role| format!("(<= (goal {role} 0) ...)"));
            (
                "no-goal",
                format!("{games} ended where {roles} {has} no goal value; add a rule, such as {rule}"),
            )
        }
        Finding::SeveralGoals => {
            let several = |(role, goals): (&String, &Vec<Goal>)| {
                let all: Vec<String> = goals.iter().map(Goal::to_string).collect();
                format!("{role} has {}", all.join(" and "))
            };
            let all: Vec<String> = example.roles.iter().zip(&example.goals).map(several).collect();
            (
                "several-goals",
                format!(
                    "{games} ended where {roles} {has} several goal values; in the first, {}; make the \
                     conditions of the rules for `goal` exclude each other",
                    all.join(", ")
                ),
            )
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

/// Returns rules that let roles wait.
fn waiting(roles: &[String]) -> String {
    let rules: Vec<String> = roles.iter().map(|role| format!("(<= (legal {role} noop) ...)")).collect();
    rules.join(" and ")
}
