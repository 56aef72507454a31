//! All boards of a game, and the facts of a state on them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use game::{Fault, Game, PlayoutStream, Seed, playout};
use gdl::RuleSheet;
use library::{BoardHint, Loaded};

use super::axis::Constants;
use super::fluent::{Grid, grid, split};

/// The relations of a game whose facts are on boards.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    grids: Vec<Grid>,
    first_row_on_top: Option<bool>,
    blank: Option<String>,
}

/// A state as boards and other facts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// The boards.
    pub boards: Vec<Board>,
    /// The facts that are not on a board.
    pub others: Vec<String>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The relations on it, and which board it is if they have several.
    pub title: String,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The content of each square, by row and column; several things are joined by `+`. Empty if there
    /// is no fact, [`Board::BLANK`] if a fact says that nothing is there.
    pub cells: Vec<Vec<String>>,
}

/// The maximum number of boards.
const MAX_BOARDS: usize = 16;

/// Things that may be on every square without meaning that it is empty.
const LIT: [&str; 6] = ["lit", "on", "light", "alive", "full", "peg"];

impl Board {
    /// A square that a fact declares empty.
    pub const BLANK: &'static str = ".";
}

/// A board with everything that is known about its squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// The index of the relation by which it was found.
    pub(crate) grid: usize,
    /// The relations on it, and which board it is if they have several.
    pub(crate) title: String,
    /// The names of the columns, from left to right.
    pub(crate) columns: Vec<String>,
    /// The names of the rows, from top to bottom.
    pub(crate) rows: Vec<String>,
    /// The squares by row and column.
    pub(crate) squares: Vec<Vec<Square>>,
}

/// A square of a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Square {
    /// Its name in facts and moves.
    pub(crate) id: String,
    /// Whether a fact says that nothing is there.
    pub(crate) blank: bool,
    /// The things on it.
    pub(crate) things: Vec<String>,
}

/// The identity of a board: its columns, its rows, and which of several it is.
type Place<'a> = (&'a [String], &'a [String], Vec<&'a str>);

/// Returns the facts of a few states of random games, for finding a layout.
pub fn samples<G: Game>(game: &G, scratch: &mut G::Scratch) -> Result<Vec<Vec<String>>, Fault> {
    let mut states = Vec::new();
    for index in 0..2 {
        let stream = PlayoutStream::new(Seed(0), index);
        let initial = game.initial();
        let mut step = 0;
        playout(game, scratch, &initial, None, stream, 24, |state, _| {
            if step % 3 == 0 {
                states.push(game.facts(state));
            }
            step += 1;
        })?;
    }
    Ok(states)
}

impl Layout {
    /// Finds the boards of a game from the facts of some states, using the hint in its `about.toml`.
    pub fn of(loaded: &Loaded, samples: &[Vec<String>]) -> Layout {
        let hint = loaded.source.about.as_ref().and_then(|about| about.board.as_ref());
        Layout::find(loaded.sheet().unwrap_or(&RuleSheet::default()), samples, hint)
    }

    /// Finds the boards of a game from the facts of some states.
    pub fn find(sheet: &RuleSheet, samples: &[Vec<String>], hint: Option<&BoardHint>) -> Layout {
        let constants = Constants::of(sheet);
        let mut relations: BTreeMap<(&str, usize), Vec<Vec<Vec<&str>>>> = BTreeMap::new();
        for (number, facts) in samples.iter().enumerate() {
            for fact in facts {
                let (name, arguments) = split(fact);
                let states = relations.entry((name, arguments.len())).or_default();
                states.resize(samples.len(), Vec::new());
                states[number].push(arguments);
            }
        }
        let mut grids: Vec<Grid> =
            relations.iter().filter_map(|(&key, states)| grid(key, states, &constants, sheet)).collect();
        // The largest board comes first, because moves refer to its squares.
        grids.sort_by_key(|grid| Reverse(grid.columns.len() * grid.rows.len()));
        for number in 1..grids.len() {
            let (before, rest) = grids.split_at_mut(number);
            rest[0].named = before.iter().any(|grid| rest[0].overlaps(grid));
        }
        let first_row_on_top = hint.and_then(|hint| hint.first_row.as_deref()).map(|place| place == "top");
        let mut layout = Layout { grids, first_row_on_top, blank: None };
        layout.blank = samples.first().and_then(|facts| layout.filling(facts));
        layout
    }

    /// Puts the facts of a state on the boards.
    pub fn picture(&self, facts: &[String]) -> Picture {
        let (fields, others) = self.fields(facts);
        let text = |square: &Square| match square {
            Square { things, blank: true, .. } if things.is_empty() => Board::BLANK.to_string(),
            Square { things, .. } => things.join("+"),
        };
        let boards = fields.into_iter().map(|Field { title, columns, rows, squares, .. }| {
            let cells = squares.iter().map(|row| row.iter().map(text).collect()).collect();
            Board { title, columns, rows, cells }
        });
        Picture { boards: boards.collect(), others: others.into_iter().cloned().collect() }
    }

    /// Returns the relations whose facts are on boards.
    pub(crate) fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// Enlarges a board to contain all of these squares, given as column and row.
    pub(crate) fn widen(&mut self, number: usize, squares: &[(&String, &String)], constants: &Constants) {
        let columns = squares.iter().map(|(column, _)| (*column).clone()).collect();
        let rows = squares.iter().map(|(_, row)| (*row).clone()).collect();
        let (Some(columns), Some(rows)) = (constants.axis(&columns), constants.axis(&rows)) else { return };
        let whole = |axis: &[String], seen: &[String]| seen.iter().all(|value| axis.contains(value));
        let grid = &mut self.grids[number];
        if whole(&columns, &grid.columns) && whole(&rows, &grid.rows) {
            (grid.columns, grid.rows) = (columns, rows);
        }
    }

    /// Returns the boards of a state square by square, and the facts that are not on a board.
    pub(crate) fn fields<'f>(&self, facts: &'f [String]) -> (Vec<Field>, Vec<&'f String>) {
        let (mut fields, mut others) = (Vec::new(), Vec::new());
        let mut places: BTreeMap<Place<'_>, usize> = BTreeMap::new();
        let mut names: Vec<BTreeSet<&str>> = Vec::new();
        for (number, grid) in self.grids.iter().enumerate().filter(|(_, grid)| grid.boards.is_empty()) {
            // A board is drawn even if it is empty in this state.
            let field = *places.entry((&grid.columns, &grid.rows, Vec::new())).or_insert_with(|| {
                names.push(BTreeSet::new());
                self.add(number, &[], &mut fields)
            });
            names[field].insert(&grid.name);
        }
        for fact in facts {
            let (name, arguments) = split(fact);
            let found = self.grids.iter().enumerate().find_map(|(number, grid)| {
                if grid.name != name || grid.arity != arguments.len() {
                    return None;
                }
                let column = grid.columns.iter().position(|value| value == arguments[grid.column])?;
                let row = grid.rows.iter().position(|value| value == arguments[grid.row])?;
                Some((number, grid, column, row))
            });
            let Some((number, grid, column, row)) = found else {
                others.push(fact);
                continue;
            };
            let which: Vec<&str> = grid.boards.iter().map(|&place| arguments[place]).collect();
            if fields.len() >= MAX_BOARDS
                && !places.contains_key(&(&*grid.columns, &*grid.rows, which.clone()))
            {
                others.push(fact);
                continue;
            }
            let field = *places.entry((&grid.columns, &grid.rows, which.clone())).or_insert_with(|| {
                names.push(BTreeSet::new());
                self.add(number, &which, &mut fields)
            });
            names[field].insert(&grid.name);
            let row = if self.on_top(grid) { row } else { grid.rows.len() - 1 - row };
            let rest =
                |place: &usize| *place != grid.column && *place != grid.row && !grid.boards.contains(place);
            let mut content: Vec<&str> = (0..grid.arity).filter(rest).map(|place| arguments[place]).collect();
            if content.is_empty() {
                content.push(name);
            }
            let content = content.join(" ");
            let square = &mut fields[field].squares[row][column];
            if self.blank.as_deref() == Some(content.as_str()) || is_blank(&content) {
                square.blank = true;
            } else {
                square.things.push(content);
            }
        }
        for (field, names) in fields.iter_mut().zip(names) {
            let names: Vec<&str> = names.into_iter().collect();
            field.title = format!("{}{}", names.join(", "), field.title);
        }
        (fields, others)
    }

    fn add(&self, number: usize, which: &[&str], fields: &mut Vec<Field>) -> usize {
        let grid = &self.grids[number];
        let mut rows = grid.rows.clone();
        if !self.on_top(grid) {
            rows.reverse();
        }
        let square = |row: &String, column: &String| Square {
            id: grid.id(column, row, which),
            blank: false,
            things: Vec::new(),
        };
        let squares =
            rows.iter().map(|row| grid.columns.iter().map(|column| square(row, column)).collect()).collect();
        let title = if which.is_empty() { String::new() } else { format!(" {}", which.join(" ")) };
        fields.push(Field { grid: number, title, columns: grid.columns.clone(), rows, squares });
        fields.len() - 1
    }

    /// Returns `true` if the first row is at the top. By default it is at the bottom, as in chess, unless
    /// rows are named before columns, as in a matrix.
    pub(crate) fn on_top(&self, grid: &Grid) -> bool {
        let letters = grid.columns.iter().all(|value| value.chars().all(char::is_alphabetic));
        self.first_row_on_top.unwrap_or(grid.rows_first && !letters)
    }

    /// Finds the thing that means "empty": one on every square of the initial state, or one on many of them
    /// whose name is a single letter for it.
    fn filling(&self, facts: &[String]) -> Option<String> {
        let (fields, _) = self.fields(facts);
        let squares: Vec<&Square> = fields.iter().flat_map(|field| field.squares.iter().flatten()).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for square in &squares {
            if let [thing] = square.things.as_slice() {
                *counts.entry(thing).or_default() += 1;
            }
        }
        let (thing, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        let all = count == squares.len() && !LIT.contains(&thing);
        let most = matches!(thing, "b" | "e" | "z" | "n") && 5 * count >= 2 * squares.len();
        (all || most).then(|| thing.to_string())
    }
}

/// Returns `true` for words that mean an empty square.
fn is_blank(content: &str) -> bool {
    matches!(content, "blank" | "empty" | "none" | "nothing" | "free" | "gap")
}
