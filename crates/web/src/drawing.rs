//! States as pictures. `lab::picture` draws them; this is the one place that
//! asks it to.

use lab::picture::{Artist, Glimpse, View};
use lab::{AnyGame, Loaded};

/// How the states of one game are drawn.
pub(crate) struct Drawing {
    artist: Artist,
}

impl Drawing {
    pub(crate) fn new(loaded: &Loaded, game: &AnyGame) -> Drawing {
        Drawing { artist: Artist::new(loaded, game) }
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
        self.artist.svg(facts, &View { bare: true, ..View::default() })
    }

    /// The squares that moves name, in a state with these facts.
    pub(crate) fn cells(&self, facts: &[String], moves: &[String]) -> Vec<Vec<String>> {
        self.artist.cells_of_all(facts, moves.iter().map(String::as_str))
    }

    /// The squares whose content is not the same.
    pub(crate) fn changed(&self, before: &[String], after: &[String]) -> Vec<String> {
        self.artist.changed(before, after)
    }
}
