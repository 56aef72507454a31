//! Graph grammars. A grammar is its own reasoner.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use game::{AnyGame, Fault, Game};
use graph::{Bundle, FLAG, GrammarError, Graph, GraphGame, Item, draw};
use reasoner::Making;
use rules::Strictness;

use super::{Description, Language, Refusal, Wanted};
use crate::diagram::{Diagram, DiagramEdge, DiagramNode, Diagrams};
use crate::reasoners::Chosen;
use crate::source::{Source, SourceError};

/// Grammars in the format of GROOVE.
#[derive(Debug)]
pub(super) struct GraphGrammar;

impl Language for GraphGrammar {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn noun(&self) -> &'static str {
        "graph grammar"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["gps"]
    }

    fn other_extensions(&self) -> &'static [&'static str] {
        &["zip"]
    }

    fn is_folder(&self) -> bool {
        true
    }

    fn read(&self, path: &Path) -> Result<Source, SourceError> {
        let bundle = Bundle::read(path).map_err(SourceError::language)?;
        Ok(Source { files: Arc::new(bundle.files), ..Source::at(&GraphGrammar, path) })
    }

    fn describe(&self, source: &Source, _: Strictness) -> Arc<dyn Description> {
        let bundle = Bundle { name: source.name.clone(), files: source.files.as_ref().clone() };
        Arc::new(Grammar(GraphGame::new(&bundle, None).map(Arc::new)))
    }

    fn checked_by(&self) -> Option<&'static str> {
        Some("tafl graph check")
    }
}

/// The game of a grammar, or the error in it.
#[derive(Debug)]
struct Grammar(Result<Arc<GraphGame>, GrammarError>);

impl Description for Grammar {
    fn play(&self, wanted: Wanted<'_>, _: &Making) -> Result<Chosen, Refusal> {
        if let Wanted::Behind(reasoner) = wanted
            && !matches!(reasoner, "auto" | "graph")
        {
            let text =
                format!("It is a graph grammar, but `{reasoner}` evaluates rule sheets; omit --reasoner.");
            return Err(Fault::Unsupported(text).into());
        }
        match &self.0 {
            Ok(game) => Ok(Chosen {
                game: AnyGame::new(Arc::clone(game)),
                name: "graph",
                why: "a graph grammar".to_string(),
            }),
            Err(error) => Err(Fault::Unsupported(error.to_string()).into()),
        }
    }

    fn diagrams(&self) -> Option<Arc<dyn Diagrams>> {
        self.0.as_ref().ok().map(|game| Arc::new(States(Arc::clone(game))) as Arc<dyn Diagrams>)
    }
}

/// Diagrams of states. The edges that no rule changes are the board; the flags of a node and its edges to
/// a player are the things on it.
#[derive(Debug)]
struct States(Arc<GraphGame>);

impl Diagrams for States {
    fn diagram(&self, facts: &[String], most_nodes: usize) -> Option<Diagram> {
        let state = self.0.state(facts).ok()?;
        let graph = state.graph();
        let nodes: Vec<Item> = graph.nodes().collect();
        if nodes.is_empty() || nodes.len() > most_nodes {
            return None;
        }
        let grammar = self.0.grammar();
        let places = draw::places(grammar, graph, &nodes);
        let mut marks = Marks::of(&self.0, graph);
        let edges = self.edges(graph, &nodes);
        let nodes = nodes.into_iter().zip(places).map(|(node, place)| DiagramNode {
            name: grammar.node_name(node),
            place,
            is_role: marks.roles.contains(&node),
            things: marks.things.remove(&node).unwrap_or_default(),
            values: marks.values.remove(&node).unwrap_or_default(),
        });
        Some(Diagram { nodes: nodes.collect(), edges })
    }

    fn nodes_of_move(&self, mv: &str) -> Vec<String> {
        words(mv).skip(1).filter(|word| self.is_node(word)).map(str::to_string).collect()
    }

    fn nodes_of_fact(&self, fact: &str) -> Vec<String> {
        let name = words(fact).next().unwrap_or_default();
        // The first argument is a label or a type.
        let skip = 1 + usize::from(matches!(name, "flag" | "edge" | "node"));
        let is_role = |word: &&str| self.0.roles().iter().any(|role| role == *word);
        let named = words(fact).skip(skip).filter(|word| self.is_node(word));
        named.filter(|word| !is_role(word)).map(str::to_string).collect()
    }
}

/// Returns the words of a fact or a move; neither is nested.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('(').trim_end_matches(')').split(' ')
}

impl States {
    fn is_node(&self, word: &str) -> bool {
        self.0.grammar().find_node(word).is_some()
    }

    fn edges(&self, graph: &Graph, nodes: &[Item]) -> Vec<DiagramEdge> {
        let changing = graph.changing();
        let mut edges: Vec<_> = graph
            .edges()
            .filter(|edge| edge.label & FLAG == 0 && edge.b.is_node() && edge.a != edge.b)
            .map(|edge| (changing.contains(&edge), edge.a, edge.b, edge.label))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let vocabulary = &self.0.grammar().vocabulary;
        let edge = |(changes, a, b, label)| {
            let (from, to) = (nodes.binary_search(&a).ok()?, nodes.binary_search(&b).ok()?);
            Some(DiagramEdge { from, to, name: vocabulary.name(label).to_string(), changes })
        };
        edges.into_iter().filter_map(edge).collect()
    }
}

/// What is on the nodes.
struct Marks {
    /// The names of things, by node.
    things: BTreeMap<Item, Vec<String>>,
    /// The names and values of attributes, by node.
    values: BTreeMap<Item, Vec<String>>,
    roles: Vec<Item>,
}

impl Marks {
    fn of(game: &GraphGame, graph: &Graph) -> Marks {
        let grammar = game.grammar();
        let roles: Vec<Item> = game.roles().iter().filter_map(|role| grammar.find_node(role)).collect();
        let mut things: BTreeMap<Item, Vec<String>> = BTreeMap::new();
        let mut values: BTreeMap<Item, Vec<String>> = BTreeMap::new();
        for edge in graph.changing() {
            let name = grammar.vocabulary.name(edge.label);
            if edge.label & FLAG == 0 && edge.b.is_value() {
                values.entry(edge.a).or_default().push(format!("{name} {}", grammar.item_text(edge.b)));
            } else if edge.label & FLAG != 0 {
                things.entry(edge.a).or_default().push(name.to_string());
            } else if roles.contains(&edge.b) && !roles.contains(&edge.a) {
                things.entry(edge.a).or_default().push(grammar.node_name(edge.b));
            } else if roles.contains(&edge.a) && edge.b.is_node() && !roles.contains(&edge.b) {
                things.entry(edge.b).or_default().push(grammar.node_name(edge.a));
            }
        }
        for things in things.values_mut() {
            things.retain(|thing| !matches!(thing.as_str(), "free" | "empty" | "blank"));
            things.sort();
        }
        Marks { things, values, roles }
    }
}
