//! Loading of start graphs and type graphs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::GrammarError;
use crate::expr::Expr;
use crate::graph::{Edge, Frozen, Graph};
use crate::gxl::RawGraph;
use crate::label::{Label, Said};
use crate::value::{Item, Value, Values};
use crate::vocabulary::{TypeId, Vocabulary};

/// A start graph, before it is known what rules can change.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The types of the nodes.
    pub types: Vec<TypeId>,
    /// The names of the nodes: the one given with `id:`, or else the node's id in the file.
    pub names: Vec<String>,
    /// Whether the name was given with `id:`.
    pub named: Vec<bool>,
    /// The positions at which nodes are drawn.
    pub places: Vec<Option<(f32, f32)>>,
    /// All edges.
    pub edges: Vec<Edge>,
}

impl Host {
    /// Adds the graph of a file. Nodes with the same `id:` are identified.
    pub fn add(
        &mut self,
        raw: &RawGraph,
        vocabulary: &mut Vocabulary,
        values: &Values,
        ids: &mut BTreeMap<String, Item>,
    ) -> Result<(), GrammarError> {
        let count = raw.nodes.len();
        let mut kinds: Vec<Option<TypeId>> = vec![None; count];
        let mut data: Vec<Option<Item>> = vec![None; count];
        let mut named: Vec<Option<String>> = vec![None; count];
        let (mut remarks, mut only_remarks) = (vec![false; count], vec![false; count]);
        let mut said = Vec::with_capacity(raw.edges.len());
        for (source, target, text) in &raw.edges {
            let wrong = |message: String| {
                GrammarError::new(&raw.file, message).at(raw.edge_name(*source, *target)).label(text)
            };
            let label = Label::parse(text).map_err(|error| wrong(error.to_string()))?;
            if label.role.is_some() {
                return Err(wrong("roles such as `del:` belong in rules.".to_string()));
            }
            let own = *source == *target;
            let node = *source as usize;
            match &label.said {
                Said::Type(name) if own => {
                    let kind = vocabulary
                        .type_id(name)
                        .ok_or_else(|| wrong("the type graph has no such type.".into()))?;
                    if kinds[node].is_some_and(|known| known != kind) {
                        return Err(wrong("the node has two types.".to_string()));
                    }
                    if vocabulary.abstract_types.contains(&kind) {
                        return Err(wrong("the type is abstract.".to_string()));
                    }
                    kinds[node] = Some(kind);
                }
                Said::Data(sort, content) if own => {
                    let value = Expr::parse(content)
                        .map_err(|error| wrong(error.to_string()))?
                        .eval(&|_| Value::Error);
                    if value.sort() != Some(*sort) {
                        return Err(wrong("the value does not have this sort.".to_string()));
                    }
                    data[node] = Some(values.item(&value));
                }
                Said::Id(name) if own => named[node] = Some(name.clone()),
                Said::Remark(all) if own => {
                    remarks[node] |= all;
                    only_remarks[node] = true;
                }
                _ => {}
            }
            said.push(label);
        }
        for ((source, target, _), label) in raw.edges.iter().zip(&said) {
            if !matches!(label.said, Said::Remark(_)) {
                only_remarks[*source as usize] = false;
                only_remarks[*target as usize] = false;
            }
        }
        let mut items = Vec::with_capacity(count);
        for node in 0..count {
            let item = if remarks[node] || only_remarks[node] {
                Item::NONE
            } else if let Some(value) = data[node] {
                value
            } else if let Some(known) = named[node].as_ref().and_then(|name| ids.get(name)) {
                if let Some(kind) = kinds[node] {
                    self.types[known.index()] = kind;
                }
                *known
            } else {
                let item = Item::node(self.types.len());
                self.types.push(kinds[node].unwrap_or(0));
                self.names.push(named[node].clone().unwrap_or_else(|| raw.nodes[node].clone()));
                self.named.push(named[node].is_some());
                self.places.push(raw.places[node]);
                if let Some(name) = &named[node] {
                    ids.insert(name.clone(), item);
                }
                item
            };
            items.push(item);
        }
        for ((source, target, text), label) in raw.edges.iter().zip(said) {
            let (a, b) = (items[*source as usize], items[*target as usize]);
            if a == Item::NONE || b == Item::NONE {
                continue;
            }
            let wrong = |message: String| {
                GrammarError::new(&raw.file, message).at(raw.edge_name(*source, *target)).label(text)
            };
            let own = *source == *target;
            let (label, target) = match label.said {
                Said::Nothing | Said::Remark(_) | Said::Display => continue,
                Said::Type(_) | Said::Data(..) | Said::Id(_) if own => continue,
                Said::Label(name) | Said::Literal(name) => (vocabulary.label(unquoted(&name)), b),
                Said::Flag(name) if own => (vocabulary.flag(&name), b),
                Said::Let(text) if own => {
                    let (name, expr) = text.split_once('=').ok_or_else(|| wrong("missing `=`.".into()))?;
                    let value =
                        Expr::parse(expr).map_err(|error| wrong(error.to_string()))?.eval(&|_| Value::Error);
                    if value == Value::Error {
                        return Err(wrong("this is not a value.".to_string()));
                    }
                    (vocabulary.label(name.trim()), values.item(&value))
                }
                _ => return Err(wrong("this label is not allowed in a start graph.".to_string())),
            };
            if !a.is_node() {
                return Err(wrong("a data value cannot have outgoing edges.".to_string()));
            }
            self.edges.push(Edge { label, a, b: target });
        }
        Ok(())
    }

    /// Makes names unique, so that each denotes one node.
    pub fn finish_names(&mut self) {
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        for name in &mut self.names {
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            if *times > 1 {
                *name = format!("{name}_{times}");
            }
        }
    }

    /// Creates the graph; edges that rules do not change are left to `frozen`.
    pub fn graph(&self, frozen: Arc<Frozen>) -> Graph {
        Graph::new(self.types.clone(), self.edges.iter().copied(), frozen)
    }
}

/// Returns a label without the quotes around it.
pub(crate) fn unquoted(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(text)
}

/// Adds the types of a type graph. The edges of type graphs are not checked.
pub fn add_types(raw: &RawGraph, vocabulary: &mut Vocabulary) -> Result<(), GrammarError> {
    let mut kinds: Vec<Option<TypeId>> = vec![None; raw.nodes.len()];
    let mut later = Vec::new();
    for (source, target, text) in &raw.edges {
        let wrong = |message: String| {
            GrammarError::new(&raw.file, message).at(raw.edge_name(*source, *target)).label(text)
        };
        let label = Label::parse(text).map_err(|error| wrong(error.to_string()))?;
        match label.said {
            Said::Type(name) if source == target => {
                kinds[*source as usize] = vocabulary.type_id(name.trim_start_matches('#'));
            }
            Said::Sub => later.push((*source, *target, true)),
            Said::Abstract => later.push((*source, *target, false)),
            Said::Label(name) | Said::Literal(name) => drop(vocabulary.label(unquoted(&name))),
            Said::Flag(name) => drop(vocabulary.flag(&name)),
            Said::Data(_, name) if !name.is_empty() => drop(vocabulary.label(&name)),
            _ => {}
        }
    }
    for (source, target, sub) in later {
        let (Some(low), Some(high)) = (kinds[source as usize], kinds[target as usize]) else {
            if source == target || !sub {
                continue;
            }
            let text = "both ends of `sub:` must have a type.";
            return Err(GrammarError::new(&raw.file, text).at(raw.edge_name(source, target)));
        };
        if sub {
            vocabulary.declare_subtype(low, high);
        } else if source == target {
            vocabulary.abstract_types.push(low);
        }
    }
    Ok(())
}
