//! Terms whose numbers leave a game.
//!
//! Interpreter and prover intern terms while they evaluate, so each scratch memory has a pool of its own and
//! needs no lock for it. The numbers of moves, percepts and states must mean the same to everyone, though.
//! They come from one pool that all scratch memories of a game share, and [`Numbers`] translates between the
//! two. The terms that were known when the game was made have the same number in both, and most of what play
//! needs is among them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use game::{Fault, MoveId, Role};
use rules::Symbols;
use rustc_hash::FxHashMap;

use crate::{TermId, TermPool};

/// The terms that all scratch memories of a game know by the same numbers.
#[derive(Debug)]
pub(crate) struct SharedTerms {
    /// Identifies the game, so that scratch memory of another one is recognised.
    id: u64,
    /// The number of terms that were known when the game was made.
    common: u32,
    pool: RwLock<TermPool>,
}

impl SharedTerms {
    /// Shares the terms known so far.
    pub fn new(pool: &TermPool) -> SharedTerms {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        SharedTerms {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            common: pool.len() as u32,
            pool: RwLock::new(pool.clone()),
        }
    }

    /// Returns the pool for reading.
    pub fn read(&self) -> RwLockReadGuard<'_, TermPool> {
        self.pool.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the canonical text of a term.
    pub fn text(&self, symbols: &Symbols, term: TermId) -> String {
        self.read().text(symbols, term)
    }

    /// Returns the term with this canonical text. Returns `None` if one of its names is unknown.
    pub fn find(&self, symbols: &Symbols, text: &str) -> Option<TermId> {
        let parsed = gdl::parse_kif(text);
        let [clause] = &parsed.sheet.clauses[..] else { return None };
        if !parsed.diagnostics.is_empty() || clause.is_rule {
            return None;
        }
        let known = self.read().find_parsed(symbols, &clause.head);
        known.or_else(|| {
            self.pool.write().unwrap_or_else(PoisonError::into_inner).intern_parsed(symbols, &clause.head)
        })
    }
}

/// The translation between the terms of one scratch memory and the shared ones.
#[derive(Debug)]
pub(crate) struct Numbers {
    game: u64,
    common: u32,
    /// The shared number of each own term from `common` on, if it has been needed.
    outward: Vec<Option<TermId>>,
    /// The own numbers of shared terms from `common` on.
    inward: FxHashMap<TermId, TermId>,
}

impl Numbers {
    /// Starts with the terms that have the same number everywhere. The own pool must begin with the one that
    /// `shared` was made from.
    pub fn new(shared: &SharedTerms) -> Numbers {
        Numbers { game: shared.id, common: shared.common, outward: Vec::new(), inward: FxHashMap::default() }
    }

    /// Returns `true` if the translation belongs to this game.
    pub fn belong_to(&self, shared: &SharedTerms) -> bool {
        self.game == shared.id
    }

    /// Returns `true` if all these terms have the same number everywhere.
    pub fn are_common(&self, terms: &[TermId]) -> bool {
        terms.iter().all(|term| term.0 < self.common)
    }

    /// Replaces own numbers by shared ones.
    pub fn outward(&mut self, shared: &SharedTerms, own: &TermPool, terms: &mut [TermId]) {
        for term in terms {
            *term = self.one_outward(shared, own, *term);
        }
    }

    fn one_outward(&mut self, shared: &SharedTerms, own: &TermPool, term: TermId) -> TermId {
        let Some(place) = term.0.checked_sub(self.common) else { return term };
        if let Some(Some(known)) = self.outward.get(place as usize) {
            return *known;
        }
        // The depth of terms is bounded, and so is this recursion.
        let mut arguments = own.arguments(term).to_vec();
        self.outward(shared, own, &mut arguments);
        let functor = own.functor(term);
        let found = shared.read().find(functor, &arguments);
        let number = found.unwrap_or_else(|| {
            shared.pool.write().unwrap_or_else(PoisonError::into_inner).intern(functor, &arguments)
        });
        self.remember(term, number);
        number
    }

    /// Replaces shared numbers by own ones. Returns the first number that is not that of a term, if there is
    /// one.
    pub fn inward(
        &mut self,
        shared: &SharedTerms,
        own: &mut TermPool,
        terms: &mut [TermId],
    ) -> Result<(), TermId> {
        for term in terms {
            *term = self.one_inward(shared, own, *term).ok_or(*term)?;
        }
        Ok(())
    }

    fn one_inward(&mut self, shared: &SharedTerms, own: &mut TermPool, term: TermId) -> Option<TermId> {
        if term.0 < self.common {
            return Some(term);
        }
        if let Some(known) = self.inward.get(&term) {
            return Some(*known);
        }
        let (functor, mut arguments) = {
            let pool = shared.read();
            if term.index() >= pool.len() {
                return None;
            }
            (pool.functor(term), pool.arguments(term).to_vec())
        };
        for argument in &mut arguments {
            *argument = self.one_inward(shared, own, *argument)?;
        }
        let number = own.intern(functor, &arguments);
        self.remember(number, term);
        Some(number)
    }

    fn remember(&mut self, own: TermId, shared: TermId) {
        let place = (own.0 - self.common) as usize;
        if self.outward.len() <= place {
            self.outward.resize(place + 1, None);
        }
        self.outward[place] = Some(shared);
        self.inward.insert(shared, own);
    }
}

/// The answer to a state with numbers that no term has.
pub(crate) fn strange_state() -> Fault {
    Fault::BadState("the state belongs to another game".to_string())
}

/// The answer to a joint move with a number that no term has.
pub(crate) fn no_such_move(roles: &[Role], joint: &[MoveId], strange: TermId) -> Fault {
    let place = joint.iter().position(|mv| mv.0 == strange.0);
    let role = place.and_then(|place| roles.get(place)).map(String::from).unwrap_or_default();
    Fault::NoSuchMove { role, text: format!("move number {}", strange.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_made_in_different_orders_have_one_shared_number() {
        let mut symbols = Symbols::default();
        let [f, a, b, c] = ["f", "a", "b", "c"].map(|name| symbols.intern(&name.into()));
        let mut start = TermPool::default();
        let a = start.intern(a, &[]);
        let shared = SharedTerms::new(&start);
        let (mut one, mut two) = (start.clone(), start.clone());
        let (mut of_one, mut of_two) = (Numbers::new(&shared), Numbers::new(&shared));
        let b1 = one.intern(b, &[]);
        let mut first = [one.intern(f, &[a, b1]), one.intern(c, &[])];
        let c2 = two.intern(c, &[]);
        let b2 = two.intern(b, &[]);
        let mut second = [two.intern(f, &[a, b2]), c2];
        assert_ne!(first, second);
        of_one.outward(&shared, &one, &mut first);
        of_two.outward(&shared, &two, &mut second);
        assert_eq!(first, second);
        of_two.inward(&shared, &mut two, &mut second).unwrap();
        assert_eq!(two.text(&symbols, second[0]), "(f a b)");
        let mut third = first;
        let mut fresh = start.clone();
        Numbers::new(&shared).inward(&shared, &mut fresh, &mut third).unwrap();
        assert_eq!(fresh.text(&symbols, third[0]), "(f a b)");
        assert_eq!(of_one.inward(&shared, &mut one, &mut [TermId(99)]), Err(TermId(99)));
        assert_eq!(shared.find(&symbols, "(f a b)"), Some(first[0]));
    }
}
