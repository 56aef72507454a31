//! Results of playouts: one by one, or summed up.

use game::{End, Goal, Outcomes, Playouts, Tally, Totals};
use rustc_hash::FxHashMap;

use super::LaneState;
use super::block::Block;
use super::phase_code::PhaseCode;
use super::plane::{any, count, each_lane, equal, meet, without};
use super::portable::Plane;

/// A consumer of results.
pub(crate) trait Collect {
    /// Whether the consumer needs the numbers of playouts.
    const EACH: bool;
    /// Whether the consumer needs the starts of playouts.
    const FROM: bool;
    /// Records that the games of the lanes in `which` have ended.
    fn ended<const W: usize>(&mut self, block: &Block<W>, which: &Plane<W>, end: Ended<'_, W>);
    /// Records that this many games made a step.
    fn stepped(&mut self, games: u32);
    /// Records that playouts of a start are no longer started, for each of which `made_before` steps were
    /// counted before.
    fn left_out(&mut self, start: u32, playouts: u32, made_before: u32) {
        let _ = (start, playouts, made_before);
    }
    /// Returns the sums by start, if these are the only result.
    fn by_start(&mut self) -> Option<&mut ByStart> {
        None
    }
}

/// The consumer of a whole request.
pub(crate) trait OfRequest: Collect {
    /// Returns the consumer as an [`AnyCollect`], for loops that are compiled once for all kinds.
    fn any(&mut self) -> AnyCollect<'_>;
}

impl OfRequest for Each {
    fn any(&mut self) -> AnyCollect<'_> {
        AnyCollect::Each(self)
    }
}

impl OfRequest for Sum {
    fn any(&mut self) -> AnyCollect<'_> {
        AnyCollect::Sum(self)
    }
}

impl OfRequest for ByStart {
    fn any(&mut self) -> AnyCollect<'_> {
        AnyCollect::ByStart(self)
    }
}

/// A consumer of any kind.
pub(crate) enum AnyCollect<'a> {
    Each(&'a mut Each),
    Sum(&'a mut Sum),
    ByStart(&'a mut ByStart),
}

impl Collect for AnyCollect<'_> {
    const EACH: bool = true;
    const FROM: bool = true;

    fn ended<const W: usize>(&mut self, block: &Block<W>, which: &Plane<W>, end: Ended<'_, W>) {
        match self {
            AnyCollect::Each(each) => each.ended(block, which, end),
            AnyCollect::Sum(sum) => sum.ended(block, which, end),
            AnyCollect::ByStart(sums) => sums.ended(block, which, end),
        }
    }

    fn stepped(&mut self, games: u32) {
        match self {
            AnyCollect::Each(each) => each.stepped(games),
            AnyCollect::Sum(sum) => sum.stepped(games),
            AnyCollect::ByStart(sums) => sums.stepped(games),
        }
    }

    fn left_out(&mut self, start: u32, playouts: u32, made_before: u32) {
        match self {
            AnyCollect::ByStart(sums) => sums.left_out(start, playouts, made_before),
            AnyCollect::Each(_) | AnyCollect::Sum(_) => {}
        }
    }

    fn by_start(&mut self) -> Option<&mut ByStart> {
        match self {
            AnyCollect::ByStart(sums) => Some(sums),
            AnyCollect::Each(_) | AnyCollect::Sum(_) => None,
        }
    }
}

/// How games ended, and where their goals are.
pub(crate) enum Ended<'a, const W: usize> {
    /// In a terminal state, with the planes of the goals.
    Terminal(&'a PhaseCode, &'a [Plane<W>]),
    DeadEnd,
    CutOff,
}

/// Individual outcomes.
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

    /// Records that the playout with this number has ended in a lane.
    pub fn end<const W: usize>(&mut self, number: usize, block: &Block<W>, lane: usize, end: &Ended<'_, W>) {
        let roles = self.outcomes.roles;
        self.seen[number] = true;
        self.outcomes.lengths[number] = block.steps(lane);
        if !self.outcomes.traces.is_empty() {
            self.outcomes.traces[number] = block.traces[lane].clone();
        }
        self.outcomes.ends[number] = match end {
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

    /// Returns the outcomes of the playouts that were started.
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
    const EACH: bool = true;
    const FROM: bool = false;

    fn ended<const W: usize>(&mut self, block: &Block<W>, which: &Plane<W>, end: Ended<'_, W>) {
        each_lane(which, |lane| {
            let number = block.playout[lane / 64][lane % 64] as usize;
            self.end(number, block, lane, &end);
        });
    }

    fn stepped(&mut self, _: u32) {}
}

/// Returns the unique goal value of a role in a lane, or [`Outcomes::NO_GOAL`].
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

/// The number of games of a word that end together from which games of the same start are grouped.
const FEW: u32 = 3;

/// Outcomes summed up by start.
pub(crate) struct ByStart(pub Totals);

impl ByStart {
    pub fn new(request: &Playouts<'_, LaneState>, roles: usize) -> ByStart {
        let mut totals = Totals::new(request.starts.len(), roles);
        totals.playouts.iter_mut().zip(request.starts).for_each(|(count, start)| *count = start.count);
        ByStart(totals)
    }

    /// Adds the goals of games that have ended, each as many times as `times` returns for its start.
    #[inline(always)]
    pub fn add<const W: usize>(
        &mut self,
        block: &Block<W>,
        which: &Plane<W>,
        end: &Ended<'_, W>,
        times: impl Fn(usize) -> i64,
    ) {
        let Ended::Terminal(code, work) = end else { return };
        let Totals { roles, goals, .. } = &mut self.0;
        let odd = meet(&work[code.irregular], which);
        for (word, from) in block.from.iter().enumerate() {
            let mut rest = which[word] & !odd[word];
            let few = rest.count_ones() < FEW;
            // Games of one start are usually in neighbouring lanes.
            while rest != 0 {
                let first = rest.trailing_zeros() as usize % 64;
                let own = if few { 1 << first } else { rest & equal(from, from[first]) };
                rest &= !own;
                let start = from[first] as usize;
                let (sums, times) = (&mut goals[start * *roles..][..*roles], times(start));
                for &(role, goal, plane) in &code.goal_terms {
                    sums[role] += times * goal * i64::from((work[plane][word] & own).count_ones());
                }
            }
        }
        each_lane(&odd, |lane| {
            let start = block.from[lane / 64][lane % 64] as usize;
            for (role, sum) in goals[start * *roles..][..*roles].iter_mut().enumerate() {
                let goal = Some(goal_of(code, work, role, lane)).filter(|goal| *goal != Outcomes::NO_GOAL);
                *sum += times(start) * goal.map_or(0, i64::from);
            }
        });
    }
}

impl Collect for ByStart {
    const EACH: bool = false;
    const FROM: bool = true;

    #[inline(always)]
    fn ended<const W: usize>(&mut self, block: &Block<W>, which: &Plane<W>, end: Ended<'_, W>) {
        self.add(block, which, &end, |_| 1);
    }

    #[inline(always)]
    fn stepped(&mut self, games: u32) {
        self.0.steps += u64::from(games);
    }

    fn left_out(&mut self, start: u32, playouts: u32, made_before: u32) {
        self.0.playouts[start as usize] -= playouts;
        self.0.steps -= u64::from(playouts) * u64::from(made_before);
    }

    fn by_start(&mut self) -> Option<&mut ByStart> {
        Some(self)
    }
}

/// Outcomes summed up.
pub(crate) struct Sum {
    roles: usize,
    playouts: u64,
    steps: u64,
    dead_ends: u64,
    cut_off: u64,
    /// For each role, the goal values that occur in some phase, in order.
    values: Vec<Vec<Goal>>,
    /// How often each combination of goals occurred. The last value of each role means "none".
    counts: FxHashMap<usize, u64>,
    /// The same, if the number of combinations is small.
    dense: Vec<u64>,
    /// The combinations that occurred first, with their counts.
    usual: Vec<Usual>,
}

/// A combination of goals, one for every role, and how often it occurred.
struct Usual {
    places: Vec<usize>,
    games: u64,
}

/// The number of combinations that are counted separately.
const USUAL: usize = 6;

/// The number of combinations of goals up to which counts are kept in an array.
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
            usual: Vec::new(),
        }
    }

    /// Returns the tally of everything collected.
    pub fn finish(self) -> Tally {
        let mut tally = Tally { playouts: self.playouts, steps: self.steps, ..Tally::default() };
        let none = vec![Outcomes::NO_GOAL; self.roles];
        for (end, games) in [(End::DeadEnd, self.dead_ends), (End::CutOff, self.cut_off)] {
            if games > 0 {
                tally.results.insert((end, none.clone()), games);
            }
        }
        let dense = self.dense.iter().copied().enumerate();
        let usual = self.usual.iter().map(|usual| (self.number(&usual.places), usual.games));
        let sparse = self.counts.iter().map(|(&c, &n)| (c, n));
        for (mut combination, games) in dense.chain(sparse).chain(usual) {
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

    /// Returns the number of a combination.
    fn number(&self, places: &[usize]) -> usize {
        self.values.iter().zip(places).fold(0, |number, (v, place)| number * (v.len() + 1) + place)
    }

    /// Counts games that have ended in a terminal state.
    #[inline(always)]
    fn count<const W: usize>(&mut self, code: &PhaseCode, work: &[Plane<W>], which: &Plane<W>) {
        let odd = meet(&work[code.irregular], which);
        let mut rest = without(which, &odd);
        // If every role has exactly one goal, a game belongs to exactly one combination.
        for usual in &mut self.usual {
            let mut own = rest;
            for (planes, &place) in code.goal_planes.iter().zip(&usual.places) {
                own = meet(&own, &work[planes[place].1]);
            }
            usual.games += u64::from(count(&own));
            rest = without(&rest, &own);
        }
        if any(&odd) {
            self.split(code, work, &odd, 0, 0);
        }
        if any(&rest) {
            self.meet_new(code, work, rest);
        }
    }

    /// Counts games with combinations that are not among the usual ones.
    #[cold]
    fn meet_new<const W: usize>(&mut self, code: &PhaseCode, work: &[Plane<W>], mut rest: Plane<W>) {
        while any(&rest) && self.usual.len() < USUAL {
            let word = rest.iter().position(|&w| w != 0).unwrap_or(0);
            let bit = rest[word].trailing_zeros();
            let holds = |plane: usize| work[plane][word] >> bit & 1 == 1;
            let of_role = |planes: &Vec<(Goal, usize)>| planes.iter().position(|p| holds(p.1)).unwrap_or(0);
            let places: Vec<usize> = code.goal_planes.iter().map(of_role).collect();
            let planes = code.goal_planes.iter().zip(&places);
            let own = planes.fold(rest, |own, (planes, &place)| meet(&own, &work[planes[place].1]));
            self.usual.push(Usual { places, games: u64::from(count(&own)) });
            rest = without(&rest, &own);
        }
        self.split(code, work, &rest, 0, 0);
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
    const EACH: bool = false;
    const FROM: bool = false;

    #[inline(always)]
    fn ended<const W: usize>(&mut self, _: &Block<W>, which: &Plane<W>, end: Ended<'_, W>) {
        let games = u64::from(count(which));
        self.playouts += games;
        match end {
            Ended::DeadEnd => self.dead_ends += games,
            Ended::CutOff => self.cut_off += games,
            Ended::Terminal(code, work) => self.count(code, work, which),
        }
    }

    #[inline(always)]
    fn stepped(&mut self, games: u32) {
        self.steps += u64::from(games);
    }
}
