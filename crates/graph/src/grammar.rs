//! A complete grammar, ready to be explored or played.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::GrammarError;
use crate::bundle::Bundle;
use crate::control::{self, Actions, Control};
use crate::engine::Limits;
use crate::expr::Expr;
use crate::graph::{Frozen, Graph};
use crate::gxl::RawGraph;
use crate::host::{Host, add_types, unquoted};
use crate::label::{Label, Said};
use crate::properties::Properties;
use crate::regexp::Regexp;
use crate::rule::{Context, Rule, Statistics, build};
use crate::value::{Item, Values};
use crate::vocabulary::Vocabulary;

/// A grammar.
#[derive(Debug)]
pub struct Grammar {
    /// The name of the grammar.
    pub name: String,
    /// Labels and types.
    pub vocabulary: Vocabulary,
    /// Data values.
    pub values: Values,
    /// Settings.
    pub properties: Properties,
    /// The rules, in the order of their file names.
    pub rules: Vec<Rule>,
    /// The control program.
    pub control: Control,
    /// The start graph.
    pub start: Graph,
    /// The names of the start graph's nodes.
    pub names: Vec<String>,
    /// Whether each name was given with `id:`.
    pub named: Vec<bool>,
    /// Where the start graph's nodes are drawn.
    pub places: Vec<Option<(f32, f32)>>,
    /// Limits on work.
    pub limits: Limits,
    /// The first number used in the names of created nodes.
    first_number: usize,
}

impl Grammar {
    /// Loads a grammar. `start` overrides the start graph named in the settings.
    pub fn new(bundle: &Bundle, start: Option<&str>) -> Result<Grammar, GrammarError> {
        let settings = bundle.files.get("system.properties").map_or("", String::as_str);
        let properties = Properties::parse(settings)?;
        let mut vocabulary = Vocabulary::new();
        let values = Values::default();
        let graphs = |ending: &'static str, names: &[String]| -> Result<Vec<RawGraph>, GrammarError> {
            let mut found = Vec::new();
            for name in names {
                let file = bundle.with_ending(ending).find(|(known, _, _)| known == name);
                let Some((_, file, text)) = file else {
                    let known: Vec<String> = bundle.with_ending(ending).map(|(name, _, _)| name).collect();
                    let text = format!(
                        "there is no graph `{name}` (.{ending}). The grammar has: {}.",
                        known.join(", ")
                    );
                    return Err(GrammarError::new(&bundle.name, text));
                };
                found.push(RawGraph::parse(file, text)?);
            }
            Ok(found)
        };
        for raw in graphs("gty", &properties.types)? {
            add_types(&raw, &mut vocabulary)?;
        }
        vocabulary.typed = !properties.types.is_empty();
        let names = match (start, &properties.start) {
            (Some(name), _) => vec![name.to_string()],
            (None, Some(names)) if !names.is_empty() => names.clone(),
            _ => {
                return Err(
                    GrammarError::new("system.properties", "no start graph is given.").at("startGraph")
                );
            }
        };
        let mut host = Host::default();
        let mut ids = BTreeMap::new();
        for raw in graphs("gst", &names)? {
            host.add(&raw, &mut vocabulary, &values, &mut ids)?;
        }
        host.finish_names();
        let mut raws = Vec::new();
        for (name, file, text) in bundle.with_ending("gpr") {
            let raw = RawGraph::parse(file, text)?;
            learn(&raw, &mut vocabulary);
            raws.push((name, raw));
        }
        let mut statistics = Statistics::of(&host, &vocabulary);
        let all = |statistics: &Statistics| {
            let context =
                Context { vocabulary: &vocabulary, values: &values, properties: &properties, statistics };
            let (mut rules, mut disabled) = (Vec::new(), BTreeSet::new());
            for (name, raw) in &raws {
                match build(raw, name, &context)? {
                    Some(rule) => rules.push(rule),
                    None => drop(disabled.insert(name.clone())),
                }
            }
            Ok((rules, disabled))
        };
        // The first pass shows what the rules create, and the second plans the search with that.
        statistics.learn(&all(&statistics)?.0, &vocabulary);
        let (rules, disabled) = all(&statistics)?;
        let mut programs = Vec::new();
        for name in &properties.control {
            let file = bundle.with_ending("gcp").find(|(known, _, _)| known == name);
            let Some((_, file, text)) = file else {
                let text = format!("there is no control program `{name}`.");
                return Err(GrammarError::new("system.properties", text).at("controlProgram"));
            };
            programs.push(control::parse(file, text)?);
        }
        let control = control::compile(&programs, &Actions { rules: &rules, disabled: &disabled })?;
        let frozen = Arc::new(freeze(&vocabulary, &rules, &host));
        let digits =
            |name: &String| name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().ok();
        let first_number =
            host.names.iter().filter_map(digits).filter(|n| *n < 1 << 40).max().map_or(0, |n| n + 1);
        Ok(Grammar {
            name: bundle.name.clone(),
            start: host.graph(frozen),
            vocabulary,
            values,
            properties,
            rules,
            control,
            names: host.names,
            named: host.named,
            places: host.places,
            limits: Limits::default(),
            first_number: first_number.max(host.types.len()),
        })
    }

    /// Returns the node with this name.
    pub fn find_node(&self, name: &str) -> Option<Item> {
        if let Some(at) = self.names.iter().position(|known| known == name) {
            return Some(Item::node(at));
        }
        let number: usize = name.strip_prefix('n')?.parse().ok()?;
        let above = number.checked_sub(self.first_number)?;
        Some(Item::node(self.names.len() + above)).filter(|item| item.index() < self.limits.nodes)
    }

    /// Returns the name of a node.
    pub fn node_name(&self, node: Item) -> String {
        match self.names.get(node.index()) {
            Some(name) => name.clone(),
            None => format!("n{}", self.first_number + node.index() - self.names.len()),
        }
    }
}

/// Registers the labels that occur in a rule's file. Errors in them are reported when the rule is built.
fn learn(raw: &RawGraph, vocabulary: &mut Vocabulary) {
    fn atoms(expression: &Regexp, vocabulary: &mut Vocabulary) {
        match expression {
            Regexp::Atom(name) => {
                if let Some(flag) = name.strip_prefix("flag:") {
                    vocabulary.flag(flag);
                } else if !name.starts_with("type:") {
                    vocabulary.label(unquoted(name));
                }
            }
            Regexp::Seq(parts) | Regexp::Choice(parts) => {
                parts.iter().for_each(|part| atoms(part, vocabulary))
            }
            Regexp::Star(inner) | Regexp::Plus(inner) | Regexp::Inverse(inner) | Regexp::Not(inner) => {
                atoms(inner, vocabulary);
            }
            Regexp::Wild(_) | Regexp::Empty => {}
        }
    }
    fn names(expr: &str, vocabulary: &mut Vocabulary) {
        if let Ok(expr) = Expr::parse(expr) {
            let _ = expr.resolve(&mut |name| {
                if let Expr::Name(name) | Expr::Field(_, name) = name {
                    vocabulary.label(name);
                }
                Ok(name.clone())
            });
        }
    }
    for (_, _, text) in &raw.edges {
        let Ok(label) = Label::parse(text) else { continue };
        match label.said {
            Said::Label(text) => {
                if let Ok(expression) = Regexp::parse(&text) {
                    atoms(&expression, vocabulary);
                }
            }
            Said::Literal(name) => drop(vocabulary.label(&name)),
            Said::Flag(name) => drop(vocabulary.flag(&name)),
            Said::Type(name) if !name.starts_with('?') => {
                let _ = vocabulary.type_id(name.trim_start_matches('#'));
            }
            Said::Let(text) => {
                if let Some((name, expr)) = text.split_once('=') {
                    vocabulary.label(name.trim());
                    names(expr, vocabulary);
                }
            }
            Said::Test(text) => {
                names(&text, vocabulary);
                if let Some((name, expr)) = text.split_once('=') {
                    if name.trim().chars().all(|c| c.is_alphanumeric() || "_$-".contains(c))
                        && !name.trim().is_empty()
                    {
                        vocabulary.label(name.trim());
                    }
                    names(expr.trim_start_matches('='), vocabulary);
                }
            }
            Said::Data(_, text) => names(&text, vocabulary),
            _ => {}
        }
    }
}

/// Computes the edges that no rule can change: those whose label no rule creates or erases, at
/// nodes that no rule erases or merges. A label is frozen as a whole or not at all.
fn freeze(vocabulary: &Vocabulary, rules: &[Rule], host: &Host) -> Frozen {
    let mut kept = vec![true; vocabulary.dense_count()];
    for rule in rules {
        match rule.changes() {
            Some(labels) => labels.into_iter().for_each(|label| kept[vocabulary.dense(label)] = false),
            None => kept.iter_mut().for_each(|kept| *kept = false),
        }
    }
    let taken: Vec<bool> =
        (0..vocabulary.type_count()).map(|kind| rules.iter().any(|rule| rule.takes(kind as u16))).collect();
    for edge in &host.edges {
        let goes = |item: Item| item.is_node() && taken[host.types[item.index()] as usize];
        if goes(edge.a) || goes(edge.b) {
            kept[vocabulary.dense(edge.label)] = false;
        }
    }
    Frozen::new(vocabulary, &kept, &host.edges, host.types.len())
}
