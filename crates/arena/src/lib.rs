//! One match: referee, clocks, wire protocol, match record.
//!
//! The referee knows a [`game::Game`] and [`game::Seat`]s, but no concrete players or reasoners. Every seat
//! has a thread of its own, so that one that hangs or panics loses a move and never the match. The record of
//! a match is the same, byte for byte, for the same seed, as long as nobody is late. [`Remote`] is a seat
//! whose player is somewhere else; [`PlayerServer`] is the other end of the wire.

mod chair;
mod process;
mod record;
mod referee;
mod remote;
mod serve;
mod setup;
mod verdict;
pub mod wire;

pub use process::Process;
pub use record::{End, Ending, Fault, MatchRecord, Published, StepRecord, StepThought, Times};
pub use referee::{play, play_on};
pub use remote::{Address, AddressError, InfoError, Remote};
pub use serve::{Guest, Host, HostError, Invitation, PlayerServer, ServeOptions};
pub use setup::{
    Event, FractionalClock, GRACE, Journal, JournalError, NoJournal, Replacement, Setup, Sitter, Watch,
    check_wire_clocks,
};
pub use wire::http::HttpError;
