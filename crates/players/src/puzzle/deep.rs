//! Depth-first search with a table of visited positions.
//!
//! It suits puzzles that fill something up, such as solitaire: there are too many positions to visit all, but
//! there are many solutions, and a position whose successors have all failed need never be visited again.

use game::{Deadline, Fault, Game, MoveId, RoleId};
use rustc_hash::FxHashSet;

use super::{Plan, TOP};
use crate::exact::Fold;

/// The longest path that is followed.
const LONGEST: usize = 100_000;

/// A position on the path.
struct Step<S> {
    state: S,
    moves: Vec<MoveId>,
    place: usize,
}

/// Returns the best plan found, whether all positions were covered, and the number of visited positions.
pub(super) fn deep<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    fold: Option<&Fold>,
    positions: usize,
    states: u64,
    deadline: &Deadline,
) -> Result<(Option<Plan>, bool, u64), Fault> {
    let mut seen: FxHashSet<G::State> = FxHashSet::default();
    let mut best: Option<Plan> = None;
    let mut looked: u64 = 0;
    let mut all = true;
    let mut way = vec![open(game, scratch, from.clone())?];
    while let Some(step) = way.last_mut() {
        let Some(&mv) = step.moves.get(step.place) else {
            way.pop();
            continue;
        };
        step.place += 1;
        looked += 1;
        if looked >= states || (looked.is_multiple_of(64) && deadline.is_over()) {
            return Ok((best, false, looked));
        }
        let next = game.next(scratch, &step.state, &[mv])?;
        if game.is_terminal(scratch, &next)? {
            let goal = game.goal(scratch, &next, RoleId(0))?.unwrap_or(0).clamp(0, TOP);
            if best.as_ref().is_none_or(|best| goal > best.goal) {
                let moves = way.iter().rev().map(|step| step.moves[step.place - 1]).collect();
                best = Some(Plan { moves, goal, how: "depth-first search" });
                if goal >= TOP {
                    return Ok((best, true, looked));
                }
            }
            continue;
        }
        if seen.len() < positions {
            // Without the counter a position may have been visited too late to reach its goal, so it is not
            // certain that everything was covered.
            all &= fold.is_none_or(|fold| !fold.has_counter());
            let key = match fold {
                None => next.clone(),
                Some(fold) => fold.key(game, &next)?,
            };
            if !seen.insert(key) {
                continue;
            }
        } else {
            all = false;
            let known = match fold {
                None => seen.contains(&next),
                Some(fold) => seen.contains(&fold.key(game, &next)?),
            };
            if known {
                continue;
            }
        }
        if way.len() < LONGEST {
            way.push(open(game, scratch, next)?);
        } else {
            all = false;
        }
    }
    Ok((best, all, looked))
}

fn open<G: Game>(game: &G, scratch: &mut G::Scratch, state: G::State) -> Result<Step<G::State>, Fault> {
    let mut moves = Vec::new();
    game.legal(scratch, &state, RoleId(0), &mut moves)?;
    Ok(Step { state, moves, place: 0 })
}
