//! Conversion of states and moves to and from canonical text.
//!
//! The facts of a state are what rules can change: `(flag turn red)`, `(edge owns red c1)`,
//! created nodes `(node piece n12)`, erased nodes of the start graph `(gone c1)`, variables,
//! and the control location if it is not the initial one.

use std::sync::Arc;

use game::{Fault, MoveId};

use super::{GraphGame, NOOP};
use crate::engine::{Action, Config};
use crate::expr::Expr;
use crate::grammar::Grammar;
use crate::graph::{Edge, GONE, Graph};
use crate::value::{Item, Value};
use crate::vocabulary::{FLAG, TypeId};

/// A changeable fact that holds in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// An edge or a flag.
    Edge(Edge),
    /// A created node and its type.
    Node(TypeId, Item),
    /// A node of the start graph that was erased.
    Gone(Item),
}

/// Turns a text into a single word.
pub(super) fn symbol(text: &str) -> String {
    let fits = |c: char| !c.is_whitespace() && !"()\";?,".contains(c);
    let word: String = text.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if word.is_empty() { "_".to_string() } else { word }
}

/// Returns a node or value as a single word.
fn word(grammar: &Grammar, item: Item) -> String {
    match item {
        Item::NONE => "_".to_string(),
        item if item.is_node() => symbol(&grammar.node_name(item)),
        item => match grammar.values.value(item) {
            Value::Text(text) => symbol(&text),
            other => other.to_string(),
        },
    }
}

/// Returns the canonical text of a move.
pub(super) fn move_text(grammar: &Grammar, action: Action, args: &[Item]) -> String {
    let name = symbol(grammar.action_name(action));
    if args.is_empty() {
        return name;
    }
    let words: Vec<String> = args.iter().map(|&item| word(grammar, item)).collect();
    format!("({name} {})", words.join(" "))
}

impl GraphGame {
    /// Collects the facts about visible edges and nodes.
    pub(super) fn facts_about(
        &self,
        config: &Config,
        mut visible: impl FnMut(Item) -> bool,
        facts: &mut Vec<Fact>,
    ) {
        let (graph, fixed) = (&config.graph, self.grammar.names.len());
        for &edge in graph.changing() {
            if visible(edge.a) && (!edge.b.is_node() || visible(edge.b)) {
                facts.push(Fact::Edge(edge));
            }
        }
        for (index, &kind) in graph.types().iter().enumerate() {
            let node = Item::node(index);
            if index >= fixed && kind != GONE && visible(node) {
                facts.push(Fact::Node(kind, node));
            } else if index < fixed && kind == GONE && visible(node) {
                facts.push(Fact::Gone(node));
            }
        }
    }

    /// Returns the text of a fact.
    pub(super) fn fact_text(&self, fact: &Fact) -> String {
        let grammar = &self.grammar;
        match *fact {
            Fact::Edge(Edge { label, a, b }) => {
                let name = symbol(grammar.vocabulary.name(label));
                if label & FLAG != 0 {
                    format!("(flag {name} {})", word(grammar, a))
                } else {
                    format!("(edge {name} {} {})", word(grammar, a), self.value_word(b))
                }
            }
            Fact::Node(kind, node) => {
                let kind = match grammar.vocabulary.type_name(kind) {
                    "" => "_".to_string(),
                    name => symbol(name),
                };
                format!("(node {kind} {})", word(grammar, node))
            }
            Fact::Gone(node) => format!("(gone {})", word(grammar, node)),
        }
    }

    /// Returns the facts of a state.
    pub(super) fn facts_of(&self, config: &Config) -> Vec<String> {
        let mut list = Vec::new();
        self.facts_about(config, |_| true, &mut list);
        let mut facts: Vec<String> = list.iter().map(|fact| self.fact_text(fact)).collect();
        if config.term != self.grammar.control.main {
            facts.push(format!("(at {})", config.term));
        }
        for (level, record) in config.records.iter().enumerate() {
            for (variable, &item) in record.iter().enumerate().filter(|(_, item)| **item != Item::NONE) {
                facts.push(format!("(variable {level} {variable} {})", self.value_word(item)));
            }
        }
        facts.sort_unstable();
        facts
    }

    /// Returns the name of a node, or a value as `(value …)` or `(text …)`, which cannot be
    /// confused with names.
    fn value_word(&self, item: Item) -> String {
        if item.is_node() {
            return word(&self.grammar, item);
        }
        match self.grammar.values.value(item) {
            Value::Text(text) => format!("(text {})", symbol(&text)),
            other => format!("(value {other})"),
        }
    }

    /// Returns the state in which exactly these facts hold.
    pub(super) fn read_state(&self, facts: &[String]) -> Result<Config, Fault> {
        let grammar = &self.grammar;
        let mut config = grammar.initial();
        let mut types = grammar.start.types().to_vec();
        let mut edges = Vec::new();
        for fact in facts {
            let wrong = || Fault::BadState(format!("`{fact}` is not a fact of this grammar"));
            let words: Vec<&str> = fact
                .split(|c: char| c.is_whitespace() || c == '(' || c == ')')
                .filter(|w| !w.is_empty())
                .collect();
            let node = |name: &str| grammar.find_node(name).ok_or_else(wrong);
            let item = |words: &[&str]| match words {
                [name] => node(name),
                ["text", text] => Ok(grammar.values.item(&Value::Text((*text).into()))),
                ["value", text] => match Expr::parse(text) {
                    Ok(Expr::Const(value)) => Ok(grammar.values.item(&value)),
                    _ => Err(wrong()),
                },
                _ => Err(wrong()),
            };
            match &words[..] {
                ["flag", name, owner] => {
                    let label = grammar.vocabulary.find_flag(name).ok_or_else(wrong)?;
                    let owner = node(owner)?;
                    edges.push(Edge { label, a: owner, b: owner });
                }
                ["edge", name, source, target @ ..] => {
                    let label = grammar.vocabulary.find_label(name).ok_or_else(wrong)?;
                    edges.push(Edge { label, a: node(source)?, b: item(target)? });
                }
                ["node", kind, name] => {
                    let kind = if *kind == "_" {
                        0
                    } else {
                        grammar.vocabulary.find_type(kind).ok_or_else(wrong)?
                    };
                    let node = node(name)?;
                    if node.index() > types.len() + facts.len() {
                        return Err(wrong());
                    }
                    if node.index() >= types.len() {
                        types.resize(node.index() + 1, GONE);
                    }
                    types[node.index()] = kind;
                }
                ["gone", name] => {
                    let index = node(name)?.index();
                    *types.get_mut(index).ok_or_else(wrong)? = GONE;
                }
                ["at", term] => {
                    config.term = term.parse().map_err(|_| wrong())?;
                    if !grammar.control.has(config.term) {
                        return Err(wrong());
                    }
                    let records = grammar.derived(config.term)?.records;
                    config.records.resize(records + 1, Vec::new().into());
                }
                ["variable", level, variable, value @ ..] => {
                    let level: usize = level.parse().map_err(|_| wrong())?;
                    let variable: usize = variable.parse().map_err(|_| wrong())?;
                    if level > 64 || variable > 64 {
                        return Err(wrong());
                    }
                    while config.records.len() <= level {
                        config.records.push(Vec::new().into());
                    }
                    let mut record = config.records[level].to_vec();
                    if record.len() <= variable {
                        record.resize(variable + 1, Item::NONE);
                    }
                    record[variable] = item(value)?;
                    config.records[level] = record.into();
                }
                _ => return Err(wrong()),
            }
        }
        let there = |item: Item| !item.is_node() || types.get(item.index()).is_some_and(|kind| *kind != GONE);
        if let Some(edge) = edges.iter().find(|edge| !there(edge.a) || !there(edge.b)) {
            let text = format!("`{}` is at a node that does not exist", grammar.vocabulary.name(edge.label));
            return Err(Fault::BadState(text));
        }
        if let Some(edge) = edges.iter().find(|edge| grammar.start.frozen().has(edge.label)) {
            let text = format!(
                "`{}` is the same in all states and cannot be given",
                grammar.vocabulary.name(edge.label)
            );
            return Err(Fault::BadState(text));
        }
        config.graph = Graph::new(types, edges, Arc::clone(grammar.start.frozen()));
        Ok(config)
    }

    /// Parses a move that has not occurred yet.
    pub(super) fn read_move(&self, text: &str) -> Option<MoveId> {
        let words: Vec<&str> =
            text.trim().trim_start_matches('(').trim_end_matches(')').split_whitespace().collect();
        let (name, words) = words.split_first()?;
        if *name == NOOP && words.is_empty() {
            return Some(super::Moves::NOOP);
        }
        let rule = self.grammar.rules.iter().position(|rule| symbol(&rule.name) == *name);
        let action = match (self.grammar.control.find_recipe(name), rule) {
            (Some(call), _) => Action::Recipe(call),
            (None, Some(rule)) => Action::Rule(rule as u32),
            (None, None) => return None,
        };
        let parameters = match action {
            Action::Rule(rule) => self.grammar.rules[rule as usize].parameters.len(),
            Action::Recipe(call) => self.grammar.control.procedure(call).map_or(0, |(_, _, list)| list.len()),
        };
        if words.len() != parameters {
            return None;
        }
        let mut args = Vec::new();
        for word in words {
            let item = match self.grammar.find_node(word) {
                Some(node) => node,
                None => match Expr::parse(word) {
                    Ok(Expr::Const(value)) => self.grammar.values.item(&value),
                    _ => self.grammar.values.known_text(word)?,
                },
            };
            args.push(item);
        }
        let mv = self.move_of(action, &args);
        (self.moves.text(mv) == text).then_some(mv)
    }
}
