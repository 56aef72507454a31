//! Graphs: nodes with types, edges with labels, flags, data values.
//!
//! Graphs are simple: an edge is identified by its source, label and target. Edges that no rule
//! of the grammar can change are stored once for all graphs, indexed by node. The others are
//! kept in two sorted lists, one by source and one by target, together with the positions where
//! each label begins. Nodes keep their numbers throughout their life, so a state is copied with
//! four short memory copies.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::value::Item;
use crate::vocabulary::{FLAG, LabelId, TypeId, Vocabulary};

/// An edge, seen from one of its ends, `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The label.
    pub label: LabelId,
    /// The end by which it is looked up.
    pub a: Item,
    /// The other end.
    pub b: Item,
}

/// The type of a node that does not exist.
pub const GONE: TypeId = TypeId::MAX;

/// The edges of one label that no rule changes.
#[derive(Debug, Clone, Default)]
struct FrozenLabel {
    out: Vec<Edge>,
    inn: Vec<Edge>,
    /// The position in `out` at which the edges of each node begin.
    out_start: Vec<u32>,
    inn_start: Vec<u32>,
}

/// How the edges of a label are stored.
#[derive(Debug, Clone)]
enum Kept {
    /// Once for all graphs, because no rule changes them.
    Frozen(FrozenLabel),
    /// In each graph; the number is the label's index among such labels.
    Changing(usize),
}

/// What all graphs of a grammar share.
#[derive(Debug, Clone, Default)]
pub struct Frozen {
    labels: Vec<Kept>,
    flags: Vec<Kept>,
    edges: Vec<Edge>,
    /// The number of labels that rules can change.
    changing: usize,
    /// The number of nodes of the start graph, whose numbers are below this.
    pub start_nodes: usize,
}

impl Frozen {
    /// Creates the shared part of graphs from the edges whose labels are `kept`.
    pub fn new(vocabulary: &Vocabulary, kept: &[bool], edges: &[Edge], start_nodes: usize) -> Frozen {
        let mut frozen = Frozen { start_nodes, ..Frozen::default() };
        let mut changing = 0;
        let mut make = |label: LabelId| {
            if !kept[vocabulary.dense(label)] {
                changing += 1;
                return Kept::Changing(changing - 1);
            }
            let mut out: Vec<Edge> = edges.iter().filter(|e| e.label == label).copied().collect();
            let mut inn: Vec<Edge> = out.iter().map(|e| Edge { label, a: e.b, b: e.a }).collect();
            out.sort_unstable();
            inn.sort_unstable();
            let starts = |list: &[Edge]| {
                let mut starts = vec![0u32; start_nodes + 1];
                for edge in list.iter().filter(|e| e.a.is_node()) {
                    starts[edge.a.index() + 1] += 1;
                }
                for at in 1..starts.len() {
                    starts[at] += starts[at - 1];
                }
                starts
            };
            Kept::Frozen(FrozenLabel { out_start: starts(&out), inn_start: starts(&inn), out, inn })
        };
        frozen.labels = vocabulary.labels().map(&mut make).collect();
        frozen.flags = vocabulary.flags().map(&mut make).collect();
        frozen.changing = changing;
        let all = frozen.labels.iter().chain(&frozen.flags);
        frozen.edges = all
            .filter_map(|kept| if let Kept::Frozen(label) = kept { Some(label) } else { None })
            .flat_map(|label| label.out.iter().copied())
            .collect();
        frozen
    }

    #[inline]
    fn get(&self, label: LabelId) -> Option<&Kept> {
        let list = if label & FLAG == 0 { &self.labels } else { &self.flags };
        list.get((label & !FLAG) as usize)
    }

    /// Returns `true` if no rule changes edges with this label.
    pub fn has(&self, label: LabelId) -> bool {
        matches!(self.get(label), Some(Kept::Frozen(_)))
    }
}

/// A graph.
pub struct Graph {
    types: Vec<TypeId>,
    out: Vec<Edge>,
    inn: Vec<Edge>,
    /// The positions at which each changing label begins in `out`, followed by those in `inn`.
    starts: Vec<u32>,
    frozen: Arc<Frozen>,
}

impl Clone for Graph {
    fn clone(&self) -> Graph {
        Graph {
            types: self.types.clone(),
            out: self.out.clone(),
            inn: self.inn.clone(),
            starts: self.starts.clone(),
            frozen: Arc::clone(&self.frozen),
        }
    }

    // Reuses the existing allocations.
    fn clone_from(&mut self, other: &Graph) {
        self.types.clone_from(&other.types);
        self.out.clone_from(&other.out);
        self.inn.clone_from(&other.inn);
        self.starts.clone_from(&other.starts);
        if !Arc::ptr_eq(&self.frozen, &other.frozen) {
            self.frozen = Arc::clone(&other.frozen);
        }
    }
}

impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        self.types == other.types && self.out == other.out
    }
}

impl Eq for Graph {}

impl Hash for Graph {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.types.hash(state);
        self.out.hash(state);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Graph {{ {} nodes, {} edges }}", self.types.len(), self.out.len())
    }
}

/// Returns the edges at one end, among those of one label.
#[inline]
fn at(list: &[Edge], a: Item) -> &[Edge] {
    let rest = &list[list.partition_point(|e| e.a < a)..];
    let length = rest.iter().take_while(|e| e.a == a).count();
    &rest[..length]
}

#[inline]
fn pair(edge: &Edge) -> u64 {
    u64::from(edge.a.0) << 32 | u64::from(edge.b.0)
}

impl Graph {
    /// Creates a graph from nodes and edges. Edges with frozen labels are left to `frozen`.
    pub fn new(types: Vec<TypeId>, edges: impl IntoIterator<Item = Edge>, frozen: Arc<Frozen>) -> Graph {
        let mut out: Vec<Edge> = edges.into_iter().filter(|e| !frozen.has(e.label)).collect();
        out.sort_unstable();
        out.dedup();
        let mut inn: Vec<Edge> = out
            .iter()
            .filter(|e| e.label & FLAG == 0)
            .map(|e| Edge { label: e.label, a: e.b, b: e.a })
            .collect();
        inn.sort_unstable();
        let mut graph = Graph { types, out, inn, starts: Vec::new(), frozen };
        graph.index();
        graph
    }

    /// Computes the positions at which the labels begin.
    fn index(&mut self) {
        let count = self.frozen.changing;
        self.starts.clear();
        self.starts.resize(2 * (count + 1), 0);
        for (list, first) in [(&self.out, 0), (&self.inn, count + 1)] {
            for edge in list {
                if let Some(Kept::Changing(place)) = self.frozen.get(edge.label) {
                    self.starts[first + place + 1] += 1;
                }
            }
            for at in first + 1..=first + count {
                self.starts[at] += self.starts[at - 1];
            }
        }
    }

    /// Returns the range of a label's edges in `out`, or in `inn`.
    #[inline]
    fn span(&self, label: LabelId, inn: bool) -> (usize, usize) {
        match self.frozen.get(label) {
            Some(Kept::Changing(place)) => {
                let first = if inn { self.frozen.changing + 1 } else { 0 } + place;
                (self.starts[first] as usize, self.starts[first + 1] as usize)
            }
            // A label that is unknown to the grammar.
            _ => {
                let list = if inn { &self.inn } else { &self.out };
                let from = list.partition_point(|e| e.label < label);
                (from, list.partition_point(|e| e.label <= label))
            }
        }
    }

    /// Inserts an edge into one of the lists or removes it. Returns `true` if the list changed.
    fn set(&mut self, edge: Edge, inn: bool, there: bool) -> bool {
        let (from, to) = self.span(edge.label, inn);
        let list = if inn { &mut self.inn } else { &mut self.out };
        let found = list[from..to].binary_search_by_key(&pair(&edge), pair);
        match (found, there) {
            (Ok(at), false) => drop(list.remove(from + at)),
            (Err(at), true) => list.insert(from + at, edge),
            _ => return false,
        }
        if let Some(Kept::Changing(place)) = self.frozen.get(edge.label) {
            let (first, end) = if inn {
                (self.frozen.changing + 1, self.starts.len())
            } else {
                (0, self.frozen.changing + 1)
            };
            for start in &mut self.starts[first + place + 1..end] {
                *start = if there { *start + 1 } else { *start - 1 };
            }
        }
        true
    }

    /// Returns the part shared with other graphs.
    pub fn frozen(&self) -> &Arc<Frozen> {
        &self.frozen
    }

    /// Returns the highest node number plus one.
    pub fn capacity(&self) -> usize {
        self.types.len()
    }

    /// Returns the size of its own part: the node slots, and the edges that rules can change.
    pub fn size(&self) -> usize {
        self.types.len() + self.out.len()
    }

    /// Returns the nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Item> {
        self.types.iter().enumerate().filter(|(_, t)| **t != GONE).map(|(index, _)| Item::node(index))
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.types.iter().filter(|t| **t != GONE).count()
    }

    /// Returns the type of a node.
    #[inline]
    pub fn type_of(&self, node: Item) -> TypeId {
        self.types.get(node.index()).copied().unwrap_or(GONE)
    }

    /// Returns the types, indexed by node number.
    pub fn types(&self) -> &[TypeId] {
        &self.types
    }

    /// Returns the edges that rules can change, seen from their sources.
    pub fn changing(&self) -> &[Edge] {
        &self.out
    }

    /// Returns all edges, seen from their sources.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.frozen.edges.iter().chain(&self.out).copied()
    }

    /// Returns the edges with a label from a node.
    #[inline]
    pub fn out(&self, label: LabelId, source: Item) -> &[Edge] {
        match self.frozen.get(label) {
            Some(Kept::Frozen(frozen)) => within(&frozen.out, &frozen.out_start, source),
            _ => at(self.all(label), source),
        }
    }

    /// Returns the edges with a label to a node or value, seen from their targets. Flags are
    /// seen from their node.
    #[inline]
    pub fn inn(&self, label: LabelId, target: Item) -> &[Edge] {
        if label & FLAG != 0 {
            return self.out(label, target);
        }
        match self.frozen.get(label) {
            Some(Kept::Frozen(frozen)) if target.is_node() => within(&frozen.inn, &frozen.inn_start, target),
            Some(Kept::Frozen(frozen)) => at(&frozen.inn, target),
            _ => {
                let (from, to) = self.span(label, true);
                at(&self.inn[from..to], target)
            }
        }
    }

    /// Returns all edges with a label.
    #[inline]
    pub fn all(&self, label: LabelId) -> &[Edge] {
        match self.frozen.get(label) {
            Some(Kept::Frozen(frozen)) => &frozen.out,
            _ => {
                let (from, to) = self.span(label, false);
                &self.out[from..to]
            }
        }
    }

    /// Returns `true` if this edge exists.
    #[inline]
    pub fn has(&self, label: LabelId, source: Item, target: Item) -> bool {
        match self.frozen.get(label) {
            Some(Kept::Frozen(frozen)) => {
                within(&frozen.out, &frozen.out_start, source).iter().any(|e| e.b == target)
            }
            _ => {
                let wanted = u64::from(source.0) << 32 | u64::from(target.0);
                self.all(label).binary_search_by_key(&wanted, pair).is_ok()
            }
        }
    }

    /// Returns all edges at a node, seen from their sources.
    pub fn incident(&self, node: Item) -> impl Iterator<Item = Edge> {
        self.edges().filter(move |e| e.a == node || e.b == node)
    }

    /// Removes an edge.
    pub fn remove_edge(&mut self, label: LabelId, source: Item, target: Item) {
        if !self.frozen.has(label)
            && self.set(Edge { label, a: source, b: target }, false, false)
            && label & FLAG == 0
        {
            self.set(Edge { label, a: target, b: source }, true, false);
        }
    }

    /// Adds an edge, unless it exists.
    pub fn add_edge(&mut self, label: LabelId, source: Item, target: Item) {
        if self.set(Edge { label, a: source, b: target }, false, true) && label & FLAG == 0 {
            self.set(Edge { label, a: target, b: source }, true, true);
        }
    }

    /// Removes a node and its edges.
    pub fn remove_node(&mut self, node: Item) {
        if self.type_of(node) == GONE {
            return;
        }
        self.types[node.index()] = GONE;
        let before = self.out.len();
        self.out.retain(|e| e.a != node && e.b != node);
        if self.out.len() < before {
            self.inn.retain(|e| e.a != node && e.b != node);
            self.index();
        }
        while self.types.len() > self.frozen.start_nodes && self.types.last() == Some(&GONE) {
            self.types.pop();
        }
    }

    /// Returns a number for a new node that is neither in use nor in `taken`.
    pub fn free_number(&self, taken: &[Item]) -> Item {
        let mut index = self.frozen.start_nodes;
        while index < self.types.len() && self.types[index] != GONE || taken.contains(&Item::node(index)) {
            index += 1;
        }
        Item::node(index)
    }

    /// Adds a node with an unused number.
    pub fn add_node(&mut self, node: Item, kind: TypeId) {
        if node.index() >= self.types.len() {
            self.types.resize(node.index() + 1, GONE);
        }
        self.types[node.index()] = kind;
    }

    /// Sets the type of a node.
    pub fn set_type(&mut self, node: Item, kind: TypeId) {
        self.types[node.index()] = kind;
    }

    /// Moves all edges of `from` to `to` and removes `from`.
    pub fn merge(&mut self, from: Item, to: Item) {
        let moved: Vec<Edge> = self.out.iter().filter(|e| e.a == from || e.b == from).copied().collect();
        self.remove_node(from);
        let turn = |item: Item| if item == from { to } else { item };
        for edge in moved {
            self.add_edge(edge.label, turn(edge.a), turn(edge.b));
        }
    }

    /// Renumbers the nodes: `number[old]` is the new number, which must be distinct for each node.
    pub fn renumber(&mut self, number: &[u32]) {
        let turn = |item: Item| if item.is_node() { Item(number[item.index()]) } else { item };
        let nodes = self.nodes().map(|n| turn(n).index() + 1).max().unwrap_or(0);
        let mut types = vec![GONE; nodes.max(self.frozen.start_nodes)];
        for node in self.nodes() {
            types[turn(node).index()] = self.type_of(node);
        }
        self.types = types;
        // The order of labels does not change, so only the edges of each label need sorting.
        let (ends, labels) = (self.starts.len(), self.frozen.changing + 1);
        for (list, starts) in
            [(&mut self.out, &self.starts[..labels]), (&mut self.inn, &self.starts[labels..ends])]
        {
            for edge in list.iter_mut() {
                (edge.a, edge.b) = (turn(edge.a), turn(edge.b));
            }
            if starts.last() != Some(&(list.len() as u32)) {
                list.sort_unstable();
                continue;
            }
            for span in starts.windows(2) {
                let span = &mut list[span[0] as usize..span[1] as usize];
                if !span.is_sorted_by_key(pair) {
                    span.sort_unstable_by_key(pair);
                }
            }
        }
    }

    /// Returns a copy with its nodes renumbered.
    pub fn renumbered(&self, number: &[u32]) -> Graph {
        let mut graph = self.clone();
        graph.renumber(number);
        graph
    }

    /// Returns the approximate size in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<TypeId>() * self.types.len()
            + size_of::<Edge>() * (self.out.len() + self.inn.len())
            + 4 * self.starts.len()
            + 160
    }
}

#[inline]
fn within<'a>(list: &'a [Edge], starts: &[u32], node: Item) -> &'a [Edge] {
    let index = node.index();
    if !node.is_node() || index + 1 >= starts.len() {
        return &[];
    }
    &list[starts[index] as usize..starts[index + 1] as usize]
}
