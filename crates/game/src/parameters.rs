//! Parameters of players, read in one place.
//!
//! A spec such as `mcts(playouts=1000,c=0.7)` is checked against the names its player knows. A value without
//! a name is that of the parameter at its position, so `minimax(6)` is `minimax(depth=6)`. Errors list what
//! is possible.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::{Budget, Spec};

/// The parameters of one spec, by name.
pub struct Parameters<'a> {
    given: Vec<(&'static str, &'a str)>,
}

impl<'a> Parameters<'a> {
    /// Takes the parameters of a spec; `known` are the names there are, in the order of their places.
    pub fn new(spec: &'a Spec, known: &[&'static str]) -> Result<Parameters<'a>, String> {
        let mut given: Vec<(&'static str, &'a str)> = Vec::new();
        for (place, argument) in spec.arguments.iter().enumerate() {
            let name = match &argument.key {
                Some(key) => known.iter().find(|name| *name == key),
                None => known.get(place),
            };
            let Some(&name) = name else {
                let what = argument.key.as_deref().unwrap_or(&argument.value);
                return Err(match known {
                    [] => "it takes no parameters.".to_string(),
                    _ => format!("`{what}` is not one of its parameters, which are {}.", listed(known)),
                });
            };
            if given.iter().any(|(other, _)| *other == name) {
                return Err(format!("`{name}` is given twice."));
            }
            given.push((name, &argument.value));
        }
        Ok(Parameters { given })
    }

    /// Returns the value as written.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// A number within a range, if it is given.
    pub fn number<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<Option<T>, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.parse() {
            Ok(value) if range.contains(&value) => Ok(Some(value)),
            _ => Err(format!("`{name}={text}` must be a number from {} to {}.", range.start(), range.end())),
        }
    }

    /// One of several words; the first where nothing is given.
    pub fn choice(&self, name: &str, words: &[&'static str]) -> Result<&'static str, String> {
        let Some(text) = self.get(name) else { return Ok(words[0]) };
        let found = words.iter().copied().find(|word| *word == text);
        found.ok_or_else(|| format!("`{name}={text}` must be one of {}.", listed(words)))
    }

    /// What a search may spend on a move: `playouts=`, `states=`, or else the clock.
    pub fn budget(&self) -> Result<Budget, String> {
        let playouts = self.number("playouts", 1..=u64::MAX)?;
        let states = self.number("states", 1..=u64::MAX)?;
        match (playouts, states) {
            (None, None) => Ok(Budget::Clock),
            (Some(playouts), None) => Ok(Budget::Playouts(playouts)),
            (None, Some(states)) => Ok(Budget::States(states)),
            (Some(_), Some(_)) => Err("give `playouts` or `states`, not both.".to_string()),
        }
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["playouts", "states", "c", "mode"];

    fn with<T>(text: &str, read: impl Fn(&Parameters<'_>) -> Result<T, String>) -> Result<T, String> {
        let spec = Spec::parse(text).unwrap();
        read(&Parameters::new(&spec, KNOWN)?)
    }

    #[test]
    fn values_are_read_by_name_and_by_place() {
        assert_eq!(with("p(playouts=7)", |p| p.budget()), Ok(Budget::Playouts(7)));
        assert_eq!(with("p(7)", |p| p.budget()), Ok(Budget::Playouts(7)));
        assert_eq!(with("p(states=7)", |p| p.budget()), Ok(Budget::States(7)));
        assert_eq!(with("p", |p| p.budget()), Ok(Budget::Clock));
        assert_eq!(with("p(c=0.5)", |p| p.number("c", 0.0..=10.0)), Ok(Some(0.5)));
        assert_eq!(with("p", |p| p.choice("mode", &["a", "b"])), Ok("a"));
        assert_eq!(with("p(mode=b)", |p| p.choice("mode", &["a", "b"])), Ok("b"));
    }

    #[test]
    fn wrong_parameters_are_answered_with_what_is_possible() {
        let wrong = |text| {
            with(text, |p| p.budget().and(p.number("c", 0.0..=10.0)).and(p.choice("mode", &["a", "b"])))
                .unwrap_err()
        };
        assert_eq!(
            wrong("p(x=1)"),
            "`x` is not one of its parameters, which are `playouts`, `states`, `c`, `mode`."
        );
        assert_eq!(
            wrong("p(1,2,3,a,5)"),
            "`5` is not one of its parameters, which are `playouts`, `states`, `c`, `mode`."
        );
        assert_eq!(wrong("p(c=x)"), "`c=x` must be a number from 0 to 10.");
        assert_eq!(wrong("p(c=11)"), "`c=11` must be a number from 0 to 10.");
        assert_eq!(wrong("p(mode=z)"), "`mode=z` must be one of `a`, `b`.");
        assert_eq!(wrong("p(c=1,c=2)"), "`c` is given twice.");
        assert_eq!(wrong("p(1,2)"), "give `playouts` or `states`, not both.");
        assert_eq!(
            Parameters::new(&Spec::parse("p(1)").unwrap(), &[]).err().unwrap(),
            "it takes no parameters."
        );
    }
}
