//! Games small enough to know what every role may ever know.
//!
//! [`Form`] visits all of a game and keeps its information sets ([`Views`]) and
//! ends; [`Regrets`] finds strategies for it (CFR+), and best responses say how
//! good they, or any others, are.

mod form;
mod regret;
mod response;
mod views;

pub use form::{Form, FormLimits};
pub use regret::{Average, Regrets};
pub use views::{NOTHING, View, Views};
