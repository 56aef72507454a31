//! Thoughts in records of version 2.
//!
//! That version stored thoughts as text: names and descriptions. They are parsed here, and nowhere else, so
//! that old matches still show values, visits and expected lines.

use game::{Considered, Proven, RoleId, Thought};
use serde::Deserialize;

use super::StepThought;

/// A thought in either version.
#[derive(Deserialize)]
pub(super) struct AnyThought {
    step: usize,
    role: String,
    #[serde(default)]
    thought: Thought<String>,
    #[serde(default)]
    entries: Vec<(String, String)>,
}

impl From<AnyThought> for StepThought {
    fn from(any: AnyThought) -> StepThought {
        let AnyThought { step, role, mut thought, entries } = any;
        for (name, text) in entries {
            take(&mut thought, name, text);
        }
        StepThought { step, role, thought }
    }
}

fn take(thought: &mut Thought<String>, name: String, text: String) {
    let first = number(&text);
    match name.as_str() {
        "value" if first.is_some() => {
            thought.value = first;
            thought.proven = text.ends_with(", proven").then_some(Proven::Exactly(None));
        }
        "player" => thought.strategy = Some(text),
        "playouts" if first.is_some() => thought.playouts = first.map(|count| count as u64),
        "nodes" if first.is_some() => thought.nodes = first.map(|count| count as u64),
        // The roles of the moves were not recorded.
        "expected" => thought.line = terms(&text).into_iter().map(|mv| (RoleId(0), mv)).collect(),
        _ => match after(&text, "value ").or_else(|| after(&text, "sure of ")) {
            Some(value) => thought.moves.push(Considered {
                value: Some(value),
                visits: after(&text, "visits ").map(|visits| visits as u64),
                proven: text.ends_with(", proven"),
                ..Considered::new(name)
            }),
            None => thought.notes.push((name, text)),
        },
    }
}

/// Returns the number that follows a word.
fn after(text: &str, word: &str) -> Option<f64> {
    number(&text[text.find(word)? + word.len()..])
}

fn number(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Returns the terms of a text, in order.
fn terms(text: &str) -> Vec<String> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth <= 0 => {
                found.push(text[begin..at].to_string());
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[begin..].to_string());
    found.retain(|term| !term.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_version_two_become_values() {
        let text = r#"{"step":1,"role":"x","entries":[["value","72.5, proven"],
            ["(mark 2 2)","value 72.5, visits 118"],["expected","(mark 2 2) (mark 1 1) pass"],
            ["because","it looked good"]]}"#;
        let read: StepThought = serde_json::from_str(text).unwrap();
        let thought = read.thought;
        assert_eq!((thought.value, thought.proven), (Some(72.5), Some(Proven::Exactly(None))));
        assert_eq!(thought.moves[0].visits, Some(118));
        let line: Vec<&str> = thought.line.iter().map(|(_, mv)| mv.as_str()).collect();
        assert_eq!(line, ["(mark 2 2)", "(mark 1 1)", "pass"]);
        assert_eq!(thought.notes, [("because".to_string(), "it looked good".to_string())]);
    }

    #[test]
    fn thoughts_are_read_as_they_were_written() {
        let thought = Thought { value: Some(0.1), ..Thought::because("no reason") };
        let written = StepThought { step: 3, role: "x".to_string(), thought };
        let text = serde_json::to_string(&written).unwrap();
        assert_eq!(serde_json::from_str::<StepThought>(&text).unwrap(), written);
    }
}
