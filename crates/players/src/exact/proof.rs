//! Whether a role can force a result, proven by proof-number search.
//!
//! The search is depth-first with a transposition table (df-pn, Nagai 2002). The proof and disproof numbers
//! of a position estimate how many others must still be settled to prove or disprove it; the search follows
//! the least. If several successors must all be settled, the largest number counts, plus one for each other
//! (weak proof numbers, Ueda and others 2008), because positions reached in many ways would be counted
//! repeatedly. A position is only ever settled by a terminal state or by settled successors, so repeated
//! positions cannot make an answer wrong; they can only prevent the search from finding one.

use game::perft::JointMoves;
use game::{Deadline, Fault, Game, Goal, MoveId};
use rustc_hash::FxHashMap;

use super::Alike;
use super::question::{After, Answer, Asked, Question};

/// The number of a position that is settled the other way (infinity).
const NEVER: u32 = 1 << 30;
/// The maximum number of steps from the first position.
const LONGEST: usize = 4096;
/// The number of positions between two checks of the deadline.
const LOOK: u64 = 16;

/// The proof number, the disproof number, and the number of positions visited below a position.
#[derive(Debug, Clone, Copy)]
struct Entry {
    prove: u32,
    refute: u32,
    work: u32,
}

impl Entry {
    const YES: Entry = Entry { prove: 0, refute: NEVER, work: 0 };
    const NO: Entry = Entry { prove: NEVER, refute: 0, work: 0 };

    fn is_settled(self) -> bool {
        self.prove == 0 || self.refute == 0
    }
}

/// A search for the answer to one question.
pub struct Proof<'g, G: Game> {
    asked: Asked<'g, G>,
    alike: Option<Alike>,
    /// The entries of representative positions.
    table: FxHashMap<G::State, Entry>,
    limit: usize,
    visited: u64,
}

/// A position being searched.
struct Frame<S> {
    state: S,
    kids: Vec<S>,
    /// Whether the asking role chooses here.
    own: bool,
    prove: u32,
    refute: u32,
    work: u32,
}

/// The result of opening a position.
enum Opened<S> {
    Frame(Frame<S>),
    Unfit(&'static str),
}

impl<'g, G: Game> Proof<'g, G> {
    /// Creates a search whose table holds at most this many positions.
    pub fn new(game: &'g G, question: Question, limit: usize) -> Proof<'g, G> {
        let alike = Alike::of(&game::structure(game)).filter(|alike| alike.keeps_initial(game));
        Proof { asked: Asked::new(game, question), alike, table: FxHashMap::default(), limit, visited: 0 }
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

    /// Returns the answer for a position, if it is settled.
    pub fn settled(&self, state: &G::State) -> Result<Option<bool>, Fault> {
        Ok(self.known(&self.key(state)?))
    }

    fn known(&self, key: &G::State) -> Option<bool> {
        self.table.get(key).filter(|entry| entry.is_settled()).map(|entry| entry.prove == 0)
    }

    /// Returns the representative of a position under symmetries.
    fn key(&self, state: &G::State) -> Result<G::State, Fault> {
        match &self.alike {
            None => Ok(state.clone()),
            Some(alike) => alike.key(self.asked.game, state),
        }
    }

    /// Returns the joint moves after which the answer is known to stay the same.
    pub fn keeping(
        &self,
        scratch: &mut G::Scratch,
        state: &G::State,
        answer: bool,
    ) -> Result<Vec<Vec<MoveId>>, Fault> {
        self.asked.keeping(scratch, state, answer, |next| self.settled(next))
    }

    /// Searches until the question is answered, the deadline passes, or `most` more positions were visited.
    /// It can be called again, with larger limits or for another position.
    pub fn answer(
        &mut self,
        scratch: &mut G::Scratch,
        state: &G::State,
        deadline: &Deadline,
        most: u64,
        mut watch: impl FnMut(u64),
    ) -> Result<Answer, Fault> {
        let most = self.visited.saturating_add(most);
        // Symmetric positions have the same answer, so the representative can be searched instead.
        let first = self.key(state)?;
        self.look(scratch, &first)?;
        let mut stack: Vec<Frame<G::State>> = Vec::new();
        if self.known(&first).is_none() {
            match self.open(scratch, &first, NEVER, NEVER)? {
                Opened::Frame(frame) => stack.push(frame),
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
            }
        }
        while let Some(frame) = stack.last() {
            let Choice { entry, next } = self.weigh(frame);
            let parent_work = frame.work;
            let settled = entry.is_settled();
            if settled || entry.prove >= frame.prove || entry.refute >= frame.refute {
                let state = frame.state.clone();
                self.table.insert(state, entry);
                stack.pop();
                if let Some(parent) = stack.last_mut() {
                    parent.work = parent.work.saturating_add(parent_work);
                }
                continue;
            }
            let Some((kid, prove, refute)) = next else {
                return Ok(Answer::Unfit("nothing is left to search"));
            };
            if stack.len() > LONGEST {
                return Ok(Answer::Unfit("matches are too long or positions repeat"));
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
            let kid = frame.kids[kid].clone();
            match self.open(scratch, &kid, prove, refute)? {
                Opened::Frame(frame) => stack.push(frame),
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
            }
            if self.table.len() > self.limit {
                self.forget();
            }
        }
        Ok(match self.known(&first) {
            Some(true) => Answer::Yes,
            Some(false) => Answer::No,
            None => Answer::Unfit("the proof numbers grew too large"),
        })
    }

    /// Computes the numbers of a position from those of its successors, and chooses the successor to follow
    /// with its thresholds.
    fn weigh(&mut self, frame: &Frame<G::State>) -> Choice {
        // From the point of view of the side that chooses: `easy` is the least of what it needs, `hard` what
        // the others need.
        let (limit_easy, limit_hard) =
            if frame.own { (frame.prove, frame.refute) } else { (frame.refute, frame.prove) };
        let (mut least, mut second, mut place) = (NEVER, NEVER, None);
        let (mut most, mut open) = (0, 0u32);
        for (number, kid) in frame.kids.iter().enumerate() {
            // A position that was forgotten is treated as new.
            let entry = self.table.get(kid).copied().unwrap_or(Entry { prove: 1, refute: 1, work: 0 });
            let (easy, hard) =
                if frame.own { (entry.prove, entry.refute) } else { (entry.refute, entry.prove) };
            if easy < least {
                (second, least, place) = (least, easy, Some(number));
            } else {
                second = second.min(easy);
            }
            if hard > 0 {
                most = most.max(hard);
                open += 1;
            }
        }
        let hard = if least == 0 { NEVER } else { most.saturating_add(open.saturating_sub(1)).min(NEVER) };
        let easy = if hard == 0 { NEVER } else { least };
        let (prove, refute) = if frame.own { (easy, hard) } else { (hard, easy) };
        let entry = Entry { prove, refute, work: frame.work };
        let next = place.map(|place| {
            let easy = limit_easy.min(second.saturating_add(second / 4 + 1));
            let hard = limit_hard.saturating_sub(open.saturating_sub(1)).max(1);
            if frame.own { (place, easy, hard) } else { (place, hard, easy) }
        });
        Choice { entry, next }
    }

    /// Returns the successors of a position, each with its initial numbers.
    fn open(
        &mut self,
        scratch: &mut G::Scratch,
        state: &G::State,
        prove: u32,
        refute: u32,
    ) -> Result<Opened<G::State>, Fault> {
        let (states, own) = match self.asked.after(scratch, state)? {
            After::Kids(states, own) => (states, own),
            After::DeadEnd => (Vec::new(), true),
            After::Unfit(why) => return Ok(Opened::Unfit(why)),
        };
        let mut kids = Vec::with_capacity(states.len());
        for kid in states {
            let kid = self.key(&kid)?;
            self.look(scratch, &kid)?;
            kids.push(kid);
        }
        Ok(Opened::Frame(Frame { state: state.clone(), kids, own, prove, refute, work: 1 }))
    }

    /// Initialises the numbers of a position: settled if it is terminal, otherwise by the number of moves.
    fn look(&mut self, scratch: &mut G::Scratch, state: &G::State) -> Result<(), Fault> {
        if self.table.contains_key(state) {
            return Ok(());
        }
        let entry = match self.asked.end(scratch, state)? {
            Some(true) => Entry::YES,
            Some(false) => Entry::NO,
            None => {
                let joints = JointMoves::of(self.asked.game, scratch, state)?;
                if joints.is_dead_end() {
                    self.asked.dead_end();
                    Entry::NO
                } else {
                    let own = joints.counts().nth(self.asked.question.role.index()).unwrap_or(1);
                    let all = joints.counts().product::<usize>().min(1000) as u32;
                    if own > 1 {
                        Entry { prove: 1, refute: all, work: 0 }
                    } else {
                        Entry { prove: all, refute: 1, work: 0 }
                    }
                }
            }
        };
        self.table.insert(state.clone(), entry);
        Ok(())
    }

    /// Removes the positions that are cheapest to find again.
    fn forget(&mut self) {
        let mut least = 1;
        while self.table.len() > self.limit / 4 * 3 && least < u32::MAX / 2 {
            self.table.retain(|_, entry| entry.work >= least);
            least *= 2;
        }
    }
}

/// The new entry of a position, and the successor to follow with its thresholds.
struct Choice {
    entry: Entry,
    next: Option<(usize, u32, u32)>,
}
