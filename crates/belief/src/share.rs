//! The fraction of possible moves that agree with what was seen.
//!
//! A model that is brought forward step by step takes any of the joint moves that agree, so it is created
//! with a probability that is the product of the inverses of their numbers, as long as no step is taken back.
//! Its weight is its probability divided by the probability of its creation: the product of the fractions of
//! joint moves that agree. The published weights, which are only its probability, assume that all models are
//! created equally often. That is true if few histories agree and most attempts fail. If most attempts
//! succeed, models are already created as often as they are likely, and such weights let one of them decide
//! alone.

use game::{Deadline, Fault, Game, Rng};

use super::bag::Bag;
use super::model::{choices, joint};
use super::repair::Sight;
use super::untried::Untried;

/// The maximum number of joint moves that are examined in one place; if there are more, some are drawn.
const LOOKED_AT: u64 = 64;
/// The number of steps computed at a time.
const BATCH: usize = 1024;

/// Computes the fractions for all models that are up to date.
pub(super) fn find_shares<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    bag: &mut Bag<G::State>,
    deadline: &Deadline,
) -> Result<(), Fault> {
    let (role, depth) = (bag.role, bag.seen.len());
    let (mut owners, mut states, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    let mut chance: Rng = bag.chance.clone();
    for (number, model) in bag.models.iter().enumerate().filter(|(_, model)| model.depth() == depth) {
        for at in model.without_share() {
            let (place, seen) = (model.place_at(at), &bag.seen[at]);
            let mut order = Untried::new(choices(place, role, seen));
            let looked_at = order.total().min(LOOKED_AT);
            for _ in 0..looked_at {
                let Some(drawn) = order.draw(&mut chance) else { break };
                owners.push((number, at, looked_at as f64));
                states.push(place.state.clone());
                joints.push(joint(place, role, seen, drawn));
            }
        }
    }
    bag.chance = chance;
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    let batches = owners.chunks(BATCH).zip(states.chunks(BATCH)).zip(joints.chunks(BATCH));
    for ((owners, states), joints) in batches {
        if deadline.is_over() {
            return Ok(());
        }
        bag.tried += joints.len() as u64;
        let sight = Sight { role, seen: &bag.seen, going_on: true };
        for ((number, at, of), step) in owners.iter().zip(game.steps(scratch, states, joints)?) {
            let part = if sight.agrees(*at, &step) { 1.0 / of } else { 0.0 };
            match found.last_mut() {
                Some(last) if (last.0, last.1) == (*number, *at) => last.2 += part,
                _ => found.push((*number, *at, part)),
            }
        }
    }
    for (number, at, share) in found {
        bag.models[number].set_share(at, share);
    }
    Ok(())
}
