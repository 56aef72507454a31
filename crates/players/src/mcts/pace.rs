//! The amount of work between two checks of the clock.
//!
//! A game that plays hundreds of playouts side by side takes about as long for one as for all of them, so its
//! batches are large; a game that plays them one after the other gets small ones. A short trial before the
//! match determines which kind it is, and how long playouts may be. With counted budgets nothing is measured,
//! so that results depend only on the seed.

use std::time::{Duration, Instant};

use game::perft::JointMoves;
use game::{Budget, Deadline, End, Fault, Game, Playouts, Seed, Start, Stepped};

use super::Settings;

/// The number of steps after which a playout is cut off, unless the trial or the spec sets a lower limit.
const MAX_STEPS: u32 = 10_000;
/// The number of steps and of playouts of the first trial.
const TRIAL_STEPS: u32 = 50;
const TRIAL_PLAYOUTS: u32 = 64;
/// How often something is timed.
const ATTEMPTS: u32 = 5;
/// The number of playouts of a batch if they are played side by side, and if they are not.
const WIDE: u32 = 512;
const NARROW: u32 = 16;
/// The number of leaves of a batch, if there is time for many batches.
const LEAVES: u32 = 64;
/// The number of leaves for one move, if there is not.
const ENOUGH: u32 = 2048;
/// The maximum time of playouts side by side, so that there are many batches in a long clock. They are never
/// cut to less than their usual length divided by `PART`.
const LONG: Duration = Duration::from_millis(600);
const PART: u32 = 3;
/// The number of fluents from which single states are assumed to be slow if nothing is measured.
const HUGE: usize = 1 << 14;
/// The number of steps that are timed one by one, and as a batch.
const SINGLE: usize = 8;
const TOGETHER: usize = 64;
/// How many times faster a batch must be to be worth the wait, and how slow single steps must be.
const FASTER: u32 = 4;
const SLOW: Duration = Duration::from_micros(200);
/// Batches that take at least `WORTH`, and at most the clock divided by `FLOWING`, are overlapped with others
/// that start and end at other times, so that lanes whose games are over are soon filled again.
const WORTH: Duration = Duration::from_millis(20);
const FLOWING: u32 = 10;

#[derive(Debug, Clone)]
pub(super) struct Pace {
    pub max_steps: u32,
    /// The clock of a move, if there is one.
    pub clock: Option<Duration>,
    counted: bool,
    /// The number of playouts of a batch.
    total: u32,
    least: u32,
    most: u32,
    batch: Option<u32>,
    per_leaf: Option<u32>,
    /// Whether new states are made a batch at a time.
    pub together: bool,
    /// Whether batches overlap with others that start and end at other times.
    pub flows: bool,
    /// The usual time of a batch.
    pub usual: Duration,
}

impl Pace {
    /// Creates a pace without a trial.
    pub fn counted<G: Game>(game: &G, settings: &Settings) -> Pace {
        let batch = settings.leaves();
        Pace {
            max_steps: settings.steps.unwrap_or(MAX_STEPS),
            clock: None,
            counted: true,
            total: batch,
            least: batch,
            most: batch,
            batch: Some(batch),
            per_leaf: Some(settings.leaf.unwrap_or(1)),
            together: settings.together.unwrap_or(game::fluent_count(game) >= HUGE),
            flows: false,
            usual: Duration::ZERO,
        }
    }

    /// Creates a pace with a trial that takes a small part of a move's time.
    pub fn measured<G: Game>(
        game: &G,
        scratch: &mut G::Scratch,
        settings: &Settings,
        clock: Duration,
        deadline: &Deadline,
    ) -> Result<Pace, Fault> {
        let mut pace = Pace::counted(game, settings);
        if settings.budget != Budget::Clock {
            return Ok(pace);
        }
        let mut trial = |count: u32, max_steps: u32| {
            let starts = [Start { state: game.initial(), first: None, count }];
            let began = Instant::now();
            let seed = Seed(u64::from(count));
            let request = Playouts { max_steps, deadline: deadline.clone(), ..Playouts::new(&starts, seed) };
            game.playouts(scratch, &request).map(|outcomes| (outcomes, began.elapsed()))
        };
        let (_, one) = quickest(clock, || trial(1, TRIAL_STEPS))?;
        let (many, all) = quickest(clock, || trial(TRIAL_PLAYOUTS, TRIAL_STEPS))?;
        // If playouts seem to be played side by side, this is confirmed with as many as there may be lanes.
        let wide = all < one * (TRIAL_PLAYOUTS / 2) && {
            let (_, full) = quickest(clock, || trial(WIDE / 2, TRIAL_STEPS))?;
            full < one * (WIDE / 2 / FASTER)
        };
        let rounds = many.lengths.iter().copied().max().unwrap_or(1).max(1);
        // A playout may take an eighth of the clock; longer ones are cut off.
        let per_round = if wide { all / rounds } else { all / (rounds * TRIAL_PLAYOUTS) };
        let allowed = (clock / 8).as_nanos() / per_round.as_nanos().max(1);
        let allowed = allowed.clamp(16, u128::from(MAX_STEPS)) as u32;
        let soon = (LONG.as_nanos() / per_round.as_nanos().max(1)).min(u128::from(allowed)) as u32;
        let (outcomes, _) = trial(if wide { TRIAL_PLAYOUTS } else { 1 }, allowed)?;
        let mut lengths = outcomes.lengths.clone();
        lengths.sort_unstable();
        // Playouts side by side end with the longest of them, so a few that are much longer are cut off.
        let usual = lengths.get(lengths.len() * 9 / 10).copied().unwrap_or(allowed);
        let most = if wide { usual + usual / 2 + 50 } else { usual * 8 + 100 };
        let cut = outcomes.ends.contains(&End::CutOff) || outcomes.is_empty();
        let allowed = if wide { soon.max(usual / PART).min(allowed) } else { allowed };
        pace.max_steps = settings.steps.unwrap_or(if cut { allowed } else { allowed.min(most) });
        pace.together = match settings.together {
            Some(together) => together,
            None => is_faster_together(game, scratch, clock)?,
        };
        let long = per_round * usual.min(pace.max_steps);
        pace.flows = wide && long >= WORTH && long <= clock / FLOWING;
        (pace.counted, pace.clock) = (false, Some(clock));
        pace.most = if wide { WIDE } else { NARROW };
        // Fewer playouts than lanes would take as long.
        pace.least = if wide { WIDE / 2 } else { 1 };
        pace.total = pace.least;
        (pace.batch, pace.per_leaf) = (settings.batch, settings.leaf);
        Ok(pace)
    }

    /// Returns the number of leaves of the next batch and of playouts from each, after this many visits of
    /// the root, if a batch takes `batch` of the clock.
    pub fn next(&self, visits: u32, clock: Option<Duration>, batch: Duration) -> (u32, u32) {
        let few = clock.map_or(0, |clock| {
            let batches = clock.as_nanos() / batch.as_nanos().max(1);
            u128::from(ENOUGH).checked_div(batches).unwrap_or(0).min(u128::from(self.total)) as u32
        });
        let leaves = (visits / 8).clamp(8, LEAVES).max(few).min(self.total);
        match (self.batch, self.per_leaf) {
            (Some(leaves), per_leaf) => (leaves, per_leaf.unwrap_or((self.total / leaves).max(1))),
            (None, Some(per_leaf)) => (leaves, per_leaf),
            // A batch that is half empty takes as long as a full one.
            (None, None) => {
                let per_leaf = self.total.div_ceil(leaves);
                (self.total / per_leaf, per_leaf)
            }
        }
    }

    /// Returns the number of batches that keep this many lanes busy, although their playouts do not end at
    /// the same time.
    pub fn ahead(&self, room: usize) -> usize {
        (room + room / 4).div_ceil(self.least.max(1) as usize) + 1
    }

    /// Adapts to the time of a batch.
    pub fn learn(&mut self, took: Duration, clock: Option<Duration>) {
        let Some(clock) = clock.filter(|_| !self.counted) else { return };
        self.usual = if self.usual.is_zero() { took } else { (self.usual * 3 + took) / 4 };
        if took > clock / 20 {
            self.total = (self.total / 2).max(self.least);
        } else if took < clock / 80 {
            self.total = (self.total * 2).min(self.most);
        }
    }
}

/// Returns `true` if many steps at once, each from another state, are much faster than one by one.
fn is_faster_together<G: Game>(game: &G, scratch: &mut G::Scratch, clock: Duration) -> Result<bool, Fault> {
    // Games without numbered fluents make steps one by one in any case.
    if game.grounded().is_none() {
        return Ok(false);
    }
    let first = game.initial();
    let (mut states, mut joints) = (Vec::new(), Vec::new());
    let mut moves = JointMoves::of(game, scratch, &first)?;
    while let Some(joint) = moves.next() {
        let state = game.next(scratch, &first, joint)?;
        let ended = game.is_terminal(scratch, &state)?;
        if !ended && let Some(answer) = JointMoves::of(game, scratch, &state)?.next() {
            joints.push(answer.to_vec());
            states.push(state);
        }
        if states.len() == SINGLE {
            break;
        }
    }
    if states.is_empty() {
        return Ok(false);
    }
    let (_, single) = quickest(clock, || {
        let began = Instant::now();
        for (state, joint) in states.iter().zip(&joints) {
            Stepped::of(game, scratch, state, joint)?;
        }
        Ok(((), began.elapsed() / states.len() as u32))
    })?;
    if single < SLOW {
        return Ok(false);
    }
    let states: Vec<G::State> = states.iter().cycle().take(TOGETHER).cloned().collect();
    let joints: Vec<_> = joints.iter().cycle().take(TOGETHER).cloned().collect();
    // The game calibrates itself with the first batch.
    let (_, batch) = quickest(clock, || {
        let began = Instant::now();
        game.steps(scratch, &states, &joints)?;
        Ok(((), began.elapsed() / TOGETHER as u32))
    })?;
    Ok(single > batch * FASTER)
}

/// Returns the fastest of a few attempts, because other load can only slow them down. There are at least two,
/// because the first one is slow, and more while there is time.
fn quickest<T>(
    clock: Duration,
    mut attempt: impl FnMut() -> Result<(T, Duration), Fault>,
) -> Result<(T, Duration), Fault> {
    let began = Instant::now();
    let mut best = attempt()?;
    for number in 1..ATTEMPTS {
        if number > 1 && began.elapsed() > clock / 2 {
            break;
        }
        let other = attempt()?;
        if other.1 < best.1 {
            best = other;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_nearly_full() {
        let pace = |total| Pace {
            max_steps: 10,
            clock: None,
            counted: false,
            total,
            least: 1,
            most: WIDE,
            batch: None,
            per_leaf: None,
            together: false,
            flows: true,
            usual: Duration::ZERO,
        };
        let second = Duration::from_secs(1);
        for total in [1, 16, 256, 512] {
            for visits in [0, 10, 100, 1000] {
                for slowest in [second / 1000, second / 15, second / 9, second / 2, second * 2] {
                    let (leaves, per_leaf) = pace(total).next(visits, Some(second), slowest);
                    let playouts = leaves * per_leaf;
                    assert!(
                        playouts <= total && playouts * 4 > total * 3,
                        "{leaves} x {per_leaf} of {total}"
                    );
                }
            }
        }
    }
}
