//! Many playouts side by side.
//!
//! A block has one bit of every plane per game. All its games are in the same
//! phase of the turn; a game that ended makes room for the next playout when
//! the phase of the start comes round.

use game::{MoveId, PlayoutStream, Playouts};

use super::chooser::{GROUP, Tree};
use super::collect::{Collect, Ended};
use super::phase_code::{PhaseCode, TERMINAL};
use super::plane::{any, count, join, lanes_of, meet, without};
use super::portable::Plane;
use super::random::{Keys, Scratch};
use super::{LaneState, Lanes};

/// A move made in one lane.
#[derive(Debug, Clone, Copy)]
struct Made {
    role: u32,
    candidate: u32,
    lane: u32,
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
            fresh = join(&fresh, &filled);
            free = without(&free, &filled);
            queue.given += taken;
            if taken < left {
                break;
            }
            queue.place += 1;
            queue.given = 0;
        }
        self.alive = join(&self.alive, &fresh);
        fresh
    }

    /// Gives playouts from `number` on to at most `left` of the free lanes.
    fn begin(
        &mut self,
        free: &Plane<W>,
        left: u32,
        number: u32,
        request: &Playouts<'_, LaneState>,
    ) -> (Plane<W>, u32) {
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
                        self.made.push(Made {
                            role: role as u32,
                            candidate: candidate as u32,
                            lane: lane as u32,
                        });
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
