//! The names of variables, which the two forms spell differently.
//!
//! `?x` in the prefix form is `X` in the infix form, so converting there and back usually
//! changes nothing. An all-capital name such as `MAX` stays as it is. Some names have no
//! spelling of their own in the infix form (`?X` next to `?x`, `?1`, `?a=b`); they get a
//! spelling that is unused in their clause.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::lexer::is_word_char;
use crate::{Clause, Literal, LiteralKind, Name, Term, TermKind};

/// The spelling of an anonymous variable, one that occurs only once and whose name says nothing.
pub(super) const ANONYMOUS: &str = "_";

/// Returns the name of a variable spelled like this in infix text: `x` for `X`.
pub(super) fn name_of(spelling: &str) -> Cow<'_, str> {
    let mut chars = spelling.chars();
    let Some(first) = chars.next() else { return Cow::Borrowed(spelling) };
    let rest = chars.as_str();
    let acronym = rest.starts_with(char::is_uppercase);
    match single(first.to_lowercase()) {
        Some(lower) if !acronym && single(lower.to_uppercase()) == Some(first) => {
            Cow::Owned(format!("{lower}{rest}"))
        }
        _ => Cow::Borrowed(spelling),
    }
}

/// Returns the preferred spelling of a variable, which always reads as a variable in infix text.
fn wish(name: &str) -> String {
    let clean: String = name.chars().map(|char| if is_word_char(char) { char } else { '_' }).collect();
    let mut chars = clean.chars();
    let Some(first) = chars.next() else { return "V".to_string() };
    let rest = chars.as_str();
    if first.is_uppercase() || (first == '_' && !rest.is_empty()) {
        return clean;
    }
    match single(first.to_uppercase()) {
        Some(upper) if upper.is_uppercase() => format!("{upper}{rest}"),
        _ => format!("V{clean}"),
    }
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

/// The spellings of the variables of one clause, without the anonymous ones.
#[derive(Default)]
pub(super) struct Spellings {
    spellings: HashMap<Name, String>,
}

impl Spellings {
    /// Chooses distinct spellings for distinct names.
    pub fn of(clause: &Clause) -> Spellings {
        let mut order: Vec<&Name> = Vec::new();
        let mut uses: HashMap<&Name, usize> = HashMap::new();
        each_variable(clause, &mut |name| {
            let count = uses.entry(name).or_insert(0);
            if *count == 0 {
                order.push(name);
            }
            *count += 1;
        });
        let mut spellings = HashMap::new();
        let mut taken = HashSet::new();
        let mut others = Vec::new();
        for name in order {
            if uses[name] == 1 && is_numbered(name) {
                continue;
            }
            let spelling = wish(name);
            if name_of(&spelling) == **name {
                taken.insert(spelling.clone());
                spellings.insert(name.clone(), spelling);
            } else {
                others.push((name, spelling));
            }
        }
        let mut next_number: HashMap<String, usize> = HashMap::new();
        for (name, wish) in others {
            let mut spelling = wish.clone();
            let number = next_number.entry(wish).or_insert(2);
            let stem = spelling.clone();
            while !taken.insert(spelling.clone()) {
                spelling = format!("{stem}{number}");
                *number += 1;
            }
            spellings.insert(name.clone(), spelling);
        }
        Spellings { spellings }
    }

    /// Returns the spelling of a variable of the clause.
    pub fn get(&self, name: &Name) -> &str {
        self.spellings.get(name).map_or(ANONYMOUS, String::as_str)
    }
}

/// Returns `true` if [`name_anonymous`] could have produced this name.
fn is_numbered(name: &str) -> bool {
    name.strip_prefix('_')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Gives each `_` in a clause a distinct name: `_1`, `_2` and so on.
pub(super) fn name_anonymous(clause: &mut Clause) {
    let mut used: HashSet<Name> = HashSet::new();
    each_variable(clause, &mut |name| {
        if is_numbered(name) {
            used.insert(name.clone());
        }
    });
    let mut number = 0;
    let mut fresh = |name: &mut Name| {
        while &**name == ANONYMOUS {
            number += 1;
            let next = Name::from(format!("_{number}"));
            if !used.contains(&next) {
                *name = next;
            }
        }
    };
    rename(&mut clause.head, &mut fresh);
    for literal in &mut clause.body {
        rename_literal(literal, &mut fresh);
    }
}

fn each_variable<'c>(clause: &'c Clause, visit: &mut impl FnMut(&'c Name)) {
    variables_of_term(&clause.head, visit);
    for literal in &clause.body {
        variables_of_literal(literal, visit);
    }
}

fn variables_of_literal<'c>(literal: &'c Literal, visit: &mut impl FnMut(&'c Name)) {
    match &literal.kind {
        LiteralKind::Atom(term) => variables_of_term(term, visit),
        LiteralKind::Not(inner) => variables_of_literal(inner, visit),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            parts.iter().for_each(|part| variables_of_literal(part, visit));
        }
        LiteralKind::Distinct(one, other) => {
            variables_of_term(one, visit);
            variables_of_term(other, visit);
        }
    }
}

fn variables_of_term<'c>(term: &'c Term, visit: &mut impl FnMut(&'c Name)) {
    match &term.kind {
        TermKind::Constant(_) => {}
        TermKind::Variable(name) => visit(name),
        TermKind::Compound(_, arguments) => arguments.iter().for_each(|term| variables_of_term(term, visit)),
    }
}

fn rename_literal(literal: &mut Literal, fresh: &mut impl FnMut(&mut Name)) {
    match &mut literal.kind {
        LiteralKind::Atom(term) => rename(term, fresh),
        LiteralKind::Not(inner) => rename_literal(inner, fresh),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            parts.iter_mut().for_each(|part| rename_literal(part, fresh));
        }
        LiteralKind::Distinct(one, other) => {
            rename(one, fresh);
            rename(other, fresh);
        }
    }
}

fn rename(term: &mut Term, fresh: &mut impl FnMut(&mut Name)) {
    match &mut term.kind {
        TermKind::Constant(_) => {}
        TermKind::Variable(name) => fresh(name),
        TermKind::Compound(_, arguments) => arguments.iter_mut().for_each(|term| rename(term, fresh)),
    }
}
