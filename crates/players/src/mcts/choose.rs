//! The choice of a move from the results of the search.

use std::cmp::Ordering;

use belief::normalised;
use game::{Game, MoveId, RoleId};

use super::search::Search;
use super::select::draw;
use super::tree::{Choice, Edge, Inner, NONE, NodeId};
use crate::matrix::{FINE, Matrix};

/// The number of visits from which the mean of a cell is trusted.
const CELL_VISITS: u32 = 30;
/// Moves with a smaller probability in a mixed strategy are left out.
const RARE: f64 = 0.005;

/// The results for one move at the root.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub mv: MoveId,
    pub visits: u32,
    /// The mean value, from 0 to 100.
    pub value: f64,
    /// The mean of the playouts, regardless of proven bounds.
    pub played: f64,
    /// Proven bounds, if the move leads to one node.
    pub low: u8,
    pub high: u8,
    pub solved: bool,
    pub distance: u16,
    /// Its probability in a mixed strategy.
    pub share: Option<f64>,
}

impl<G: Game> Search<G> {
    /// Returns the moves of a role at the root; empty if it has no choice.
    pub fn candidates(&self, role: RoleId) -> Vec<Candidate> {
        let Some((inner, choice)) = self.root_choice(role) else { return Vec::new() };
        let shares = if inner.deciders > 1 { self.mixed(inner, choice) } else { Vec::new() };
        let one = |(place, edge): (usize, &Edge)| {
            let node = (edge.child != NONE).then_some(edge.child);
            let bounds = node.map(|node| self.tree.bounds(node, role.index()));
            let known = node.map(|node| &self.tree.nodes[node as usize]);
            let mean = node.map_or(f64::from(edge.value), |node| self.tree.mean(node, role.index()));
            let played = node.map_or(mean, |node| self.tree.played(node, role.index()));
            Candidate {
                mv: edge.mv,
                visits: edge.visits,
                value: mean * 100.0,
                played,
                low: bounds.map_or(0, |b| b.low),
                high: bounds.map_or(100, |b| b.high),
                solved: known.is_some_and(|node| node.solved),
                distance: known.map_or(0, |node| node.distance),
                share: shares.get(place).copied(),
            }
        };
        choice.edges.iter().enumerate().map(one).collect()
    }

    /// Chooses a proven best move, or the most visited one that may be better than what is proven.
    pub fn choose(&mut self, candidates: &[Candidate]) -> Option<MoveId> {
        if candidates.iter().any(|c| c.share.is_some()) {
            let kept: Vec<f64> =
                candidates.iter().map(|c| c.share.filter(|&share| share >= RARE).unwrap_or(0.0)).collect();
            return Some(candidates[draw(&mut self.chance, &normalised(&kept))].mv);
        }
        let sure = candidates.iter().map(|c| c.low).max()?;
        let open = candidates.iter().filter(|c| !c.solved && c.high > sure && c.visits > 0);
        let more = |a: &Candidate, b: &Candidate| a.visits.cmp(&b.visits).then(a.value.total_cmp(&b.value));
        if let Some(hope) = self.any_best(open, more)
            && (sure == 0 || hope.value > f64::from(sure))
        {
            return Some(hope.mv);
        }
        let best = candidates.iter().filter(|c| c.low == sure && (c.solved || sure > 0 || c.visits > 0));
        // Prefer fast wins and slow losses; in between, the playouts show where others go wrong.
        let order = |c: &Candidate| match sure {
            100 => f64::from(u16::MAX - c.distance),
            0 => f64::from(c.distance),
            _ => c.played,
        };
        let solved_first = |a: &Candidate, b: &Candidate| {
            a.solved.cmp(&b.solved).then(order(a).total_cmp(&order(b))).then(a.visits.cmp(&b.visits))
        };
        self.any_best(best, solved_first).or(candidates.first()).map(|c| c.mv)
    }

    /// Returns a random one of the best: with few playouts many moves look alike, and always choosing the
    /// last of them would move one piece back and forth.
    fn any_best<'a>(
        &mut self,
        from: impl Iterator<Item = &'a Candidate> + Clone,
        order: impl Fn(&Candidate, &Candidate) -> Ordering,
    ) -> Option<&'a Candidate> {
        let best = from.clone().max_by(|a, b| order(a, b))?;
        let alike: Vec<&Candidate> = from.filter(|c| order(c, best).is_eq()).collect();
        Some(if alike.len() > 1 { alike[self.chance.below(alike.len())] } else { best })
    }

    fn root_choice(&self, role: RoleId) -> Option<(&Inner, &Choice)> {
        let inner = self.tree.inner(self.root)?;
        inner.choices.iter().find(|choice| choice.role == role).map(|choice| (inner, choice))
    }

    /// Returns the probability of each move if others choose at the same time.
    fn mixed(&self, inner: &Inner, choice: &Choice) -> Vec<f64> {
        if let Some(solved) = self.equilibrium(inner, choice) {
            return solved;
        }
        if self.settings.regret && choice.share.iter().any(|share| *share > 0.0) {
            return normalised(&choice.share);
        }
        normalised(&choice.edges.iter().map(|edge| f64::from(edge.visits)).collect::<Vec<f64>>())
    }

    /// Returns the equilibrium of the means of all cells, if two roles choose and every cell is well
    /// explored.
    fn equilibrium(&self, inner: &Inner, choice: &Choice) -> Option<Vec<f64>> {
        let [rows, columns] = &*inner.choices else { return None };
        let joint = inner.joint.as_ref().filter(|_| inner.deciders == 2)?;
        let (mut row_pays, mut column_pays) = (Vec::new(), Vec::new());
        for i in 0..rows.edges.len() as u32 {
            for j in 0..columns.edges.len() as u32 {
                let node: NodeId = *joint.get(&[i, j][..])?;
                let known = &self.tree.nodes[node as usize];
                if known.visits < CELL_VISITS && !known.solved {
                    return None;
                }
                row_pays.push(self.tree.mean(node, rows.role.index()));
                column_pays.push(self.tree.mean(node, columns.role.index()));
            }
        }
        let matrix = Matrix { rows: rows.edges.len(), columns: columns.edges.len(), row_pays, column_pays };
        let (x, y) = matrix.solve(FINE);
        Some(if choice.role == rows.role { x } else { y })
    }
}
