//! The choice of a move: iterative deepening until the budget is spent.

use std::time::{Duration, Instant};

use game::{
    Budget, Considered, Deadline, Fault, Game, Mix, MoveId, Playouts, Proven, RoleId, Start, States, Thought,
    all_legal,
};
use rustc_hash::FxHashMap;

use super::max_n::MaxN;
use super::search::{AlphaBeta, POINT, Stop, TOP, Watch};
use super::turn::Turn;
use super::{Playing, Settings};
use crate::known::Known;
use crate::matrix::FINE;
use crate::mcts::select::draw;

/// The maximum search depth.
pub(super) const DEEPEST: u32 = 500;
/// The number of playouts that distinguish moves of equal value, for one move and for all, and their steps.
const TRIALS: u32 = 64;
pub(super) const ALL_TRIALS: u32 = 1024;
pub(super) const TRIAL_STEPS: u32 = 1000;
/// The number of steps of the playouts that measure the time of a step.
const FIRST_STEPS: u32 = 20;
/// The maximum length of the principal line.
const STEPS: usize = 10;

/// What is known about a move at the root.
#[derive(Debug, Clone)]
struct Row {
    mv: MoveId,
    value: i32,
    proven: bool,
    /// Whether the value is only an upper bound.
    at_most: bool,
    /// The mean goal in playouts.
    trial: f64,
    /// Its probability in a mixed strategy.
    share: Option<f64>,
}

/// The depth reached, the number of states visited, whether the value is proven, and the principal line.
type Found = (u32, u64, bool, Vec<(RoleId, MoveId)>);

impl<G: Game> Playing<G> {
    pub(super) fn search(
        &mut self,
        settings: &Settings,
        legal: &[MoveId],
        deadline: &Deadline,
    ) -> Result<(MoveId, Thought, Mix), Fault> {
        let began = Instant::now();
        let clock = deadline.remaining();
        self.reserve.begin();
        let early = self.reserve.early(deadline, clock);
        let mut rows = self.trials(legal, &early)?;
        self.memory.tidy();
        self.reserve.look();
        let (depth, states, proven, line) = if settings.max_n {
            self.max_n(settings, &mut rows, deadline, clock)?
        } else {
            self.deepen(settings, &mut rows, deadline, clock)?
        };
        self.reserve.close();
        let chosen = if rows.iter().any(|row| row.share.is_some()) {
            let shares: Vec<f64> = rows.iter().map(|row| row.share.unwrap_or(0.0)).collect();
            draw(&mut self.rng, &shares)
        } else {
            0
        };
        let points = |value: i32| f64::from(value) / f64::from(POINT);
        let considered = |row: &Row| Considered {
            value: Some(points(row.value)),
            at_most: row.at_most,
            mean: Some(row.trial),
            share: row.share,
            proven: row.proven,
            ..Considered::new(row.mv)
        };
        let mut thought = Thought {
            value: Some(points(rows[chosen].value)),
            proven: proven.then_some(Proven::Exactly(None)),
            moves: rows.iter().map(considered).collect(),
            line,
            depth: Some(depth),
            states: Some(States { search: states, ..States::default() }),
            ..Thought::default()
        };
        if settings.budget == Budget::Clock && clock.is_some() {
            let rate = states as f64 / began.elapsed().as_secs_f64().max(1e-9);
            thought.note("states per second", format!("{rate:.0}"));
        }
        Ok((rows[chosen].mv, thought, self.mix(settings, &rows)))
    }

    /// Returns the probabilities of the moves, if every seed leads to them. That is so if the values of all
    /// moves are proven, the search would have gone on until they were, and nothing had to be decided by
    /// playouts: one move is better than all others, or they are mixed.
    fn mix(&self, settings: &Settings, rows: &[Row]) -> Mix {
        let unlimited = settings.depth.is_none() && settings.budget == Budget::Clock;
        // Strategies within the search depend a little on the order of moves, and so on the seed; so does
        // what roles that play for themselves leave to each other.
        let exact = !settings.max_n && !self.memory.has_mixed();
        if !unlimited || !exact || !rows.iter().all(|row| row.proven) {
            return Mix::Untold;
        }
        if rows.iter().all(|row| row.share.is_some()) {
            return Mix::Known(rows.iter().map(|row| (row.mv, row.share.unwrap_or(0.0))).collect());
        }
        match rows {
            [best, second, ..] if best.value > second.value => Mix::sure(best.mv),
            _ => Mix::Untold,
        }
    }

    /// Values the moves by playouts, and sorts them, best first.
    fn trials(&mut self, legal: &[MoveId], deadline: &Deadline) -> Result<Vec<Row>, Fault> {
        let Known { game, scratch, role, state, step } = &mut self.known;
        let mut rows: Vec<Row> = Vec::new();
        let count = (ALL_TRIALS / legal.len() as u32).clamp(4, TRIALS);
        // If others choose too, they make their first move: this is an order to search in, not a value.
        let others = all_legal(&**game, scratch, state)?;
        let starts: Vec<Start<G::State>> = legal
            .iter()
            .filter_map(|&mv| {
                let mut joint: Vec<MoveId> = others.as_ref()?.iter().map(|moves| moves[0]).collect();
                joint[role.index()] = mv;
                Some(Start { state: state.clone(), first: Some(joint.into()), count })
            })
            .collect();
        // Trials must not use up the time of the search.
        let time = deadline.remaining().map(|left| left * 7 / 8).unwrap_or_default();
        let request = Playouts {
            max_steps: self.steps,
            deadline: deadline.earlier(time),
            first_index: *step << 32,
            ..Playouts::new(&starts, self.seed)
        };
        let outcomes = game.playouts(scratch, &request)?;
        for (number, &mv) in legal.iter().enumerate() {
            let count = count as usize;
            let range = number * count..((number + 1) * count).min(outcomes.len());
            let goals = range.clone().map(|playout| outcomes.goals_of(playout)[role.index()].clamp(0, 100));
            let trial =
                if range.is_empty() { 50.0 } else { f64::from(goals.sum::<i32>()) / range.len() as f64 };
            rows.push(Row { mv, value: 50 * POINT, proven: false, at_most: false, trial, share: None });
        }
        rows.sort_by(|a, b| b.trial.total_cmp(&a.trial));
        Ok(rows)
    }

    /// Searches with alpha-beta bounds. Sorts the rows, best first.
    fn deepen(
        &mut self,
        settings: &Settings,
        rows: &mut Vec<Row>,
        deadline: &Deadline,
        clock: Option<Duration>,
    ) -> Result<Found, Fault> {
        let Known { game, scratch, role, state, .. } = &mut self.known;
        let (game, role) = (&**game, *role);
        let Some(turn) = Turn::of(game, scratch, state, role, &self.chance)? else {
            return Ok((0, 0, false, Vec::new()));
        };
        let mut search = AlphaBeta {
            game,
            scratch,
            role,
            chance: &self.chance,
            mixed: settings.mixed,
            playouts: settings.playouts,
            evaluation: self.evaluation.as_deref(),
            seed: self.seed,
            steps: self.steps,
            watch: Watch {
                deadline: deadline.clone(),
                clock,
                reserve: &mut self.reserve,
                states: 0,
                most_states: most_states(settings),
            },
            memory: &mut self.memory,
        };
        let simultaneous = settings.mixed && turn.others.len() > 1;
        let (mut reached, mut proven) = (0, false);
        for depth in 1..=settings.depth.unwrap_or(DEEPEST) {
            let mut found = rows.clone();
            let searched = if simultaneous {
                mixed(&mut search, state, &turn, &mut found, depth)
            } else {
                pure(&mut search, state, &turn, &mut found, depth)
            };
            match searched {
                Ok(settled) => (*rows, reached, proven) = (found, depth, settled),
                Err(Stop::Over) => break,
                Err(Stop::Fault(fault)) if reached == 0 => return Err(fault),
                Err(Stop::Fault(_)) => break,
            }
            if proven {
                break;
            }
        }
        let mut expected = Vec::new();
        if !simultaneous && turn.others.len() == 1 && turn.draws() == 1 {
            expected.push((role, rows[0].mv));
            if let Some(joint) = turn.joints(role, rows[0].mv, &turn.others[0]).next() {
                let next = game.next(search.scratch, state, &joint)?;
                expected.extend(search.expected(&next, STEPS - 1)?);
            }
        }
        Ok((reached, search.watch.states, proven, expected))
    }

    /// Searches with every role playing for itself. Sorts the rows, best first.
    fn max_n(
        &mut self,
        settings: &Settings,
        rows: &mut [Row],
        deadline: &Deadline,
        clock: Option<Duration>,
    ) -> Result<Found, Fault> {
        let Known { game, scratch, role, state, .. } = &mut self.known;
        let (game, role) = (&**game, role.index());
        let Some(legal) = all_legal(game, scratch, state)? else { return Ok((0, 0, false, Vec::new())) };
        let mut search = MaxN {
            game,
            scratch,
            chance: &self.chance,
            watch: Watch {
                deadline: deadline.clone(),
                clock,
                reserve: &mut self.reserve,
                states: 0,
                most_states: most_states(settings),
            },
            limit: settings.nodes,
            table: FxHashMap::default(),
        };
        let (mut reached, mut proven) = (0, false);
        for depth in 1..=settings.depth.unwrap_or(DEEPEST) {
            let mut found = rows.to_vec();
            match for_itself(&mut search, state, &legal, role, &mut found, depth) {
                Ok(settled) => (reached, proven) = (depth, settled),
                Err(Stop::Over) => break,
                Err(Stop::Fault(fault)) if reached == 0 => return Err(fault),
                Err(Stop::Fault(_)) => break,
            }
            rows.clone_from_slice(&found);
            if proven {
                break;
            }
        }
        Ok((reached, search.watch.states, proven, Vec::new()))
    }
}

fn most_states(settings: &Settings) -> u64 {
    if let Budget::States(count) = settings.budget { count } else { u64::MAX }
}

/// Returns the number of steps of playouts that this clock for a move allows.
pub(super) fn trial_steps<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    clock: Duration,
    deadline: &Deadline,
) -> Result<u32, Fault> {
    let starts = [Start { state: game.initial(), first: None, count: TRIALS }];
    let request = Playouts {
        max_steps: FIRST_STEPS,
        deadline: deadline.clone(),
        ..Playouts::new(&starts, game::Seed(1))
    };
    game.playouts(scratch, &request)?;
    let began = Instant::now();
    let outcomes = game.playouts(scratch, &request)?;
    let steps = outcomes.lengths.iter().copied().max().unwrap_or(1).max(1);
    let allowed = (clock / 16).as_nanos() / (began.elapsed() / steps).as_nanos().max(1);
    Ok(allowed.clamp(4, u128::from(TRIAL_STEPS)) as u32)
}

/// Values every move with each role playing for itself. Returns `true` if all moves are proven.
fn for_itself<G: Game>(
    search: &mut MaxN<'_, G>,
    state: &G::State,
    legal: &[Vec<MoveId>],
    role: usize,
    rows: &mut [Row],
    depth: u32,
) -> Result<bool, Stop> {
    let deciders = search.deciders(legal);
    if let Some(deciders) = deciders.filter(|deciders| deciders.contains(&role)) {
        let (mixed, shares) = search.together(state, legal, &deciders, depth)?;
        let side = deciders.iter().position(|&decider| decider == role).unwrap_or(0);
        for row in rows {
            let place = legal[role].iter().position(|mv| *mv == row.mv).unwrap_or(0);
            row.value = mixed.by_move[side][place].round() as i32;
            row.share = Some(mixed.strategies[side][place]);
            row.proven = shares.proven;
        }
        return Ok(shares.proven);
    }
    let mut settled = true;
    for row in rows.iter_mut() {
        let mut own = legal.to_vec();
        own[role] = vec![row.mv];
        let shares = search.choose(state, &own, &mut Vec::new(), depth)?;
        (row.value, row.proven) = (shares.values[role], shares.proven);
        settled &= row.proven;
    }
    rows.sort_by(better);
    Ok(settled)
}

/// The order of moves: by value, then by playouts.
fn better(a: &Row, b: &Row) -> std::cmp::Ordering {
    b.value.cmp(&a.value).then(b.trial.total_cmp(&a.trial))
}

/// Values every move against the worst answer. Returns `true` if the best move is proven.
fn pure<G: Game>(
    search: &mut AlphaBeta<'_, G>,
    state: &G::State,
    turn: &Turn,
    rows: &mut [Row],
    depth: u32,
) -> Result<bool, Stop> {
    let mut best = 0;
    for number in 0..rows.len() {
        // The window includes `best`, so that moves of equal value are recognised as such.
        let (found, _) = search.row(state, turn, rows[number].mv, depth, best - 1, TOP + 1)?;
        (rows[number].value, rows[number].proven) = (found.value, found.proven);
        rows[number].at_most = found.value < best;
        best = best.max(found.value);
        if found.proven && found.value == TOP {
            // The remaining moves were not searched and may win as well.
            for row in &mut rows[number + 1..] {
                (row.value, row.proven, row.at_most) = (row.value.min(TOP - 1), false, false);
            }
            break;
        }
    }
    let all = rows.iter().all(|row| row.proven);
    rows.sort_by(better);
    Ok(all || (rows[0].proven && rows[0].value == TOP))
}

/// Solves the matrix of all choices. Returns `true` if all values are proven.
fn mixed<G: Game>(
    search: &mut AlphaBeta<'_, G>,
    state: &G::State,
    turn: &Turn,
    rows: &mut [Row],
    depth: u32,
) -> Result<bool, Stop> {
    let (matrix, found) = search.matrix(state, turn, depth)?;
    let (x, y) = matrix.solve(FINE);
    for row in rows {
        let place = turn.mine.iter().position(|mv| *mv == row.mv);
        let pays = |i: usize| {
            (0..matrix.columns).map(|j| y[j] * matrix.row_pays[i * matrix.columns + j]).sum::<f64>()
        };
        row.value = place.map_or(0, |i| pays(i).round() as i32);
        row.share = Some(place.map_or(0.0, |i| x[i]));
        row.proven = found.proven;
    }
    Ok(found.proven)
}
