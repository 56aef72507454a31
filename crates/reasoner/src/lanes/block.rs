//! Many playouts side by side.
//!
//! A block has one bit of every plane per game. All its games are in the same
//! phase of the turn; a game that ended makes room for the next playout when
//! the phase of the start comes round.

use game::{End, Goal, MoveId, Outcomes, PlayoutStream, Playouts, Tally};

use super::phase_code::{PhaseCode, TERMINAL};
use super::portable::Plane;
use super::random::{Keys, Scratch};
use super::{LaneState, Lanes};

/// What comes of playouts.
pub(crate) trait Collect {
    /// Games of the lanes in `which` have ended.
    fn ended<const W: usize>(&mut self, block: &Block<'_, W>, which: &Plane<W>, end: Ended<'_, W>);
    /// Games under way made a step.
    fn stepped(&mut self, games: u32);
}

/// How games ended, and where their goals are.
pub(crate) enum Ended<'a, const W: usize> {
    /// In a terminal state, with the planes of goals.
    Terminal(&'a PhaseCode, &'a [Plane<W>]),
    DeadEnd,
    CutOff,
}

/// Games side by side.
pub(crate) struct Block<'l, const W: usize> {
    lanes: &'l Lanes,
    state: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
    work: Vec<Plane<W>>,
    keys: Keys,
    scratch: Scratch,
    /// For each lane the number of its playout within the request.
    pub playout: Vec<u32>,
    pub round: u32,
    alive: Plane<W>,
    /// The moves made, lane by lane, if they are wanted.
    pub traces: Vec<Vec<MoveId>>,
}

/// Playouts that begin in the same state, or with the same first move.
pub(crate) struct Batch<'a> {
    pub state: &'a LaneState,
    pub first: Option<&'a [MoveId]>,
    /// The numbers of the playouts within the request.
    pub numbers: std::ops::Range<u32>,
}

pub(crate) fn count<const W: usize>(plane: &Plane<W>) -> u32 {
    plane.iter().map(|w| w.count_ones()).sum()
}

fn any<const W: usize>(plane: &Plane<W>) -> bool {
    plane.iter().any(|&w| w != 0)
}

fn meet<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & b[i];
    }
    out
}

fn without<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & !b[i];
    }
    out
}

/// The lanes of a plane.
pub(crate) fn lanes_of<const W: usize>(plane: &Plane<W>) -> impl Iterator<Item = usize> + use<W> {
    let plane = *plane;
    (0..W).flat_map(move |word| {
        let mut rest = plane[word];
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let lane = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                lane
            })
        })
    })
}

impl<'l, const W: usize> Block<'l, W> {
    pub fn new(lanes: &'l Lanes) -> Block<'l, W> {
        let fluents = lanes.fluents;
        let work = lanes.code.iter().map(|c| c.work).max().unwrap_or(0);
        Block {
            lanes,
            state: vec![[0; W]; fluents],
            next: vec![[0; W]; fluents],
            work: vec![[0; W]; work],
            keys: Keys::new(W * 64),
            scratch: Scratch::new(W * 64),
            playout: vec![0; W * 64],
            round: 0,
            alive: [0; W],
            traces: vec![Vec::new(); W * 64],
        }
    }

    /// Plays batches that all begin in one phase; `code` are the phases from there on, in order.
    pub fn play(
        &mut self,
        code: &[&PhaseCode],
        batches: &[Batch<'_>],
        request: &Playouts<'_, LaneState>,
        collect: &mut impl Collect,
    ) {
        let mut waiting = batches.iter().filter(|b| !b.numbers.is_empty());
        let mut batch = waiting.next();
        let mut given = 0;
        self.round = 0;
        self.alive = [0; W];
        let mut oldest = 0u32;
        loop {
            let phase = &code[self.round as usize % code.len()];
            let mut fresh = [0; W];
            if (self.round as usize).is_multiple_of(code.len()) && batch.is_some() && !request.deadline.is_over() {
                let free: Plane<W> = self.alive.map(|w| !w);
                let mut free_lanes = lanes_of(&free);
                while let Some(now) = batch {
                    let left = now.numbers.len() as u32 - given;
                    let mut filled = [0u64; W];
                    let mut taken = 0;
                    for lane in free_lanes.by_ref().take(left as usize) {
                        filled[lane / 64] |= 1 << (lane % 64);
                        let number = now.numbers.start + given + taken;
                        taken += 1;
                        self.playout[lane] = number;
                        let stream = PlayoutStream::new(request.seed, request.first_index + u64::from(number));
                        self.keys.set(lane, stream, self.round);
                        self.traces[lane].clear();
                    }
                    if taken == 0 {
                        break;
                    }
                    self.fill(now.state, &filled);
                    for i in 0..W {
                        fresh[i] |= filled[i];
                    }
                    given += taken;
                    if given == now.numbers.len() as u32 {
                        batch = waiting.next();
                        given = 0;
                    } else {
                        break;
                    }
                }
                for i in 0..W {
                    self.alive[i] |= fresh[i];
                }
            }
            if !any(&self.alive) {
                if batch.is_some() && !request.deadline.is_over() {
                    self.round += 1;
                    continue;
                }
                return;
            }
            phase.view.run(&self.state, &mut self.next, &mut self.work);
            // Lanes with a forced first move are not asked whether they are over.
            let forced = if any(&fresh) { self.forced(&fresh, batches) } else { [0; W] };
            let over = without(&meet(&self.work[TERMINAL], &self.alive), &forced);
            if any(&over) {
                phase.goals.run(&self.state, &mut self.next, &mut self.work);
                let work = std::mem::take(&mut self.work);
                collect.ended(self, &over, Ended::Terminal(phase, &work));
                self.work = work;
                self.alive = without(&self.alive, &over);
            }
            if self.round - oldest >= request.max_steps {
                let cut = self.cut(request.max_steps, &mut oldest);
                if any(&cut) {
                    collect.ended(self, &cut, Ended::CutOff);
                    self.alive = without(&self.alive, &cut);
                }
            }
            self.choose(phase, &forced, collect);
            if any(&forced) {
                self.force(phase, &forced, batches);
            }
            if request.trace {
                self.trace(phase);
            }
            collect.stepped(count(&self.alive));
            phase.next.run(&self.state, &mut self.next, &mut self.work);
            std::mem::swap(&mut self.state, &mut self.next);
            self.round += 1;
        }
    }

    /// Puts lanes into a state.
    fn fill(&mut self, state: &LaneState, lanes: &Plane<W>) {
        for (fluent, plane) in self.state.iter_mut().enumerate() {
            if state.holds(fluent) {
                plane.iter_mut().zip(lanes).for_each(|(p, l)| *p |= l);
            } else {
                plane.iter_mut().zip(lanes).for_each(|(p, l)| *p &= !l);
            }
        }
    }

    fn batch_of<'b>(&self, lane: usize, batches: &'b [Batch<'b>]) -> &'b Batch<'b> {
        let number = self.playout[lane];
        let place = batches.partition_point(|b| b.numbers.end <= number);
        &batches[place]
    }

    /// Those of the fresh lanes whose first move is given.
    fn forced(&self, fresh: &Plane<W>, batches: &[Batch<'_>]) -> Plane<W> {
        let mut forced = [0; W];
        if batches.iter().all(|b| b.first.is_none()) {
            return forced;
        }
        for lane in lanes_of(fresh) {
            if self.batch_of(lane, batches).first.is_some() {
                forced[lane / 64] |= 1 << (lane % 64);
            }
        }
        forced
    }

    /// Overwrites the moves of lanes whose first move is given.
    fn force(&mut self, phase: &PhaseCode, forced: &Plane<W>, batches: &[Batch<'_>]) {
        for lane in lanes_of(forced) {
            let Some(first) = self.batch_of(lane, batches).first else { continue };
            let (word, bit) = (lane / 64, 1u64 << (lane % 64));
            for (role, mv) in first.iter().enumerate() {
                for (i, &candidate) in phase.candidates[role].iter().enumerate() {
                    let plane = &mut self.work[phase.made[role] + i];
                    if candidate == mv.0 { plane[word] |= bit } else { plane[word] &= !bit }
                }
            }
        }
    }

    /// The lanes that have reached the step limit.
    fn cut(&mut self, max_steps: u32, oldest: &mut u32) -> Plane<W> {
        let mut cut = [0; W];
        let mut first = u32::MAX;
        for lane in lanes_of(&self.alive) {
            if self.steps(lane) >= max_steps {
                cut[lane / 64] |= 1 << (lane % 64);
            } else {
                first = first.min(self.keys.began[lane]);
            }
        }
        *oldest = first.min(self.round);
        cut
    }

    /// Steps that a lane's playout has made.
    pub fn steps(&self, lane: usize) -> u32 {
        self.round - self.keys.began[lane]
    }

    /// Draws and makes a move for every role; games in which a role has none end.
    fn choose(&mut self, phase: &PhaseCode, forced: &Plane<W>, collect: &mut impl Collect) {
        let mut stuck = [0; W];
        for (role, tree) in phase.trees.iter().enumerate() {
            match tree {
                Some(tree) => {
                    let (head, tail) = self.work.split_at_mut(phase.drawn[role]);
                    let counts = &head[tree.count..tree.count + tree.width];
                    for i in 0..W {
                        stuck[i] |= !counts.iter().fold(0, |some, c| some | c[i]);
                    }
                    let drawn = &mut tail[..tree.width];
                    self.keys.draw_best(self.round, role as u32, counts, drawn, &mut self.scratch);
                }
                None if phase.candidates[role].is_empty() => stuck = [!0; W],
                None => {
                    let legal = &self.work[phase.legal[role]];
                    for i in 0..W {
                        stuck[i] |= !legal[i];
                    }
                }
            }
        }
        let stuck = without(&meet(&stuck, &self.alive), forced);
        if any(&stuck) {
            collect.ended(self, &stuck, Ended::DeadEnd);
            self.alive = without(&self.alive, &stuck);
        }
        phase.choose.run(&self.state, &mut self.next, &mut self.work);
    }

    /// Notes the moves made.
    fn trace(&mut self, phase: &PhaseCode) {
        for (role, candidates) in phase.candidates.iter().enumerate() {
            for (i, &candidate) in candidates.iter().enumerate() {
                let plane = meet(&self.work[phase.made[role] + i], &self.alive);
                for lane in lanes_of(&plane) {
                    self.traces[lane].push(MoveId(candidate));
                }
            }
        }
    }
}

/// Outcomes one by one.
pub(crate) struct Each {
    pub outcomes: Outcomes,
    pub seen: Vec<bool>,
}

impl Each {
    pub fn new(total: usize, roles: usize, trace: bool) -> Each {
        let outcomes = Outcomes {
            roles,
            ends: vec![End::CutOff; total],
            lengths: vec![0; total],
            goals: vec![Outcomes::NO_GOAL; total * roles],
            traces: if trace { vec![Vec::new(); total] } else { Vec::new() },
        };
        Each { outcomes, seen: vec![false; total] }
    }

    /// The outcomes of the playouts that were begun.
    pub fn finish(mut self) -> Outcomes {
        if self.seen.iter().all(|&s| s) {
            return self.outcomes;
        }
        let kept: Vec<usize> = (0..self.seen.len()).filter(|&i| self.seen[i]).collect();
        let roles = self.outcomes.roles;
        Outcomes {
            roles,
            ends: kept.iter().map(|&i| self.outcomes.ends[i]).collect(),
            lengths: kept.iter().map(|&i| self.outcomes.lengths[i]).collect(),
            goals: kept.iter().flat_map(|&i| self.outcomes.goals_of(i).to_vec()).collect(),
            traces: match self.outcomes.traces.is_empty() {
                true => Vec::new(),
                false => kept.iter().map(|&i| std::mem::take(&mut self.outcomes.traces[i])).collect(),
            },
        }
    }
}

impl Collect for Each {
    fn ended<const W: usize>(&mut self, block: &Block<'_, W>, which: &Plane<W>, end: Ended<'_, W>) {
        let roles = self.outcomes.roles;
        for lane in lanes_of(which) {
            let number = block.playout[lane] as usize;
            self.seen[number] = true;
            self.outcomes.lengths[number] = block.steps(lane);
            if !self.outcomes.traces.is_empty() {
                self.outcomes.traces[number] = block.traces[lane].clone();
            }
            self.outcomes.ends[number] = match &end {
                Ended::DeadEnd => End::DeadEnd,
                Ended::CutOff => End::CutOff,
                Ended::Terminal(code, work) => {
                    let mut end = End::Goals;
                    for role in 0..roles {
                        let goal = goal_of(code, work, role, lane);
                        if goal == Outcomes::NO_GOAL {
                            end = End::NoGoal;
                        }
                        self.outcomes.goals[number * roles + role] = goal;
                    }
                    end
                }
            };
        }
    }

    fn stepped(&mut self, _: u32) {}
}

/// The one goal value of a role in a lane.
fn goal_of<const W: usize>(code: &PhaseCode, work: &[Plane<W>], role: usize, lane: usize) -> Goal {
    let mut goal = Outcomes::NO_GOAL;
    let mut several = false;
    for &(value, plane) in &code.goal_planes[role] {
        if work[plane][lane / 64] >> (lane % 64) & 1 == 1 {
            several |= goal != Outcomes::NO_GOAL;
            goal = value;
        }
    }
    if several { Outcomes::NO_GOAL } else { goal }
}

/// Outcomes summed up.
#[derive(Default)]
pub(crate) struct Sum {
    pub tally: Tally,
    roles: usize,
}

impl Sum {
    pub fn new(roles: usize) -> Sum {
        Sum { tally: Tally::default(), roles }
    }
}

impl Collect for Sum {
    fn ended<const W: usize>(&mut self, _: &Block<'_, W>, which: &Plane<W>, end: Ended<'_, W>) {
        let games = count(which);
        self.tally.playouts += u64::from(games);
        let none = || vec![Outcomes::NO_GOAL; self.roles];
        match end {
            Ended::DeadEnd => *self.tally.results.entry((End::DeadEnd, none())).or_default() += u64::from(games),
            Ended::CutOff => *self.tally.results.entry((End::CutOff, none())).or_default() += u64::from(games),
            Ended::Terminal(code, work) => {
                let mut goals = Vec::with_capacity(self.roles);
                self.split(code, work, which, &mut goals);
            }
        }
    }

    fn stepped(&mut self, games: u32) {
        self.tally.steps += u64::from(games);
    }
}

impl Sum {
    /// Splits games by the goals of one role after another.
    fn split<const W: usize>(&mut self, code: &PhaseCode, work: &[Plane<W>], which: &Plane<W>, goals: &mut Vec<Goal>) {
        if !any(which) {
            return;
        }
        if goals.len() == self.roles {
            let end = if goals.contains(&Outcomes::NO_GOAL) { End::NoGoal } else { End::Goals };
            let games = u64::from(count(which));
            match self.tally.results.get_mut(&(end, goals.clone())) {
                Some(sum) => *sum += games,
                None => {
                    self.tally.results.insert((end, goals.clone()), games);
                }
            }
            return;
        }
        let planes = &code.goal_planes[goals.len()];
        let (mut once, mut twice) = ([0; W], [0; W]);
        for &(_, plane) in planes {
            for i in 0..W {
                twice[i] |= once[i] & work[plane][i];
                once[i] |= work[plane][i];
            }
        }
        for &(value, plane) in planes {
            goals.push(value);
            let own = without(&meet(&work[plane], which), &twice);
            self.split(code, work, &own, goals);
            goals.pop();
        }
        goals.push(Outcomes::NO_GOAL);
        let mut without_goal = *which;
        for i in 0..W {
            without_goal[i] &= !once[i] | twice[i];
        }
        self.split(code, work, &without_goal, goals);
        goals.pop();
    }
}
