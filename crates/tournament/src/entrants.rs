//! Checks that players can take part: they exist, they have the clock they need, and they can play the
//! games they are seated at.
//!
//! All of this is checked before the first match. The referee would make the moves of a player that cannot
//! play, and the results would be meaningless.

use std::collections::BTreeSet;
use std::time::Duration;

use cast::{is_counted, remote_address, seat, suits};
use game::Deadline;
use library::Chosen;

use super::plan::{Plan, PlanGame, with_budget};
use super::spec::{BUDGET, BudgetSpec, PlayerSpec, TournamentSpec};
use crate::spec_text::{At, Reading};

/// The time a player gets to find out whether it can play a game.
const LOOK: Duration = Duration::from_secs(2);

/// Returns `true` if a player thinks until its clock runs out, with any of the budgets. Unknown players are
/// reported elsewhere.
pub(super) fn thinks_by_clock(spec: &TournamentSpec, player: &PlayerSpec) -> bool {
    let made = |budget: &At<BudgetSpec>| with_budget(&player.player, budget.value.value);
    spec.budgets.iter().any(|budget| is_counted(&made(budget)) == Ok(false))
}

/// Reports players that need a clock when there is none.
pub(super) fn check_clocks(spec: &TournamentSpec, reading: &Reading) {
    let without = |budget: &At<BudgetSpec>| budget.value.play_clock.is_none();
    if spec.play_clock.is_some() || !spec.budgets.iter().any(without) {
        return;
    }
    for player in spec.players.iter().filter(|player| thinks_by_clock(spec, &player.value)) {
        if !reading.is_bad_at(&player.span) {
            let text = format!(
                "`{}` thinks until its clock runs out, but there is no clock. Give play_clock = 1.0 (seconds), or a counted budget such as playouts=100.",
                player.value.player
            );
            reading.complain(&player.span, text);
        }
    }
}

/// Reports players on the network whose clocks cannot be told to them.
pub(super) fn check_wire(spec: &TournamentSpec, reading: &Reading, plan: &Plan) {
    for player in spec.players.iter().filter(|player| !reading.is_bad_at(&player.span)) {
        let asked = [player.value.player.clone()];
        let unfit = (0..plan.budgets.len()).find_map(|budget| plan.conditions(budget).suit(&asked).err());
        if let Some(unfit) = unfit {
            reading.complain(&player.span, unfit.to_string());
        }
    }
}

/// Reports players that cannot be seated at a game.
pub(super) fn check_players(spec: &TournamentSpec, reading: &Reading, game: &PlanGame, chosen: &Chosen) {
    let source = game.source();
    for player in &spec.players {
        let text = &player.value.player;
        if source.wire_text().is_none() && matches!(remote_address(text), Ok(Some(_))) {
            let text = format!(
                "{} is a {}, and players on the network only take rule sheets.",
                game.name,
                source.language.noun()
            );
            reading.complain(&player.span, text);
        }
        for budget in &spec.budgets {
            let made = with_budget(text, budget.value.value);
            if made.contains(BUDGET) {
                continue;
            }
            if let Err(error) = seat(&chosen.game, &made) {
                reading.complain(&player.span, error.to_string());
                break;
            }
        }
    }
}

/// Reports players that are seated at a game of the plan but cannot play it.
pub(super) fn check_abilities(
    spec: &TournamentSpec,
    reading: &Reading,
    plan: &Plan,
    game: usize,
    chosen: &Chosen,
) {
    let cells = plan.cells.iter().filter(|cell| cell.game == game);
    let seated: BTreeSet<(usize, usize)> =
        cells.flat_map(|cell| cell.seating.iter().map(|player| (*player, cell.budget))).collect();
    for (number, player) in spec.players.iter().enumerate() {
        let budgets = (0..plan.budgets.len()).filter(|budget| seated.contains(&(number, *budget)));
        let specs: BTreeSet<String> = budgets.map(|budget| plan.player(number, budget)).collect();
        let fault = specs.iter().find_map(|made| suits(&chosen.game, made, &Deadline::after(LOOK)).err());
        if let Some(fault) = fault {
            let text = format!("It cannot play {}: {fault}.", plan.games[game].name);
            reading.complain(&player.span, text);
        }
    }
}
