//! Copies: what is exported can be imported.

use std::sync::Arc;

use arena::{Journal, MatchRecord};
use store::{Arrival, Book, Entry, Exporter, Import, Importer, LineError, Query, Store};

use crate::sample::{everywhere, opening, write};

fn member(series: &str, number: u64) -> Entry {
    Entry { series: Some((series.to_string(), number)), sheet: Some(Arc::from("(role a)")) }
}

/// Exports all matches, whether or not they have ended.
fn export(store: &Store) -> Vec<String> {
    let mut exporter = Exporter::new(store, &["private."]);
    store.keys(&Query::default()).unwrap().iter().map(|key| exporter.line(key).unwrap()).collect()
}

fn import(store: &Store, lines: &[String]) -> Vec<Arrival> {
    let mut importer = Importer::new(store, &["private."]);
    lines.iter().map(|line| importer.line(line).unwrap()).collect()
}

fn added(key: &str, outside: bool) -> Arrival {
    Arrival { import: Import::Added(key.to_string()), outside }
}

fn known(key: &str, outside: bool) -> Arrival {
    Arrival { import: Import::Known(key.to_string()), outside }
}

/// A store with a series of three matches, the last of which has not ended, and a match of its own.
fn with_series(store: &Arc<Store>) {
    store.begin_series("s", &serde_json::json!({"game": "sum", "matches": 4})).unwrap();
    write(store, "s.1", member("s", 1), true);
    write(store, "s.0", member("s", 0), true);
    write(store, "alone", Entry::default(), true);
    write(store, "s.3", member("s", 3), false);
}

#[test]
fn a_series_comes_back_with_its_plan_and_its_matches() {
    everywhere("series-from", |store| {
        with_series(&store);
        let lines = export(&store);
        let plans = lines.iter().filter(|line| line.contains("\"plan\"")).count();
        assert_eq!((lines.len(), plans), (4, 1), "the plan is written once");
        everywhere("series-to", |other| {
            let all = ["s.1", "s.0", "alone", "s.3"];
            assert_eq!(import(&other, &lines), all.map(|key| added(key, false)));
            assert_eq!(import(&other, &lines), all.map(|key| known(key, false)));
            let (before, after) = (store.series("s").unwrap(), other.series("s").unwrap());
            assert_eq!((after.created, after.plan), (before.created, before.plan));
            assert_eq!(other.members("s").unwrap(), store.members("s").unwrap());
            assert_eq!(other.kept("alone").unwrap().series, None);
            assert_eq!(export(&other), lines, "a copy of a copy is the same");
            // The series goes on in its copy.
            Book::new(&other, member("s", 2)).open(&opening("s.2")).unwrap();
            assert_eq!(other.members("s").unwrap().len(), 4);
        });
    });
}

#[test]
fn another_series_of_the_same_name_stays_another_series() {
    everywhere("same-from", |store| {
        with_series(&store);
        let lines = export(&store);
        everywhere("same-to", |other| {
            other.begin_series("s", &serde_json::json!({"game": "chess"})).unwrap();
            write(&other, "s.0", member("s", 0), false);
            assert_eq!(import(&other, &lines[..2]), [added("s.1", false), added("s.0~2", false)]);
            assert_eq!(other.series("s.1").unwrap().name, "s~2");
            assert_eq!(other.series("s~2").unwrap().plan, store.series("s").unwrap().plan);
            // The rest of the file finds the series under its other name, without the plan.
            assert_eq!(import(&other, &lines[3..]), [added("s.3", false)]);
            let numbers: Vec<u64> =
                other.members("s~2").unwrap().iter().map(|member| member.number).collect();
            assert_eq!((numbers, other.members("s").unwrap().len()), (vec![0, 1, 3], 1));
            assert_eq!(other.series_like("").unwrap().len(), 2);
        });
    });
}

#[test]
fn a_match_that_cannot_join_its_series_is_stored_outside_of_it() {
    everywhere("outside-from", |store| {
        with_series(&store);
        let lines = export(&store);
        everywhere("outside-plan", |other| {
            assert_eq!(import(&other, &lines[1..2]), [added("s.0", true)], "the plan is missing");
            assert_eq!(import(&other, &lines[..2]), [added("s.1", false), known("s.0", true)]);
            assert_eq!(other.members("s").unwrap().len(), 1);
        });
        everywhere("outside-number", |other| {
            import(&other, &lines[..1]);
            write(&other, "s.0", member("s", 0), false);
            assert_eq!(import(&other, &lines[1..2]), [added("s.0~2", true)], "the number is taken");
            assert_eq!(other.kept("s.0~2").unwrap().record, store.kept("s.0").unwrap().record);
        });
    });
}

#[test]
fn private_series_are_neither_exported_nor_imported() {
    everywhere("private-from", |store| {
        store.begin_series("private.1", &serde_json::json!({"key": "secret"})).unwrap();
        write(&store, "m", member("private.1", 0), true);
        let lines = export(&store);
        assert!(!lines[0].contains("secret") && !lines[0].contains("\"series\""), "{}", lines[0]);
        let told = Exporter::new(&store, &[]).line("m").unwrap();
        everywhere("private-to", |other| {
            assert_eq!(import(&other, std::slice::from_ref(&told)), [added("m", true)]);
            assert!(other.series_like("").unwrap().is_empty());
        });
    });
}

#[test]
fn lines_of_every_version_are_read_and_later_ones_refused() {
    everywhere("versions", |store| {
        with_series(&store);
        let lines = export(&store);
        assert!(lines[0].starts_with("{\"exportVersion\":2,\"recordVersion\":"), "{}", lines[0]);
        let record: MatchRecord = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(record, store.export("s.1").unwrap(), "a line is a match record");
        everywhere("versions-to", |other| {
            // Version 1 is the record alone. A field `series` in it is somebody else's.
            let first = serde_json::to_string(&record).unwrap();
            assert_eq!(import(&other, &[first.replacen('{', "{\"series\":7,", 1)]), [added("s.1", false)]);
            let archived = format!("{{\"url\":\"http://x\",\"data\":{}}}", lines[1]);
            assert_eq!(import(&other, &[archived]), [added("s.0", true)]);
            let mut importer = Importer::new(&other, &[]);
            let later = lines[2].replace("\"exportVersion\":2", "\"exportVersion\":3");
            let error = importer.line(&later).unwrap_err();
            assert!(matches!(error, LineError::Newer { found: 3 }), "{error}");
            for bad in ["nonsense", "{}", "[1]", &lines[0].replace("\"created\"", "\"began\"")] {
                assert!(matches!(importer.line(bad), Err(LineError::NotARecord)), "{bad}");
            }
            assert_eq!(other.keys(&Query::default()).unwrap().len(), 2);
        });
    });
}

#[test]
fn copies_move_to_another_store_and_back() {
    everywhere("from", |store| {
        everywhere("to", |other| {
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
        })
    });
}

#[test]
fn records_of_others_are_taken() {
    everywhere("foreign", |store| {
        let text = r#"{"matchId":"tiltyard.x.1","randomToken":"t","startTime":5,"isCompleted":true,"isAborted":false,
        "states":["( ( cell 1 b ) )","( ( cell 1 x ) )"],"moves":[["( mark 1 )","noop"]],"stateTimes":[5,6],
        "errors":[["",""],["","TO"]],"goalValues":[100,0],"previewClock":-1,"startClock":10,"playClock":5,
        "gameMetaURL":"http://games.example/x/","playerNamesFromHost":["a","b"],"scrambled":true}"#;
        let record: MatchRecord = serde_json::from_str(text).unwrap();
        assert_eq!(store.import(&record).unwrap(), Import::Added("tiltyard.x.1".to_string()));
        let kept = store.find("tiltyard.x.1").unwrap();
        assert_eq!((kept.record.goal_values, kept.record.errors[1][1].as_str()), (Some(vec![100, 0]), "TO"));
    });
}
