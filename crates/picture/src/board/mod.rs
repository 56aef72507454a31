//! Boards in states.
//!
//! Most states contain a board: facts of one relation with two arguments that are coordinates, such as
//! `(cell 3 1 x)`, while the others say what is there. [`Layout`] finds such relations by examining a
//! few states and the rule sheet; [`Layout::picture`] then puts the facts of any state on boards. In
//! every state seen, each square of a board must hold one thing, or at most one per player; otherwise
//! there must be many squares with only a few things on each.

pub(crate) mod axis;
pub(crate) mod fluent;
mod layout;

pub use layout::{Board, Layout, Picture, samples};
pub(crate) use layout::{Field, Square};
