//! Names as numbers.

use gdl::Name;
use rustc_hash::FxHashMap;

/// A constant, function or relation name of one rule sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// The names of one rule sheet, numbered in the order of their first use.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    names: Vec<Name>,
    numbers: FxHashMap<Name, Symbol>,
}

impl Symbols {
    /// The number of a name, given out at its first use.
    pub fn intern(&mut self, name: &Name) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("a sheet has fewer than 2^32 names"));
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), symbol);
        symbol
    }

    /// The number of a name that is already known.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// The name behind a number.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// The name behind a number, to be shared.
    pub fn full_name(&self, symbol: Symbol) -> &Name {
        &self.names[symbol.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
