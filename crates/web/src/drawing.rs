//! States as pictures. Only this module uses `picture`.

use std::sync::Arc;

use game::AnyGame;
use library::Loaded;
use picture::{Artist, Glimpse, Stylesheet, StylesheetError, View};

/// The size of a picture drawn by a stylesheet, in pixels.
const PIXELS: u32 = 600;
/// The maximum size in bytes of a stylesheet's picture that is used as a thumbnail.
const LARGEST_THUMBNAIL: usize = 60_000;

/// The reason why a state cannot be drawn with the game's own stylesheet.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StyledError {
    /// The game has no stylesheet.
    #[error("This game has no stylesheet of its own.")]
    Missing,
    /// It cannot be used.
    #[error(transparent)]
    Stylesheet(#[from] StylesheetError),
}

/// Draws the states of one game.
pub(crate) struct Drawing {
    artist: Artist,
    /// The game's own stylesheet, if it has a usable one.
    stylesheet: Option<Arc<Stylesheet>>,
}

impl Drawing {
    pub(crate) fn new(loaded: &Loaded, game: &AnyGame) -> Drawing {
        let stylesheet = Stylesheet::of(&loaded.source).and_then(Result::ok).map(Arc::new);
        Drawing { artist: Artist::new(loaded, game), stylesheet }
    }

    /// Returns `true` if the game has a stylesheet.
    pub(crate) fn has_stylesheet(&self) -> bool {
        self.stylesheet.is_some()
    }

    /// Draws facts with the game's own stylesheet.
    pub(crate) fn styled(&self, facts: &[String]) -> Result<String, StyledError> {
        Ok(self.stylesheet.as_ref().ok_or(StyledError::Missing)?.svg(facts, PIXELS)?)
    }

    /// Returns the kind of the drawings: `grid`, `hex`, `cards`, `table` or `graph`.
    pub(crate) fn kind(&self) -> &'static str {
        self.artist.kind().name()
    }

    /// Draws facts, with the changed squares highlighted.
    pub(crate) fn svg(&self, facts: &[String], changed: &[String]) -> String {
        self.artist.svg(facts, &View { changed: changed.to_vec(), ..View::default() })
    }

    /// Draws what a role did and saw, if it knows no facts.
    pub(crate) fn memory(&self, role: &str, history: &[Glimpse]) -> String {
        self.artist.memory(role, history, &View::default())
    }

    /// Draws facts as a small picture: only the board.
    pub(crate) fn thumbnail(&self, facts: &[String]) -> String {
        let styled = self.stylesheet.as_ref().and_then(|sheet| sheet.svg(facts, PIXELS).ok());
        let small = styled.filter(|svg| svg.len() <= LARGEST_THUMBNAIL);
        small.unwrap_or_else(|| self.artist.svg(facts, &View { bare: true, ..View::default() }))
    }

    /// Returns the squares or cards named by moves of a role, in a state with these facts.
    pub(crate) fn cells(&self, role: &str, facts: &[String], moves: &[String]) -> Vec<Vec<String>> {
        self.artist.cells_for(Some(role), facts, moves.iter().map(String::as_str))
    }

    /// Returns the squares whose content differs.
    pub(crate) fn changed(&self, before: &[String], after: &[String]) -> Vec<String> {
        self.artist.changed(before, after)
    }
}
