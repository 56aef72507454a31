//! Two moves ahead: take a win, and do not allow one.
//!
//! The rule: if a move wins at once, make it. Otherwise discard the moves after which another role could win
//! at once, and make any of the rest; if none is left, make any legal move. A win is a terminal state with a
//! goal of 100. If roles move at the same time, a move wins only if it wins whatever the others do, and
//! allows a win if any moves of the others do. The variant without blocking omits the second half. Games that
//! hide something are played as described in [`crate::lookahead_hidden`].

use std::sync::Arc;
use std::time::Duration;

use game::{
    Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Player, Reserve, Rng, RoleId, Thought,
    all_legal, for_each_joint,
};

use crate::known::{Known, refusal};
use crate::lookahead_hidden::Hidden;

/// The number of states visited for one move before the rest is ignored.
const STATES: u64 = 1_000_000;
const WIN: i32 = 100;

/// What is known about the match.
enum View<G: Game> {
    /// The state of the match.
    Known(Known<G>),
    /// The possible states of the match.
    Hidden(Box<Hidden<G>>),
}

/// Looks two moves ahead.
pub struct Lookahead<G: Game> {
    name: &'static str,
    blocks: bool,
    seat: Option<(View<G>, Rng)>,
    reserve: Reserve,
    why: String,
    mix: Mix,
}

impl<G: Game> Lookahead<G> {
    /// Creates a player that takes wins and avoids allowing them.
    pub fn new() -> Self {
        let (name, reserve) = ("lookahead", Reserve::default());
        Lookahead { name, blocks: true, seat: None, reserve, why: String::new(), mix: Mix::Untold }
    }

    /// Creates a player that takes wins but does not avoid allowing them.
    pub fn without_blocking() -> Self {
        Lookahead { name: "lookahead_no_block", blocks: false, ..Lookahead::new() }
    }
}

impl<G: Game> Default for Lookahead<G> {
    fn default() -> Self {
        Lookahead::new()
    }
}

impl<G: Game> Player<G> for Lookahead<G> {
    fn is_counted(&self) -> bool {
        true
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        let view = if game.has_percepts() {
            View::Hidden(Box::new(Hidden::new(game, context, self.blocks)?))
        } else {
            View::Known(Known::new(self.name, game, context)?)
        };
        self.seat = Some((view, context.seed.rng()));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        match self.seat.as_mut().ok_or_else(|| refusal(self.name))? {
            (View::Known(known), _) => known.update(observation),
            (View::Hidden(hidden), _) => {
                hidden.update(observation);
                Ok(())
            }
        }
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let (view, chance) = self.seat.as_mut().ok_or_else(|| refusal(self.name))?;
        let known = match view {
            View::Known(known) => known,
            View::Hidden(hidden) => {
                let mv;
                (mv, self.why, self.mix) = hidden.select(deadline, chance)?;
                return Ok(mv);
            }
        };
        let moves = known.legal()?;
        self.reserve.begin();
        let clock = deadline.remaining();
        let reserve = &mut self.reserve;
        let (game, scratch) = (&*known.game, &mut known.scratch);
        let mut look = Look { game, scratch, role: known.role, deadline, clock, reserve, left: STATES };
        self.mix = Mix::Untold;
        let mut pick = |moves: &[MoveId]| moves[chance.below(moves.len())];
        if moves.len() == 1 {
            self.why = "the only legal move".to_string();
            self.mix = Mix::sure(moves[0]);
            return Ok(moves[0]);
        }
        let Some(legal) = all_legal(look.game, look.scratch, &known.state)? else { return Ok(pick(&moves)) };
        let mut open = Vec::new();
        let mut safe = Vec::new();
        for &mv in &moves {
            let mut after = legal.clone();
            after[known.role.index()] = vec![mv];
            if look.wins(&known.state, &after)? {
                self.why = "it wins at once".to_string();
                self.mix = Mix::sure(mv).only_if(!look.is_cut());
                return Ok(mv);
            }
            open.push((mv, after));
        }
        if !self.blocks {
            self.why = "no move wins at once".to_string();
            self.mix = Mix::even(&moves).only_if(!look.is_cut());
            return Ok(pick(&moves));
        }
        for (mv, after) in &open {
            if !look.gives_win(&known.state, after)? {
                safe.push(*mv);
            }
        }
        let (out, of) = (moves.len() - safe.len(), moves.len());
        self.why = format!("no move wins at once; {out} of {of} moves let another role win at once");
        let from = if safe.is_empty() { &moves } else { &safe };
        self.mix = Mix::even(from).only_if(!look.is_cut());
        Ok(pick(from))
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        Thought::because(self.why.clone())
    }
}

struct Look<'a, G: Game> {
    game: &'a G,
    scratch: &'a mut G::Scratch,
    role: RoleId,
    deadline: &'a Deadline,
    clock: Option<Duration>,
    reserve: &'a mut Reserve,
    left: u64,
}

impl<G: Game> Look<'_, G> {
    fn is_over(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.reserve.look();
        self.left == 0 || self.reserve.early(self.deadline, self.clock).is_over()
    }

    /// Returns `true` if something may have been ignored because time or states ran out.
    fn is_cut(&self) -> bool {
        self.left == 0 || self.reserve.early(self.deadline, self.clock).is_over()
    }

    /// Returns `true` if every one of these joint moves ends the match with a win.
    fn wins(&mut self, state: &G::State, legal: &[Vec<MoveId>]) -> Result<bool, Fault> {
        let mut all = true;
        for_each_joint(legal, |joint| {
            let next = self.game.next(self.scratch, state, joint)?;
            all = !self.is_over()
                && self.game.is_terminal(self.scratch, &next)?
                && self.game.goal(self.scratch, &next, self.role)? == Some(WIN);
            Ok::<bool, Fault>(all)
        })?;
        Ok(all)
    }

    /// Returns `true` if one of these joint moves, or one followed by any other, ends the match with a win of
    /// another role.
    fn gives_win(&mut self, state: &G::State, legal: &[Vec<MoveId>]) -> Result<bool, Fault> {
        let mut given = false;
        for_each_joint(legal, |joint| {
            let next = self.game.next(self.scratch, state, joint)?;
            if self.game.is_terminal(self.scratch, &next)? {
                given = self.other_won(&next)?;
            } else if let Some(legal) = all_legal(self.game, self.scratch, &next)? {
                for_each_joint(&legal, |joint| {
                    let last = self.game.next(self.scratch, &next, joint)?;
                    given = self.game.is_terminal(self.scratch, &last)? && self.other_won(&last)?;
                    Ok::<bool, Fault>(!given && !self.is_over())
                })?;
            }
            Ok::<bool, Fault>(!given && !self.is_over())
        })?;
        Ok(given)
    }

    fn other_won(&mut self, state: &G::State) -> Result<bool, Fault> {
        for role in RoleId::all(self.game.roles().len()).filter(|role| *role != self.role) {
            if self.game.goal(self.scratch, state, role)? == Some(WIN) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
