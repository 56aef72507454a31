//! Finding the coordinates among the arguments of a relation.

use std::collections::{BTreeMap, BTreeSet};

use gdl::{Clause, Literal, LiteralKind, RuleSheet, Term, TermKind};

use super::axis::Constants;

/// Splits a fact into its name and arguments.
pub(crate) fn split(fact: &str) -> (&str, Vec<&str>) {
    let Some(inside) = fact.strip_prefix('(').and_then(|fact| fact.strip_suffix(')')) else {
        return (fact, Vec::new());
    };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    (parts[0], parts[1..].to_vec())
}

/// A relation whose facts are on boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) name: String,
    pub(crate) arity: usize,
    /// The positions of the arguments that are the column and the row.
    pub(crate) column: usize,
    pub(crate) row: usize,
    /// The positions of the arguments that distinguish several boards.
    pub(crate) boards: Vec<usize>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// Whether the row comes before the column in the arguments.
    pub(crate) rows_first: bool,
    /// Whether the names of its squares begin with the name of the relation, because another board has
    /// squares with the same coordinates.
    pub(crate) named: bool,
}

impl Grid {
    /// Returns the positions of the arguments that name a square, in order.
    pub(crate) fn key(&self) -> Vec<usize> {
        let mut key = self.boards.clone();
        key.extend([self.column, self.row]);
        key.sort_unstable();
        key
    }

    /// Returns the name of a square in facts and moves: its arguments, in order.
    pub(crate) fn id(&self, column: &str, row: &str, which: &[&str]) -> String {
        let value = |place: usize| match place {
            place if place == self.column => column,
            place if place == self.row => row,
            _ => self.boards.iter().position(|&board| board == place).map_or("", |board| which[board]),
        };
        let words: Vec<&str> = self.key().into_iter().map(value).collect();
        self.full_name(words.join(" "))
    }

    /// Returns the name of a square, given its arguments.
    pub(crate) fn full_name(&self, arguments: String) -> String {
        if self.named { format!("{} {arguments}", self.name) } else { arguments }
    }

    /// Returns `true` if some square has the same arguments as one of another board.
    pub(crate) fn overlaps(&self, other: &Grid) -> bool {
        let same = (&self.columns, &self.rows) == (&other.columns, &other.rows);
        let common = |a: &[String], b: &[String]| a.iter().any(|value| b.contains(value));
        let crossed = common(&self.columns, &other.rows) || common(&self.rows, &other.columns);
        let straight = common(&self.columns, &other.columns) && common(&self.rows, &other.rows);
        !same && self.key().len() == other.key().len() && (straight || crossed)
    }
}

/// The maximum number of things on one square.
const MOST_THINGS: usize = 4;
/// The minimum number of squares of a board with several things on a square.
const FEWEST_SQUARES: usize = 9;

/// Finds the coordinates of a relation from its facts in several states.
pub(crate) fn grid(
    (name, arity): (&str, usize),
    states: &[Vec<Vec<&str>>],
    constants: &Constants,
    sheet: &RuleSheet,
) -> Option<Grid> {
    if !(2..=6).contains(&arity) {
        return None;
    }
    let values = |place: usize| -> BTreeSet<String> {
        states.iter().flatten().map(|arguments| arguments[place].to_string()).collect()
    };
    let is_role = |place: usize| constants.are_roles(&values(place));
    let axes: Vec<Option<Vec<String>>> =
        (0..arity).map(|place| if is_role(place) { None } else { constants.axis(&values(place)) }).collect();
    let ordered: Vec<usize> = (0..arity).filter(|&place| axes[place].is_some()).collect();
    let pairs =
        || ordered.iter().flat_map(|&a| ordered.iter().filter(move |&&b| b > a).map(move |&b| (a, b)));
    if arity == 2 {
        let (a, b) = pairs().next()?;
        let square = axes[a].as_ref().map(Vec::len) == axes[b].as_ref().map(Vec::len);
        let listed = holds_one(states, &[a]) || holds_one(states, &[b]);
        if listed && !square {
            return None;
        }
    }
    // Prefer few boards to many, and early arguments to late ones.
    for boards in 0..=arity.saturating_sub(3) {
        for (a, b) in pairs() {
            let others: Vec<usize> = (0..arity).filter(|&place| place != a && place != b).collect();
            for chosen in subsets(&others, boards) {
                let mut key = vec![a, b];
                key.extend(&chosen);
                let few = chosen.iter().map(|&place| values(place).len()).product::<usize>() <= 12;
                // Different players may be on the same square.
                let players = arity > 2 && others.iter().all(|&place| is_role(place));
                if few && (players || holds_one(states, &key)) {
                    return Some(on_axes((name, arity), (a, b), chosen, &axes, sheet));
                }
            }
        }
    }
    // Otherwise, look for squares with a few things on each.
    let (a, b) = pairs().find(|&(a, b)| arity > 2 && holds_few(states, &[a, b]))?;
    Some(on_axes((name, arity), (a, b), Vec::new(), &axes, sheet))
}

/// Returns the relation on boards with these two arguments as coordinates.
fn on_axes(
    (name, arity): (&str, usize),
    pair: (usize, usize),
    boards: Vec<usize>,
    axes: &[Option<Vec<String>>],
    sheet: &RuleSheet,
) -> Grid {
    let (column, row) = orient(name, arity, pair, axes, sheet);
    let axis = |place: usize| axes[place].clone().unwrap_or_default();
    let (columns, rows) = (axis(column), axis(row));
    let rows_first = row < column;
    Grid { name: name.to_string(), arity, column, row, boards, columns, rows, rows_first, named: false }
}

/// Returns `true` if in every state there are many squares with few things on each.
fn holds_few(states: &[Vec<Vec<&str>>], key: &[usize]) -> bool {
    let crowded = |facts: &Vec<Vec<&str>>| {
        let mut counts: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        for arguments in facts {
            *counts.entry(key.iter().map(|&place| arguments[place]).collect()).or_default() += 1;
        }
        let most = counts.values().max().copied().unwrap_or(0);
        most > MOST_THINGS || (!facts.is_empty() && counts.len() < FEWEST_SQUARES)
    };
    states.iter().any(|facts| !facts.is_empty()) && !states.iter().any(crowded)
}

/// Returns `true` if in every state these arguments determine all others.
fn holds_one(states: &[Vec<Vec<&str>>], key: &[usize]) -> bool {
    states.iter().all(|facts| {
        let mut seen = BTreeMap::new();
        facts.iter().all(|arguments| {
            let place: Vec<&str> = key.iter().map(|&place| arguments[place]).collect();
            seen.insert(place, ()).is_none()
        })
    })
}

fn subsets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    (0..1u32 << of.len())
        .filter(|set| set.count_ones() as usize == size)
        .map(|set| (0..of.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| of[bit]).collect())
        .collect()
}

/// Determines which of two coordinates is the column and which is the row.
fn orient(
    name: &str,
    arity: usize,
    (a, b): (usize, usize),
    axes: &[Option<Vec<String>>],
    sheet: &RuleSheet,
) -> (usize, usize) {
    let is_letters =
        |place: usize| axes[place].iter().flatten().all(|value| value.chars().all(char::is_alphabetic));
    match (is_letters(a), is_letters(b)) {
        (true, false) => return (a, b),
        (false, true) => return (b, a),
        _ => {}
    }
    let mut votes = [0i32; 2];
    for Clause { head, body, .. } in &sheet.clauses {
        let mut vote = |term: &Term| count_votes(term, name, arity, (a, b), &mut votes);
        vote(head);
        body.iter().for_each(|literal| terms(literal, &mut vote));
    }
    if votes[0] > votes[1] { (b, a) } else { (a, b) }
}

fn terms(literal: &Literal, visit: &mut impl FnMut(&Term)) {
    match &literal.kind {
        LiteralKind::Atom(term) => visit(term),
        LiteralKind::Not(inner) => terms(inner, visit),
        LiteralKind::Or(all) | LiteralKind::And(all) => all.iter().for_each(|literal| terms(literal, visit)),
        LiteralKind::Distinct(..) => {}
    }
}

/// Counts hints in the names of variables: `votes[0]` that the first coordinate is the row, `votes[1]`
/// that the second one is.
fn count_votes(term: &Term, name: &str, arity: usize, (a, b): (usize, usize), votes: &mut [i32; 2]) {
    let arguments = term.arguments();
    if term.name().is_some_and(|found| &**found == name) && arguments.len() == arity {
        for (index, place) in [a, b].into_iter().enumerate() {
            if let TermKind::Variable(variable) = &arguments[place].kind {
                let word = variable.to_lowercase();
                let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == '\'');
                if matches!(word, "r" | "y" | "line") || word.contains("row") || word.contains("rank") {
                    votes[index] += 1;
                }
                if matches!(word, "c" | "x") || word.contains("col") || word.contains("file") {
                    votes[1 - index] += 1;
                }
            }
        }
    }
    arguments.iter().for_each(|term| count_votes(term, name, arity, (a, b), votes));
}
