//! Players of games with hidden information, and the models they play from.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod clock;
mod cost;
mod faults;
mod fog;
mod follow;
mod likely;
mod models;
mod peeking;
mod published;
mod solved;
mod specs;
