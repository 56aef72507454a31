//! Where names become games and reasoners.
//!
//! A text such as `chess`, a path or `folder:key` becomes a rule sheet or a graph grammar
//! ([`Library`], [`Source`]), is read and checked ([`Loaded`]), and is put behind a reasoner
//! that is named too ([`reasoners`]). No other crate maps a name to either; names of players
//! are those of `cast`. A player of one's own takes invitations by [`host_of`].

mod folder;
mod grammar;
mod host;
mod library;
mod loaded;
mod near;
mod reasoners;
mod repository;
mod state_text;
mod style;
mod stylesheet;

pub use host::{host_of, hosting};
pub use library::{About, BoardHint, Library, SameAs, Source, SourceError, from_bytes, read_path};
pub use loaded::{Loaded, PlayError};
pub use near::{did_you_mean, near_misses};
pub use reasoner::{Making, Observer, Progress as CompileProgress};
pub use reasoners::{Chosen, Order, reasoner_list, reasoners};
pub use repository::Repository;
pub use state_text::{StateTextError, read_state, write_state};
pub use style::{PieceStyle, SHAPES, Style, StyleError};
pub use stylesheet::StylesheetText;
