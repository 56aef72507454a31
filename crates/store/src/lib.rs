//! Persistent storage of matches.
//!
//! One SQLite file contains the openings of matches, their steps, and how they ended. Nothing
//! in it is ever changed or deleted. With a [`Book`], each step is a separate commit in
//! write-ahead mode, so a step that was written survives the death of the process; a [`Ledger`]
//! commits in batches. No other crate uses SQL.

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
