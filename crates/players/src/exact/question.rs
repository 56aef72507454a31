//! Questions about what can be forced, and what all methods of answering them share.

use game::perft::JointMoves;
use game::{Fault, Game, Goal, MoveId, RoleId, chance_roles};

/// How the moves of chance are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// Chance is an opponent: what is forced is forced whatever is drawn.
    Opposes,
    /// Chance is not supported: a game in which it has a choice has no answer.
    Unknown,
}

/// Can `role` get at least this goal, whatever the others do?
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The asking role.
    pub role: RoleId,
    /// The goal.
    pub at_least: Goal,
    /// How chance is treated.
    pub chance: Chance,
}

/// The result of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// Not settled: the deadline passed.
    OutOfTime,
    /// Not settled: the allowed number of positions was visited.
    OutOfTurn,
    /// Not settled, with the reason as the end of a sentence.
    Unfit(&'static str),
}

/// The successors of a position.
pub(super) enum After<S> {
    /// Some role has no legal move.
    DeadEnd,
    /// The successors, and whether the asking role chooses among them.
    Kids(Vec<S>, bool),
    /// The question cannot be answered here.
    Unfit(&'static str),
}

/// The choice in a position.
pub(super) enum Choice {
    /// Some role has no legal move.
    DeadEnd,
    /// The joint moves, and whether the asking role chooses among them.
    Open(JointMoves, bool),
    /// The question cannot be answered here.
    Unfit(&'static str),
}

/// A question about a game, and what was observed at the ends of its matches.
pub(super) struct Asked<'g, G: Game> {
    pub game: &'g G,
    pub question: Question,
    chance: Vec<bool>,
    /// The sums of goals that were observed; at most two different ones are kept.
    sums: Vec<Option<Goal>>,
    /// The goals of the role that were observed, sorted.
    pub goals: Vec<Goal>,
}

impl<'g, G: Game> Asked<'g, G> {
    pub fn new(game: &'g G, question: Question) -> Asked<'g, G> {
        Asked { game, question, chance: chance_roles(game), sums: Vec::new(), goals: Vec::new() }
    }

    /// Returns the sum of the goals, if it was the same at every end that was visited.
    pub fn constant_sum(&self) -> Option<Goal> {
        if let [Some(sum)] = self.sums[..] { Some(sum) } else { None }
    }

    /// Returns the answer if the state is terminal.
    pub fn end(&mut self, scratch: &mut G::Scratch, state: &G::State) -> Result<Option<bool>, Fault> {
        if !self.game.is_terminal(scratch, state)? {
            return Ok(None);
        }
        let (mut sum, mut goal) = (Some(0), 0);
        for role in RoleId::all(self.chance.len()) {
            let value = self.game.goal(scratch, state, role)?;
            sum = sum.zip(value).map(|(sum, value)| sum + value);
            if role == self.question.role {
                goal = value.unwrap_or(0);
            }
        }
        self.see(sum);
        if let Err(place) = self.goals.binary_search(&goal) {
            self.goals.insert(place, goal);
        }
        Ok(Some(goal >= self.question.at_least))
    }

    fn see(&mut self, sum: Option<Goal>) {
        if self.sums.len() < 2 && !self.sums.contains(&sum) {
            self.sums.push(sum);
        }
    }

    /// Records a dead end, in which nobody has a goal.
    pub fn dead_end(&mut self) {
        self.see(None);
    }

    /// Returns who chooses in a position that is not terminal, and the joint moves.
    pub fn choice(&mut self, scratch: &mut G::Scratch, state: &G::State) -> Result<Choice, Fault> {
        let role = self.question.role.index();
        let joints = JointMoves::of(self.game, scratch, state)?;
        if joints.is_dead_end() {
            self.dead_end();
            return Ok(Choice::DeadEnd);
        }
        let (mut mine, mut opposed, mut drawn) = (false, false, false);
        for (other, _) in joints.counts().enumerate().filter(|(_, count)| *count > 1) {
            mine |= other == role;
            opposed |= other != role;
            drawn |= other != role && self.chance[other];
        }
        if mine && opposed {
            return Ok(Choice::Unfit("roles choose at the same time"));
        }
        if drawn && self.question.chance == Chance::Unknown {
            return Ok(Choice::Unfit("chance decides"));
        }
        Ok(Choice::Open(joints, !opposed))
    }

    /// Returns the successors of a position that is not terminal.
    pub fn after(&mut self, scratch: &mut G::Scratch, state: &G::State) -> Result<After<G::State>, Fault> {
        let (mut joints, own) = match self.choice(scratch, state)? {
            Choice::DeadEnd => return Ok(After::DeadEnd),
            Choice::Unfit(why) => return Ok(After::Unfit(why)),
            Choice::Open(joints, own) => (joints, own),
        };
        let mut kids = Vec::with_capacity(joints.counts().product());
        while let Some(joint) = joints.next() {
            kids.push(self.game.next(scratch, state, joint)?);
        }
        Ok(After::Kids(kids, own))
    }

    /// Returns the joint moves after which the answer is known to stay the same.
    pub fn keeping(
        &self,
        scratch: &mut G::Scratch,
        state: &G::State,
        answer: bool,
        mut settled: impl FnMut(&G::State) -> Result<Option<bool>, Fault>,
    ) -> Result<Vec<Vec<MoveId>>, Fault> {
        let mut found = Vec::new();
        let mut joints = JointMoves::of(self.game, scratch, state)?;
        while let Some(joint) = joints.next() {
            if settled(&self.game.next(scratch, state, joint)?)? == Some(answer) {
                found.push(joint.to_vec());
            }
        }
        Ok(found)
    }
}
