//! How many matches are played at the same time.
//!
//! As many as there are cores, usually. But players that ask for a few playouts
//! at a time leave most lanes of a circuit empty, and a lane costs the same
//! whether anybody plays in it. So where everybody counts their work and keeps
//! little in mind, so many matches are played at once that their playouts fill
//! the lanes of all cores together. Results do not depend on it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{AnyGame, Game, Playouts, Seed, Start};
use reasoner::{CircuitGame, Member, Pool};

/// Matches for each core, at most: each has a thread and memory of its own.
const MOST: usize = 64;
/// The same where it is not known how many matches there will be.
const FEW: usize = 16;
/// Bytes that the matches of a core may take to look at states, more or less.
const MEMORY: usize = 1 << 30;
/// Bytes for an operation of the circuit.
const PLANE: usize = 32;
/// Playouts of a batch end one after another, so more are wanted than there are lanes.
const AHEAD: usize = 2;
/// Matches for each core at least, where lanes are shared: while the last playouts of one player end,
/// those of others begin.
const SOME: usize = 3;
/// Steps of a trial, and the time from which on sharing is worth the waiting.
const TRIAL_STEPS: u32 = 64;
const SLOW: Duration = Duration::from_micros(100);
/// With a shorter clock for a move nobody waits for others.
const LONG_CLOCK: Duration = Duration::from_secs(10);

/// Matches that are played at the same time.
pub(crate) struct SideBySide {
    /// How many.
    pub matches: usize,
    pool: Option<Arc<Pool>>,
}

/// What decides how many matches are played at the same time.
pub(crate) struct Crowd<'a> {
    /// Who plays in them.
    pub players: &'a [String],
    /// Cores that may be used.
    pub jobs: usize,
    /// Time for a move.
    pub play_clock: Duration,
    /// Whether all of them will be wanted.
    pub sure: bool,
}

impl SideBySide {
    /// One for each core.
    pub fn plain(jobs: usize) -> SideBySide {
        SideBySide { matches: jobs.max(1), pool: None }
    }

    /// As many as suit the game and its players.
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
        // Every player and the referee look at states on their own.
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

    /// For as long as a match is played.
    pub fn enter(&self) -> Option<Member<'_>> {
        self.pool.as_ref().map(|pool| pool.enter())
    }
}

/// Whether a batch of playouts takes long by itself.
fn is_slow(game: &CircuitGame, playouts: u32) -> bool {
    let starts = [Start { state: game.initial(), first: None, count: playouts }];
    let request = Playouts { max_steps: TRIAL_STEPS, ..Playouts::new(&starts, Seed(0)) };
    let mut scratch = game.scratch();
    let mut trial = || {
        let began = Instant::now();
        game.playouts(&mut scratch, &request).is_ok_and(|_| began.elapsed() >= SLOW)
    };
    // The first one may be slow for other reasons.
    trial() && trial()
}

/// Lets no more matches begin than there is room for, where some take more room than others.
pub(crate) struct Room {
    taken: Mutex<u64>,
    left: Condvar,
}

/// All of a [`Room`].
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

    /// Waits for a place, where so many like it would take the whole room.
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
