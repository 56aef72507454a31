//! Persistent storage of matches.
//!
//! A store contains the openings of matches, their steps, how they ended, and series of matches.
//! Nothing in it is ever changed or deleted. With a [`Book`], each step is a separate commit, so a
//! step that was written survives the death of the process; a [`Ledger`] commits in batches.
//!
//! Where all this is kept is a back end's business (`backend`): one SQLite file, or
//! memory, which keeps nothing after the program ends.

mod backend;
mod batch;
mod book;
mod error;
mod history;
mod ledger;
mod place;
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
pub use transfer::{Arrival, Exporter, GameOf, Import, Importer, LineError};
