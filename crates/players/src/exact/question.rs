//! Questions about what can be forced, and what is common to the ways of answering them.

use game::perft::JointMoves;
use game::{Fault, Game, Goal, MoveId, RoleId, chance_roles};

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

/// What follows a position.
pub(super) enum After<S> {
    /// Some role has no move.
    DeadEnd,
    /// The positions that follow, and whether the role that asks chooses among them.
    Kids(Vec<S>, bool),
    /// The question cannot be answered here.
    Unfit(&'static str),
}

/// Who chooses in a position.
pub(super) enum Choice {
    /// Some role has no move.
    DeadEnd,
    /// The joint moves, and whether the role that asks chooses among them.
    Open(JointMoves, bool),
    /// The question cannot be answered here.
    Unfit(&'static str),
}

/// A question put to a game, and what was seen of the ends of its matches.
pub(super) struct Asked<'g, G: Game> {
    pub game: &'g G,
    pub question: Question,
    chance: Vec<bool>,
    /// Every sum of goals met; more than two are not told apart.
    sums: Vec<Option<Goal>>,
    /// Every goal of the role met, sorted.
    pub goals: Vec<Goal>,
}

impl<'g, G: Game> Asked<'g, G> {
    pub fn new(game: &'g G, question: Question) -> Asked<'g, G> {
        Asked { game, question, chance: chance_roles(game), sums: Vec::new(), goals: Vec::new() }
    }

    /// The sum of the goals, if it was the same wherever a match ended.
    pub fn constant_sum(&self) -> Option<Goal> {
        if let [Some(sum)] = self.sums[..] { Some(sum) } else { None }
    }

    /// The answer where the match is over.
    pub fn end(&mut self, state: &G::State) -> Result<Option<bool>, Fault> {
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

    /// A match that stops here gives nothing to anybody.
    pub fn dead_end(&mut self) {
        self.see(None);
    }

    /// Who chooses in a position in which the match is not over, and among what.
    pub fn choice(&mut self, state: &G::State) -> Result<Choice, Fault> {
        let role = self.question.role.index();
        let joints = JointMoves::of(self.game, state)?;
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

    /// The positions after one in which the match is not over.
    pub fn after(&mut self, state: &G::State) -> Result<After<G::State>, Fault> {
        let (mut joints, own) = match self.choice(state)? {
            Choice::DeadEnd => return Ok(After::DeadEnd),
            Choice::Unfit(why) => return Ok(After::Unfit(why)),
            Choice::Open(joints, own) => (joints, own),
        };
        let mut kids = Vec::with_capacity(joints.counts().product());
        while let Some(joint) = joints.next() {
            kids.push(self.game.next(state, joint)?);
        }
        Ok(After::Kids(kids, own))
    }

    /// The joint moves after which the answer is known to stay the same.
    pub fn keeping(
        &self,
        state: &G::State,
        answer: bool,
        mut settled: impl FnMut(&G::State) -> Result<Option<bool>, Fault>,
    ) -> Result<Vec<Vec<MoveId>>, Fault> {
        let mut found = Vec::new();
        let mut joints = JointMoves::of(self.game, state)?;
        while let Some(joint) = joints.next() {
            if settled(&self.game.next(state, joint)?)? == Some(answer) {
                found.push(joint.to_vec());
            }
        }
        Ok(found)
    }
}
