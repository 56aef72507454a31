//! A board as text.
//!
//! Things on a board are abbreviated if that makes the board narrow enough to read, with a legend
//! below it.

use std::collections::{BTreeMap, BTreeSet};

use tafl::picture::board::Board;

use crate::screen::{WIDTH, wrapped};

/// Draws a board with headings. Returns `None` if it would be wider than the screen.
pub(crate) fn draw(board: &Board) -> Option<String> {
    let things: BTreeSet<&str> = board
        .cells
        .iter()
        .flatten()
        .flat_map(|cell| cell.split('+'))
        .filter(|thing| !thing.is_empty() && *thing != Board::BLANK)
        .collect();
    let short = abbreviate(&things);
    // If facts declare squares empty, a place without a fact is not a square.
    let told = board.cells.iter().flatten().any(|cell| cell == Board::BLANK);
    let cell = |text: &str| -> String {
        if text.is_empty() || text == Board::BLANK {
            return if told && text.is_empty() { " " } else { "." }.to_string();
        }
        text.split('+').map(|thing| short[thing].as_str()).collect::<Vec<&str>>().join("+")
    };
    let cells: Vec<Vec<String>> =
        board.cells.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
    let width = |text: &String| text.chars().count();
    let widest = cells.iter().flatten().chain(&board.columns).map(width).max().unwrap_or(1);
    let heading = board.rows.iter().map(width).max().unwrap_or(1);
    if 4 + heading + board.columns.len() * (widest + 1) > WIDTH {
        return None;
    }
    let mut text = String::new();
    let line = |head: &str, cells: &[String]| -> String {
        let mut line = format!("  {head:>heading$} ");
        for cell in cells {
            line.push_str(&format!(" {cell:<widest$}"));
        }
        format!("{}\n", line.trim_end())
    };
    for (head, row) in board.rows.iter().zip(&cells) {
        text.push_str(&line(head, row));
    }
    text.push_str(&line("", &board.columns));
    let legend: Vec<String> = things
        .iter()
        .filter(|thing| short[**thing] != **thing)
        .map(|thing| format!("{} = {thing}", short[*thing]))
        .collect();
    if !legend.is_empty() {
        let last = legend.len() - 1;
        let entries = legend
            .iter()
            .enumerate()
            .map(|(n, entry)| if n < last { format!("{entry},") } else { entry.clone() });
        text.push_str(&wrapped(entries, 2));
    }
    Some(text)
}

/// Abbreviates names: those of at most two characters stay, others are reduced to first letters and, if
/// these are ambiguous, more letters of the last word.
fn abbreviate<'a>(things: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    if things.iter().all(|thing| thing.chars().count() <= 2) {
        return things.iter().map(|thing| (*thing, (*thing).to_string())).collect();
    }
    let mut lengths: BTreeMap<&str, usize> = things.iter().map(|thing| (*thing, 1)).collect();
    loop {
        let short: BTreeMap<&str, String> =
            lengths.iter().map(|(thing, length)| (*thing, letters(thing, *length))).collect();
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        short.values().for_each(|text| *counts.entry(text).or_default() += 1);
        let mut grown = false;
        for (thing, text) in &short {
            let length = lengths.get_mut(thing).expect("every thing has a length");
            if counts[text] > 1 && *length < thing.len() {
                *length += 1;
                grown = true;
            }
        }
        if !grown {
            return short;
        }
    }
}

/// Returns the first letter of each word, and this many letters of the last one.
fn letters(thing: &str, last: usize) -> String {
    if thing.chars().count() <= 2 {
        return thing.to_string();
    }
    let words: Vec<&str> = thing.split([' ', '_', '(', ')']).filter(|word| !word.is_empty()).collect();
    let Some((end, begin)) = words.split_last() else { return thing.to_string() };
    let number = end.chars().all(|c| c.is_ascii_digit());
    let taken = if number { end.chars().count() } else { last };
    begin.iter().filter_map(|word| word.chars().next()).chain(end.chars().take(taken)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(things: &[&str]) -> Vec<String> {
        abbreviate(&things.iter().copied().collect()).into_values().collect()
    }

    #[test]
    fn things_are_told_apart_by_few_letters() {
        assert_eq!(short(&["x", "o"]), ["o", "x"]);
        assert_eq!(short(&["red", "yellow"]), ["r", "y"]);
        assert_eq!(short(&["black", "blue"]), ["bla", "blu"]);
        assert_eq!(short(&["white king", "white knight", "white pawn"]), ["wki", "wkn", "wp"]);
    }

    #[test]
    fn boards_have_headings_and_a_legend() {
        let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<String>>();
        let board = Board {
            title: "cell".to_string(),
            columns: texts(&["a", "b"]),
            rows: texts(&["2", "1"]),
            cells: vec![texts(&["", "white"]), texts(&["black", ""])],
        };
        let drawn = "  2  . w\n  1  b .\n     a b\n  b = black, w = white\n";
        assert_eq!(draw(&board).unwrap(), drawn);
    }
}
