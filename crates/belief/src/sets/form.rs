//! A whole game as what its roles may know and what comes of it: its sequence form.
//!
//! All histories are visited, length by length. What is kept are the information
//! sets of every role, and for every way a match can end (a sequence of each
//! role) how likely chance makes it and what the roles get. Histories that are
//! the same state to the rules and look the same to everyone have the same
//! future, so they are followed as one.
//!
//! B. von Stengel: Efficient computation of behavior strategies (1996), for any
//! number of roles.

use game::{Deadline, Fault, Game, MoveId, RoleId, Stepped, all_legal, for_each_joint};
use rustc_hash::FxHashMap;

use super::views::{NOTHING, Views};

/// Steps computed at once.
const BATCH: usize = 1024;

/// What building may cost.
#[derive(Debug, Clone)]
pub struct FormLimits {
    /// Histories followed, at most.
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
    /// The roles that choose: all but chance.
    pub seats: Vec<RoleId>,
    /// What each of them may know.
    pub views: Vec<Views>,
    /// The ways a match can end: a sequence for every seat, one after another.
    pub(super) ends: Vec<u32>,
    /// How likely chance brings each about.
    pub(super) chance: Vec<f64>,
    /// That probability times the goal, for every seat, one after another.
    pub(super) pays: Vec<f64>,
    /// The sum of the goals of all seats, where it is the same at every end.
    pub constant_sum: Option<f64>,
    /// Histories followed; such as look the same to everyone and are the same state count once.
    pub histories: u64,
    /// Steps of the longest history.
    pub depth: usize,
}

struct Node<S> {
    state: S,
    legal: Vec<Vec<MoveId>>,
    sets: Vec<u32>,
    chance: f64,
}

impl Form {
    /// Visits all of a game from a state on, in which nobody has seen anything yet. `watch` is
    /// told how many histories were followed. A [`Fault::Budget`] says that there are too many.
    pub fn build<G: Game>(
        game: &G,
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
        let start = if game.is_terminal(from)? { None } else { all_legal(game, from)? };
        let mut layer = Vec::new();
        match start {
            None => grower.end(game, from, vec![NOTHING; grower.form.seats.len()], 1.0)?,
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
                        grower.step(game, &layer, &mut batch, &mut next)?;
                        limits.check(grower.form.histories)?;
                        watch(grower.form.histories);
                    }
                    Ok::<bool, Fault>(true)
                })?;
            }
            // Also after a few steps: a match that goes on for ever may have a single way to do so.
            grower.step(game, &layer, &mut batch, &mut next)?;
            limits.check(grower.form.histories)?;
            watch(grower.form.histories);
            grower.form.depth += 1;
            layer = next.nodes;
        }
        let sums = grower.sums;
        form.constant_sum = sums.first().copied().filter(|first| sums.iter().all(|sum| sum == first));
        Ok(form)
    }

    /// How many different ways to end there are.
    pub fn ends(&self) -> usize {
        self.chance.len()
    }

    /// How many information sets there are in which a seat has a choice.
    pub fn choices(&self, seat: usize) -> usize {
        self.views[seat].sets().iter().filter(|view| view.moves.len() > 1).count()
    }

    /// The place of a role among the seats; none for chance.
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
    /// Different sums of goals met; two are enough to know that there are several.
    sums: Vec<f64>,
}

impl Grower<'_> {
    /// Makes the steps of a batch and sorts what comes of them.
    fn step<G: Game>(
        &mut self,
        game: &G,
        layer: &[Node<G::State>],
        batch: &mut Batch<G::State>,
        next: &mut Layer<G::State>,
    ) -> Result<(), Fault> {
        let steps = game.steps(&batch.states, &batch.joints)?;
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
                self.end(game, &step.state, sequences, chance)?;
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
        state: &G::State,
        sequences: Vec<u32>,
        chance: f64,
    ) -> Result<(), Fault> {
        let mut goals = Vec::with_capacity(sequences.len());
        let over = game.is_terminal(state)?;
        for role in &self.form.seats {
            goals.push(if over { game.goal(state, *role)?.map_or(0.0, f64::from) } else { 0.0 });
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
