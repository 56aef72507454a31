//! The arena in a browser.
//!
//! [`Service`] owns the library of games, the tables where matches are played, and the store;
//! [`serve`] puts it behind HTTP: pages, a JSON API, Server-Sent Events for spectators and
//! WebSockets for players. Matches are played by the ordinary referee on separate threads; this
//! crate only seats people and shows each viewer what it may see. It knows players only by name.

mod api;
mod diary;
mod drawing;
mod experiments;
mod guard;
mod gzip;
mod hall;
mod interrupted;
mod keys;
mod limits;
mod listener;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod recent;
mod serve;
mod service;
mod shelf;
mod table;
mod tournaments;
mod visitors;

pub use limits::{Limits, SheetLimits};
pub use serve::{Options, Running, log_to_stderr, serve};
pub use service::Service;

/// The prefixes of series in a store that belong to the service. They are not copied to other stores: their
/// plans contain the keys of seats, and the service resumes whatever it finds under such a name.
pub const PRIVATE_SERIES: [&str; 2] = [table::record::SERIES, diary::SERIES];
