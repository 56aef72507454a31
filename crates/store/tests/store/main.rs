//! What is written stays, comes back, and moves from file to file.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod format;
mod ledger;
mod sample;

use std::sync::Arc;

use arena::{Ending, Journal, MatchRecord};
use store::{Book, Entry, Import, Query, Store, StoreError};

use sample::{opening, scratch, step, write};

#[test]
fn matches_come_back_as_they_were() {
    let path = scratch("back");
    let store = Arc::new(Store::open(&path).unwrap());
    let sheet = Entry { series: None, sheet: Some(Arc::from("(role a)")) };
    let (key, whole) = write(&store, "one", sheet.clone(), true);
    let (again, _) = write(&store, "one", sheet, false);
    assert_eq!((key.as_str(), again.as_str()), ("one", "one~2"));
    drop(store);
    let store = Store::open_existing(&path).unwrap();
    let kept = store.find("one").unwrap();
    assert_eq!((kept.record, kept.sheet.as_deref(), kept.finished), (whole, Some("(role a)"), true));
    let part = store.find("one~").unwrap();
    assert_eq!((part.key.as_str(), part.finished, part.record.moves.len()), ("one~2", false, 3));
    assert_eq!(part.record.ending, Ending::Open);
    assert_eq!(store.steps("one~2").unwrap(), (0..4).map(step).collect::<Vec<_>>());
    let list = store.history(&Query::default()).unwrap();
    assert_eq!(
        list.iter().map(|found| (found.key.as_str(), found.steps)).collect::<Vec<_>>(),
        [("one", 3), ("one~2", 3)]
    );
    assert_eq!(store.keys(&Query { finished: true, ..Query::default() }).unwrap(), ["one"]);
    assert_eq!(store.keys(&Query { game: Some("other".to_string()), ..Query::default() }).unwrap().len(), 0);
    assert!(matches!(store.find("o"), Err(StoreError::Several { .. })));
    assert!(matches!(store.find("two"), Err(StoreError::Unknown { .. })));
}

#[test]
fn no_step_comes_twice_and_nothing_is_changed() {
    let path = scratch("append");
    let store = Arc::new(Store::open(&path).unwrap());
    let (key, _) = write(&store, "one", Entry::default(), false);
    let mut again = Book::again(&store, &key).unwrap();
    again.open(&opening("one")).unwrap();
    assert!(again.step(3, &step(3)).unwrap_err().to_string().contains("already contains step 3 of `one`"));
    again.step(4, &step(4)).unwrap();
    assert_eq!(store.steps(&key).unwrap().len(), 5);
    assert_eq!(store.keys(&Query::default()).unwrap(), ["one"]);
    let plain = rusqlite::Connection::open(&path).unwrap();
    for sql in [
        "UPDATE steps SET step = ''",
        "DELETE FROM steps",
        "DELETE FROM matches",
        "UPDATE matches SET game = ''",
    ] {
        assert!(plain.execute(sql, []).unwrap_err().to_string().contains("stay"), "{sql}");
    }
}

#[test]
fn series_remember_their_plan_and_their_matches() {
    let store = Arc::new(Store::open(&scratch("series")).unwrap());
    let plan = serde_json::json!({"game": "sum", "matches": 2});
    assert_eq!(store.begin_series("s", &plan).unwrap(), "s");
    assert_eq!(store.begin_series("s", &plan).unwrap(), "s~2");
    let entry = |number| Entry { series: Some(("s".to_string(), number)), sheet: None };
    write(&store, "s.1", entry(1), true);
    write(&store, "s.0", entry(0), false);
    let members: Vec<(u64, bool)> =
        store.members("s").unwrap().into_iter().map(|member| (member.number, member.finished)).collect();
    assert_eq!(members, [(0, false), (1, true)]);
    assert_eq!(store.series("s").unwrap().plan, plan);
    assert_eq!(store.series("s.1").unwrap().name, "s");
    assert!(Book::new(&store, entry(1)).open(&opening("s.1")).is_err(), "a place in a series is taken once");
}

#[test]
fn copies_move_to_another_store_and_back() {
    let store = Arc::new(Store::open(&scratch("from")).unwrap());
    let other = Store::open(&scratch("to")).unwrap();
    let sheet = Entry { series: None, sheet: Some(Arc::from("(role a)")) };
    write(&store, "one", sheet, true);
    write(&store, "two", Entry::default(), false);
    for key in ["one", "two"] {
        let line = serde_json::to_string(&store.export(key).unwrap()).unwrap();
        let record: MatchRecord = serde_json::from_str(&line).unwrap();
        assert_eq!(other.import(&record).unwrap(), Import::Added(key.to_string()));
        assert_eq!(other.import(&record).unwrap(), Import::Known(key.to_string()));
        assert_eq!(serde_json::to_string(&other.export(key).unwrap()).unwrap(), line);
        assert_eq!(store.import(&record).unwrap(), Import::Known(key.to_string()));
    }
    // Another match under the same id is another match.
    let mut differs = store.export("one").unwrap();
    differs.moves[0][0] = "(add 9)".to_string();
    assert_eq!(other.import(&differs).unwrap(), Import::Added("one~2".to_string()));
}

#[test]
fn records_of_others_are_taken() {
    let store = Store::open(&scratch("foreign")).unwrap();
    let text = r#"{"matchId":"tiltyard.x.1","randomToken":"t","startTime":5,"isCompleted":true,"isAborted":false,
        "states":["( ( cell 1 b ) )","( ( cell 1 x ) )"],"moves":[["( mark 1 )","noop"]],"stateTimes":[5,6],
        "errors":[["",""],["","TO"]],"goalValues":[100,0],"previewClock":-1,"startClock":10,"playClock":5,
        "gameMetaURL":"http://games.example/x/","playerNamesFromHost":["a","b"],"scrambled":true}"#;
    let record: MatchRecord = serde_json::from_str(text).unwrap();
    assert_eq!(store.import(&record).unwrap(), Import::Added("tiltyard.x.1".to_string()));
    let kept = store.find("tiltyard.x.1").unwrap();
    assert_eq!((kept.record.goal_values, kept.record.errors[1][1].as_str()), (Some(vec![100, 0]), "TO"));
}

#[test]
fn many_threads_and_two_openings_write_at_once() {
    let path = scratch("threads");
    let stores = [Arc::new(Store::open(&path).unwrap()), Arc::new(Store::open(&path).unwrap())];
    std::thread::scope(|scope| {
        for number in 0..8 {
            let store = &stores[number % 2];
            scope.spawn(move || write(store, &format!("m{number}"), Entry::default(), true));
        }
    });
    assert_eq!(stores[0].keys(&Query { finished: true, ..Query::default() }).unwrap().len(), 8);
}
