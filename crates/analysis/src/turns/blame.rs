//! The rules whose cost grows with the number of the turn.
//!
//! The interpreter evaluates rules one by one, so it can measure each of them. Other reasoners do the same
//! work in a different order. A rule with more to look at in later turns affects all of them, unless they
//! avoid looking.

use game::Game;
use gdl::LineIndex;
use library::Loaded;
use reasoner::{Interpreter, RuleCost};
use serde::{Deserialize, Serialize};

use super::TurnSampling;
use super::referee::window;
use super::walk::{WINDOW, Walk};

/// The maximum number of clauses reported.
const NAMED: usize = 5;

/// The cost of a clause in an early and in a late turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleGrowth {
    /// The line it begins on.
    pub line: usize,
    /// Its head.
    pub head: String,
    /// Seconds of the interpreter in the first measured turn.
    pub early: f64,
    /// Seconds in the last measured turn.
    pub late: f64,
    /// Its share of the total growth of all rules that grew.
    pub share: f64,
}

/// Returns the clauses whose cost grew most from the first measured turn to the last.
pub(super) fn rules(loaded: &Loaded, walks: &[Walk], sampling: &TurnSampling) -> Vec<RuleGrowth> {
    let Some(rules) = loaded.rules() else { return Vec::new() };
    let limits = super::limits(sampling.limit);
    let Ok(game) = Interpreter::with_limits(rules, limits) else { return Vec::new() };
    let mut scratch = game.scratch();
    let mut cost = |turn: u32| -> Option<Vec<RuleCost>> {
        let mut turns = 0u32;
        game.start_profile(&mut scratch);
        for walk in walks {
            // A question that is given up ends the measurement.
            let done = window(&game, &mut scratch, walk, turn, &mut |_, _| turns += 1);
            done.ok()?;
        }
        let costs = game.take_profile(&mut scratch);
        (turns > 0).then_some(costs)
    };
    let reached = |turn: &&u32| walks.iter().any(|walk| walk.len() >= **turn + WINDOW);
    let mut turns = sampling.at.iter().filter(reached);
    let Some((first, last)) = turns.next().zip(turns.next_back()) else { return Vec::new() };
    let (Some(early), Some(late)) = (cost(*first), cost(*last)) else { return Vec::new() };
    // The warm-up turn before each window is part of the profile too.
    let each = f64::from(WINDOW + 1) * walks.len() as f64;
    let seconds = |list: &[RuleCost], clause: usize| {
        list.get(clause).map_or(0.0, |cost| cost.time.as_secs_f64()) / each
    };
    let lines = LineIndex::new(&loaded.source.text);
    let clauses = loaded.sheet().map(|sheet| sheet.clauses.as_slice()).unwrap_or_default();
    let mut all: Vec<RuleGrowth> = clauses
        .iter()
        .enumerate()
        .map(|(clause, written)| RuleGrowth {
            line: lines.position(written.span.start as usize).line,
            head: written.head.to_string(),
            early: seconds(&early, clause),
            late: seconds(&late, clause),
            share: 0.0,
        })
        .collect();
    all.retain(|rule| rule.late > rule.early);
    let total: f64 = all.iter().map(|rule| rule.late - rule.early).sum();
    all.sort_by(|a, b| (b.late - b.early).total_cmp(&(a.late - a.early)));
    all.truncate(NAMED);
    if total > 0.0 {
        all.iter_mut().for_each(|rule| rule.share = (rule.late - rule.early) / total);
    }
    all
}
