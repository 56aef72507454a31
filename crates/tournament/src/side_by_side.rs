//! How many matches are played at the same time.
//!
//! Usually one per core. But players that request few playouts at a time leave most lanes of a circuit
//! empty, and an empty lane costs as much as a used one. So if all players count their work and need little
//! memory, enough matches are played at once for their playouts to fill the lanes of all cores. Results do
//! not depend on it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{AnyGame, Game, Playouts, Seed, Start};
use reasoner::{CircuitGame, Member, Pool};

/// The maximum number of matches per core; each has its own thread and memory.
const MOST: usize = 64;
/// The same if it is not known how many matches will be needed.
const FEW: usize = 16;
/// The approximate number of bytes that the matches of a core may use to evaluate states.
const MEMORY: usize = 1 << 30;
/// The number of bytes per operation of the circuit.
const PLANE: usize = 32;
/// How many times more playouts than lanes are wanted, because the playouts of a batch end at different
/// times.
const AHEAD: usize = 2;
/// The minimum number of matches per core if lanes are shared: while the last playouts of one player end,
/// those of others begin.
const SOME: usize = 3;
/// The maximum number of steps of a trial batch, and the time from which sharing lanes is worth the
/// waiting.
const TRIAL_STEPS: u32 = 64;
const SLOW: Duration = Duration::from_micros(100);
/// The minimum play clock for sharing lanes; with less time, nobody waits for others.
const LONG_CLOCK: Duration = Duration::from_secs(10);

/// Matches that are played at the same time.
pub(crate) struct SideBySide {
    /// The number of matches.
    pub matches: usize,
    pool: Option<Arc<Pool>>,
}

/// What determines how many matches are played at the same time.
pub(crate) struct Crowd<'a> {
    /// The players in them.
    pub players: &'a [String],
    /// The number of cores to use.
    pub jobs: usize,
    /// The play clock.
    pub play_clock: Duration,
    /// Whether all matches will certainly be needed.
    pub sure: bool,
}

impl SideBySide {
    /// Plays one match per core.
    pub fn plain(jobs: usize) -> SideBySide {
        SideBySide { matches: jobs.max(1), pool: None }
    }

    /// Chooses a number that suits the game and its players.
    pub fn new(game: &AnyGame, crowd: &Crowd<'_>) -> SideBySide {
        let plain = SideBySide::plain(crowd.jobs);
        let Some(circuit) = game.played_by::<CircuitGame>().filter(|_| crowd.play_clock >= LONG_CLOCK) else {
            return plain;
        };
        let asked: Option<Vec<u32>> = crowd.players.iter().map(|p| cast::playouts_at_once(p)).collect();
        let Some(least) = asked.and_then(|asked| asked.into_iter().filter(|asked| *asked > 0).min()) else {
            return plain;
        };
        let runners = plain.matches.min(crate::cores());
        let most = if crowd.sure { MOST } else { FEW };
        let figures = circuit.figures();
        // Each player and the referee evaluate states separately.
        let bytes = figures.operations * PLANE * (1 + game.roles().len());
        let most = most.min(MEMORY / bytes.max(1)).max(1);
        let each = (AHEAD * figures.width).div_ceil(least as usize).clamp(SOME.min(most), most);
        let matches = plain.matches.max(runners * each);
        if matches == 1 || !is_slow(circuit, least) {
            return plain;
        }
        match circuit.share_lanes(runners) {
            Some(pool) => SideBySide { matches, pool: Some(pool) },
            None => plain,
        }
    }

    /// Joins the pool for as long as a match is played.
    pub fn enter(&self) -> Option<Member<'_>> {
        self.pool.as_ref().map(|pool| pool.enter())
    }
}

/// Returns `true` if a batch of playouts is slow on its own.
fn is_slow(game: &CircuitGame, playouts: u32) -> bool {
    let starts = [Start { state: game.initial(), first: None, count: playouts }];
    let request = Playouts { max_steps: TRIAL_STEPS, ..Playouts::new(&starts, Seed(0)) };
    let mut scratch = game.scratch();
    let mut trial = || {
        let began = Instant::now();
        game.playouts(&mut scratch, &request).is_ok_and(|_| began.elapsed() >= SLOW)
    };
    // The first trial may be slow for other reasons.
    trial() && trial()
}

/// Limits the number of concurrent matches if some of them take more room than others.
pub(crate) struct Room {
    taken: Mutex<u64>,
    left: Condvar,
}

/// The size of a [`Room`].
const WHOLE: u64 = 1 << 32;

/// A place in a [`Room`].
pub(crate) struct Taken<'r> {
    room: &'r Room,
    part: u64,
}

impl Room {
    pub fn new() -> Room {
        Room { taken: Mutex::new(0), left: Condvar::new() }
    }

    /// Waits for a place. `of` such places fill the whole room.
    pub fn take(&self, of: usize) -> Taken<'_> {
        let part = WHOLE / of.max(1) as u64;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken > 0 && *taken + part > WHOLE {
            taken = self.left.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += part;
        Taken { room: self, part }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.room.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.part;
        self.room.left.notify_all();
    }
}
