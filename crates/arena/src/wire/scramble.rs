//! Scrambled names on the wire.
//!
//! A scrambled match shows its players the rules with every name replaced, so that nobody recognises the game
//! by its words. Even without scrambling, names that are not ASCII are replaced: players count characters
//! where HTTP counts bytes, and wait forever for a character that arrives as two.

use std::collections::BTreeSet;

use game::{Rng, Seed};
use rustc_hash::FxHashMap;

use crate::wire::node::Node;

/// The words with a meaning in the languages, which keep their names.
const KEYWORDS: [&str; 20] = [
    "<=", "role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "distinct",
    "not", "or", "and", "sees", "random", "knows", "sees_xml", "nil",
];

/// A bijection between names and words for the wire.
#[derive(Debug, Clone, Default)]
pub struct Scrambler {
    out: FxHashMap<String, String>,
    back: FxHashMap<String, String>,
    /// Names by their lower-case form, if it is unique.
    folded: FxHashMap<String, String>,
}

impl Scrambler {
    /// Replaces only names that are not ASCII.
    pub fn plain(rules: &[Node]) -> Scrambler {
        let names = names(rules);
        let mut scrambler = Scrambler::default();
        for name in names.iter().filter(|name| !name.is_ascii()) {
            let letter = |c: char| if c.is_ascii() { c.to_string() } else { format!("u{:x}", u32::from(c)) };
            let spelled: String = name.chars().map(letter).collect();
            let free = |word: &String| !names.contains(word) && !scrambler.back.contains_key(word);
            let word =
                (0..).map(|n| if n == 0 { spelled.clone() } else { format!("{spelled}_{n}") }).find(free);
            scrambler.add(name, word.expect("there is always another number"));
        }
        scrambler.fold(&names);
        scrambler
    }

    /// Replaces every name by a meaningless word.
    pub fn full(rules: &[Node], seed: Seed) -> Scrambler {
        let names = names(rules);
        let mut chance = seed.rng();
        let mut scrambler = Scrambler::default();
        for name in &names {
            let free =
                |word: &String| !names.contains(word) && !scrambler.back.contains_key(word) && !is_kept(word);
            let word = std::iter::repeat_with(|| invent(&mut chance)).find(free);
            scrambler.add(name, word.expect("there is always another word"));
        }
        scrambler.fold(&names);
        scrambler
    }

    fn add(&mut self, name: &str, word: String) {
        self.out.insert(name.to_string(), word.clone());
        self.back.insert(word, name.to_string());
    }

    fn fold(&mut self, names: &BTreeSet<String>) {
        let mut double = BTreeSet::new();
        for name in names {
            let lower = name.to_lowercase();
            if self.folded.insert(lower.clone(), name.clone()).is_some() {
                double.insert(lower);
            }
        }
        double.iter().for_each(|lower| drop(self.folded.remove(lower)));
    }

    /// Replaces the names for the wire.
    pub fn hide(&self, node: &Node) -> Node {
        node.map(&mut |word| self.hide_word(word))
    }

    /// Replaces one word for the wire. Variables keep their mark.
    pub fn hide_word(&self, word: &str) -> String {
        let (mark, name) = mark(word);
        match self.out.get(name) {
            Some(other) => format!("{mark}{other}"),
            None => word.to_string(),
        }
    }

    /// Restores the names. Words are found regardless of case, and words that are not names of this match
    /// stay unchanged.
    pub fn reveal(&self, node: &Node) -> Node {
        node.map(&mut |word| {
            let lower = word.to_lowercase();
            let known = self.back.get(word).or_else(|| self.back.get(&lower));
            known.or_else(|| self.folded.get(&lower)).map_or_else(|| word.to_string(), String::clone)
        })
    }
}

fn mark(word: &str) -> (&str, &str) {
    word.strip_prefix('?').map_or(("", word), |name| ("?", name))
}

fn is_kept(name: &str) -> bool {
    let integer = name.strip_prefix(['-', '+']).unwrap_or(name);
    KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
        || name.is_empty()
        || integer.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns all names of the rules that may be replaced.
fn names(rules: &[Node]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut visit = |word: &str| {
        let (_, name) = mark(word);
        if !is_kept(name) {
            names.insert(name.to_string());
        }
    };
    rules.iter().for_each(|rule| rule.for_each_word(&mut visit));
    names
}

/// Invents a word of two to four syllables.
fn invent(chance: &mut Rng) -> String {
    let (consonants, vowels) = (b"bcdfghjklmnprstvwz", b"aeiou");
    let mut word = String::new();
    for _ in 0..2 + chance.below(3) {
        word.push(char::from(consonants[chance.below(consonants.len())]));
        word.push(char::from(vowels[chance.below(vowels.len())]));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str =
        "(role red) (role random) (init (cell 1 1 b)) (<= (legal red (mark ?x)) (true (cell ?x 1 Größe)))";

    #[test]
    fn scrambled_rules_have_the_same_shape_and_come_back() {
        let rules = Node::read_all(RULES).unwrap();
        let scrambler = Scrambler::full(&rules, Seed(1));
        let hidden: Vec<Node> = rules.iter().map(|rule| scrambler.hide(rule)).collect();
        let text = hidden.iter().map(Node::compact).collect::<Vec<_>>().join(" ");
        assert!(text.is_ascii() && !text.contains("red") && !text.contains("mark"), "{text}");
        assert!(text.contains("(role random)") && text.contains(" 1 1 ") && text.contains(" ?"), "{text}");
        let back = hidden.iter().map(|rule| scrambler.reveal(&rule.map(&mut |w| w.to_uppercase())));
        let shown = scrambler.hide(&rules[0]).compact().to_uppercase();
        let revealed = scrambler.reveal(&Node::read_all(&shown).unwrap()[0]).compact();
        assert_eq!((back.count(), revealed.as_str()), (4, "(ROLE red)"));
        // A move that was not scrambled is understood as well.
        let plain = Node::read_all("(mark 1)").unwrap();
        assert_eq!(scrambler.reveal(&plain[0]).compact(), "(mark 1)");
    }

    #[test]
    fn names_that_are_not_ascii_are_spelled() {
        let rules = Node::read_all(RULES).unwrap();
        let scrambler = Scrambler::plain(&rules);
        assert_eq!(scrambler.hide(&rules[2]).compact(), "(init (cell 1 1 b))");
        let rule = scrambler.hide(&rules[3]);
        assert_eq!(rule.compact(), "(<= (legal red (mark ?x)) (true (cell ?x 1 Gruf6udfe)))");
        assert_eq!(scrambler.reveal(&rule), rules[3]);
    }
}
