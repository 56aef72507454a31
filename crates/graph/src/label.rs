//! The labels of edges in files: roles, types, flags, data, and plain labels.

use crate::error::LabelError;
use crate::value::Sort;

/// The part of a rule that an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Must exist and is kept (a reader).
    Use,
    /// Must exist and is erased (an eraser).
    Del,
    /// Is created (a creator).
    New,
    /// Must not exist (an embargo).
    Not,
    /// Must not exist, and is created (a conditional creator).
    CNew,
}

/// How a parameter can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As an input or an output.
    Both,
    /// Supplied by the caller.
    In,
    /// Returned to the caller.
    Out,
}

/// Quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one match.
    Exists,
    /// A match, if there is one.
    ExistsOptional,
    /// All matches, possibly none.
    Forall,
    /// All matches, at least one.
    ForallSome,
}

/// The content of a label.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// An ordinary label; in rules, a regular expression.
    Label(String),
    /// An ordinary label, taken literally.
    Literal(String),
    /// The type of a node.
    Type(String),
    /// A flag.
    Flag(String),
    /// A data value, a variable, an operator.
    Data(Sort, String),
    /// An assignment to an attribute.
    Let(String),
    /// A condition on attributes.
    Test(String),
    /// The name of a node.
    Id(String),
    /// A parameter; anonymous ones have no number.
    Parameter(Direction, Option<usize>),
    /// A quantifier and its name.
    Quantifier(Quantifier, Option<String>),
    /// Marks a node that applies an operator.
    Product,
    /// An argument of an operator.
    Argument(usize),
    /// An explicit nesting edge between patterns and quantifiers.
    Nested(String),
    /// Joins conditions of which one is sufficient.
    Or,
    /// A subtype edge.
    Sub,
    /// Marks an abstract type.
    Abstract,
    /// A remark for readers; `true` if it is about the whole node.
    Remark(bool),
    /// A setting for display only.
    Display,
}

/// A parsed label.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The role, if one is written.
    pub role: Option<Role>,
    /// The quantifier named with the role: `del=q:`.
    pub level: Option<String>,
    /// The content.
    pub said: Said,
}

impl Label {
    /// Parses a label.
    pub fn parse(text: &str) -> Result<Label, LabelError> {
        let mut label = Label { role: None, level: None, said: Said::Nothing };
        let mut rest = text.trim();
        loop {
            if let Some(literal) = rest.strip_prefix(':') {
                label.said = Said::Literal(literal.to_string());
                return Ok(label);
            }
            let letters = rest.chars().take_while(char::is_ascii_alphabetic).count();
            let (prefix, after) = rest.split_at(letters);
            let known = !prefix.is_empty() && rest.contains(':');
            if !known || (matches!(prefix, "type" | "flag") && after.starts_with(':')) {
                label.said = content(rest)?;
                return Ok(label);
            }
            let (given, after) = match after.strip_prefix('=') {
                Some(after) => match after.split_once(':') {
                    Some((given, after)) => (Some(given.to_string()), after),
                    None => return Err("missing `:` after `=` and a name.".into()),
                },
                None => match after.strip_prefix(':') {
                    Some(after) => (None, after),
                    // A regular expression such as `next.type:A`.
                    None => {
                        label.said = content(rest)?;
                        return Ok(label);
                    }
                },
            };
            let role = match prefix {
                "use" => Some(Role::Use),
                "del" => Some(Role::Del),
                "new" => Some(Role::New),
                "not" => Some(Role::Not),
                "cnew" => Some(Role::CNew),
                _ => None,
            };
            if let Some(role) = role {
                if label.role.is_some() {
                    return Err("the label has two roles.".into());
                }
                label.role = Some(role);
                label.level = given;
                rest = after;
                continue;
            }
            label.said = aspect(prefix, given, after.trim())?;
            return Ok(label);
        }
    }
}

fn aspect(prefix: &str, given: Option<String>, rest: &str) -> Result<Said, LabelError> {
    if let Some(sort) = Sort::named(prefix) {
        return Ok(Said::Data(sort, rest.to_string()));
    }
    let number = || rest.parse::<usize>().ok().filter(|n| *n < 256);
    let quantifier = |kind| Ok(Said::Quantifier(kind, given.clone()));
    match prefix {
        "let" => Ok(Said::Let(rest.to_string())),
        "test" => Ok(Said::Test(rest.to_string())),
        "id" => Ok(Said::Id(rest.to_string())),
        "forall" => quantifier(Quantifier::Forall),
        "forallx" => quantifier(Quantifier::ForallSome),
        "exists" => quantifier(Quantifier::Exists),
        "existsx" => quantifier(Quantifier::ExistsOptional),
        "nested" => Ok(Said::Nested(rest.to_string())),
        "par" if given.is_some() => {
            let old =
                given.as_deref().and_then(|g| g.strip_prefix('$')).and_then(|n| n.parse::<usize>().ok());
            let number = old.ok_or("the number of the parameter is missing or invalid.")?;
            Ok(Said::Parameter(Direction::Both, number.checked_sub(1)))
        }
        "par" if rest.is_empty() => Ok(Said::Parameter(Direction::Both, None)),
        "par" | "parin" | "parout" => {
            let direction = match prefix {
                "par" => Direction::Both,
                "parin" => Direction::In,
                _ => Direction::Out,
            };
            let number = number().ok_or("the number of the parameter is missing or invalid.")?;
            Ok(Said::Parameter(direction, Some(number)))
        }
        "prod" => Ok(Said::Product),
        "arg" => Ok(Said::Argument(number().ok_or("the number of the argument is missing or invalid.")?)),
        "or" => Ok(Said::Or),
        "sub" => Ok(Said::Sub),
        "abs" => Ok(if rest.is_empty() { Said::Abstract } else { Said::Display }),
        "rem" => Ok(Said::Remark(rest.is_empty())),
        "color" => Ok(Said::Display),
        "path" => Ok(Said::Label(rest.to_string())),
        "edge" | "import" => Ok(Said::Display),
        "ask" => Err("values asked for during play (`ask:`) are not supported.".into()),
        "in" | "out" | "part" => Err("multiplicities and parts in type graphs are not supported.".into()),
        "mult" => Err("parallel edges are not supported.".into()),
        other => Err(format!(
            "unknown prefix `{other}:`; a label that contains `:` must begin with a known prefix."
        )
        .into()),
    }
}

/// Parses what remains after all prefixes.
fn content(rest: &str) -> Result<Said, LabelError> {
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(Said::Nothing);
    }
    let simple =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_$-".contains(c));
    if let Some(name) = rest.strip_prefix("type:") {
        if let Some(sort) = Sort::named(name) {
            return Ok(Said::Data(sort, String::new()));
        }
        if simple(name.trim_start_matches('#')) || name.starts_with('?') {
            return Ok(Said::Type(name.to_string()));
        }
    }
    if let Some(name) = rest.strip_prefix("flag:")
        && simple(name)
    {
        return Ok(Said::Flag(name.to_string()));
    }
    Ok(Said::Label(rest.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_taken_off_from_the_left() {
        let parse = |text: &str| Label::parse(text).unwrap();
        let plain = |said| Label { role: None, level: None, said };
        assert_eq!(parse("next*.val"), plain(Said::Label("next*.val".into())));
        assert_eq!(parse("type:Field"), plain(Said::Type("Field".into())));
        assert_eq!(parse("type:int"), plain(Said::Data(Sort::Int, String::new())));
        assert_eq!(parse(":a:b"), plain(Said::Literal("a:b".into())));
        assert_eq!(parse("let:v=v+1"), plain(Said::Let("v=v+1".into())));
        assert_eq!(parse("par=$2:"), plain(Said::Parameter(Direction::Both, Some(1))));
        let del = Label { role: Some(Role::Del), level: Some("q".into()), said: Said::Flag("turn".into()) };
        assert_eq!(parse("del=q:flag:turn"), del);
        assert!(Label::parse("frob:x").is_err());
        assert!(Label::parse("in=1..2:x").is_err());
    }
}
