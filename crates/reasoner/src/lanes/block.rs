//! Many playouts side by side.
//!
//! A block has one bit of every plane per game. All its games are in the same
//! phase of the turn; a game that ended makes room for the next playout when
//! the phase of the start comes round.

use game::{End, Goal, MoveId, Outcomes, PlayoutStream, Playouts, Tally};

use super::chooser::{GROUP, Tree};
use super::phase_code::{PhaseCode, TERMINAL};
use super::portable::Plane;
use super::random::{Keys, Scratch};
use super::{LaneState, Lanes};
use rustc_hash::FxHashMap;

/// A move made in one lane.
#[derive(Debug, Clone, Copy)]
struct Made {
    role: u32,
    candidate: u32,
    lane: u32,
}

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
    lanes: std::marker::PhantomData<&'l Lanes>,
    state: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
    /// Work memory, one for each phase: what a phase leaves is there when it comes again.
    work: Vec<Vec<Plane<W>>>,
    /// Moves made in grouped choices: role, place among the candidates, lane.
    made: Vec<Made>,
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

/// Playouts not yet begun.
struct Queue<'a> {
    batches: &'a [Batch<'a>],
    place: usize,
    /// How many of the batch at `place` were begun.
    given: u32,
}

impl Queue<'_> {
    fn is_empty(&self) -> bool {
        self.place >= self.batches.len()
    }
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
        Block {
            lanes: std::marker::PhantomData,
            state: vec![[0; W]; fluents],
            next: vec![[0; W]; fluents],
            work: lanes.code.iter().map(|c| vec![[0; W]; c.work]).collect(),
            made: Vec::new(),
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
        code: &[(usize, &PhaseCode)],
        batches: &[Batch<'_>],
        request: &Playouts<'_, LaneState>,
        collect: &mut impl Collect,
    ) {
        let mut queue = Queue { batches, place: 0, given: 0 };
        let has_forced = batches.iter().any(|b| b.first.is_some());
        self.round = 0;
        self.alive = [0; W];
        let mut oldest = 0u32;
        loop {
            let (place, phase) = code[self.round as usize % code.len()];
            if self.round.is_multiple_of(32) && request.deadline.is_over() {
                queue.place = batches.len();
            }
            let mut forced = [0; W];
            if (self.round as usize).is_multiple_of(code.len()) && !queue.is_empty() {
                let fresh = self.refill(&mut queue, request);
                if has_forced {
                    forced = self.forced(&fresh, batches);
                }
                // A playout may begin in a terminal state.
                let asked = without(&fresh, &forced);
                if any(&asked) && batches.len() > 1 || self.round == 0 {
                    self.end(place, phase, &asked, collect);
                }
            }
            if !any(&self.alive) {
                if queue.is_empty() {
                    return;
                }
                self.round += 1;
                continue;
            }
            let mut work = std::mem::take(&mut self.work[place]);
            phase.view.run(&self.state, &mut self.next, &mut work);
            if self.round - oldest >= request.max_steps {
                let cut = self.cut(request.max_steps, &mut oldest);
                if any(&cut) {
                    collect.ended(self, &cut, Ended::CutOff);
                    self.alive = without(&self.alive, &cut);
                }
            }
            self.choose(phase, &forced, &mut work, collect);
            if any(&forced) {
                self.force(phase, &forced, batches, &mut work);
            }
            if request.trace {
                self.trace(phase, &work);
            }
            collect.stepped(count(&self.alive));
            self.mark(phase, &mut work);
            phase.next.run(&self.state, &mut self.next, &mut work);
            self.mark(phase, &mut work);
            self.made.clear();
            self.work[place] = work;
            std::mem::swap(&mut self.state, &mut self.next);
            self.round += 1;
            let (place, phase) = code[self.round as usize % code.len()];
            let alive = self.alive;
            self.end(place, phase, &alive, collect);
        }
    }

    /// Ends those of the games asked about that are in terminal states.
    fn end(&mut self, place: usize, phase: &PhaseCode, asked: &Plane<W>, collect: &mut impl Collect) {
        let mut work = std::mem::take(&mut self.work[place]);
        phase.terminal.run(&self.state, &mut self.next, &mut work);
        let over = meet(&work[TERMINAL], asked);
        if any(&over) {
            phase.goals.run(&self.state, &mut self.next, &mut work);
            collect.ended(self, &over, Ended::Terminal(phase, &work));
            self.alive = without(&self.alive, &over);
        }
        self.work[place] = work;
    }

    /// Begins playouts in the lanes that are free; says which.
    fn refill(&mut self, queue: &mut Queue<'_>, request: &Playouts<'_, LaneState>) -> Plane<W> {
        let mut free: Plane<W> = self.alive.map(|w| !w);
        let mut fresh = [0; W];
        while let Some(batch) = queue.batches.get(queue.place) {
            let left = batch.numbers.len() as u32 - queue.given;
            let number = batch.numbers.start + queue.given;
            let (filled, taken) = self.begin(&free, left, number, request);
            if taken > 0 {
                self.fill(batch.state, &filled);
            }
            for i in 0..W {
                fresh[i] |= filled[i];
                free[i] &= !filled[i];
            }
            queue.given += taken;
            if taken < left {
                break;
            }
            queue.place += 1;
            queue.given = 0;
        }
        for i in 0..W {
            self.alive[i] |= fresh[i];
        }
        fresh
    }

    /// Gives playouts from `number` on to at most `left` of the free lanes.
    fn begin(&mut self, free: &Plane<W>, left: u32, number: u32, request: &Playouts<'_, LaneState>) -> (Plane<W>, u32) {
        let mut filled = [0; W];
        let mut taken = 0;
        let first = request.first_index + u64::from(number);
        let round = self.round;
        for word in 0..W {
            let mut rest = free[word];
            while rest != 0 && taken < left {
                let bit = rest & rest.wrapping_neg();
                let lane = word * 64 + rest.trailing_zeros() as usize;
                rest ^= bit;
                filled[word] |= bit;
                self.playout[lane] = number + taken;
                self.keys.set(lane, PlayoutStream::new(request.seed, first + u64::from(taken)), round);
                taken += 1;
            }
        }
        if request.trace {
            lanes_of(&filled).for_each(|lane| self.traces[lane].clear());
        }
        (filled, taken)
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
    fn force(&mut self, phase: &PhaseCode, forced: &Plane<W>, batches: &[Batch<'_>], work: &mut [Plane<W>]) {
        for lane in lanes_of(forced) {
            let Some(first) = self.batch_of(lane, batches).first else { continue };
            let (word, bit) = (lane / 64, 1u64 << (lane % 64));
            for (role, mv) in first.iter().enumerate() {
                if !phase.sets[role].is_empty() {
                    self.made.retain(|m| (m.role as usize, m.lane as usize) != (role, lane));
                    if let Ok(candidate) = phase.candidates[role].binary_search(&mv.0) {
                        self.made.push(Made { role: role as u32, candidate: candidate as u32, lane: lane as u32 });
                    }
                    continue;
                }
                for (i, &candidate) in phase.candidates[role].iter().enumerate() {
                    let plane = &mut work[phase.made[role] + i];
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
    fn choose(
        &mut self,
        phase: &PhaseCode,
        forced: &Plane<W>,
        work: &mut [Plane<W>],
        collect: &mut impl Collect,
    ) {
        let mut stuck = [0; W];
        for (role, tree) in phase.trees.iter().enumerate() {
            match tree {
                Some(tree) => {
                    let (head, tail) = work.split_at_mut(phase.drawn[role]);
                    let counts = &head[tree.count..tree.count + tree.width];
                    for i in 0..W {
                        stuck[i] |= !counts.iter().fold(0, |some, c| some | c[i]);
                    }
                    let drawn = &mut tail[..tree.width];
                    self.keys.draw(self.round, role as u32, counts, drawn, &mut self.scratch);
                }
                None if phase.candidates[role].is_empty() => stuck = [!0; W],
                None => {
                    let legal = &work[phase.legal[role]];
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
        phase.choose.run(&self.state, &mut self.next, work);
        for (role, tree) in phase.trees.iter().enumerate() {
            if let Some(tree) = tree.as_ref().filter(|t| t.grouped) {
                self.pick(phase, role, tree, work);
            }
        }
    }

    /// Finds the move of a chosen group and rank, game by game.
    fn pick(&mut self, phase: &PhaseCode, role: usize, tree: &Tree, work: &[Plane<W>]) {
        let moves = phase.candidates[role].len();
        for group in 0..tree.leaves() {
            let games = meet(&work[tree.chosen + group], &self.alive);
            let first = group * GROUP;
            for lane in lanes_of(&games) {
                let (word, bit) = (lane / 64, lane % 64);
                let read = |plane: usize| work[plane][word] >> bit & 1;
                let rank = (0..4).fold(0, |rank, i| rank | read(tree.rank + i) << i);
                let own = phase.legal[role] + first;
                let mut legal = (0..GROUP.min(moves - first)).fold(0, |bits, i| bits | read(own + i) << i);
                for _ in 0..rank {
                    legal &= legal - 1;
                }
                let candidate = first as u32 + legal.trailing_zeros();
                self.made.push(Made { role: role as u32, candidate, lane: lane as u32 });
            }
        }
    }

    /// Turns the bits of sets that hold moves made in grouped choices: on before
    /// the next state is computed, and off again afterwards.
    fn mark(&self, phase: &PhaseCode, work: &mut [Plane<W>]) {
        for made in &self.made {
            for &plane in &phase.sets[made.role as usize][made.candidate as usize] {
                work[plane as usize][made.lane as usize / 64] ^= 1 << (made.lane % 64);
            }
        }
    }

    /// Notes the moves made.
    fn trace(&mut self, phase: &PhaseCode, work: &[Plane<W>]) {
        for (role, candidates) in phase.candidates.iter().enumerate() {
            if !phase.sets[role].is_empty() {
                for made in self.made.iter().filter(|m| m.role as usize == role) {
                    let lane = made.lane as usize;
                    if self.alive[lane / 64] >> (lane % 64) & 1 == 1 {
                        self.traces[lane].push(MoveId(candidates[made.candidate as usize]));
                    }
                }
                continue;
            }
            for (i, &candidate) in candidates.iter().enumerate() {
                let plane = meet(&work[phase.made[role] + i], &self.alive);
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
pub(crate) struct Sum {
    roles: usize,
    playouts: u64,
    steps: u64,
    dead_ends: u64,
    cut_off: u64,
    /// For each role the goal values that some phase knows, in order.
    values: Vec<Vec<Goal>>,
    /// How often each combination of goals came up; the last value of each role is "none".
    counts: FxHashMap<usize, u64>,
    /// The same for small numbers of combinations.
    dense: Vec<u64>,
}

/// Combinations of goals up to which counts are kept in an array.
const DENSE: usize = 4096;

impl Sum {
    pub fn new(values: Vec<Vec<Goal>>) -> Sum {
        let combinations = values.iter().map(|v| v.len() + 1).try_fold(1usize, usize::checked_mul);
        let dense = combinations.filter(|&c| c <= DENSE).map_or(Vec::new(), |c| vec![0; c]);
        Sum {
            roles: values.len(),
            playouts: 0,
            steps: 0,
            dead_ends: 0,
            cut_off: 0,
            values,
            counts: FxHashMap::default(),
            dense,
        }
    }

    /// The tally of everything collected.
    pub fn finish(self) -> Tally {
        let mut tally = Tally { playouts: self.playouts, steps: self.steps, ..Tally::default() };
        let none = vec![Outcomes::NO_GOAL; self.roles];
        for (end, games) in [(End::DeadEnd, self.dead_ends), (End::CutOff, self.cut_off)] {
            if games > 0 {
                tally.results.insert((end, none.clone()), games);
            }
        }
        let dense = self.dense.iter().copied().enumerate();
        for (mut combination, games) in dense.chain(self.counts.iter().map(|(&c, &n)| (c, n))) {
            if games == 0 {
                continue;
            }
            let mut goals = vec![Outcomes::NO_GOAL; self.roles];
            for role in (0..self.roles).rev() {
                let radix = self.values[role].len() + 1;
                if let Some(&value) = self.values[role].get(combination % radix) {
                    goals[role] = value;
                }
                combination /= radix;
            }
            let end = if goals.contains(&Outcomes::NO_GOAL) { End::NoGoal } else { End::Goals };
            *tally.results.entry((end, goals)).or_default() += games;
        }
        tally
    }

    /// Splits games by the goals of one role after another.
    fn split<const W: usize>(
        &mut self,
        code: &PhaseCode,
        work: &[Plane<W>],
        which: &Plane<W>,
        role: usize,
        combination: usize,
    ) {
        if !any(which) {
            return;
        }
        if role == self.roles {
            let games = u64::from(count(which));
            match self.dense.get_mut(combination) {
                Some(sum) => *sum += games,
                None => *self.counts.entry(combination).or_default() += games,
            }
            return;
        }
        let planes = &code.goal_planes[role];
        let (mut once, mut twice) = ([0; W], [0; W]);
        for &(_, plane) in planes {
            let all = meet(&work[plane], which);
            // Mostly all these games have one and the same goal.
            if all == *which && role > 0 && planes.len() > 1 {
                let others = planes.iter().filter(|p| p.1 != plane).any(|p| any(&meet(&work[p.1], which)));
                if !others {
                    let place = planes.iter().position(|p| p.1 == plane).unwrap_or(0);
                    let radix = self.values[role].len() + 1;
                    return self.split(code, work, which, role + 1, combination * radix + place);
                }
            }
            for i in 0..W {
                twice[i] |= once[i] & work[plane][i];
                once[i] |= work[plane][i];
            }
        }
        let radix = self.values[role].len() + 1;
        for (place, &(_, plane)) in planes.iter().enumerate() {
            let own = without(&meet(&work[plane], which), &twice);
            self.split(code, work, &own, role + 1, combination * radix + place);
        }
        let mut none = *which;
        for i in 0..W {
            none[i] &= !once[i] | twice[i];
        }
        self.split(code, work, &none, role + 1, combination * radix + radix - 1);
    }
}

impl Collect for Sum {
    fn ended<const W: usize>(&mut self, _: &Block<'_, W>, which: &Plane<W>, end: Ended<'_, W>) {
        let games = u64::from(count(which));
        self.playouts += games;
        match end {
            Ended::DeadEnd => self.dead_ends += games,
            Ended::CutOff => self.cut_off += games,
            Ended::Terminal(code, work) => self.split(code, work, which, 0, 0),
        }
    }

    fn stepped(&mut self, games: u32) {
        self.steps += u64::from(games);
    }
}
