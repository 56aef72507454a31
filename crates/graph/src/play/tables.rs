//! Tables that number moves and percepts as they occur.
//!
//! Both are ordered by their texts. Each has a rank, so that lists are sorted without comparing texts.

use std::sync::{RwLock, RwLockReadGuard};

use game::{MoveId, PerceptId};
use rustc_hash::FxHashMap;

use super::NOOP;
use super::places::ARGUMENTS;
use super::texts::Fact;
use crate::engine::Action;
use crate::value::Item;

/// Texts with their numbers and ranks.
#[derive(Default)]
struct Names {
    texts: Vec<String>,
    by_text: FxHashMap<String, u32>,
    /// The numbers, in the order of their texts.
    order: Vec<u32>,
    rank: Vec<u32>,
}

impl Names {
    fn add(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        let id = self.texts.len() as u32;
        let at = self.order.partition_point(|&other| self.texts[other as usize].as_str() < text);
        self.texts.push(text.to_string());
        self.by_text.insert(text.to_string(), id);
        self.order.insert(at, id);
        self.rank.push(0);
        for (rank, &number) in self.order.iter().enumerate().skip(at) {
            self.rank[number as usize] = rank as u32;
        }
        id
    }

    fn text(&self, id: u32) -> String {
        self.texts.get(id as usize).cloned().unwrap_or_default()
    }
}

/// An action with its number of arguments, followed by the arguments.
type Short = [u32; ARGUMENTS + 1];

fn short(action: u32, args: &[Item]) -> Option<Short> {
    if args.len() > ARGUMENTS {
        return None;
    }
    let mut key = [0; ARGUMENTS + 1];
    key[0] = action << 2 | args.len() as u32;
    for (place, arg) in key[1..].iter_mut().zip(args) {
        *place = arg.0;
    }
    Some(key)
}

fn long(action: u32, args: &[Item]) -> Box<[u32]> {
    std::iter::once(action).chain(args.iter().map(|arg| arg.0)).collect()
}

/// A move in a list, identified by its action and arguments or by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    key: Short,
    args: [Item; ARGUMENTS],
    pub(super) action: Action,
    pub(super) mv: MoveId,
    pub(super) rank: u32,
}

impl Named {
    /// The number of a move that has not been looked up yet.
    const UNKNOWN: MoveId = MoveId(u32::MAX);

    /// Creates a move from an action and the first `count` arguments.
    pub(super) fn new(action: Action, args: [Item; ARGUMENTS], count: usize) -> Named {
        let key = short(action.number(), &args[..count]).expect("there are no more arguments");
        Named { key, args, action, mv: Named::UNKNOWN, rank: 0 }
    }

    /// Creates a move from its number.
    pub(super) fn known(mv: MoveId) -> Named {
        Named { key: [0; ARGUMENTS + 1], args: [Item::NONE; ARGUMENTS], action: Action::Rule(0), mv, rank: 0 }
    }

    pub(super) fn is_known(&self) -> bool {
        self.mv != Named::UNKNOWN
    }

    pub(super) fn args(&self) -> &[Item] {
        &self.args[..(self.key[0] & 3) as usize]
    }
}

#[derive(Default)]
struct MoveTable {
    names: Names,
    short: FxHashMap<Short, u32>,
    long: FxHashMap<Box<[u32]>, u32>,
    /// What each move does, by number; `None` unless it is a single action with few arguments.
    named: Vec<Option<Named>>,
}

/// All moves that have occurred.
pub(super) struct Moves {
    table: RwLock<MoveTable>,
}

impl Moves {
    /// The move of a role that is not to move.
    pub(super) const NOOP: MoveId = MoveId(0);

    pub(super) fn new() -> Moves {
        let moves = Moves { table: RwLock::new(MoveTable::default()) };
        moves.table.write().expect("no panic while it is held").names.add(NOOP);
        moves
    }

    fn read(&self) -> RwLockReadGuard<'_, MoveTable> {
        self.table.read().expect("no panic while it is held")
    }

    /// Returns the move of an action with arguments, if it has occurred before.
    pub(super) fn get(&self, action: Action, args: &[Item]) -> Option<MoveId> {
        let table = self.read();
        let found = match short(action.number(), args) {
            Some(key) => table.short.get(&key),
            None => table.long.get(&long(action.number(), args)),
        };
        found.map(|&id| MoveId(id))
    }

    /// Fills in numbers and ranks. Returns `false` if a move has not occurred before.
    pub(super) fn look_up<'a>(&self, list: impl Iterator<Item = &'a mut Named>) -> bool {
        let table = self.read();
        let mut all = true;
        for named in list {
            if !named.is_known() {
                match table.short.get(&named.key) {
                    Some(&id) => named.mv = MoveId(id),
                    None => {
                        all = false;
                        continue;
                    }
                }
            }
            named.rank = table.names.rank[named.mv.0 as usize];
        }
        all
    }

    /// Returns what a move does; `None` unless it is a single action with few arguments.
    pub(super) fn named(&self, mv: MoveId) -> Option<Named> {
        *self.read().named.get(mv.0 as usize)?
    }

    /// Adds a move. Moves with equal texts are the same move.
    pub(super) fn add(&self, action: Action, args: &[Item], text: String) -> MoveId {
        let mut table = self.table.write().expect("no panic while it is held");
        let id = table.names.add(&text);
        let new = table.named.len() <= id as usize;
        if new {
            table.named.resize(id as usize + 1, None);
        }
        match short(action.number(), args) {
            Some(key) => {
                let mut all = [Item::NONE; ARGUMENTS];
                all[..args.len()].copy_from_slice(args);
                let named = Named { key, args: all, action, mv: MoveId(id), rank: 0 };
                let known = &mut table.named[id as usize];
                *known = Some(named).filter(|_| new || known.is_some_and(|known| known.key == key));
                table.short.insert(key, id);
            }
            None => {
                table.named[id as usize] = None;
                table.long.insert(long(action.number(), args), id);
            }
        }
        MoveId(id)
    }

    pub(super) fn text(&self, mv: MoveId) -> String {
        self.read().names.text(mv.0)
    }

    pub(super) fn find(&self, text: &str) -> Option<MoveId> {
        self.read().names.by_text.get(text).map(|&id| MoveId(id))
    }
}

/// All percepts that have occurred.
#[derive(Default)]
pub(super) struct Percepts {
    table: RwLock<(Names, FxHashMap<Fact, u32>)>,
}

impl Percepts {
    fn read(&self) -> RwLockReadGuard<'_, (Names, FxHashMap<Fact, u32>)> {
        self.table.read().expect("no panic while it is held")
    }

    /// Returns the percepts of facts in the order of their texts. A text is only built when its
    /// fact first occurs.
    pub(super) fn of_facts(&self, facts: &[Fact], text: impl Fn(&Fact) -> String) -> Vec<PerceptId> {
        loop {
            let table = self.read();
            let known = |fact: &Fact| table.1.get(fact).map(|&id| PerceptId(id));
            if let Some(mut percepts) = facts.iter().map(known).collect::<Option<Vec<_>>>() {
                percepts.sort_unstable_by_key(|percept| table.0.rank[percept.0 as usize]);
                percepts.dedup();
                return percepts;
            }
            let new: Vec<Fact> = facts.iter().filter(|fact| known(fact).is_none()).copied().collect();
            drop(table);
            for fact in new {
                let id = self.of_text(&text(&fact));
                self.table.write().expect("no panic while it is held").1.insert(fact, id.0);
            }
        }
    }

    pub(super) fn of_text(&self, text: &str) -> PerceptId {
        if let Some(&id) = self.read().0.by_text.get(text) {
            return PerceptId(id);
        }
        PerceptId(self.table.write().expect("no panic while it is held").0.add(text))
    }

    /// Sorts percepts by their texts.
    pub(super) fn sort(&self, percepts: &mut [PerceptId]) {
        let table = self.read();
        percepts.sort_unstable_by_key(|percept| table.0.rank[percept.0 as usize]);
    }

    pub(super) fn text(&self, percept: PerceptId) -> String {
        self.read().0.text(percept.0)
    }
}
