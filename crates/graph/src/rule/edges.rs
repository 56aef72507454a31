//! The edges of a rule's file, and the part of the rule each belongs to.

use std::sync::Arc;

use super::LabelRef;
use super::Slot;
use super::build::{Builder, Fail, Negative};
use super::constraints::Constraint;
use crate::RegexpError;
use crate::host::unquoted;
use crate::label::{Label, Role, Said};
use crate::regexp::{Automaton, Move, Regexp, Wild, WildKind};
use crate::vocabulary::{LabelId, TypeId};

/// What a label on an edge requires.
pub(super) enum Wanted {
    Label(LabelId),
    Wild(Arc<[LabelId]>, Option<usize>),
    Path(Arc<Automaton>),
    Same,
    Type(Arc<[bool]>),
}

impl Builder<'_> {
    /// Processes an edge, or a label at a node that is about more than the node.
    pub(super) fn edge(&mut self, a: usize, b: usize, label: &Label, _injective: bool) -> Result<(), Fail> {
        let wanted = match &label.said {
            Said::Nothing
            | Said::Remark(_)
            | Said::Display
            | Said::Id(_)
            | Said::Parameter(..)
            | Said::Product
            | Said::Quantifier(..) => return Ok(()),
            Said::Argument(_) => return Ok(()),
            Said::Data(_, text) if self.nodes[a].product => return self.operator(a, b, text),
            Said::Data(_, text) if a == b && text.is_empty() => return Ok(()),
            Said::Data(_, text) if a == b => return self.content(a, &text.clone()),
            Said::Data(..) => {
                return Err("data labels belong on nodes, or on edges from a `prod:` node.".into());
            }
            Said::Let(text) if a == b => return self.assign(a, label.role, &text.clone()),
            Said::Test(text) if a == b && label.role.is_none() => return self.test(a, &text.clone()),
            Said::Let(_) | Said::Test(_) => {
                return Err("`let:` and `test:` belong on nodes, and `test:` takes no role.".into());
            }
            Said::Or => {
                self.joined.push((a, b));
                return Ok(());
            }
            Said::Type(text) if a == b => match label.role {
                None | Some(Role::Use) => return Ok(()),
                Some(Role::Not) => Wanted::Type(self.type_set(text)?.0.into()),
                _ => return Err("the type of an existing node cannot be changed.".into()),
            },
            Said::Flag(name) if a == b => {
                Wanted::Label(self.context.vocabulary.find_flag(name).ok_or("unknown flag.")?)
            }
            Said::Flag(_) | Said::Type(_) => return Err("flags and types belong on nodes.".into()),
            Said::Literal(name) => {
                Wanted::Label(self.context.vocabulary.find_label(name).ok_or("unknown label.")?)
            }
            Said::Label(text) => return self.expression_edge(a, b, label, &text.clone()),
            Said::Nested(_) | Said::Sub | Said::Abstract => {
                return Err("this label is not allowed here.".into());
            }
        };
        self.place(a, b, label, wanted, false)
    }

    pub(super) fn expression_edge(
        &mut self,
        a: usize,
        b: usize,
        label: &Label,
        text: &str,
    ) -> Result<(), Fail> {
        let expression = Regexp::parse(text)?;
        let (expression, negated) = match expression {
            Regexp::Not(inner) => (*inner, true),
            other => (other, false),
        };
        let wanted = match &expression {
            Regexp::Empty => Wanted::Same,
            Regexp::Atom(name) if name.starts_with("flag:") && a == b => {
                Wanted::Label(self.context.vocabulary.find_flag(&name[5..]).ok_or("unknown flag.")?)
            }
            Regexp::Atom(name) if name.starts_with("type:") && a == b => {
                Wanted::Type(self.type_set(&name[5..])?.0.into())
            }
            Regexp::Atom(name) => {
                Wanted::Label(self.context.vocabulary.find_label(unquoted(name)).ok_or("unknown label.")?)
            }
            Regexp::Wild(wild) if wild.kind != WildKind::Type => {
                let labels = self.wild_labels(wild).into();
                let slot = match &wild.name {
                    None => self.new_slot(Slot::Label, 0),
                    Some(name) => match self.variables.get(name) {
                        Some(&slot) => slot,
                        None => {
                            let slot = self.new_slot(Slot::Label, 0);
                            self.variables.insert(name.clone(), slot);
                            slot
                        }
                    },
                };
                Wanted::Wild(labels, Some(slot))
            }
            other => {
                let mut resolve = |atom: &Regexp| self.step_of(atom);
                Wanted::Path(Arc::new(Automaton::new(other, &mut resolve)?))
            }
        };
        self.place(a, b, label, wanted, negated)
    }

    pub(super) fn wild_labels(&self, wild: &Wild) -> Vec<LabelId> {
        let vocabulary = self.context.vocabulary;
        let all: Vec<LabelId> = match wild.kind {
            WildKind::Flag => vocabulary.flags().collect(),
            _ => vocabulary.labels().collect(),
        };
        let listed = |label: &LabelId| wild.labels.iter().any(|name| name == vocabulary.name(*label));
        all.into_iter().filter(|label| wild.labels.is_empty() || listed(label) != wild.excluded).collect()
    }

    /// Returns the automaton transition of an atom or a wildcard.
    pub(super) fn step_of(&self, atom: &Regexp) -> Result<Move, RegexpError> {
        let vocabulary = self.context.vocabulary;
        match atom {
            Regexp::Atom(name) => {
                if let Some(flag) = name.strip_prefix("flag:") {
                    return Ok(Move::Edge(vocabulary.find_flag(flag).ok_or("unknown flag.")?, false));
                }
                if let Some(kind) = name.strip_prefix("type:") {
                    let (allowed, _) = self.type_set(kind).map_err(|Fail(text)| text)?;
                    let kinds =
                        allowed.iter().enumerate().filter(|(_, yes)| **yes).map(|(at, _)| at as TypeId);
                    return Ok(Move::Type(kinds.collect()));
                }
                Ok(Move::Edge(vocabulary.find_label(unquoted(name)).ok_or("unknown label.")?, false))
            }
            Regexp::Wild(wild) if wild.name.is_none() && wild.kind != WildKind::Type => {
                Ok(Move::Any(self.wild_labels(wild), false))
            }
            _ => Err("named wildcards within paths are not supported.".into()),
        }
    }

    /// Adds an edge to the part of the rule that its role determines.
    pub(super) fn place(
        &mut self,
        a: usize,
        b: usize,
        label: &Label,
        wanted: Wanted,
        negated: bool,
    ) -> Result<(), Fail> {
        if !self.nodes[a].is_pattern() || !self.nodes[b].is_pattern() {
            return Err("this edge must not end here.".into());
        }
        let ends = [self.nodes[a].role, self.nodes[b].role];
        let inherited = [Role::New, Role::CNew, Role::Del, Role::Not]
            .into_iter()
            .find(|role| ends.contains(&Some(*role)));
        let mut role = label.role.or(inherited).unwrap_or(Role::Use);
        if negated {
            if !matches!(role, Role::Use | Role::Not) {
                return Err("an edge that is created or erased cannot be negated.".into());
            }
            role = Role::Not;
        }
        if ends.contains(&Some(Role::Not)) && role != Role::Not {
            return Err("an edge at a forbidden node must be forbidden too.".into());
        }
        let (sa, sb) = (self.slot_of[a], self.slot_of[b]);
        let mut level = self.deeper(self.slot_level[sa], self.slot_level[sb]);
        if let Some(name) = &label.level {
            let named = self.level_names.get(name).copied().filter(|level| *level != usize::MAX);
            level = named.ok_or_else(|| format!("there is no quantifier `{name}`."))?;
        }
        let plain =
            |node: usize| self.nodes[node].role != Some(Role::Not) && self.negative_slot[node].is_none();
        if role == Role::Not && matches!(wanted, Wanted::Same) && plain(a) && plain(b) {
            self.drafts[level].constraints.push(Constraint::Differ(sa, sb));
            return Ok(());
        }
        if negated && !(plain(a) && plain(b)) {
            // Within a forbidden pattern, this is what must be absent for the pattern to match.
            let nac = |slot: usize, node: usize| self.negative_slot[node].unwrap_or(slot);
            let (na, nb) = (nac(sa, a), nac(sb, b));
            let constraint = match wanted {
                Wanted::Same => Constraint::Differ(na, nb),
                other => Constraint::Not(vec![constraint(other, na, nb, true)], Vec::new()),
            };
            self.negatives.push(Negative { constraint, ends: [a, b], level, alone: false });
            return Ok(());
        }
        if role == Role::Not {
            let nac = |slot: usize, node: usize| self.negative_slot[node].unwrap_or(slot);
            let constraint = constraint(wanted, nac(sa, a), nac(sb, b), true);
            self.negatives.push(Negative { constraint, ends: [a, b], level, alone: false });
            return Ok(());
        }
        let created = matches!(role, Role::New | Role::CNew);
        let existing = !self.nodes[a].is_new() && !self.nodes[b].is_new();
        if created && !matches!(wanted, Wanted::Same) {
            let nac = |slot: usize, node: usize| self.negative_slot[node].unwrap_or(slot);
            let grouped = role == Role::CNew || self.context.properties.rhs_is_nac;
            let alone = self.context.properties.check_creator_edges && existing;
            if (grouped || alone)
                && let Wanted::Label(name) = &wanted
            {
                let constraint = Constraint::Edge(*name, nac(sa, a), nac(sb, b));
                self.negatives.push(Negative { constraint, ends: [a, b], level, alone: !grouped });
            }
        }
        let draft = &mut self.drafts[level];
        match (role, wanted) {
            (Role::Use, Wanted::Same) => {}
            (Role::New | Role::CNew, Wanted::Same) => draft.level.merges.push((sa, sb)),
            (Role::Del, Wanted::Same | Wanted::Type(_)) => {
                return Err("equalities and types cannot be erased.".into());
            }
            (Role::New | Role::CNew, Wanted::Label(name)) => {
                draft.level.new_edges.push((LabelRef::Fixed(name), sa, sb));
            }
            (Role::New | Role::CNew, Wanted::Wild(_, Some(slot))) => {
                draft.level.new_edges.push((LabelRef::Variable(slot), sa, sb));
            }
            (Role::New | Role::CNew, _) => return Err("only plain labels can be created.".into()),
            (_, wanted) => {
                let path = matches!(wanted, Wanted::Path(_));
                let constraint = constraint(wanted, sa, sb, false);
                let edge = constraint.edge();
                draft.constraints.push(constraint);
                draft.level.pattern.extend(edge);
                if role == Role::Del {
                    if path {
                        return Err("a path cannot be erased, only edges.".into());
                    }
                    draft.level.erase_edges.extend(edge);
                }
            }
        }
        Ok(())
    }
}

fn constraint(wanted: Wanted, a: usize, b: usize, negative: bool) -> Constraint {
    match wanted {
        Wanted::Label(label) => Constraint::Edge(label, a, b),
        Wanted::Wild(labels, slot) => Constraint::Wild(labels, slot, a, b),
        Wanted::Path(automaton) => Constraint::Path(automaton, a, b),
        Wanted::Type(allowed) => Constraint::Type(a, allowed),
        // Nodes that must differ: the pattern "they are the same" is forbidden.
        Wanted::Same => {
            debug_assert!(negative, "equal nodes have one slot");
            Constraint::Path(Arc::new(same_automaton()), a, b)
        }
    }
}

fn same_automaton() -> Automaton {
    Automaton { moves: vec![Vec::new(), Vec::new()], silent: vec![vec![1], Vec::new()], start: 0, end: 1 }
}
