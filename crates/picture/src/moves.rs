//! The squares that a move names.
//!
//! A move names a square by the same consecutive arguments as facts do: `(move a 2 a 4)` names `a 2`
//! and `a 4`. Some moves name only a column, like `(drop 3)`, or the thing on the square, like
//! `(slide 5)`; the rules show which.

use std::collections::{BTreeMap, BTreeSet};

use gdl::{Clause, Literal, LiteralKind, RuleSheet, Term, TermKind};

use crate::board::fluent::{Grid, split};
use crate::board::{Field, Layout};

/// The maximum number of words of a move that are examined.
const MOST_WORDS: usize = 64;

/// A line of squares that a move can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// All squares of a column.
    Column,
    /// All squares of a row.
    Row,
}

/// What the rules show about the arguments of moves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moves {
    /// The position and the kind of the argument that names a line, by name and arity of the move.
    lines: BTreeMap<(String, usize), (usize, Line)>,
    /// The names of squares, if a relation has several boards.
    squares: BTreeSet<String>,
}

impl Moves {
    pub(crate) fn new(sheet: &RuleSheet, layout: &Layout, samples: &[Vec<String>]) -> Moves {
        let mut squares = BTreeSet::new();
        if layout.grids().iter().any(|grid| !grid.boards.is_empty()) {
            for facts in samples {
                let (fields, _) = layout.fields(facts);
                squares.extend(
                    fields.into_iter().flat_map(|field| field.squares).flatten().map(|square| square.id),
                );
            }
        }
        let plain = layout.grids().iter().filter(|grid| grid.boards.is_empty());
        let mut votes: BTreeMap<(String, usize, usize), [usize; 2]> = BTreeMap::new();
        for grid in plain {
            sheet.clauses.iter().for_each(|clause| vote(clause, grid, &mut votes));
        }
        let mut lines = BTreeMap::new();
        for ((name, arity, place), [columns, rows]) in votes {
            if columns != rows {
                let line = if columns > rows { Line::Column } else { Line::Row };
                lines.entry((name, arity)).or_insert((place, line));
            }
        }
        Moves { lines, squares }
    }

    /// Returns the squares that a move names, in order.
    pub(crate) fn cells(&self, layout: &Layout, fields: &[Field], mv: &str) -> Vec<String> {
        let (name, arguments) = split(mv);
        if arguments.is_empty() {
            return Vec::new();
        }
        let words = words(mv);
        let words = words.get(1..).unwrap_or_default();
        let mut cells = Vec::new();
        let mut at = 0;
        while at < words.len() {
            match layout.grids().iter().find_map(|grid| self.square(grid, &words[at..])) {
                Some((id, length)) => {
                    cells.push(id);
                    at += length;
                }
                None => at += 1,
            }
        }
        if cells.is_empty()
            && let Some((line, _)) = self.line(layout, name, &arguments)
        {
            cells.push(line);
        }
        if cells.is_empty() {
            cells.extend(words.iter().find_map(|word| only_square_with(fields, word)));
        }
        cells
    }

    /// Returns the line that a move names, if its arguments name one.
    pub(crate) fn line(&self, layout: &Layout, name: &str, arguments: &[&str]) -> Option<(String, Line)> {
        let &(place, line) = self.lines.get(&(name.to_string(), arguments.len()))?;
        let value = arguments.get(place)?.to_string();
        let mut grids = layout.grids().iter().filter(|grid| grid.boards.is_empty());
        let lies = |grid: &Grid| match line {
            Line::Column => grid.columns.contains(&value),
            Line::Row => grid.rows.contains(&value),
        };
        grids.any(lies).then_some((value, line))
    }

    /// Returns the square named by the first of these words, and the number of words that name it.
    fn square(&self, grid: &Grid, words: &[&str]) -> Option<(String, usize)> {
        let key = grid.key();
        let named = words.get(..key.len())?;
        let fits = key.iter().zip(named).all(|(&place, word)| match place {
            place if place == grid.column => grid.columns.iter().any(|value| value == word),
            place if place == grid.row => grid.rows.iter().any(|value| value == word),
            _ => true,
        });
        let id = grid.full_name(named.join(" "));
        (fits && (grid.boards.is_empty() || self.squares.contains(&id))).then_some((id, key.len()))
    }
}

/// Returns the words of a term, without parentheses.
pub(crate) fn words(term: &str) -> Vec<&str> {
    term.split(['(', ')', ' ']).filter(|word| !word.is_empty()).take(MOST_WORDS).collect()
}

fn only_square_with(fields: &[Field], word: &str) -> Option<String> {
    let squares = fields.iter().flat_map(|field| field.squares.iter().flatten());
    let mut found = squares.filter(|square| square.things.iter().any(|thing| thing == word));
    match (found.next(), found.next()) {
        (Some(square), None) => Some(square.id.clone()),
        _ => None,
    }
}

/// Counts how often a variable of a move is also a coordinate in the same clause.
fn vote(clause: &Clause, grid: &Grid, votes: &mut BTreeMap<(String, usize, usize), [usize; 2]>) {
    let (mut moves, mut columns, mut rows) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut visit = |term: &Term| {
        walk(term, &mut |term| {
            let arguments = term.arguments();
            let Some(name) = term.name() else { return };
            if matches!(&**name, "does" | "legal")
                && let [_, mv] = arguments
                && let Some(name) = mv.name()
            {
                for (place, argument) in mv.arguments().iter().enumerate() {
                    if let TermKind::Variable(variable) = &argument.kind {
                        moves.push(((name.to_string(), mv.arguments().len(), place), variable.to_string()));
                    }
                }
            }
            if &**name == grid.name.as_str() && arguments.len() == grid.arity {
                for (place, set) in [(grid.column, &mut columns), (grid.row, &mut rows)] {
                    if let TermKind::Variable(variable) = &arguments[place].kind {
                        set.insert(variable.to_string());
                    }
                }
            }
        });
    };
    visit(&clause.head);
    clause.body.iter().for_each(|literal| atoms(literal, &mut visit));
    for (key, variable) in moves {
        let counts = votes.entry(key).or_default();
        counts[0] += usize::from(columns.contains(&variable));
        counts[1] += usize::from(rows.contains(&variable));
    }
}

fn atoms(literal: &Literal, visit: &mut impl FnMut(&Term)) {
    match &literal.kind {
        LiteralKind::Atom(term) => visit(term),
        LiteralKind::Not(inner) => atoms(inner, visit),
        LiteralKind::Or(all) | LiteralKind::And(all) => all.iter().for_each(|literal| atoms(literal, visit)),
        LiteralKind::Distinct(..) => {}
    }
}

fn walk(term: &Term, visit: &mut impl FnMut(&Term)) {
    visit(term);
    term.arguments().iter().for_each(|term| walk(term, visit));
}
