//! What goes over the network: the messages of the field and the HTTP they
//! travel in.
//!
//! Three dialects are spoken. They differ in spelling and, where rules hide
//! something, in what a player is told; on receipt all are understood at once.

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
