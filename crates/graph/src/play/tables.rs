//! Numbers for moves and percepts, given as they come up.
//!
//! Moves are ordered by their text; each has a rank, so that lists are sorted
//! without looking at texts.

use std::sync::RwLock;

use game::{MoveId, PerceptId};
use rustc_hash::FxHashMap;

use super::NOOP;
use crate::value::Item;

/// An action by number, and up to three arguments.
type Short = [u32; 4];

#[derive(Default)]
struct Table {
    texts: Vec<String>,
    by_text: FxHashMap<String, u32>,
    short: FxHashMap<Short, u32>,
    long: FxHashMap<Box<[u32]>, u32>,
    /// What each move does: the action and its arguments.
    keys: Vec<(u32, Box<[Item]>)>,
    rank: Vec<u32>,
}

/// All moves that came up.
pub(super) struct Moves {
    table: RwLock<Table>,
}

fn short(action: u32, args: &[Item]) -> Option<Short> {
    if args.len() > 3 {
        return None;
    }
    let mut key = [action << 2 | args.len() as u32, 0, 0, 0];
    for (place, arg) in key[1..].iter_mut().zip(args) {
        *place = arg.0;
    }
    Some(key)
}

fn long(action: u32, args: &[Item]) -> Box<[u32]> {
    std::iter::once(action).chain(args.iter().map(|arg| arg.0)).collect()
}

impl Moves {
    /// The move of who is not to move.
    pub(super) const NOOP: MoveId = MoveId(0);

    pub(super) fn new() -> Moves {
        let moves = Moves { table: RwLock::new(Table::default()) };
        moves.add(u32::MAX >> 2, &[], NOOP.to_string());
        moves
    }

    /// The move of an action with arguments, if it came up before.
    pub(super) fn get(&self, action: u32, args: &[Item]) -> Option<MoveId> {
        let table = self.table.read().expect("no panic while it is held");
        let found = match short(action, args) {
            Some(key) => table.short.get(&key),
            None => table.long.get(&long(action, args)),
        };
        found.map(|&id| MoveId(id))
    }

    /// Adds a move; equal texts are one move.
    pub(super) fn add(&self, action: u32, args: &[Item], text: String) -> MoveId {
        let mut table = self.table.write().expect("no panic while it is held");
        let table = &mut *table;
        let id = match table.by_text.get(&text) {
            Some(&known) => known,
            None => {
                let id = table.texts.len() as u32;
                table.texts.push(text.clone());
                table.by_text.insert(text, id);
                table.keys.push((action, args.into()));
                let mut order: Vec<u32> = (0..=id).collect();
                order.sort_by(|&a, &b| table.texts[a as usize].cmp(&table.texts[b as usize]));
                table.rank = vec![0; order.len()];
                order.iter().enumerate().for_each(|(rank, &at)| table.rank[at as usize] = rank as u32);
                id
            }
        };
        match short(action, args) {
            Some(key) => drop(table.short.insert(key, id)),
            None => drop(table.long.insert(long(action, args), id)),
        }
        MoveId(id)
    }

    /// Puts moves in the order of their texts.
    pub(super) fn sort(&self, moves: &mut [MoveId]) {
        let table = self.table.read().expect("no panic while it is held");
        moves.sort_unstable_by_key(|mv| table.rank[mv.0 as usize]);
    }

    pub(super) fn text(&self, mv: MoveId) -> String {
        let table = self.table.read().expect("no panic while it is held");
        table.texts.get(mv.0 as usize).cloned().unwrap_or_default()
    }

    pub(super) fn find(&self, text: &str) -> Option<MoveId> {
        let table = self.table.read().expect("no panic while it is held");
        table.by_text.get(text).map(|&id| MoveId(id))
    }
}

/// All percepts that came up.
#[derive(Default)]
pub(super) struct Percepts {
    table: RwLock<(Vec<String>, FxHashMap<String, u32>)>,
}

impl Percepts {
    pub(super) fn id(&self, text: &str) -> PerceptId {
        if let Some(&id) = self.table.read().expect("no panic while it is held").1.get(text) {
            return PerceptId(id);
        }
        let mut table = self.table.write().expect("no panic while it is held");
        if let Some(&id) = table.1.get(text) {
            return PerceptId(id);
        }
        let id = table.0.len() as u32;
        table.0.push(text.to_string());
        table.1.insert(text.to_string(), id);
        PerceptId(id)
    }

    pub(super) fn text(&self, percept: PerceptId) -> String {
        let table = self.table.read().expect("no panic while it is held");
        table.0.get(percept.0 as usize).cloned().unwrap_or_default()
    }
}
