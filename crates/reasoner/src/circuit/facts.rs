//! Facts: properties of every reachable state.

/// A property of some fluents, which are identified by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// No two of these hold together.
    AtMostOne(Vec<u32>),
    /// At least one of these always holds.
    Some(Vec<u32>),
    /// The two fluents always have the same value, or always the inverse if the flag is set.
    Same(u32, u32, bool),
    /// The fluent always has this value.
    Constant(u32, bool),
}

impl Fact {
    /// Returns the fluents that the fact is about.
    pub fn members(&self) -> Vec<u32> {
        match self {
            Fact::AtMostOne(members) | Fact::Some(members) => members.clone(),
            Fact::Same(a, b, _) => vec![*a, *b],
            Fact::Constant(a, _) => vec![*a],
        }
    }

    /// Returns `true` if the fact holds in a state.
    pub fn holds(&self, holds: impl Fn(u32) -> bool) -> bool {
        match self {
            Fact::AtMostOne(members) => members.iter().filter(|f| holds(**f)).nth(1).is_none(),
            Fact::Some(members) => members.iter().any(|f| holds(*f)),
            Fact::Same(a, b, inverted) => (holds(*a) == holds(*b)) != *inverted,
            Fact::Constant(a, value) => holds(*a) == *value,
        }
    }
}

/// Facts, indexed by the fluents they are about.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    list: Vec<Fact>,
    /// Whether each fact is still valid.
    alive: Vec<bool>,
    /// For each fluent, the facts about it.
    of: Vec<Vec<u32>>,
}

impl Facts {
    /// Creates an index of these facts.
    pub fn new(list: Vec<Fact>) -> Facts {
        let mut facts = Facts::default();
        list.into_iter().for_each(|fact| {
            facts.push(fact);
        });
        facts
    }

    /// Adds a fact and returns its number.
    pub(crate) fn push(&mut self, fact: Fact) -> u32 {
        let number = self.list.len() as u32;
        for member in fact.members() {
            let member = member as usize;
            if self.of.len() <= member {
                self.of.resize_with(member + 1, Vec::new);
            }
            self.of[member].push(number);
        }
        self.list.push(fact);
        self.alive.push(true);
        number
    }

    /// Returns a fact if it is valid.
    pub(crate) fn get(&self, number: u32) -> Option<&Fact> {
        self.alive[number as usize].then(|| &self.list[number as usize])
    }

    /// Marks a fact as no longer valid.
    pub(crate) fn kill(&mut self, number: u32) {
        self.alive[number as usize] = false;
    }

    /// Returns the numbers of the facts about a fluent.
    pub(crate) fn about(&self, fluent: u32) -> &[u32] {
        self.of.get(fluent as usize).map_or(&[], |list| list)
    }

    /// Iterates over the valid facts.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.list.iter().zip(&self.alive).filter(|(_, alive)| **alive).map(|(fact, _)| fact)
    }

    /// Returns `true` if there are no valid facts.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the number of facts, including those that are no longer valid.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
