//! Search in which every role plays for itself (max-n, Luckhardt and Irani 1986).
//!
//! Values are vectors, so there are no alpha-beta bounds. Roles that choose at the same time mix their moves,
//! each for itself. If they have too many joint moves, they are assumed to choose one after the other in the
//! order of roles.

use game::{Game, MoveId, RoleId, all_legal};
use rustc_hash::FxHashMap;

use super::search::{CELLS, POINT, Stop, TOP, Watch, guess};
use crate::matrix::{COARSE, each_cell, solve_all};

/// The value for every role, and whether it is independent of horizon values.
#[derive(Debug, Clone)]
pub(super) struct Shares {
    pub values: Vec<i32>,
    pub proven: bool,
}

/// The strategies of roles that choose at the same time, and the value of each move for its role.
pub(super) struct Mixed {
    pub strategies: Vec<Vec<f64>>,
    pub by_move: Vec<Vec<f64>>,
}

pub(super) struct MaxN<'g, G: Game> {
    pub game: &'g G,
    pub scratch: &'g mut G::Scratch,
    pub chance: &'g [bool],
    pub watch: Watch<'g>,
    pub limit: usize,
    pub table: FxHashMap<G::State, (Shares, u32)>,
}

impl<G: Game> MaxN<'_, G> {
    /// Returns the value of a state for every role.
    pub fn shares(&mut self, state: &G::State, depth: u32) -> Result<Shares, Stop> {
        self.watch.state()?;
        if let Some((known, searched)) = self.table.get(state)
            && (known.proven || *searched >= depth)
        {
            return Ok(known.clone());
        }
        let terminal = self.game.is_terminal(self.scratch, state)?;
        if terminal || depth == 0 {
            let missing = if terminal { 0 } else { 50 };
            let mut values = Vec::new();
            for role in RoleId::all(self.chance.len()) {
                let goal = self.game.goal(self.scratch, state, role)?;
                let value = goal.unwrap_or(missing).clamp(0, 100) * POINT;
                values.push(if terminal { value } else { guess(value) });
            }
            return Ok(Shares { values, proven: terminal });
        }
        let shares = match all_legal(self.game, self.scratch, state)? {
            None => Shares { values: vec![0; self.chance.len()], proven: true },
            Some(legal) => match self.deciders(&legal) {
                Some(deciders) => self.together(state, &legal, &deciders, depth)?.1,
                None => self.choose(state, &legal, &mut Vec::new(), depth)?,
            },
        };
        if self.table.len() < self.limit {
            self.table.insert(state.clone(), (shares.clone(), depth));
        }
        Ok(shares)
    }

    /// Returns the roles that choose at the same time, if there are several and they do not have too many
    /// joint moves.
    pub fn deciders(&self, legal: &[Vec<MoveId>]) -> Option<Vec<usize>> {
        let chooses = |&role: &usize| legal[role].len() > 1 && !self.chance[role];
        let deciders: Vec<usize> = (0..legal.len()).filter(chooses).collect();
        let cells = deciders.iter().try_fold(1usize, |cells, &role| cells.checked_mul(legal[role].len()));
        Some(deciders).filter(|deciders| deciders.len() > 1 && cells.is_some_and(|cells| cells <= CELLS))
    }

    /// Returns mixed strategies of the roles that choose at the same time with the value of each move for its
    /// role, and the value for every role.
    pub fn together(
        &mut self,
        state: &G::State,
        legal: &[Vec<MoveId>],
        deciders: &[usize],
        depth: u32,
    ) -> Result<(Mixed, Shares), Stop> {
        let sizes: Vec<usize> = deciders.iter().map(|&role| legal[role].len()).collect();
        let mut cells: Vec<Vec<Vec<MoveId>>> = Vec::new();
        each_cell(&sizes, |_, places| {
            let mut only = legal.to_vec();
            for (&role, &place) in deciders.iter().zip(places) {
                only[role] = vec![legal[role][place]];
            }
            cells.push(only);
        });
        let (mut found, mut proven) = (Vec::with_capacity(cells.len()), true);
        for only in &cells {
            let shares = self.choose(state, only, &mut Vec::new(), depth)?;
            proven &= shares.proven;
            found.push(shares.values);
        }
        let pays: Vec<Vec<f64>> = deciders
            .iter()
            .map(|&role| found.iter().map(|values| f64::from(values[role])).collect())
            .collect();
        let strategies = solve_all(&sizes, &pays, COARSE);
        let mut values = vec![0.0; legal.len()];
        let mut by_move: Vec<Vec<f64>> = sizes.iter().map(|&size| vec![0.0; size]).collect();
        each_cell(&sizes, |cell, places| {
            let chance = |side: usize| strategies[side][places[side]];
            let all: f64 = (0..sizes.len()).map(chance).product();
            values.iter_mut().zip(&found[cell]).for_each(|(sum, value)| *sum += all * f64::from(*value));
            for side in 0..sizes.len() {
                let others: f64 = (0..sizes.len()).filter(|&other| other != side).map(chance).product();
                by_move[side][places[side]] += others * pays[side][cell];
            }
        });
        let values = values.into_iter().map(|value| value.round() as i32).collect();
        Ok((Mixed { strategies, by_move }, Shares { values, proven }))
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
            let next = self.game.next(self.scratch, state, made)?;
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
