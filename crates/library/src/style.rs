//! `board.toml`: how the board of a game is drawn, where the rules do not show it.
//!
//! Everything in it is optional and nothing in it affects play. A game in a folder whose `board.toml`
//! is invalid cannot be loaded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The drawing instructions of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// Where the first row is: `top` or `bottom`.
    pub first_row: Option<String>,
    /// The background of the pieces: `plain`, `checkered`, `lines`, `frame` or `holes`.
    pub ground: Option<String>,
    /// The colour of the squares, or of the lighter ones if they differ.
    pub light: Option<String>,
    /// The colour of the darker squares.
    pub dark: Option<String>,
    /// The colour of the lines between squares.
    pub line: Option<String>,
    /// Whether pieces fall into their squares from above.
    pub falls: bool,
    /// Blocks of squares that belong together: the number of columns and of rows of a block.
    pub blocks: Option<(usize, usize)>,
    /// Relations that are not drawn.
    pub hide: Vec<String>,
    /// The marks of squares, by the name of the square: `throne`, `corner`, `dot` or a colour.
    pub squares: BTreeMap<String, String>,
    /// The colours of the sides of the board that belong to roles: `top`, `bottom`, `left`, `right`.
    pub edges: BTreeMap<String, String>,
    /// The look of things, by their names in the rules.
    pub pieces: BTreeMap<String, PieceStyle>,
}

/// The look of a thing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PieceStyle {
    /// Its shape.
    pub shape: Option<String>,
    /// The colour of its body.
    pub fill: Option<String>,
    /// The colour of its lines.
    pub line: Option<String>,
    /// The text on it.
    pub text: Option<String>,
}

/// The reason why a `board.toml` is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StyleError {
    /// It is not TOML, or has unknown keys.
    #[error("board.toml: {0}.")]
    Toml(String),
    /// `first_row` is invalid.
    #[error("board.toml: first_row must be top or bottom, not `{0}`.")]
    FirstRow(String),
    /// `ground` is invalid.
    #[error("board.toml: ground must be plain, checkered, lines, frame or holes, not `{0}`.")]
    Ground(String),
    /// Blocks have no columns or no rows.
    #[error("board.toml: blocks must have at least one column and one row.")]
    Blocks,
    /// A side of the board is invalid.
    #[error("board.toml: a side must be top, bottom, left or right, not `{0}`.")]
    Side(String),
    /// A colour is invalid.
    #[error("board.toml: a colour must be written as #rrggbb, not `{0}`.")]
    Colour(String),
    /// A shape is unknown.
    #[error("board.toml: there is no shape `{0}`; use {SHAPES}.")]
    Shape(String),
}

impl Style {
    /// Parses a `board.toml`.
    pub fn read(text: &str) -> Result<Style, StyleError> {
        let style: Style =
            toml::from_str(text).map_err(|error| StyleError::Toml(error.message().to_string()))?;
        style.check()?;
        Ok(style)
    }

    /// Returns the look of a thing, if it is defined.
    pub fn piece(&self, thing: &str) -> Option<&PieceStyle> {
        self.pieces.get(thing)
    }

    fn check(&self) -> Result<(), StyleError> {
        if let Some(row) = &self.first_row
            && !matches!(row.as_str(), "top" | "bottom")
        {
            return Err(StyleError::FirstRow(row.clone()));
        }
        if let Some(ground) = &self.ground
            && !matches!(ground.as_str(), "plain" | "checkered" | "lines" | "frame" | "holes")
        {
            return Err(StyleError::Ground(ground.clone()));
        }
        if self.blocks.is_some_and(|(columns, rows)| columns == 0 || rows == 0) {
            return Err(StyleError::Blocks);
        }
        let marks =
            self.squares.values().filter(|mark| !matches!(mark.as_str(), "throne" | "corner" | "dot"));
        let pieces = self.pieces.values().flat_map(|piece| [&piece.fill, &piece.line]);
        if let Some(side) =
            self.edges.keys().find(|side| !matches!(side.as_str(), "top" | "bottom" | "left" | "right"))
        {
            return Err(StyleError::Side(side.clone()));
        }
        let colours = self.edges.values().chain(marks);
        let colours = pieces.chain([&self.light, &self.dark, &self.line]).flatten().chain(colours);
        for colour in colours {
            if !is_colour(colour) {
                return Err(StyleError::Colour(colour.clone()));
            }
        }
        for shape in self.pieces.values().filter_map(|piece| piece.shape.as_ref()) {
            if !is_shape(shape) {
                return Err(StyleError::Shape(shape.clone()));
            }
        }
        Ok(())
    }
}

/// The names of all shapes of pieces, for messages.
pub const SHAPES: &str = "disc, monogram, crowned, cross, ring, triangle, block, text, \
    pawn, rook, knight, bishop, queen, king, tafl_king, shield, axe, lamp, unlit, bomb, flag, star, \
    ship or dot";

/// Returns `true` if there is a shape with this name.
fn is_shape(name: &str) -> bool {
    matches!(name, "stone" | "man") || SHAPES.split([',', ' ']).any(|shape| shape == name && shape != "or")
}

fn is_colour(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('#') else { return false };
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_read_and_mistakes_are_told() {
        let style = Style::read("ground = 'frame'\n[pieces.red]\nshape = 'disc'\nfill = '#c00'\n").unwrap();
        assert_eq!(style.piece("red").unwrap().fill.as_deref(), Some("#c00"));
        for bad in [
            "ground = 'sea'",
            "light = 'url(x)'",
            "[pieces.a]\nshape = 'blob'",
            "colour = 1",
            "blocks = [0, 1]",
            "squares = { '1 1' = 'javascript:x' }",
            "=",
        ] {
            assert!(Style::read(bad).unwrap_err().to_string().starts_with("board.toml: "), "{bad}");
        }
    }
}
