//! Where names become games and reasoners.
//!
//! A text such as `chess`, a path or `folder:key` becomes rules in one of several languages
//! ([`Library`], [`Source`], [`Language`]), which are read and checked ([`Loaded`]) and put behind
//! a reasoner that is named too ([`reasoners`]). No other crate maps a name to either; names of players
//! are those of `cast`. A player of one's own takes invitations by [`host_of`].

mod diagram;
mod folder;
mod host;
mod languages;
mod library;
mod loaded;
mod near;
mod reasoners;
mod repository;
mod source;
mod state_text;
mod style;
mod stylesheet;

pub use diagram::{Diagram, DiagramEdge, DiagramNode, Diagrams};
pub use host::{host_of, hosting};
pub use languages::{Description, Language, Refusal, Wanted, from_bytes, language, language_of, languages};
pub use library::{Library, read_path};
pub use loaded::{Loaded, PlayError};
pub use near::{did_you_mean, near_misses};
pub use reasoner::{Making, Observer, Progress as CompileProgress};
pub use reasoners::{Chosen, Order, reasoner_list, reasoners};
pub use repository::Repository;
pub use source::{About, BoardHint, LanguageError, SameAs, Source, SourceError};
pub use state_text::{StateTextError, read_state, write_state};
pub use style::{PieceStyle, SHAPES, Style, StyleError};
pub use stylesheet::StylesheetText;
