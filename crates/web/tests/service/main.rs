//! The service over real sockets.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on fails")]

mod begin;
mod client;
mod experiments;
mod folders;
mod games;
mod guard;
mod hidden;
mod lab;
mod load;
mod malformed;
mod matches;
mod openapi;
mod restart;
mod substitutes;
mod workshop;
