//! Games as graph grammars.
//!
//! A grammar is a start graph, rules that rewrite graphs, and a control program that determines
//! when rules are applied. It is read in the format of GROOVE (folders and zip files `*.gps`),
//! explored up to isomorphism, and played as an ordinary game.

mod bundle;
mod canon;
pub mod channel;
pub mod control;
pub mod draw;
mod engine;
mod error;
mod explore;
pub mod expr;
mod grammar;
mod graph;
mod gxl;
mod host;
mod label;
pub mod play;
mod properties;
mod regexp;
pub mod rule;
mod value;
mod vocabulary;

pub use bundle::Bundle;
pub use canon::{Canonical, TooSymmetric, canonical};
pub use engine::{Action, Config, Expansion, Limits, Transition};
pub use error::{ControlError, ExprError, GrammarError, LabelError, RegexpError};
pub use explore::{Arrow, Explorer, Options, State};
pub use grammar::Grammar;
pub use graph::{Edge, Frozen, GONE, Graph};
pub use gxl::RawGraph;
pub use play::{GraphGame, GraphScratch, GraphState, Inspection, Mistake};
pub use properties::{Policy, Properties};
pub use value::{Item, Sort, Value, Values};
pub use vocabulary::{FLAG, LabelId, TypeId, Vocabulary};
