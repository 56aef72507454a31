//! Where names become things.
//!
//! A [`Registry`] maps names to makers. It is filled in one place and handed to
//! whoever needs to make players or reasoners from text.

use std::collections::BTreeMap;

use crate::Spec;

/// Makes one kind of thing from a spec and whatever the maker needs.
type Maker<C, T> = Box<dyn Fn(&Spec, &C) -> Result<T, String> + Send + Sync>;

struct Entry<C, T> {
    usage: &'static str,
    about: &'static str,
    make: Maker<C, T>,
}

/// Names, how they are used, what they are, and how they are made.
pub struct Registry<C, T> {
    kind: &'static str,
    entries: BTreeMap<&'static str, Entry<C, T>>,
}

/// Why a spec made nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

impl<C, T> Registry<C, T> {
    /// An empty registry of things of this kind ("player").
    pub fn new(kind: &'static str) -> Registry<C, T> {
        Registry { kind, entries: BTreeMap::new() }
    }

    /// Adds a name.
    pub fn add(
        &mut self,
        name: &'static str,
        usage: &'static str,
        about: &'static str,
        make: impl Fn(&Spec, &C) -> Result<T, String> + Send + Sync + 'static,
    ) {
        self.entries.insert(name, Entry { usage, about, make: Box::new(make) });
    }

    /// Usage and meaning of every name, in alphabetical order.
    pub fn list(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.entries.values().map(|e| (e.usage, e.about))
    }

    /// Makes what the text names. A wrong spec is answered with what is possible.
    pub fn make(&self, text: &str, context: &C) -> Result<T, SpecError> {
        let spec = Spec::parse(text).map_err(|e| SpecError(format!("{e} {}", self.possible())))?;
        match self.entries.get(spec.name.as_str()) {
            None => Err(SpecError(format!("There is no {} `{}`. {}", self.kind, spec.name, self.possible()))),
            Some(entry) => (entry.make)(&spec, context)
                .map_err(|e| SpecError(format!("{} `{text}`: {e} Usage: {}.", self.kind, entry.usage))),
        }
    }

    fn possible(&self) -> String {
        let names: Vec<&str> = self.entries.keys().copied().collect();
        format!("Possible: {}.", names.join(", "))
    }
}
