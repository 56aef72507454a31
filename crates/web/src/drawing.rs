//! States as pictures. `picture` draws them; this is the one place that
//! asks it to.

use std::sync::Arc;

use game::AnyGame;
use library::Loaded;
use picture::{Artist, Glimpse, Stylesheet, StylesheetError, View};

/// The side of what a stylesheet draws, in pixels.
const PIXELS: u32 = 600;
/// A stylesheet's picture that is larger is no thumbnail, in bytes.
const LARGEST_THUMBNAIL: usize = 60_000;

/// Why a state is not drawn as the game's own stylesheet would.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StyledError {
    /// The game has none.
    #[error("This game has no stylesheet of its own.")]
    Missing,
    /// It cannot be used.
    #[error(transparent)]
    Stylesheet(#[from] StylesheetError),
}

/// How the states of one game are drawn.
pub(crate) struct Drawing {
    artist: Artist,
    /// The game's own, where it comes with one that can be used.
    stylesheet: Option<Arc<Stylesheet>>,
}

impl Drawing {
    pub(crate) fn new(loaded: &Loaded, game: &AnyGame) -> Drawing {
        let stylesheet = Stylesheet::of(&loaded.source).and_then(Result::ok).map(Arc::new);
        Drawing { artist: Artist::new(loaded, game), stylesheet }
    }

    /// Whether the game comes with a stylesheet.
    pub(crate) fn has_stylesheet(&self) -> bool {
        self.stylesheet.is_some()
    }

    /// Facts as the game's own stylesheet draws them, or why it does not.
    pub(crate) fn styled(&self, facts: &[String]) -> Result<String, StyledError> {
        Ok(self.stylesheet.as_ref().ok_or(StyledError::Missing)?.svg(facts, PIXELS)?)
    }

    /// What the drawings are: `grid`, `hex`, `cards`, `table` or `graph`.
    pub(crate) fn kind(&self) -> &'static str {
        self.artist.kind().name()
    }

    /// Facts as a picture, with the squares that changed pointed out.
    pub(crate) fn svg(&self, facts: &[String], changed: &[String]) -> String {
        self.artist.svg(facts, &View { changed: changed.to_vec(), ..View::default() })
    }

    /// What a role did and saw as a picture, where it knows no facts.
    pub(crate) fn memory(&self, role: &str, history: &[Glimpse]) -> String {
        self.artist.memory(role, history, &View::default())
    }

    /// Facts as a small picture: the board alone.
    pub(crate) fn thumbnail(&self, facts: &[String]) -> String {
        let styled = self.stylesheet.as_ref().and_then(|sheet| sheet.svg(facts, PIXELS).ok());
        let small = styled.filter(|svg| svg.len() <= LARGEST_THUMBNAIL);
        small.unwrap_or_else(|| self.artist.svg(facts, &View { bare: true, ..View::default() }))
    }

    /// The squares or cards that moves of a role name, in a state with these facts.
    pub(crate) fn cells(&self, role: &str, facts: &[String], moves: &[String]) -> Vec<Vec<String>> {
        self.artist.cells_for(Some(role), facts, moves.iter().map(String::as_str))
    }

    /// The squares whose content is not the same.
    pub(crate) fn changed(&self, before: &[String], after: &[String]) -> Vec<String> {
        self.artist.changed(before, after)
    }
}
