//! Whether a role can force a result, proven by looking at few positions.
//!
//! Proof-number search, depth first with a table (df-pn, Nagai 2002). The number
//! of a position says how many others must still be settled to prove or to
//! disprove it; the search follows the least. Where several successors must all
//! be settled, the largest number counts with one for each other (weak proof
//! numbers, Ueda and others 2008), because positions reached in many ways would
//! be counted again and again. A position is only ever settled by the end of
//! the match or by settled successors, so positions that repeat cannot make an
//! answer wrong; they can only keep the search from finding one.

use game::perft::JointMoves;
use game::{Deadline, Fault, Game, Goal, MoveId, RoleId};
use rustc_hash::FxHashMap;

use crate::known::chance_roles;

/// The number of a position that is settled the other way.
const NEVER: u32 = 1 << 30;
/// Steps from the first position that are looked at.
const LONGEST: usize = 4096;
/// Positions between two looks at the clock.
const LOOK: u64 = 16;

/// How the moves of chance are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// As made by an opponent: what is forced is forced whatever is drawn.
    Opposes,
    /// Not at all: a game in which chance chooses has no answer.
    Unknown,
}

/// Can `role` get at least this goal, whatever the others do?
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Who.
    pub role: RoleId,
    /// How much.
    pub at_least: Goal,
    /// What chance does.
    pub chance: Chance,
}

/// What a proof came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// Not settled: the time was over.
    OutOfTime,
    /// Not settled: so many positions as were allowed were looked into.
    OutOfTurn,
    /// Not settled: the reason, as the end of a sentence.
    Unfit(&'static str),
}

/// Numbers of a position: to prove, to disprove, and the positions looked into below it.
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
    game: &'g G,
    question: Question,
    chance: Vec<bool>,
    table: FxHashMap<G::State, Entry>,
    limit: usize,
    visited: u64,
    /// Every sum of goals met at the end of a match; more than two are not told apart.
    sums: Vec<Option<Goal>>,
    /// Every goal of the role met at the end of a match, sorted.
    goals: Vec<Goal>,
}

/// A position being looked into.
struct Frame<S> {
    state: S,
    kids: Vec<S>,
    /// Whether the role that asks chooses here.
    own: bool,
    prove: u32,
    refute: u32,
    work: u32,
}

/// What was found when a position was opened.
enum Opened<S> {
    Frame(Frame<S>),
    Unfit(&'static str),
}

impl<'g, G: Game> Proof<'g, G> {
    /// A search that keeps at most this many positions in mind.
    pub fn new(game: &'g G, question: Question, limit: usize) -> Proof<'g, G> {
        let chance = chance_roles(game);
        let table = FxHashMap::default();
        Proof { game, question, chance, table, limit, visited: 0, sums: Vec::new(), goals: Vec::new() }
    }

    /// How many positions were looked into.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The sum of the goals, if it was the same wherever a match ended.
    pub fn constant_sum(&self) -> Option<Goal> {
        if let [Some(sum)] = self.sums[..] { Some(sum) } else { None }
    }

    /// The goals of the role met at the end of matches, in order.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// What is settled about a position.
    pub fn settled(&self, state: &G::State) -> Option<bool> {
        self.table.get(state).filter(|entry| entry.is_settled()).map(|entry| entry.prove == 0)
    }

    /// The joint moves after which the answer is known to stay the same.
    pub fn keeping(&self, state: &G::State, answer: bool) -> Result<Vec<Vec<MoveId>>, Fault> {
        let mut found = Vec::new();
        let mut joints = JointMoves::of(self.game, state)?;
        while let Some(joint) = joints.next() {
            if self.settled(&self.game.next(state, joint)?) == Some(answer) {
                found.push(joint.to_vec());
            }
        }
        Ok(found)
    }

    /// Searches until the question is answered, the time is over, or `most`
    /// positions were looked into. It can be asked again, with more of either or
    /// about another position.
    pub fn answer(
        &mut self,
        state: &G::State,
        deadline: &Deadline,
        most: u64,
        mut watch: impl FnMut(u64),
    ) -> Result<Answer, Fault> {
        let most = self.visited.saturating_add(most);
        self.look(state)?;
        let mut stack: Vec<Frame<G::State>> = Vec::new();
        if self.settled(state).is_none() {
            match self.open(state, NEVER, NEVER)? {
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
                return Ok(Answer::Unfit("nothing is left to look at"));
            };
            if stack.len() > LONGEST {
                return Ok(Answer::Unfit("its matches are too long or positions repeat"));
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
            match self.open(&kid, prove, refute)? {
                Opened::Frame(frame) => stack.push(frame),
                Opened::Unfit(why) => return Ok(Answer::Unfit(why)),
            }
            if self.table.len() > self.limit {
                self.forget();
            }
        }
        Ok(match self.settled(state) {
            Some(true) => Answer::Yes,
            Some(false) => Answer::No,
            None => Answer::Unfit("its numbers grew too large"),
        })
    }

    /// The numbers of a position from those of its successors, and which of them to follow how far.
    fn weigh(&mut self, frame: &Frame<G::State>) -> Choice {
        // From the side that chooses: `easy` is the least of what it needs, `hard` what the others need.
        let (limit_easy, limit_hard) =
            if frame.own { (frame.prove, frame.refute) } else { (frame.refute, frame.prove) };
        let (mut least, mut second, mut place) = (NEVER, NEVER, None);
        let (mut most, mut open) = (0, 0u32);
        for (number, kid) in frame.kids.iter().enumerate() {
            // Forgotten positions are taken as new ones.
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

    /// The successors of a position, each with numbers of its own.
    fn open(&mut self, state: &G::State, prove: u32, refute: u32) -> Result<Opened<G::State>, Fault> {
        let own = self.question.role.index();
        let mut joints = JointMoves::of(self.game, state)?;
        let counts: Vec<usize> = joints.counts().collect();
        let others = |r: &usize| *r != own && counts[*r] > 1;
        let opposed = (0..counts.len()).any(|r| others(&r));
        if counts[own] > 1 && opposed {
            return Ok(Opened::Unfit("roles choose at the same time"));
        }
        let drawn = (0..counts.len()).filter(others).any(|r| self.chance[r]);
        if drawn && self.question.chance == Chance::Unknown {
            return Ok(Opened::Unfit("chance decides"));
        }
        let mut kids = Vec::new();
        while let Some(joint) = joints.next() {
            kids.push(self.game.next(state, joint)?);
        }
        for kid in &kids {
            if !self.table.contains_key(kid) {
                self.look(kid)?;
            }
        }
        Ok(Opened::Frame(Frame { state: state.clone(), kids, own: !opposed, prove, refute, work: 1 }))
    }

    /// First numbers of a position: settled at the end of the match, else by how many moves there are.
    fn look(&mut self, state: &G::State) -> Result<(), Fault> {
        if self.table.contains_key(state) {
            return Ok(());
        }
        let entry = if self.game.is_terminal(state)? {
            let mut sum = Some(0);
            let mut goal = 0;
            for role in RoleId::all(self.chance.len()) {
                let value = self.game.goal(state, role)?;
                sum = sum.zip(value).map(|(sum, value)| sum + value);
                if role == self.question.role {
                    goal = value.unwrap_or(0);
                }
            }
            if self.sums.len() < 2 && !self.sums.contains(&sum) {
                self.sums.push(sum);
            }
            if let Err(place) = self.goals.binary_search(&goal) {
                self.goals.insert(place, goal);
            }
            if goal >= self.question.at_least { Entry::YES } else { Entry::NO }
        } else {
            let joints = JointMoves::of(self.game, state)?;
            if joints.is_dead_end() {
                if self.sums.len() < 2 {
                    self.sums.push(None);
                }
                Entry::NO
            } else {
                let own = joints.counts().nth(self.question.role.index()).unwrap_or(1);
                let all = joints.counts().product::<usize>().min(1000) as u32;
                if own > 1 {
                    Entry { prove: 1, refute: all, work: 0 }
                } else {
                    Entry { prove: all, refute: 1, work: 0 }
                }
            }
        };
        self.table.insert(state.clone(), entry);
        Ok(())
    }

    /// Forgets the positions that cost least to find again.
    fn forget(&mut self) {
        let mut least = 1;
        while self.table.len() > self.limit / 4 * 3 && least < u32::MAX / 2 {
            self.table.retain(|_, entry| entry.work >= least);
            least *= 2;
        }
    }
}

/// What to do with a position.
struct Choice {
    entry: Entry,
    next: Option<(usize, u32, u32)>,
}
