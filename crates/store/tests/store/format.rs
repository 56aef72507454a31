//! The format of SQLite files: older files are migrated, later ones refused, and what is written into
//! the latest format stays the same to the byte.
//!
//! `format_2.sql` is the dump of a file with a series of two matches and two matches of the same name.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::Value;
use store::{Entry, Query, Store, StoreError};

use crate::sample::{scratch, write};

const FORMAT_2: &str = include_str!("format_2.sql");

/// Returns everything in a file, except when series began.
fn contents(path: &Path) -> Vec<Vec<Value>> {
    let file = Connection::open(path).unwrap();
    let queries = [
        "SELECT * FROM pragma_user_version",
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",
        "SELECT * FROM sheets ORDER BY id",
        "SELECT name, plan FROM series ORDER BY name",
        "SELECT * FROM matches ORDER BY id",
        "SELECT * FROM steps ORDER BY match, number",
        "SELECT * FROM ends ORDER BY match",
    ];
    let mut found = Vec::new();
    for query in queries {
        let mut rows = file.prepare(query).unwrap();
        let columns = rows.column_count();
        let rows = rows.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
        found.extend(rows.map(Result::unwrap));
    }
    found
}

#[test]
fn a_file_of_format_2_is_read_and_written_as_it_was() {
    let (path, same) = (scratch("format-2-read"), scratch("format-2-written"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    Connection::open(&path).unwrap().execute_batch(FORMAT_2).unwrap();
    let before = contents(&path);
    let store = Store::open_existing(&path).unwrap();
    assert_eq!(store.keys(&Query::default()).unwrap(), ["s.0", "s.1", "alone", "alone~2"]);
    assert_eq!(store.keys(&Query { finished: true, ..Query::default() }).unwrap(), ["s.0", "alone"]);
    let series = store.series("s.1").unwrap();
    assert_eq!((series.name.as_str(), &series.plan["matches"]), ("s", &serde_json::json!(2)));
    let read: Vec<_> =
        store.keys(&Query::default()).unwrap().iter().map(|key| store.kept(key).unwrap()).collect();
    drop(store);
    assert_eq!(contents(&path), before, "opening a file changes nothing in it");

    let store = Arc::new(Store::open(&same).unwrap());
    store.begin_series("s", &series.plan).unwrap();
    let entry =
        |number| Entry { series: Some(("s".to_string(), number)), sheet: Some("(role a)\n(role b)".into()) };
    let written = [
        write(&store, "s.0", entry(0), true),
        write(&store, "s.1", entry(1), false),
        write(&store, "alone", Entry::default(), true),
        write(&store, "alone", Entry::default(), false),
    ];
    for (read, (key, record)) in read.iter().zip(&written) {
        assert_eq!((&read.key, &read.record), (key, record));
    }
    drop(store);
    assert_eq!(contents(&same), before);
}

#[test]
fn older_files_are_brought_up_to_date_and_later_ones_refused() {
    let path = scratch("versions");
    drop(Store::open(&path).unwrap());
    let plain = Connection::open(&path).unwrap();
    // As the first format had it: without the rules that nothing is changed.
    for name in ["matches", "steps", "ends", "series"] {
        plain.execute_batch(&format!("DROP TRIGGER {name}_stay; DROP TRIGGER {name}_last;")).unwrap();
    }
    plain.pragma_update(None, "user_version", 1).unwrap();
    let store = Arc::new(Store::open(&path).unwrap());
    write(&store, "one", Entry::default(), true);
    assert!(plain.execute("DELETE FROM steps", []).is_err());
    drop(store);
    plain.pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Newer { found: 99, .. })));
    let text = path.with_file_name("text.sqlite");
    fs::write(&text, "this is not a database, and long enough to be seen as none: ".repeat(20)).unwrap();
    assert!(matches!(Store::open(&text), Err(StoreError::Open { .. })));
    assert!(matches!(Store::open_existing(&text.join("x")), Err(StoreError::Open { .. })));
}
