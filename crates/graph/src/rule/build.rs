//! Construction of a rule from its file.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constraints::Constraint;
use super::plan::Statistics;
use super::{ActionRole, Level, Rule, Slot};
use crate::gxl::RawGraph;
use crate::label::{Direction, Label, Quantifier, Role, Said};
use crate::properties::{Policy, Properties};
use crate::regexp::Regexp;
use crate::value::{Item, Sort, Values};
use crate::vocabulary::{LabelId, TypeId, Vocabulary};
use crate::{ExprError, GrammarError, RegexpError};

/// The context in which rules are built.
pub struct Context<'a> {
    /// Labels and types.
    pub vocabulary: &'a Vocabulary,
    /// Data values.
    pub values: &'a Values,
    /// The settings of the grammar.
    pub properties: &'a Properties,
    /// Counts from the start graph.
    pub statistics: &'a Statistics,
}

/// The maximum number of nodes and edges in a rule.
const MAX_ELEMENTS: usize = 2_000;

/// An error message; the caller adds the location.
pub(super) struct Fail(pub(super) String);

impl From<RegexpError> for Fail {
    fn from(error: RegexpError) -> Fail {
        Fail(error.to_string())
    }
}

impl From<ExprError> for Fail {
    fn from(error: ExprError) -> Fail {
        Fail(error.to_string())
    }
}

impl From<String> for Fail {
    fn from(text: String) -> Fail {
        Fail(text)
    }
}

impl From<&str> for Fail {
    fn from(text: &str) -> Fail {
        Fail(text.to_string())
    }
}

/// A node of the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub(super) role: Option<Role>,
    pub(super) sort: Option<Sort>,
    pub(super) arguments: Vec<(usize, usize)>,
    pub(super) types: Option<Vec<bool>>,
    pub(super) created: TypeId,
    pub(super) quantifier: Option<(Quantifier, Option<String>)>,
    pub(super) product: bool,
    pub(super) remark: bool,
    pub(super) parameters: Vec<(Direction, Option<usize>)>,
    pub(super) at: Option<usize>,
}

impl Node {
    pub(super) fn is_pattern(&self) -> bool {
        self.quantifier.is_none() && !self.product && !self.remark
    }

    pub(super) fn is_new(&self) -> bool {
        matches!(self.role, Some(Role::New | Role::CNew))
    }
}

/// A level under construction.
pub(super) struct Draft {
    pub(super) level: Level,
    pub(super) constraints: Vec<Constraint>,
}

/// A condition that belongs to a negative application condition, and the nodes of the file at its ends.
pub(super) struct Negative {
    pub(super) constraint: Constraint,
    pub(super) ends: [usize; 2],
    pub(super) level: usize,
    pub(super) alone: bool,
}

pub(super) struct Builder<'a> {
    pub(super) raw: &'a RawGraph,
    pub(super) context: &'a Context<'a>,
    pub(super) nodes: Vec<Node>,
    pub(super) slot_of: Vec<usize>,
    /// The slot that represents a node in negative application conditions, if it is a different one.
    pub(super) negative_slot: Vec<Option<usize>>,
    pub(super) slot_level: Vec<usize>,
    pub(super) slots: Vec<Slot>,
    pub(super) template: Vec<Item>,
    pub(super) drafts: Vec<Draft>,
    pub(super) ids: BTreeMap<String, usize>,
    pub(super) fields: FxHashMap<(usize, LabelId), usize>,
    pub(super) variables: BTreeMap<String, usize>,
    pub(super) level_names: BTreeMap<String, usize>,
    pub(super) negatives: Vec<Negative>,
    pub(super) joined: Vec<(usize, usize)>,
}

/// Builds a rule, or returns `None` if it is disabled.
pub fn build(raw: &RawGraph, name: &str, context: &Context<'_>) -> Result<Option<Rule>, GrammarError> {
    let attribute = |key: &str| raw.attributes.get(key).map(String::as_str).filter(|text| !text.is_empty());
    let enabled = attribute("enabled") != Some("false");
    let policy = context.properties.policies.get(name).copied();
    if !context.properties.enabling.get(name).copied().unwrap_or(enabled) || policy == Some(Policy::Off) {
        return Ok(None);
    }
    let wrong = |text: &str| GrammarError::new(&raw.file, text);
    if raw.nodes.len() + raw.edges.len() > MAX_ELEMENTS {
        return Err(wrong("the rule is too large: more than 2,000 nodes and edges."));
    }
    if attribute("matchFilter").is_some() {
        return Err(wrong("match filters are not supported.").at("attribute matchFilter"));
    }
    let priority = match attribute("priority").map(str::parse) {
        None => 0,
        Some(Ok(priority)) => priority,
        Some(Err(_)) => return Err(wrong("this is not a number.").at("attribute priority")),
    };
    let mut builder = Builder::new(raw, context);
    let injective = context.properties.injective || attribute("injective") == Some("true");
    builder.read(injective)?;
    let parameters = builder.parameters()?;
    let levels = builder.levels()?;
    let modifying = levels.iter().any(|level| {
        !(level.erase_nodes.is_empty()
            && level.erase_edges.is_empty()
            && level.new_nodes.is_empty()
            && level.new_edges.is_empty()
            && level.merges.is_empty())
    });
    let input = parameters.iter().any(|parameter| parameter.direction == Direction::In);
    let role = match attribute("actionRole") {
        Some("transformer") => ActionRole::Transformer,
        Some("condition") => ActionRole::Condition,
        Some("forbidden") => ActionRole::Forbidden,
        Some("invariant") => ActionRole::Invariant,
        Some(_) => {
            return Err(wrong("the role must be transformer, condition, forbidden or invariant.")
                .at("attribute actionRole"));
        }
        None if !modifying && priority == 0 && !input => ActionRole::Condition,
        None => ActionRole::Transformer,
    };
    Ok(Some(Rule {
        name: name.to_string(),
        file: raw.file.clone(),
        priority,
        role,
        policy: policy.unwrap_or(Policy::Error),
        format: attribute("transitionLabel").map(str::to_string),
        slots: builder.slots,
        template: builder.template,
        levels,
        parameters,
        modifying,
        check_dangling: context.properties.check_dangling,
    }))
}

impl<'a> Builder<'a> {
    fn new(raw: &'a RawGraph, context: &'a Context<'a>) -> Builder<'a> {
        let count = raw.nodes.len();
        let mut builder = Builder {
            raw,
            context,
            nodes: vec![Node::default(); count],
            slot_of: vec![usize::MAX; count],
            negative_slot: vec![None; count],
            slot_level: Vec::new(),
            slots: Vec::new(),
            template: Vec::new(),
            drafts: Vec::new(),
            ids: BTreeMap::new(),
            fields: FxHashMap::default(),
            variables: BTreeMap::new(),
            level_names: BTreeMap::new(),
            negatives: Vec::new(),
            joined: Vec::new(),
        };
        builder.add_level(Quantifier::Exists);
        builder
    }

    fn add_level(&mut self, quantifier: Quantifier) -> usize {
        let level = Level {
            quantifier,
            parent: 0,
            children: Vec::new(),
            plan: Vec::new(),
            after: Vec::new(),
            count: None,
            anchor: Vec::new(),
            slots: Vec::new(),
            pattern: Vec::new(),
            erase_nodes: Vec::new(),
            erase_edges: Vec::new(),
            new_nodes: Vec::new(),
            new_edges: Vec::new(),
            merges: Vec::new(),
        };
        self.drafts.push(Draft { level, constraints: Vec::new() });
        self.drafts.len() - 1
    }

    pub(super) fn new_slot(&mut self, slot: Slot, level: usize) -> usize {
        self.slots.push(slot);
        self.slot_level.push(level);
        self.template.push(Item::NONE);
        self.slots.len() - 1
    }

    pub(super) fn depth(&self, level: usize) -> usize {
        let mut depth = 0;
        let mut at = level;
        while at != 0 && depth <= self.drafts.len() {
            at = self.drafts[at].level.parent;
            depth += 1;
        }
        depth
    }

    pub(super) fn deeper(&self, a: usize, b: usize) -> usize {
        if self.depth(a) >= self.depth(b) { a } else { b }
    }

    fn read(&mut self, injective: bool) -> Result<(), GrammarError> {
        let raw = self.raw;
        let error = |edge: &(u32, u32, String), message: String| {
            GrammarError::new(&raw.file, message).at(raw.edge_name(edge.0, edge.1)).label(&edge.2)
        };
        let mut labels = Vec::with_capacity(raw.edges.len());
        for edge in &raw.edges {
            labels.push(Label::parse(&edge.2).map_err(|wrong| error(edge, wrong.to_string()))?);
        }
        for (edge, label) in raw.edges.iter().zip(&labels) {
            if edge.0 == edge.1 {
                self.node_label(edge.0 as usize, label).map_err(|Fail(text)| error(edge, text))?;
            } else if let Said::Argument(number) = label.said {
                self.nodes[edge.0 as usize].arguments.push((number, edge.1 as usize));
            }
        }
        self.remarks(&labels);
        for node in 0..self.nodes.len() {
            if let Some((quantifier, name)) = self.nodes[node].quantifier.clone() {
                let level = self.add_level(quantifier);
                self.nodes[node].at = Some(level);
                let id = self.ids.iter().find(|(_, raw)| **raw == node).map(|(id, _)| id.clone());
                for name in [name, id].into_iter().flatten() {
                    self.level_names.insert(name, level);
                }
            }
        }
        let mut nesting = vec![false; labels.len()];
        for (at, (edge, label)) in raw.edges.iter().zip(&labels).enumerate() {
            nesting[at] = self.nest(edge, label).map_err(|Fail(text)| error(edge, text))?;
        }
        self.check_nesting()?;
        self.make_slots(&labels);
        for (at, (edge, label)) in raw.edges.iter().zip(&labels).enumerate() {
            let (a, b) = (edge.0 as usize, edge.1 as usize);
            if nesting[at] || self.nodes[a].remark || self.nodes[b].remark {
                continue;
            }
            self.edge(a, b, label, injective).map_err(|Fail(text)| error(edge, text))?;
        }
        self.pattern_nodes(injective);
        self.negative_patterns(injective);
        Ok(())
    }

    /// Processes a label at a node that is about the node itself.
    fn node_label(&mut self, node: usize, label: &Label) -> Result<(), Fail> {
        match &label.said {
            Said::Nothing => {
                if let Some(role) = label.role {
                    self.nodes[node].role = Some(role);
                    if let Some(name) = &label.level {
                        self.level_names.entry(name.clone()).or_insert(usize::MAX);
                    }
                }
            }
            Said::Type(_) if label.role.is_some_and(|role| role != Role::Use) => {}
            Said::Type(text) => {
                let (allowed, exact) = self.type_set(text)?;
                if let Some(kind) = exact {
                    self.nodes[node].created = kind;
                }
                let known = self.nodes[node].types.take();
                let both = match known {
                    None => allowed,
                    Some(known) => known.iter().zip(&allowed).map(|(a, b)| *a && *b).collect(),
                };
                self.nodes[node].types = Some(both);
            }
            Said::Data(sort, _) => {
                if self.nodes[node].sort.is_some_and(|known| known != *sort) {
                    return Err("the node has two data sorts.".into());
                }
                self.nodes[node].sort = Some(*sort);
            }
            Said::Id(name) => {
                let before = self.ids.insert(name.clone(), node);
                return if before.is_none() { Ok(()) } else { Err("two nodes have this name.".into()) };
            }
            Said::Parameter(direction, number) => self.nodes[node].parameters.push((*direction, *number)),
            Said::Quantifier(quantifier, name) => {
                self.nodes[node].quantifier = Some((*quantifier, name.clone()))
            }
            Said::Product => self.nodes[node].product = true,
            Said::Remark(true) => self.nodes[node].remark = true,
            Said::Sub | Said::Abstract => return Err("this label belongs in type graphs.".into()),
            _ => {}
        }
        Ok(())
    }

    /// Returns the types that a type label allows, and the type itself if the label names one.
    pub(super) fn type_set(&self, text: &str) -> Result<(Vec<bool>, Option<TypeId>), Fail> {
        let vocabulary = self.context.vocabulary;
        let find =
            |name: &str| vocabulary.find_type(name).ok_or_else(|| Fail("there is no such type.".to_string()));
        if text.starts_with('?') {
            let Ok(Regexp::Wild(wild)) = Regexp::parse(text) else {
                return Err("this is not a type.".into());
            };
            let mut allowed = vec![wild.labels.is_empty() || wild.excluded; vocabulary.type_count()];
            for name in &wild.labels {
                for (slot, below) in allowed.iter_mut().zip(vocabulary.below(find(name)?)) {
                    if below {
                        *slot = !wild.excluded;
                    }
                }
            }
            return Ok((allowed, None));
        }
        if let Some(name) = text.strip_prefix('#') {
            let kind = find(name)?;
            let mut allowed = vec![false; vocabulary.type_count()];
            allowed[kind as usize] = true;
            return Ok((allowed, Some(kind)));
        }
        let kind = find(text)?;
        Ok((vocabulary.below(kind), Some(kind)))
    }

    /// Marks nodes that only carry remarks.
    fn remarks(&mut self, labels: &[Label]) {
        let mut remarked = vec![false; self.nodes.len()];
        let mut other = vec![false; self.nodes.len()];
        for (edge, label) in self.raw.edges.iter().zip(labels) {
            let remark = matches!(label.said, Said::Remark(_));
            for end in [edge.0, edge.1] {
                let list = if remark { &mut remarked } else { &mut other };
                list[end as usize] = true;
            }
        }
        for (node, (remarked, other)) in self.nodes.iter_mut().zip(remarked.into_iter().zip(other)) {
            node.remark |= remarked && !other;
        }
    }

    /// Processes an edge that defines the nesting of levels or their content. Returns `false`
    /// for other edges.
    fn nest(&mut self, edge: &(u32, u32, String), label: &Label) -> Result<bool, Fail> {
        let (a, b) = (edge.0 as usize, edge.1 as usize);
        let (from, to) = (self.nodes[a].quantifier.is_some(), self.nodes[b].quantifier.is_some());
        if !from && !to {
            return Ok(false);
        }
        if a == b {
            return Ok(true);
        }
        let word = match &label.said {
            Said::Nested(word) | Said::Label(word) => word.as_str(),
            _ => return Err("a quantifier can only have the edges `at`, `in` and `count`.".into()),
        };
        match (word, from, to) {
            ("at" | "@", false, true) => self.nodes[a].at = self.nodes[b].at,
            ("in", true, true) => {
                let (inner, outer) = (self.nodes[a].at.unwrap_or(0), self.nodes[b].at.unwrap_or(0));
                self.drafts[inner].level.parent = outer;
            }
            ("count", true, false) => self.nodes[b].arguments.push((usize::MAX, a)),
            _ => return Err("a quantifier can only have the edges `at`, `in` and `count`.".into()),
        }
        Ok(true)
    }

    fn check_nesting(&mut self) -> Result<(), GrammarError> {
        for level in 1..self.drafts.len() {
            if self.depth(level) > self.drafts.len() {
                return Err(GrammarError::new(&self.raw.file, "the nesting of quantifiers is circular."));
            }
            let parent = self.drafts[level].level.parent;
            self.drafts[parent].level.children.push(level);
        }
        Ok(())
    }

    /// Creates a slot for each node; nodes joined by `=` share one.
    fn make_slots(&mut self, labels: &[Label]) {
        let mut same: Vec<usize> = (0..self.nodes.len()).collect();
        fn root(same: &[usize], mut at: usize) -> usize {
            while same[at] != at {
                at = same[at];
            }
            at
        }
        for (edge, label) in self.raw.edges.iter().zip(labels) {
            let equal = matches!(&label.said, Said::Label(text) if text == "=");
            if equal && matches!(label.role, None | Some(Role::Use)) {
                let (a, b) = (root(&same, edge.0 as usize), root(&same, edge.1 as usize));
                same[a.max(b)] = a.min(b);
            }
        }
        // A data node without a level of its own belongs to the level of its edges.
        for (edge, _) in self.raw.edges.iter().zip(labels) {
            let (a, b) = (edge.0 as usize, edge.1 as usize);
            let Some(level) = self.nodes[a].at.filter(|_| self.nodes[a].is_pattern()) else { continue };
            let rooted = self.raw.edges.iter().any(|(s, t, _)| {
                let owner = &self.nodes[*s as usize];
                *t as usize == b && *s as usize != b && owner.is_pattern() && owner.at.is_none()
            });
            if a != b && self.nodes[b].sort.is_some() && self.nodes[b].at.is_none() && !rooted {
                self.nodes[b].at = Some(level);
            }
        }
        for node in 0..self.nodes.len() {
            if !self.nodes[node].is_pattern() {
                continue;
            }
            let first = root(&same, node);
            let info = self.nodes[node].clone();
            let level = info.at.unwrap_or(0);
            let slot = if first == node || self.slot_of[first] == usize::MAX {
                let kind = match info.sort {
                    Some(sort) => Slot::Data(Some(sort)),
                    None => Slot::Node(info.types.clone().map(Arc::from)),
                };
                self.new_slot(kind, level)
            } else {
                let slot = self.slot_of[first];
                self.slot_level[slot] = self.deeper(self.slot_level[slot], level);
                if let (Slot::Node(known), Some(more)) = (&self.slots[slot], &info.types) {
                    let both = match known {
                        None => more.clone(),
                        Some(known) => known.iter().zip(more).map(|(a, b)| *a && *b).collect(),
                    };
                    self.slots[slot] = Slot::Node(Some(both.into()));
                }
                slot
            };
            self.slot_of[node] = slot;
            if info.role == Some(Role::CNew)
                || (info.role == Some(Role::New) && self.context.properties.rhs_is_nac)
            {
                self.negative_slot[node] =
                    Some(self.new_slot(Slot::Node(info.types.clone().map(Arc::from)), level));
            }
        }
    }
}
