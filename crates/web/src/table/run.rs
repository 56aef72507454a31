//! The thread on which a match is played.
//!
//! The referee plays the match; this module turns its events into moments and carries out requests that
//! interrupted it. To take moves back, it continues from an earlier step as a separate match in the
//! store, because nothing that was stored is ever changed.

use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use arena::{Ending, Event, Journal, JournalError, MatchRecord, Setup, Sitter, StepRecord, play_on};
use game::{Seat, Seed, StopToken};
use library::Begun;
use store::{Book, Entry, Store};

use super::seat::{Hurried, Outsider, stop_of};
use super::{Moment, Notes, Sight, Standing, Table, Wish};
use crate::table::record::SERIES;

/// The number of moments whose drawings are kept while a match is played.
const REMEMBERED: usize = 50;

/// What a run needs in addition to its table.
pub(crate) struct Conditions {
    pub(crate) store: Option<Arc<Store>>,
    pub(crate) max_steps: usize,
    /// The key and the number of the interrupted match to resume, if any.
    pub(crate) again: Option<(String, u64)>,
    /// Held while the match is played.
    pub(crate) running: Arc<()>,
}

/// Starts to play, on a separate thread.
pub(crate) fn begin(table: &Arc<Table>, conditions: Conditions) -> std::io::Result<()> {
    let table = Arc::clone(table);
    let name = format!("match-{}", table.id);
    Builder::new().name(name).stack_size(16 << 20).spawn(move || run(&table, conditions))?;
    Ok(())
}

fn run(table: &Arc<Table>, conditions: Conditions) {
    let _running = Arc::clone(&conditions.running);
    let mut number = conditions.again.as_ref().map_or(0, |(_, number)| *number);
    let book = match (&conditions.store, &conditions.again) {
        (None, _) => None,
        (Some(store), None) => Some(Book::new(store, entry(table, number))),
        (Some(store), Some((key, _))) => match Book::again(store, key) {
            Ok(book) => Some(book),
            Err(cause) => {
                tracing::error!(id = table.id, %cause, "cannot resume the match");
                return;
            }
        },
    };
    let mut journal = Ledger { table: Arc::clone(table), book };
    loop {
        tracing::info!(id = table.id, game = table.course().kept.game, "match starts");
        let record = once(table, &conditions, number, &mut journal);
        let wish = table.course().wish;
        let interrupted = matches!(record.ending, Ending::Interrupted { .. });
        match wish {
            Some(Wish::Undo(back)) if interrupted => {
                let reason = "moves were taken back".to_string();
                close(&mut journal, ended(record.clone(), Ending::Broken { reason }));
                number += 1;
                journal.book = take_back(table, &conditions, record, back, number);
                continue;
            }
            Some(Wish::Leave) if interrupted => {
                tracing::info!(id = table.id, "match interrupted, to be resumed later");
                return;
            }
            Some(Wish::Resign(role)) if interrupted => {
                let (role, reason) = (table.roles()[role].clone(), "the player resigned".to_string());
                let record = ended(record, Ending::Forfeit { role, reason });
                close(&mut journal, record.clone());
                finish(table, record, Standing::Done);
            }
            Some(Wish::Abort) if interrupted => {
                let reason = "it was aborted".to_string();
                let record = ended(record, Ending::Broken { reason });
                close(&mut journal, record.clone());
                finish(table, record, Standing::Aborted);
            }
            _ => {
                let standing =
                    if record.is_aborted || interrupted { Standing::Aborted } else { Standing::Done };
                finish(table, record, standing);
            }
        }
        return;
    }
}

/// Plays until the end or an interruption.
fn once(table: &Arc<Table>, conditions: &Conditions, number: u64, journal: &mut Ledger) -> MatchRecord {
    let past = table.course().record.as_ref().map(MatchRecord::steps).unwrap_or_default();
    let begun = table.shown.begun();
    let setup = Setup { reasoner: begun.now.name.to_string(), ..setup(table, conditions, number) };
    let sitters = sitters(table, &begun, &past);
    let mut at = 0;
    let mut watch = |event: Event<'_>| {
        let Event::Step { step, percepts, position } = event else {
            return start_clocks(table, setup.play_clock);
        };
        at += 1;
        // Steps that are repeated after an interruption already have moments.
        if at < table.course().moments.len() {
            return;
        }
        let (moves, percepts, position) = (step.moves.clone(), percepts.to_vec(), position.clone());
        reach(table, Moment::after(at, moves, percepts, Notes::of(step), position), setup.play_clock);
    };
    play_on(&begun.now.game, sitters, &setup, &past, journal, Some(&mut watch))
}

/// Adds a moment and notifies everyone.
fn reach(table: &Arc<Table>, moment: Moment, clock: Duration) {
    let moment = Arc::new(moment);
    {
        let mut course = table.course();
        course.moments.push(Arc::clone(&moment));
        if let Some(old) = course.moments.len().checked_sub(REMEMBERED) {
            course.moments[old].forget();
        }
    }
    // If everyone sees the same, prepare it before they ask.
    if !table.shown.hides() && table.is_watched() {
        table.told(&moment, Sight::Whole);
    }
    start_clocks(table, clock);
}

/// Starts the clocks of programs. Those of people start when they are asked.
fn start_clocks(table: &Arc<Table>, clock: Duration) {
    let mut course = table.course();
    let due = Instant::now().checked_add(clock);
    let moment = course.moments.last().cloned().expect("a match has a first moment");
    for (role, legal) in moment.position.legal.iter().enumerate() {
        let program = course.kept.seats[role].as_ref().is_some_and(|seat| !seat.is_outside());
        course.clocks[role] = due.filter(|_| program && legal.len() > 1);
    }
    course.clock_changes += 1;
    drop(course);
    table.touch();
}

fn setup(table: &Arc<Table>, conditions: &Conditions, number: u64) -> Setup {
    let course = table.course();
    let kept = &course.kept;
    let name = if number == 0 { kept.id.clone() } else { format!("{}.{number}", kept.id) };
    Setup {
        match_id: Some(name),
        rules: table.shown.loaded.wire_text(),
        start_clock: Duration::from_millis(kept.start_clock_ms),
        play_clock: Duration::from_millis(kept.play_clock_ms),
        max_steps: conditions.max_steps,
        stop: course.stop.clone(),
        ..Setup::new(&kept.game, Seed(kept.seed))
    }
}

fn sitters(table: &Arc<Table>, begun: &Begun, past: &[StepRecord]) -> Vec<Sitter> {
    let kept = table.course().kept.clone();
    let stop = stop_of(table);
    let sit = |(role, seat): (usize, &Option<crate::table::record::Seat>)| {
        let Some(seat) = seat else { return Sitter::Nature };
        if seat.is_outside() {
            // Programs in browsers always have a clock, people only in matches that are not casual.
            let timed = !kept.casual || seat.player == "tab";
            let outsider = Outsider {
                table: Arc::downgrade(table),
                role,
                past: past.iter().skip(1).filter_map(|step| step.moves.get(role).cloned()).collect(),
                made: 0,
                clock: timed.then(|| Duration::from_millis(kept.play_clock_ms)),
                stop: stop.clone(),
            };
            return Sitter::Person(seat.player.clone(), Box::new(outsider));
        }
        let made: Box<dyn Seat> = match cast::seat_at(begun, &seat.player) {
            Ok(made) => made,
            Err(_) => Box::new(Outsider {
                // The spec was valid when the match was created. If it no longer is, its moves are replaced.
                table: std::sync::Weak::new(),
                role,
                past: Vec::new(),
                made: 0,
                clock: None,
                stop: stop.clone(),
            }),
        };
        let remote = matches!(cast::remote_address(&seat.player), Ok(Some(_)));
        let steps = if remote { 0 } else { past.len().saturating_sub(1) };
        let made: Box<dyn Seat> = Box::new(Hurried { seat: made, past: steps });
        let make = if cast::is_informed(&seat.player) { Sitter::Informed } else { Sitter::Seat };
        make(seat.player.clone(), made)
    };
    kept.seats.iter().enumerate().map(sit).collect()
}

/// Resets the table to an earlier moment and opens a book for what follows.
fn take_back(
    table: &Arc<Table>,
    conditions: &Conditions,
    record: MatchRecord,
    back: usize,
    number: u64,
) -> Option<Book> {
    let mut shorter = MatchRecord { match_id: format!("{}.{number}", table.id), ..record.opening() };
    let mut book = conditions.store.as_ref().map(|store| Book::new(store, entry(table, number)));
    let steps: Vec<StepRecord> = record.steps().into_iter().take(back + 1).collect();
    if let Some(book) = &mut book {
        let opened = book.open(&shorter);
        let written = steps.iter().enumerate().try_for_each(|(at, step)| book.step(at, step));
        if let Err(cause) = opened.and(written) {
            tracing::error!(id = table.id, %cause, "cannot write a match");
        }
    }
    steps.into_iter().for_each(|step| shorter.push(step));
    let mut course = table.course();
    course.record = Some(shorter);
    course.moments.truncate(back + 1);
    course.generation += 1;
    course.clocks.fill(None);
    course.clock_changes += 1;
    course.stop = StopToken::default();
    course.wish = None;
    drop(course);
    table.mailboxes.iter().for_each(super::Mailbox::clear);
    table.touch();
    book
}

fn entry(table: &Table, number: u64) -> Entry {
    let sheet = table.shown.loaded.wire_text();
    Entry { series: Some((format!("{SERIES}{}", table.id), number)), sheet }
}

fn ended(record: MatchRecord, ending: Ending) -> MatchRecord {
    MatchRecord { is_aborted: true, is_completed: false, ending, ..record }
}

fn close(journal: &mut Ledger, record: MatchRecord) {
    if let Err(cause) = journal.close(&record) {
        tracing::error!(id = journal.table.id, %cause, "cannot write the end of a match");
    }
}

fn finish(table: &Arc<Table>, record: MatchRecord, standing: Standing) {
    tracing::info!(id = table.id, steps = record.moves.len(), state = standing.name(), "match ends");
    let mut course = table.course();
    course.record = Some(record);
    course.standing = standing;
    course.clocks.fill(None);
    drop(course);
    table.touch();
}

/// A journal that writes to the store, if there is one, and to the record at the table.
struct Ledger {
    table: Arc<Table>,
    book: Option<Book>,
}

impl Journal for Ledger {
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        self.table.course().record = Some(record.clone());
        self.book.as_mut().map_or(Ok(()), |book| book.open(record))
    }

    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError> {
        if let Some(record) = &mut self.table.course().record {
            record.push(step.clone());
        }
        self.book.as_mut().map_or(Ok(()), |book| book.step(number, step))
    }

    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        self.book.as_mut().map_or(Ok(()), |book| book.close(record))
    }
}
