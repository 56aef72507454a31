//! Puzzles that consist of independent parts, each searched separately.
//!
//! If the rules show that fluents and moves form independent parts, and that the best end is a combination of
//! conditions on each, the parts have separate plans. The number of positions is then the sum of those of the
//! parts, not their product. The result is played through the whole game before it counts.

use game::{Aim, Fault, FluentId, Game, MoveId, Part, RoleId, Structure, numbered};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Limits, Progress};

/// The number of positions between two checks of the deadline.
const LOOK: usize = 64;

/// A plan assembled from the plans of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apart {
    /// The moves.
    pub moves: Vec<MoveId>,
    /// The number of parts.
    pub parts: usize,
    /// The number of positions visited in all parts.
    pub positions: usize,
    /// Whether there is no shorter plan.
    pub shortest: bool,
}

/// The result of searching one part.
struct Found {
    moves: Vec<MoveId>,
    /// Whether matches ended on the way, so that another order might have led further.
    cut: bool,
}

/// Searches for a plan with the best goal of a puzzle, part by part. Returns `None` if there are no parts, or
/// if they are not sufficient.
pub fn apart<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    structure: &Structure,
    limits: &Limits,
    mut watch: impl FnMut(Progress),
) -> Result<Option<Apart>, Fault> {
    let aim = structure.aims.iter().find(|aim| aim.role == RoleId(0) && aim.enough);
    let Some(aim) = aim.filter(|_| game.roles().len() == 1 && structure.parts.len() > 1) else {
        return Ok(None);
    };
    let mut plan = Apart { moves: Vec::new(), parts: structure.parts.len(), positions: 0, shortest: true };
    for part in &structure.parts {
        let Some(found) = alone(game, scratch, from, part, aim, limits, &mut plan.positions, &mut watch)?
        else {
            return Ok(None);
        };
        plan.shortest &= part.still && !found.cut;
        plan.moves.extend(found.moves);
    }
    Ok(reaches(game, scratch, from, &plan.moves, aim)?.then_some(plan))
}

/// Returns a shortest sequence of moves of one part that achieves what the aim requires of it.
#[expect(clippy::too_many_arguments, reason = "one round of a loop, split off for reading")]
fn alone<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    part: &Part,
    aim: &Aim,
    limits: &Limits,
    positions: &mut usize,
    watch: &mut impl FnMut(Progress),
) -> Result<Option<Found>, Fault> {
    let own: FxHashSet<FluentId> = part.fluents.iter().copied().collect();
    let moves: FxHashSet<MoveId> = part.moves.iter().map(|(_, mv)| *mv).collect();
    let wanted: FxHashMap<FluentId, bool> =
        aim.fluents.iter().copied().filter(|(fluent, _)| own.contains(fluent)).collect();
    let needed = wanted.values().filter(|holds| **holds).count();
    let mut fluents = Vec::new();
    // The fluents of a state that belong to the part, and whether they are as required.
    let mut look = |state: &G::State| -> Result<(Vec<FluentId>, bool), Fault> {
        numbered(game)?.fluents(state, &mut fluents)?;
        fluents.retain(|fluent| own.contains(fluent));
        let right = fluents.iter().filter(|fluent| wanted.get(fluent) == Some(&true)).count();
        let wrong = fluents.iter().any(|fluent| wanted.get(fluent) == Some(&false));
        Ok((fluents.clone(), right == needed && !wrong))
    };
    let mut seen: FxHashSet<Vec<FluentId>> = FxHashSet::default();
    let mut found = Found { moves: Vec::new(), cut: false };
    let (key, done) = look(from)?;
    if done {
        return Ok(Some(found));
    }
    seen.insert(key);
    // For each position, its predecessor and the move that led to it.
    let mut way: Vec<(u32, MoveId)> = vec![(0, MoveId(0))];
    let mut level = vec![from.clone()];
    let (mut first, mut depth) = (0usize, 0usize);
    let mut legal = Vec::new();
    while !level.is_empty() {
        let mut next_level = Vec::new();
        for (number, state) in (first..).zip(&level) {
            if number.is_multiple_of(LOOK) {
                watch(Progress { positions: *positions, depth });
                if limits.deadline.is_over() {
                    return Ok(None);
                }
            }
            if game.is_terminal(scratch, state)? {
                found.cut = true;
                continue;
            }
            game.legal(scratch, state, RoleId(0), &mut legal)?;
            for &mv in legal.iter().filter(|mv| moves.contains(mv)) {
                let next = game.next(scratch, state, &[mv])?;
                let (key, done) = look(&next)?;
                if !seen.insert(key) {
                    continue;
                }
                *positions += 1;
                if *positions > limits.positions {
                    return Ok(None);
                }
                way.push((number as u32, mv));
                if done {
                    let mut at = way.len() - 1;
                    while at != 0 {
                        found.moves.push(way[at].1);
                        at = way[at].0 as usize;
                    }
                    found.moves.reverse();
                    return Ok(Some(found));
                }
                next_level.push(next);
            }
        }
        first += level.len();
        depth += 1;
        level = next_level;
    }
    Ok(None)
}

/// Returns `true` if the moves lead through the whole game to the goal, and the match does not end before.
pub(super) fn reaches<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    moves: &[MoveId],
    aim: &Aim,
) -> Result<bool, Fault> {
    let mut state = from.clone();
    let mut legal = Vec::new();
    for &mv in moves {
        game.legal(scratch, &state, aim.role, &mut legal)?;
        if game.is_terminal(scratch, &state)? || !legal.contains(&mv) {
            return Ok(false);
        }
        state = game.next(scratch, &state, &[mv])?;
    }
    Ok(game.is_terminal(scratch, &state)? && game.goal(scratch, &state, aim.role)? == Some(aim.goal))
}
