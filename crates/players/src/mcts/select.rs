//! Selection: the descent from the root to a leaf.
//!
//! A single role that chooses takes the move with the highest upper confidence bound (UCT, Kocsis and
//! Szepesvári 2006). Moves whose results have not arrived count as lost (virtual loss), and moves that are
//! proven not to be better are skipped (score-bounded search, Cazenave and Saffidine 2010). Chance draws.
//! Roles that choose at the same time decide independently, by regret matching or by confidence bounds
//! (Lanctot, Tak et al.).

use belief::normalised;
use game::{Fault, Game, MoveId, Rng};

use super::Settings;
use super::amaf::{self, Amaf};
use super::tree::{Choice, Inner, Kind, NONE, NodeId, Tree};

/// The path of one descent.
#[derive(Debug, Default)]
pub(super) struct Path {
    pub nodes: Vec<NodeId>,
    /// The chosen edges at each node except the last, one for each choice of the node.
    pub picks: Vec<u32>,
}

/// Where a descent ended.
pub(super) enum Reached {
    /// At a solved node.
    Exact,
    /// At a node to be played out from.
    Open,
    /// Before a node that does not exist yet, identified by the last picks.
    Unmade,
}

pub(super) struct Descent<'a, G: Game> {
    pub game: &'a G,
    pub scratch: &'a mut G::Scratch,
    pub settings: &'a Settings,
    pub chance: &'a mut Rng,
    pub stamp: u32,
    /// The last node on the path that has AMAF values.
    pub guide: Option<NodeId>,
    /// Whether nodes are created together, after the descents of a batch.
    pub together: bool,
}

impl<G: Game> Descent<'_, G> {
    /// Descends from the root, expanding nodes on the way.
    pub fn walk(
        &mut self,
        tree: &mut Tree<G::State>,
        root: NodeId,
        path: &mut Path,
    ) -> Result<Reached, Fault> {
        path.nodes.clear();
        path.picks.clear();
        let mut at = root;
        loop {
            path.nodes.push(at);
            let node = &mut tree.nodes[at as usize];
            if node.solved {
                return Ok(Reached::Exact);
            }
            // A path that returns to itself ends where the cycle begins.
            if node.stamp == self.stamp {
                return Ok(Reached::Open);
            }
            node.stamp = self.stamp;
            if matches!(node.kind, Kind::Leaf) {
                if at != root && (node.visits + node.flying == 0 || tree.is_full()) {
                    return Ok(Reached::Open);
                }
                tree.expand(self.game, self.scratch, at)?;
                if tree.nodes[at as usize].solved {
                    return Ok(Reached::Exact);
                }
            } else if self.together && at != root && node.visits + node.flying == 0 {
                return Ok(Reached::Open);
            }
            let node = &tree.nodes[at as usize];
            if node.amaf.is_some() && node.visits >= amaf::GUIDE {
                self.guide = Some(at);
            }
            let before = path.picks.len();
            if !self.pick(tree, at, &mut path.picks) {
                path.picks.truncate(before);
                return Ok(Reached::Exact);
            }
            match known_child(tree, at, &path.picks[before..]) {
                Some(child) => at = child,
                None if self.together && !tree.is_full() => return Ok(Reached::Unmade),
                None if !tree.is_full() => at = self.make_child(tree, at, &path.picks[before..])?,
                None => {
                    path.picks.truncate(before);
                    return Ok(Reached::Open);
                }
            }
        }
    }

    /// Chooses for every role. Returns `false` if all moves turn out to be settled.
    fn pick(&mut self, tree: &Tree<G::State>, at: NodeId, picks: &mut Vec<u32>) -> bool {
        let inner = tree.inner(at).expect("a node that was looked into");
        for choice in &inner.choices {
            let place = if choice.is_chance {
                Some(self.chance.below(choice.edges.len()))
            } else if inner.deciders > 1 && self.settings.regret {
                Some(self.by_regret(choice, tree.nodes[at as usize].visits))
            } else {
                self.by_bound(tree, at, inner, choice)
            };
            match place {
                Some(place) => picks.push(place as u32),
                None => return false,
            }
        }
        true
    }

    fn by_bound(
        &mut self,
        tree: &Tree<G::State>,
        at: NodeId,
        inner: &Inner,
        choice: &Choice,
    ) -> Option<usize> {
        let role = choice.role.index();
        let node = &tree.nodes[at as usize];
        let low = tree.bounds(at, role).low;
        let settled = |child: NodeId| {
            inner.has_bounds
                && child != NONE
                && (tree.nodes[child as usize].solved || tree.bounds(child, role).high <= low)
        };
        if let Some(guide) = self.guide.and_then(|guide| tree.nodes[guide as usize].amaf.as_deref()) {
            return self.by_guide(tree, at, choice, guide, settled);
        }
        let unseen = choice.edges.iter().filter(|edge| edge.visits + edge.flying == 0).count();
        let may_grow = !tree.is_full() || unseen == choice.edges.len();
        if unseen > 0 && may_grow {
            let wanted = self.chance.below(unseen);
            let mut places =
                (0..choice.edges.len()).filter(|&i| choice.edges[i].visits + choice.edges[i].flying == 0);
            return places.nth(wanted);
        }
        let wide = self.settings.c * libm::logf((node.visits + node.flying).max(1) as f32).sqrt();
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (place, edge) in choice.edges.iter().enumerate() {
            let seen = (edge.visits + edge.flying) as f32;
            if seen == 0.0 {
                continue;
            }
            let score = edge.value * edge.visits as f32 / seen + wide / seen.sqrt();
            if score > highest && !settled(edge.child) {
                (best, highest) = (Some(place), score);
            }
        }
        best
    }

    /// Selects by the same bound, mixed with the AMAF value of a move until it has visits of its own.
    fn by_guide(
        &self,
        tree: &Tree<G::State>,
        at: NodeId,
        choice: &Choice,
        guide: &Amaf,
        settled: impl Fn(NodeId) -> bool,
    ) -> Option<usize> {
        let node = &tree.nodes[at as usize];
        let may_grow = !tree.is_full();
        let wide = self.settings.c * libm::logf((node.visits + node.flying).max(1) as f32).sqrt();
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (place, edge) in choice.edges.iter().enumerate() {
            let seen = (edge.visits + edge.flying) as f32;
            if seen == 0.0 && !may_grow {
                continue;
            }
            let own = if seen == 0.0 { 1.0 } else { edge.value * edge.visits as f32 / seen };
            let value = match guide.value(choice.role, edge.mv) {
                Some(later) => own + (later - own) * self.settings.grave / (self.settings.grave + seen),
                None => own,
            };
            let score = value + wide / (seen + 1.0).sqrt();
            if score > highest && !settled(edge.child) {
                (best, highest) = (Some(place), score);
            }
        }
        best
    }

    fn by_regret(&mut self, choice: &Choice, visits: u32) -> usize {
        let explore = (2.0 / f64::from(visits + 1).sqrt()).clamp(0.01, 0.5);
        if self.chance.unit() < explore {
            return self.chance.below(choice.edges.len());
        }
        draw(self.chance, &normalised(&choice.regret))
    }

    /// Creates the node that the picks lead to.
    fn make_child(&mut self, tree: &mut Tree<G::State>, at: NodeId, picks: &[u32]) -> Result<NodeId, Fault> {
        let inner = tree.inner(at).expect("a node that was looked into");
        let joint = joint_move(inner, picks);
        let next = self.game.next(self.scratch, &tree.nodes[at as usize].state, &joint)?;
        let child = tree.node_of(self.game, self.scratch, next)?;
        connect(tree, at, picks, child);
        Ok(child)
    }
}

/// Returns the node that the picks lead to, if it exists.
fn known_child<S: Clone + Eq + std::hash::Hash>(tree: &Tree<S>, at: NodeId, picks: &[u32]) -> Option<NodeId> {
    let inner = tree.inner(at).expect("a node that was looked into");
    match &inner.joint {
        Some(joint) => joint.get(picks).copied(),
        None => Some(inner.choices[0].edges[picks[0] as usize].child).filter(|&child| child != NONE),
    }
}

/// Connects the picks to a node.
pub(super) fn connect<S>(tree: &mut Tree<S>, at: NodeId, picks: &[u32], child: NodeId) {
    let known = tree.nodes[child as usize].solved;
    if let Kind::Inner(inner) = &mut tree.nodes[at as usize].kind {
        inner.has_bounds |= known;
        match &mut inner.joint {
            Some(joint) => drop(joint.insert(picks.into(), child)),
            None => inner.choices[0].edges[picks[0] as usize].child = child,
        }
    }
}

/// Returns the joint move with the choices filled in.
pub(super) fn joint_move(inner: &Inner, picks: &[u32]) -> Vec<MoveId> {
    let mut joint = inner.base.to_vec();
    for (choice, &place) in inner.choices.iter().zip(picks) {
        joint[choice.role.index()] = choice.edges[place as usize].mv;
    }
    joint
}

/// Draws an index with these probabilities.
pub(crate) fn draw(chance: &mut Rng, probabilities: &[f64]) -> usize {
    let mut rest = chance.unit();
    for (place, p) in probabilities.iter().enumerate() {
        rest -= p;
        if rest < 0.0 {
            return place;
        }
    }
    probabilities.iter().rposition(|p| *p > 0.0).unwrap_or(0)
}
