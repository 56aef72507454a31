//! Regular expressions over labels, and the automata that match them.

use rustc_hash::FxHashSet;

use crate::error::RegexpError;

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Regexp {
    /// A label; flags and types keep their prefix.
    Atom(String),
    /// A wildcard: any label, possibly named, possibly restricted to or excluding a list.
    Wild(Wild),
    /// The empty path.
    Empty,
    /// A sequence.
    Seq(Vec<Regexp>),
    /// A choice.
    Choice(Vec<Regexp>),
    /// Any number of repetitions.
    Star(Box<Regexp>),
    /// At least one repetition.
    Plus(Box<Regexp>),
    /// The inverse: edges are followed backwards.
    Inverse(Box<Regexp>),
    /// A negation, which can only be outermost.
    Not(Box<Regexp>),
}

/// A wildcard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wild {
    /// Whether it matches flags, types or ordinary labels.
    pub kind: WildKind,
    /// The name that the matched label is bound to.
    pub name: Option<String>,
    /// The labels that it is restricted to, or that are excluded.
    pub labels: Vec<String>,
    /// Whether `labels` are excluded.
    pub excluded: bool,
}

/// What a wildcard matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WildKind {
    /// Ordinary labels.
    #[default]
    Edge,
    /// Flags.
    Flag,
    /// Types.
    Type,
}

impl Regexp {
    /// Parses an expression.
    pub fn parse(text: &str) -> Result<Regexp, RegexpError> {
        let text = text.trim();
        let text = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
        let mut parser = Parser { chars: text.chars().collect(), at: 0, depth: 0 };
        let expression = if parser.take('!') {
            // `!=` says that two nodes must differ.
            Regexp::Not(Box::new(parser.choice()?))
        } else {
            parser.choice()?
        };
        parser.space();
        match parser.chars.get(parser.at) {
            None => Ok(expression),
            Some(c) => Err(format!("unexpected `{c}` in the label; put other text in quotes '…'.").into()),
        }
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn space(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn take(&mut self, c: char) -> bool {
        self.space();
        let found = self.chars.get(self.at) == Some(&c);
        self.at += usize::from(found);
        found
    }

    fn choice(&mut self) -> Result<Regexp, RegexpError> {
        let mut parts = vec![self.sequence()?];
        while self.take('|') {
            parts.push(self.sequence()?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Regexp::Choice(parts) })
    }

    fn sequence(&mut self) -> Result<Regexp, RegexpError> {
        let mut parts = vec![self.postfix()?];
        while self.take('.') {
            parts.push(self.postfix()?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Regexp::Seq(parts) })
    }

    fn postfix(&mut self) -> Result<Regexp, RegexpError> {
        self.depth += 1;
        if self.depth > 64 {
            return Err("the label is nested too deeply.".into());
        }
        let mut inner =
            if self.take('-') { Regexp::Inverse(Box::new(self.postfix()?)) } else { self.primary()? };
        loop {
            if self.take('*') {
                inner = Regexp::Star(Box::new(inner));
            } else if self.take('+') {
                inner = Regexp::Plus(Box::new(inner));
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(inner)
    }

    fn primary(&mut self) -> Result<Regexp, RegexpError> {
        if self.take('(') {
            let inner = self.choice()?;
            return if self.take(')') { Ok(inner) } else { Err("missing `)` in the label.".into()) };
        }
        if self.take('=') {
            return Ok(Regexp::Empty);
        }
        if self.take('?') {
            return self.wild(WildKind::Edge);
        }
        if self.take('\'') {
            let mut text = String::new();
            loop {
                match self.chars.get(self.at) {
                    Some('\'') => break,
                    Some('\\') => self.at += 1,
                    Some(_) => {}
                    None => return Err("the quote in the label is never closed.".into()),
                }
                text.extend(self.chars.get(self.at));
                self.at += 1;
            }
            self.at += 1;
            return Ok(Regexp::Atom(text));
        }
        let word = self.word();
        for (prefix, kind) in [("flag", WildKind::Flag), ("type", WildKind::Type)] {
            if word == prefix && self.chars.get(self.at) == Some(&':') {
                self.at += 1;
                if self.take('?') {
                    return self.wild(kind);
                }
                let sharp = if self.take('#') { "#" } else { "" };
                let name = self.word();
                return if name.is_empty() {
                    Err(format!("missing name after `{prefix}:`.").into())
                } else {
                    Ok(Regexp::Atom(format!("{prefix}:{sharp}{name}")))
                };
            }
        }
        if word.is_empty() {
            let found = self.chars.get(self.at).map_or("the end".to_string(), |c| format!("`{c}`"));
            return Err(format!("expected a label, found {found}; put other text in quotes '…'.").into());
        }
        Ok(Regexp::Atom(word))
    }

    fn wild(&mut self, kind: WildKind) -> Result<Regexp, RegexpError> {
        let name = Some(self.word()).filter(|name| !name.is_empty());
        let mut wild = Wild { kind, name, ..Wild::default() };
        if self.take('[') {
            wild.excluded = self.take('^');
            loop {
                self.space();
                wild.labels.push(self.word());
                if self.take(']') {
                    break;
                }
                if !self.take(',') {
                    return Err("missing `]` in the label.".into());
                }
            }
        }
        Ok(Regexp::Wild(wild))
    }

    fn word(&mut self) -> String {
        self.space();
        let mut word = String::new();
        while let Some(&c) = self.chars.get(self.at) {
            let dash = c == '-'
                && !word.is_empty()
                && self.chars.get(self.at + 1).is_some_and(|n| n.is_alphanumeric() || "_$-".contains(*n));
            if !(c.is_alphanumeric() || c == '_' || c == '$' || dash) {
                break;
            }
            word.push(c);
            self.at += 1;
        }
        word
    }
}

/// One transition of an automaton.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Move {
    /// Along an edge with this label; `true` for backwards.
    Edge(u32, bool),
    /// Along an edge with one of these labels; `true` for backwards.
    Any(Vec<u32>, bool),
    /// Stays at the node if it has one of these types.
    Type(Vec<u16>),
}

/// A nondeterministic finite automaton over edges.
#[derive(Debug, Clone, Default)]
pub struct Automaton {
    /// The transitions of each state, with their target states.
    pub moves: Vec<Vec<(Move, usize)>>,
    /// The silent transitions of each state.
    pub silent: Vec<Vec<usize>>,
    /// The initial state.
    pub start: usize,
    /// The accepting state.
    pub end: usize,
}

/// The maximum number of states times nodes for which visited pairs are kept in a bit set.
const SMALL: usize = 1 << 14;

impl Automaton {
    /// Builds the automaton of an expression (Thompson's construction). `resolve` returns the
    /// transition of an atom or wildcard.
    pub fn new(
        expression: &Regexp,
        resolve: &mut impl FnMut(&Regexp) -> Result<Move, RegexpError>,
    ) -> Result<Automaton, RegexpError> {
        let mut automaton = Automaton::default();
        let (start, end) = (automaton.state(), automaton.state());
        (automaton.start, automaton.end) = (start, end);
        automaton.add(expression, start, end, false, resolve)?;
        Ok(automaton)
    }

    fn state(&mut self) -> usize {
        self.moves.push(Vec::new());
        self.silent.push(Vec::new());
        self.moves.len() - 1
    }

    fn add(
        &mut self,
        expression: &Regexp,
        from: usize,
        to: usize,
        back: bool,
        resolve: &mut impl FnMut(&Regexp) -> Result<Move, RegexpError>,
    ) -> Result<(), RegexpError> {
        match expression {
            Regexp::Atom(_) | Regexp::Wild(_) => {
                let step = match resolve(expression)? {
                    Move::Edge(label, _) => Move::Edge(label, back),
                    Move::Any(labels, _) => Move::Any(labels, back),
                    other => other,
                };
                self.moves[from].push((step, to));
            }
            Regexp::Empty => self.silent[from].push(to),
            Regexp::Seq(parts) => {
                let mut at = from;
                let order: Vec<&Regexp> =
                    if back { parts.iter().rev().collect() } else { parts.iter().collect() };
                for (number, part) in order.iter().enumerate() {
                    let next = if number + 1 == order.len() { to } else { self.state() };
                    self.add(part, at, next, back, resolve)?;
                    at = next;
                }
            }
            Regexp::Choice(parts) => {
                for part in parts {
                    self.add(part, from, to, back, resolve)?;
                }
            }
            Regexp::Star(inner) | Regexp::Plus(inner) => {
                let (enter, leave) = (self.state(), self.state());
                self.silent[from].push(enter);
                self.silent[leave].push(enter);
                self.silent[leave].push(to);
                if matches!(expression, Regexp::Star(_)) {
                    self.silent[from].push(to);
                }
                self.add(inner, enter, leave, back, resolve)?;
            }
            Regexp::Inverse(inner) => self.add(inner, from, to, !back, resolve)?,
            Regexp::Not(_) => return Err("`!` is only allowed at the beginning.".into()),
        }
        Ok(())
    }

    /// Returns the nodes at which a path from `start` can end or, if `backwards`, at which a
    /// path to `start` can begin. `nodes` is the highest node number plus one.
    pub fn reach(
        &self,
        start: u32,
        backwards: bool,
        nodes: usize,
        follow: &impl Fn(&Move, bool, u32, &mut Vec<u32>),
    ) -> Vec<u32> {
        let (first, last) = if backwards { (self.end, self.start) } else { (self.start, self.end) };
        // This is a search in the product of the automaton and the graph.
        let mut seen: FxHashSet<(usize, u32)> = FxHashSet::default();
        // In a small graph, one bit per automaton state and node.
        let small = self.moves.len() * nodes <= SMALL;
        let mut marked = vec![0u64; if small { self.moves.len() * nodes / 64 + 1 } else { 0 }];
        let mut work = vec![(first, start)];
        let (mut ends, mut next) = (Vec::new(), Vec::new());
        while let Some((state, node)) = work.pop() {
            if small && (node as usize) < nodes {
                let at = state * nodes + node as usize;
                if marked[at / 64] >> (at % 64) & 1 == 1 {
                    continue;
                }
                marked[at / 64] |= 1 << (at % 64);
            } else if !seen.insert((state, node)) {
                continue;
            }
            if state == last {
                ends.push(node);
            }
            if backwards {
                for (source, moves) in self.moves.iter().enumerate() {
                    for (step, target) in moves {
                        if *target == state {
                            next.clear();
                            follow(step, true, node, &mut next);
                            work.extend(next.iter().map(|&n| (source, n)));
                        }
                    }
                }
                for (source, targets) in self.silent.iter().enumerate() {
                    if targets.contains(&state) {
                        work.push((source, node));
                    }
                }
            } else {
                for (step, target) in &self.moves[state] {
                    next.clear();
                    follow(step, false, node, &mut next);
                    work.extend(next.iter().map(|&n| (*target, n)));
                }
                work.extend(self.silent[state].iter().map(|&s| (s, node)));
            }
        }
        ends.sort_unstable();
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let atom = |text: &str| Regexp::Atom(text.to_string());
        assert_eq!(Regexp::parse("next"), Ok(atom("next")));
        assert_eq!(
            Regexp::parse("next*.val"),
            Ok(Regexp::Seq(vec![Regexp::Star(Box::new(atom("next"))), atom("val")]))
        );
        assert_eq!(Regexp::parse("1 | 2"), Ok(Regexp::Choice(vec![atom("1"), atom("2")])));
        assert_eq!(Regexp::parse("!="), Ok(Regexp::Not(Box::new(Regexp::Empty))));
        assert_eq!(Regexp::parse("{-a}"), Ok(Regexp::Inverse(Box::new(atom("a")))));
        assert_eq!(Regexp::parse("'a b'"), Ok(atom("a b")));
        assert_eq!(Regexp::parse("c-to-b"), Ok(atom("c-to-b")));
        let Ok(Regexp::Wild(wild)) = Regexp::parse("?x[^a,b]") else { panic!("a wildcard") };
        assert!(wild.excluded && wild.labels == ["a", "b"] && wild.name.as_deref() == Some("x"));
        assert!(Regexp::parse("a b").is_err());
        assert!(Regexp::parse(&"(".repeat(1000)).is_err());
    }
}
