//! Parameters as they are declared.
//!
//! A player lists its parameters once. Specs are checked against that list, values that are not
//! given come from it, and the usage text shows it.

use std::fmt;

/// The declaration of one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name before `=`.
    pub name: &'static str,
    pub(crate) kind: Kind,
}

/// What can be given for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number; the one in here, as it is written, if none is given.
    Number(&'static str),
    /// A number, or none.
    Optional,
    /// One of these words; the first if none is given.
    Choice(&'static [&'static str]),
}

impl Parameter {
    /// Declares a number that is `usual` if none is given.
    pub const fn number(name: &'static str, usual: &'static str) -> Parameter {
        Parameter { name, kind: Kind::Number(usual) }
    }

    /// Declares a number that need not be given.
    pub const fn optional(name: &'static str) -> Parameter {
        Parameter { name, kind: Kind::Optional }
    }

    /// Declares a choice among words; it is the first of them if none is given.
    pub const fn choice(name: &'static str, words: &'static [&'static str]) -> Parameter {
        Parameter { name, kind: Kind::Choice(words) }
    }

    /// Returns how a spec with these parameters is written, such as `mcts(playouts=N,c=0.7)`.
    pub fn usage(name: &str, parameters: &[Parameter]) -> String {
        if parameters.is_empty() {
            return name.to_string();
        }
        let listed: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
        format!("{name}({})", listed.join(","))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}=", self.name)?;
        match self.kind {
            Kind::Number(usual) => out.write_str(usual),
            Kind::Optional => out.write_str("N"),
            Kind::Choice(words) => out.write_str(&words.join("|")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usage_shows_what_is_declared() {
        let declared = [
            Parameter::optional("playouts"),
            Parameter::number("c", "0.7"),
            Parameter::choice("ponder", &["no", "yes"]),
        ];
        assert_eq!(Parameter::usage("mcts", &declared), "mcts(playouts=N,c=0.7,ponder=no|yes)");
        assert_eq!(Parameter::usage("random", &[]), "random");
    }
}
