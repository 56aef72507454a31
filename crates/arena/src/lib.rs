//! One match: referee, clocks, match record.
//!
//! The referee knows a [`game::Game`] and [`game::Seat`]s, nothing of concrete
//! players or reasoners. Every seat sits on a thread of its own, so that one
//! that hangs or panics loses a move and never the match. The record of a match
//! is the same, byte for byte, for the same seed, as long as nobody is late.

mod chair;
mod record;
mod referee;
mod setup;
mod verdict;

pub use record::{End, Ending, Fault, MatchRecord, Reason, StepRecord, Times};
pub use referee::{play, play_on};
pub use setup::{Event, Journal, NoJournal, Replacement, Setup, Sitter};
