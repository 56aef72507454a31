//! What holds in every state that can be reached.

/// Something about fluents, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// Two of these never hold together.
    AtMostOne(Vec<u32>),
    /// One of these always holds.
    Some(Vec<u32>),
    /// The first holds just where the second does, or just where it does not.
    Same(u32, u32, bool),
    /// It never changes.
    Constant(u32, bool),
}

impl Fact {
    /// The fluents that it is about.
    pub fn members(&self) -> Vec<u32> {
        match self {
            Fact::AtMostOne(members) | Fact::Some(members) => members.clone(),
            Fact::Same(a, b, _) => vec![*a, *b],
            Fact::Constant(a, _) => vec![*a],
        }
    }

    /// Whether a state is as it says.
    pub fn holds(&self, holds: impl Fn(u32) -> bool) -> bool {
        match self {
            Fact::AtMostOne(members) => members.iter().filter(|f| holds(**f)).nth(1).is_none(),
            Fact::Some(members) => members.iter().any(|f| holds(*f)),
            Fact::Same(a, b, inverted) => (holds(*a) == holds(*b)) != *inverted,
            Fact::Constant(a, value) => holds(*a) == *value,
        }
    }
}

/// Facts, found by the fluents they are about.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    list: Vec<Fact>,
    /// Whether each still counts.
    alive: Vec<bool>,
    /// For each fluent the facts about it.
    of: Vec<Vec<u32>>,
}

impl Facts {
    /// These facts.
    pub fn new(list: Vec<Fact>) -> Facts {
        let mut facts = Facts::default();
        list.into_iter().for_each(|fact| {
            facts.push(fact);
        });
        facts
    }

    /// One more; gives its number.
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

    /// A fact, if it counts.
    pub(crate) fn get(&self, number: u32) -> Option<&Fact> {
        self.alive[number as usize].then(|| &self.list[number as usize])
    }

    /// It counts no longer.
    pub(crate) fn kill(&mut self, number: u32) {
        self.alive[number as usize] = false;
    }

    /// The numbers of facts about a fluent.
    pub(crate) fn about(&self, fluent: u32) -> &[u32] {
        self.of.get(fluent as usize).map_or(&[], |list| list)
    }

    /// Those that count.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.list.iter().zip(&self.alive).filter(|(_, alive)| **alive).map(|(fact, _)| fact)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// How many facts there are, with those that do not count.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
