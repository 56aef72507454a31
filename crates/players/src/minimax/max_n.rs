//! Search in which every role plays for itself (max-n, Luckhardt and Irani 1986).
//!
//! Values are vectors, so there are no alpha-beta bounds. Roles that choose at
//! the same time are taken to choose one after another in the order of roles.

use game::{Game, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::search::{POINT, Stop, TOP, guess};
use crate::known::all_legal;

/// What every role gets, and whether nothing from the horizon went into it.
#[derive(Debug, Clone)]
pub(super) struct Shares {
    pub values: Vec<i32>,
    pub proven: bool,
}

pub(super) struct MaxN<'g, G: Game> {
    pub game: &'g G,
    pub chance: &'g [bool],
    pub deadline: game::Deadline,
    pub states: u64,
    pub most_states: u64,
    pub limit: usize,
    pub table: FxHashMap<G::State, (Shares, u32)>,
}

impl<G: Game> MaxN<'_, G> {
    /// What every role gets from a state.
    pub fn shares(&mut self, state: &G::State, depth: u32) -> Result<Shares, Stop> {
        self.states += 1;
        if self.states > self.most_states || (self.states.is_multiple_of(4) && self.deadline.is_over()) {
            return Err(Stop::Over);
        }
        if let Some((known, searched)) = self.table.get(state)
            && (known.proven || *searched >= depth)
        {
            return Ok(known.clone());
        }
        let terminal = self.game.is_terminal(state)?;
        if terminal || depth == 0 {
            let missing = if terminal { 0 } else { 50 };
            let mut values = Vec::new();
            for role in RoleId::all(self.chance.len()) {
                let value = self.game.goal(state, role)?.unwrap_or(missing).clamp(0, 100) * POINT;
                values.push(if terminal { value } else { guess(value) });
            }
            return Ok(Shares { values, proven: terminal });
        }
        let shares = match all_legal(self.game, state)? {
            None => Shares { values: vec![0; self.chance.len()], proven: true },
            Some(legal) => self.choose(state, &legal, &mut Vec::new(), depth)?,
        };
        if self.table.len() < self.limit {
            self.table.insert(state.clone(), (shares.clone(), depth));
        }
        Ok(shares)
    }

    /// Lets the roles after those in `made` choose in turn.
    pub fn choose(
        &mut self,
        state: &G::State,
        legal: &[Vec<MoveId>],
        made: &mut Vec<MoveId>,
        depth: u32,
    ) -> Result<Shares, Stop> {
        let role = made.len();
        let Some(moves) = legal.get(role) else {
            let next = self.game.next(state, made)?;
            return self.shares(&next, depth - 1);
        };
        let mut best: Option<Shares> = None;
        let mut sums = vec![0i64; legal.len()];
        let mut all_proven = true;
        for &mv in moves {
            made.push(mv);
            let shares = self.choose(state, legal, made, depth);
            made.pop();
            let shares = shares?;
            all_proven &= shares.proven;
            sums.iter_mut().zip(&shares.values).for_each(|(sum, value)| *sum += i64::from(*value));
            let top = shares.proven && shares.values[role] == TOP;
            if best.as_ref().is_none_or(|best| shares.values[role] > best.values[role]) {
                best = Some(shares);
            }
            if top && !self.chance[role] {
                return Ok(best.expect("a best was found"));
            }
        }
        if self.chance[role] && moves.len() > 1 {
            let values = sums.iter().map(|sum| (sum / moves.len() as i64) as i32).collect();
            return Ok(Shares { values, proven: all_proven });
        }
        let values = best.map_or(vec![0; legal.len()], |best| best.values);
        Ok(Shares { values, proven: all_proven })
    }
}
