//! Repairing a model by changing one step long ago.
//!
//! What is seen late may only be explained by what was done early: a square that is found taken must have
//! been taken at some time. A model that is stuck changes the others' moves in one of the earlier steps,
//! repeats all later steps if they are still legal and still show what was seen, and otherwise tries a few
//! others at random. Many such changes are tried side by side; the first that brings the model past the step
//! where it was stuck is taken.
//!
//! If several changes are needed, they are found one by one: a change that brings the model as far as it was,
//! and no further, is kept too, and the next ones are tried from there. This is a random walk among histories
//! that agree as far as this one does.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, Rng, RoleId, Stepped};

use super::model::{Model, Place, choices, joint, number_of};
use super::view::Seen;

/// The number of changes tried side by side.
const CHANGES: usize = 64;
/// How often that is done before giving up.
const ATTEMPTS: usize = 2;
/// The number of joint moves drawn for each change if the old ones do not agree, and in the step where the
/// model was stuck.
const TRIES: u32 = 12;

/// The result of repairing a model.
pub(super) enum Mended<S> {
    /// The model is one step longer.
    Longer(Model<S>),
    /// A different model of the same length.
    Other(Model<S>),
    /// The model is unchanged.
    Same,
}

/// A step of a changed model, with its number among the choices of its place.
pub(super) struct Kept<S> {
    pub number: u64,
    pub joint: Vec<MoveId>,
    pub step: Stepped<S>,
}

/// A change, and the steps made since.
struct Change<S> {
    from: usize,
    place: Arc<Place<S>>,
    kept: Vec<Kept<S>>,
    tries: u32,
    /// Whether the old step was tried here and did not agree.
    astray: bool,
}

/// What a role saw, and whether its match continues.
pub(super) struct Sight<'a> {
    pub role: RoleId,
    pub seen: &'a [Seen],
    pub going_on: bool,
}

impl Sight<'_> {
    /// Returns `true` if a step from this depth agrees with what was seen.
    pub fn agrees<S>(&self, depth: usize, step: &Stepped<S>) -> bool {
        let seen = &self.seen[depth];
        let last = depth + 1 == self.seen.len();
        let shown = seen.joint.is_some() || seen.agrees(&step.percepts[self.role.index()]);
        shown && step.terminal == (last && !self.going_on)
    }
}

/// Searches for a model that differs from `stuck` in a few steps and is one step longer.
pub(super) fn repair<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    sight: &Sight<'_>,
    stuck: &Model<G::State>,
    chance: &mut Rng,
    tried: &mut u64,
    deadline: &Deadline,
) -> Result<Mended<G::State>, Fault> {
    let depth = stuck.depth();
    let mut other: Option<Model<G::State>> = None;
    for _ in 0..ATTEMPTS {
        let stuck = other.as_ref().unwrap_or(stuck);
        // Only steps in which the others had a choice can be changed.
        let is_open = |at: &usize| choices(stuck.place_at(*at), sight.role, &sight.seen[*at]) > 1;
        let open: Vec<usize> = (0..depth).filter(is_open).collect();
        if open.is_empty() {
            break;
        }
        let mut as_far: Option<Change<G::State>> = None;
        let begin = |_| {
            let from = open[chance.below(open.len())];
            Change {
                from,
                place: Arc::clone(stuck.place_at(from)),
                kept: Vec::new(),
                tries: TRIES,
                astray: false,
            }
        };
        let mut changes: Vec<Change<G::State>> = (0..CHANGES).map(begin).collect();
        while !changes.is_empty() {
            if deadline.is_over() {
                return Ok(Mended::Same);
            }
            let numbers: Vec<Option<u64>> =
                changes.iter().map(|change| change.next(sight, stuck, chance)).collect();
            let mut alive = numbers.iter();
            changes.retain(|_| alive.next().is_some_and(Option::is_some));
            let numbers: Vec<u64> = numbers.into_iter().flatten().collect();
            let make = |(change, &number): (&Change<G::State>, &u64)| {
                joint(&change.place, sight.role, &sight.seen[change.depth()], number)
            };
            let joints: Vec<Vec<MoveId>> = changes.iter().zip(&numbers).map(make).collect();
            let states: Vec<G::State> = changes.iter().map(|change| change.place.state.clone()).collect();
            *tried += joints.len() as u64;
            let steps = game.steps(scratch, &states, &joints)?;
            let mut going = Vec::new();
            for (((mut change, number), joint), step) in
                changes.into_iter().zip(numbers).zip(joints).zip(steps)
            {
                if sight.agrees(change.depth(), &step) {
                    change.place = Arc::new(Place { state: step.state.clone(), legal: step.legal.clone() });
                    change.kept.push(Kept { number, joint, step });
                    change.astray = false;
                    if change.depth() > depth {
                        return Ok(Mended::Longer(stuck.changed(change.from, change.kept, sight)));
                    }
                    going.push(change);
                } else if change.depth() > change.from && change.tries > 1 {
                    change.tries -= 1;
                    change.astray = true;
                    going.push(change);
                } else if change.depth() == depth {
                    as_far = Some(change);
                }
            }
            changes = going;
        }
        let changed = as_far.map(|change| stuck.changed(change.from, change.kept, sight));
        other = changed.or(other);
    }
    Ok(other.map_or(Mended::Same, Mended::Other))
}

impl<S: Clone> Change<S> {
    fn depth(&self) -> usize {
        self.from + self.kept.len()
    }

    /// Returns the number of the joint move to make: a different one at first, a random one at last, and in
    /// between the old one if it is legal.
    fn next(&self, sight: &Sight<'_>, stuck: &Model<S>, chance: &mut Rng) -> Option<u64> {
        let depth = self.depth();
        let total = choices(&self.place, sight.role, &sight.seen[depth]);
        let any =
            |chance: &mut Rng, below: u64| chance.below(usize::try_from(below).unwrap_or(usize::MAX)) as u64;
        if depth == stuck.depth() || self.astray {
            return (total > 0).then(|| any(chance, total));
        }
        let old = stuck.joint_at(depth)?;
        let number = number_of(&self.place, sight.role, old);
        if depth > self.from {
            return (total > 0).then(|| number.unwrap_or_else(|| any(chance, total)));
        }
        let other = any(chance, total.checked_sub(1).filter(|&others| others > 0)?);
        Some(other + u64::from(other >= number?))
    }
}
