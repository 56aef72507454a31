//! The value of a game with turns, by proofs of what can be forced.
//!
//! Two searches alternate with growing budgets: proof-number search, which is good if few moves matter, and
//! depth-first search in the order of an evaluation, which is good if most positions have a clear favourite.

use game::{Deadline, Fault, Game, Goal, MoveId, RoleId, Seed};

use super::forced::Forced;
use super::proof::Proof;
use super::question::{Answer, Chance, Question};
use crate::heuristic::{Evaluator, learn};
use crate::minimax::Evaluation;

/// The number of positions that each search visits before the other gets its turn; doubled every time.
const FIRST_TURN: u64 = 50_000;
/// The number of positions from which the evaluation is learned.
const LEARN: usize = 1000;
/// An entry with proof numbers takes the memory of this many entries of the other search.
const HEAVY: usize = 16;
/// The minimum number of positions with proof numbers.
const FEWEST: usize = 1000;

/// What is known about a role's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The role can force at least this.
    pub low: Goal,
    /// The role cannot force more than this.
    pub high: Goal,
    /// The sum of all goals, if it was the same at every end that was visited.
    pub sum: Option<Goal>,
    /// The joint moves from the first position that keep the value, as far as they are known.
    pub keeping: Vec<Vec<MoveId>>,
    /// The number of visited positions.
    pub visited: u64,
    /// Why the value is not known exactly, as the end of a sentence.
    pub open: Option<&'static str>,
}

/// Finds the most that a role can force, from 0 to 100, by bisection.
pub fn verdict<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    role: RoleId,
    positions: usize,
    deadline: &Deadline,
    mut watch: impl FnMut(u64),
) -> Result<Verdict, Fault> {
    let mut found = Verdict { low: 0, high: 100, sum: None, keeping: Vec::new(), visited: 0, open: None };
    let mut sums = Vec::new();
    let mut met: Vec<Goal> = Vec::new();
    let mut first = true;
    let mut evaluator: Option<Evaluator> = None;
    while found.low < found.high {
        // First a win, then values that were observed, then the middle.
        let open = |goal: &Goal| *goal > found.low && *goal <= found.high;
        let at_least = if first {
            found.high
        } else {
            let known = met.iter().flat_map(|&goal| [goal, goal + 1]).find(open);
            known.unwrap_or(found.low + (found.high - found.low + 1) / 2)
        };
        first = false;
        let question = Question { role, at_least, chance: Chance::Unknown };
        let mut proof = Proof::new(game, question, (positions / HEAVY).max(FEWEST));
        let before = found.visited;
        let mut turn = FIRST_TURN;
        let mut answer = proof.answer(scratch, from, deadline, turn, |visited| watch(before + visited))?;
        let mut by_order: Option<Forced<'_, G>> = None;
        if answer == Answer::OutOfTurn && evaluator.is_none() {
            let learned = learn(game, scratch, role, Seed(0), LEARN, deadline)?;
            evaluator = Some(Evaluator::new(game, &learned));
        }
        while answer == Answer::OutOfTurn
            && let Some(order) = &evaluator
        {
            let order: &dyn Evaluation<G> = order;
            let forced = by_order.get_or_insert_with(|| Forced::new(game, question, positions, Some(order)));
            turn *= 2;
            let so_far = before + proof.visited();
            // Depth-first search is more promising in large games, so its turns are longer.
            answer = forced.answer(scratch, from, deadline, turn * 8, |visited| watch(so_far + visited))?;
            if answer == Answer::OutOfTurn {
                let so_far = before + forced.visited();
                answer = proof.answer(scratch, from, deadline, turn, |visited| watch(so_far + visited))?;
            } else if matches!(answer, Answer::Unfit(_)) {
                answer =
                    proof.answer(scratch, from, deadline, u64::MAX, |visited| watch(so_far + visited))?;
            }
        }
        found.visited += proof.visited() + by_order.as_ref().map_or(0, Forced::visited);
        met.extend_from_slice(proof.goals());
        met.extend(by_order.iter().flat_map(|forced| forced.goals()));
        met.sort_unstable();
        met.dedup();
        sums.push(proof.constant_sum());
        sums.extend(by_order.as_ref().map(Forced::constant_sum));
        let mut keeping = |value: bool| -> Result<Vec<Vec<MoveId>>, Fault> {
            let mut joints = proof.keeping(scratch, from, value)?;
            if let Some(forced) = &by_order {
                joints.extend(forced.keeping(scratch, from, value)?);
            }
            joints.sort();
            joints.dedup();
            Ok(joints)
        };
        match answer {
            // A forced result is one of the observed ends, so goals that were not observed can be excluded
            // too.
            Answer::Yes => {
                let least = met.iter().copied().find(|goal| *goal >= at_least);
                found.low = least.unwrap_or(at_least).min(found.high);
                found.keeping = keeping(true)?;
            }
            Answer::No => {
                let most = met.iter().copied().rfind(|goal| *goal < at_least);
                found.high = most.unwrap_or(0).max(found.low);
                if found.low == 0 {
                    found.keeping = keeping(false)?;
                }
            }
            Answer::OutOfTime | Answer::OutOfTurn => {
                found.open = Some("time ran out");
                break;
            }
            Answer::Unfit(why) => {
                found.open = Some(why);
                break;
            }
        }
    }
    found.sum = sums.first().copied().flatten().filter(|sum| sums.iter().all(|other| *other == Some(*sum)));
    Ok(found)
}
