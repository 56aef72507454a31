//! Hints.

use std::sync::Arc;
use std::time::Duration;

use game::{Considered, Deadline, MatchContext, RoleId, Seat, Seed, Turn};
use serde_json::{Value, json};

use super::seat::Hurried;
use super::{Moment, Standing, Table};
use crate::problem::Problem;

/// The player that gives hints.
const ADVISER: &str = "auto";

/// Returns the moves that a player considers in the role's place, the best first.
pub(crate) fn hint(table: &Table, role: usize, time: Duration) -> Result<Value, Problem> {
    let (moments, kept) = {
        let course = table.course();
        if course.standing != Standing::Running {
            return Err(Problem::conflict("not-running", "The match is not running."));
        }
        (course.moments.clone(), course.kept.clone())
    };
    if !kept.casual {
        return Err(Problem::forbidden("not-casual", "Hints are only available in casual matches."));
    }
    if table.shown.hides() {
        let text = "There are no hints in games with hidden information.";
        return Err(Problem::forbidden("hidden-information", text));
    }
    let now = moments.last().expect("a match has a first moment");
    let legal = &now.position.legal[role];
    if legal.len() <= 1 {
        return Ok(legal.iter().map(|text| json!({ "move": text, "value": null, "visits": null })).collect());
    }
    let failed = |fault: game::Fault| Problem::useless("no-hint", format!("No hint is available: {fault}."));
    let seat = cast::seat(&table.shown.game(), ADVISER).map_err(Problem::internal)?;
    let mut seat = Hurried { seat, past: moments.len() - 1 };
    let context = MatchContext {
        match_id: "hint".to_string(),
        role: RoleId(role as u32),
        rules: None,
        start_clock: Duration::ZERO,
        play_clock: time,
        seed: Seed(1),
    };
    seat.start(&context, &Deadline::after(Duration::from_millis(100))).map_err(failed)?;
    let mut chosen = String::new();
    for at in 0..moments.len() {
        let turn = (at > 0).then(|| turn(&moments[at], role));
        let answer = seat.play(turn.as_ref(), &Deadline::after(time));
        if at + 1 == moments.len() {
            chosen = answer.map_err(failed)?;
        }
    }
    let thought = seat.thought();
    seat.stop(None, None);
    let told = |of: &Considered<String>| json!({ "move": of.mv, "value": of.value, "visits": of.visits });
    let mut moves: Vec<Value> = thought.moves.iter().filter(|of| legal.contains(&of.mv)).map(told).collect();
    if !moves.iter().any(|entry| entry["move"] == chosen) {
        moves.insert(0, json!({ "move": chosen, "value": null, "visits": null }));
    }
    moves.sort_by_key(|entry| entry["move"] != chosen);
    Ok(Value::Array(moves))
}

fn turn(moment: &Arc<Moment>, role: usize) -> Turn {
    let joint = moment.moves.clone().unwrap_or_default();
    Turn { own: joint[role].clone(), percepts: moment.percepts[role].clone(), joint: Some(joint) }
}
