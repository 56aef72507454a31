//! The answers of players.

use crate::wire::node::Node;

/// The answer of a player to `INFO` or `ping`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Presence {
    /// Its name, if it is given.
    pub name: Option<String>,
    /// `available`, `busy`, `ready`, …
    pub status: String,
    /// `alien`, `human`, …, if it is given.
    pub species: Option<String>,
}

impl Presence {
    /// Returns `true` if it says that it plays another match.
    pub fn is_busy(&self) -> bool {
        self.status.eq_ignore_ascii_case("busy")
    }

    /// Returns `true` if it would accept a match.
    pub fn is_free(&self) -> bool {
        ["available", "ready"].iter().any(|word| self.status.eq_ignore_ascii_case(word))
    }

    /// Returns the text as ggp-base's players write it.
    pub fn write(&self) -> String {
        let pair = |key: &str, value: &Option<String>| match value {
            Some(value) => format!("( {key} {value} ) "),
            None => String::new(),
        };
        format!(
            "( {}( status {} ) {})",
            pair("name", &self.name),
            self.status,
            pair("species", &self.species)
        )
    }
}

/// Reads the answer to `INFO` or `ping`: pairs, or one word for the status.
pub fn read_presence(text: &str) -> Option<Presence> {
    let nodes = Node::read_all(text).ok()?;
    let mut presence = Presence::default();
    match nodes.first()? {
        Node::Word(status) => presence.status.clone_from(status),
        Node::List(pairs) => {
            for pair in pairs {
                let Node::List(parts) = pair else { continue };
                let words: Vec<&str> = parts.iter().filter_map(Node::word).collect();
                let Some((key, value)) = words.split_first() else { continue };
                let value = value.concat();
                match key.to_ascii_lowercase().as_str() {
                    "name" => presence.name = Some(value),
                    "status" => presence.status = value,
                    "species" => presence.species = Some(value),
                    _ => {}
                }
            }
        }
    }
    Some(presence)
}

/// Reads the move in a player's answer, and its remarks. The answer is a bare move, or the old form
/// `(MOVE m) (EXPLANATION "…") (TAUNT "…")`.
pub fn read_move(text: &str) -> Option<(Node, Vec<(String, String)>)> {
    let mut nodes = Node::read_all(text).ok()?.into_iter();
    let first = nodes.next()?;
    let mut said = Vec::new();
    for node in nodes {
        if let Node::List(parts) = &node
            && let [Node::Word(key), rest @ ..] = parts.as_slice()
        {
            let key = key.to_ascii_lowercase();
            let value: Vec<String> = rest.iter().map(Node::compact).collect();
            if matches!(key.as_str(), "explanation" | "taunt") {
                said.push((key, value.join(" ").trim_matches('"').to_string()));
            }
        }
    }
    match &first {
        Node::List(parts) if !said.is_empty() => match parts.as_slice() {
            [Node::Word(key), inner] if key.eq_ignore_ascii_case("move") => Some((inner.clone(), said)),
            _ => Some((first, said)),
        },
        _ => Some((first, said)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presence_is_read_in_all_its_forms() {
        let full = read_presence("( ( name Random ) ( status available ) ( species alien ) )").unwrap();
        assert_eq!(full.write(), "( ( name Random ) ( status available ) ( species alien ) )");
        assert!(full.is_free());
        assert!(read_presence("((NAME My Player) (STATUS busy))").unwrap().name.unwrap() == "MyPlayer");
        assert!(read_presence("ready").unwrap().is_free() && !read_presence("nil").unwrap().is_free());
        assert_eq!(read_presence("((("), None);
    }

    #[test]
    fn moves_are_read_in_both_forms() {
        let (found, said) = read_move("(MOVE (mark 1 1)) (EXPLANATION \"why not\") (TAUNT \"ha\")").unwrap();
        assert_eq!(found.compact(), "(mark 1 1)");
        assert_eq!(said[0], ("explanation".to_string(), "why not".to_string()));
        assert_eq!(read_move("( move 1 )").unwrap().0.compact(), "(move 1)");
        assert_eq!(read_move("(mark 1"), None);
    }
}
