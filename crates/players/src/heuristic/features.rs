//! Candidate features of a position, derived from the possible fluents.
//!
//! Fluents with the same name and the same words are of one kind; their other arguments, numbers or single
//! letters, are coordinates. For every kind, the features are the number that hold (material), the sum of
//! each coordinate (advancement), the distance from the middle, and the extreme values. Further features are
//! the number of legal moves of a role and its goal if the match ended here.

use std::collections::BTreeMap;

use game::{Fault, FluentId, Game, RoleId};

/// The number of kinds of one name above which they are not used.
const MOST_KINDS: usize = 24;
/// The maximum number of features derived from fluents.
const MOST: usize = 120;

/// A quantity that can be measured in a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measure {
    /// The sum of the numbers of the fluents that hold.
    Sum(Vec<(FluentId, f64)>),
    /// The largest number of the fluents that hold, or the second value if none does.
    Largest(Vec<(FluentId, f64)>, f64),
    /// The number of legal moves of a role.
    Moves(RoleId),
    /// The goal of a role; 50 if there is none.
    Goal(RoleId),
}

/// A measure and its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Feature {
    pub name: String,
    pub measure: Measure,
}

/// A fluent with its coordinates.
struct Parsed {
    fluent: FluentId,
    coordinates: Vec<f64>,
}

/// Returns all candidate features of a game.
pub(super) fn candidates<G: Game>(game: &G) -> Vec<Feature> {
    let Some(grounded) = game.grounded() else { return Vec::new() };
    let texts: Vec<Vec<String>> =
        (0..grounded.fluent_count()).map(|n| words(&grounded.fluent_text(FluentId(n as u32)))).collect();
    // For each name and number of arguments, whether all words at each place are coordinates.
    let mut places: BTreeMap<(String, usize), Vec<bool>> = BTreeMap::new();
    for text in &texts {
        let key = (text[0].clone(), text.len());
        let entry = places.entry(key).or_insert_with(|| vec![true; text.len() - 1]);
        entry.iter_mut().zip(&text[1..]).for_each(|(all, word)| *all &= coordinate(word).is_some());
    }
    let mut kinds: BTreeMap<String, (Vec<usize>, Vec<Parsed>)> = BTreeMap::new();
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        let numeric = &places[&(text[0].clone(), text.len())];
        let shown = text[1..].iter().zip(numeric).map(|(word, numeric)| if *numeric { "?" } else { word });
        let kind = [text[0].as_str()].into_iter().chain(shown).collect::<Vec<&str>>().join(" ");
        let at: Vec<usize> = (0..numeric.len()).filter(|&place| numeric[place]).collect();
        let coordinates = at.iter().filter_map(|&place| coordinate(&text[place + 1])).collect();
        let names = by_name.entry(format!("{}/{}", text[0], text.len())).or_default();
        if !names.contains(&kind) {
            names.push(kind.clone());
        }
        let entry = kinds.entry(kind).or_insert_with(|| (at, Vec::new()));
        entry.1.push(Parsed { fluent: FluentId(number as u32), coordinates });
    }
    let mut found = Vec::new();
    for names in by_name.values().filter(|names| names.len() <= MOST_KINDS) {
        for kind in names {
            let (places, fluents) = &kinds[kind];
            found.extend(of_kind(kind, places, fluents));
        }
    }
    found.truncate(MOST);
    for (role, name) in RoleId::all(game.roles().len()).zip(game.roles()) {
        found.push(Feature { name: format!("moves of {name}"), measure: Measure::Moves(role) });
        found.push(Feature { name: format!("current goal of {name}"), measure: Measure::Goal(role) });
    }
    found
}

fn of_kind(kind: &str, places: &[usize], fluents: &[Parsed]) -> Vec<Feature> {
    let sum = |name: String, number: &dyn Fn(&Parsed) -> f64| Feature {
        name,
        measure: Measure::Sum(fluents.iter().map(|parsed| (parsed.fluent, number(parsed))).collect()),
    };
    let mut found = vec![sum(format!("number of ({kind})"), &|_| 1.0)];
    for (order, place) in places.iter().enumerate() {
        let all: Vec<f64> = fluents.iter().map(|parsed| parsed.coordinates[order]).collect();
        let (low, high) = (
            all.iter().copied().fold(f64::INFINITY, f64::min),
            all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        if high - low < 2.0 {
            continue;
        }
        let middle = (low + high) / 2.0;
        let what = format!("argument {} of ({kind})", place + 1);
        found.push(sum(format!("sum of {what}"), &|parsed| parsed.coordinates[order]));
        found.push(sum(format!("distance from the middle of {what}"), &|parsed| {
            (parsed.coordinates[order] - middle).abs()
        }));
        for (word, sign) in [("largest", 1.0), ("smallest", -1.0)] {
            let numbers =
                fluents.iter().map(|parsed| (parsed.fluent, sign * parsed.coordinates[order])).collect();
            let none = if sign > 0.0 { low - 1.0 } else { -high - 1.0 };
            found.push(Feature { name: format!("{word} {what}"), measure: Measure::Largest(numbers, none) });
        }
    }
    found
}

/// Returns a number, or the position of a letter in the alphabet.
fn coordinate(word: &str) -> Option<f64> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_lowercase() => Some(f64::from(letter as u32 - 'a' as u32)),
        _ => word.parse::<i32>().ok().map(f64::from),
    }
}

/// Splits a fluent into its name and arguments. A compound argument is one word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let Some(inside) = inside else { return vec![text.to_string()] };
    let (mut words, mut depth) = (vec![String::new()], 0);
    for letter in inside.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if letter == ' ' && depth == 0 {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words
}

impl Measure {
    /// Returns the value in a position with these fluents.
    pub fn of<G: Game>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
        holds: &[bool],
    ) -> Result<f64, Fault> {
        Ok(match self {
            Measure::Sum(numbers) => {
                numbers.iter().filter(|(fluent, _)| holds[fluent.0 as usize]).map(|(_, number)| number).sum()
            }
            Measure::Largest(numbers, none) => numbers
                .iter()
                .filter(|(fluent, _)| holds[fluent.0 as usize])
                .map(|(_, number)| *number)
                .fold(*none, f64::max),
            Measure::Moves(role) => {
                let mut moves = Vec::new();
                game.legal(scratch, state, *role, &mut moves)?;
                moves.len() as f64
            }
            Measure::Goal(role) => f64::from(game.goal(scratch, state, *role)?.unwrap_or(50).clamp(0, 100)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fluents_are_taken_apart() {
        assert_eq!(words("(cell 1 (pair a b) x)"), ["cell", "1", "(pair a b)", "x"]);
        assert_eq!(words("open"), ["open"]);
        assert_eq!(coordinate("c"), Some(2.0));
        assert_eq!(coordinate("12"), Some(12.0));
        assert_eq!(coordinate("white"), None);
    }
}
