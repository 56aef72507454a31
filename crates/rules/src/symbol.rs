//! Interned names.

use gdl::Name;
use rustc_hash::FxHashMap;

/// An interned name of one rule sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// The interned names of one rule sheet, numbered in the order of their first use.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    names: Vec<Name>,
    numbers: FxHashMap<Name, Symbol>,
}

impl Symbols {
    /// Returns the symbol of a name, which is numbered at its first use.
    pub fn intern(&mut self, name: &Name) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("a sheet has fewer than 2^32 names"));
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), symbol);
        symbol
    }

    /// Returns the symbol of a name that has already been interned.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// Returns the name of a symbol in its shareable form.
    pub fn full_name(&self, symbol: Symbol) -> &Name {
        &self.names[symbol.0 as usize]
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns `true` if there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
