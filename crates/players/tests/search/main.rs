//! Players of games that hide nothing, in one program because linking costs more than testing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod certain;
mod clocks;
mod exact;
mod mcts;
mod minimax;
mod mix;
mod simple;
mod strength;
mod table;
mod write_a_player;
