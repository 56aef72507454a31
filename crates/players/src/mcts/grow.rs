//! Expansion of nodes, a batch at a time.
//!
//! In a game with hundreds of thousands of gates a single state costs milliseconds, and hundreds of them side
//! by side cost hardly more. The descents of a batch therefore stop before nodes that do not exist, the steps
//! to all of them are made together, and then the new nodes are added. The legal moves are computed with the
//! step, and the goals of terminal states come from playouts of zero steps.

use game::{Fault, Game, Goal, MoveId, Outcomes, Playouts, Start, Stepped};
use rustc_hash::FxHashMap;

use super::search::Search;
use super::select::{Path, connect, joint_move};
use super::tree::{Kind, NodeId};

impl<G: Game> Search<G> {
    /// Creates the nodes in which paths end, and appends them to the paths.
    pub(super) fn grow(&mut self, paths: &mut [Path]) -> Result<(), Fault> {
        // Several paths may lead through the same choice.
        let mut numbers: FxHashMap<(NodeId, Box<[u32]>), usize> = FxHashMap::default();
        let mut wanted: Vec<(NodeId, Box<[u32]>)> = Vec::new();
        let mut number_of = Vec::with_capacity(paths.len());
        for path in paths.iter() {
            let at = *path.nodes.last().expect("a way has a first node");
            let inner = self.tree.inner(at).expect("a choice is made where there is one");
            let picks: Box<[u32]> = path.picks[path.picks.len() - inner.choices.len()..].into();
            let number = *numbers.entry((at, picks.clone())).or_insert_with(|| {
                wanted.push((at, picks));
                wanted.len() - 1
            });
            number_of.push(number);
        }
        let states: Vec<G::State> =
            wanted.iter().map(|(at, _)| self.tree.nodes[*at as usize].state.clone()).collect();
        let joint = |(at, picks): &(NodeId, Box<[u32]>)| {
            joint_move(self.tree.inner(*at).expect("a choice is made where there is one"), picks)
        };
        let joints: Vec<Vec<MoveId>> = wanted.iter().map(joint).collect();
        let steps = self.game.steps(&mut self.scratch, &states, &joints)?;
        drop(states);
        let goals = self.goals(&steps)?;
        let mut children = Vec::with_capacity(steps.len());
        for ((step, goals), (at, picks)) in steps.into_iter().zip(goals).zip(&wanted) {
            let child = self.tree.known(step.state, goals);
            if matches!(self.tree.nodes[child as usize].kind, Kind::Leaf) {
                self.tree.open(child, step.legal);
            }
            connect(&mut self.tree, *at, picks, child);
            children.push(child);
        }
        for (path, number) in paths.iter_mut().zip(number_of) {
            path.nodes.push(children[number]);
        }
        Ok(())
    }

    /// Returns the goals of the terminal states.
    fn goals(&mut self, steps: &[Stepped<G::State>]) -> Result<Vec<Option<Vec<Option<Goal>>>>, Fault> {
        let over: Vec<usize> = (0..steps.len()).filter(|&number| steps[number].terminal).collect();
        let mut goals = vec![None; steps.len()];
        if over.is_empty() {
            return Ok(goals);
        }
        let start = |&number: &usize| Start { state: steps[number].state.clone(), first: None, count: 1 };
        let starts: Vec<Start<G::State>> = over.iter().map(start).collect();
        let request = Playouts { max_steps: 0, ..Playouts::new(&starts, self.seed) };
        let ended = self.game.playouts(&mut self.scratch, &request)?;
        let known = |goal: &Goal| Some(*goal).filter(|&goal| goal != Outcomes::NO_GOAL);
        for (playout, number) in over.into_iter().enumerate() {
            goals[number] = Some(ended.goals_of(playout).iter().map(known).collect());
        }
        Ok(goals)
    }
}
