//! Shapes of pieces.
//!
//! Every shape is drawn in a box from -50 to 50 in both directions, with one colour for the body and
//! one for the lines.

use std::fmt::Write;

use super::svg::label;

/// The shape of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A round piece.
    Disc,
    /// A round piece with a letter or two.
    Monogram,
    /// A round piece with a crown.
    Crowned,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// A triangle.
    Triangle,
    /// A full square: a wall, an arrow that stays, something burnt.
    Block,
    /// A written number or word.
    Text,
    /// A chess pawn.
    Pawn,
    /// A chess rook or a tower.
    Rook,
    /// A chess knight or a horse.
    Knight,
    /// A chess bishop.
    Bishop,
    /// A chess queen.
    Queen,
    /// A chess king.
    King,
    /// A king of the tafl games.
    TaflKing,
    /// A shield, for defenders.
    Shield,
    /// An axe blade, for attackers.
    Axe,
    /// A lit lamp.
    Lamp,
    /// An unlit lamp.
    Unlit,
    /// A bomb or a mine.
    Bomb,
    /// A flag.
    Flag,
    /// A star.
    Star,
    /// A ship.
    Ship,
    /// A small dot: a trail or a miss.
    Dot,
}

impl Shape {
    /// Returns the shape with this name.
    pub(crate) fn named(name: &str) -> Option<Shape> {
        Some(match name {
            "disc" | "stone" | "man" => Shape::Disc,
            "monogram" => Shape::Monogram,
            "crowned" => Shape::Crowned,
            "cross" => Shape::Cross,
            "ring" => Shape::Ring,
            "triangle" => Shape::Triangle,
            "block" => Shape::Block,
            "text" => Shape::Text,
            "pawn" => Shape::Pawn,
            "rook" => Shape::Rook,
            "knight" => Shape::Knight,
            "bishop" => Shape::Bishop,
            "queen" => Shape::Queen,
            "king" => Shape::King,
            "tafl_king" => Shape::TaflKing,
            "shield" => Shape::Shield,
            "axe" => Shape::Axe,
            "lamp" => Shape::Lamp,
            "unlit" => Shape::Unlit,
            "bomb" => Shape::Bomb,
            "flag" => Shape::Flag,
            "star" => Shape::Star,
            "ship" => Shape::Ship,
            "dot" => Shape::Dot,
            _ => return None,
        })
    }

    /// Draws the shape.
    pub(crate) fn draw(self, out: &mut String, fill: &str, line: &str, text: &str) {
        let body = format!(
            "class=\"body\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"3\" stroke-linejoin=\"round\""
        );
        let stroke = format!("class=\"line\" fill=\"none\" stroke=\"{line}\" stroke-linecap=\"round\"");
        let trait_ = format!("{stroke} stroke-width=\"3\"");
        let dot = format!("class=\"dot\" fill=\"{line}\"");
        let _ = match self {
            Shape::Disc => {
                write!(out, "<circle r=\"36\" {body}/><circle r=\"26\" {trait_} stroke-opacity=\".35\"/>")
            }
            Shape::Monogram => {
                let _ = write!(out, "<circle r=\"36\" {body}/>");
                let size = if text.chars().count() > 2 { 24.0 } else { 34.0 };
                label(
                    out,
                    (0.0, 0.0),
                    size,
                    &format!("class=\"letter\" fill=\"{line}\" font-weight=\"600\""),
                    text,
                );
                Ok(())
            }
            Shape::Crowned => write!(
                out,
                "<circle r=\"36\" {body}/><path d=\"M-20 14L-24-13L-11-1L0-19L11-1L24-13L20 14Z\" {dot}/>"
            ),
            Shape::Cross => write!(
                out,
                "<path d=\"M-27-27L27 27M27-27L-27 27\" class=\"stroke\" fill=\"none\" stroke=\"{fill}\" \
                 stroke-width=\"13\" stroke-linecap=\"round\"/>"
            ),
            Shape::Ring => {
                write!(
                    out,
                    "<circle r=\"28\" class=\"stroke\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"13\"/>"
                )
            }
            Shape::Triangle => write!(out, "<path d=\"M0-34L36 28L-36 28Z\" {body}/>"),
            Shape::Block => {
                write!(out, "<rect x=\"-44\" y=\"-44\" width=\"88\" height=\"88\" rx=\"8\" {body}/>")
            }
            Shape::Text => {
                let size = match text.chars().count() {
                    0..=2 => 52.0,
                    3 => 40.0,
                    4..=5 => 27.0,
                    _ => 18.0,
                };
                let shown: String = text.chars().take(9).collect();
                label(out, (0.0, 0.0), size, &format!("class=\"letter\" fill=\"{line}\""), &shown);
                Ok(())
            }
            Shape::Pawn => write!(
                out,
                "<path d=\"M-30 38Q-30 28-22 25Q-10 18-9 0L-15-3Q-19-7-14-10L-10-11A17 17 0 1 1 10-11L14-10\
                 Q19-7 15-3L9 0Q10 18 22 25Q30 28 30 38Z\" {body}/>"
            ),
            Shape::Rook => write!(
                out,
                "<path d=\"M-32 38L-32 28L-22 24L-18-12L-26-19L-26-38L-14-38L-14-30L-6-30L-6-38L6-38L6-30L14-30\
                 L14-38L26-38L26-19L18-12L22 24L32 28L32 38Z\" {body}/><path d=\"M-17-12L17-12M-21 24L21 24\" {trait_}/>"
            ),
            Shape::Knight => write!(
                out,
                "<path d=\"M-26 38Q-28 30-20 27Q-20 12-6 2Q-16 4-22 12Q-28 15-33 8Q-34 2-28-4L-16-24\
                 Q-14-34-17-41L-8-36Q-4-38-2-42L3-35Q30-28 29 8Q29 22 24 27Q31 30 29 38Z\" {body}/>\
                 <circle cx=\"-10\" cy=\"-19\" r=\"3.5\" {dot}/><path d=\"M10-26Q22-14 21 12M-20 27L24 27\" {trait_}/>"
            ),
            Shape::Bishop => write!(
                out,
                "<path d=\"M-32 38Q-32 30-22 28Q-12 26-14 18L-14 12Q-24 2-21-10Q-17-24-5-33A6 6 0 1 1 5-33\
                 Q17-24 21-10Q24 2 14 12L14 18Q12 26 22 28Q32 30 32 38Z\" {body}/>\
                 <path d=\"M0-23L0-5M-8-14L8-14M-14 13L14 13\" {trait_}/>"
            ),
            Shape::Queen => write!(
                out,
                "<path d=\"M-30 38L-26 24L-38-20L-22-4L-19-32L-7-8L0-38L7-8L19-32L22-4L38-20L26 24L30 38Z\" {body}/>\
                 <path d=\"M-26 24Q0 16 26 24M-28 31L28 31\" {trait_}/><circle cx=\"-38\" cy=\"-23\" r=\"4.5\" {body}/>\
                 <circle cx=\"-19\" cy=\"-35\" r=\"4.5\" {body}/><circle cx=\"0\" cy=\"-40\" r=\"4.5\" {body}/>\
                 <circle cx=\"19\" cy=\"-35\" r=\"4.5\" {body}/><circle cx=\"38\" cy=\"-23\" r=\"4.5\" {body}/>"
            ),
            Shape::King => write!(
                out,
                "<path d=\"M0-43L0-24M-8-36L8-36\" {stroke} stroke-width=\"6\"/>\
                 <path d=\"M-28 38L-25 20Q-44 0-34-13Q-22-24-8-12Q-9-24 0-26Q9-24 8-12Q22-24 34-13Q44 0 25 20L28 38Z\" \
                 {body}/><path d=\"M-25 20Q0 12 25 20M-27 30L27 30M0-10L0 15\" {trait_}/>"
            ),
            Shape::TaflKing => write!(
                out,
                "<circle r=\"40\" {body}/><circle r=\"32\" {trait_} stroke-opacity=\".4\"/>\
                 <path d=\"M-21 17L-25-14L-12-2L0-22L12-2L25-14L21 17Z\" {dot}/>\
                 <circle cx=\"-25\" cy=\"-17\" r=\"4\" {dot}/><circle cx=\"0\" cy=\"-25\" r=\"4\" {dot}/>\
                 <circle cx=\"25\" cy=\"-17\" r=\"4\" {dot}/>"
            ),
            Shape::Shield => write!(
                out,
                "<circle r=\"36\" {body}/><circle r=\"9\" {dot}/>\
                 <path d=\"M0-30L0-14M0 14L0 30M-30 0L-14 0M14 0L30 0\" {stroke} stroke-width=\"5\"/>"
            ),
            Shape::Axe => write!(
                out,
                "<circle r=\"36\" {body}/><path d=\"M-13 24L13-24\" {stroke} stroke-width=\"5\"/>\
                 <path d=\"M4-21Q24-22 26 1Q12 2 1-6Z\" {dot}/>"
            ),
            Shape::Lamp => write!(
                out,
                "<circle r=\"42\" class=\"glow\" fill=\"{fill}\" fill-opacity=\".3\"/><circle r=\"29\" {body}/>"
            ),
            Shape::Unlit => write!(out, "<circle r=\"29\" {body} fill-opacity=\".55\"/>"),
            Shape::Bomb => write!(
                out,
                "<circle cy=\"6\" r=\"28\" {body}/><path d=\"M12-20Q18-36 32-34\" {stroke} stroke-width=\"5\"/>\
                 <circle cx=\"34\" cy=\"-34\" r=\"6\" fill=\"#e8912d\"/><path d=\"M-14 0A16 16 0 0 1-2-10\" \
                 {trait_} stroke-opacity=\".5\"/>"
            ),
            Shape::Flag => write!(
                out,
                "<path d=\"M-20 38L-20-38\" {stroke} stroke-width=\"6\"/><path d=\"M-20-36L30-22L-20-4Z\" {body}/>"
            ),
            Shape::Star => write!(
                out,
                "<path d=\"M0-38L10-12L37-11L16 6L23 33L0 18L-23 33L-16 6L-37-11L-10-12Z\" {body}/>"
            ),
            Shape::Ship => write!(
                out,
                "<path d=\"M-38 8L38 8L26 30L-26 30Z\" {body}/><path d=\"M0 4L0-36L28 2Z\" {body}/>\
                 <path d=\"M-5 4L-5-26L-24 2Z\" {body}/>"
            ),
            Shape::Dot => write!(out, "<circle r=\"12\" {body} fill-opacity=\".7\"/>"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_shape_has_a_name_and_no_attribute_twice() {
        for name in library::SHAPES.split([',', ' ']).filter(|name| !name.is_empty() && *name != "or") {
            let shape = Shape::named(name).unwrap_or_else(|| panic!("{name}"));
            let mut out = String::new();
            shape.draw(&mut out, "#123456", "#654321", "ab");
            for element in out.split('<').filter(|element| element.contains('=')) {
                let keys: Vec<&str> =
                    element.split("=\"").filter_map(|part| part.rsplit(' ').next()).collect();
                let keys = &keys[..keys.len() - 1];
                let different: BTreeSet<&&str> = keys.iter().collect();
                assert_eq!(different.len(), keys.len(), "{name}: {element}");
            }
        }
    }
}
