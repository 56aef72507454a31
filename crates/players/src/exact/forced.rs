//! Whether a role can force a result, by depth-first search in a good order.
//!
//! Every position is settled for certain before the search leaves it, so the
//! order in which moves are tried decides how much is looked at: an evaluation
//! learned from playouts gives it at first, and more and more what the positions
//! settled so far say ([`Judge`]). A table of fixed size remembers positions by
//! their numbers, eight bytes each, with those that cost most kept longest;
//! positions that symmetries of the rules take to each other are one, and a
//! position is settled at once where the table knows a successor that settles
//! it. A position that comes up again on the way to itself has no value here,
//! and ends the search.

use game::{Deadline, Fault, FluentId, Game, Goal, MoveId, numbered};
use rustc_hash::FxHashSet;

use super::judge::Judge;
use super::key::{Key, Keys};
use super::question::{Answer, Asked, Choice, Question};
use super::table::Table;
use crate::minimax::Evaluation;

/// Steps from the first position that are looked at.
const LONGEST: usize = 4096;
/// Positions between two looks at the clock.
const LOOK: u64 = 16;
/// Positions that must be settled for half of the order to come from them.
const TRUST: f32 = 2000.0;
/// Points of an evaluation that count as much as one unit of what was learned.
const POINTS: f32 = 10.0;

/// A search for the answer to one question.
pub struct Forced<'g, G: Game> {
    asked: Asked<'g, G>,
    order: Option<&'g dyn Evaluation<G>>,
    keys: Keys,
    table: Table,
    judge: Judge,
    settled: u64,
    visited: u64,
    fluents: Vec<FluentId>,
    /// The way from the first position to where the search is, and the numbers on it.
    stack: Vec<Frame<G::State>>,
    path: FxHashSet<Key>,
}

/// A position on the way: what is still to be tried, best last.
struct Frame<S> {
    of: Kid<S>,
    kids: Vec<Kid<S>>,
    own: bool,
    /// Whether the role that asks chose this position.
    chosen: bool,
    since: u64,
}

/// A position that follows, and its number.
struct Kid<S> {
    state: S,
    key: Key,
    points: f32,
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
        Forced {
            asked: Asked::new(game, question),
            order,
            keys: Keys::new(game, &game::structure(game), &[]),
            table: Table::new(positions),
            judge: Judge::new(game::fluent_count(game)),
            settled: 0,
            visited: 0,
            fluents: Vec::new(),
            stack: Vec::new(),
            path: FxHashSet::default(),
        }
    }

    /// How many positions were looked into.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The sum of the goals, if it was the same wherever a match ended.
    pub fn constant_sum(&self) -> Option<Goal> {
        self.asked.constant_sum()
    }

    /// The goals of the role met at the end of matches, in order.
    pub fn goals(&self) -> &[Goal] {
        &self.asked.goals
    }

    /// What is remembered of a position.
    pub fn settled(&self, state: &G::State) -> Result<Option<bool>, Fault> {
        Ok(self.find(self.keys.clone().of(self.asked.game, state)?))
    }

    /// The joint moves after which the answer is known to stay the same.
    pub fn keeping(&self, state: &G::State, answer: bool) -> Result<Vec<Vec<MoveId>>, Fault> {
        let (mut keys, game) = (self.keys.clone(), self.asked.game);
        self.asked.keeping(state, answer, |next| Ok(self.find(keys.of(game, next)?)))
    }

    /// Searches until the question is answered, the time is over, or `most`
    /// positions were looked into. Asked again about the same position, it goes on
    /// where it was.
    pub fn answer(
        &mut self,
        state: &G::State,
        deadline: &Deadline,
        most: u64,
        mut watch: impl FnMut(u64),
    ) -> Result<Answer, Fault> {
        let most = self.visited.saturating_add(most);
        let settled = |value: bool| if value { Answer::Yes } else { Answer::No };
        if self.stack.first().is_none_or(|frame| frame.of.state != *state) {
            match self.begin(state)? {
                Opened::Settled(value) => return Ok(settled(value)),
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
                Opened::Frame(frame) => self.stack.push(frame),
            }
        }
        // What the position left last came to.
        let mut result: Option<bool> = None;
        while let Some(frame) = self.stack.last_mut() {
            let done = match result {
                // The side that chooses has what it wants.
                Some(value) if value == frame.own => Some(value),
                _ if frame.kids.is_empty() => Some(!frame.own),
                _ => None,
            };
            if let Some(value) = done {
                let frame = self.stack.pop().expect("the frame was just looked at");
                self.path.remove(&frame.of.key);
                self.keep(frame.of.key, value, self.visited - frame.since);
                self.learn(&frame.of.state, frame.chosen, value)?;
                result = Some(value);
                continue;
            }
            if self.visited >= most {
                return Ok(Answer::OutOfTurn);
            }
            if self.visited.is_multiple_of(LOOK) {
                watch(self.visited);
                if deadline.is_over() {
                    return Ok(Answer::OutOfTime);
                }
            }
            let (kid, chosen) = (frame.kids.pop().expect("there is something to try"), frame.own);
            result = self.table.get(kid.key).map(is_yes);
            if result.is_some() {
                continue;
            }
            if self.path.contains(&kid.key) || self.stack.len() > LONGEST {
                return Ok(Answer::Unfit("positions repeat or its matches are too long"));
            }
            self.visited += 1;
            let key = kid.key;
            match self.open(kid, chosen)? {
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
                Opened::Settled(value) => {
                    self.keep(key, value, 1);
                    result = Some(value);
                }
                Opened::Frame(frame) => {
                    self.path.insert(key);
                    self.stack.push(frame);
                }
            }
        }
        Ok(result.map_or(Answer::Unfit("nothing was left to look at"), settled))
    }

    /// The first position.
    fn begin(&mut self, state: &G::State) -> Result<Opened<G::State>, Fault> {
        self.stack.clear();
        self.path.clear();
        if let Some(value) = self.asked.end(state)? {
            return Ok(Opened::Settled(value));
        }
        let key = self.keys.of(self.asked.game, state)?;
        self.path.insert(key);
        self.open(Kid { state: state.clone(), key, points: 0.0 }, true)
    }

    /// Looks at the successors of a position that is no end: is one of them what the side that chooses wants?
    fn open(&mut self, of: Kid<G::State>, chosen: bool) -> Result<Opened<G::State>, Fault> {
        let (mut joints, own) = match self.asked.choice(&of.state)? {
            Choice::DeadEnd => return Ok(Opened::Settled(false)),
            Choice::Unfit(why) => return Ok(Opened::Unfit(why)),
            Choice::Open(joints, own) => (joints, own),
        };
        let mut going = Vec::with_capacity(joints.counts().product());
        while let Some(joint) = joints.next() {
            let state = self.asked.game.next(&of.state, joint)?;
            match self.asked.end(&state)? {
                Some(value) if value == own => return Ok(Opened::Settled(own)),
                Some(_) => {}
                None => going.push(state),
            }
        }
        let trust = self.settled as f32 / (self.settled as f32 + TRUST);
        let mut kids = Vec::with_capacity(going.len());
        for state in going {
            let key = self.keys.of(self.asked.game, &state)?;
            match self.find(key) {
                Some(value) if value == own => return Ok(Opened::Settled(own)),
                Some(_) => {}
                None => {
                    let learned = self.judge.guess(self.keys.fluents(), own);
                    kids.push(Kid { state, key, points: trust * learned });
                }
            }
        }
        if let Some(order) = self.order.filter(|_| kids.len() > 1 && trust < 0.99) {
            for kid in &mut kids {
                let points = order.points(self.asked.game, &kid.state, self.asked.question.role)?;
                kid.points += (1.0 - trust) * (points as f32 - 50.0) / POINTS;
            }
        }
        // The best is taken from the end; equal ones in canonical order.
        kids.reverse();
        let sign = if own { 1.0 } else { -1.0 };
        kids.sort_by(|a, b| (sign * a.points).total_cmp(&(sign * b.points)));
        Ok(Opened::Frame(Frame { of, kids, own, chosen, since: self.visited }))
    }

    fn find(&self, key: Key) -> Option<bool> {
        self.table.get(key).map(is_yes)
    }

    /// Remembers an answer with the length of what it cost as a number.
    fn keep(&mut self, key: Key, value: bool, work: u64) {
        let byte = ((work.max(1).ilog2() as u8 + 1) << 1) | u8::from(value);
        self.table.put(key, byte, |byte| byte >> 1);
    }

    fn learn(&mut self, state: &G::State, chosen: bool, value: bool) -> Result<(), Fault> {
        if game::fluent_count(self.asked.game) > 0 {
            numbered(self.asked.game)?.fluents(state, &mut self.fluents)?;
            self.judge.learn(&self.fluents, chosen, value);
            self.settled += 1;
        }
        Ok(())
    }
}

/// The answer that a byte of the table holds.
fn is_yes(byte: u8) -> bool {
    byte & 1 == 1
}
