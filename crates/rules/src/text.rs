//! Printing of rules, atoms and terms for messages and tests.

use std::fmt::Write;

use gdl::Name;

use crate::{Atom, Literal, Relation, Rule, Rules, Symbols, Term};

impl Rules {
    /// Returns a rule in prefix form. Auxiliary relations appear under their names.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let writer =
            Writer { symbols: &self.symbols, relations: &self.relations, variables: &rule.variables };
        writer.rule(rule)
    }

    /// Returns an atom of a rule in prefix form.
    pub fn atom_text(&self, rule: &Rule, atom: &Atom) -> String {
        let writer =
            Writer { symbols: &self.symbols, relations: &self.relations, variables: &rule.variables };
        writer.atom(atom)
    }
}

/// The names needed to print rules, atoms and terms.
pub(crate) struct Writer<'a> {
    pub symbols: &'a Symbols,
    pub relations: &'a [Relation],
    pub variables: &'a [Name],
}

impl Writer<'_> {
    fn rule(&self, rule: &Rule) -> String {
        if rule.body.is_empty() {
            return self.atom(&rule.head);
        }
        let mut text = format!("(<= {}", self.atom(&rule.head));
        for literal in &rule.body {
            let part = match literal {
                Literal::Positive(atom) => self.atom(atom),
                Literal::Negative(atom) => format!("(not {})", self.atom(atom)),
                Literal::Distinct(a, b) => format!("(distinct {} {})", self.term(a), self.term(b)),
            };
            let _ = write!(text, " {part}");
        }
        text + ")"
    }

    /// Returns an atom in prefix form.
    pub fn atom(&self, atom: &Atom) -> String {
        let name = &self.relations[atom.relation.index()].name;
        if atom.arguments.is_empty() {
            return name.to_string();
        }
        let mut text = format!("({name}");
        for argument in &atom.arguments {
            text.push(' ');
            self.write(argument, &mut text);
        }
        text + ")"
    }

    /// Returns a term in prefix form.
    pub fn term(&self, term: &Term) -> String {
        let mut text = String::new();
        self.write(term, &mut text);
        text
    }

    fn write(&self, term: &Term, out: &mut String) {
        match term {
            Term::Constant(name) => out.push_str(self.symbols.name(*name)),
            Term::Variable(v) => {
                out.push('?');
                out.push_str(&self.variables[v.0 as usize]);
            }
            Term::Function(name, arguments) => {
                out.push('(');
                out.push_str(self.symbols.name(*name));
                for argument in arguments {
                    out.push(' ');
                    self.write(argument, out);
                }
                out.push(')');
            }
        }
    }
}

/// Truncates a text to fit on one line of a message.
pub(crate) fn brief(text: impl Into<String>) -> String {
    const MAX: usize = 60;
    let text = text.into();
    match text.char_indices().nth(MAX) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
