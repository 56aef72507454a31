//! Many matches between the same players, counted as `tafl match --repeat N --json` counts them.
//!
//! One match is played after the other: experiments ask what a match costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis::{LoadError, load};
use arena::{Ending, MatchRecord, NoJournal, Replacement, Setup, Sitter, play_on};
use game::{AnyGame, Game, Seed, SpecError, StopToken};
use library::Library;
use serde::Serialize;
use statistics::{Confidence, Proportion};

/// Who plays how many matches.
#[derive(Debug, Clone)]
pub struct RepeatRequest {
    /// The game: a name of the library, a path, or `FOLDER:KEY`.
    pub game: String,
    /// What evaluates its rules.
    pub reasoner: String,
    /// Who plays, in the order of the roles.
    pub players: Vec<String>,
    /// Where all chance comes from.
    pub seed: Seed,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// What is done for a player that gives no legal answer.
    pub replace: &'static str,
    /// Matches are broken off after this many steps.
    pub max_steps: usize,
    /// How many matches.
    pub repeat: u32,
    /// Whether the players take the next seat after every match.
    pub rotate: bool,
}

impl Default for RepeatRequest {
    fn default() -> RepeatRequest {
        RepeatRequest {
            game: String::new(),
            reasoner: "auto".to_string(),
            players: Vec::new(),
            seed: Seed(1),
            start_clock: Duration::from_secs(10),
            play_clock: Duration::from_secs(1),
            replace: RepeatRequest::POLICIES[0],
            max_steps: 10_000,
            repeat: 1,
            rotate: false,
        }
    }
}

/// Why the matches could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RepeatError {
    /// The game cannot be played.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A player could not be made.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There are too few players, or too many.
    #[error("{game} has {seats} seats, and here are {players} players.")]
    Players {
        /// The game.
        game: String,
        /// The roles that players sit at.
        seats: usize,
        /// The players.
        players: usize,
    },
    /// A match was interrupted.
    #[error("Match {number} cannot go on: {reason}")]
    Match {
        /// Its number.
        number: u32,
        /// Why.
        reason: String,
    },
}

/// How sure the intervals are, in percent.
const CONFIDENCE: f64 = 95.0;

/// What many matches came to.
#[derive(Debug, Serialize)]
pub(super) struct Counts {
    version: u32,
    game: String,
    seed: u64,
    play_clock: f64,
    matches: u64,
    broken_off: u64,
    faults: u64,
    confidence: f64,
    seconds: f64,
    counts: Vec<Count>,
}

/// How the matches of one player ended, at one seat or at all.
#[derive(Debug, Clone, Default, Serialize)]
struct Count {
    player: String,
    seat: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    low: f64,
    high: f64,
    goal: f64,
    moves: u64,
    late: u64,
    slowest_ms: f64,
}

impl RepeatRequest {
    /// What can be done for a player that gives no legal answer; usually the first.
    pub(super) const POLICIES: &'static [&'static str] = &["random", "first", "forfeit"];

    /// Plays the matches; those that were over when it was stopped are counted.
    pub(super) fn run(&self, library: &Library, stop: &StopToken) -> Result<Counts, RepeatError> {
        let (loaded, chosen) = load(library, &self.game, &self.reasoner)?;
        let (game, roles) = (&chosen.game, chosen.game.roles());
        let seats: Vec<usize> = (0..roles.len()).filter(|role| !roles[*role].is_chance()).collect();
        let count = self.players.len();
        let name = loaded.source.name.clone();
        if seats.len() != count {
            return Err(RepeatError::Players { game: name, seats: seats.len(), players: count });
        }
        let remote = |spec: &String| cast::remote_address(spec).ok().flatten();
        let setup = Setup {
            rules: Some(Arc::clone(&loaded.source.text)),
            reasoner: chosen.name.to_string(),
            start_clock: self.start_clock,
            play_clock: self.play_clock,
            replacement: Replacement::named(self.replace).unwrap_or_default(),
            scrambled: self.players.iter().filter_map(remote).any(|address| address.scrambled),
            max_steps: self.max_steps,
            stop: stop.clone(),
            ..Setup::new(&name, self.seed)
        };
        let began = Instant::now();
        let (mut matches, mut broken_off, mut faults) = (0, 0, 0);
        let mut cells = vec![vec![Count::default(); count]; count];
        for number in 0..self.repeat {
            let shift = if self.rotate { number as usize % count.max(1) } else { 0 };
            let setup = Setup {
                seed: self.seed.derive(u64::from(number)),
                match_id: Some(format!("tafl.{name}.{}.{number}", self.seed.0)),
                ..setup.clone()
            };
            let record = play_on(game, self.sitters(game, shift)?, &setup, &[], &mut NoJournal, None);
            match &record.ending {
                Ending::Interrupted { .. } if stop.is_stopped() => break,
                Ending::Interrupted { reason } => {
                    return Err(RepeatError::Match { number, reason: reason.clone() });
                }
                _ => {}
            }
            matches += 1;
            broken_off += u64::from(record.ending != Ending::Terminal);
            faults += record.faults.iter().filter(|fault| fault.step > 0).count() as u64;
            for (player, cells) in cells.iter_mut().enumerate() {
                let place = (player + shift) % count;
                cells[place].add(&record, &seats, place, self.play_clock);
            }
        }
        let mut counts = Vec::new();
        for (player, cells) in self.players.iter().zip(cells) {
            let own = || seats.iter().zip(&cells).filter(|(_, cell)| cell.games > 0);
            let seat = |(role, cell): (&usize, &Count)| cell.clone().judged(player, roles[*role].name());
            counts.extend(own().map(seat));
            if own().count() > 1 {
                let all = cells.iter().fold(Count::default(), Count::plus);
                counts.push(all.judged(player, "all"));
            }
        }
        Ok(Counts {
            version: 1,
            game: name,
            seed: self.seed.0,
            play_clock: self.play_clock.as_secs_f64(),
            matches,
            broken_off,
            faults,
            confidence: CONFIDENCE,
            seconds: began.elapsed().as_secs_f64(),
            counts,
        })
    }

    /// Players at their seats, moved on by some, and chance at the others.
    fn sitters(&self, game: &AnyGame, shift: usize) -> Result<Vec<Sitter>, SpecError> {
        let (count, mut place) = (self.players.len(), 0);
        let mut sitters = Vec::new();
        for role in game.roles() {
            if role.is_chance() {
                sitters.push(Sitter::Nature);
                continue;
            }
            let spec = &self.players[(place + count - shift) % count];
            let make = if cast::is_informed(spec) { Sitter::Informed } else { Sitter::Seat };
            sitters.push(make(spec.clone(), cast::seat(game, spec)?));
            place += 1;
        }
        Ok(sitters)
    }
}

impl Count {
    /// Counts a match that was played at a place among the seats.
    fn add(&mut self, record: &MatchRecord, seats: &[usize], place: usize, clock: Duration) {
        let goal = |at: usize| record.goals[seats[at]].unwrap_or(0);
        let others = (0..seats.len()).filter(|other| *other != place).map(goal).max();
        // Alone, only the full goal is a win.
        let (own, bar) = (goal(place), others.unwrap_or(99));
        self.games += 1;
        if record.ending != Ending::Terminal || (own == bar && others.is_some()) {
            self.drawn += 1;
        } else if own > bar {
            self.won += 1;
        } else {
            self.lost += 1;
        }
        self.goal += f64::from(own);
        let times = record.times.as_ref().map(|times| &times.thinking_times[..]).unwrap_or_default();
        for ms in times.iter().skip(1).filter_map(|step| step.get(seats[place])) {
            self.moves += 1;
            self.late += u64::from(Duration::from_millis(*ms) > clock);
            self.slowest_ms = self.slowest_ms.max(*ms as f64);
        }
    }

    fn plus(self, other: &Count) -> Count {
        Count {
            games: self.games + other.games,
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            goal: self.goal + other.goal,
            moves: self.moves + other.moves,
            late: self.late + other.late,
            slowest_ms: self.slowest_ms.max(other.slowest_ms),
            ..self
        }
    }

    /// With what follows from the counts. Half points are rounded outwards, so the interval is not
    /// too short.
    fn judged(self, player: &str, seat: &str) -> Count {
        let halves = 2 * self.won + self.drawn;
        let exact = |points: u64| {
            Confidence::new(CONFIDENCE / 100.0).map(|sure| Proportion::new(points, self.games).exact(sure))
        };
        Count {
            player: player.to_string(),
            seat: seat.to_string(),
            score: 50.0 * halves as f64 / self.games.max(1) as f64,
            low: exact(halves / 2).map_or(0.0, |found| 100.0 * found.low),
            high: exact(halves.div_ceil(2)).map_or(100.0, |found| 100.0 * found.high),
            goal: self.goal / self.games.max(1) as f64,
            ..self
        }
    }
}
