//! The values of parameters, read in one place.
//!
//! A spec such as `mcts(playouts=1000,c=0.7)` is checked against the parameters that its player
//! declares. A value without a name stands for the parameter at its place, so `minimax(6)` is
//! `minimax(depth=6)`. What cannot be read is answered with what is possible.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::parameter::Kind;
use crate::{Budget, Parameter, Spec};

/// The parameters of one spec, by name.
#[derive(Debug)]
pub struct Parameters<'a> {
    declared: &'static [Parameter],
    given: Vec<(&'static str, &'a str)>,
}

/// Why parameters cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is a parameter where none is declared.
    #[error("it takes no parameters.")]
    NoneTaken,
    /// The parameter, or the place of the value, is not declared.
    #[error("`{what}` is not a parameter; the parameters are {}.", listed(.known))]
    Unknown {
        /// The name, or the value without one.
        what: String,
        /// The names that are declared.
        known: Vec<&'static str>,
    },
    /// The parameter is given twice.
    #[error("`{0}` is given twice.")]
    Twice(&'static str),
    /// The value is not a number, or out of range.
    #[error("`{name}` must be a number from {low} to {high}, not `{text}`.")]
    Number {
        /// The parameter.
        name: &'static str,
        /// The value as written.
        text: String,
        /// The least number.
        low: String,
        /// The greatest number.
        high: String,
    },
    /// The value is none of the words that are possible.
    #[error("`{name}` must be one of {}, not `{text}`.", listed(.words))]
    Choice {
        /// The parameter.
        name: &'static str,
        /// The value as written.
        text: String,
        /// The words that are possible.
        words: &'static [&'static str],
    },
    /// Only one of the two can be given.
    #[error("give `{0}` or `{1}`, not both.")]
    Both(&'static str, &'static str),
    /// The values do not go together; the sentence says why.
    #[error("{0}")]
    Conflict(&'static str),
}

impl<'a> Parameters<'a> {
    /// Checks the parameters of a spec against those that are declared, in the order of their
    /// places.
    pub fn new(spec: &'a Spec, declared: &'static [Parameter]) -> Result<Parameters<'a>, ParameterError> {
        let mut given: Vec<(&'static str, &'a str)> = Vec::new();
        for (place, argument) in spec.arguments.iter().enumerate() {
            let found = match &argument.key {
                Some(key) => declared.iter().find(|parameter| parameter.name == key),
                None => declared.get(place),
            };
            let Some(Parameter { name, .. }) = found else {
                if declared.is_empty() {
                    return Err(ParameterError::NoneTaken);
                }
                let what = argument.key.as_ref().unwrap_or(&argument.value).clone();
                let known = declared.iter().map(|parameter| parameter.name).collect();
                return Err(ParameterError::Unknown { what, known });
            };
            if given.iter().any(|(other, _)| other == name) {
                return Err(ParameterError::Twice(name));
            }
            given.push((name, &argument.value));
        }
        Ok(Parameters { declared, given })
    }

    /// Returns a number within a range: the one that is given, or else the usual one. Panics
    /// unless it is declared as such a number.
    pub fn number<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<T, ParameterError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Parameter { name, kind: Kind::Number(usual) } = *self.declared(name) else {
            panic!("`{name}` is not declared as a number");
        };
        in_range(name, self.get(name).unwrap_or(usual), &range)
    }

    /// Returns a number within a range, if it is given. Panics unless it is declared.
    pub fn optional<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<Option<T>, ParameterError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let name = self.declared(name).name;
        self.get(name).map(|text| in_range(name, text, &range)).transpose()
    }

    /// Returns the word that is given, or else the first that is possible. Panics unless it is
    /// declared as a choice.
    pub fn choice(&self, name: &str) -> Result<&'static str, ParameterError> {
        let Parameter { name, kind: Kind::Choice(words) } = *self.declared(name) else {
            panic!("`{name}` is not declared as a choice");
        };
        let Some(text) = self.get(name) else { return Ok(words[0]) };
        let found = words.iter().copied().find(|word| *word == text);
        found.ok_or_else(|| ParameterError::Choice { name, text: text.to_string(), words })
    }

    /// Returns what a search may spend on a move: `playouts=`, `states=`, or else the clock.
    pub fn budget(&self) -> Result<Budget, ParameterError> {
        let playouts = self.optional("playouts", 1..=u64::MAX)?;
        let states = self.optional("states", 1..=u64::MAX)?;
        match (playouts, states) {
            (None, None) => Ok(Budget::Clock),
            (Some(playouts), None) => Ok(Budget::Playouts(playouts)),
            (None, Some(states)) => Ok(Budget::States(states)),
            (Some(_), Some(_)) => Err(ParameterError::Both("playouts", "states")),
        }
    }

    /// Returns the value as written, if it is given.
    fn get(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    fn declared(&self, name: &str) -> &'static Parameter {
        let found = self.declared.iter().find(|parameter| parameter.name == name);
        found.unwrap_or_else(|| panic!("`{name}` is not declared"))
    }
}

fn in_range<T>(name: &'static str, text: &str, range: &RangeInclusive<T>) -> Result<T, ParameterError>
where
    T: FromStr + PartialOrd + Display,
{
    match text.parse() {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => Err(ParameterError::Number {
            name,
            text: text.to_string(),
            low: range.start().to_string(),
            high: range.end().to_string(),
        }),
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Parameter] = &[
        Parameter::optional("playouts"),
        Parameter::optional("states"),
        Parameter::number("c", "0.7"),
        Parameter::choice("mode", &["a", "b"]),
    ];

    fn with<T>(
        text: &str,
        read: impl Fn(&Parameters<'_>) -> Result<T, ParameterError>,
    ) -> Result<T, ParameterError> {
        let spec = Spec::parse(text).unwrap();
        read(&Parameters::new(&spec, DECLARED)?)
    }

    #[test]
    fn values_are_read_by_name_and_by_place() {
        assert_eq!(with("p(playouts=7)", |p| p.budget()), Ok(Budget::Playouts(7)));
        assert_eq!(with("p(7)", |p| p.budget()), Ok(Budget::Playouts(7)));
        assert_eq!(with("p(states=7)", |p| p.budget()), Ok(Budget::States(7)));
        assert_eq!(with("p", |p| p.budget()), Ok(Budget::Clock));
        assert_eq!(with("p(c=0.5)", |p| p.number("c", 0.0..=10.0)), Ok(0.5));
        assert_eq!(with("p", |p| p.number("c", 0.0..=10.0)), Ok(0.7));
        assert_eq!(with("p", |p| p.choice("mode")), Ok("a"));
        assert_eq!(with("p(mode=b)", |p| p.choice("mode")), Ok("b"));
    }

    #[test]
    fn wrong_parameters_are_answered_with_what_is_possible() {
        let wrong = |text| {
            with(text, |p| {
                p.budget()?;
                p.number("c", 0.0..=10.0)?;
                p.choice("mode")
            })
            .unwrap_err()
            .to_string()
        };
        assert_eq!(
            wrong("p(x=1)"),
            "`x` is not a parameter; the parameters are `playouts`, `states`, `c`, `mode`."
        );
        assert_eq!(
            wrong("p(1,2,3,a,5)"),
            "`5` is not a parameter; the parameters are `playouts`, `states`, `c`, `mode`."
        );
        assert_eq!(wrong("p(c=x)"), "`c` must be a number from 0 to 10, not `x`.");
        assert_eq!(wrong("p(c=11)"), "`c` must be a number from 0 to 10, not `11`.");
        assert_eq!(wrong("p(mode=z)"), "`mode` must be one of `a`, `b`, not `z`.");
        assert_eq!(wrong("p(c=1,c=2)"), "`c` is given twice.");
        assert_eq!(wrong("p(1,2)"), "give `playouts` or `states`, not both.");
        assert_eq!(
            Parameters::new(&Spec::parse("p(1)").unwrap(), &[]).unwrap_err().to_string(),
            "it takes no parameters."
        );
    }
}
