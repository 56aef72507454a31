//! The arena in a browser.
//!
//! [`Service`] holds the library of games, the tables at which matches are
//! played, and the store they are written into; [`serve`] puts it behind HTTP:
//! pages, a JSON API, Server-Sent Events for those who watch and WebSockets for
//! those who play. Matches are played by the ordinary referee on threads of
//! their own; this crate only seats people and shows what each may see. It
//! knows players by their names alone.

mod api;
mod contest;
mod diary;
mod drawing;
mod guard;
mod hall;
mod keys;
mod limits;
mod listener;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod recent;
mod serve;
mod service;
mod shelf;
mod squeeze;
mod study;
mod table;

pub use limits::{Limits, SheetLimits};
pub use serve::{Options, Running, log_to_stderr, serve};
pub use service::Service;
