//! Drawing in a terminal.

pub(crate) mod board;
pub(crate) mod diagnostic;
pub(crate) mod state;
