//! Games small enough to compute everything that every role may ever know.
//!
//! [`Form`] visits the whole game and keeps its information sets ([`Views`]) and ends. [`Regrets`] finds
//! strategies for it (CFR+), and best responses measure how good these, or any others, are.

mod form;
mod regret;
mod response;
mod views;

pub use form::{Form, FormLimits};
pub use regret::{Average, Regrets};
pub use views::{NOTHING, View, Views};
