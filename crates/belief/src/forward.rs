//! Bringing models forward, many at a time.
//!
//! All models of all bags that lag behind try one joint move each, many of them in one batch of steps; then
//! those that still lag behind try the next. What is tried does not depend on the rest of the batch, so a bag
//! gets the same models alone and among others.
//!
//! If what was seen can only be explained by steps long ago, plain backtracking would try everything in
//! between first. A model that fails too often is therefore repaired by changing such steps
//! ([`super::repair`]). If that fails, it takes several steps back at once, more each time, and starts again
//! from there; what it takes back is not refuted. When it has returned to the beginning, it is given more
//! time, so no history is ever out of reach.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, RoleId};

use super::bag::Bag;
use super::model::Place;
use super::repair::{Mended, Sight, repair};

/// The approximate number of models of several bags that are tried at once.
const BATCH: usize = 1024;
/// The number of failures after which a model is replaced by a copy of another one of its bag that is up to
/// date.
const PATIENCE: u32 = 5_000;
/// The number of failures after which a model takes steps back for the first time.
const STUCK: u32 = 200;
/// The search is complete: if a model has nothing left to try, there is no history that agrees.
const CONTRADICTION: &str = "no history of this game agrees with what was seen";

/// Returns a state with its legal moves, from which bags can be created.
pub fn place<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    state: G::State,
) -> Result<Arc<Place<G::State>>, Fault> {
    let mut legal = vec![Vec::new(); game.roles().len()];
    for (role, moves) in RoleId::all(legal.len()).zip(&mut legal) {
        game.legal(scratch, &state, role, moves)?;
    }
    Ok(Arc::new(Place { state, legal }))
}

/// A joint move to try.
struct Trial {
    bag: usize,
    model: usize,
    joint: Vec<MoveId>,
}

/// Brings the models of these bags to the current steps of their matches, or as far as the deadline allows.
/// If `going_on` is `true`, the matches continue and a history that has ended does not agree; otherwise only
/// one that has ended does. Fails if no history agrees, because what was seen then contradicts the rules.
pub fn catch_up<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    bags: &mut [&mut Bag<G::State>],
    going_on: bool,
    deadline: &Deadline,
) -> Result<(), Fault> {
    let mut temper: Vec<Vec<Temper>> = bags.iter().map(|bag| vec![Temper::NEW; bag.models.len()]).collect();
    let mut active: Vec<(usize, usize)> = Vec::new();
    for (index, bag) in bags.iter().enumerate() {
        let lagging = bag.models.iter().enumerate().filter(|(_, model)| model.depth() < bag.seen.len());
        active.extend(lagging.map(|(model, _)| (index, model)));
    }
    let (mut trials, mut states, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    while !active.is_empty() && !deadline.is_over() {
        let mut waiting = &active[..];
        while !waiting.is_empty() && !deadline.is_over() {
            let batch;
            (batch, waiting) = waiting.split_at(batch_end(waiting));
            trials.clear();
            states.clear();
            joints.clear();
            for &(index, number) in batch {
                let bag = &mut *bags[index];
                let proposed = bag.models[number].propose(bag.role, &bag.seen, &mut bag.chance);
                let joint = proposed.ok_or_else(|| Fault::BadState(CONTRADICTION.to_string()))?;
                bag.tried += 1;
                states.push(bag.models[number].place().state.clone());
                joints.push(joint.clone());
                trials.push(Trial { bag: index, model: number, joint });
            }
            let steps = game.steps(scratch, &states, &joints)?;
            for (trial, step) in trials.drain(..).zip(steps) {
                let bag = &mut *bags[trial.bag];
                let model = &mut bag.models[trial.model];
                let sight = Sight { role: bag.role, seen: &bag.seen, going_on };
                if sight.agrees(model.depth(), &step) {
                    model.push(trial.joint, step);
                } else if let Some(back) = temper[trial.bag][trial.model].fail(model.depth()) {
                    if deadline.is_over() {
                        continue;
                    }
                    let longest = model.longest();
                    let (chance, tried) = (&mut bag.chance, &mut bag.tried);
                    match repair(game, scratch, &sight, longest, chance, tried, deadline)? {
                        Mended::Longer(longer) => *model = longer,
                        Mended::Other(other) => {
                            model.take_back(back);
                            model.mend_from(other);
                        }
                        Mended::Same => model.take_back(back),
                    }
                }
            }
        }
        active.retain(|&(index, number)| {
            let bag = &mut *bags[index];
            if bag.models[number].depth() == bag.seen.len() {
                bag.models[number].forget();
                return false;
            }
            !(temper[index][number].is_at_an_end() && copy(bag, number))
        });
    }
    Ok(())
}

/// Returns how many models, given by bag and number, are tried between two checks of the deadline. Those of a
/// bag are always tried together, because they draw from one random source.
fn batch_end(models: &[(usize, usize)]) -> usize {
    let last = models[BATCH.min(models.len()) - 1].0;
    models.partition_point(|&(bag, _)| bag <= last)
}

/// How often a model has failed, and when it reacts.
#[derive(Clone, Copy)]
struct Temper {
    failures: u32,
    /// The failures since it last took steps back, how many it tolerates, and how many steps it takes back
    /// then.
    recent: u32,
    bears: u32,
    back: usize,
}

impl Temper {
    const NEW: Temper = Temper { failures: 0, recent: 0, bears: STUCK, back: 2 };

    /// Counts a failure. Returns the number of steps to take back, if it is time to.
    fn fail(&mut self, depth: usize) -> Option<usize> {
        self.failures = self.failures.saturating_add(1);
        self.recent += 1;
        if self.recent < self.bears {
            return None;
        }
        let back = self.back;
        self.recent = 0;
        self.back *= 2;
        if back >= depth {
            self.bears = self.bears.saturating_mul(2);
            self.back = 2;
        }
        Some(back)
    }

    fn is_at_an_end(&self) -> bool {
        self.failures >= PATIENCE
    }
}

/// Replaces a model that has run out of patience by a copy of a current one, if there is one.
fn copy<S: Clone>(bag: &mut Bag<S>, number: usize) -> bool {
    let current: Vec<usize> =
        (0..bag.models.len()).filter(|&other| bag.models[other].depth() == bag.seen.len()).collect();
    if current.is_empty() {
        return false;
    }
    let chosen = current[bag.chance.below(current.len())];
    bag.models[number] = bag.models[chosen].clone();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_end_where_a_bag_does() {
        let bag = |bag: usize, size: usize| (0..size).map(move |model| (bag, model));
        let models = |sizes: &[usize]| {
            let bags = sizes.iter().enumerate();
            bags.flat_map(|(number, &size)| bag(number, size)).collect::<Vec<(usize, usize)>>()
        };
        assert_eq!(batch_end(&models(&[3, 4])), 7);
        assert_eq!(batch_end(&models(&[BATCH, 1])), BATCH);
        assert_eq!(batch_end(&models(&[BATCH - 1, 5, 6])), BATCH + 4);
        assert_eq!(batch_end(&models(&[3 * BATCH, 2])), 3 * BATCH);
    }
}
