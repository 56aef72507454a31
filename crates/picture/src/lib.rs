//! States as pictures: SVG for pages, files and tests.
//!
//! An [`Artist`] knows what a game looks like. It is created once per game, from the rules and a few
//! states, and can then draw any state: as a board of squares or hexagons or a diagram of nodes and
//! edges if there is one, otherwise as counters and cards or as a table. Pictures are inert: whatever
//! the symbols of a rule sheet are, a picture contains no scripts, styles or addresses, and its size is
//! bounded.
//!
//! Squares are `<g class="cell" data-cell="3 4">`. The name consists of the arguments that name the
//! square in facts and in moves, so [`Artist::cells`] can find the squares that a move is about.

pub mod board;
mod cards;
mod diagram;
mod grid;
mod lattice;
mod look;
mod loose;
mod memory;
mod moves;
mod shape;
mod statics;
mod svg;
mod table;
mod xslt;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use game::{AnyGame, AnyState, Game, Role, RoleId};
use gdl::RuleSheet;
use library::{BoardHint, Diagrams, Loaded, Style};
use serde::Serialize;

use crate::board::axis::Constants;
use crate::board::fluent::split;
use crate::board::{Field, Layout, samples};
use cards::Cards;
use grid::{Frame, Strips};
use lattice::Lattice;
use look::Look;
use loose::Loose;
pub use memory::Glimpse;
use moves::{Line, Moves};
use statics::Statics;
use svg::{N, escaped};
pub use xslt::{EvaluationError, Stylesheet, StylesheetError, XmlError};

/// The maximum number of facts that are drawn.
const MOST_FACTS: usize = 5_000;
/// The maximum number of squares of all boards; states with more are drawn as tables.
const MOST_SQUARES: usize = 6_000;
/// The space between boards.
const BETWEEN: f64 = 16.0;
/// The maximum width of boards side by side.
const WIDEST: f64 = 1_500.0;
/// The number of states whose legal moves are examined.
const STATES_SEEN: usize = 6;
/// The number of legal moves per role and state that are examined.
const MOVES_SEEN: usize = 400;

/// The kind of picture of a game's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Squares in rows and columns.
    Grid,
    /// Hexagons.
    Hex,
    /// Counters and cards.
    Cards,
    /// A table of facts.
    Table,
    /// Nodes and edges.
    Graph,
}

impl Kind {
    /// Returns the name used in CSS classes and interfaces.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Grid => "grid",
            Kind::Hex => "hex",
            Kind::Cards => "cards",
            Kind::Table => "table",
            Kind::Graph => "graph",
        }
    }
}

/// The background of the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ground {
    Plain,
    Checkered,
    Lines,
    Frame,
    Holes,
}

/// How a state is viewed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// The names of the squares that changed in the last step.
    pub changed: Vec<String>,
    /// The names of the squares to highlight.
    pub marked: Vec<String>,
    /// Whether the board is rotated, as seen by the player on the other side.
    pub turned: bool,
    /// Whether only the board is drawn, without counters.
    pub bare: bool,
}

/// Draws the states of one game.
#[derive(Debug, Clone)]
pub struct Artist {
    title: String,
    kind: Kind,
    layout: Layout,
    look: Look,
    style: Style,
    moves: Moves,
    cards: Cards,
    strips: Strips,
    ground: Ground,
    lattices: Vec<Lattice>,
    /// The existing squares, if not every place is one.
    squares: Option<BTreeSet<String>>,
    /// The diagrams of states, if they are drawn as nodes and edges.
    diagrams: Option<Arc<dyn Diagrams>>,
}

/// Finds what the rules say about the first board in all states: the arrangement of its squares, and
/// which places are squares if not all are. Enlarges the board if it has more squares than were seen.
fn find_ground(
    loaded: &Loaded,
    layout: &mut Layout,
    states: &[Vec<String>],
    moves: &BTreeSet<String>,
) -> Option<(Lattice, Option<BTreeSet<String>>)> {
    let grid = layout.grids().first().filter(|grid| grid.boards.is_empty())?.clone();
    let (sheet, rules) = (loaded.sheet()?, loaded.rules()?);
    let statics = Statics::of(sheet, &rules);
    let mut seen = BTreeSet::new();
    for facts in states {
        let (fields, _) = layout.fields(facts);
        let squares =
            fields.into_iter().filter(|field| field.grid == 0).flat_map(|field| field.squares).flatten();
        let filled = squares.filter(|square| square.blank || !square.things.is_empty());
        seen.extend(filled.map(|square| square.id));
    }
    let known = Moves::new(sheet, layout, states);
    let named = moves.iter().flat_map(|mv| known.cells(layout, &[], mv));
    seen.extend(named.filter(|cell| cell.contains(' ')));
    // Find the smallest binary relation that contains all squares on which something was seen.
    let sets = statics.facts(2).into_iter().filter(|facts| facts.len() <= MOST_SQUARES);
    let ids =
        |facts: &Vec<Vec<String>>| -> BTreeSet<String> { facts.iter().map(|pair| pair.join(" ")).collect() };
    let found = sets.filter(|facts| seen.len() > 2 && ids(facts).is_superset(&seen)).min_by_key(Vec::len);
    if let Some(pairs) = &found {
        let (column, row) = if grid.column < grid.row { (0, 1) } else { (1, 0) };
        let squares: Vec<(&String, &String)> = pairs.iter().map(|pair| (&pair[column], &pair[row])).collect();
        layout.widen(0, &squares, &Constants::of(sheet));
    }
    let grid = layout.grids().first()?;
    let whole = grid.columns.len() * grid.rows.len();
    let squares = found.map(|facts| ids(&facts)).filter(|squares| squares.len() < whole);
    let on_top = layout.on_top(grid);
    let pairs = statics.facts(4).into_iter().chain(statics.facts(5));
    let lattice = { pairs }.find_map(|pairs| lattice::of_neighbours(grid, &pairs, on_top));
    Some((lattice.unwrap_or_default(), squares))
}

struct Seen {
    roles: Vec<String>,
    states: Vec<Vec<String>>,
    moves: BTreeSet<String>,
}

/// Examines a few states and moves of a game.
fn glance(game: &AnyGame) -> Seen {
    let (initial, mut scratch) = (game.initial(), game.scratch());
    let mut states = vec![game.facts(&initial)];
    // A game that fails midway is drawn nevertheless.
    states.extend(samples(game, &mut scratch).unwrap_or_default());
    let mut seen = Seen { roles: Role::names(game.roles()), states, moves: BTreeSet::new() };
    let mut legal = Vec::new();
    let later = seen.states.iter().skip(2).filter_map(|facts| game.state(facts).ok());
    let looked_at: Vec<AnyState> = std::iter::once(initial).chain(later).take(STATES_SEEN).collect();
    for state in looked_at {
        for role in RoleId::all(game.roles().len()) {
            if game.legal(&mut scratch, &state, role, &mut legal).is_ok() {
                seen.moves.extend(legal.iter().take(MOVES_SEEN).map(|&mv| game.move_text(role, mv)));
            }
        }
    }
    seen
}

impl Artist {
    /// Examines a game and its rules. Plays two short random games to do so.
    pub fn new(loaded: &Loaded, game: &AnyGame) -> Artist {
        let Seen { roles, states, moves: seen_moves } = glance(game);
        let style = loaded.source.style.clone().unwrap_or_default();
        let about = loaded.source.about.as_ref();
        let hint = match &style.first_row {
            Some(row) => Some(BoardHint { first_row: Some(row.clone()) }),
            None => about.and_then(|about| about.board.clone()),
        };
        let no_sheet = RuleSheet::default();
        let sheet = loaded.sheet().unwrap_or(&no_sheet);
        let mut layout = Layout::find(sheet, &states, hint.as_ref());
        let ground = find_ground(loaded, &mut layout, &states, &seen_moves);
        let mut artist = Artist::of(sheet, &roles, &states, &style, layout);
        if let Some((lattice, squares)) = ground {
            artist.lattices[0] = lattice;
            artist.squares = squares.or(artist.squares);
            artist.kind = artist.find_kind(&states);
        }
        artist.title = loaded.title().to_string();
        artist.watch_moves(&seen_moves, &states);
        artist.diagrams = loaded.diagrams();
        if artist.diagrams.is_some() {
            artist.kind = Kind::Graph;
        }
        artist
    }

    fn of(
        sheet: &RuleSheet,
        roles: &[String],
        states: &[Vec<String>],
        style: &Style,
        layout: Layout,
    ) -> Artist {
        let mut things = BTreeSet::new();
        let (mut told, mut squares) = (false, BTreeSet::new());
        for facts in states {
            let (fields, _) = layout.fields(facts);
            for square in fields.into_iter().flat_map(|field| field.squares).flatten() {
                told |= square.blank;
                if square.blank || !square.things.is_empty() {
                    squares.insert(square.id);
                }
                things.extend(square.things);
            }
        }
        let moves = Moves::new(sheet, &layout, states);
        let lattices = vec![Lattice::Square; layout.grids().len()];
        let mut artist = Artist {
            title: String::new(),
            kind: Kind::Table,
            look: Look::new(roles, &things, style),
            layout,
            style: style.clone(),
            moves,
            cards: Cards::new(sheet, states),
            strips: Strips::default(),
            ground: Ground::Plain,
            lattices,
            squares: told.then_some(squares),
            diagrams: None,
        };
        artist.kind = artist.find_kind(states);
        artist
    }

    fn find_kind(&self, states: &[Vec<String>]) -> Kind {
        match self.lattices.first() {
            Some(lattice) if lattice.is_hex() => Kind::Hex,
            Some(_) => Kind::Grid,
            None => {
                let simple = |facts: &Vec<String>| {
                    facts.len() <= 120 && facts.iter().all(|fact| split(fact).1.len() <= 3)
                };
                if states.iter().all(simple) { Kind::Cards } else { Kind::Table }
            }
        }
    }

    /// Learns from some legal moves what moves name, and therefore what the board is used for.
    fn watch_moves(&mut self, moves: &BTreeSet<String>, states: &[Vec<String>]) {
        let fields = states.first().map(|facts| self.layout.fields(facts).0).unwrap_or_default();
        let (mut strips, mut travels) = (Strips::default(), false);
        for mv in moves {
            let (name, arguments) = split(mv);
            let cells = self.moves.cells(&self.layout, &fields, mv);
            travels |= cells.len() > 1;
            match (cells.as_slice(), self.moves.line(&self.layout, name, &arguments)) {
                ([only], Some((line, kind))) if *only == line => match kind {
                    Line::Column => strips.columns = true,
                    Line::Row => strips.rows = true,
                },
                ([], _) => {}
                _ => strips.squares = true,
            }
        }
        self.strips = strips;
        self.ground = match self.style.ground.as_deref() {
            Some("plain") => Ground::Plain,
            Some("checkered") => Ground::Checkered,
            Some("lines") => Ground::Lines,
            Some("frame") => Ground::Frame,
            Some("holes") => Ground::Holes,
            _ if self.kind == Kind::Hex => {
                let sparse =
                    self.lattices.iter().any(|lattice| matches!(lattice, Lattice::Wide | Lattice::High));
                if sparse { Ground::Holes } else { Ground::Plain }
            }
            _ if strips.columns && !strips.squares => Ground::Frame,
            _ if travels => Ground::Checkered,
            _ => Ground::Plain,
        };
    }

    /// Returns the kind of picture of the game's states.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the names of the squares or cards that a move is about, in the order in which it names
    /// them. `facts` are those of the state in which the move is made.
    pub fn cells(&self, facts: &[String], mv: &str) -> Vec<String> {
        self.cells_of_all(facts, [mv]).pop().unwrap_or_default()
    }

    /// Does the same as [`Artist::cells`] for many moves in one state.
    pub fn cells_of_all<'m>(
        &self,
        facts: &[String],
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Vec<Vec<String>> {
        self.cells_for(None, facts, moves)
    }

    /// Does the same for the moves of one role, for games where it matters whose cards are meant.
    pub fn cells_for<'m>(
        &self,
        role: Option<&str>,
        facts: &[String],
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Vec<Vec<String>> {
        let facts = &facts[..facts.len().min(MOST_FACTS)];
        if let Some(diagrams) = &self.diagrams {
            return moves.into_iter().map(|mv| diagrams.nodes_of_move(mv)).collect();
        }
        let (fields, others) = self.layout.fields(facts);
        if fields.is_empty() {
            let cards = self.cards_among(others);
            return moves.into_iter().map(|mv| self.cards.named(role, &cards, mv)).collect();
        }
        moves.into_iter().map(|mv| self.moves.cells(&self.layout, &fields, mv)).collect()
    }

    /// Selects the facts that are drawn as cards; `others` are those that are not on a board.
    fn cards_among<'f>(&self, others: Vec<&'f String>) -> Vec<&'f String> {
        match self.kind {
            Kind::Cards => self.shown(others).into_iter().take(loose::MOST).collect(),
            _ => Vec::new(),
        }
    }

    /// Removes the facts that are never drawn.
    fn shown<'f>(&self, facts: Vec<&'f String>) -> Vec<&'f String> {
        let hidden = |fact: &&String| self.style.hide.iter().any(|hidden| hidden == split(fact).0);
        facts.into_iter().filter(|fact| !hidden(fact)).collect()
    }

    /// Returns the names of the squares, cards or nodes that differ between two states.
    pub fn changed(&self, before: &[String], after: &[String]) -> Vec<String> {
        if let Some(diagrams) = &self.diagrams {
            return diagram::changed(&**diagrams, before, after);
        }
        let contents = |facts: &[String]| -> BTreeSet<(String, Vec<String>)> {
            let (fields, others) = self.layout.fields(&facts[..facts.len().min(MOST_FACTS)]);
            if fields.is_empty() {
                let cards = self.cards_among(others);
                return cards.into_iter().map(|fact| (cards::card_id(fact), Vec::new())).collect();
            }
            let squares = fields.into_iter().flat_map(|field| field.squares).flatten();
            squares.map(|square| (square.id, square.things)).collect()
        };
        let (before, after) = (contents(before), contents(after));
        let ids: BTreeSet<&String> = before.symmetric_difference(&after).map(|(id, _)| id).collect();
        ids.into_iter().cloned().collect()
    }

    /// Draws a state.
    pub fn svg(&self, facts: &[String], view: &View) -> String {
        let more = facts.len().saturating_sub(MOST_FACTS);
        let facts = &facts[..facts.len() - more];
        if let Some(diagrams) = &self.diagrams {
            let Some(diagram) = diagrams.diagram(facts, diagram::MOST_NODES) else {
                return self.table(facts);
            };
            let mut body = String::new();
            let size = diagram::draw(&mut body, &diagram, &self.look, view);
            return self.sheet(Kind::Graph, "a graph", size, &body);
        }
        let (fields, others) = self.layout.fields(facts);
        let count: usize = fields.iter().map(|field| field.columns.len() * field.rows.len()).sum();
        if self.kind == Kind::Table || count > MOST_SQUARES {
            return self.table(facts);
        }
        let (mut body, mut wide, mut high) = self.boards(&fields, view);
        if !view.bare || fields.is_empty() {
            let others = self.shown(others);
            wide = wide.max(if fields.is_empty() { 480.0 } else { 300.0 });
            let loose = Loose {
                look: &self.look,
                cards: &self.cards,
                changed: &view.changed,
                wide,
                beside_board: !fields.is_empty(),
            };
            let (reach, end) = loose.draw(&mut body, &others, high + 8.0);
            high = end;
            // Without a board, the picture is as wide as its cards.
            if fields.is_empty() {
                wide = reach.max(if view.bare { 120.0 } else { 300.0 });
            }
        }
        let kind = if fields.is_empty() { Kind::Cards } else { self.kind };
        let told = match fields.as_slice() {
            [] => "cards and counters".to_string(),
            [one] => format!("a board of {} columns and {} rows", one.columns.len(), one.rows.len()),
            several => format!("{} boards", several.len()),
        };
        self.sheet(kind, &told, (wide, high + 4.0), &body)
    }

    fn boards(&self, fields: &[Field], view: &View) -> (String, f64, f64) {
        let exists = |id: &str| self.squares.as_ref().is_none_or(|squares| squares.contains(id));
        let (mut body, mut wide) = (String::new(), 0.0f64);
        let (mut x, mut y, mut tallest) = (0.0f64, 0.0f64, 0.0f64);
        for field in fields {
            let lattice = self.lattices.get(field.grid).copied().unwrap_or_default();
            let strips = if self.layout.grids()[field.grid].boards.is_empty() {
                self.strips
            } else {
                Strips::default()
            };
            let frame = Frame {
                look: &self.look,
                style: &self.style,
                view,
                lattice,
                ground: self.ground,
                exists: &exists,
                strips,
                named: fields.len() > 1,
            };
            let drawn = frame.draw(field);
            if x > 0.0 && x + drawn.width > WIDEST {
                (x, y, tallest) = (0.0, y + tallest + BETWEEN, 0.0);
            }
            let _ = writeln!(body, "<g transform=\"translate({} {})\">\n{}</g>", N(x), N(y), drawn.text);
            x += drawn.width + BETWEEN;
            wide = wide.max(x - BETWEEN);
            tallest = tallest.max(drawn.height);
        }
        (body, wide, y + tallest)
    }

    fn table(&self, facts: &[String]) -> String {
        let mut body = String::new();
        let size = table::draw(&mut body, &table::of_facts(facts));
        self.sheet(Kind::Table, &format!("a table of {} facts", facts.len()), size, &body)
    }

    fn sheet(&self, kind: Kind, told: &str, (wide, high): (f64, f64), body: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board board-{}\" viewBox=\"0 0 {} {}\" \
             font-family=\"system-ui, sans-serif\" role=\"img\" aria-label=\"{}: {told}\">\n{body}</svg>\n",
            kind.name(),
            N(wide.ceil()),
            N(high.ceil()),
            escaped(&self.title)
        )
    }
}
