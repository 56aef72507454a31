//! Series: plans, and the matches that belong to them.

use arena::Journal;
use store::{Book, Entry, StoreError};

use crate::sample::{everywhere, opening, write};

fn entry(series: &str, number: u64) -> Entry {
    Entry { series: Some((series.to_string(), number)), sheet: None }
}

#[test]
fn series_remember_their_plan_and_their_matches() {
    everywhere("series", |store| {
        let plan = serde_json::json!({"game": "sum", "matches": 2});
        assert_eq!(store.begin_series("s", &plan).unwrap(), "s");
        assert_eq!(store.begin_series("s", &plan).unwrap(), "s~2");
        let (_, last) = write(&store, "s.1", entry("s", 1), true);
        write(&store, "s.0", entry("s", 0), false);
        let members: Vec<(u64, bool)> =
            store.members("s").unwrap().into_iter().map(|member| (member.number, member.finished)).collect();
        assert_eq!(members, [(0, false), (1, true)]);
        assert!(store.members("s~2").unwrap().is_empty());
        assert_eq!(store.kept("s.0").unwrap().series, Some(("s".to_string(), 0)));
        let mut finished = Vec::new();
        store.each_finished("s", |number, record| finished.push((number, record))).unwrap();
        assert_eq!(finished, [(1, last)]);
    });
}

#[test]
fn series_are_found_by_name_prefix_and_match() {
    everywhere("series-names", |store| {
        let plan = |number: u64| serde_json::json!({"number": number});
        for number in 1..=11 {
            store.begin_series("s", &plan(number)).unwrap();
        }
        store.begin_series("other", &plan(0)).unwrap();
        write(&store, "m", entry("s~2", 0), true);
        write(&store, "alone", Entry::default(), true);
        assert_eq!(store.series("s").unwrap().plan, plan(1));
        assert_eq!(store.series("m").unwrap().name, "s~2");
        assert!(matches!(store.series("alone"), Err(StoreError::Unknown { .. })));
        assert!(matches!(store.series("x"), Err(StoreError::Unknown { .. })));
        assert_eq!(store.series_named("s~11").unwrap().unwrap().plan, plan(11));
        assert!(store.series_named("m").unwrap().is_none());
        let begun: Vec<_> = store.series_like("s").unwrap().into_iter().map(|series| series.plan).collect();
        assert_eq!(begun, (1..=11).map(plan).collect::<Vec<_>>(), "in the order in which they began");
        assert_eq!(store.series_like("").unwrap().len(), 12);
    });
}

#[test]
fn a_place_in_a_series_is_taken_once_and_the_series_exists() {
    everywhere("series-places", |store| {
        store.begin_series("s", &serde_json::json!({})).unwrap();
        write(&store, "one", entry("s", 1), true);
        let open = |entry| Book::new(&store, entry).open(&opening("two")).unwrap_err().to_string();
        assert_eq!(open(entry("s", 1)), "The store already contains match 1 of series `s`.");
        assert!(open(entry("t", 1)).starts_with("There is no match or series `t` in the store."));
        assert!(store.find("two").is_err(), "nothing is left of a match that could not begin");
    });
}
