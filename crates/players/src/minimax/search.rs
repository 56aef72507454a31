//! Depth-first search with alpha-beta bounds.
//!
//! One role maximises its value and all others minimise it (paranoid search); with two roles and a constant
//! sum this is minimax. If others choose at the same time, they are assumed to see the role's move
//! (pessimistic), or a mixed strategy is computed (mixed). Chance averages. A value is proven if no horizon
//! value contributed to it.

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
/// The number of cells above which simultaneous moves are not mixed.
pub(super) const CELLS: usize = 144;
/// The number of states between two checks of the clock, and the time between them above which every state is
/// checked.
const LOOK: u64 = 4;
const SLOW: Duration = Duration::from_micros(500);

/// The result of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub value: i32,
    /// Whether the value is independent of horizon values.
    pub proven: bool,
}

/// Why a search ended early.
pub(super) enum Stop {
    /// The time or the number of states is used up.
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

/// What a search has spent, and whether it may continue.
pub(super) struct Watch<'g> {
    pub deadline: Deadline,
    /// The total time of the move, if it has a clock.
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

/// A search from the point of view of one role.
pub(super) struct AlphaBeta<'g, G: Game> {
    pub game: &'g G,
    pub scratch: &'g mut G::Scratch,
    pub role: RoleId,
    pub chance: &'g [bool],
    pub mixed: bool,
    /// The number of playouts that value a state at the horizon.
    pub playouts: u32,
    pub evaluation: Option<&'g dyn Evaluation<G>>,
    pub seed: Seed,
    /// The number of steps after which playouts are cut off.
    pub steps: u32,
    pub watch: Watch<'g>,
    pub memory: &'g mut Memory<G::State>,
}

/// The transposition table and the scores of the history heuristic.
pub(super) struct Memory<S> {
    table: FxHashMap<S, Entry>,
    limit: usize,
    history: FxHashMap<(RoleId, MoveId), u64>,
    /// Whether a value came from mixed strategies below the root, in any search of the match.
    mixed: bool,
}

impl<S: Eq + Hash + Send + 'static> Memory<S> {
    /// Creates an empty memory. The table is allocated at once, because growing it takes time that belongs to
    /// a move.
    pub fn new(limit: usize) -> Memory<S> {
        Memory { table: room(limit), limit, history: FxHashMap::default(), mixed: false }
    }

    /// Returns `true` if mixed strategies below the root of any search contributed to the values.
    pub fn has_mixed(&self) -> bool {
        self.mixed
    }

    /// Frees memory before a search.
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
    /// Returns the value of a state, exact between `alpha` and `beta` and a bound outside.
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
        if self.game.is_terminal(self.scratch, state)? {
            let goal = self.game.goal(self.scratch, state, self.role)?;
            return Ok(Found { value: goal.unwrap_or(0).clamp(0, 100) * POINT, proven: true });
        }
        if depth == 0 {
            return Ok(Found { value: self.horizon(state)?, proven: false });
        }
        let Some(mut turn) = Turn::of(self.game, self.scratch, state, self.role, self.chance)? else {
            return Ok(Found { value: 0, proven: true });
        };
        self.order(&mut turn, known.and_then(|entry| entry.best));
        let (found, best) = if self.mixed
            && turn.mine.len() > 1
            && turn.others.len() > 1
            && turn.mine.len() * turn.others.len() <= CELLS
        {
            self.memory.mixed = true;
            (self.matrix(state, &turn, depth)?.1, None)
        } else {
            self.rows(state, &turn, depth, alpha, beta)?
        };
        // A value outside the window is only a bound.
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

    /// Returns the value of the best own move, each against the worst answer, and that move or the answer to
    /// it.
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

    /// Returns the value of one own move against the worst answer, and the answer if a single role gives it.
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
            // The move is refuted: the others can hold the role to `alpha` or less.
            if worst.value <= alpha || (worst.value == 0 && worst.proven) {
                if let ([role], Some(mv)) = (&turn.other_roles[..], answer) {
                    self.praise(*role, mv, depth, turn.others.len());
                }
                return Ok((worst, answer));
            }
        }
        Ok((Found { value: worst.value, proven: all_proven }, answer))
    }

    /// Returns the value of one joint choice, averaged over chance.
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
        // An average needs exact values, so several draws are searched with the full window.
        let (alpha, beta) = if draws == 1 { (alpha, beta) } else { (-1, TOP + 1) };
        let (mut sum, mut proven) = (0i64, true);
        for joint in turn.joints(self.role, mine, others) {
            let next = self.game.next(self.scratch, state, &joint)?;
            let found = self.value(&next, depth - 1, alpha, beta)?;
            sum += i64::from(found.value);
            proven &= found.proven;
        }
        Ok(Found { value: (sum / draws as i64) as i32, proven })
    }

    /// Returns the matrix of all choices, and its value with the others playing against the role.
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

    /// Returns an estimate for a state at the horizon.
    fn horizon(&mut self, state: &G::State) -> Result<i32, Fault> {
        if let Some(evaluation) = self.evaluation {
            let points = evaluation.points(self.game, self.scratch, state, self.role)?;
            return Ok(guess((points * f64::from(POINT)).round() as i32));
        }
        if self.playouts > 0 {
            let starts = [Start { state: state.clone(), first: None, count: self.playouts }];
            let request =
                Playouts { first_index: self.watch.states << 16, ..Playouts::new(&starts, self.seed) };
            let request = Playouts { max_steps: self.steps, ..request };
            let outcomes = self.game.playouts(self.scratch, &request)?;
            let goal = |number| i64::from(outcomes.goals_of(number)[self.role.index()].clamp(0, 100));
            let sum: i64 = (0..outcomes.len()).map(goal).sum();
            return Ok(guess((sum * i64::from(POINT) / outcomes.len().max(1) as i64) as i32));
        }
        let goal = self.game.goal(self.scratch, state, self.role)?;
        Ok(guess(goal.map_or(50, |goal| goal.clamp(0, 100)) * POINT))
    }

    /// Orders moves: the best move of an earlier search first, then by the history heuristic.
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

    /// Raises the score of a move that caused a cutoff (history heuristic).
    fn praise(&mut self, role: RoleId, mv: MoveId, depth: u32, choices: usize) {
        if choices > 1 {
            *self.memory.history.entry((role, mv)).or_default() += u64::from(depth) * u64::from(depth);
        }
    }

    /// Returns the principal line from a state, read from the transposition table.
    pub fn expected(&mut self, state: &G::State, most: usize) -> Result<Vec<(RoleId, MoveId)>, Fault> {
        let mut line = Vec::new();
        let mut state = state.clone();
        while line.len() < most {
            let Some(best) = self.memory.table.get(&state).and_then(|entry| entry.best) else { break };
            let turn = Turn::of(self.game, self.scratch, &state, self.role, self.chance)?;
            let Some(turn) = turn else { break };
            let own = turn.mine.len() > 1;
            let role = if own { self.role } else { turn.other_roles[0] };
            let others = turn.others.iter().find(|way| own || way.first() == Some(&best));
            let (Some(others), true) = (others, turn.draws() == 1 && (!own || turn.others.len() == 1)) else {
                break;
            };
            line.push((role, best));
            let mine = if own { best } else { turn.mine[0] };
            let Some(joint) = turn.joints(self.role, mine, others).next() else { break };
            state = self.game.next(self.scratch, &state, &joint)?;
        }
        Ok(line)
    }
}

/// Scales an estimate so that it is never as good as a certain win nor as bad as a certain loss.
pub(super) fn guess(value: i32) -> i32 {
    POINT + value * 98 / 100
}
