//! Matches that were open when the service last ended and have not been taken up yet.
//!
//! Taking one up repeats its steps, which may take a while, so it is done in the background. Whoever asks for
//! a match takes it up at once, or waits until it has been.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::Member;

use crate::table::record::TableRecord;

/// A match, and where its steps are stored if it had begun.
pub(crate) struct Left {
    pub(crate) record: TableRecord,
    pub(crate) member: Option<Member>,
}

/// The place of a match; empty when somebody has taken it up. Locked meanwhile.
struct Place {
    record: TableRecord,
    left: Mutex<Option<Left>>,
}

/// All of them, by name.
#[derive(Default)]
pub(crate) struct Interrupted {
    places: Mutex<BTreeMap<String, Arc<Place>>>,
}

impl Interrupted {
    fn places(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, left: Left) {
        let (id, record) = (left.record.id.clone(), left.record.clone());
        self.places().insert(id, Arc::new(Place { record, left: Mutex::new(Some(left)) }));
    }

    pub(crate) fn len(&self) -> usize {
        self.places().len()
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.places().keys().cloned().collect()
    }

    /// Returns the descriptions of the matches.
    pub(crate) fn records(&self) -> Vec<TableRecord> {
        self.places().values().map(|place| place.record.clone()).collect()
    }

    /// Takes up a match, or waits until another thread has. Does nothing if it is not here.
    pub(crate) fn take_up(&self, id: &str, reopen: impl FnOnce(Left)) {
        let place = self.places().get(id).cloned();
        let Some(place) = place else { return };
        let mut left = place.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = left.take() {
            reopen(left);
            self.places().remove(id);
        }
    }

    /// Leaves the rest to the next start, and waits for those that are being taken up.
    pub(crate) fn close(&self) {
        let places = std::mem::take(&mut *self.places());
        for place in places.into_values() {
            place.left.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn left(id: &str) -> Left {
        let record = json!({
            "version": 1, "id": id, "game": "fox", "seats": [], "start_clock_ms": 1, "play_clock_ms": 1,
            "seed": 1, "casual": true, "started": 1,
        });
        Left { record: serde_json::from_value(record).unwrap(), member: None }
    }

    #[test]
    fn a_match_is_taken_up_once_and_those_who_ask_meanwhile_wait() {
        let interrupted = Interrupted::default();
        interrupted.put(left("a"));
        interrupted.put(left("b"));
        let (count, begun) = (Mutex::new(0), std::sync::Barrier::new(4));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    begun.wait();
                    interrupted.take_up("a", |_| *count.lock().unwrap() += 1);
                    assert_eq!(*count.lock().unwrap(), 1);
                });
            }
        });
        assert_eq!(interrupted.ids(), ["b"]);
        interrupted.close();
        interrupted.take_up("b", |_| panic!("it is left to the next start"));
    }
}
