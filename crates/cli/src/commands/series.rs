//! `tafl match --repeat N`: many matches between the same players, counted.
//!
//! Every match has a seed of its own that follows from the number of the match,
//! so the counts do not depend on how many are played side by side, as long as
//! the players count their work too. A reply is late when it comes after the
//! deadline, whether or not the referee would still have taken it.

use std::io::Write;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::{Ending, Event, MatchRecord, Setup, Sitter, play_on};
use clap::Args;
use game::{AnyGame, Deadline, Fault, Game, Goal, MatchContext, Role, Seat, Thought, Turn};
use indicatif::ProgressBar;
use serde::Serialize;
use statistics::{Confidence, Proportion};
use tournament::{Crowd, SideBySide};

use super::keeper::Keeper;
use crate::screen::{STRONG, Screen, counted};

/// Matches that are shown while they are played.
const LINES: usize = 8;

/// How many matches, and what is told of them.
#[derive(Debug, Args)]
pub(crate) struct SeriesArguments {
    /// Play this many matches and count how they end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) repeat: Option<u32>,
    /// Let the players take the next seat after every match
    #[arg(long, requires = "repeat")]
    pub(super) rotate: bool,
    /// Cores to use: so many matches at a time, or as many as fill them
    #[arg(long, value_name = "N", default_value_t = 1, requires = "repeat")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) jobs: u32,
    /// How sure the intervals are, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, requires = "repeat")]
    pub(super) confidence: f64,
    /// Print the counts as comma-separated values
    #[arg(long, requires = "repeat", conflicts_with = "json")]
    pub(super) csv: bool,
}

/// Matches between the same players.
pub(super) struct Series<'a> {
    pub game: &'a AnyGame,
    pub players: &'a [String],
    /// The roles that players sit at.
    pub seats: &'a [usize],
    pub setup: &'a Setup,
    pub rotate: bool,
}

/// How the matches of one player ended, at one seat or at all.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Count {
    player: String,
    seat: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// Wins and half the draws, of 100.
    score: f64,
    /// Interval of the score (Clopper and Pearson).
    low: f64,
    high: f64,
    /// The mean goal.
    goal: f64,
    moves: u64,
    late: u64,
    slowest_ms: f64,
}

/// What many matches came to.
#[derive(Debug, Serialize)]
pub(super) struct Counts {
    version: u32,
    game: String,
    seed: u64,
    play_clock: f64,
    matches: u64,
    /// Matches that did not come to an end of the game; they count as drawn.
    broken_off: u64,
    /// Moves that the referee had to make for a player.
    faults: u64,
    confidence: f64,
    seconds: f64,
    counts: Vec<Count>,
}

impl Series<'_> {
    /// Plays `games` matches on `jobs` cores, at least so many of them at a time.
    pub(super) fn run(
        &self,
        games: u32,
        jobs: u32,
        keeper: &Keeper,
        screen: &Screen,
    ) -> anyhow::Result<Counts> {
        let lines = screen.lines();
        let bar = lines.add(screen.progress("{elapsed_precise} {pos} of {len} matches"));
        bar.set_length(u64::from(games));
        let began = Instant::now();
        let next = AtomicU32::new(0);
        let sums = Mutex::new(Sums::new(self.players.len()));
        let crowd = Crowd {
            players: self.players,
            jobs: jobs as usize,
            play_clock: self.setup.play_clock,
            sure: true,
        };
        let beside = SideBySide::new(self.game, &crowd);
        let count = beside.matches.min(games as usize);
        let table = |number: usize| match number < LINES {
            true => lines.add(screen.progress("  {msg}")),
            false => ProgressBar::hidden(),
        };
        let tables: Vec<ProgressBar> = (0..count).map(table).collect();
        let work = |line: &ProgressBar| -> anyhow::Result<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games || self.setup.stop.is_stopped() {
                    line.finish_and_clear();
                    return Ok(());
                }
                let member = beside.enter();
                let (record, watches) = self.one(number, keeper, line)?;
                drop(member);
                match &record.ending {
                    Ending::Interrupted { .. } if self.setup.stop.is_stopped() => continue,
                    Ending::Interrupted { reason } => anyhow::bail!("Match {number} cannot go on: {reason}"),
                    _ => {}
                }
                let mut sums = sums.lock().unwrap_or_else(|poison| poison.into_inner());
                sums.add(&record, self.seats, self.shift(number), &watches);
                bar.inc(1);
            }
        };
        std::thread::scope(|scope| {
            let work = &work;
            let jobs: Vec<_> = tables.iter().map(|line| scope.spawn(move || work(line))).collect();
            jobs.into_iter().try_for_each(|job| match job.join() {
                Ok(done) => done,
                Err(_) => anyhow::bail!("A match could not be played to its end."),
            })
        })?;
        bar.finish_and_clear();
        let sums = sums.into_inner().unwrap_or_else(|poison| poison.into_inner());
        Ok(Counts {
            version: 1,
            game: self.setup.game.clone(),
            seed: self.setup.seed.0,
            play_clock: self.setup.play_clock.as_secs_f64(),
            matches: sums.matches,
            broken_off: sums.broken_off,
            faults: sums.faults,
            confidence: 0.0,
            seconds: began.elapsed().as_secs_f64(),
            counts: sums.counts(self.players, self.seats, self.game.roles()),
        })
    }

    /// A wrong spec is told before anything is played.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for player in self.players {
            cast::seat(self.game, player)?;
        }
        Ok(())
    }

    /// Says how to go on with matches that were interrupted.
    pub(super) fn hint(&self, keeper: &Keeper, screen: &mut Screen) -> anyhow::Result<()> {
        match keeper.again().filter(|_| self.setup.stop.is_stopped()) {
            Some(again) => {
                screen.out.flush()?;
                eprintln!("Interrupted. To go on: {again}");
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// By how many seats the players have moved on.
    fn shift(&self, number: u32) -> usize {
        if self.rotate { number as usize % self.seats.len().max(1) } else { 0 }
    }

    fn one(
        &self,
        number: u32,
        keeper: &Keeper,
        line: &ProgressBar,
    ) -> anyhow::Result<(MatchRecord, Vec<Arc<Watch>>)> {
        let (count, shift) = (self.players.len(), self.shift(number));
        let watches: Vec<Arc<Watch>> = (0..count).map(|_| Arc::default()).collect();
        let mut begun = keeper.open(u64::from(number))?;
        if let Some(done) = begun.done {
            let of =
                |player: usize| Watch::of(&done, self.seats[(player + shift) % count], self.setup.play_clock);
            return Ok((done.clone(), (0..count).map(|player| Arc::new(of(player))).collect()));
        }
        let mut sitters = Vec::new();
        for role in 0..self.game.roles().len() {
            sitters.push(match self.seats.iter().position(|&seat| seat == role) {
                None => Sitter::Nature,
                Some(place) => {
                    let player = (place + count - shift) % count;
                    let seat = cast::seat(self.game, &self.players[player])?;
                    let watch = Arc::clone(&watches[player]);
                    super::play::sitter(&self.players[player], Box::new(Watched { seat, watch }))
                }
            });
        }
        let setup = Setup {
            seed: self.setup.seed.derive(u64::from(number)),
            match_id: Some(format!("tafl.{}.{}.{number}", self.setup.game, self.setup.seed.0)),
            ..self.setup.clone()
        };
        let mut step = 0;
        let mut watch = |event: Event<'_>| {
            if let Event::Step { step: made, .. } = event {
                step += 1;
                line.set_message(format!("match {number}, step {step}: {}", made.moves.join("  ")));
            }
        };
        let watch: arena::Watch<'_> = if line.is_hidden() { None } else { Some(&mut watch) };
        let journal = &mut *begun.journal;
        let record = play_on(self.game, sitters, &setup, &begun.past, journal, watch);
        Ok((record, watches))
    }
}

/// How long the replies of one player took.
#[derive(Debug, Default)]
struct Watch {
    moves: AtomicU64,
    late: AtomicU64,
    slowest: AtomicU64,
}

impl Watch {
    /// How long the replies of a role took in a match that was played before.
    fn of(record: &MatchRecord, role: usize, clock: Duration) -> Watch {
        let times = record.times.as_ref().map(|times| &times.thinking_times[..]).unwrap_or_default();
        let took: Vec<u64> = times.iter().skip(1).filter_map(|step| step.get(role).copied()).collect();
        let late = took.iter().filter(|&&ms| Duration::from_millis(ms) > clock).count();
        Watch {
            moves: AtomicU64::new(took.len() as u64),
            late: AtomicU64::new(late as u64),
            slowest: AtomicU64::new(1000 * took.iter().copied().max().unwrap_or(0)),
        }
    }
}

/// A seat whose replies are timed.
struct Watched {
    seat: Box<dyn Seat>,
    watch: Arc<Watch>,
}

impl Seat for Watched {
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat.preview(context, deadline)
    }

    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat.start(context, deadline)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        let began = Instant::now();
        let reply = self.seat.play(last, deadline);
        self.watch.moves.fetch_add(1, Ordering::Relaxed);
        self.watch.slowest.fetch_max(began.elapsed().as_micros() as u64, Ordering::Relaxed);
        if deadline.remaining() == Some(Duration::ZERO) {
            self.watch.late.fetch_add(1, Ordering::Relaxed);
        }
        reply
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        self.seat.stop(last, goals);
    }

    fn thought(&self) -> Thought<String> {
        self.seat.thought()
    }
}

/// Counts by player and seat, the seats of a player one after another.
struct Sums {
    players: usize,
    cells: Vec<Count>,
    matches: u64,
    broken_off: u64,
    faults: u64,
}

impl Sums {
    fn new(players: usize) -> Sums {
        Sums {
            players,
            cells: vec![Count::default(); players * players],
            matches: 0,
            broken_off: 0,
            faults: 0,
        }
    }

    fn add(&mut self, record: &MatchRecord, seats: &[usize], shift: usize, watches: &[Arc<Watch>]) {
        self.matches += 1;
        self.broken_off += u64::from(record.ending != Ending::Terminal);
        self.faults += record.faults.iter().filter(|fault| fault.step > 0).count() as u64;
        let goals: Vec<i32> = seats.iter().map(|&role| record.goals[role].unwrap_or(0)).collect();
        for (player, watch) in watches.iter().enumerate() {
            let place = (player + shift) % self.players;
            let own = goals[place];
            let others = (0..goals.len()).filter(|&other| other != place).map(|other| goals[other]).max();
            // Alone, only the full goal is a win.
            let bar = others.unwrap_or(99);
            let cell = &mut self.cells[player * self.players + place];
            cell.games += 1;
            if record.ending != Ending::Terminal || (own == bar && others.is_some()) {
                cell.drawn += 1;
            } else if own > bar {
                cell.won += 1;
            } else {
                cell.lost += 1;
            }
            cell.goal += f64::from(own);
            cell.moves += watch.moves.load(Ordering::Relaxed);
            cell.late += watch.late.load(Ordering::Relaxed);
            cell.slowest_ms = cell.slowest_ms.max(watch.slowest.load(Ordering::Relaxed) as f64 / 1000.0);
        }
    }

    /// Rows by player and seat, and one for all seats where a player had several.
    fn counts(&self, players: &[String], seats: &[usize], roles: &[Role]) -> Vec<Count> {
        let mut rows = Vec::new();
        for (player, name) in players.iter().enumerate() {
            let cells = &self.cells[player * self.players..][..self.players];
            let seen = |place: &usize| cells[*place].games > 0;
            let taken: Vec<usize> = (0..self.players).filter(seen).collect();
            for &place in &taken {
                let seat = roles[seats[place]].to_string();
                rows.push(Count { player: name.clone(), seat, ..cells[place].clone() });
            }
            if taken.len() > 1 {
                let all = taken.iter().fold(Count::default(), |all, &place| all.plus(&cells[place]));
                rows.push(Count { player: name.clone(), seat: "all".to_string(), ..all });
            }
        }
        for row in &mut rows {
            row.goal /= row.games as f64;
        }
        rows
    }
}

impl Count {
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

    /// Works out the score and its interval. Half points are rounded outwards, so the interval is not too short.
    fn judge(&mut self, confidence: Confidence) {
        let halves = 2 * self.won + self.drawn;
        self.score = 50.0 * halves as f64 / self.games.max(1) as f64;
        self.low = 100.0 * Proportion::new(halves / 2, self.games).exact(confidence).low;
        self.high = 100.0 * Proportion::new(halves.div_ceil(2), self.games).exact(confidence).high;
    }
}

impl Counts {
    /// Prints the counts in the form that is wanted.
    pub(super) fn write(
        mut self,
        wanted: &SeriesArguments,
        json: bool,
        screen: &mut Screen,
    ) -> anyhow::Result<()> {
        let Some(confidence) = Confidence::new(wanted.confidence / 100.0) else {
            anyhow::bail!("--confidence must be a percentage between 0 and 100, such as 95.");
        };
        self.confidence = wanted.confidence;
        self.counts.iter_mut().for_each(|count| count.judge(confidence));
        let out = &mut screen.out;
        if json {
            serde_json::to_writer_pretty(&mut *out, &self)?;
            return Ok(writeln!(out)?);
        }
        if wanted.csv {
            writeln!(
                out,
                "game,player,seat,games,won,drawn,lost,score,low,high,goal,moves,late,slowest_ms,seconds"
            )?;
            for c in &self.counts {
                let player = c.player.replace(',', ";");
                writeln!(
                    out,
                    "{},{player},{},{},{},{},{},{:.2},{:.2},{:.2},{:.2},{},{},{:.0},{:.0}",
                    self.game,
                    c.seat,
                    c.games,
                    c.won,
                    c.drawn,
                    c.lost,
                    c.score,
                    c.low,
                    c.high,
                    c.goal,
                    c.moves,
                    c.late,
                    c.slowest_ms,
                    self.seconds
                )?;
            }
            return Ok(());
        }
        let clock = self.play_clock;
        let matches = counted(self.matches, "match").replace("matchs", "matches");
        writeln!(out, "{STRONG}{}{STRONG:#}, {matches}, seed {}, {clock} s a move", self.game, self.seed)?;
        let head = format!("  {} % interval", self.confidence);
        writeln!(out, "\n  {:<24} {:>6} {:>6} {:>6} {:>7}{head}", "", "won", "drawn", "lost", "score")?;
        let mut before = "";
        for c in &self.counts {
            if c.player != before {
                writeln!(out, "{STRONG}{}{STRONG:#}", c.player)?;
                before = &c.player;
            }
            let range = format!("{:.1} to {:.1}", c.low, c.high);
            let (seat, won, drawn, lost, score) = (&c.seat, c.won, c.drawn, c.lost, c.score);
            writeln!(out, "  {seat:<24} {won:>6} {drawn:>6} {lost:>6} {score:>7.1}  {range}")?;
        }
        writeln!(out)?;
        let late: u64 = self.counts.iter().filter(|c| c.seat != "all").map(|c| c.late).sum();
        let slowest = self.counts.iter().map(|c| c.slowest_ms).fold(0.0, f64::max);
        let faults = counted(self.faults, "move");
        writeln!(out, "The slowest reply took {slowest:.0} ms; {late} came after the deadline.")?;
        if self.faults > 0 {
            writeln!(out, "The referee had to make {faults} for a player.")?;
        }
        if self.broken_off > 0 {
            let broken = counted(self.broken_off, "match").replace("matchs", "matches");
            writeln!(out, "{broken} did not come to an end and counted as drawn.")?;
        }
        Ok(())
    }
}
