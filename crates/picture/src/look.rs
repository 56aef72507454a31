//! The look of symbols, derived from the words in them.
//!
//! `white_king` is white and a king in any game. Common words for colours and pieces determine colour
//! and shape; names of roles give each player a colour; single letters are abbreviations if all symbols
//! of a game can be read that way; anything else is a disc with its initials.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use library::Style;

use super::shape::Shape;
use super::svg::{N, class, whole};

/// The body and line colours.
pub(crate) type Colour = (&'static str, &'static str);

/// The colours of players whose names are not colours, and of unknown things.
const PALETTE: [Colour; 8] = [
    ("#3f72af", "#f4f8fd"),
    ("#e39a3b", "#4a2c05"),
    ("#5a9e63", "#f3faf3"),
    ("#9163b6", "#f8f3fb"),
    ("#d0605e", "#fdf3f2"),
    ("#4aa3a2", "#f0fafa"),
    ("#8d7b68", "#faf6f0"),
    ("#c76b98", "#fdf2f7"),
];

/// The colour of numbers and words.
const INK: Colour = ("#f3ead8", "#3a3226");

/// A piece that is ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) shape: Shape,
    pub(crate) fill: String,
    pub(crate) line: String,
    pub(crate) text: String,
}

/// The look of the symbols of one game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Look {
    roles: Vec<String>,
    /// Whether symbols are a letter for a colour, perhaps followed by a letter for a piece.
    codes: bool,
    /// Whether the game has men, so that kings are crowned men.
    men: bool,
    unknown: BTreeMap<String, usize>,
    style: Style,
}

impl Look {
    /// Creates the look of a game with these roles, in whose states these things were seen.
    pub(crate) fn new(roles: &[String], things: &BTreeSet<String>, style: &Style) -> Look {
        let codes = speaks_in_letters(things);
        let is_man = |thing: &String| {
            (codes && thing.ends_with('m'))
                || words(thing).iter().any(|word| matches!(word.as_str(), "man" | "checker"))
        };
        let men = things.iter().any(is_man);
        let mut look =
            Look { roles: roles.to_vec(), codes, men, unknown: BTreeMap::new(), style: style.clone() };
        for thing in things {
            if look.known(thing).is_none() {
                let number = look.unknown.len();
                look.unknown.insert(thing.clone(), number);
            }
        }
        look
    }

    /// Returns the piece for a thing.
    pub(crate) fn piece(&self, thing: &str) -> Piece {
        if let Some(piece) = self.styled(thing) {
            return piece;
        }
        let (shape, colour) = self.known(thing).unwrap_or_else(|| {
            let number = self.unknown.get(thing).copied().unwrap_or_else(|| checksum(thing));
            // The first colours belong to players.
            (Shape::Monogram, PALETTE[(number + self.roles.len().min(2)) % PALETTE.len()])
        });
        Piece { shape, fill: colour.0.to_string(), line: colour.1.to_string(), text: initials(thing, shape) }
    }

    /// Returns the colour of a player.
    pub(crate) fn role(&self, role: &str) -> Option<Colour> {
        let number = self.roles.iter().position(|name| name == role)?;
        Some(words(role).iter().find_map(|word| colour(word)).unwrap_or(PALETTE[number % PALETTE.len()]))
    }

    /// Returns the colour with this name.
    pub(crate) fn colour_of(&self, word: &str) -> Option<Colour> {
        colour(&word.to_lowercase())
    }

    /// Returns the colour for a player, preferably that of its pieces, or for a word that names a colour.
    pub(crate) fn tint(&self, word: &str) -> Option<String> {
        // For a role `attackers`, the pieces are called `attacker`.
        let names = [word, word.strip_suffix('s').unwrap_or(word)];
        let styled = names.iter().find_map(|name| self.style.piece(name)?.fill.clone());
        let usual = || self.role(word).or_else(|| self.colour_of(word)).map(|(fill, _)| fill.to_string());
        styled.or_else(usual)
    }

    /// Returns the piece defined by the game's drawing instructions, if any.
    fn styled(&self, thing: &str) -> Option<Piece> {
        let style = self.style.piece(thing)?;
        let (shape, (fill, line)) = self.known(thing).unwrap_or((Shape::Disc, PALETTE[0]));
        let shape = style.shape.as_deref().and_then(Shape::named).unwrap_or(shape);
        let text = style.text.clone().unwrap_or_else(|| initials(thing, shape));
        let or = |given: &Option<String>, usual: &str| given.clone().unwrap_or_else(|| usual.to_string());
        Some(Piece { shape, fill: or(&style.fill, fill), line: or(&style.line, line), text })
    }

    fn known(&self, thing: &str) -> Option<(Shape, Colour)> {
        let (shape, colour) = self.understood(thing)?;
        Some((if self.men && shape == Shape::King { Shape::Crowned } else { shape }, colour))
    }

    fn understood(&self, thing: &str) -> Option<(Shape, Colour)> {
        if thing.parse::<i64>().is_ok() {
            return Some((Shape::Text, INK));
        }
        if self.codes
            && let Some(found) = code(thing)
        {
            return Some(found);
        }
        let words = words(thing);
        let colour = words.iter().find_map(|word| colour(word));
        // A word such as "piece" is less specific than others.
        let mut shapes: Vec<(Shape, Colour)> = words.iter().filter_map(|word| shape(word)).collect();
        shapes.sort_by_key(|(shape, _)| *shape == Shape::Disc);
        let shape = shapes.first().copied();
        // A thing called `attacker` belongs to the role `attackers`.
        let one_of = |word: &String| self.role(word).or_else(|| self.role(&format!("{word}s")));
        let role = words.iter().find_map(one_of).or_else(|| self.role(thing));
        match (shape, colour.or(role)) {
            (Some((shape, _)), Some(colour)) => Some((shape, colour)),
            (Some((shape, colour)), None) => Some((shape, colour)),
            (None, Some(colour)) => {
                // A player's thing without a shape of its own shows its initials.
                let plain = words.len() == 1 || self.role(thing).is_some();
                Some((if plain { Shape::Disc } else { Shape::Monogram }, colour))
            }
            (None, None) => None,
        }
    }
}

impl Piece {
    /// Draws the piece centred at a point. With `fall`, it is animated to fall from that height.
    pub(crate) fn draw(
        &self,
        out: &mut String,
        thing: &str,
        id: &str,
        (x, y): (f64, f64),
        size: f64,
        fall: Option<f64>,
    ) {
        let _ = write!(
            out,
            "<g class=\"piece piece-{}\" data-cell=\"{}\" transform=\"translate({} {}) scale({})\">",
            class(thing),
            whole(id),
            N(x),
            N(y),
            N(size / 100.0)
        );
        if let Some(fall) = fall {
            let _ = write!(
                out,
                "<animateTransform attributeName=\"transform\" type=\"translate\" additive=\"sum\" \
                 values=\"0 -{0};0 0;0 -{1};0 0\" keyTimes=\"0;.7;.85;1\" dur=\".5s\"/>",
                N(fall * 100.0 / size),
                N(fall * 6.0 / size)
            );
        }
        self.shape.draw(out, &self.fill, &self.line, &self.text);
        out.push_str("</g>\n");
    }
}

/// Returns the words in a symbol, in lower case.
fn words(thing: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in thing.chars().take(80) {
        let breaks = !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase());
        if breaks && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        if let Some(short) = word.strip_suffix("player").filter(|short| !short.is_empty()) {
            *word = short.to_string();
        }
    }
    words
}

fn initials(thing: &str, shape: Shape) -> String {
    if shape == Shape::Text {
        return thing.to_string();
    }
    let parts: Vec<&str> =
        thing.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [one] if one.chars().count() <= 3 => one.to_string(),
        [one] => one.chars().take(2).collect(),
        parts => parts.iter().take(3).filter_map(|part| part.chars().next()).collect(),
    }
}

fn checksum(text: &str) -> usize {
    text.bytes().fold(7usize, |sum, byte| (sum * 31 + usize::from(byte)) % 9973)
}

fn colour(word: &str) -> Option<Colour> {
    Some(match word {
        "white" | "light" | "ivory" | "snow" => ("#f8f4ea", "#4d4436"),
        "black" | "ebony" | "night" => ("#33323a", "#d8d4cc"),
        "red" | "ruby" | "crimson" | "scarlet" => ("#cf4647", "#fbeceb"),
        "blue" | "sapphire" | "navy" => ("#3a6fc4", "#eaf1fc"),
        "yellow" | "lemon" => ("#f0c63c", "#6b5207"),
        "green" | "jade" | "emerald" => ("#4a9e5c", "#eef8f0"),
        "orange" | "amber" => ("#e8912d", "#55300a"),
        "purple" | "violet" => ("#8b5fb5", "#f5effa"),
        "brown" => ("#8a6242", "#f7efe6"),
        "pink" | "rose" | "magenta" => ("#d673a3", "#fdf0f6"),
        "grey" | "gray" | "silver" => ("#a9abb0", "#33353a"),
        "gold" | "golden" => ("#d9ab32", "#53400a"),
        "cyan" | "teal" | "turquoise" | "aqua" => ("#3fa3ab", "#ecf8f9"),
        "dark" => ("#4c4a52", "#e4e2dc"),
        _ => return None,
    })
}

/// Returns the shape for a word, and its colour if nothing else determines one.
fn shape(word: &str) -> Option<(Shape, Colour)> {
    let neutral = ("#8d7b68", "#faf6f0");
    Some(match word {
        "x" | "cross" => (Shape::Cross, ("#3f72af", "#3f72af")),
        "o" | "nought" | "naught" | "circle" => (Shape::Ring, ("#d0605e", "#d0605e")),
        "z" | "triangle" | "t" => (Shape::Triangle, ("#5a9e63", "#2f6b38")),
        "pawn" => (Shape::Pawn, neutral),
        "rook" | "tower" | "castle" => (Shape::Rook, neutral),
        "knight" | "horse" => (Shape::Knight, neutral),
        "bishop" => (Shape::Bishop, neutral),
        "queen" => (Shape::Queen, neutral),
        "king" | "general" | "marshal" => (Shape::King, ("#d9ab32", "#53400a")),
        "man" | "stone" | "disc" | "disk" | "piece" | "checker" | "peg" | "token" => (Shape::Disc, neutral),
        "wall" | "block" | "arrow" | "burnt" | "blocked" | "rock" | "obstacle" | "fire" => {
            (Shape::Block, ("#6e675e", "#4b463f"))
        }
        "lit" | "lamp" | "light" | "on" | "alive" => (Shape::Lamp, ("#f5c945", "#a87a0a")),
        "dark" | "off" | "unlit" => (Shape::Unlit, ("#5b5e68", "#3c3e46")),
        "bomb" | "mine" => (Shape::Bomb, ("#3b3b42", "#1c1c20")),
        "flag" => (Shape::Flag, ("#cf4647", "#6e2222")),
        "star" | "goal" | "target" | "treasure" => (Shape::Star, ("#e5b93a", "#7a5c0a")),
        "ship" | "boat" | "submarine" => (Shape::Ship, ("#5d7f9e", "#2c4357")),
        "uncovered" | "miss" | "missed" | "seen" | "visited" | "shot" | "trail" => {
            (Shape::Dot, ("#8a8f98", "#5c6068"))
        }
        "hit" | "sunk" => (Shape::Cross, ("#cf4647", "#cf4647")),
        _ => return None,
    })
}

/// Returns `true` if all symbols are a letter for a colour, perhaps followed by a letter for a piece.
fn speaks_in_letters(things: &BTreeSet<String>) -> bool {
    let letters: BTreeSet<&String> = things.iter().filter(|thing| thing.parse::<i64>().is_err()).collect();
    let colours: BTreeSet<char> = letters.iter().filter_map(|thing| thing.chars().next()).collect();
    colours.len() > 1 && !letters.is_empty() && letters.iter().all(|thing| code(thing).is_some())
}

fn code(thing: &str) -> Option<(Shape, Colour)> {
    let mut letters = thing.chars();
    let colour = match letters.next()?.to_ascii_lowercase() {
        'w' => colour("white"),
        'b' => colour("black"),
        'r' => colour("red"),
        'y' => colour("yellow"),
        'g' => colour("green"),
        _ => None,
    }?;
    let shape = match letters.next().map(|letter| letter.to_ascii_lowercase()) {
        None => Shape::Disc,
        Some('p') => Shape::Pawn,
        Some('r') => Shape::Rook,
        Some('n') => Shape::Knight,
        Some('b') => Shape::Bishop,
        Some('q') => Shape::Queen,
        Some('k') => Shape::King,
        Some('m') => Shape::Disc,
        Some(_) => return None,
    };
    letters.next().is_none().then_some((shape, colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(roles: &[&str], things: &[&str]) -> Look {
        let roles: Vec<String> = roles.iter().map(|role| role.to_string()).collect();
        Look::new(&roles, &things.iter().map(|thing| thing.to_string()).collect(), &Style::default())
    }

    fn shown(look: &Look, thing: &str) -> (Shape, String) {
        let piece = look.piece(thing);
        (piece.shape, piece.fill)
    }

    #[test]
    fn words_for_colours_and_pieces_are_understood() {
        let look = look(&["white", "black"], &["white_king", "blackPawn", "(piece white rook)"]);
        assert_eq!(shown(&look, "white_king"), (Shape::King, "#f8f4ea".to_string()));
        assert_eq!(shown(&look, "blackPawn"), (Shape::Pawn, "#33323a".to_string()));
        assert_eq!(shown(&look, "white"), (Shape::Disc, "#f8f4ea".to_string()));
        assert_eq!(shown(&look, "x").0, Shape::Cross);
        assert_eq!(shown(&look, "7").0, Shape::Text);
    }

    #[test]
    fn letters_stand_for_words_only_where_all_symbols_are_such_letters() {
        let chess = look(&["white", "black"], &["wp", "wk", "bn", "bq"]);
        assert_eq!(shown(&chess, "bn"), (Shape::Knight, "#33323a".to_string()));
        let other = look(&["a1"], &["wp", "zz"]);
        assert_eq!(shown(&other, "wp").0, Shape::Monogram);
    }

    #[test]
    fn players_have_colours_of_their_own_and_the_unknown_has_letters() {
        let look = look(&["attacker", "defender"], &["attacker", "defender", "gryphon"]);
        assert_ne!(shown(&look, "attacker"), shown(&look, "defender"));
        assert_eq!(look.piece("gryphon").shape, Shape::Monogram);
        assert_eq!(look.piece("gryphon").text, "gr");
        assert_eq!(look.piece("never seen").text, "ns");
    }
}
