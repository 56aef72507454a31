//! The sequence form of a whole game: what its roles may know, and the results.
//!
//! All histories are visited, length by length. What is kept are the information sets of every role, and for
//! every possible end (a sequence of each role) the probability of chance and the goals of the roles.
//! Histories with the same state that look the same to everyone have the same future, so they are merged.
//!
//! B. von Stengel: Efficient computation of behavior strategies (1996), for any number of roles.

use game::{Deadline, Fault, Game, MoveId, RoleId, Stepped, all_legal, for_each_joint};
use rustc_hash::FxHashMap;

use super::views::{NOTHING, Views};

/// The number of steps computed at a time.
const BATCH: usize = 1024;

/// Limits for building a form.
#[derive(Debug, Clone)]
pub struct FormLimits {
    /// The maximum number of histories.
    pub histories: usize,
    /// When to stop.
    pub deadline: Deadline,
}

impl FormLimits {
    fn check(&self, histories: u64) -> Result<(), Fault> {
        if histories > self.histories as u64 {
            return Err(Fault::Budget(format!("there are more than {} histories", self.histories)));
        }
        if self.deadline.is_over() { Err(Fault::Stopped) } else { Ok(()) }
    }
}

/// A game with all its information sets.
#[derive(Debug)]
pub struct Form {
    /// The roles that choose: all except chance.
    pub seats: Vec<RoleId>,
    /// The information sets of each of them.
    pub views: Vec<Views>,
    /// The possible ends: a sequence for every seat, one after the other.
    pub(super) ends: Vec<u32>,
    /// The probability of chance for each end.
    pub(super) chance: Vec<f64>,
    /// That probability times the goal, for every seat, one after the other.
    pub(super) pays: Vec<f64>,
    /// The sum of the goals of all seats, if it is the same at every end.
    pub constant_sum: Option<f64>,
    /// The number of histories; those with the same state that look the same to everyone count once.
    pub histories: u64,
    /// The number of steps of the longest history.
    pub depth: usize,
}

struct Node<S> {
    state: S,
    legal: Vec<Vec<MoveId>>,
    sets: Vec<u32>,
    chance: f64,
}

impl Form {
    /// Visits the whole game from a state in which nobody has seen anything yet. `watch` is called with the
    /// number of histories so far. Fails with [`Fault::Budget`] if there are too many.
    pub fn build<G: Game>(
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        limits: &FormLimits,
        mut watch: impl FnMut(u64),
    ) -> Result<Form, Fault> {
        let seats: Vec<RoleId> =
            RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance()).collect();
        let mut form = Form {
            views: vec![Views::default(); seats.len()],
            seats,
            ends: Vec::new(),
            chance: Vec::new(),
            pays: Vec::new(),
            constant_sum: None,
            histories: 1,
            depth: 0,
        };
        let mut grower = Grower { form: &mut form, ends: FxHashMap::default(), sums: Vec::new() };
        let start = if game.is_terminal(scratch, from)? { None } else { all_legal(game, scratch, from)? };
        let mut layer = Vec::new();
        match start {
            None => grower.end(game, scratch, from, vec![NOTHING; grower.form.seats.len()], 1.0)?,
            Some(legal) => {
                let mut sets = Vec::new();
                for (views, role) in grower.form.views.iter_mut().zip(&grower.form.seats) {
                    sets.push(views.enter(NOTHING, &[], &legal[role.index()])?.0);
                }
                layer.push(Node { state: from.clone(), legal, sets, chance: 1.0 });
            }
        }
        while !layer.is_empty() {
            let mut next = Layer { nodes: Vec::new(), known: FxHashMap::default() };
            let mut batch = Batch { owners: Vec::new(), states: Vec::new(), joints: Vec::new() };
            for (owner, node) in layer.iter().enumerate() {
                for_each_joint(&node.legal, |joint| {
                    batch.owners.push(owner);
                    batch.states.push(node.state.clone());
                    batch.joints.push(joint.to_vec());
                    if batch.joints.len() == BATCH {
                        grower.step(game, scratch, &layer, &mut batch, &mut next)?;
                        limits.check(grower.form.histories)?;
                        watch(grower.form.histories);
                    }
                    Ok::<bool, Fault>(true)
                })?;
            }
            // Also after a few steps, because a match may go on forever in only one way.
            grower.step(game, scratch, &layer, &mut batch, &mut next)?;
            limits.check(grower.form.histories)?;
            watch(grower.form.histories);
            grower.form.depth += 1;
            layer = next.nodes;
        }
        let sums = grower.sums;
        form.constant_sum = sums.first().copied().filter(|first| sums.iter().all(|sum| sum == first));
        Ok(form)
    }

    /// Returns the number of different ends.
    pub fn ends(&self) -> usize {
        self.chance.len()
    }

    /// Returns the number of information sets in which a seat has a choice.
    pub fn choices(&self, seat: usize) -> usize {
        self.views[seat].sets().iter().filter(|view| view.moves.len() > 1).count()
    }

    /// Returns the least and the most that a seat gets at any end, averaged over chance.
    pub fn range(&self, seat: usize) -> (f64, f64) {
        let pays = self.pays.chunks_exact(self.seats.len()).zip(&self.chance);
        let goals = pays.map(|(pays, chance)| pays[seat] / chance);
        goals.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), goal| (low.min(goal), high.max(goal)))
    }

    /// Returns the index of a role among the seats, or `None` for chance.
    pub fn seat_of(&self, role: RoleId) -> Option<usize> {
        self.seats.iter().position(|seat| *seat == role)
    }
}

struct Layer<S> {
    nodes: Vec<Node<S>>,
    known: FxHashMap<(S, Vec<u32>), usize>,
}

struct Batch<S> {
    owners: Vec<usize>,
    states: Vec<S>,
    joints: Vec<Vec<MoveId>>,
}

struct Grower<'a> {
    form: &'a mut Form,
    ends: FxHashMap<Vec<u32>, usize>,
    /// The different sums of goals found; two are enough to know that there are several.
    sums: Vec<f64>,
}

impl Grower<'_> {
    /// Makes the steps of a batch and processes their results.
    fn step<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        layer: &[Node<G::State>],
        batch: &mut Batch<G::State>,
        next: &mut Layer<G::State>,
    ) -> Result<(), Fault> {
        let steps = game.steps(scratch, &batch.states, &batch.joints)?;
        batch.states.clear();
        for ((owner, joint), step) in batch.owners.drain(..).zip(batch.joints.drain(..)).zip(steps) {
            let node = &layer[owner];
            let drawn = node.legal.iter().zip(game.roles()).filter(|(_, role)| role.is_chance());
            let chance = node.chance / drawn.map(|(moves, _)| moves.len() as f64).product::<f64>();
            let mut sequences = Vec::with_capacity(self.form.seats.len());
            for ((views, role), set) in self.form.views.iter().zip(&self.form.seats).zip(&node.sets) {
                let sequence = views.sequence(*set, joint[role.index()]);
                sequences.push(sequence.ok_or_else(|| Fault::BadState("a move is missing".to_string()))?);
            }
            if step.terminal || step.legal.iter().any(Vec::is_empty) {
                self.end(game, scratch, &step.state, sequences, chance)?;
            } else {
                self.follow(step, &sequences, chance, next)?;
            }
        }
        Ok(())
    }

    fn follow<S: Clone + Eq + std::hash::Hash>(
        &mut self,
        step: Stepped<S>,
        sequences: &[u32],
        chance: f64,
        next: &mut Layer<S>,
    ) -> Result<(), Fault> {
        let mut sets = Vec::with_capacity(sequences.len());
        for ((views, role), before) in self.form.views.iter_mut().zip(&self.form.seats).zip(sequences) {
            let (percepts, moves) = (&step.percepts[role.index()], &step.legal[role.index()]);
            sets.push(views.enter(*before, percepts, moves)?.0);
        }
        let fresh = next.nodes.len();
        let at = *next.known.entry((step.state.clone(), sets.clone())).or_insert(fresh);
        if at == fresh {
            self.form.histories += 1;
            next.nodes.push(Node { state: step.state, legal: step.legal, sets, chance });
        } else {
            next.nodes[at].chance += chance;
        }
        Ok(())
    }

    fn end<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
        sequences: Vec<u32>,
        chance: f64,
    ) -> Result<(), Fault> {
        let mut goals = Vec::with_capacity(sequences.len());
        let over = game.is_terminal(scratch, state)?;
        for role in &self.form.seats {
            goals.push(if over { game.goal(scratch, state, *role)?.map_or(0.0, f64::from) } else { 0.0 });
        }
        let sum = goals.iter().sum();
        if self.sums.len() < 2 && !self.sums.contains(&sum) {
            self.sums.push(sum);
        }
        let fresh = self.form.chance.len();
        let seats = sequences.len();
        let at = *self.ends.entry(sequences).or_insert_with_key(|sequences| {
            self.form.ends.extend_from_slice(sequences);
            self.form.chance.push(0.0);
            self.form.pays.resize((fresh + 1) * seats, 0.0);
            self.form.histories += 1;
            fresh
        });
        self.form.chance[at] += chance;
        for (pay, goal) in self.form.pays[at * seats..(at + 1) * seats].iter_mut().zip(goals) {
            *pay += chance * goal;
        }
        Ok(())
    }
}
