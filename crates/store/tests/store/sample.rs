//! A match to write down, and stores to write it to.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use arena::{End, Ending, Journal, MatchRecord, StepRecord};
use store::{Book, Entry, Store};

/// Returns the path of a file in an empty folder.
pub fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder.join("deep").join("matches.sqlite")
}

/// Runs a check on an empty store of every back end.
pub fn everywhere(name: &str, check: impl Fn(Arc<Store>)) {
    for path in [scratch(name), PathBuf::from(":memory:")] {
        eprintln!("in {}", path.display());
        check(Arc::new(Store::open(&path).unwrap()));
    }
}

/// Returns the opening of a match.
pub fn opening(id: &str) -> MatchRecord {
    let text = format!(
        r#"{{"recordVersion":2,"matchId":"{id}","game":"sum","roles":["a","b"],"playerNamesFromHost":["x","y"],
            "seed":18446744073709551615,"startTime":1700000000000,"startClock":1,"playClock":1}}"#
    );
    serde_json::from_str(&text).unwrap()
}

/// Returns a step; step 0 is the start.
pub fn step(number: usize) -> StepRecord {
    StepRecord {
        moves: if number == 0 { Vec::new() } else { vec![format!("(add {number})"), "noop".to_string()] },
        state: format!("((sum {number}))"),
        errors: vec![String::new(), if number == 2 { "TO".to_string() } else { String::new() }],
        faults: Vec::new(),
        percepts: None,
        thoughts: Vec::new(),
        time: 1_700_000_000_000 + number as u64,
        thinking: vec![1, 2],
    }
}

/// Returns the end of a match.
pub fn end() -> End {
    let goals = vec![Some(100), Some(0)];
    let goal_values = Some(vec![100, 0]);
    End {
        is_completed: true,
        is_aborted: false,
        ending: Ending::Terminal,
        goal_values,
        goals,
        all_goals: None,
    }
}

/// Returns a whole match of this many steps, including the start.
pub fn whole(id: &str, steps: usize) -> MatchRecord {
    let mut record = opening(id);
    (0..steps).for_each(|number| record.push(step(number)));
    record.with_end(end())
}

/// Writes a match of three steps; all of it, or without its end.
pub fn write(store: &Arc<Store>, id: &str, entry: Entry, whole: bool) -> (String, MatchRecord) {
    let mut book = Book::new(store, entry);
    let mut record = opening(id);
    book.open(&record).unwrap();
    for number in 0..4 {
        book.step(number, &step(number)).unwrap();
        record.push(step(number));
    }
    if whole {
        record = record.with_end(end());
        book.close(&record).unwrap();
    }
    (book.key().to_string(), record)
}
