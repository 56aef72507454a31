//! Matches, as a journal writes them and as queries find them.

use std::sync::Arc;

use arena::{Ending, Journal};
use store::{Book, Entry, Query, StoreError};

use crate::sample::{everywhere, opening, step, write};

#[test]
fn matches_come_back_as_they_were() {
    everywhere("back", |store| {
        let sheet = Entry { series: None, sheet: Some(Arc::from("(role a)")) };
        let (key, whole) = write(&store, "one", sheet.clone(), true);
        let (again, _) = write(&store, "one", sheet, false);
        assert_eq!((key.as_str(), again.as_str()), ("one", "one~2"));
        let kept = store.find("one").unwrap();
        assert_eq!((kept.record, kept.sheet.as_deref(), kept.finished), (whole, Some("(role a)"), true));
        let part = store.find("one~").unwrap();
        assert_eq!((part.key.as_str(), part.finished, part.record.moves.len()), ("one~2", false, 3));
        assert_eq!(part.record.ending, Ending::Open);
        assert_eq!(store.steps("one~2").unwrap(), (0..4).map(step).collect::<Vec<_>>());
        assert!(matches!(store.steps("two"), Err(StoreError::Unknown { name }) if name == "two"));
        assert!(matches!(store.kept("two"), Err(StoreError::Unknown { .. })));
    });
}

#[test]
fn queries_select_matches() {
    everywhere("queries", |store| {
        store.begin_series("s", &serde_json::json!({})).unwrap();
        write(&store, "one", Entry::default(), true);
        write(&store, "two", Entry { series: Some(("s".to_string(), 5)), sheet: None }, false);
        write(&store, "one", Entry::default(), false);
        let list = store.history(&Query::default()).unwrap();
        let shown: Vec<_> =
            list.iter().map(|found| (found.key.as_str(), found.series.as_deref(), found.steps)).collect();
        assert_eq!(shown, [("one", None, 3), ("two", Some("s"), 3), ("one~2", None, 3)]);
        let first = &list[0];
        assert_eq!((first.game.as_str(), first.created), ("sum", 1_700_000_000_000));
        assert_eq!(
            (&first.roles[..], &first.players[..]),
            (&["a", "b"].map(String::from)[..], &["x", "y"].map(String::from)[..])
        );
        assert_eq!(first.end.as_ref().unwrap().goal_values, Some(vec![100, 0]));
        assert!(list[1].end.is_none());
        let keys = |query: Query| store.keys(&query).unwrap();
        assert_eq!(keys(Query { finished: true, ..Query::default() }), ["one"]);
        assert_eq!(keys(Query { series: Some("s".to_string()), ..Query::default() }), ["two"]);
        assert_eq!(
            keys(Query { game: Some("sum".to_string()), limit: Some(2), ..Query::default() }),
            ["two", "one~2"]
        );
        assert!(keys(Query { game: Some("other".to_string()), ..Query::default() }).is_empty());
        assert!(keys(Query { limit: Some(0), ..Query::default() }).is_empty());
    });
}

#[test]
fn a_match_is_found_by_key_id_or_prefix() {
    everywhere("find", |store| {
        for id in ["nim.1", "nim.12", "Nim.1", "n", "été"] {
            write(&store, id, Entry::default(), false);
        }
        write(&store, "n", Entry::default(), false);
        let found = |name: &str| store.find(name).map(|kept| kept.key).ok();
        for (name, key) in [("nim.1", "nim.1"), ("n", "n"), ("n~", "n~2"), ("N", "Nim.1"), ("ét", "été")] {
            assert_eq!(found(name).as_deref(), Some(key), "{name}");
        }
        assert!(
            matches!(store.find("ni"), Err(StoreError::Several { matches, .. }) if matches == "nim.1, nim.12")
        );
        assert!(matches!(store.find("x"), Err(StoreError::Unknown { .. })));
    });
}

#[test]
fn no_step_and_no_end_comes_twice() {
    everywhere("twice", |store| {
        let (key, _) = write(&store, "one", Entry::default(), false);
        let mut again = Book::again(&store, &key).unwrap();
        again.open(&opening("one")).unwrap();
        let told = |error: arena::JournalError| error.to_string();
        assert_eq!(told(again.step(3, &step(3)).unwrap_err()), "The store already contains step 3 of `one`.");
        again.step(4, &step(4)).unwrap();
        assert_eq!(store.steps(&key).unwrap().len(), 5);
        assert_eq!(store.keys(&Query::default()).unwrap(), ["one"]);
        again.close(&opening("one")).unwrap();
        assert_eq!(
            told(again.close(&opening("one")).unwrap_err()),
            "The store already contains the end of `one`."
        );
        assert!(Book::again(&store, "two").is_err());
    });
}

#[test]
fn many_threads_write_at_once() {
    everywhere("threads", |store| {
        std::thread::scope(|scope| {
            for number in 0..8 {
                let store = &store;
                scope.spawn(move || write(store, &format!("m{}", number / 2), Entry::default(), true));
            }
        });
        let mut keys = store.keys(&Query { finished: true, ..Query::default() }).unwrap();
        keys.sort();
        assert_eq!(keys, ["m0", "m0~2", "m1", "m1~2", "m2", "m2~2", "m3", "m3~2"]);
    });
}
