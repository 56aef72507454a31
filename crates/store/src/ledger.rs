//! Recording of many matches of one series together.
//!
//! With a commit for each step, a tournament of short matches would be limited by the disk. A
//! [`Ledger`] collects what its matches report and commits it in one transaction a few times
//! per second. Events are written in the order in which they arrived, so if the process dies
//! only the most recent ones are lost, never something in between. If a commit fails, the events
//! stay pending, and the next one includes them.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena::{Journal, JournalError, MatchRecord, StepRecord};

use crate::batch::{Change, Close, Of, Opening};
use crate::book::Entry;
use crate::error::StoreError;
use crate::store::Store;

/// The maximum time that events wait to be written while matches are running.
const DELAY: Duration = Duration::from_millis(200);
/// The number of pending events that triggers a write.
const MOST: usize = 4096;

/// Writes the matches of one series to a store.
pub struct Ledger {
    store: Arc<Store>,
    series: String,
    pending: Mutex<Pending>,
    /// The keys of matches that have begun and not ended, by number.
    keys: Mutex<BTreeMap<u64, String>>,
}

struct Pending {
    events: Vec<(u64, Event)>,
    written: Instant,
}

enum Event {
    Open(Box<Opening>),
    Step(usize, StepRecord),
    End(Close),
}

/// The journal of one match in a ledger.
pub struct Page {
    ledger: Arc<Ledger>,
    number: u64,
    sheet: Option<Arc<str>>,
    begun: bool,
}

impl Ledger {
    /// Creates a ledger for a series that has begun.
    pub fn new(store: &Arc<Store>, series: &str) -> Arc<Ledger> {
        Arc::new(Ledger {
            store: Arc::clone(store),
            series: series.to_string(),
            pending: Mutex::new(Pending { events: Vec::new(), written: Instant::now() }),
            keys: Mutex::new(BTreeMap::new()),
        })
    }

    /// Returns the journal of a match that has not begun.
    pub fn page(self: &Arc<Self>, number: u64, sheet: Option<Arc<str>>) -> Page {
        Page { ledger: Arc::clone(self), number, sheet, begun: false }
    }

    /// Returns the journal of a match that was interrupted and is stored under this key.
    pub fn again(self: &Arc<Self>, number: u64, key: &str) -> Result<Page, StoreError> {
        self.store.backend().opened(key)?;
        lock(&self.keys).insert(number, key.to_string());
        Ok(Page { ledger: Arc::clone(self), number, sheet: None, begun: true })
    }

    /// Writes all pending events. If that fails, they stay pending and are tried again next time.
    pub fn flush(&self) -> Result<(), StoreError> {
        let mut keys = lock(&self.keys);
        let mut events = {
            let mut pending = lock(&self.pending);
            pending.written = Instant::now();
            mem::take(&mut pending.events)
        };
        if events.is_empty() {
            return Ok(());
        }
        match self.write(&events, &keys) {
            Ok(open) => {
                *keys = open;
                Ok(())
            }
            Err(error) => {
                // Other threads may have reported something in the meantime, which comes later.
                let mut pending = lock(&self.pending);
                events.append(&mut pending.events);
                pending.events = events;
                Err(error)
            }
        }
    }

    /// Commits events, and returns the keys of the matches that are open after them.
    fn write(
        &self,
        events: &[(u64, Event)],
        keys: &BTreeMap<u64, String>,
    ) -> Result<BTreeMap<u64, String>, StoreError> {
        let mut begun: BTreeMap<u64, usize> = BTreeMap::new();
        let mut batch = Vec::with_capacity(events.len());
        for (number, event) in events {
            let of = || match begun.get(number) {
                Some(at) => Of::Begun(*at),
                None => Of::Key(keys.get(number).expect("a match begins before its steps and its end")),
            };
            batch.push(match event {
                Event::Step(at, step) => Change::Step(of(), *at, step),
                Event::End(close) => Change::End(of(), close),
                Event::Open(opening) => {
                    begun.insert(*number, begun.len());
                    Change::Open(opening)
                }
            });
        }
        let names = self.store.backend().append(&batch)?;
        let mut open = keys.clone();
        open.extend(begun.into_iter().map(|(number, at)| (number, names[at].clone())));
        for (number, event) in events {
            if matches!(event, Event::End(_)) {
                open.remove(number);
            }
        }
        Ok(open)
    }

    fn push(&self, number: u64, event: Event) -> Result<(), JournalError> {
        let due = {
            let mut pending = lock(&self.pending);
            pending.events.push((number, event));
            pending.written.elapsed() >= DELAY || pending.events.len() >= MOST
        };
        if due { self.flush().map_err(JournalError::new) } else { Ok(()) }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // The error cannot be reported here; callers that need it call `flush`.
        let _ = self.flush();
    }
}

impl Journal for Page {
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        // A match that was interrupted before its first step is stored already.
        if self.begun {
            return Ok(());
        }
        self.begun = true;
        let entry =
            Entry { series: Some((self.ledger.series.clone(), self.number)), sheet: self.sheet.take() };
        self.ledger.push(self.number, Event::Open(Box::new(Opening::of(record, entry))))
    }

    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError> {
        self.ledger.push(self.number, Event::Step(number, step.clone()))
    }

    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        self.ledger.push(self.number, Event::End(Close::of(record)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
