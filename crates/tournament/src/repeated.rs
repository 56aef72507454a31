//! Repeated matches between the same players, counted by player and seat.
//!
//! Two players may have the same spec, so they are identified by their places in the plan, never by name.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use arena::{Ending, StepRecord};
use serde::Serialize;
use statistics::Confidence;

use super::engine::Watcher;
use super::faults::FaultRow;
use super::kept::Keep;
use super::plan::{Plan, Planned};
use super::ready::Ready;
use super::replies::Replies;
use super::result::{MatchResult, Results};
use super::run::{Progress, RunError, RunOptions, run};
use super::score::Score;

/// The version of this format.
const VERSION: u32 = 1;

/// The result of repeated matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeated {
    /// The version of the format.
    pub version: u32,
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// Seconds for each move.
    pub play_clock: f64,
    /// The number of matches that have ended.
    pub matches: u64,
    /// The number of matches that were broken off. They count as drawn; in a game of one role they are left
    /// out.
    pub broken_off: u64,
    /// The number of matches that a player lost by forfeit.
    #[serde(skip_serializing_if = "is_zero")]
    pub forfeited: u64,
    /// The number of moves that the referee made for a player.
    pub faults: u64,
    /// The players for whom it made them or who forfeited, how often, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults_of: Vec<FaultRow>,
    /// The confidence level of the intervals, in percent.
    pub confidence: f64,
    /// The time it took, in seconds.
    pub seconds: f64,
    /// The number of seats of the game.
    #[serde(skip)]
    pub seats: usize,
    /// The counts by player and seat; a player with several seats also gets a row for all of them.
    pub counts: Vec<SeatRow>,
}

/// How the matches of one player ended, at one seat or at all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatRow {
    /// The player's spec.
    pub player: String,
    /// The role, or `all`.
    pub seat: String,
    /// The number of matches that count.
    pub games: u64,
    /// The number of wins; like the next two, `None` if there was no opponent.
    pub won: Option<u64>,
    /// The number of draws.
    pub drawn: Option<u64>,
    /// The number of losses.
    pub lost: Option<u64>,
    /// The score, from 0 to 100; the mean goal if there was no opponent.
    pub score: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The mean goal of the matches that were played to the end.
    pub goal: Option<f64>,
    /// The number of replies.
    pub moves: u64,
    /// The number of replies after the deadline.
    pub late: u64,
    /// The time of the slowest reply, in milliseconds.
    pub slowest_ms: f64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Plays the remaining matches of a repeated match, and counts all of them.
pub fn repeat(
    ready: &Ready,
    keep: &Keep,
    options: &RunOptions,
    confidence: Confidence,
    watcher: &dyn Watcher,
) -> Result<Repeated, RunError> {
    let began = Instant::now();
    let timer = Timer { replies: Mutex::default(), watcher };
    let results = run(ready, keep, options, &timer)?;
    let replies = timer.replies.into_inner().unwrap_or_else(PoisonError::into_inner);
    let seconds = began.elapsed().as_secs_f64();
    Ok(Repeated { seconds, ..Repeated::of(ready.plan(), &results, &replies, confidence) })
}

/// How long the replies of each match took, by number and seat.
pub type RepliesOf = BTreeMap<u64, Vec<Replies>>;

/// Records how long replies took, and forwards everything to another watcher.
struct Timer<'w> {
    replies: Mutex<RepliesOf>,
    watcher: &'w dyn Watcher,
}

impl Watcher for Timer<'_> {
    fn progress(&self, progress: &Progress) {
        self.watcher.progress(progress);
    }

    fn finished(&self, result: &MatchResult, replies: &[Replies]) {
        let mut all = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(result.number, replies.to_vec());
        drop(all);
        self.watcher.finished(result, replies);
    }

    fn wants_steps(&self) -> bool {
        self.watcher.wants_steps()
    }

    fn step(&self, worker: usize, planned: Planned, count: usize, step: &StepRecord) {
        self.watcher.step(worker, planned, count, step);
    }

    fn rests(&self, worker: usize) {
        self.watcher.rests(worker);
    }
}

/// The matches of a player at a seat.
#[derive(Debug, Clone, Default)]
struct Count {
    matches: u64,
    score: Score,
    replies: Replies,
}

impl Repeated {
    /// Counts the matches of a plan with one game in which all players meet.
    pub fn of(plan: &Plan, results: &Results, replies: &RepliesOf, confidence: Confidence) -> Repeated {
        let game = &plan.games[0];
        let seats = game.seats();
        let mut counts = vec![vec![Count::default(); seats.len()]; plan.players.len()];
        let (mut broken_off, mut forfeited, mut faults) = (0, 0, 0);
        let planned = plan.matches();
        for result in &results.matches {
            match result.ending {
                Ending::Terminal => {}
                Ending::Forfeit { .. } => forfeited += 1,
                _ => broken_off += 1,
            }
            faults += result.replaced;
            let scores = result.scores(game);
            let took = replies.get(&result.number);
            let seating = &plan.cells[planned[result.number as usize].cell].seating;
            for (seat, player) in seating.iter().enumerate() {
                let count = &mut counts[*player][seat];
                count.matches += 1;
                if let Some(scores) = &scores {
                    count.score.add(&scores[seat]);
                }
                if let Some(took) = took.and_then(|took| took.get(seat)) {
                    count.replies = count.replies.plus(took);
                }
            }
        }
        let mut rows = Vec::new();
        for (player, counts) in plan.players.iter().zip(&counts) {
            let taken: Vec<usize> = (0..seats.len()).filter(|seat| counts[*seat].matches > 0).collect();
            for &seat in &taken {
                rows.push(SeatRow::of(&player.name, &game.roles[seats[seat]], &counts[seat], confidence));
            }
            if taken.len() > 1 {
                let all = taken.iter().fold(Count::default(), |all, seat| all.plus(&counts[*seat]));
                rows.push(SeatRow::of(&player.name, "all", &all, confidence));
            }
        }
        Repeated {
            version: VERSION,
            game: game.name.clone(),
            seed: plan.seed,
            play_clock: plan.budgets[0].play_clock as f64 / 1000.0,
            matches: results.matches.len() as u64,
            broken_off,
            forfeited,
            faults,
            faults_of: super::faults::faults(plan, &results.matches),
            // Percentages are entered as short decimals, which the division by 100 may have blurred.
            confidence: (1e8 * confidence.level()).round() / 1e6,
            seconds: 0.0,
            seats: seats.len(),
            counts: rows,
        }
    }
}

impl Count {
    fn plus(self, other: &Count) -> Count {
        Count {
            matches: self.matches + other.matches,
            score: self.score.plus(&other.score),
            replies: self.replies.plus(&other.replies),
        }
    }
}

impl SeatRow {
    fn of(player: &str, seat: &str, count: &Count, confidence: Confidence) -> SeatRow {
        let Count { score, replies, .. } = count;
        let interval = (score.games > 0).then(|| score.interval(confidence));
        // Multiplying first keeps halves of whole matches exact.
        let points = || 100.0 * score.points / score.games as f64;
        SeatRow {
            player: player.to_string(),
            seat: seat.to_string(),
            games: score.games,
            won: score.wdl().map(|[won, ..]| won),
            drawn: score.wdl().map(|[_, drawn, _]| drawn),
            lost: score.wdl().map(|[.., lost]| lost),
            score: if score.contests() == 0 { score.mean_goal() } else { Some(points()) },
            low: interval.map(|interval| 100.0 * interval.low),
            high: interval.map(|interval| 100.0 * interval.high),
            goal: score.mean_goal(),
            moves: replies.moves,
            late: replies.late,
            slowest_ms: replies.slowest.as_micros() as f64 / 1000.0,
        }
    }
}
