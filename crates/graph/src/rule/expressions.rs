//! `let:`, `test:` and operators in rules.

use super::build::{Builder, Fail};
use super::constraints::Constraint;
use super::{LabelRef, Slot};
use crate::ExprError;
use crate::expr::{Expr, Op};
use crate::label::Role;
use crate::value::{Item, Value};

impl Builder<'_> {
    /// Parses an expression and replaces its names by slots. A name denotes a data node, or
    /// else an attribute of `node`.
    pub(super) fn resolved(&mut self, text: &str, node: Option<usize>) -> Result<Expr, Fail> {
        let expr = Expr::parse(text)?;
        self.resolved_expr(&expr, node)
    }

    fn resolved_expr(&mut self, expr: &Expr, node: Option<usize>) -> Result<Expr, Fail> {
        let mut find = |name: &Expr| match name {
            Expr::Name(name) => {
                if let Some(&raw) = self.ids.get(name)
                    && self.nodes[raw].sort.is_some()
                {
                    return Ok(Expr::Slot(self.slot_of[raw]));
                }
                let node = node.ok_or_else(|| format!("unknown name `{name}`."))?;
                Ok(Expr::Slot(self.field(node, name)?))
            }
            Expr::Field(owner, name) => {
                let missing = || format!("there is no node with `id:{owner}`.");
                let raw = if owner == "self" { node } else { self.ids.get(owner).copied() };
                Ok(Expr::Slot(self.field(raw.ok_or_else(missing)?, name)?))
            }
            other => Ok(other.clone()),
        };
        Ok(expr.resolve(&mut find)?)
    }

    /// Returns the slot of a node's attribute.
    fn field(&mut self, raw: usize, name: &str) -> Result<usize, ExprError> {
        let node = self.slot_of[raw];
        let label = self.context.vocabulary.find_label(name);
        let label = label.ok_or_else(|| format!("there is no attribute `{name}`."))?;
        if let Some(&slot) = self.fields.get(&(node, label)) {
            return Ok(slot);
        }
        let level = self.slot_level[node];
        let slot = self.new_slot(Slot::Data(None), level);
        self.fields.insert((node, label), slot);
        self.drafts[level].constraints.push(Constraint::Edge(label, node, slot));
        Ok(slot)
    }

    /// Processes `let:name=expr` at a node.
    pub(super) fn assign(&mut self, raw: usize, role: Option<Role>, text: &str) -> Result<(), Fail> {
        let (name, text) = text.split_once('=').ok_or("missing `=`.")?;
        let name = name.trim();
        let label = self.context.vocabulary.find_label(name).ok_or("there is no such attribute.")?;
        let node = self.slot_of[raw];
        let new_node = matches!(self.nodes[raw].role, Some(Role::New | Role::CNew));
        let expr = self.resolved(text, Some(raw).filter(|_| !new_node))?;
        let level = self.slot_level[node];
        let edge = |slot| (LabelRef::Fixed(label), node, slot);
        if role == Some(Role::Del) {
            let slot = self.value_slot(expr, level);
            self.drafts[level].constraints.push(Constraint::Edge(label, node, slot));
            self.drafts[level].level.erase_edges.push(edge(slot));
            return Ok(());
        }
        if role == Some(Role::Not) {
            return Err("`not:let:` is not allowed; use `test:` to compare attributes.".into());
        }
        if !new_node && role != Some(Role::New) {
            let old = self.field(raw, name)?;
            self.drafts[level].level.erase_edges.push(edge(old));
        }
        let slot = self.value_slot(expr, level);
        self.drafts[level].level.new_edges.push(edge(slot));
        Ok(())
    }

    /// Processes `test:expr` or `test:name=expr` at a node.
    pub(super) fn test(&mut self, raw: usize, text: &str) -> Result<(), Fail> {
        let node = self.slot_of[raw];
        let level = self.slot_level[node];
        let single = text.char_indices().find(|&(at, c)| {
            let before = text[..at].chars().last();
            let after = text[at + 1..].chars().next();
            c == '=' && !matches!(before, Some('=' | '!' | '<' | '>')) && after != Some('=')
        });
        let (name, expr) = match single {
            Some((at, _)) => {
                let expr = self.resolved(&text[at + 1..], Some(raw))?;
                (Some((raw, text[..at].trim().to_string())), expr)
            }
            None => match Expr::parse(text)? {
                // An attribute compared with a constant is an edge to that constant.
                Expr::Apply(Op::Eq, args)
                    if matches!(&args[..], [Expr::Name(n), Expr::Const(v)]
                    if !matches!(v, Value::Real(_)) && !self.ids.contains_key(n)) =>
                {
                    let [Expr::Name(name), value] = &args[..] else { unreachable!("just compared") };
                    (Some((raw, name.clone())), value.clone())
                }
                expr => (None, self.resolved_expr(&expr, Some(raw))?),
            },
        };
        match name {
            Some((raw, name)) => {
                let label = self.context.vocabulary.find_label(&name).ok_or("there is no such attribute.")?;
                let slot = self.value_slot(expr, level);
                self.drafts[level].constraints.push(Constraint::Edge(label, self.slot_of[raw], slot));
            }
            None => {
                let level = self.deepest(&expr, level);
                self.drafts[level].constraints.push(Constraint::Test(expr));
            }
        }
        Ok(())
    }

    fn deepest(&self, expr: &Expr, level: usize) -> usize {
        let mut deepest = level;
        expr.slots(&mut |slot| {
            if self.depth(self.slot_level[slot]) > self.depth(deepest) {
                deepest = self.slot_level[slot];
            }
        });
        deepest
    }

    /// Returns a slot for the value of an expression.
    fn value_slot(&mut self, expr: Expr, level: usize) -> usize {
        if let Expr::Slot(slot) = expr {
            return slot;
        }
        let level = self.deepest(&expr, level);
        let slot = self.new_slot(Slot::Data(None), level);
        match expr {
            Expr::Const(value) => self.template[slot] = self.context.values.item(&value),
            expr => self.drafts[level].constraints.push(Constraint::Eval(expr, slot)),
        }
        slot
    }

    /// Processes the content of a data node: a value or an expression.
    pub(super) fn content(&mut self, raw: usize, text: &str) -> Result<(), Fail> {
        let slot = self.slot_of[raw];
        match self.resolved(text, None)? {
            Expr::Const(value) => {
                if value.sort() != self.nodes[raw].sort {
                    return Err("the value does not have this sort.".into());
                }
                let item = self.context.values.item(&value);
                if self.template[slot] != Item::NONE && self.template[slot] != item {
                    return Err("the node has two values.".into());
                }
                self.template[slot] = item;
            }
            expr => {
                let level = self.deepest(&expr, self.slot_level[slot]);
                self.drafts[level].constraints.push(Constraint::Eval(expr, slot));
            }
        }
        Ok(())
    }

    /// Processes an operator edge from a product node to its result.
    pub(super) fn operator(&mut self, raw: usize, result: usize, name: &str) -> Result<(), Fail> {
        let (op, count) =
            Op::named(name).ok_or_else(|| format!("the operator `{name}` is not supported."))?;
        let mut args = Vec::new();
        for number in 0..count {
            let arg = self.nodes[raw].arguments.iter().find(|(n, _)| *n == number);
            let (_, arg) = *arg.ok_or_else(|| format!("the edge `arg:{number}` is missing."))?;
            args.push(Expr::Slot(self.slot_of[arg]));
        }
        let expr = Expr::Apply(op, args);
        let slot = self.slot_of[result];
        let level = self.deepest(&expr, self.slot_level[slot]);
        self.drafts[level].constraints.push(Constraint::Eval(expr, slot));
        Ok(())
    }
}
