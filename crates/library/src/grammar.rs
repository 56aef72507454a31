//! Graph grammars, where the feature `graph` is on.
//!
//! Without it the types have no values, so that only this file knows of the feature.

use std::path::Path;
use std::sync::Arc;

use game::AnyGame;

use crate::library::SourceError;

#[cfg(feature = "graph")]
pub use graph::{Bundle, GraphGame};

#[cfg(feature = "graph")]
mod made {
    use super::*;

    pub(crate) fn embedded(name: &str, files: &[(&str, &str)]) -> Result<Arc<Bundle>, SourceError> {
        Ok(Arc::new(Bundle::of(name, files.iter().copied())))
    }

    pub(crate) fn read(path: &Path) -> Result<Arc<Bundle>, SourceError> {
        let bundle = Bundle::read(path).map_err(|error| SourceError::Unsupported(error.to_string()))?;
        Ok(Arc::new(bundle))
    }

    pub(crate) fn game(bundle: &Bundle) -> Result<Arc<GraphGame>, String> {
        GraphGame::new(bundle, None).map(Arc::new).map_err(|error| error.to_string())
    }

    pub(crate) fn any(game: &Arc<GraphGame>) -> AnyGame {
        AnyGame::new(Arc::clone(game))
    }
}

/// The files of a grammar.
#[cfg(not(feature = "graph"))]
#[derive(Debug, Clone, Copy)]
pub enum Bundle {}

/// The game of a grammar.
#[cfg(not(feature = "graph"))]
#[derive(Debug, Clone, Copy)]
pub enum GraphGame {}

#[cfg(not(feature = "graph"))]
mod made {
    use super::*;

    pub(crate) fn embedded(name: &str, _: &[(&str, &str)]) -> Result<Arc<Bundle>, SourceError> {
        read(Path::new(name))
    }

    pub(crate) fn read(path: &Path) -> Result<Arc<Bundle>, SourceError> {
        let place = path.display();
        let text = format!("{place} is a graph grammar, and this program was built without them.");
        Err(SourceError::Unsupported(text))
    }

    pub(crate) fn game(bundle: &Bundle) -> Result<Arc<GraphGame>, String> {
        match *bundle {}
    }

    pub(crate) fn any(game: &Arc<GraphGame>) -> AnyGame {
        match **game {}
    }
}

pub(crate) use made::{any, embedded, game, read};
