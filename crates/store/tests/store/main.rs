//! What is written stays, comes back, and moves from store to store, wherever it is kept.
//!
//! [`everywhere`](sample::everywhere) runs a check on every back end; what only one of them does is checked
//! in `file`, `format` and `memory`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod file;
mod format;
mod ledger;
mod matches;
mod memory;
mod sample;
mod series;
mod transfer;
