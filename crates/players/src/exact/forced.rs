//! Whether a role can force a result, by depth-first search in a good order.
//!
//! Every position is settled for certain before the search leaves it, so the
//! order in which moves are tried decides how much is looked at: an evaluation
//! learned from playouts gives it. A table of fixed size remembers positions,
//! with those that cost most kept longest; positions that symmetries of the
//! rules take to each other are one. A position that comes up again on the way
//! to itself has no value here, and ends the search.

use std::hash::BuildHasher;

use game::perft::JointMoves;
use game::{Deadline, Fault, FluentId, Game, MoveId, RoleId, Symmetry};
use rustc_hash::FxHashSet;

use super::proof::{Answer, Question};
use crate::minimax::Evaluation;

/// Symmetries used, at most; more cost more than they save.
const SYMMETRIES: usize = 7;
/// Steps from the first position that are looked at.
const LONGEST: usize = 4096;
/// Positions between two looks at the clock.
const LOOK: u64 = 16;

/// A settled position and what it cost.
type Slot<S> = Option<(S, bool, u32)>;

/// A search for the answer to one question.
pub struct Forced<'g, G: Game> {
    game: &'g G,
    question: Question,
    order: Option<&'g dyn Evaluation<G>>,
    symmetries: Vec<Symmetry>,
    table: Vec<[Slot<G::State>; 2]>,
    visited: u64,
    chance: Vec<bool>,
    sums: Vec<Option<i32>>,
}

/// A position on the way: what is still to be tried, best last.
struct Frame<S> {
    key: S,
    kids: Vec<S>,
    own: bool,
    since: u64,
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
        let all = game.structure().group(1000);
        let mut symmetries: Vec<Symmetry> = all.into_iter().filter(Symmetry::keeps_roles).collect();
        if symmetries.len() > SYMMETRIES {
            symmetries.clear();
        }
        let slots = (positions / 2).clamp(16, 1 << 28).next_power_of_two() / 2;
        let mut table = Vec::new();
        table.resize_with(slots, || [None, None]);
        let chance = crate::known::chance_roles(game);
        Forced { game, question, order, symmetries, table, visited: 0, chance, sums: Vec::new() }
    }

    /// How many positions were looked into.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The sum of the goals, if it was the same wherever a match ended.
    pub fn constant_sum(&self) -> Option<i32> {
        if let [Some(sum)] = self.sums[..] { Some(sum) } else { None }
    }

    /// What is remembered of a position.
    pub fn settled(&self, state: &G::State) -> Result<Option<bool>, Fault> {
        Ok(self.find(&self.key(state)?))
    }

    /// The joint moves after which the answer is known to stay the same.
    pub fn keeping(&self, state: &G::State, answer: bool) -> Result<Vec<Vec<MoveId>>, Fault> {
        let mut found = Vec::new();
        let mut joints = JointMoves::of(self.game, state)?;
        while let Some(joint) = joints.next() {
            if self.settled(&self.game.next(state, joint)?)? == Some(answer) {
                found.push(joint.to_vec());
            }
        }
        Ok(found)
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
        let mut stack = match self.open(state)? {
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
            let key = self.key(&kid)?;
            if let Some(value) = self.find(&key) {
                result = Some(value);
                continue;
            }
            if path.contains(&key) || stack.len() > LONGEST {
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
            match self.open(&kid)? {
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
                Opened::Settled(value) => {
                    self.keep(key, value, 1);
                    result = Some(value);
                }
                Opened::Frame(frame) => {
                    path.insert(frame.key.clone());
                    stack.push(frame);
                }
            }
        }
        Ok(result.map_or(Answer::Unfit("nothing was left to look at"), settled))
    }

    /// Looks at the successors of a position: is one of them what the side that chooses wants?
    fn open(&mut self, state: &G::State) -> Result<Opened<G::State>, Fault> {
        if let Some(value) = self.end(state)? {
            return Ok(Opened::Settled(value));
        }
        let role = self.question.role;
        let mut joints = JointMoves::of(self.game, state)?;
        if joints.is_dead_end() {
            self.sum(None);
            return Ok(Opened::Settled(false));
        }
        let counts: Vec<usize> = joints.counts().collect();
        let others = |r: &usize| *r != role.index() && counts[*r] > 1;
        let opposed = (0..counts.len()).any(|r| others(&r));
        if counts[role.index()] > 1 && opposed {
            return Ok(Opened::Unfit("roles choose at the same time"));
        }
        if (0..counts.len()).filter(others).any(|r| self.chance[r]) {
            return Ok(Opened::Unfit("chance decides"));
        }
        let own = !opposed;
        let mut states = Vec::new();
        while let Some(joint) = joints.next() {
            states.push(self.game.next(state, joint)?);
        }
        let mut kids: Vec<(f64, G::State)> = Vec::with_capacity(states.len());
        for kid in states {
            match self.end(&kid)? {
                Some(value) if value == own => return Ok(Opened::Settled(own)),
                Some(_) => {}
                None => {
                    let points = match self.order {
                        None => 0.0,
                        Some(order) => order.points(self.game, &kid, role)?,
                    };
                    kids.push((if own { points } else { -points }, kid));
                }
            }
        }
        // The best is taken from the end; equal ones in canonical order.
        kids.reverse();
        kids.sort_by(|a, b| a.0.total_cmp(&b.0));
        let kids = kids.into_iter().map(|(_, kid)| kid).collect();
        Ok(Opened::Frame(Frame { key: self.key(state)?, kids, own, since: self.visited }))
    }

    /// The answer where the match is over.
    fn end(&mut self, state: &G::State) -> Result<Option<bool>, Fault> {
        if !self.game.is_terminal(state)? {
            return Ok(None);
        }
        let (mut sum, mut goal) = (Some(0), 0);
        for role in RoleId::all(self.chance.len()) {
            let value = self.game.goal(state, role)?;
            sum = sum.zip(value).map(|(sum, value)| sum + value);
            if role == self.question.role {
                goal = value.unwrap_or(0);
            }
        }
        self.sum(sum);
        Ok(Some(goal >= self.question.at_least))
    }

    fn sum(&mut self, sum: Option<i32>) {
        if self.sums.len() < 2 && !self.sums.contains(&sum) {
            self.sums.push(sum);
        }
    }

    /// The position that stands for all that are symmetric to it.
    fn key(&self, state: &G::State) -> Result<G::State, Fault> {
        if self.symmetries.is_empty() {
            return Ok(state.clone());
        }
        let mut fluents = Vec::new();
        self.game.fluents(state, &mut fluents)?;
        let mut least = fluents.clone();
        for symmetry in &self.symmetries {
            let mut image: Vec<FluentId> =
                fluents.iter().map(|fluent| symmetry.fluents[fluent.0 as usize]).collect();
            image.sort_unstable();
            if image < least {
                least = image;
            }
        }
        if least == fluents { Ok(state.clone()) } else { self.game.with_fluents(&least) }
    }

    fn place(&self, key: &G::State) -> usize {
        let hash = rustc_hash::FxBuildHasher.hash_one(key);
        (hash >> 20) as usize & (self.table.len() - 1)
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
