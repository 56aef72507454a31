//! The wire protocol: the messages of the field, and the HTTP that carries them.
//!
//! There are several dialects. They differ in spelling and, if rules hide something, in what a player is
//! told. On receipt all of them are understood.

mod dialect;
pub(crate) mod http;
mod message;
mod node;
mod reply;
mod scramble;

pub use dialect::Dialect;
pub use message::{BadMessage, Message, News};
pub use node::{Node, NodeError};
pub use reply::{Presence, read_move, read_presence};
pub use scramble::Scrambler;
