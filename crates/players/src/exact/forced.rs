//! Whether a role can force a result, by depth-first search in a good order.
//!
//! Every position is settled for certain before the search leaves it, so the
//! order in which moves are tried decides how much is looked at: an evaluation
//! learned from playouts gives it. A table of fixed size remembers positions,
//! with those that cost most kept longest; positions that symmetries of the
//! rules take to each other are one, and a position is settled at once where
//! the table knows a successor that settles it. A position that comes up again
//! on the way to itself has no value here, and ends the search.

use std::hash::BuildHasher;

use game::{Deadline, Fault, Game, Goal, MoveId};
use rustc_hash::FxHashSet;

use super::Alike;
use super::question::{After, Answer, Asked, Question};
use crate::minimax::Evaluation;

/// Steps from the first position that are looked at.
const LONGEST: usize = 4096;
/// Positions between two looks at the clock.
const LOOK: u64 = 16;

/// A settled position and what it cost.
type Slot<S> = Option<(S, bool, u32)>;

/// A search for the answer to one question.
pub struct Forced<'g, G: Game> {
    asked: Asked<'g, G>,
    order: Option<&'g dyn Evaluation<G>>,
    alike: Option<Alike>,
    table: Vec<[Slot<G::State>; 2]>,
    visited: u64,
}

/// A position on the way: what is still to be tried, best last.
struct Frame<S> {
    key: S,
    kids: Vec<Kid<S>>,
    own: bool,
    since: u64,
}

/// A position that follows, and what stands for it.
struct Kid<S> {
    state: S,
    key: S,
}

/// What opening a position shows.
enum Opened<S> {
    Settled(bool),
    Frame(Frame<S>),
    Unfit(&'static str),
}

impl<'g, G: Game> Forced<'g, G> {
    /// A search that remembers at most this many positions.
    pub fn new(
        game: &'g G,
        question: Question,
        positions: usize,
        order: Option<&'g dyn Evaluation<G>>,
    ) -> Forced<'g, G> {
        let mut table = Vec::new();
        table.resize_with((positions / 2).clamp(16, 1 << 28), || [None, None]);
        let alike = Alike::of(&game.structure());
        Forced { asked: Asked::new(game, question), order, alike, table, visited: 0 }
    }

    /// How many positions were looked into.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The sum of the goals, if it was the same wherever a match ended.
    pub fn constant_sum(&self) -> Option<Goal> {
        self.asked.constant_sum()
    }

    /// What is remembered of a position.
    pub fn settled(&self, state: &G::State) -> Result<Option<bool>, Fault> {
        Ok(self.find(&self.key(state)?))
    }

    /// The joint moves after which the answer is known to stay the same.
    pub fn keeping(&self, state: &G::State, answer: bool) -> Result<Vec<Vec<MoveId>>, Fault> {
        self.asked.keeping(state, answer, |next| self.settled(next))
    }

    /// Searches until the question is answered, the time is over, or `most`
    /// positions were looked into. Asked again, it finds its way back by what it
    /// remembers.
    pub fn answer(
        &mut self,
        state: &G::State,
        deadline: &Deadline,
        most: u64,
        mut watch: impl FnMut(u64),
    ) -> Result<Answer, Fault> {
        let most = self.visited.saturating_add(most);
        let settled = |value: bool| if value { Answer::Yes } else { Answer::No };
        let mut path: FxHashSet<G::State> = FxHashSet::default();
        if let Some(value) = self.asked.end(state)? {
            return Ok(settled(value));
        }
        let first = Kid { state: state.clone(), key: self.key(state)? };
        let mut stack = match self.open(first)? {
            Opened::Settled(value) => return Ok(settled(value)),
            Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
            Opened::Frame(frame) => vec![frame],
        };
        path.insert(stack[0].key.clone());
        // What the position left last came to.
        let mut result: Option<bool> = None;
        while let Some(frame) = stack.last_mut() {
            let done = match result.take() {
                // The side that chooses has what it wants.
                Some(value) if value == frame.own => Some(value),
                _ if frame.kids.is_empty() => Some(!frame.own),
                _ => None,
            };
            if let Some(value) = done {
                let work = u32::try_from(self.visited - frame.since).unwrap_or(u32::MAX);
                let frame = stack.pop().expect("the frame was just looked at");
                path.remove(&frame.key);
                self.keep(frame.key, value, work);
                result = Some(value);
                continue;
            }
            let Some(kid) = frame.kids.pop() else { continue };
            if let Some(value) = self.find(&kid.key) {
                result = Some(value);
                continue;
            }
            if path.contains(&kid.key) || stack.len() > LONGEST {
                return Ok(Answer::Unfit("positions repeat or its matches are too long"));
            }
            self.visited += 1;
            if self.visited >= most {
                return Ok(Answer::OutOfTurn);
            }
            if self.visited.is_multiple_of(LOOK) {
                watch(self.visited);
                if deadline.is_over() {
                    return Ok(Answer::OutOfTime);
                }
            }
            let key = kid.key.clone();
            match self.open(kid)? {
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
                Opened::Settled(value) => {
                    self.keep(key, value, 1);
                    result = Some(value);
                }
                Opened::Frame(frame) => {
                    path.insert(key);
                    stack.push(frame);
                }
            }
        }
        Ok(result.map_or(Answer::Unfit("nothing was left to look at"), settled))
    }

    /// Looks at the successors of a position that is no end: is one of them what the side that chooses wants?
    fn open(&mut self, of: Kid<G::State>) -> Result<Opened<G::State>, Fault> {
        let (states, own) = match self.asked.after(&of.state)? {
            After::DeadEnd => return Ok(Opened::Settled(false)),
            After::Unfit(why) => return Ok(Opened::Unfit(why)),
            After::Kids(states, own) => (states, own),
        };
        let mut going = Vec::with_capacity(states.len());
        for state in states {
            match self.asked.end(&state)? {
                Some(value) if value == own => return Ok(Opened::Settled(own)),
                Some(_) => {}
                None => going.push(state),
            }
        }
        let mut open = Vec::with_capacity(going.len());
        for state in going {
            let key = self.key(&state)?;
            match self.find(&key) {
                Some(value) if value == own => return Ok(Opened::Settled(own)),
                Some(_) => {}
                None => open.push(Kid { state, key }),
            }
        }
        let mut kids: Vec<(f64, Kid<G::State>)> = Vec::with_capacity(open.len());
        for kid in open {
            let points = match self.order {
                None => 0.0,
                Some(order) => order.points(self.asked.game, &kid.state, self.asked.question.role)?,
            };
            kids.push((if own { points } else { -points }, kid));
        }
        // The best is taken from the end; equal ones in canonical order.
        kids.reverse();
        kids.sort_by(|a, b| a.0.total_cmp(&b.0));
        let kids = kids.into_iter().map(|(_, kid)| kid).collect();
        Ok(Opened::Frame(Frame { key: of.key, kids, own, since: self.visited }))
    }

    /// The position that stands for all that are symmetric to it.
    fn key(&self, state: &G::State) -> Result<G::State, Fault> {
        match &self.alike {
            None => Ok(state.clone()),
            Some(alike) => alike.key(self.asked.game, state),
        }
    }

    fn place(&self, key: &G::State) -> usize {
        let hash = rustc_hash::FxBuildHasher.hash_one(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    fn find(&self, key: &G::State) -> Option<bool> {
        let slots = self.table[self.place(key)].iter().flatten();
        slots.into_iter().find(|(known, ..)| known == key).map(|(_, value, _)| *value)
    }

    /// The first of two slots keeps what cost more, the second what came last.
    fn keep(&mut self, key: G::State, value: bool, work: u32) {
        let place = self.place(&key);
        let [costly, last] = &mut self.table[place];
        if costly.as_ref().is_none_or(|(_, _, old)| work >= *old) {
            *last = costly.replace((key, value, work));
        } else {
            *last = Some((key, value, work));
        }
    }
}
