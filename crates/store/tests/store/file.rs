//! What only a file does: it lasts, it is shared, and nobody can change what it contains.

use std::sync::Arc;

use store::{Entry, Query, Store};

use crate::sample::{scratch, write};

#[test]
fn a_file_keeps_what_was_written_when_it_is_closed() {
    let path = scratch("closed");
    let store = Arc::new(Store::open(&path).unwrap());
    let (_, whole) = write(&store, "one", Entry::default(), true);
    drop(store);
    let store = Store::open_existing(&path).unwrap();
    assert_eq!((store.path(), store.find("one").unwrap().record), (path.as_path(), whole));
}

#[test]
fn nothing_in_a_file_is_changed_or_deleted() {
    let path = scratch("append");
    write(&Arc::new(Store::open(&path).unwrap()), "one", Entry::default(), false);
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
fn two_openings_of_a_file_write_at_once() {
    let path = scratch("openings");
    let stores = [Arc::new(Store::open(&path).unwrap()), Arc::new(Store::open(&path).unwrap())];
    std::thread::scope(|scope| {
        for number in 0..8 {
            let store = &stores[number % 2];
            scope.spawn(move || write(store, &format!("m{number}"), Entry::default(), true));
        }
    });
    assert_eq!(stores[0].keys(&Query { finished: true, ..Query::default() }).unwrap().len(), 8);
}
