//! `board.toml`: how a game's board is drawn, where the rules do not tell.
//!
//! Everything in it is optional, and nothing in it is needed to play. A file
//! that cannot be read is told of, and then the board is drawn without it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Drawing instructions of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// Where the first row is: `top` or `bottom`.
    pub first_row: Option<String>,
    /// What is under the pieces: `plain`, `checkered`, `lines`, `frame` or `holes`.
    pub ground: Option<String>,
    /// The colour of squares, and of the darker ones where they differ.
    pub light: Option<String>,
    /// The colour of the darker squares.
    pub dark: Option<String>,
    /// The colour of the lines between squares.
    pub line: Option<String>,
    /// Pieces come from above into their square.
    pub falls: bool,
    /// Squares that belong together: so many columns, so many rows.
    pub blocks: Option<(usize, usize)>,
    /// Relations that are not drawn at all.
    pub hide: Vec<String>,
    /// What marks squares: `throne`, `corner`, `dot` or a colour, by the name of the square.
    pub squares: BTreeMap<String, String>,
    /// Colours of the sides of the board that belong to someone: `top`, `bottom`, `left`, `right`.
    pub edges: BTreeMap<String, String>,
    /// How things look, by their names in the rules.
    pub pieces: BTreeMap<String, PieceStyle>,
}

/// How one thing looks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PieceStyle {
    /// Its shape.
    pub shape: Option<String>,
    /// The colour of its body.
    pub fill: Option<String>,
    /// The colour of its lines.
    pub line: Option<String>,
    /// What is written on it.
    pub text: Option<String>,
}

/// What is wrong with a `board.toml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StyleError {
    /// It is not TOML, or has keys that are not known.
    #[error("board.toml: {0}.")]
    Toml(String),
    /// The first row is at no side where rows begin.
    #[error("board.toml: first_row is top or bottom, not `{0}`.")]
    FirstRow(String),
    /// The ground is not known.
    #[error("board.toml: ground is plain, checkered, lines, frame or holes, not `{0}`.")]
    Ground(String),
    /// Blocks without squares.
    #[error("board.toml: blocks has at least one column and one row.")]
    Blocks,
    /// A side that boards do not have.
    #[error("board.toml: a side is top, bottom, left or right, not `{0}`.")]
    Side(String),
    /// A colour that cannot be read.
    #[error("board.toml: a colour is written as #rrggbb, not as `{0}`.")]
    Colour(String),
    /// A shape that is not known.
    #[error("board.toml: there is no shape `{0}`; take {SHAPES}.")]
    Shape(String),
}

impl Style {
    /// Reads a `board.toml`.
    pub fn read(text: &str) -> Result<Style, StyleError> {
        let style: Style =
            toml::from_str(text).map_err(|error| StyleError::Toml(error.message().to_string()))?;
        style.check()?;
        Ok(style)
    }

    /// How a thing looks, if that is told.
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

/// Names of all shapes that a piece can have, for messages.
pub const SHAPES: &str = "disc, monogram, crowned, cross, ring, triangle, block, text, \
    pawn, rook, knight, bishop, queen, king, tafl_king, shield, axe, lamp, unlit, bomb, flag, star, \
    ship or dot";

/// Whether a piece can have a shape of this name.
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
