//! Exact values of games that are small enough.
//!
//! [`explore`] visits every reachable position once, [`Graph`] stores their successors, and [`Guarantees`]
//! are what one role can guarantee in each of them. If there are too many positions, [`Proof`] and [`Forced`]
//! answer single questions ("can this role get 100?") in games with turns by visiting few of them, and
//! [`verdict`] asks until the value is known. Plans of puzzles are found part by part ([`apart`]), by
//! bidirectional search ([`meet`]), or by iterative deepening ([`deepen`]).

mod alike;
mod apart;
mod deepen;
mod ending;
mod explore;
mod fold;
mod forced;
mod guarantee;
mod judge;
mod key;
mod maximin;
mod meet;
mod proof;
mod question;
mod table;
mod verdict;

pub use alike::Alike;
pub use apart::{Apart, apart};
pub use deepen::{Deepened, Depths, deepen};
pub use explore::{Explored, Graph, Limits, Progress, explore};
pub use fold::Fold;
pub use forced::Forced;
pub use guarantee::{Guarantees, RootMove};
pub use key::{Key, Keys};
pub use maximin::Maximin;
pub use meet::{Met, meet};
pub use proof::Proof;
pub use question::{Answer, Chance, Question};
pub use verdict::{Verdict, verdict};
