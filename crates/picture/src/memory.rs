//! What one role knows if the state is hidden: its own moves and percepts.
//!
//! On a board, a move leaves a piece of the role where it went, and a percept that names a square is
//! written on it. The picture may be long out of date; it shows no more than the role was told. The
//! history itself is listed below.

use super::loose::readable;
use super::moves::words;
use super::{Artist, Kind, View, table};
use crate::board::Field;

/// The number of steps of the history that are listed below a board.
const LAST_STEPS: usize = 16;

/// What a role did and saw in one step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// The number of the step, starting from 1.
    pub step: usize,
    /// Its own move.
    pub own: Option<String>,
    /// Its percepts.
    pub percepts: Vec<String>,
}

impl Artist {
    /// Draws what a role knows from its own moves and percepts.
    pub fn memory(&self, role: &str, history: &[Glimpse], view: &View) -> String {
        let mut fields = if self.diagrams.is_some() { Vec::new() } else { self.layout.fields(&[]).0 };
        for glimpse in history {
            self.remember(role, glimpse, &mut fields);
        }
        let (mut body, wide, high) = self.boards(&fields, view);
        let mut lines = vec![("step".to_string(), vec!["own move".to_string(), "seen".to_string()])];
        let shown = if fields.is_empty() { history.len() } else { LAST_STEPS };
        for glimpse in &history[history.len().saturating_sub(shown)..] {
            let own = glimpse.own.as_deref().map(readable).unwrap_or_default();
            let percepts: Vec<String> = glimpse.percepts.iter().map(|percept| readable(percept)).collect();
            lines.push((glimpse.step.to_string(), vec![own, percepts.join(", ")]));
        }
        let mut list = String::new();
        let (list_wide, list_high) = table::draw(&mut list, &lines);
        body.push_str(&format!(
            "<g class=\"history\" transform=\"translate(0 {})\">\n{list}</g>\n",
            high.ceil()
        ));
        let kind = if fields.is_empty() { Kind::Table } else { self.kind };
        self.sheet(kind, "what this player knows", (wide.max(list_wide), high.ceil() + list_high), &body)
    }

    fn remember(&self, role: &str, glimpse: &Glimpse, fields: &mut [Field]) {
        if let Some(own) = &glimpse.own {
            let cells = self.moves.cells(&self.layout, fields, own);
            if let [from, .., to] = cells.as_slice() {
                put(fields, from, |things| things.retain(|thing| thing != role));
                put(fields, to, |things| only(things, role));
            } else if let [at] = cells.as_slice() {
                put(fields, at, |things| only(things, role));
            }
        }
        for percept in &glimpse.percepts {
            let cells = self.moves.cells(&self.layout, &[], percept);
            let [at] = cells.as_slice() else { continue };
            let coordinates: Vec<&str> = at.split(' ').collect();
            let told: Vec<&str> =
                words(percept).into_iter().filter(|word| !coordinates.contains(word)).collect();
            put(fields, at, |things| only(things, &told.join(" ")));
        }
    }
}

fn only(things: &mut Vec<String>, thing: &str) {
    things.retain(|there| there != thing);
    things.push(thing.to_string());
}

fn put(fields: &mut [Field], id: &str, change: impl FnOnce(&mut Vec<String>)) {
    let mut squares = fields.iter_mut().flat_map(|field| field.squares.iter_mut().flatten());
    if let Some(square) = squares.find(|square| square.id == id) {
        change(&mut square.things);
    }
}
