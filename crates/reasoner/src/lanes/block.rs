//! Games side by side: one bit of every plane per game.
//!
//! A block is memory, with the operations on single lanes between programs: starting playouts in free lanes,
//! drawing, and forced first moves. The loop is in `play.rs`.

use game::{MoveId, PlayoutStream, Playouts, Seed};

use super::chooser::{GROUP, Tree};
use super::collect::{Collect, Ended};
use super::exec::Asleep;
use super::phase_code::PhaseCode;
use super::plane::{any, count, each_lane, join, meet, set_lanes, without};
use super::portable::Plane;
use super::random::{ByLane, Keys, gather};
use super::transpose::to_planes;
use super::{LaneState, Lanes};

/// Refills from more distinct states than this transpose the states all at once.
pub(crate) const FEW_STARTS: usize = 4;

/// A move made in one lane.
#[derive(Debug, Clone, Copy)]
struct Made {
    role: u32,
    candidate: u32,
    lane: u32,
}

/// Lanes that begin with a given joint move, and where the joint move is stored.
struct Given<const W: usize> {
    lanes: Plane<W>,
    joint: std::ops::Range<usize>,
}

/// Games side by side.
pub(crate) struct Block<const W: usize> {
    pub state: Vec<Plane<W>>,
    pub next: Vec<Plane<W>>,
    /// Which sections of programs have left these planes empty.
    pub state_asleep: Asleep,
    pub next_asleep: Asleep,
    /// The work memory of each phase. What a phase leaves is still there when the phase comes again.
    pub work: Vec<Vec<Plane<W>>>,
    pub alive: Plane<W>,
    /// Lanes that begin with given first moves of at least one role, until these are made.
    pub forced: Plane<W>,
    /// Those of them in which the moves of all roles are given.
    whole: Plane<W>,
    roles: usize,
    given: Vec<Given<W>>,
    /// The given joint moves, one after the other.
    joints: Vec<MoveId>,
    pub round: u32,
    /// The number of steps that playouts have already made when they begin here.
    pub made_before: u32,
    /// For each lane, the number of its playout within the request, if individual outcomes are requested.
    pub playout: Box<ByLane<W>>,
    /// For each lane, the start or the order that its playout belongs to, if that is requested.
    pub from: Box<ByLane<W>>,
    /// The moves made in each lane, if they are requested.
    pub traces: Vec<Vec<MoveId>>,
    /// The moves made in grouped choices.
    made: Vec<Made>,
    keys: Keys<W>,
    /// Memory by lane: low and high bytes of groups, and ranks.
    bytes: [Vec<u8>; 3],
}

/// Playouts that begin in the same state or with the same first move.
pub(crate) struct Batch<'a> {
    pub state: &'a LaneState,
    pub first: Option<&'a [MoveId]>,
    /// The number of the start.
    pub start: u32,
    /// The numbers of the playouts within the request.
    pub numbers: std::ops::Range<u32>,
}

impl<'a> Batch<'a> {
    /// Returns the same playouts after their first step.
    pub fn after(&self, state: &'a LaneState) -> Batch<'a> {
        Batch { state, first: None, start: self.start, numbers: self.numbers.clone() }
    }
}

/// Playouts that have not started.
pub(crate) struct Queue<'a> {
    pub batches: &'a [Batch<'a>],
    /// The states of all starts.
    states: &'a [&'a LaneState],
    place: usize,
    /// The number of playouts of the batch at `place` that have started.
    given: u32,
    /// Whether there is only one start, which is known not to be terminal.
    pub is_open: bool,
}

impl<'a> Queue<'a> {
    pub fn new(batches: &'a [Batch<'a>], states: &'a [&'a LaneState]) -> Queue<'a> {
        Queue { batches, states, place: 0, given: 0, is_open: false }
    }

    pub fn is_empty(&self) -> bool {
        self.place >= self.batches.len()
    }

    /// Drops all playouts that have not started.
    pub fn drop_rest(&mut self, made_before: u32, collect: &mut impl Collect) {
        for batch in &self.batches[self.place.min(self.batches.len())..] {
            collect.left_out(batch.start, batch.numbers.len() as u32 - self.given, made_before);
            self.given = 0;
        }
        self.place = self.batches.len();
    }
}

impl<const W: usize> Block<W> {
    pub fn new(lanes: &Lanes) -> Block<W> {
        let fluents = lanes.fluents;
        Block {
            state: vec![[0; W]; fluents],
            next: vec![[0; W]; fluents],
            state_asleep: Asleep::default(),
            next_asleep: Asleep::default(),
            work: lanes.code.iter().map(|c| vec![[0; W]; c.work]).collect(),
            alive: [0; W],
            forced: [0; W],
            whole: [0; W],
            roles: lanes.roles,
            given: Vec::new(),
            joints: Vec::new(),
            round: 0,
            made_before: 0,
            playout: Box::new([[0; 64]; W]),
            from: Box::new([[0; 64]; W]),
            traces: vec![Vec::new(); W * 64],
            made: Vec::new(),
            keys: Keys::new(),
            bytes: [vec![0; W * 64], vec![0; W * 64], vec![0; W * 64]],
        }
    }

    /// Drops everything that is in progress.
    pub fn reset(&mut self) {
        (self.alive, self.forced, self.whole) = ([0; W], [0; W], [0; W]);
        (self.round, self.made_before) = (0, 0);
        self.given.clear();
        self.joints.clear();
        self.made.clear();
    }

    /// Makes the state after the step the current state.
    #[inline(always)]
    pub fn go_on(&mut self) {
        std::mem::swap(&mut self.state, &mut self.next);
        std::mem::swap(&mut self.state_asleep, &mut self.next_asleep);
    }

    /// Returns the number of steps that a lane's playout has made.
    pub fn steps(&self, lane: usize) -> u32 {
        self.round.wrapping_sub(self.keys.began[lane / 64][lane % 64])
    }

    /// Starts playouts in the free lanes. Returns these lanes.
    #[inline(always)]
    pub fn refill<C: Collect>(
        &mut self,
        queue: &mut Queue<'_>,
        request: &Playouts<'_, LaneState>,
    ) -> Plane<W> {
        let mut free: Plane<W> = self.alive.map(|w| !w);
        let mut fresh = [0; W];
        let batches = queue.batches;
        let (mut states, mut later) = (0, [0; W]);
        let fluents = self.state.len();
        // Transposing a word of lanes costs about as much as a few calls that fill all lanes.
        let at_once = |lanes: &Plane<W>| count(lanes) as usize * fluents.div_ceil(64) * 3 >= 2 * fluents;
        let mut last: Option<(&LaneState, Plane<W>)> = None;
        while let Some(batch) = batches.get(queue.place).filter(|_| any(&free)) {
            let left = batch.numbers.len() as u32 - queue.given;
            let filled = first_lanes(&free, left);
            self.begin::<C>(&filled, batch.numbers.start + queue.given, request.seed, request.first_index);
            if let Some(first) = batch.first {
                self.give(&filled, first);
            }
            // Consecutive starts with the same state are filled together.
            match &mut last {
                Some((state, lanes)) if *state == batch.state => *lanes = join(lanes, &filled),
                _ => match last.replace((batch.state, filled)) {
                    Some((state, lanes)) if states <= FEW_STARTS || at_once(&lanes) => {
                        self.fill(state, &lanes);
                        states += 1;
                    }
                    Some((_, lanes)) => later = join(&later, &lanes),
                    None => {}
                },
            }
            if C::FROM || batches.len() > FEW_STARTS {
                set_lanes(&mut self.from, &filled, batch.start);
            }
            fresh = join(&fresh, &filled);
            free = without(&free, &filled);
            let taken = count(&filled);
            queue.given += taken;
            if taken == left {
                queue.place += 1;
                queue.given = 0;
            }
        }
        if let Some((state, lanes)) = last {
            self.fill(state, &lanes);
        }
        if any(&later) {
            self.fill_each(&later, |from, _| queue.states[from as usize]);
        }
        self.alive = join(&self.alive, &fresh);
        if request.trace {
            each_lane(&fresh, |lane| self.traces[lane].clear());
        }
        fresh
    }

    /// Assigns playouts from `number` on to lanes. `first_index` is the index of playout 0.
    #[inline(always)]
    pub fn begin<C: Collect>(&mut self, filled: &Plane<W>, number: u32, seed: Seed, first_index: u64) {
        let mut index = first_index.wrapping_add(u64::from(number));
        let began = self.round.wrapping_sub(self.made_before);
        let mut number = number;
        for (word, &bits) in filled.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize % 64;
                rest &= rest - 1;
                self.keys.set(word, bit, PlayoutStream::new(seed, index), began);
                index = index.wrapping_add(1);
                if C::EACH {
                    self.playout[word][bit] = number;
                    number += 1;
                }
            }
        }
    }

    /// Sets the state of lanes.
    #[inline(always)]
    pub fn fill(&mut self, state: &LaneState, lanes: &Plane<W>) {
        self.state_asleep.forget();
        for (chunk, &bits) in self.state.chunks_mut(64).zip(&state.0) {
            for (i, plane) in chunk.iter_mut().enumerate() {
                // The bits are unpredictable, so a branch would be mispredicted often.
                let holds = 0u64.wrapping_sub(bits >> i & 1);
                for (word, lanes) in plane.iter_mut().zip(lanes) {
                    *word = *word & !lanes | lanes & holds;
                }
            }
        }
    }

    /// Sets the state of each lane to that of its start or order and its number.
    pub fn fill_each<'a>(&mut self, lanes: &Plane<W>, state: impl Fn(u32, u32) -> &'a LaneState) {
        self.state_asleep.forget();
        for (word, &which) in lanes.iter().enumerate().filter(|(_, which)| **which != 0) {
            let (from, number) = (&self.from[word], &self.playout[word]);
            to_planes(&mut self.state, word, |bit| {
                (which >> bit & 1 == 1).then(|| &*state(from[bit], number[bit]).0)
            });
        }
    }

    /// Gives lanes the joint move of the next step.
    pub fn give(&mut self, lanes: &Plane<W>, first: &[MoveId]) {
        self.forced = join(&self.forced, lanes);
        if first.len() == self.roles && !first.contains(&MoveId::DRAWN) {
            self.whole = join(&self.whole, lanes);
        }
        let from = self.joints.len();
        self.joints.extend_from_slice(first);
        self.given.push(Given { lanes: *lanes, joint: from..self.joints.len() });
    }

    /// Returns `true` if all moves of the next step are given in all games.
    #[inline(always)]
    pub fn is_given(&self) -> bool {
        !any(&without(&self.alive, &self.whole))
    }

    /// Overwrites the moves of lanes whose first moves are given.
    pub fn force(&mut self, place: usize, phase: &PhaseCode) {
        let Block { work, made, given, joints, .. } = self;
        if given.is_empty() {
            return;
        }
        let work = &mut work[place];
        for (role, candidates) in phase.candidates.iter().enumerate() {
            let moves = || {
                let of_role = |given: &Given<W>| joints[given.joint.clone()].get(role).copied();
                let moves = given.iter().map(move |given| (&given.lanes, of_role(given)));
                moves.filter_map(|(lanes, mv)| Some((lanes, mv.filter(|mv| *mv != MoveId::DRAWN)?)))
            };
            let all = moves().fold([0; W], |all, (lanes, _)| join(&all, lanes));
            let grouped = phase.is_grouped(role);
            if grouped {
                let is_given = |m: &Made| all[m.lane as usize / 64] >> (m.lane % 64) & 1 == 1;
                made.retain(|m| m.role as usize != role || !is_given(m));
            } else {
                for plane in &mut work[phase.made[role]..phase.made[role] + candidates.len()] {
                    *plane = without(plane, &all);
                }
            }
            for (lanes, mv) in moves() {
                let Ok(candidate) = candidates.binary_search(&mv.0) else { continue };
                if grouped {
                    let (role, candidate) = (role as u32, candidate as u32);
                    each_lane(lanes, |lane| made.push(Made { role, candidate, lane: lane as u32 }));
                } else {
                    let plane = &mut work[phase.made[role] + candidate];
                    *plane = join(plane, lanes);
                }
            }
        }
        given.clear();
        joints.clear();
        (self.forced, self.whole) = ([0; W], [0; W]);
    }

    /// Returns the lanes that have reached the step limit, and lowers `oldest` to the round in which the
    /// oldest of the others began.
    pub fn cut(&self, max_steps: u32, oldest: &mut u32) -> Plane<W> {
        let mut cut = [0; W];
        each_lane(&self.alive, |lane| {
            if self.steps(lane) >= max_steps {
                cut[lane / 64] |= 1 << (lane % 64);
            } else {
                let began = self.keys.began[lane / 64][lane % 64];
                *oldest = (*oldest).min(began.wrapping_add(self.made_before));
            }
        });
        cut
    }

    /// Draws for every role. Games in which a role has no legal move end.
    #[inline(always)]
    pub fn draw(&mut self, place: usize, phase: &PhaseCode, collect: &mut impl Collect) {
        let mut stuck = [0; W];
        let work = &mut self.work[place];
        for (role, tree) in phase.trees.iter().enumerate() {
            match tree {
                Some(tree) => {
                    let (head, tail) = work.split_at_mut(phase.drawn[role]);
                    let counts = &head[tree.count..tree.count + tree.width];
                    for i in 0..W {
                        stuck[i] |= !counts.iter().fold(0, |some, c| some | c[i]);
                    }
                    self.keys.draw(self.round, role as u32, counts, &mut tail[..tree.width]);
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
        let stuck = without(&meet(&stuck, &self.alive), &self.whole);
        if any(&stuck) {
            collect.ended(self, &stuck, Ended::DeadEnd);
            self.alive = without(&self.alive, &stuck);
        }
    }

    /// Looks up the moves of chosen groups and ranks, game by game.
    #[inline(always)]
    pub fn pick(&mut self, place: usize, phase: &PhaseCode) {
        for (role, tree) in phase.trees.iter().enumerate() {
            if let Some(tree) = tree.as_ref().filter(|t| t.grouped) {
                self.pick_grouped(place, phase, role, tree);
            }
        }
    }

    #[inline(always)]
    fn pick_grouped(&mut self, place: usize, phase: &PhaseCode, role: usize, tree: &Tree) {
        let work = &self.work[place];
        let [low, high, ranks] = &mut self.bytes;
        let groups = &work[tree.group..tree.group + tree.group_bits];
        let (small, large) = groups.split_at(groups.len().min(8));
        gather(small, low);
        gather(large, high);
        gather(&work[tree.rank..tree.rank + tree.rank_bits], ranks);
        let (groups, _) = work[phase.legal[role]..].as_chunks::<GROUP>();
        let made = &mut self.made;
        for (word, &alive) in self.alive.iter().enumerate() {
            let mut rest = alive;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize % 64;
                rest &= rest - 1;
                let lane = word * 64 + bit;
                let group = usize::from(low[lane]) | usize::from(high[lane]) << 8;
                let rank = u64::from(ranks[lane]);
                // The place is the number of moves up to which at most `rank` are legal.
                let (mut seen, mut before) = (0, 0);
                for plane in &groups[group] {
                    seen += plane[word] >> bit & 1;
                    before += u32::from(seen <= rank);
                }
                let candidate = (group * GROUP) as u32 + before;
                made.push(Made { role: role as u32, candidate, lane: lane as u32 });
            }
        }
    }

    /// Sets the bits of the sets that contain moves made in grouped choices.
    #[inline(always)]
    pub fn mark(&mut self, place: usize, phase: &PhaseCode) {
        let work = &mut self.work[place];
        for made in &self.made {
            for &plane in phase.sets_of(made.role as usize, made.candidate as usize) {
                work[plane as usize][made.lane as usize / 64] |= 1 << (made.lane % 64);
            }
        }
    }

    /// Clears these bits.
    #[inline(always)]
    pub fn unmark(&mut self, place: usize, phase: &PhaseCode) {
        self.work[place][phase.set_planes.clone()].fill([0; W]);
        self.made.clear();
    }

    /// Records the moves made.
    pub fn trace(&mut self, place: usize, phase: &PhaseCode) {
        for (role, candidates) in phase.candidates.iter().enumerate() {
            if phase.is_grouped(role) {
                for made in self.made.iter().filter(|m| m.role as usize == role) {
                    let lane = made.lane as usize;
                    if self.alive[lane / 64] >> (lane % 64) & 1 == 1 {
                        self.traces[lane].push(MoveId(candidates[made.candidate as usize]));
                    }
                }
                continue;
            }
            for (i, &candidate) in candidates.iter().enumerate() {
                let plane = meet(&self.work[place][phase.made[role] + i], &self.alive);
                each_lane(&plane, |lane| self.traces[lane].push(MoveId(candidate)));
            }
        }
    }
}

/// Returns the first `most` of these lanes.
#[inline(always)]
pub(crate) fn first_lanes<const W: usize>(lanes: &Plane<W>, most: u32) -> Plane<W> {
    if count(lanes) <= most {
        return *lanes;
    }
    let (mut first, mut left) = ([0; W], most);
    for (out, &word) in first.iter_mut().zip(lanes) {
        if word.count_ones() <= left {
            *out = word;
            left -= word.count_ones();
            continue;
        }
        let mut rest = word;
        while left > 0 {
            rest &= rest - 1;
            left -= 1;
        }
        *out = word & !rest;
        break;
    }
    first
}
