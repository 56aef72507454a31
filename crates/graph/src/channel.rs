//! A channel for other programs to use a grammar: lines in, JSON lines out.
//!
//! The first line is a packed grammar (`.gps` as a zip file) in base64. Commands follow, and
//! each is answered by one line of JSON: `rules`, `state N`, `info N`, `exit`. State 0 is the
//! initial state; others are numbered as `info` discovers them. See docs/graph-channel.md.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Map, Value as Json, json};

use crate::bundle::Bundle;
use crate::engine::Action;
use crate::explore::{Explorer, Options};
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::rule::ActionRole;
use crate::value::{Item, Sort};
use crate::vocabulary::FLAG;

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 128 << 20;
/// The maximum number of states in one session.
const MAX_STATES: usize = 1_000_000;

/// Serves one session.
pub fn serve(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    let Some(first) = line(&mut input)? else { return Ok(()) };
    let read = decode(&first)
        .ok_or_else(|| "The first line must be a packed grammar (zip) in base64.".to_string())
        .and_then(|bytes| Bundle::packed("grammar", &bytes).map_err(|e| e.to_string()))
        .and_then(|bundle| Grammar::new(&bundle, None).map_err(|e| e.to_string()));
    let grammar = match read {
        Ok(grammar) => grammar,
        Err(text) => return answer(&mut output, &json!({ "error": text })),
    };
    let options = Options { limit: MAX_STATES, ..Options::default() };
    let mut explorer = match Explorer::new(&grammar, options) {
        Ok(explorer) => explorer,
        Err(fault) => return answer(&mut output, &json!({ "error": fault.to_string() })),
    };
    answer(&mut output, &json!({ "version": 1, "rules": grammar.rules.len(), "state": 0 }))?;
    while let Some(text) = line(&mut input)? {
        let mut words = text.split_whitespace();
        let (command, number) = (words.next().unwrap_or_default(), words.next().map(str::parse::<usize>));
        let reply = match (command, number) {
            ("", _) => continue,
            ("exit", _) => return answer(&mut output, &json!({ "bye": true })),
            ("rules", None) => rules(&grammar),
            ("state" | "info", Some(Ok(number))) if number >= explorer.states.len() => {
                json!({ "error": format!("State {number} is unknown.") })
            }
            ("state", Some(Ok(number))) => match &explorer.states[number].config {
                Some(config) => state(&grammar, number, &config.graph),
                None => json!({ "error": "The state is no longer in memory." }),
            },
            ("info", Some(Ok(number))) => match explorer.explore(number) {
                Ok(()) => info(&grammar, &explorer, number),
                Err(fault) => json!({ "error": fault.to_string() }),
            },
            _ => json!({ "error": "The commands are: rules, state N, info N, exit." }),
        };
        answer(&mut output, &reply)?;
    }
    Ok(())
}

fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the line is too long"));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
}

fn answer(output: &mut impl Write, json: &Json) -> io::Result<()> {
    writeln!(output, "{json}")?;
    output.flush()
}

fn rules(grammar: &Grammar) -> Json {
    let role = |role: ActionRole| match role {
        ActionRole::Transformer => "transformer",
        ActionRole::Condition => "condition",
        ActionRole::Forbidden => "forbidden",
        ActionRole::Invariant => "invariant",
    };
    let list: Vec<Json> = grammar
        .rules
        .iter()
        .map(|rule| {
            json!({ "name": rule.name, "priority": rule.priority, "role": role(rule.role),
                "parameters": rule.parameters.len() })
        })
        .collect();
    let recipes: Vec<&str> = grammar.control.recipes().collect();
    json!({ "rules": list, "recipes": recipes })
}

/// Returns a state as JSON: nodes with numbers, types and flags, data nodes with values, and edges.
pub fn state(grammar: &Grammar, number: usize, graph: &Graph) -> Json {
    let mut nodes = Vec::new();
    let mut data: Vec<Item> = Vec::new();
    for node in graph.nodes() {
        let mut entry = Map::new();
        entry.insert("number".to_string(), json!(node.0));
        entry.insert("name".to_string(), json!(grammar.node_name(node)));
        entry.insert("type".to_string(), json!(grammar.vocabulary.type_name(graph.type_of(node))));
        let flags = graph.edges().filter(|edge| edge.a == node && edge.label & FLAG != 0);
        let mut flags: Vec<&str> = flags.map(|edge| grammar.vocabulary.name(edge.label)).collect();
        flags.sort_unstable();
        entry.insert("flags".to_string(), json!(flags));
        nodes.push(Json::Object(entry));
    }
    let mut edges = Vec::new();
    for edge in graph.edges().filter(|edge| edge.label & FLAG == 0) {
        let target = if edge.b.is_node() {
            edge.b.0 as usize
        } else {
            let at = data.iter().position(|known| *known == edge.b).unwrap_or_else(|| {
                data.push(edge.b);
                data.len() - 1
            });
            graph.capacity() + at
        };
        edges.push(
            json!({ "source": edge.a.0, "label": grammar.vocabulary.name(edge.label), "target": target }),
        );
    }
    for (at, &item) in data.iter().enumerate() {
        let (kind, value) = match grammar.values.sort(item) {
            Some(Sort::Int) => ("int", json!(grammar.item_text(item).parse::<i64>().unwrap_or_default())),
            Some(Sort::Bool) => ("bool", json!(grammar.item_text(item) == "true")),
            Some(Sort::Real) => ("real", json!(grammar.item_text(item).parse::<f64>().unwrap_or_default())),
            _ => ("string", json!(grammar.item_text(item).trim_matches('"'))),
        };
        nodes.push(json!({ "number": graph.capacity() + at, "type": kind, "value": value }));
    }
    json!({ "state": number, "nodes": nodes, "edges": edges })
}

fn info(grammar: &Grammar, explorer: &Explorer<'_>, number: usize) -> Json {
    let transitions: Vec<Json> = explorer
        .arrows
        .iter()
        .filter(|arrow| arrow.source == number)
        .map(|arrow| {
            let text = |item: &Item| grammar.item_text(*item);
            json!({
                "source": number,
                "name": grammar.action_name(arrow.action),
                "label": &*arrow.label,
                "kind": match arrow.action { Action::Rule(_) => "rule", Action::Recipe(_) => "recipe" },
                "condition": arrow.property,
                "arguments": arrow.args.iter().map(text).collect::<Vec<_>>(),
                "anchors": arrow.anchors.iter().map(text).collect::<Vec<_>>(),
                "target": arrow.target,
            })
        })
        .collect();
    let state = &explorer.states[number];
    json!({ "state": number, "final": state.is_final, "error": state.is_error, "transitions": transitions })
}

/// Decodes base64.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        assert_eq!(decode("aGVsbG8="), Some(b"hello".to_vec()));
        assert_eq!(decode("a b"), None);
    }

    #[test]
    fn nonsense_is_answered() {
        let mut out = Vec::new();
        serve(&b"nonsense!\n"[..], &mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("error"));
    }
}
