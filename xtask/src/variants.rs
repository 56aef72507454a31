//! `cargo xtask variants`: the variants of hnefatafl, made from one sheet.
//!
//! The thesis on hnefatafl tells what its rules cost by leaving out one of them
//! at a time. Sheets that differ in one rule should be made by changing one
//! rule, so each variant is a board and a list of edits of
//! `games/hnefatafl_13_repetition/rules.kif`. An edit whose place is not found
//! exactly once is an error: the sheet has changed, and the variant must be
//! looked at again.

use std::fs;
use std::path::PathBuf;

use crate::boards;
use crate::corpus::root;
use crate::edits::{self, Edit};

/// One sheet to be made.
struct Variant {
    name: &'static str,
    about: &'static str,
    board: Option<&'static str>,
    edits: &'static [&'static [Edit]],
}

const fn variant(name: &'static str, about: &'static str, edits: &'static [&'static [Edit]]) -> Variant {
    Variant { name, about, board: None, edits }
}

const VARIANTS: &[Variant] = &[
    Variant { name: "01_board_5", about: "On 5x5 squares.", board: Some(boards::FIVE), edits: &[] },
    Variant {
        name: "02_board_9",
        about: "On 9x9 squares, with the layout of tablut.",
        board: Some(boards::NINE),
        edits: &[],
    },
    variant("03_no_stalemate", "Who cannot move does not lose but passes.", &[edits::NO_STALEMATE]),
    variant(
        "04_no_captures",
        "Pieces cannot be captured; the king can be killed.",
        &[edits::NO_CAPTURES, edits::KILLED_ANYWHERE],
    ),
    variant(
        "05_king_only_killed",
        "The king cannot be captured, only killed: on all squares he must be surrounded.",
        &[edits::KING_NOT_CAPTURED, edits::KILLED_ANYWHERE],
    ),
    variant(
        "06_king_only_captured",
        "The king cannot be killed: on the throne and beside it he is safe.",
        &[edits::KING_NOT_KILLED],
    ),
    variant("07_king_stays", "The king may not move.", &[edits::KING_STAYS]),
    variant(
        "08_nobody_moves",
        "No piece may move. The third turn repeats the board for the third time.",
        &[edits::NOBODY_MOVES],
    ),
    variant(
        "09_nobody_moves_no_repetition",
        "No piece may move, and repetition does not matter: every turn is like the first.",
        &[edits::NOBODY_MOVES, edits::NO_HISTORY],
    ),
    variant(
        "10_jumps",
        "A piece moves to any other square and removes the piece that stands there.",
        &[edits::JUMPS],
    ),
    variant(
        "11_no_repetition",
        "Repetition does not matter: no history is kept.",
        &[edits::NO_HISTORY, edits::NOT_THIRD],
    ),
    variant(
        "12_encirclement",
        "The attacker also wins when no defender can reach the edge, however far he may go.",
        &[edits::ENCIRCLEMENT],
    ),
    Variant {
        name: "board_7_no_repetition",
        about: "On 7x7 squares, with the layout of brandubh; no history is kept.",
        board: Some(boards::SEVEN),
        edits: &[edits::NO_HISTORY, edits::NOT_THIRD],
    },
    Variant {
        name: "board_9_no_repetition",
        about: "On 9x9 squares, with the layout of tablut; no history is kept.",
        board: Some(boards::NINE),
        edits: &[edits::NO_HISTORY, edits::NOT_THIRD],
    },
    Variant {
        name: "board_7",
        about: "On 7x7 squares, with the layout of brandubh.",
        board: Some(boards::SEVEN),
        edits: &[],
    },
    Variant {
        name: "board_5_plain_history",
        about: "On 5x5 squares, with the history kept in the plain way: all boards.",
        board: Some(boards::FIVE),
        edits: &[edits::PLAIN_HISTORY],
    },
    Variant {
        name: "board_7_plain_history",
        about: "On 7x7 squares, with the history kept in the plain way: all boards.",
        board: Some(boards::SEVEN),
        edits: &[edits::PLAIN_HISTORY],
    },
    variant("plain_history", "The history kept in the plain way: all boards.", &[edits::PLAIN_HISTORY]),
];

fn folder() -> PathBuf {
    root().join("experiments/hnefatafl/sheets")
}

/// Writes all variants, or with `check` only says which are not up to date.
pub fn run(check: bool) -> Result<(), String> {
    let source = root().join("games/hnefatafl_13_repetition/rules.kif");
    let sheet =
        fs::read_to_string(&source).map_err(|error| format!("cannot read {}: {error}", source.display()))?;
    fs::create_dir_all(folder()).map_err(|error| error.to_string())?;
    for variant in VARIANTS {
        let text = text(variant, &sheet).map_err(|error| format!("{}: {error}", variant.name))?;
        let path = folder().join(format!("{}.kif", variant.name));
        let same = fs::read_to_string(&path).is_ok_and(|found| found == text);
        if check && !same {
            return Err(format!("{} is not what `cargo xtask variants` makes", path.display()));
        }
        if !same {
            fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

fn text(variant: &Variant, sheet: &str) -> Result<String, String> {
    let start = sheet.find("(role attacker)").ok_or("the sheet has no role attacker")?;
    let mut rules = sheet[start..].to_string();
    if let Some(board) = variant.board {
        rules = boards::lay_out(&rules, board)?;
    }
    for edit in variant.edits.iter().copied().flatten() {
        rules = edit.apply(&rules)?;
    }
    Ok(format!(
        "; Hnefatafl, a variant of games/hnefatafl_13_repetition, where rules and\n; conventions are explained. Made by `cargo xtask variants`.\n;\n{}\n{rules}",
        wrapped(variant.about)
    ))
}

/// A comment of at most 80 columns.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::from(";"));
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > 80 {
            lines.push_str(&line);
            lines.push('\n');
            line = String::from(";");
        }
        line.push(' ');
        line.push_str(word);
    }
    lines + &line + "\n"
}
