//! Players for games with hidden information, in which a role sees only what `sees` tells it.
//!
//! A role knows its own moves and percepts ([`Seen`]). The histories that agree with them are its information
//! set. [`Tracker`] keeps all of them, with their probabilities, if they are few. [`Bag`] keeps a sample of
//! any size, however many there are, by the method of HyperPlay: every model in it is a complete history that
//! is brought forward round by round, and taken back and repaired when it no longer agrees. [`HyperPlay`]
//! chooses by playouts from such models, [`HyperPlayTwo`] by games between players that know no more than
//! they would. The other players begin in histories drawn by their probabilities (`sampler`): [`Pomcp`]
//! searches a tree of what a role may do and see, [`Ismcts`] and [`Oos`] one such tree for every role. If the
//! whole game can be visited, [`Form`] contains everything that anyone may ever know, and [`Cfr`] plays what
//! [`Regrets`] finds for it; [`Optimum`] is best play against chance.
//!
//! M. Schofield, T. Cerexhe, M. Thielscher: HyperPlay: a solution to general game playing with imperfect
//! information (2012). M. Schofield, M. Thielscher: Lifting HyperPlay for general game playing to
//! incomplete-information models (2015); The scalability of the HyperPlay technique (2016); The efficiency of
//! the HyperPlay technique over random sampling (2017).

mod bag;
mod believer;
mod cfr;
mod cheat;
mod evaluate;
mod follow;
mod forward;
mod hyperplay;
mod hyperplay_two;
mod ismcts;
mod model;
mod nested;
mod normalised;
mod oos;
mod optimum;
mod pomcp;
mod repair;
mod sampler;
mod search;
mod sets;
mod settings;
mod share;
mod tracker;
mod trials;
mod untried;
mod view;

pub use bag::{Bag, Remedy, Weights};
pub use believer::{Believer, Playing, Way};
pub use cfr::{Cfr, Rounds};
pub use cheat::Cheat;
pub use evaluate::Score;
pub use follow::Follow;
pub use forward::{catch_up, place};
pub use hyperplay::HyperPlay;
pub use hyperplay_two::{HyperPlayTwo, Simulate};
pub use ismcts::{AllTrees, Ismcts, Observers};
pub use model::{Model, Place};
pub use normalised::normalised;
pub use oos::{Oos, Outcomes, Sampling};
pub use optimum::{Belief, Best, Optimum, OptimumLimits};
pub use pomcp::{OwnTree, Pomcp, Search};
pub use sets::{Average, Form, FormLimits, NOTHING, Regrets, View, Views};
pub use settings::{Nested, Settings};
pub use tracker::{History, Tracker};
pub use view::{Seen, Visited};
