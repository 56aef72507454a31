//! Where names become things.
//!
//! A [`Registry`] maps names to makers. It is filled in one place and handed to
//! whoever needs to make players or reasoners from text.

use std::collections::BTreeMap;

use crate::{Parameter, ParameterError, Parameters, Spec, SpecSyntaxError, did_you_mean};

/// Makes one kind of thing from a spec and whatever the maker needs.
type Maker<C, T> = Box<dyn Fn(&Spec, &C) -> Result<T, ParameterError> + Send + Sync>;

struct Entry<C, T> {
    parameters: &'static [Parameter],
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
pub enum SpecError {
    /// The text is not a spec.
    #[error("{cause} {}", listed(.possible))]
    Syntax {
        /// What is wrong with it.
        cause: SpecSyntaxError,
        /// The names that are known.
        possible: Vec<&'static str>,
    },
    /// The name is not known.
    #[error("There is no {kind} `{name}`.{} {}", did_you_mean(.name, .possible.iter().copied()), listed(.possible))]
    Unknown {
        /// What the name would be of: "player".
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that are known.
        possible: Vec<&'static str>,
    },
    /// The parameters are wrong.
    #[error("{kind} `{text}`: {cause} Usage: {usage}.")]
    Parameter {
        /// What the name is of: "player".
        kind: &'static str,
        /// The spec as written.
        text: String,
        /// What is wrong with them.
        cause: Box<ParameterError>,
        /// How the name is used.
        usage: String,
    },
}

impl<C, T> Registry<C, T> {
    /// An empty registry of things of this kind ("player").
    pub fn new(kind: &'static str) -> Registry<C, T> {
        Registry { kind, entries: BTreeMap::new() }
    }

    /// Adds a name. `make` is called only with specs whose parameters are declared.
    pub fn add(
        &mut self,
        name: &'static str,
        parameters: &'static [Parameter],
        about: &'static str,
        make: impl Fn(&Spec, &C) -> Result<T, ParameterError> + Send + Sync + 'static,
    ) {
        self.entries.insert(name, Entry { parameters, about, make: Box::new(make) });
    }

    /// Usage and meaning of every name, in alphabetical order.
    pub fn list(&self) -> impl Iterator<Item = (String, &'static str)> {
        self.entries.iter().map(|(name, entry)| (Parameter::usage(name, entry.parameters), entry.about))
    }

    /// Makes what the text names. A wrong spec is answered with what is possible.
    pub fn make(&self, text: &str, context: &C) -> Result<T, SpecError> {
        let possible = || self.entries.keys().copied().collect();
        let spec = Spec::parse(text).map_err(|cause| SpecError::Syntax { cause, possible: possible() })?;
        let Some(entry) = self.entries.get(spec.name.as_str()) else {
            return Err(SpecError::Unknown { kind: self.kind, name: spec.name, possible: possible() });
        };
        let made = Parameters::new(&spec, entry.parameters).and_then(|_| (entry.make)(&spec, context));
        made.map_err(|cause| SpecError::Parameter {
            kind: self.kind,
            text: text.to_string(),
            cause: Box::new(cause),
            usage: Parameter::usage(&spec.name, entry.parameters),
        })
    }
}

fn listed(names: &[&str]) -> String {
    format!("Possible: {}.", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: &[Parameter] = &[Parameter::number("c", "0.7")];

    #[test]
    fn wrong_specs_are_answered_with_what_is_possible() {
        let mut registry: Registry<(), f64> = Registry::new("player");
        registry.add("plain", &[], "takes nothing", |_, ()| Ok(0.0));
        registry.add("search", SEARCH, "takes a number", |spec, ()| {
            Parameters::new(spec, SEARCH)?.number("c", 0.0..=1.0)
        });
        assert_eq!(registry.make("search", &()), Ok(0.7));
        assert_eq!(registry.make("search(0.5)", &()), Ok(0.5));
        let wrong = |text: &str| registry.make(text, &()).unwrap_err().to_string();
        assert_eq!(wrong("(1)"), "`(1)` does not begin with a name. Possible: plain, search.");
        assert_eq!(wrong("none"), "There is no player `none`. Possible: plain, search.");
        assert_eq!(
            wrong("serach(c=1)"),
            "There is no player `serach`. Did you mean `search`? Possible: plain, search."
        );
        assert_eq!(wrong("plain(1)"), "player `plain(1)`: it takes no parameters. Usage: plain.");
        assert_eq!(
            wrong("search(c=2)"),
            "player `search(c=2)`: `c` must be a number from 0 to 1, not `2`. Usage: search(c=0.7)."
        );
    }
}
