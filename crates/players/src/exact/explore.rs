//! All reachable positions, each once.
//!
//! The search is breadth-first, so positions are numbered by their distance from the start. Only the current
//! level is kept as states to continue from; for the others, the table from states to numbers is sufficient.

use game::perft::JointMoves;
use game::{Deadline, Fault, Game, Goal, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::Fold;

/// The maximum number of joint moves of one position.
const WIDE: usize = 1 << 22;
/// The number of positions between two checks of the deadline.
const LOOK: usize = 64;

/// Limits for an exploration.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum number of positions.
    pub positions: usize,
    /// A goal of a role that is sufficient: the first position with it ends the exploration.
    pub enough: Option<(RoleId, Goal)>,
    /// A step counter that is left out of positions.
    pub fold: Option<Fold>,
    /// When to stop.
    pub deadline: Deadline,
}

/// The progress of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of positions found.
    pub positions: usize,
    /// The number of steps from the first position.
    pub depth: usize,
}

/// The result of an exploration.
pub enum Explored<S> {
    /// Every position was visited.
    Whole(Graph<S>),
    /// A position with the sufficient goal was found; positions farther away were not visited.
    Found(Graph<S>),
    /// There are more positions than allowed.
    TooMany(Progress),
    /// The deadline passed first.
    OutOfTime(Progress),
}

/// The kind of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The match is over, with the goals of this number.
    Over(u32),
    /// Some role has no legal move.
    DeadEnd,
    /// Roles choose. `shape` is the number of the list of move counts, and the successors begin at `first`.
    Open { shape: u32, first: u32 },
}

/// The positions of a game and their successors.
pub struct Graph<S> {
    pub(super) roles: usize,
    pub(super) chance: Vec<bool>,
    pub(super) nodes: Vec<Kind>,
    /// The successor for every joint move, in canonical order.
    pub(super) successors: Vec<u32>,
    /// Lists of the numbers of legal moves by role.
    pub(super) shapes: Vec<Vec<u32>>,
    /// Lists of goals by role.
    pub(super) payoffs: Vec<Vec<Option<Goal>>>,
    fold: Option<Fold>,
    numbers: FxHashMap<S, u32>,
    parents: Vec<u32>,
    /// The number of the first position of each level.
    levels: Vec<u32>,
}

impl<S> Graph<S> {
    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of terminal positions.
    pub fn terminal(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Kind::Over(_))).count()
    }

    /// Returns the number of dead ends: positions that are not terminal in which some role has no legal move.
    pub fn dead_ends(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Kind::DeadEnd)).count()
    }

    /// Returns the distance of the farthest position from the start.
    pub fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the distance of a position from the start.
    pub fn level(&self, position: u32) -> usize {
        self.levels.partition_point(|&first| first <= position) - 1
    }

    /// Returns the best goal of a role at any end of the match.
    pub fn best(&self, role: RoleId) -> Option<Goal> {
        self.payoffs.iter().map(|goals| goals[role.index()]).max().flatten()
    }

    /// Returns the sum of the goals, if it is the same at every end of the match.
    pub fn constant_sum(&self) -> Option<Goal> {
        let sum = |goals: &Vec<Option<Goal>>| goals.iter().copied().sum::<Option<Goal>>();
        let first = self.payoffs.first().and_then(sum)?;
        (self.dead_ends() == 0 && self.payoffs.iter().all(|goals| sum(goals) == Some(first))).then_some(first)
    }

    /// Returns `true` if in some position two roles other than chance choose at the same time.
    pub fn is_simultaneous(&self) -> bool {
        self.shapes.iter().any(|shape| {
            shape.iter().zip(&self.chance).filter(|(count, chance)| **count > 1 && !**chance).count() > 1
        })
    }

    /// Returns `true` if chance ever has a choice.
    pub fn has_chance(&self) -> bool {
        self.shapes
            .iter()
            .any(|shape| shape.iter().zip(&self.chance).any(|(count, chance)| *count > 1 && *chance))
    }
}

impl<S: Clone + Eq + std::hash::Hash> Graph<S> {
    /// Returns the number of a position.
    pub fn number<G: Game<State = S>>(&self, game: &G, state: &S) -> Result<Option<u32>, Fault> {
        Ok(match &self.fold {
            None => self.numbers.get(state).copied(),
            Some(fold) => self.numbers.get(&fold.key(game, state)?).copied(),
        })
    }

    /// Returns a shortest sequence of joint moves to the first terminal position whose goals satisfy
    /// `wanted`.
    pub fn shortest<G: Game<State = S>>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &S,
        wanted: impl Fn(&[Option<Goal>]) -> bool,
    ) -> Result<Option<Vec<Vec<MoveId>>>, Fault> {
        let good = |node: &Kind| matches!(node, Kind::Over(goals) if wanted(&self.payoffs[*goals as usize]));
        let Some(last) = self.nodes.iter().position(good) else { return Ok(None) };
        let mut way = vec![last as u32];
        while let Some(&at) = way.last().filter(|&&at| at != 0) {
            way.push(self.parents[at as usize]);
        }
        let mut state = from.clone();
        let mut plan = Vec::new();
        for &target in way.iter().rev().skip(1) {
            let mut joints = JointMoves::of(game, scratch, &state)?;
            let mut step = None;
            while let Some(joint) = joints.next() {
                let next = game.next(scratch, &state, joint)?;
                if self.number(game, &next)? == Some(target) {
                    step = Some((joint.to_vec(), next));
                    break;
                }
            }
            let missing = || Fault::BadState("a position has no way to the one after it".to_string());
            let (joint, next) = step.ok_or_else(missing)?;
            plan.push(joint);
            state = next;
        }
        Ok(Some(plan))
    }
}

/// Visits every position that can be reached from a state.
pub fn explore<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    limits: &Limits,
    mut watch: impl FnMut(Progress),
) -> Result<Explored<G::State>, Fault> {
    let roles = game.roles().len();
    let mut graph = Graph {
        roles,
        chance: game::chance_roles(game),
        nodes: Vec::new(),
        successors: Vec::new(),
        shapes: Vec::new(),
        payoffs: Vec::new(),
        fold: limits.fold.clone(),
        numbers: FxHashMap::default(),
        parents: vec![0],
        levels: vec![0],
    };
    let (mut shape_numbers, mut payoff_numbers) = (FxHashMap::default(), FxHashMap::default());
    let key = |state: &G::State| match &limits.fold {
        None => Ok(state.clone()),
        Some(fold) => fold.key(game, state),
    };
    graph.numbers.insert(key(from)?, 0);
    let mut level = vec![from.clone()];
    while !level.is_empty() {
        let mut next_level = Vec::new();
        for state in &level {
            let number = graph.nodes.len() as u32;
            let progress = Progress { positions: graph.numbers.len(), depth: graph.levels.len() - 1 };
            if (number as usize).is_multiple_of(LOOK) {
                watch(progress);
                if limits.deadline.is_over() {
                    return Ok(Explored::OutOfTime(progress));
                }
            }
            if game.is_terminal(scratch, state)? {
                let goals = RoleId::all(roles).map(|role| game.goal(scratch, state, role));
                let goals: Vec<Option<Goal>> = goals.collect::<Result<_, _>>()?;
                let found = limits.enough.is_some_and(|(role, least)| goals[role.index()] >= Some(least));
                let payoffs = &mut graph.payoffs;
                graph.nodes.push(Kind::Over(interned(goals, payoffs, &mut payoff_numbers)));
                if found {
                    return Ok(Explored::Found(graph));
                }
                continue;
            }
            let mut joints = JointMoves::of(game, scratch, state)?;
            if joints.is_dead_end() {
                graph.nodes.push(Kind::DeadEnd);
                continue;
            }
            let shape: Vec<u32> = joints.counts().map(|count| count as u32).collect();
            let width = shape.iter().try_fold(1usize, |all, &count| all.checked_mul(count as usize));
            let first = graph.successors.len();
            if width.is_none_or(|width| width > WIDE || first + width > u32::MAX as usize) {
                return Ok(Explored::TooMany(progress));
            }
            let shape = interned(shape, &mut graph.shapes, &mut shape_numbers);
            graph.nodes.push(Kind::Open { shape, first: first as u32 });
            while let Some(joint) = joints.next() {
                let next = game.next(scratch, state, joint)?;
                let fresh = graph.numbers.len() as u32;
                let own = key(&next)?;
                let place = match graph.numbers.get(&own) {
                    Some(&known) => known,
                    None => {
                        graph.numbers.insert(own, fresh);
                        graph.parents.push(number);
                        next_level.push(next);
                        fresh
                    }
                };
                graph.successors.push(place);
            }
            if graph.numbers.len() > limits.positions {
                return Ok(Explored::TooMany(progress));
            }
        }
        level = next_level;
        if !level.is_empty() {
            graph.levels.push(graph.nodes.len() as u32);
        }
    }
    Ok(Explored::Whole(graph))
}

/// Returns the number of a list among those seen.
fn interned<T: Clone + Eq + std::hash::Hash>(
    list: Vec<T>,
    all: &mut Vec<Vec<T>>,
    numbers: &mut FxHashMap<Vec<T>, u32>,
) -> u32 {
    if let Some(&number) = numbers.get(&list) {
        return number;
    }
    let number = all.len() as u32;
    all.push(list.clone());
    numbers.insert(list, number);
    number
}
