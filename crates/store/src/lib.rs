//! Matches on disk.
//!
//! One SQLite file holds the openings of matches, their steps, and how they
//! ended; nothing in it is ever changed or deleted. A step that was written is
//! there after the process has died, because each is a commit of its own in
//! write-ahead mode. This crate is the one door: no other speaks SQL.

mod book;
mod error;
mod history;
mod ledger;
mod place;
mod schema;
mod series;
mod store;
mod transfer;

pub use book::{Book, Entry};
pub use error::StoreError;
pub use history::{Kept, Query, Summary};
pub use ledger::{Ledger, Page};
pub use place::default_path;
pub use series::{Member, Series};
pub use store::Store;
pub use transfer::Import;
