//! Boards in states.
//!
//! Most states hold a board: facts of one relation with two arguments that are
//! coordinates and the rest what lies there, such as `(cell 3 1 x)`. [`Layout`]
//! finds such relations by looking at a few states and the rule sheet;
//! [`Layout::picture`] then puts any state's facts on boards. A relation is
//! taken for a board only if in every state seen each square holds one thing.

pub(crate) mod axis;
pub(crate) mod fluent;
mod layout;

pub use layout::{Board, Layout, Picture, samples};
pub(crate) use layout::{Field, Square};
