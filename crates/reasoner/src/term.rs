//! Ground terms, each stored once (hash consing).

use gdl::TermKind;
use rules::{Symbol, Symbols};

/// A ground term of a [`TermPool`]. Equal terms have equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

impl TermId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    functor: Symbol,
    first: u32,
    arity: u16,
    depth: u16,
}

/// Ground terms, numbered in order of creation.
#[derive(Debug, Clone, Default)]
pub struct TermPool {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    /// The terms by hash, plus one; zero for a free slot. At least half of the slots are free.
    slots: Vec<u32>,
}

/// Returns where the search for a term begins among the slots.
#[inline]
fn hash(functor: Symbol, arguments: &[TermId]) -> usize {
    let mut state = u64::from(functor.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for argument in arguments {
        state = (state.rotate_left(23) ^ u64::from(argument.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (state >> 32) as usize
}

impl TermPool {
    /// Returns the term with this functor and these arguments. A constant has no arguments.
    pub fn intern(&mut self, functor: Symbol, arguments: &[TermId]) -> TermId {
        if (self.nodes.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let place = match self.search(functor, arguments) {
            Ok(id) => return id,
            Err(place) => place,
        };
        let id = TermId(u32::try_from(self.nodes.len()).expect("atom budgets keep terms below 2^32"));
        let below = arguments.iter().map(|t| self.nodes[t.index()].depth + 1).max().unwrap_or(0);
        self.nodes.push(Node {
            functor,
            first: u32::try_from(self.arguments.len()).expect("atom budgets keep arguments below 2^32"),
            arity: u16::try_from(arguments.len())
                .expect("the depth and width of terms are bounded by the sheet"),
            depth: below.min(u16::MAX - 1),
        });
        self.arguments.extend_from_slice(arguments);
        self.slots[place] = id.0 + 1;
        id
    }

    /// Returns a term, or the free slot where it belongs. There must be slots.
    #[inline]
    fn search(&self, functor: Symbol, arguments: &[TermId]) -> Result<TermId, usize> {
        let mask = self.slots.len() - 1;
        let mut place = hash(functor, arguments) & mask;
        loop {
            let Some(number) = self.slots[place].checked_sub(1) else { return Err(place) };
            let id = TermId(number);
            if self.functor(id) == functor && self.arguments(id) == arguments {
                return Ok(id);
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; (self.nodes.len() * 4).next_power_of_two().max(64)];
        for number in 0..self.nodes.len() {
            let id = TermId(number as u32);
            if let Err(place) = self.search(self.functor(id), self.arguments(id)) {
                self.slots[place] = id.0 + 1;
            }
        }
    }

    /// Returns the term with this functor and these arguments, if it exists.
    pub fn find(&self, functor: Symbol, arguments: &[TermId]) -> Option<TermId> {
        if self.slots.is_empty() { None } else { self.search(functor, arguments).ok() }
    }

    /// Returns the functor of a term.
    #[inline]
    pub fn functor(&self, term: TermId) -> Symbol {
        self.nodes[term.index()].functor
    }

    /// Returns the arguments of a term.
    #[inline]
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let node = self.nodes[term.index()];
        &self.arguments[node.first as usize..node.first as usize + usize::from(node.arity)]
    }

    /// Returns the nesting depth of functions in a term.
    pub fn depth(&self, term: TermId) -> u32 {
        u32::from(self.nodes[term.index()].depth)
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns their approximate memory, in words of four bytes.
    pub(crate) fn words(&self) -> usize {
        self.nodes.len() * 7 + self.arguments.len() * 2
    }

    /// Returns `true` if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the canonical text of a term.
    pub fn text(&self, symbols: &Symbols, term: TermId) -> String {
        let mut text = String::new();
        self.write(symbols, term, &mut text);
        text
    }

    fn write(&self, symbols: &Symbols, term: TermId, out: &mut String) {
        let arguments = self.arguments(term);
        if arguments.is_empty() {
            out.push_str(symbols.name(self.functor(term)));
            return;
        }
        out.push('(');
        out.push_str(symbols.name(self.functor(term)));
        for &argument in arguments {
            out.push(' ');
            self.write(symbols, argument, out);
        }
        out.push(')');
    }

    /// Returns the number of a parsed ground term, if it exists.
    pub fn find_parsed(&self, symbols: &Symbols, term: &gdl::Term) -> Option<TermId> {
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) => self.find(symbols.find(name)?, &[]),
            TermKind::Compound(name, parts) => {
                let functor = symbols.find(name)?;
                let arguments: Option<Vec<TermId>> =
                    parts.iter().map(|t| self.find_parsed(symbols, t)).collect();
                self.find(functor, &arguments?)
            }
        }
    }

    /// Interns a parsed ground term. Returns `None` if one of its names is unknown.
    pub fn intern_parsed(&mut self, symbols: &Symbols, term: &gdl::Term) -> Option<TermId> {
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) => Some(self.intern(symbols.find(name)?, &[])),
            TermKind::Compound(name, parts) => {
                let functor = symbols.find(name)?;
                let arguments: Option<Vec<TermId>> =
                    parts.iter().map(|t| self.intern_parsed(symbols, t)).collect();
                Some(self.intern(functor, &arguments?))
            }
        }
    }
}
