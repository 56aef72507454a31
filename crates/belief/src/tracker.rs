//! Exact information sets.
//!
//! A [`Tracker`] keeps every history that agrees with what a role saw, with the probability that chance, and
//! others who move at random, bring it about. It is the reference that samples are compared with, and suits
//! games in which these histories are few; it fails if they become too many.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, RoleId};

use super::forward::place;
use super::model::Place;
use super::view::Seen;

/// The number of steps computed at a time.
const BATCH: usize = 1024;

/// A history that agrees.
#[derive(Debug, Clone)]
pub struct History<S> {
    /// Its joint moves, one after the other.
    pub path: Vec<MoveId>,
    /// Its last state, with the legal moves.
    pub place: Arc<Place<S>>,
    /// The probability that the others move so, given the own moves.
    pub reach: f64,
    /// The number of equally likely ways in which they could have moved.
    pub choices: f64,
}

/// All histories that agree with what a role saw.
pub struct Tracker<G: Game> {
    game: Arc<G>,
    scratch: G::Scratch,
    role: RoleId,
    histories: Vec<History<G::State>>,
    limit: usize,
}

impl<G: Game> Tracker<G> {
    /// Begins a match, with at most `limit` histories.
    pub fn new(game: &Arc<G>, role: RoleId, limit: usize) -> Result<Tracker<G>, Fault> {
        let mut scratch = game.scratch();
        let place = place(&**game, &mut scratch, game.initial())?;
        let histories = vec![History { path: Vec::new(), place, reach: 1.0, choices: 1.0 }];
        Ok(Tracker { game: Arc::clone(game), scratch, role, histories, limit })
    }

    /// Advances by a step that ended the match, or did not if `going_on` is `true`. If there are too many
    /// histories, the tracker stays unchanged and the result is a [`Fault::Budget`].
    pub fn update(&mut self, seen: &Seen, going_on: bool, deadline: &Deadline) -> Result<(), Fault> {
        let Tracker { game, scratch, role, histories, limit } = self;
        let mut step = Step {
            game: &**game,
            scratch,
            role: *role,
            limit: *limit,
            seen,
            going_on,
            owners: Vec::new(),
            states: Vec::new(),
            joints: Vec::new(),
            next: Vec::new(),
        };
        for (index, history) in histories.iter().enumerate() {
            let mut legal = history.place.legal.clone();
            if !legal[role.index()].contains(&seen.own) || legal.iter().any(Vec::is_empty) {
                continue;
            }
            legal[role.index()] = vec![seen.own];
            game::for_each_joint(&legal, |joint| {
                if seen.joint.as_ref().is_none_or(|shown| shown == joint) {
                    step.owners.push(index);
                    step.states.push(history.place.state.clone());
                    step.joints.push(joint.to_vec());
                    if step.joints.len() == BATCH {
                        step.make(histories)?;
                    }
                }
                if deadline.is_over() {
                    return Err(Fault::Stopped);
                }
                Ok::<bool, Fault>(true)
            })?;
        }
        step.make(histories)?;
        self.histories = step.next;
        Ok(())
    }

    /// Returns the histories, in the order of their moves.
    pub fn histories(&self) -> &[History<G::State>] {
        &self.histories
    }

    /// Returns the probability of each history after what was seen. They add up to one.
    pub fn probabilities(&self) -> Vec<f64> {
        let sum: f64 = self.histories.iter().map(|history| history.reach).sum();
        self.histories.iter().map(|history| history.reach / sum).collect()
    }
}

/// A step of all histories, a batch at a time.
struct Step<'a, G: Game> {
    game: &'a G,
    scratch: &'a mut G::Scratch,
    role: RoleId,
    limit: usize,
    seen: &'a Seen,
    going_on: bool,
    /// The batch: numbers of histories, their last states, and joint moves from there.
    owners: Vec<usize>,
    states: Vec<G::State>,
    joints: Vec<Vec<MoveId>>,
    /// The histories that agree.
    next: Vec<History<G::State>>,
}

impl<G: Game> Step<'_, G> {
    /// Makes the steps of the batch, and keeps those that agree.
    fn make(&mut self, histories: &[History<G::State>]) -> Result<(), Fault> {
        let steps = self.game.steps(self.scratch, &self.states, &self.joints)?;
        self.states.clear();
        for ((owner, joint), step) in self.owners.drain(..).zip(self.joints.drain(..)).zip(steps) {
            let shown = self.seen.joint.is_some() || self.seen.agrees(&step.percepts[self.role.index()]);
            if !shown || step.terminal == self.going_on {
                continue;
            }
            if self.next.len() == self.limit {
                let text = format!("more than {} histories agree with what was seen", self.limit);
                return Err(Fault::Budget(text));
            }
            let before = &histories[owner];
            let legal = before.place.legal.iter().enumerate();
            let ways: f64 = legal
                .filter(|(index, _)| *index != self.role.index())
                .map(|(_, moves)| moves.len() as f64)
                .product();
            let mut path = before.path.clone();
            path.extend_from_slice(&joint);
            let place = Arc::new(Place { state: step.state, legal: step.legal });
            let (reach, choices) = (before.reach / ways, before.choices * ways);
            self.next.push(History { path, place, reach, choices });
        }
        Ok(())
    }
}
