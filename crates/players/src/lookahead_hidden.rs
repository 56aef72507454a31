//! Looking ahead in games with hidden information.
//!
//! The player keeps all possible states of the match ([`Possible`]) and looks ahead in each until it has a
//! choice again: through the moves of the others and of chance. For every move it computes the probability of
//! its own win by then and of a win of another role, if the others move at random, and it chooses a move with
//! the largest difference. The variant without blocking ignores the second probability.

use std::sync::Arc;

use belief::{Follow, Seen};
use game::{
    Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Rng, RoleId, all_legal, for_each_joint,
};

use crate::lookahead_possible::{Possible, sample};

/// The maximum number of states that are kept.
const KEPT: usize = 20_000;
/// The maximum number of states to look ahead from.
const LOOKED_AT: usize = 48;
/// The maximum number of steps of others to look through.
const DEPTH: u32 = 3;
/// The number of states visited for one move before the rest is ignored.
const STATES: u64 = 100_000;
const WIN: i32 = 100;

/// A match of a game that hides something, as followed by a player that looks ahead.
pub(crate) struct Hidden<G: Game> {
    game: Arc<G>,
    context: MatchContext,
    blocks: bool,
    possible: Possible<G>,
    /// Steps that have not been processed.
    seen: Vec<Seen>,
    /// Knows the legal moves, once no state agrees with the percepts.
    follow: Option<Follow<G>>,
    all: Vec<Observation>,
}

impl<G: Game> Hidden<G> {
    pub(crate) fn new(game: &Arc<G>, context: &MatchContext, blocks: bool) -> Result<Hidden<G>, Fault> {
        Ok(Hidden {
            game: Arc::clone(game),
            context: context.clone(),
            blocks,
            possible: Possible::new(game, context.role, KEPT)?,
            seen: Vec::new(),
            follow: None,
            all: Vec::new(),
        })
    }

    pub(crate) fn update(&mut self, observation: &Observation) {
        self.seen.push(Seen::from(observation));
        self.all.push(observation.clone());
    }

    /// Returns a move, the reason for it, and the probabilities of the moves, which are known if nothing but
    /// the move itself was drawn at random.
    pub(crate) fn select(
        &mut self,
        deadline: &Deadline,
        chance: &mut Rng,
    ) -> Result<(MoveId, String, Mix), Fault> {
        for seen in std::mem::take(&mut self.seen) {
            if self.follow.is_none() {
                let taken = self.possible.update(&seen, deadline, chance);
                let lost = taken.is_err() || self.possible.states().is_empty();
                self.follow = lost.then(|| Follow::new(&self.game, &self.context));
            }
        }
        if let Some(follow) = &mut self.follow {
            for observation in std::mem::take(&mut self.all) {
                follow.update(&observation)?;
            }
            let moves = follow.legal(deadline)?;
            let said = "the possible states could not be determined".to_string();
            return Ok((moves[chance.below(moves.len())], said, Mix::Untold));
        }
        let (role, before) = (self.context.role, self.possible.before());
        let states = &self.possible.states;
        let said = format!("{} possible states, {before} before the last percepts", states.len());
        let moves = &states[0].legal[role.index()];
        match moves[..] {
            [] => return Err(Fault::BadState("there is no legal move to choose from".to_string())),
            [only] => return Ok((only, format!("the only legal move; {said}"), Mix::sure(only))),
            _ => {}
        }
        let listed = states.len() <= LOOKED_AT && !self.possible.is_sample();
        let chosen = sample(states, LOOKED_AT, chance);
        let (game, scratch) = (&*self.game, &mut self.possible.scratch);
        let mut look = Look { game, scratch, role, deadline, left: STATES };
        let mut best: Vec<(MoveId, f64, f64)> = Vec::new();
        let value = |(_, win, loss): &(MoveId, f64, f64)| if self.blocks { win - loss } else { *win };
        for &mv in moves {
            let (mut win, mut loss, mut sum) = (0.0, 0.0, 0.0);
            for (candidate, weight) in &chosen {
                let mut legal = candidate.legal.clone();
                legal[role.index()] = vec![mv];
                let (w, l) = look.ahead(&candidate.state, &legal, DEPTH)?;
                win += weight * w;
                loss += weight * l;
                sum += weight;
            }
            let found = (mv, win / sum, loss / sum);
            let than = best.first().map_or(f64::NEG_INFINITY, value);
            if value(&found) > than + 1e-9 {
                best.clear();
            }
            if value(&found) > than - 1e-9 {
                best.push(found);
            }
        }
        let from: Vec<MoveId> = best.iter().map(|(mv, _, _)| *mv).collect();
        let mix = Mix::even(&from).only_if(listed && look.left > 0);
        let (mv, win, loss) = best[chance.below(best.len())];
        let chances = format!("wins {:.0} %, loses {:.0} %", 100.0 * win, 100.0 * loss);
        Ok((mv, format!("{chances} before the next move; {said}"), mix))
    }
}

struct Look<'a, G: Game> {
    game: &'a G,
    scratch: &'a mut G::Scratch,
    role: RoleId,
    deadline: &'a Deadline,
    left: u64,
}

impl<G: Game> Look<'_, G> {
    /// Returns the probabilities of a win and of a loss before the next choice of the role.
    fn ahead(&mut self, state: &G::State, legal: &[Vec<MoveId>], depth: u32) -> Result<(f64, f64), Fault> {
        let ways: f64 = legal.iter().map(|moves| moves.len() as f64).product();
        let (mut win, mut loss) = (0.0, 0.0);
        for_each_joint(legal, |joint| {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || (self.left.is_multiple_of(16) && self.deadline.is_over()) {
                self.left = 0;
                return Ok(false);
            }
            let next = self.game.next(self.scratch, state, joint)?;
            if self.game.is_terminal(self.scratch, &next)? {
                for role in RoleId::all(self.game.roles().len()) {
                    if self.game.goal(self.scratch, &next, role)? == Some(WIN) {
                        *(if role == self.role { &mut win } else { &mut loss }) += 1.0;
                    }
                }
            } else if depth > 0
                && let Some(legal) = all_legal(self.game, self.scratch, &next)?
                && legal[self.role.index()].len() == 1
            {
                let (w, l) = self.ahead(&next, &legal, depth - 1)?;
                win += w;
                loss += l;
            }
            Ok::<bool, Fault>(true)
        })?;
        Ok((win / ways, loss / ways))
    }
}
