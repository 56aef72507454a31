//! A ledger writes everything that its matches report, in order, even if a commit fails in between.

use std::sync::Arc;

use arena::Journal;
use store::{Entry, Ledger, Query, Store, StoreError};

use crate::sample::{everywhere, opening, scratch, step, whole, write};

#[test]
fn events_that_could_not_be_committed_are_kept_and_written_later() {
    let path = scratch("ledger-failure");
    let store = Arc::new(Store::open(&path).unwrap());
    store.begin_series("s", &serde_json::json!({})).unwrap();
    let ledger = Ledger::new(&store, "s");
    let (mut first, mut second) = (ledger.page(0, None), ledger.page(1, Some("(role a)".into())));
    first.open(&opening("s.0")).unwrap();
    first.step(0, &step(0)).unwrap();
    ledger.flush().unwrap();

    let plain = rusqlite::Connection::open(&path).unwrap();
    plain
        .execute_batch("CREATE TRIGGER full BEFORE INSERT ON ends BEGIN SELECT RAISE(ABORT, 'no room'); END")
        .unwrap();
    // A report that is due to be written is told of the failure; it is kept all the same.
    let _ = second.open(&opening("s.1"));
    let _ = second.step(0, &step(0));
    let _ = first.step(1, &step(1));
    let _ = first.close(&whole("s.0", 2));
    assert!(ledger.flush().unwrap_err().to_string().contains("no room"));
    let _ = second.step(1, &step(1));
    assert!(ledger.flush().is_err(), "it is tried again");
    assert_eq!(store.steps("s.0").unwrap().len(), 1);
    assert_eq!(
        store.keys(&Query::default()).unwrap(),
        ["s.0"],
        "a batch is written as a whole or not at all"
    );

    plain.execute_batch("DROP TRIGGER full").unwrap();
    second.step(2, &step(2)).unwrap();
    second.close(&whole("s.1", 3)).unwrap();
    ledger.flush().unwrap();
    assert_eq!(store.kept("s.0").unwrap().record, whole("s.0", 2));
    let kept = store.kept("s.1").unwrap();
    assert_eq!((kept.record, kept.sheet.as_deref()), (whole("s.1", 3), Some("(role a)")));
    assert_eq!(store.members("s").unwrap().iter().filter(|member| member.finished).count(), 2);
}

#[test]
fn a_batch_is_written_as_a_whole_or_not_at_all() {
    everywhere("ledger-batch", |store| {
        store.begin_series("s", &serde_json::json!({})).unwrap();
        let ledger = Ledger::new(&store, "s");
        let (mut first, mut second, mut third) =
            (ledger.page(0, None), ledger.page(1, None), ledger.page(2, None));
        first.open(&opening("s.0")).unwrap();
        first.step(0, &step(0)).unwrap();
        ledger.flush().unwrap();
        write(&store, "somebody", Entry { series: Some(("s".to_string(), 2)), sheet: None }, true);

        // The third match cannot begin, because its place is taken.
        let _ = first.step(1, &step(1));
        let _ = first.close(&whole("s.0", 2));
        let _ = second.open(&opening("s.1"));
        let _ = second.step(0, &step(0));
        let _ = third.open(&opening("s.2"));
        for _ in 0..2 {
            let error = ledger.flush().unwrap_err();
            assert_eq!(error.to_string(), "The store already contains match 2 of series `s`.");
        }
        assert_eq!(store.keys(&Query::default()).unwrap(), ["s.0", "somebody"]);
        let first = store.kept("s.0").unwrap();
        assert_eq!((first.record.states.len(), first.finished), (1, false));
        assert!(matches!(store.find("s.1"), Err(StoreError::Unknown { .. })));
        assert_eq!(store.members("s").unwrap().len(), 2);
        // What was taken back can be written again.
        write(&store, "s.1", Entry { series: Some(("s".to_string(), 1)), sheet: None }, true);
        assert_eq!(store.find("s.1").unwrap().key, "s.1");
    });
}

#[test]
fn what_is_pending_is_written_when_the_ledger_goes() {
    everywhere("ledger-drop", |store| {
        store.begin_series("s", &serde_json::json!({})).unwrap();
        let ledger = Ledger::new(&store, "s");
        let mut page = ledger.page(7, None);
        page.open(&opening("s.7")).unwrap();
        (0..3).for_each(|number| page.step(number, &step(number)).unwrap());
        drop((page, ledger));
        let ledger = Ledger::new(&store, "s");
        let mut page = ledger.again(7, "s.7").unwrap();
        page.open(&opening("s.7")).unwrap();
        page.step(3, &step(3)).unwrap();
        page.close(&whole("s.7", 4)).unwrap();
        ledger.flush().unwrap();
        assert_eq!(store.find("s.7").unwrap().record, whole("s.7", 4));
        assert!(ledger.again(8, "s.8").is_err());
    });
}
