//! The value of a game with hidden information, with best play.
//!
//! One role against chance is solved by a search over all beliefs. With several roles, all histories are
//! visited and CFR+ finds mixed strategies. If two roles have a constant sum, these strategies bound the
//! value of the game from both sides. Otherwise they are reported together with what a best response to
//! them would gain.

use std::collections::VecDeque;
use std::sync::Arc;

use belief::{Belief, Form, FormLimits, Optimum, OptimumLimits, Regrets};
use game::{AnyGame, AnyState, Deadline, Fault, Game, MoveId, PerceptId, Role, RoleId};
use serde::Serialize;

use crate::solve::{RoleValue, Solution, SolveProgress};

/// Limits for solving.
#[derive(Debug, Clone)]
pub struct HiddenLimits {
    /// The maximum number of histories or beliefs to visit.
    pub histories: usize,
    /// The maximum number of CFR+ iterations.
    pub rounds: u64,
    /// The gap at which to stop: what all best responses together would still gain, in points. For two
    /// roles with a constant sum this is the duality gap.
    pub gap: f64,
    /// The maximum number of information sets per role for which best play is reported.
    pub told: usize,
    /// When to stop.
    pub deadline: Deadline,
}

/// The value of a role's mixed strategy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mixed {
    /// The role.
    pub role: String,
    /// What the role gets if all roles play their mixed strategies.
    pub value: f64,
    /// What the role's best response to the others would get.
    pub best_response: f64,
    /// The number of information sets in which the role has a choice.
    pub sets: usize,
}

/// Best play in one information set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// The role.
    pub role: String,
    /// The role's own moves and what it saw after each; steps without a choice or a percept are left out.
    pub after: Vec<String>,
    /// Moves and their probabilities, most likely first.
    pub moves: Vec<(String, f64)>,
}

/// Solves a game with hidden information, from a state in which nobody has seen anything yet.
pub fn solve_hidden(
    game: &AnyGame,
    from: &AnyState,
    limits: &HiddenLimits,
    watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    reasoner::fastest!(game, game, from => solve_from(game, from, limits, watch))
}

fn solve_from<G: Game>(
    game: &Arc<G>,
    from: &G::State,
    limits: &HiddenLimits,
    watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    let bounds =
        OptimumLimits { beliefs: limits.histories, work: u64::MAX, deadline: limits.deadline.clone() };
    match Optimum::new(game, bounds) {
        Some(optimum) => alone(game, from, optimum, limits),
        None => together(game, from, limits, watch),
    }
}

/// Solves a game of one role against chance.
fn alone<G: Game>(
    game: &Arc<G>,
    from: &G::State,
    mut optimum: Optimum<G>,
    limits: &HiddenLimits,
) -> Result<Solution, Fault> {
    let mut solution = Solution { version: 1, method: "beliefs", ..Solution::default() };
    let role = game.roles()[optimum.role().index()].to_string();
    let start = optimum.belief(from)?;
    let best = match &start {
        None => Ok(game.goal(&mut game.scratch(), from, optimum.role())?.map_or(0.0, f64::from)),
        Some(belief) => optimum.best(belief).map(|best| best.value),
    };
    solution.visited = optimum.beliefs() as u64;
    match best {
        Ok(value) => {
            solution.solved = !optimum.has_loops();
            let high = if solution.solved { value } else { 100.0 };
            solution.roles = vec![RoleValue { role, low: value, high }];
            if !solution.solved {
                solution.note = Some("a belief can repeat, so a match can go on for ever".to_string());
            }
            if let Some(belief) = start {
                solution.advice = advice(&**game, &mut optimum, belief, limits.told)?;
            }
        }
        Err(fault @ (Fault::Budget(_) | Fault::Stopped)) => {
            solution.note = Some(too_much(&fault));
            solution.roles = vec![RoleValue { role, low: 0.0, high: 100.0 }];
        }
        Err(fault) => return Err(fault),
    }
    Ok(solution)
}

fn too_much(fault: &Fault) -> String {
    match fault {
        Fault::Budget(text) => text.clone(),
        _ => "time ran out".to_string(),
    }
}

/// Returns best play by belief, earliest first.
fn advice<G: Game>(
    game: &G,
    optimum: &mut Optimum<G>,
    start: Belief,
    told: usize,
) -> Result<Vec<Advice>, Fault> {
    let role = optimum.role();
    let mut list = Vec::new();
    let mut queue = VecDeque::from([(start, Vec::new())]);
    while let Some((belief, after)) = queue.pop_front() {
        if list.len() >= told {
            break;
        }
        let moves = optimum.moves(&belief)?;
        let best = optimum.best(&belief)?;
        if moves.len() > 1 {
            let moves = vec![(game.move_text(role, best.mv), 1.0)];
            list.push(Advice { role: game.roles()[role.index()].to_string(), after: after.clone(), moves });
        }
        for (seen, next) in optimum.follow(&belief, best.mv)? {
            let mut after = after.clone();
            after.extend(step(game, role, best.mv, moves.len() > 1, &seen));
            queue.push_back((next, after));
        }
    }
    Ok(list)
}

/// Describes what a role did and saw in a step. Returns `None` if it had no choice and saw nothing.
fn step<G: Game>(game: &G, role: RoleId, mv: MoveId, had_choice: bool, seen: &[PerceptId]) -> Option<String> {
    let seen: Vec<String> = seen.iter().map(|percept| game.percept_text(role, *percept)).collect();
    let made = had_choice.then(|| game.move_text(role, mv));
    let saw = (!seen.is_empty()).then(|| format!("saw {}", seen.join(" ")));
    let words: Vec<String> = made.into_iter().chain(saw).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Solves a game of several roles.
fn together<G: Game>(
    game: &Arc<G>,
    from: &G::State,
    limits: &HiddenLimits,
    mut watch: impl FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    let mut solution = Solution { version: 1, method: "regret", ..Solution::default() };
    let bounds = FormLimits { histories: limits.histories, deadline: limits.deadline.clone() };
    let built = Form::build(&**game, &mut game.scratch(), from, &bounds, |count| {
        watch(SolveProgress::Histories(count))
    });
    let form = match built {
        Ok(form) => form,
        Err(fault @ (Fault::Budget(_) | Fault::Stopped)) => {
            solution.note = Some(too_much(&fault));
            let unknown = |role: &Role| RoleValue { role: role.to_string(), low: 0.0, high: 100.0 };
            solution.roles = game.roles().iter().filter(|role| !role.is_chance()).map(unknown).collect();
            return Ok(solution);
        }
        Err(fault) => return Err(fault),
    };
    solution.visited = form.histories;
    solution.constant_sum = form.constant_sum.map(|sum| sum as game::Goal);
    let mut regrets = Regrets::new(&form);
    let average = regrets.solve(limits.gap, limits.rounds, &limits.deadline, |rounds, gap| {
        watch(SolveProgress::Regrets(rounds, gap));
    });
    solution.rounds = Some(average.rounds);
    solution.gap = Some(average.gap());
    let names: Vec<String> = form.seats.iter().map(|role| game.roles()[role.index()].to_string()).collect();
    for (seat, role) in names.iter().enumerate() {
        solution.mixed.push(Mixed {
            role: role.clone(),
            value: average.values[seat],
            best_response: average.values[seat] + average.gains[seat],
            sets: form.choices(seat),
        });
    }
    if let ([first, second], Some(sum)) = (&solution.mixed[..], form.constant_sum) {
        // A strategy guarantees what the opponent's best response leaves, and no strategy gets more than
        // the best response to a fixed strategy of the opponent.
        let value = |own: &Mixed, other: &Mixed| RoleValue {
            role: own.role.clone(),
            low: sum - other.best_response,
            high: own.best_response,
        };
        solution.roles = vec![value(first, second), value(second, first)];
    }
    solution.solved = average.gap() <= limits.gap;
    if !solution.solved {
        let rounds = average.rounds;
        solution.note = Some(match form.constant_sum {
            Some(_) if form.seats.len() == 2 => {
                format!("the gap is {:.4} after {rounds} rounds", average.gap())
            }
            _ => format!("best responses would gain {:.4} together after {rounds} rounds", average.gap()),
        });
    }
    for (seat, role) in form.seats.iter().enumerate() {
        let views = &form.views[seat];
        let choices = (0..).zip(views.sets()).filter(|(_, view)| view.moves.len() > 1);
        for (set, view) in choices.take(limits.told) {
            let path = views.path(set);
            let words = path.iter().filter_map(|(before, mv, seen)| {
                step(&**game, *role, *mv, views.set(*before).moves.len() > 1, seen)
            });
            let mix = &average.mixes[seat];
            let mut moves: Vec<(String, f64)> = view
                .moves
                .iter()
                .zip(view.sequences())
                .map(|(mv, at)| (game.move_text(*role, *mv), mix[at]))
                .collect();
            moves.sort_by(|a, b| b.1.total_cmp(&a.1));
            solution.advice.push(Advice { role: names[seat].clone(), after: words.collect(), moves });
        }
    }
    Ok(solution)
}
