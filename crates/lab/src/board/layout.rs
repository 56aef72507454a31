//! All boards of a game, and the facts of a state on them.

use std::collections::{BTreeMap, BTreeSet};

use game::{Fault, Game, PlayoutStream, Seed, playout};
use gdl::RuleSheet;

use super::axis::Constants;
use super::fluent::{Grid, grid, split};
use crate::library::BoardHint;

/// The relations of a game whose facts lie on boards.
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
    /// The facts that lie on none.
    pub others: Vec<String>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The relations on it, and which board it is where they have several.
    pub title: String,
    /// Names of columns, from left to right.
    pub columns: Vec<String>,
    /// Names of rows, from top to bottom.
    pub rows: Vec<String>,
    /// What lies where, by row and column, several things joined by `+`; empty
    /// where no fact is, [`Board::BLANK`] where a fact says that nothing is there.
    pub cells: Vec<Vec<String>>,
}

impl Board {
    /// A square that is said to be empty.
    pub const BLANK: &'static str = ".";
}

/// What tells one board from another: its columns, its rows, and which of several it is.
type Place<'a> = (Vec<&'a String>, Vec<&'a String>, Vec<&'a str>);

/// The facts of a few states of random games, to find a layout by.
pub fn samples<G: Game>(game: &G) -> Result<Vec<Vec<String>>, Fault> {
    let mut states = Vec::new();
    for index in 0..2 {
        let stream = PlayoutStream::new(Seed(0), index);
        let initial = game.initial();
        let mut step = 0;
        playout(game, &initial, None, stream, 24, |state, _| {
            if step % 3 == 0 {
                states.push(game.facts(state));
            }
            step += 1;
        })?;
    }
    Ok(states)
}

impl Layout {
    /// Finds the boards of a game from the facts of some of its states.
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
        let grids: Vec<Grid> =
            relations.iter().filter_map(|(&key, states)| grid(key, states, &constants, sheet)).collect();
        let first_row_on_top = hint.and_then(|hint| hint.first_row.as_deref()).map(|place| place == "top");
        let mut layout = Layout { grids, first_row_on_top, blank: None };
        layout.blank = samples.first().and_then(|facts| layout.filling(facts));
        layout
    }

    /// Puts the facts of a state on the boards.
    pub fn picture(&self, facts: &[String]) -> Picture {
        let mut picture = Picture::default();
        let mut places: BTreeMap<Place<'_>, usize> = BTreeMap::new();
        let mut names: Vec<BTreeSet<&str>> = Vec::new();
        for grid in self.grids.iter().filter(|grid| grid.boards.is_empty()) {
            // A board that is empty in this state is drawn all the same.
            let key = (grid.columns.iter().collect(), grid.rows.iter().collect(), Vec::new());
            let number = *places.entry(key).or_insert_with(|| self.add(grid, &[], &mut picture, &mut names));
            names[number].insert(&grid.name);
        }
        for fact in facts {
            let (name, arguments) = split(fact);
            let grid = self.grids.iter().find(|grid| grid.name == name && grid.arity == arguments.len());
            let found = grid.and_then(|grid| {
                let column = grid.columns.iter().position(|value| value == arguments[grid.column])?;
                let row = grid.rows.iter().position(|value| value == arguments[grid.row])?;
                Some((grid, column, row))
            });
            let Some((grid, column, row)) = found else {
                picture.others.push(fact.clone());
                continue;
            };
            let which: Vec<&str> = grid.boards.iter().map(|&place| arguments[place]).collect();
            let key = (grid.columns.iter().collect(), grid.rows.iter().collect(), which.clone());
            let number =
                *places.entry(key).or_insert_with(|| self.add(grid, &which, &mut picture, &mut names));
            names[number].insert(&grid.name);
            let row = if self.on_top(grid) { row } else { grid.rows.len() - 1 - row };
            let rest =
                |place: &usize| *place != grid.column && *place != grid.row && !grid.boards.contains(place);
            let mut content: Vec<&str> = (0..grid.arity).filter(rest).map(|place| arguments[place]).collect();
            if content.is_empty() {
                content.push(name);
            }
            let content = content.join(" ");
            let cell = &mut picture.boards[number].cells[row][column];
            if self.blank.as_deref() == Some(content.as_str())
                || matches!(content.as_str(), "blank" | "empty")
            {
                if cell.is_empty() {
                    cell.push_str(Board::BLANK);
                }
            } else if cell.is_empty() || cell == Board::BLANK {
                *cell = content;
            } else {
                cell.push('+');
                cell.push_str(&content);
            }
        }
        for (board, names) in picture.boards.iter_mut().zip(names) {
            let names: Vec<&str> = names.into_iter().collect();
            board.title = format!("{}{}", names.join(", "), board.title);
        }
        picture
    }

    fn add<'g>(
        &self,
        grid: &'g Grid,
        which: &[&str],
        picture: &mut Picture,
        names: &mut Vec<BTreeSet<&'g str>>,
    ) -> usize {
        let mut rows = grid.rows.clone();
        if !self.on_top(grid) {
            rows.reverse();
        }
        let cells = vec![vec![String::new(); grid.columns.len()]; rows.len()];
        let title = if which.is_empty() { String::new() } else { format!(" {}", which.join(" ")) };
        picture.boards.push(Board { title, columns: grid.columns.clone(), rows, cells });
        names.push(BTreeSet::new());
        picture.boards.len() - 1
    }

    /// Boards have their first row at the bottom, as in chess, unless rows are
    /// named before columns, as in a matrix, or someone says otherwise.
    fn on_top(&self, grid: &Grid) -> bool {
        let letters = grid.columns.iter().all(|value| value.chars().all(char::is_alphabetic));
        self.first_row_on_top.unwrap_or(grid.rows_first && !letters)
    }

    /// What lies on every square of the first state, if that is the same thing.
    fn filling(&self, facts: &[String]) -> Option<String> {
        let picture = self.picture(facts);
        let mut cells = picture.boards.iter().flat_map(|board| board.cells.iter().flatten());
        let first = cells.next()?;
        (!first.is_empty() && cells.all(|cell| cell == first)).then(|| first.clone())
    }
}
