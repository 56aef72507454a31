//! What only memory does: it forgets.

use std::path::Path;
use std::sync::Arc;

use store::{Entry, Query, Store, StoreError};

use crate::sample::write;

#[test]
fn a_store_in_memory_is_seen_by_nobody_else_and_writes_no_file() {
    let path = Path::new(":memory:");
    let store = Arc::new(Store::open(path).unwrap());
    write(&store, "one", Entry::default(), true);
    assert_eq!(store.path(), path);
    assert!(Store::open(path).unwrap().keys(&Query::default()).unwrap().is_empty());
    assert!(matches!(Store::open_existing(path), Err(StoreError::Open { .. })));
    assert!(!path.exists());
}
