//! Whether a role can force a result, by depth-first search in a good order.
//!
//! Every position is settled before the search leaves it, so the order of moves determines how much is
//! visited. At first it is given by an evaluation learned from playouts, and increasingly by the positions
//! settled so far ([`Judge`]). A transposition table of fixed size stores positions by their keys, eight
//! bytes each, and keeps those that cost most the longest. Positions that symmetries of the rules map to each
//! other share a key. A position is settled at once if the table contains a successor that settles it. A
//! position that repeats on the path has no value here, and aborts the search.

use game::{Deadline, Fault, FluentId, Game, Goal, MoveId, numbered};
use rustc_hash::FxHashSet;

use super::judge::Judge;
use super::key::{Key, Keys};
use super::question::{Answer, Asked, Choice, Question};
use super::table::Table;
use crate::minimax::Evaluation;

/// The maximum number of steps from the first position.
const LONGEST: usize = 4096;
/// The number of positions between two checks of the deadline.
const LOOK: u64 = 16;
/// The number of settled positions from which they determine half of the order.
const TRUST: f32 = 2000.0;
/// The number of points of an evaluation that count as much as one unit of what was learned.
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
    /// The path from the first position to the current one, and the keys on it.
    stack: Vec<Frame<G::State>>,
    path: FxHashSet<Key>,
}

/// A position on the path, with the successors still to be tried, the best last.
struct Frame<S> {
    of: Kid<S>,
    kids: Vec<Kid<S>>,
    own: bool,
    /// Whether the asking role chose this position.
    chosen: bool,
    since: u64,
}

/// A successor and its key.
struct Kid<S> {
    state: S,
    key: Key,
    points: f32,
}

/// The result of opening a position.
enum Opened<S> {
    Settled(bool),
    Frame(Frame<S>),
    Unfit(&'static str),
}

impl<'g, G: Game> Forced<'g, G> {
    /// Creates a search whose table holds at most this many positions.
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

    /// Returns the number of visited positions.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Returns the sum of the goals, if it was the same at every end that was visited.
    pub fn constant_sum(&self) -> Option<Goal> {
        self.asked.constant_sum()
    }

    /// Returns the goals of the role at the ends that were visited, in order.
    pub fn goals(&self) -> &[Goal] {
        &self.asked.goals
    }

    /// Returns the stored answer for a position.
    pub fn settled(&self, state: &G::State) -> Result<Option<bool>, Fault> {
        Ok(self.find(self.keys.clone().of(self.asked.game, state)?))
    }

    /// Returns the joint moves after which the answer is known to stay the same.
    pub fn keeping(
        &self,
        scratch: &mut G::Scratch,
        state: &G::State,
        answer: bool,
    ) -> Result<Vec<Vec<MoveId>>, Fault> {
        let (mut keys, game) = (self.keys.clone(), self.asked.game);
        self.asked.keeping(scratch, state, answer, |next| Ok(self.find(keys.of(game, next)?)))
    }

    /// Searches until the question is answered, the deadline passes, or `most` more positions were visited.
    /// Called again with the same position, it continues where it stopped.
    pub fn answer(
        &mut self,
        scratch: &mut G::Scratch,
        state: &G::State,
        deadline: &Deadline,
        most: u64,
        mut watch: impl FnMut(u64),
    ) -> Result<Answer, Fault> {
        let most = self.visited.saturating_add(most);
        let settled = |value: bool| if value { Answer::Yes } else { Answer::No };
        if self.stack.first().is_none_or(|frame| frame.of.state != *state) {
            match self.begin(scratch, state)? {
                Opened::Settled(value) => return Ok(settled(value)),
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
                Opened::Frame(frame) => self.stack.push(frame),
            }
        }
        // The answer for the position that was left last.
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
                return Ok(Answer::Unfit("positions repeat or matches are too long"));
            }
            self.visited += 1;
            let key = kid.key;
            match self.open(scratch, kid, chosen)? {
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
        Ok(result.map_or(Answer::Unfit("nothing was left to search"), settled))
    }

    /// Opens the first position.
    fn begin(&mut self, scratch: &mut G::Scratch, state: &G::State) -> Result<Opened<G::State>, Fault> {
        self.stack.clear();
        self.path.clear();
        if let Some(value) = self.asked.end(scratch, state)? {
            return Ok(Opened::Settled(value));
        }
        let key = self.keys.of(self.asked.game, state)?;
        self.path.insert(key);
        self.open(scratch, Kid { state: state.clone(), key, points: 0.0 }, true)
    }

    /// Opens a position that is not terminal, and settles it if one of its successors is what the choosing
    /// side wants.
    fn open(
        &mut self,
        scratch: &mut G::Scratch,
        of: Kid<G::State>,
        chosen: bool,
    ) -> Result<Opened<G::State>, Fault> {
        let (mut joints, own) = match self.asked.choice(scratch, &of.state)? {
            Choice::DeadEnd => return Ok(Opened::Settled(false)),
            Choice::Unfit(why) => return Ok(Opened::Unfit(why)),
            Choice::Open(joints, own) => (joints, own),
        };
        let mut going = Vec::with_capacity(joints.counts().product());
        while let Some(joint) = joints.next() {
            let state = self.asked.game.next(scratch, &of.state, joint)?;
            match self.asked.end(scratch, &state)? {
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
                let (game, role) = (self.asked.game, self.asked.question.role);
                let points = order.points(game, scratch, &kid.state, role)?;
                kid.points += (1.0 - trust) * (points as f32 - 50.0) / POINTS;
            }
        }
        // The best is taken from the end, and equal ones in canonical order.
        kids.reverse();
        let sign = if own { 1.0 } else { -1.0 };
        kids.sort_by(|a, b| (sign * a.points).total_cmp(&(sign * b.points)));
        Ok(Opened::Frame(Frame { of, kids, own, chosen, since: self.visited }))
    }

    fn find(&self, key: Key) -> Option<bool> {
        self.table.get(key).map(is_yes)
    }

    /// Stores an answer, together with the logarithm of its cost.
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

/// Returns the answer stored in a byte of the table.
fn is_yes(byte: u8) -> bool {
    byte & 1 == 1
}
