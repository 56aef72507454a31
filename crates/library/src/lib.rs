//! Where names become games and reasoners.
//!
//! An argument such as `chess`, a path or `folder:key` is resolved to rules in one of several
//! languages ([`Library`], [`Source`], [`Language`]), which are parsed and checked ([`Loaded`]) and put
//! behind a reasoner, which has a name too ([`reasoners`]). No other crate maps a name to either; names
//! of players are resolved in `cast`. [`After`] makes moves that are given
//! as text. [`host_of`] lets a player of your own accept invitations.

mod after;
mod diagram;
mod folder;
mod host;
mod languages;
mod later;
mod library;
mod loaded;
mod reasoners;
mod relay;
mod repository;
mod source;
mod state_text;
mod style;
mod stylesheet;

pub use after::{After, AfterError, canonical as canonical_move};
pub use diagram::{Diagram, DiagramEdge, DiagramNode, Diagrams};
pub use game::{did_you_mean, near_misses};
pub use host::{host_of, hosting};
pub use languages::{Description, Language, Refusal, Wanted, from_bytes, language, language_of, languages};
pub use later::{Begun, Later};
pub use library::{Library, read_path};
pub use loaded::{Loaded, PlayError};
pub use reasoner::{Making, Observer, Progress as CompileProgress};
pub use reasoners::{Chosen, Order, reasoner_list, reasoners};
pub use relay::{Relay, Seater};
pub use repository::Repository;
pub use source::{About, BoardHint, LanguageError, SameAs, Source, SourceError};
pub use state_text::{StateTextError, read_state, write_state};
pub use style::{PieceStyle, SHAPES, Style, StyleError};
pub use stylesheet::StylesheetText;
