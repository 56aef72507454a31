//! Depth-first search with alpha-beta bounds.
//!
//! One role maximises what it gets and all others minimise it (paranoid
//! search); with two roles that share a fixed sum this is minimax. Where others
//! choose at the same time they are taken to see the role's move (pessimistic),
//! or a mixed strategy is worked out (mixed). Chance averages. A value is
//! proven where no value from the horizon went into it.

use std::hash::Hash;
use std::time::Duration;

use game::{Deadline, Fault, Game, MoveId, Playouts, Reserve, RoleId, Seed, Start};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Evaluation;
use super::turn::Turn;
use crate::matrix::{COARSE, Matrix};

/// Values are hundredths of points.
pub(super) const TOP: i32 = 100 * POINT;
pub(super) const POINT: i32 = 100;
/// Cells above which simultaneous moves are not mixed.
pub(super) const CELLS: usize = 144;
/// States between two looks at the clock, and the time between them from which every state is one.
const LOOK: u64 = 4;
const SLOW: Duration = Duration::from_micros(500);

/// What a search found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub value: i32,
    /// Whether nothing from the horizon went into it.
    pub proven: bool,
}

/// Why a search ended early.
pub(super) enum Stop {
    /// The time or the states are used up.
    Over,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    found: Found,
    kind: Kind,
    depth: u32,
    best: Option<MoveId>,
}

/// What a search has spent, and whether it may go on.
pub(super) struct Watch<'g> {
    pub deadline: Deadline,
    /// The whole time of the move, if it has a clock.
    pub clock: Option<Duration>,
    pub reserve: &'g mut Reserve,
    pub states: u64,
    pub most_states: u64,
}

impl Watch<'_> {
    /// Counts a state.
    pub fn state(&mut self) -> Result<(), Stop> {
        self.states += 1;
        if self.states > self.most_states {
            return Err(Stop::Over);
        }
        if self.states.is_multiple_of(LOOK) || self.reserve.slowest() > SLOW {
            self.reserve.look();
            if self.reserve.early(&self.deadline, self.clock).is_over() {
                return Err(Stop::Over);
            }
        }
        Ok(())
    }
}

/// What is remembered within and between searches, from the view of one role.
pub(super) struct AlphaBeta<'g, G: Game> {
    pub game: &'g G,
    pub role: RoleId,
    pub chance: &'g [bool],
    pub mixed: bool,
    /// Playouts that value a state at the horizon.
    pub playouts: u32,
    pub evaluation: Option<&'g dyn Evaluation<G>>,
    pub seed: Seed,
    /// Playouts are cut off after this many steps.
    pub steps: u32,
    pub watch: Watch<'g>,
    pub memory: &'g mut Memory<G::State>,
}

/// The transposition table and the history of good moves.
pub(super) struct Memory<S> {
    table: FxHashMap<S, Entry>,
    limit: usize,
    history: FxHashMap<(RoleId, MoveId), u64>,
}

impl<S: Eq + Hash + Send + 'static> Memory<S> {
    /// Room is taken at once, because to grow a large table takes time that belongs to a move.
    pub fn new(limit: usize) -> Memory<S> {
        Memory { table: room(limit), limit, history: FxHashMap::default() }
    }

    /// Makes room before a search.
    pub fn tidy(&mut self) {
        if self.table.len() > self.limit / 2 {
            let old = std::mem::replace(&mut self.table, room(self.limit));
            drop(std::thread::spawn(move || drop(old)));
        }
        self.history.clear();
    }
}

fn room<S: Eq + Hash>(limit: usize) -> FxHashMap<S, Entry> {
    FxHashMap::with_capacity_and_hasher(limit.min(1 << 20), FxBuildHasher)
}

impl<G: Game> AlphaBeta<'_, G> {
    /// The value of a state as far as it matters between `alpha` and `beta`.
    pub fn value(&mut self, state: &G::State, depth: u32, alpha: i32, beta: i32) -> Result<Found, Stop> {
        self.watch.state()?;
        let known = self.memory.table.get(state).copied();
        if let Some(entry) = known.filter(|entry| entry.found.proven || entry.depth >= depth) {
            let value = entry.found.value;
            let enough = match entry.kind {
                Kind::Exact => true,
                Kind::AtLeast => value >= beta,
                Kind::AtMost => value <= alpha,
            };
            if enough {
                return Ok(entry.found);
            }
        }
        if self.game.is_terminal(state)? {
            let goal = self.game.goal(state, self.role)?.unwrap_or(0).clamp(0, 100);
            return Ok(Found { value: goal * POINT, proven: true });
        }
        if depth == 0 {
            return Ok(Found { value: self.horizon(state)?, proven: false });
        }
        let Some(mut turn) = Turn::of(self.game, state, self.role, self.chance)? else {
            return Ok(Found { value: 0, proven: true });
        };
        self.order(&mut turn, known.and_then(|entry| entry.best));
        let (found, best) = if self.mixed
            && turn.mine.len() > 1
            && turn.others.len() > 1
            && turn.mine.len() * turn.others.len() <= CELLS
        {
            (self.matrix(state, &turn, depth)?.1, None)
        } else {
            self.rows(state, &turn, depth, alpha, beta)?
        };
        let kind = match found.value {
            value if value >= beta => Kind::AtLeast,
            value if value <= alpha => Kind::AtMost,
            _ => Kind::Exact,
        };
        if self.memory.table.len() < self.memory.limit || known.is_some() {
            self.memory.table.insert(state.clone(), Entry { found, kind, depth, best });
        }
        Ok(found)
    }

    /// The best own move, each against the worst answer.
    fn rows(
        &mut self,
        state: &G::State,
        turn: &Turn,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<(Found, Option<MoveId>), Stop> {
        let mut best = Found { value: -1, proven: false };
        let mut chosen = None;
        let mut all_proven = true;
        for &mine in &turn.mine {
            let (row, answer) = self.row(state, turn, mine, depth, alpha.max(best.value), beta)?;
            all_proven &= row.proven;
            if row.value > best.value {
                best = row;
                chosen = if turn.mine.len() > 1 { Some(mine) } else { answer };
            }
            if best.value >= beta || (best.value == TOP && best.proven) {
                self.praise(self.role, mine, depth, turn.mine.len());
                return Ok((best, chosen));
            }
        }
        Ok((Found { value: best.value, proven: all_proven }, chosen))
    }

    /// One own move against the worst answer; the answer if it is one role's.
    pub fn row(
        &mut self,
        state: &G::State,
        turn: &Turn,
        mine: MoveId,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<(Found, Option<MoveId>), Stop> {
        let mut worst = Found { value: TOP + 1, proven: false };
        let mut answer = None;
        let mut all_proven = true;
        for others in &turn.others {
            let cell = self.cell(state, turn, mine, others, depth, alpha, beta.min(worst.value))?;
            all_proven &= cell.proven;
            if cell.value < worst.value {
                worst = cell;
                answer = if let [only] = others[..] { Some(only) } else { None };
            }
            if worst.value <= alpha || (worst.value == 0 && worst.proven) {
                if let ([role], Some(mv)) = (&turn.other_roles[..], answer) {
                    self.praise(*role, mv, depth, turn.others.len());
                }
                return Ok((worst, answer));
            }
        }
        Ok((Found { value: worst.value, proven: all_proven }, answer))
    }

    /// One joint choice, averaged over chance.
    #[allow(clippy::too_many_arguments)]
    fn cell(
        &mut self,
        state: &G::State,
        turn: &Turn,
        mine: MoveId,
        others: &[MoveId],
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<Found, Stop> {
        let draws = turn.draws();
        let (alpha, beta) = if draws == 1 { (alpha, beta) } else { (-1, TOP + 1) };
        let (mut sum, mut proven) = (0i64, true);
        for joint in turn.joints(self.role, mine, others) {
            let next = self.game.next(state, &joint)?;
            let found = self.value(&next, depth - 1, alpha, beta)?;
            sum += i64::from(found.value);
            proven &= found.proven;
        }
        Ok(Found { value: (sum / draws as i64) as i32, proven })
    }

    /// Everyone's choices at once: the own strategy and its value, with the others against it.
    pub fn matrix(&mut self, state: &G::State, turn: &Turn, depth: u32) -> Result<(Matrix, Found), Stop> {
        let (mut row_pays, mut proven) = (Vec::new(), true);
        for &mine in &turn.mine {
            for others in &turn.others {
                let cell = self.cell(state, turn, mine, others, depth, -1, TOP + 1)?;
                proven &= cell.proven;
                row_pays.push(f64::from(cell.value));
            }
        }
        let column_pays = row_pays.iter().map(|pay| f64::from(TOP) - pay).collect();
        let matrix = Matrix { rows: turn.mine.len(), columns: turn.others.len(), row_pays, column_pays };
        let value = matrix.saddle().unwrap_or_else(|| {
            let (x, y) = matrix.solve(COARSE);
            matrix.row_value(&x, &y)
        });
        Ok((matrix, Found { value: value.round() as i32, proven }))
    }

    /// A guess at a state that is not looked into.
    fn horizon(&mut self, state: &G::State) -> Result<i32, Fault> {
        if let Some(evaluation) = self.evaluation {
            let points = evaluation.points(self.game, state, self.role)?;
            return Ok(guess((points * f64::from(POINT)).round() as i32));
        }
        if self.playouts > 0 {
            let starts = [Start { state: state.clone(), first: None, count: self.playouts }];
            let request =
                Playouts { first_index: self.watch.states << 16, ..Playouts::new(&starts, self.seed) };
            let outcomes = self.game.playouts(&Playouts { max_steps: self.steps, ..request })?;
            let goal = |number| i64::from(outcomes.goals_of(number)[self.role.index()].clamp(0, 100));
            let sum: i64 = (0..outcomes.len()).map(goal).sum();
            return Ok(guess((sum * i64::from(POINT) / outcomes.len().max(1) as i64) as i32));
        }
        Ok(guess(self.game.goal(state, self.role)?.map_or(50, |goal| goal.clamp(0, 100)) * POINT))
    }

    /// Good moves first: the best of an earlier search, then those that were good elsewhere.
    pub fn order(&self, turn: &mut Turn, best: Option<MoveId>) {
        let history = &self.memory.history;
        let rank = |role: RoleId, mv: MoveId| {
            let good = history.get(&(role, mv)).copied().unwrap_or(0);
            (best != Some(mv), std::cmp::Reverse(good))
        };
        if turn.mine.len() > 1 {
            turn.mine.sort_by_key(|&mv| rank(self.role, mv));
        } else if let [role] = turn.other_roles[..] {
            turn.others.sort_by_key(|way| rank(role, way[0]));
        }
    }

    fn praise(&mut self, role: RoleId, mv: MoveId, depth: u32, choices: usize) {
        if choices > 1 {
            *self.memory.history.entry((role, mv)).or_default() += u64::from(depth) * u64::from(depth);
        }
    }

    /// The best moves remembered from a state on.
    pub fn expected(&self, state: &G::State, most: usize) -> Result<Vec<(RoleId, MoveId)>, Fault> {
        let mut line = Vec::new();
        let mut state = state.clone();
        while line.len() < most {
            let Some(best) = self.memory.table.get(&state).and_then(|entry| entry.best) else { break };
            let Some(turn) = Turn::of(self.game, &state, self.role, self.chance)? else { break };
            let own = turn.mine.len() > 1;
            let role = if own { self.role } else { turn.other_roles[0] };
            let others = turn.others.iter().find(|way| own || way.first() == Some(&best));
            let (Some(others), true) = (others, turn.draws() == 1 && (!own || turn.others.len() == 1)) else {
                break;
            };
            line.push((role, best));
            let mine = if own { best } else { turn.mine[0] };
            let Some(joint) = turn.joints(self.role, mine, others).next() else { break };
            state = self.game.next(&state, &joint)?;
        }
        Ok(line)
    }
}

/// A guess is never as good as a certain win nor as bad as a certain loss.
pub(super) fn guess(value: i32) -> i32 {
    POINT + value * 98 / 100
}
