//! The memory of a search: a graph of states.
//!
//! A state that is reached through several paths is one node. Numbers by role (sums of values, bounds) are
//! kept beside the nodes, because the number of roles is known only at run time.

use std::hash::{Hash, Hasher};

use game::{Fault, Game, Goal, MoveId, RoleId, all_legal};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use super::amaf::Amaf;

pub(super) type NodeId = u32;
/// The id of a node that does not exist yet.
pub(super) const NONE: NodeId = NodeId::MAX;
/// The number of edges that take the memory of a node.
const EDGES_PER_NODE: usize = 8;

/// What a role is proven to get: at least `low`, at most `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: u8,
    pub high: u8,
}

impl Bounds {
    pub const OPEN: Bounds = Bounds { low: 0, high: 100 };

    pub fn exact(value: u8) -> Bounds {
        Bounds { low: value, high: value }
    }

    pub fn is_exact(self) -> bool {
        self.low == self.high
    }
}

pub(super) struct Node<S> {
    pub state: S,
    pub kind: Kind,
    /// The number of values backed up.
    pub visits: u32,
    /// The number of virtual visits: values that have not arrived.
    pub flying: u32,
    /// The last descent that passed through.
    pub stamp: u32,
    /// Whether the bounds of all roles are exact.
    pub solved: bool,
    /// The number of steps to the end under best play, once solved.
    pub distance: u16,
    /// All-moves-as-first values.
    pub amaf: Option<Box<Amaf>>,
}

pub(super) enum Kind {
    /// Not expanded.
    Leaf,
    /// Terminal, or a dead end.
    Ended,
    Inner(Box<Inner>),
}

/// The choices in an expanded node.
pub(super) struct Inner {
    /// A joint move, in which the choices are replaced.
    pub base: Box<[MoveId]>,
    /// The roles that have a choice. If none has, the first role with its only move.
    pub choices: Box<[Choice]>,
    /// If several roles choose, the nodes by the indices of the chosen edges.
    pub joint: Option<FxHashMap<Box<[u32]>, NodeId>>,
    /// The number of roles that choose and are not chance.
    pub deciders: usize,
    /// Whether some child may have informative bounds.
    pub has_bounds: bool,
}

pub(super) struct Choice {
    pub role: RoleId,
    pub is_chance: bool,
    pub edges: Box<[Edge]>,
    /// Regret and accumulated strategy by move, if several roles decide.
    pub regret: Box<[f64]>,
    pub share: Box<[f64]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub mv: MoveId,
    /// The child, if only this role chooses.
    pub child: NodeId,
    pub visits: u32,
    pub flying: u32,
    /// The mean value for the role that chooses, from 0 to 1.
    pub value: f32,
}

pub(super) struct Tree<S> {
    pub roles: usize,
    pub chance: Vec<bool>,
    pub nodes: Vec<Node<S>>,
    /// The sums of values by node and role.
    pub sums: Vec<f64>,
    /// Bounds by node and role.
    pub bounds: Vec<Bounds>,
    table: FxHashMap<u64, NodeId>,
    edges: usize,
    limit: usize,
    /// The number of nodes allocated at the start.
    room: usize,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Creates an empty tree. `room` nodes are allocated at once, because growing a large table takes time
    /// that belongs to a move.
    pub fn new(chance: Vec<bool>, limit: usize, room: usize) -> Tree<S> {
        let roles = chance.len();
        let room = limit.min(room);
        Tree {
            roles,
            chance,
            nodes: Vec::with_capacity(room),
            sums: Vec::with_capacity(room * roles),
            bounds: Vec::with_capacity(room * roles),
            table: FxHashMap::with_capacity_and_hasher(room, FxBuildHasher),
            edges: 0,
            limit,
            room,
        }
    }

    /// Returns an empty tree with the same limits.
    pub fn fresh(&self) -> Tree<S> {
        Tree::new(self.chance.clone(), self.limit, self.room)
    }

    /// Returns the memory in use, in nodes.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.edges / EDGES_PER_NODE
    }

    pub fn is_full(&self) -> bool {
        self.size() >= self.limit
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn bounds(&self, id: NodeId, role: usize) -> Bounds {
        self.bounds[id as usize * self.roles + role]
    }

    /// Returns the mean value of a role, from 0 to 1.
    pub fn played(&self, id: NodeId, role: usize) -> f64 {
        let visits = self.nodes[id as usize].visits;
        if visits == 0 { 0.5 } else { self.sums[id as usize * self.roles + role] / f64::from(visits) }
    }

    /// Returns the mean value, clamped to the proven bounds.
    pub fn mean(&self, id: NodeId, role: usize) -> f64 {
        let Bounds { low, high } = self.bounds(id, role);
        self.played(id, role).clamp(f64::from(low) / 100.0, f64::from(high) / 100.0)
    }

    pub fn inner(&self, id: NodeId) -> Option<&Inner> {
        match &self.nodes[id as usize].kind {
            Kind::Inner(inner) => Some(inner),
            _ => None,
        }
    }

    /// Returns the key of the table at which the state is or would be, and its node if it exists.
    fn key(&self, state: &S) -> (u64, Option<NodeId>) {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        let mut key = hasher.finish();
        loop {
            match self.table.get(&key) {
                None => return (key, None),
                Some(&id) if self.nodes[id as usize].state == *state => return (key, Some(id)),
                Some(_) => key = key.wrapping_add(1),
            }
        }
    }

    pub fn find(&self, state: &S) -> Option<NodeId> {
        self.key(state).1
    }

    /// Returns the node of a state, and creates it if necessary.
    pub fn node_of<G: Game<State = S>>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        state: S,
    ) -> Result<NodeId, Fault> {
        let (key, found) = self.key(&state);
        if let Some(id) = found {
            return Ok(id);
        }
        let goals = if game.is_terminal(scratch, &state)? {
            let goals = RoleId::all(self.roles).map(|role| game.goal(scratch, &state, role));
            Some(goals.collect::<Result<Vec<Option<Goal>>, Fault>>()?)
        } else {
            None
        };
        Ok(self.push_fresh(key, state, goals))
    }

    /// Returns the node of a state, and creates it if necessary. `goals` are given if the state is terminal.
    pub fn known(&mut self, state: S, goals: Option<Vec<Option<Goal>>>) -> NodeId {
        let (key, found) = self.key(&state);
        found.unwrap_or_else(|| self.push_fresh(key, state, goals))
    }

    fn push_fresh(&mut self, key: u64, state: S, goals: Option<Vec<Option<Goal>>>) -> NodeId {
        // The goal of chance is irrelevant.
        let open = |&is_chance: &bool| if is_chance { Bounds::exact(0) } else { Bounds::OPEN };
        let exact = |goal: &Option<Goal>| Bounds::exact(goal.unwrap_or(0).clamp(0, 100) as u8);
        let (kind, solved, bounds): (Kind, bool, Vec<Bounds>) = match &goals {
            None => (Kind::Leaf, false, self.chance.iter().map(open).collect()),
            Some(goals) => (Kind::Ended, true, goals.iter().map(exact).collect()),
        };
        let node = Node { state, kind, visits: 0, flying: 0, stamp: 0, solved, distance: 0, amaf: None };
        self.push(key, node, &vec![0.0; self.roles], &bounds)
    }

    fn push(&mut self, key: u64, node: Node<S>, sums: &[f64], bounds: &[Bounds]) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.table.insert(key, id);
        self.nodes.push(node);
        self.sums.extend_from_slice(sums);
        self.bounds.extend_from_slice(bounds);
        id
    }

    /// Expands a leaf. A dead end counts as a terminal state in which everyone gets 0.
    pub fn expand<G: Game<State = S>>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        id: NodeId,
    ) -> Result<(), Fault> {
        let legal = all_legal(game, scratch, &self.nodes[id as usize].state)?;
        self.open(id, legal.unwrap_or_default());
        Ok(())
    }

    /// Adds the choices among these moves to a leaf. In a dead end some role has none.
    pub fn open(&mut self, id: NodeId, legal: Vec<Vec<MoveId>>) {
        if legal.len() < self.roles || legal.iter().any(Vec::is_empty) {
            let node = &mut self.nodes[id as usize];
            (node.kind, node.solved) = (Kind::Ended, true);
            self.bounds[id as usize * self.roles..][..self.roles].fill(Bounds::exact(0));
            return;
        }
        let base: Box<[MoveId]> = legal.iter().map(|moves| moves[0]).collect();
        let several = legal.iter().filter(|moves| moves.len() > 1).count();
        let chooses = |role: usize, moves: &[MoveId]| if several == 0 { role == 0 } else { moves.len() > 1 };
        let deciders = (0..self.roles).filter(|&r| chooses(r, &legal[r]) && !self.chance[r]).count();
        let mut choices = Vec::new();
        for (role, moves) in RoleId::all(self.roles).zip(&legal) {
            if !chooses(role.index(), moves) {
                continue;
            }
            self.edges += moves.len();
            let edge = |&mv: &MoveId| Edge { mv, child: NONE, visits: 0, flying: 0, value: 0.5 };
            let learned = if deciders > 1 { moves.len() } else { 0 };
            choices.push(Choice {
                role,
                is_chance: self.chance[role.index()],
                edges: moves.iter().map(edge).collect(),
                regret: vec![0.0; learned].into(),
                share: vec![0.0; learned].into(),
            });
        }
        let joint = (choices.len() > 1).then(FxHashMap::default);
        let inner = Inner { base, choices: choices.into(), joint, deciders, has_bounds: false };
        self.nodes[id as usize].kind = Kind::Inner(Box::new(inner));
    }

    /// Keeps only what can be reached from a node, which becomes the first.
    pub fn keep(self, root: NodeId) -> Tree<S> {
        let mut place = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        place[root as usize] = 0;
        let mut done = 0;
        while done < order.len() {
            for child in children(&self.nodes[order[done] as usize].kind) {
                if place[child as usize] == NONE {
                    place[child as usize] = order.len() as NodeId;
                    order.push(child);
                }
            }
            done += 1;
        }
        let mut kept = self.fresh();
        let mut nodes: Vec<Option<Node<S>>> = self.nodes.into_iter().map(Some).collect();
        for id in order {
            let mut node = nodes[id as usize].take().expect("a node is reached once");
            if let Kind::Inner(inner) = &mut node.kind {
                for choice in &mut inner.choices {
                    kept.edges += choice.edges.len();
                    for edge in choice.edges.iter_mut().filter(|edge| edge.child != NONE) {
                        edge.child = place[edge.child as usize];
                    }
                }
                for child in inner.joint.iter_mut().flat_map(|joint| joint.values_mut()) {
                    *child = place[*child as usize];
                }
            }
            let range = id as usize * kept.roles..(id as usize + 1) * kept.roles;
            let (key, _) = kept.key(&node.state);
            kept.push(key, node, &self.sums[range.clone()], &self.bounds[range]);
        }
        kept
    }
}

/// Returns the children of a node. Their order depends on hashing without a seed, so it is the same in every
/// run.
pub(super) fn children(kind: &Kind) -> Vec<NodeId> {
    let Kind::Inner(inner) = kind else { return Vec::new() };
    match &inner.joint {
        Some(joint) => joint.values().copied().collect(),
        None => inner.choices[0].edges.iter().map(|edge| edge.child).filter(|&child| child != NONE).collect(),
    }
}

impl<S> Tree<S> {
    /// Resets all bounds except those of terminal nodes.
    pub fn forget_proofs(&mut self) {
        for (id, node) in self.nodes.iter_mut().enumerate() {
            if matches!(node.kind, Kind::Ended) {
                continue;
            }
            (node.solved, node.distance) = (false, 0);
            let bounds = &mut self.bounds[id * self.roles..][..self.roles];
            for (bounds, &is_chance) in bounds.iter_mut().zip(&self.chance) {
                *bounds = if is_chance { Bounds::exact(0) } else { Bounds::OPEN };
            }
        }
    }
}
