//! All positions that can be reached, each once.
//!
//! Breadth first, so positions are numbered by the least number of steps that
//! lead to them. Only the current level is kept as states to go on from; of the
//! others the table from states to numbers is enough.

use game::perft::JointMoves;
use game::{Deadline, Fault, Game, Goal, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::Fold;

/// Joint moves of one position above which it is not looked into.
const WIDE: usize = 1 << 22;
/// Positions between two looks at the clock.
const LOOK: usize = 64;

/// What an exploration may cost.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Positions kept.
    pub positions: usize,
    /// A goal of a role that is enough: the first position with it ends the exploration.
    pub enough: Option<(RoleId, Goal)>,
    /// A step counter that is left out of positions.
    pub fold: Option<Fold>,
    /// When to stop.
    pub deadline: Deadline,
}

/// How far an exploration has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Positions found.
    pub positions: usize,
    /// Steps from the first position.
    pub depth: usize,
}

/// What became of an exploration.
pub enum Explored<S> {
    /// Every position was visited.
    Whole(Graph<S>),
    /// A position with the goal that is enough was found; what is farther away was not visited.
    Found(Graph<S>),
    /// There are more positions than allowed.
    TooMany(Progress),
    /// The time was over first.
    OutOfTime(Progress),
}

/// What happens in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The match is over, with the goals of this number.
    Over(u32),
    /// Some role has no move.
    DeadEnd,
    /// Roles choose; how many moves each has is the shape of this number, and
    /// the positions that follow begin at this place.
    Open { shape: u32, first: u32 },
}

/// The positions of a game and how they follow one another.
pub struct Graph<S> {
    pub(super) roles: usize,
    pub(super) chance: Vec<bool>,
    pub(super) nodes: Vec<Kind>,
    /// For every joint move in canonical order the position that follows.
    pub(super) successors: Vec<u32>,
    /// Numbers of legal moves by role.
    pub(super) shapes: Vec<Vec<u32>>,
    /// Goals by role.
    pub(super) payoffs: Vec<Vec<Option<Goal>>>,
    fold: Option<Fold>,
    numbers: FxHashMap<S, u32>,
    parents: Vec<u32>,
    /// The number of the first position of each level.
    levels: Vec<u32>,
}

impl<S> Graph<S> {
    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// How many of them end the match.
    pub fn terminal(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Kind::Over(_))).count()
    }

    /// In how many of them some role has no move, though nothing is over.
    pub fn dead_ends(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Kind::DeadEnd)).count()
    }

    /// The least number of steps that leads to the farthest position.
    pub fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// The least number of steps that leads to a position.
    pub fn level(&self, position: u32) -> usize {
        self.levels.partition_point(|&first| first <= position) - 1
    }

    /// The best goal that a role has wherever the match ends.
    pub fn best(&self, role: RoleId) -> Option<Goal> {
        self.payoffs.iter().map(|goals| goals[role.index()]).max().flatten()
    }

    /// The sum of the goals, if it is the same wherever the match ends.
    pub fn constant_sum(&self) -> Option<Goal> {
        let sum = |goals: &Vec<Option<Goal>>| goals.iter().copied().sum::<Option<Goal>>();
        let first = self.payoffs.first().and_then(sum)?;
        (self.dead_ends() == 0 && self.payoffs.iter().all(|goals| sum(goals) == Some(first))).then_some(first)
    }

    /// Whether some position lets two roles that are not chance choose at once.
    pub fn is_simultaneous(&self) -> bool {
        self.shapes.iter().any(|shape| {
            shape.iter().zip(&self.chance).filter(|(count, chance)| **count > 1 && !**chance).count() > 1
        })
    }

    /// Whether chance ever chooses.
    pub fn has_chance(&self) -> bool {
        self.shapes
            .iter()
            .any(|shape| shape.iter().zip(&self.chance).any(|(count, chance)| *count > 1 && *chance))
    }
}

impl<S: Clone + Eq + std::hash::Hash> Graph<S> {
    /// The number of a position.
    pub fn number<G: Game<State = S>>(&self, game: &G, state: &S) -> Result<Option<u32>, Fault> {
        Ok(match &self.fold {
            None => self.numbers.get(state).copied(),
            Some(fold) => self.numbers.get(&fold.key(game, state)?).copied(),
        })
    }

    /// The first position in which the match is over and `wanted` holds of the
    /// goals, and a shortest way there as joint moves.
    pub fn shortest<G: Game<State = S>>(
        &self,
        game: &G,
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
            let mut joints = JointMoves::of(game, &state)?;
            let mut step = None;
            while let Some(joint) = joints.next() {
                let next = game.next(&state, joint)?;
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
            if game.is_terminal(state)? {
                let goals: Vec<Option<Goal>> =
                    RoleId::all(roles).map(|role| game.goal(state, role)).collect::<Result<_, _>>()?;
                let found = limits.enough.is_some_and(|(role, least)| goals[role.index()] >= Some(least));
                let payoffs = &mut graph.payoffs;
                graph.nodes.push(Kind::Over(interned(goals, payoffs, &mut payoff_numbers)));
                if found {
                    return Ok(Explored::Found(graph));
                }
                continue;
            }
            let mut joints = JointMoves::of(game, state)?;
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
                let next = game.next(state, joint)?;
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

/// The number of a list among those seen.
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
