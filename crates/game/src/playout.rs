//! Random games, many at a time.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Deadline, Fault, Game, Goal, MoveId, PlayoutStream, RoleId, Seed};

/// A state in which some playouts begin.
#[derive(Debug, Clone)]
pub struct Start<S> {
    /// The first state.
    pub state: S,
    /// The joint move made there, unless it is drawn; with [`MoveId::DRAWN`] for roles that draw theirs.
    pub first: Option<Arc<[MoveId]>>,
    /// The number of playouts that begin here.
    pub count: u32,
}

/// A request for playouts.
///
/// In each step every role makes one of its legal moves, each with the same probability, drawn from
/// [`PlayoutStream`] with the number of the step and of the role; a role with one legal move makes it.
/// Playouts are numbered from `first_index` in the order of `starts`, so a request that is split in two
/// yields the same games. After the deadline no further playout begins. Those in progress are finished, so
/// that long games are not underrepresented, unless `stop` passes too.
#[derive(Debug, Clone)]
pub struct Playouts<'a, S> {
    /// Where the playouts begin.
    pub starts: &'a [Start<S>],
    /// The seed of the random moves.
    pub seed: Seed,
    /// The number of the first playout.
    pub first_index: u64,
    /// The number of steps after which playouts are cut off.
    pub max_steps: u32,
    /// Whether the moves made are recorded.
    pub trace: bool,
    /// When to start no more playouts.
    pub deadline: Deadline,
    /// When to cut off those in progress too; not before the deadline.
    pub stop: Deadline,
}

impl<'a, S> Playouts<'a, S> {
    /// Creates a request for playouts from these starts, without a time limit, of at most a million steps.
    pub fn new(starts: &'a [Start<S>], seed: Seed) -> Playouts<'a, S> {
        let (deadline, stop) = (Deadline::never(), Deadline::never());
        Playouts { starts, seed, first_index: 0, max_steps: 1_000_000, trace: false, deadline, stop }
    }

    /// Returns the number of requested playouts.
    pub fn total(&self) -> usize {
        self.starts.iter().map(|s| s.count as usize).sum()
    }
}

/// While this is kept, playouts requested at the same time are played together.
#[derive(Clone)]
pub struct SharedPlayouts {
    /// The number of playouts in progress at full capacity.
    pub room: usize,
    /// The object that plays them.
    pub kept: Arc<dyn Any + Send + Sync>,
}

/// How a playout ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// In a terminal state with one goal value for every role.
    Goals,
    /// In a dead end: a state that is not terminal in which some role has no legal move.
    DeadEnd,
    /// In a terminal state where some role has no goal value or several.
    NoGoal,
    /// At the step limit.
    CutOff,
}

/// The results of playouts, one entry per started playout, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// The number of roles.
    pub roles: usize,
    /// How each ended.
    pub ends: Vec<End>,
    /// The number of steps of each.
    pub lengths: Vec<u32>,
    /// The goals by playout and role; [`Outcomes::NO_GOAL`] if there is none.
    pub goals: Vec<Goal>,
    /// The joint moves made, one after the other, if they were requested.
    pub traces: Vec<Vec<MoveId>>,
}

impl Outcomes {
    /// The value for a role without a goal.
    pub const NO_GOAL: Goal = Goal::MIN;

    /// Returns the number of started playouts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if no playout was started.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the goals of one playout, by role.
    pub fn goals_of(&self, playout: usize) -> &[Goal] {
        &self.goals[playout * self.roles..(playout + 1) * self.roles]
    }

    /// Sums up the outcomes.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for playout in 0..self.len() {
            *tally.results.entry((self.ends[playout], self.goals_of(playout).to_vec())).or_default() += 1;
            tally.steps += u64::from(self.lengths[playout]);
        }
        tally.playouts = self.len() as u64;
        tally
    }
}

/// The results of playouts, summed up for each start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Totals {
    /// The number of roles.
    pub roles: usize,
    /// The number of steps of all playouts.
    pub steps: u64,
    /// For each start, the number of started playouts.
    pub playouts: Vec<u32>,
    /// For each start, the sums of goals by role. A missing goal adds nothing.
    pub goals: Vec<i64>,
}

impl Totals {
    /// Creates empty totals for this many starts.
    pub fn new(starts: usize, roles: usize) -> Totals {
        Totals { roles, steps: 0, playouts: vec![0; starts], goals: vec![0; starts * roles] }
    }

    /// Returns the sum of a role's goals in the playouts from a start.
    pub fn goals_of(&self, start: usize, role: RoleId) -> i64 {
        self.goals[start * self.roles + role.index()]
    }

    /// Sums up outcomes of playouts that were started in the order of their starts.
    pub fn of<S>(outcomes: &Outcomes, starts: &[Start<S>]) -> Totals {
        let mut totals = Totals::new(starts.len(), outcomes.roles);
        totals.steps = outcomes.lengths.iter().map(|&length| u64::from(length)).sum();
        let mut begun = 0;
        for (number, start) in starts.iter().enumerate() {
            let end = outcomes.len().min(begun + start.count as usize);
            totals.playouts[number] = (end - begun) as u32;
            let sums = &mut totals.goals[number * outcomes.roles..][..outcomes.roles];
            for playout in begun..end {
                let goals = outcomes.goals_of(playout).iter().zip(&mut *sums);
                goals
                    .filter(|(goal, _)| **goal != Outcomes::NO_GOAL)
                    .for_each(|(g, sum)| *sum += i64::from(*g));
            }
            begun = end;
        }
        totals
    }
}

/// How often each result occurred.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// The number of started playouts.
    pub playouts: u64,
    /// The number of their steps.
    pub steps: u64,
    /// The count of each end with each vector of goals.
    pub results: BTreeMap<(End, Vec<Goal>), u64>,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.steps += other.steps;
        for (result, count) in &other.results {
            *self.results.entry(result.clone()).or_default() += count;
        }
    }

    /// Returns how many playouts ended this way.
    pub fn ended(&self, end: End) -> u64 {
        self.results.iter().filter(|((e, _), _)| *e == end).map(|(_, count)| count).sum()
    }
}

/// Plays one playout, state by state: the definition that all faster implementations agree with.
pub fn playout<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    start: &G::State,
    first: Option<&[MoveId]>,
    stream: PlayoutStream,
    max_steps: u32,
    visit: impl FnMut(&G::State, &[MoveId]),
) -> Result<(End, u32, G::State), Fault> {
    playout_while(game, scratch, start, first, stream, |step| step < max_steps, visit)
}

/// Does the same, cut off at the first step for which `may_go_on` returns `false`.
fn playout_while<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    start: &G::State,
    first: Option<&[MoveId]>,
    stream: PlayoutStream,
    may_go_on: impl Fn(u32) -> bool,
    mut visit: impl FnMut(&G::State, &[MoveId]),
) -> Result<(End, u32, G::State), Fault> {
    let roles = game.roles().len();
    let mut state = start.clone();
    let (mut moves, mut joint) = (Vec::new(), Vec::with_capacity(roles));
    let mut step = 0;
    loop {
        let forced = if step == 0 { first } else { None };
        if forced.is_none() && game.is_terminal(scratch, &state)? {
            return Ok((End::Goals, step, state));
        }
        if !may_go_on(step) {
            return Ok((End::CutOff, step, state));
        }
        joint.clear();
        for role in RoleId::all(roles) {
            let given = forced.and_then(|first| first.get(role.index())).filter(|mv| **mv != MoveId::DRAWN);
            if let Some(given) = given {
                joint.push(*given);
                continue;
            }
            game.legal(scratch, &state, role, &mut moves)?;
            let chosen = match moves.len() {
                0 => return Ok((End::DeadEnd, step, state)),
                1 => 0,
                count => stream.below(step, role.0, count as u32) as usize,
            };
            joint.push(moves[chosen]);
        }
        visit(&state, &joint);
        state = game.next(scratch, &state, &joint)?;
        step += 1;
    }
}

/// The number of steps between two checks of the deadline.
const LOOK: u32 = 16;

/// Plays playouts one after the other, which works for every game.
pub fn scalar_playouts<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    request: &Playouts<'_, G::State>,
) -> Result<Outcomes, Fault> {
    let roles = game.roles().len();
    let mut outcomes = Outcomes { roles, ..Outcomes::default() };
    let mut index = request.first_index;
    let stops = |step: u32| step % LOOK == LOOK - 1 && request.stop.is_over();
    let may_go_on = |step: u32| step < request.max_steps && !stops(step);
    'starts: for start in request.starts {
        for _ in 0..start.count {
            if request.deadline.is_over() {
                break 'starts;
            }
            let stream = PlayoutStream::new(request.seed, index);
            index += 1;
            let mut trace = Vec::new();
            let first = start.first.as_deref();
            let (mut end, length, last) =
                playout_while(game, scratch, &start.state, first, stream, may_go_on, |_, joint| {
                    if request.trace {
                        trace.extend_from_slice(joint);
                    }
                })?;
            for role in RoleId::all(roles) {
                let goal = if end == End::Goals || end == End::NoGoal {
                    game.goal(scratch, &last, role)?
                } else {
                    None
                };
                if goal.is_none() && end == End::Goals {
                    end = End::NoGoal;
                }
                outcomes.goals.push(goal.unwrap_or(Outcomes::NO_GOAL));
            }
            outcomes.ends.push(end);
            outcomes.lengths.push(length);
            if request.trace {
                outcomes.traces.push(trace);
            }
        }
    }
    Ok(outcomes)
}
