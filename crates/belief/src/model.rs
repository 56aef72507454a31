//! A complete history that agrees with what a role saw, and what was tried on the way.

use std::sync::Arc;

use game::{MoveId, PerceptId, Rng, RoleId, Stepped};

use super::repair::{Kept, Sight};
use super::untried::Untried;
use super::view::Seen;

/// A state with its legal moves.
#[derive(Debug)]
pub struct Place<S> {
    /// The state.
    pub state: S,
    /// The legal moves, by role.
    pub legal: Vec<Vec<MoveId>>,
}

/// The step made from a place.
#[derive(Debug)]
pub(super) struct Taken {
    pub joint: Vec<MoveId>,
    /// The percepts of every role.
    pub percepts: Vec<Vec<PerceptId>>,
}

#[derive(Debug, Clone)]
struct Frame<S> {
    place: Arc<Place<S>>,
    /// The joint moves that were not refuted, once the own move is known.
    untried: Option<Untried>,
    /// The number drawn last; that of the step taken, if one was.
    drawn: u64,
    taken: Option<Arc<Taken>>,
    /// The fraction of all joint moves that agree, if it was computed.
    share: Option<f64>,
}

/// A history from the initial state.
///
/// Every place in it knows which joint moves were tried there. All of them except the one that was taken were
/// refuted by what the role saw then or later, and what is refuted stays so. A model that no longer agrees
/// backtracks to the last place with an untried joint move, so the search for an agreeing history is
/// complete.
#[derive(Debug, Clone)]
pub struct Model<S> {
    frames: Vec<Frame<S>>,
    /// A copy from when it was longest, if it has backtracked since.
    longest: Option<Box<Model<S>>>,
}

impl<S: Clone> Model<S> {
    /// Creates a model at the initial state.
    pub fn new(initial: &Arc<Place<S>>) -> Model<S> {
        let first = Frame { place: Arc::clone(initial), untried: None, drawn: 0, taken: None, share: None };
        Model { frames: vec![first], longest: None }
    }

    /// Returns the number of steps.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Returns the last place.
    pub fn place(&self) -> &Arc<Place<S>> {
        &self.frames.last().expect("a model has a first place").place
    }

    /// Returns its joint moves, one after the other.
    pub fn path(&self) -> Vec<MoveId> {
        self.taken().flat_map(|taken| taken.joint.iter().copied()).collect()
    }

    pub(super) fn taken(&self) -> impl Iterator<Item = &Arc<Taken>> {
        self.frames.iter().filter_map(|frame| frame.taken.as_ref())
    }

    /// Returns the natural logarithm of the choice factor: the number of equally likely ways in which the
    /// others, and chance, could have moved until here.
    pub fn ln_choices(&self) -> f64 {
        let totals = self.frames.iter().filter(|frame| frame.taken.is_some());
        // Logarithms are slow, so they are taken of products that fit into the range.
        let (mut sum, mut product) = (0.0, 1.0);
        for untried in totals.filter_map(|frame| frame.untried.as_ref()) {
            product *= untried.total() as f64;
            if product > 1e280 {
                sum += libm::log(product);
                product = 1.0;
            }
        }
        sum + libm::log(product)
    }

    /// Returns the natural logarithm of the product of the fractions of joint moves that agree.
    pub(super) fn ln_shares(&self) -> f64 {
        let shares = self.frames.iter().filter(|frame| frame.taken.is_some()).filter_map(|frame| frame.share);
        shares.map(|share| libm::log(share.max(f64::MIN_POSITIVE))).sum()
    }

    /// Returns the steps whose fraction is not known.
    pub(super) fn without_share(&self) -> impl Iterator<Item = usize> + '_ {
        let frames = self.frames.iter().enumerate();
        frames.filter(|(_, frame)| frame.taken.is_some() && frame.share.is_none()).map(|(at, _)| at)
    }

    /// Sets the fraction of a step.
    pub(super) fn set_share(&mut self, at: usize, share: f64) {
        self.frames[at].share = Some(share);
    }

    /// Returns an untried joint move from its last place, with the actual own move. Backtracks if there is
    /// none. Returns `None` if there is none at all.
    pub(super) fn propose(&mut self, role: RoleId, seen: &[Seen], chance: &mut Rng) -> Option<Vec<MoveId>> {
        loop {
            let depth = self.depth();
            let seen = &seen[depth];
            let frame = self.frames.last_mut()?;
            let place = &frame.place;
            let untried = frame.untried.get_or_insert_with(|| Untried::new(choices(place, role, seen)));
            if let Some(number) = untried.draw(chance) {
                frame.drawn = number;
                return Some(joint(place, role, seen, number));
            }
            if depth == 0 {
                return None;
            }
            self.remember();
            self.frames.pop();
            self.frames.last_mut()?.taken = None;
        }
    }

    /// Takes back up to this many steps that were not refuted.
    pub(super) fn take_back(&mut self, steps: usize) {
        let depth = self.depth().saturating_sub(steps);
        if depth == self.depth() {
            return;
        }
        self.remember();
        self.frames.truncate(depth + 1);
        if let Some(frame) = self.frames.last_mut() {
            frame.taken = None;
            if let Some(untried) = &mut frame.untried {
                untried.put_back(frame.drawn);
            }
        }
    }

    /// Advances by a joint move that agrees.
    pub(super) fn push(&mut self, joint: Vec<MoveId>, stepped: Stepped<S>) {
        let place = Arc::new(Place { state: stepped.state, legal: stepped.legal });
        if let Some(frame) = self.frames.last_mut() {
            frame.taken = Some(Arc::new(Taken { joint, percepts: stepped.percepts }));
        }
        self.frames.push(Frame { place, untried: None, drawn: 0, taken: None, share: None });
        if self.longest.as_ref().is_some_and(|longest| longest.depth() < self.depth()) {
            self.longest = None;
        }
    }

    /// Returns the same history with one more step.
    pub(super) fn after(&self, joint: &[MoveId], stepped: Stepped<S>) -> Model<S> {
        let mut model = Model { frames: self.frames.clone(), longest: None };
        model.push(joint.to_vec(), stepped);
        model
    }

    /// Keeps a copy, if it was never longer.
    fn remember(&mut self) {
        if self.longest.as_ref().is_none_or(|longest| longest.depth() < self.depth()) {
            self.longest = Some(Box::new(Model { frames: self.frames.clone(), longest: None }));
        }
    }

    /// Sets another history, as long as the longest one, as the one to repair.
    pub(super) fn mend_from(&mut self, other: Model<S>) {
        self.longest = Some(Box::new(other));
    }

    /// Returns the history from when it was longest.
    pub(super) fn longest(&self) -> &Model<S> {
        self.longest.as_ref().map_or(self, |longest| longest)
    }

    /// Drops the copy of the longest history.
    pub(super) fn forget(&mut self) {
        self.longest = None;
    }

    /// Returns the place after this many steps.
    pub(super) fn place_at(&self, depth: usize) -> &Arc<Place<S>> {
        &self.frames[depth].place
    }

    /// Returns the joint move of a step.
    pub(super) fn joint_at(&self, depth: usize) -> Option<&[MoveId]> {
        self.frames[depth].taken.as_ref().map(|taken| &taken.joint[..])
    }

    /// Returns the same model up to a step, with other steps from there on.
    pub(super) fn changed(&self, from: usize, steps: Vec<Kept<S>>, sight: &Sight<'_>) -> Model<S> {
        let mut model = Model { frames: self.frames[..=from].to_vec(), longest: None };
        for kept in steps {
            let seen = &sight.seen[model.depth()];
            if let Some(frame) = model.frames.last_mut() {
                let total = choices(&frame.place, sight.role, seen);
                frame.untried = Some(Untried::without(total, kept.number));
                frame.drawn = kept.number;
            }
            model.push(kept.joint, kept.step);
        }
        model
    }
}

/// Returns the number of joint moves with the own one fixed; 0 if that one is not legal.
pub(super) fn choices<S>(place: &Place<S>, role: RoleId, seen: &Seen) -> u64 {
    if seen.joint.is_some() {
        return 1;
    }
    if !place.legal[role.index()].contains(&seen.own) {
        return 0;
    }
    let others = place.legal.iter().enumerate().filter(|(index, _)| *index != role.index());
    others.fold(1, |product: u64, (_, moves)| product.saturating_mul(moves.len() as u64))
}

/// Returns the joint move with this number.
pub(super) fn joint<S>(place: &Place<S>, role: RoleId, seen: &Seen, mut number: u64) -> Vec<MoveId> {
    if let Some(joint) = &seen.joint {
        return joint.clone();
    }
    let mut joint = Vec::with_capacity(place.legal.len());
    for (index, moves) in place.legal.iter().enumerate() {
        if index == role.index() {
            joint.push(seen.own);
        } else {
            let count = moves.len() as u64;
            joint.push(moves[(number % count) as usize]);
            number /= count;
        }
    }
    joint
}

/// Returns the number of a joint move, or `None` if it is not legal for the others.
pub(super) fn number_of<S>(place: &Place<S>, role: RoleId, joint: &[MoveId]) -> Option<u64> {
    let (mut number, mut unit) = (0, 1u64);
    for (index, moves) in place.legal.iter().enumerate().filter(|(index, _)| *index != role.index()) {
        number += unit * moves.iter().position(|mv| *mv == joint[index])? as u64;
        unit = unit.saturating_mul(moves.len() as u64);
    }
    Some(number)
}
