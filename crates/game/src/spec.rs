//! Names with parameters, such as `mcts(playouts=1000,c=0.7)`.

use std::fmt;

/// A parsed spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The name.
    pub name: String,
    /// Its parameters, in order.
    pub arguments: Vec<Argument>,
}

/// One parameter: `1000` or `playouts=1000`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The part before `=`, if there is one.
    pub key: Option<String>,
    /// The value as written.
    pub value: String,
}

/// Why a text is not a spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecSyntaxError {
    /// There is no name at its beginning.
    #[error("`{0}` does not begin with a name.")]
    NoName(String),
    /// The parameters do not end.
    #[error("`{0}` is missing its closing parenthesis.")]
    Unclosed(String),
}

impl Spec {
    /// A name without parameters.
    pub fn named(name: &str) -> Spec {
        Spec { name: name.to_string(), arguments: Vec::new() }
    }

    /// Reads a spec.
    pub fn parse(text: &str) -> Result<Spec, SpecSyntaxError> {
        let text = text.trim();
        let (name, rest) = match text.find('(') {
            None => (text, None),
            Some(open) => (&text[..open], Some(&text[open + 1..])),
        };
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
            return Err(SpecSyntaxError::NoName(text.to_string()));
        }
        let mut arguments = Vec::new();
        if let Some(rest) = rest {
            let Some(inside) = rest.strip_suffix(')') else {
                return Err(SpecSyntaxError::Unclosed(text.to_string()));
            };
            for part in inside.split(',').map(str::trim).filter(|p| !p.is_empty()) {
                let (key, value) = match part.split_once('=') {
                    Some((key, value)) => (Some(key.trim().to_string()), value.trim()),
                    None => (None, part),
                };
                arguments.push(Argument { key, value: value.to_string() });
            }
        }
        Ok(Spec { name: name.to_string(), arguments })
    }

    /// Returns the value of the parameter with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.arguments.iter().find(|a| a.key.as_deref() == Some(key)).map(|a| a.value.as_str())
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        let parts: Vec<String> = self
            .arguments
            .iter()
            .map(|a| match &a.key {
                Some(key) => format!("{key}={}", a.value),
                None => a.value.clone(),
            })
            .collect();
        write!(out, "({})", parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written_back() {
        for text in ["random", "mcts(playouts=1000,c=0.7)", "hyperplay(16,16)"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Spec::parse(" mcts ( c = 1 ) ").unwrap().to_string(), "mcts(c=1)");
        assert!(Spec::parse("mcts(c=1").is_err());
        assert!(Spec::parse("(c=1)").is_err());
    }
}
