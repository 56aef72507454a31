//! Names: keywords in any case are one word, equal names share one allocation,
//! and every name can be written in the prefix form.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::Name;

/// Words that mean the same in any spelling.
const KEYWORDS: [&str; 17] = [
    "init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "random", "sees",
    "percept", "knows", "distinct", "not", "or",
];

/// The keyword that `word` spells, in any case.
pub(crate) fn keyword(word: &str) -> Option<&'static str> {
    if word.len() > 8 {
        return None;
    }
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// A word that joins literals rather than naming a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connective {
    Not,
    Or,
    And,
    Distinct,
}

impl Connective {
    /// The connective that `word` spells, in any case.
    pub fn of(word: &str) -> Option<Connective> {
        [Connective::Not, Connective::Or, Connective::And, Connective::Distinct]
            .into_iter()
            .find(|connective| connective.word().eq_ignore_ascii_case(word))
    }

    pub fn word(self) -> &'static str {
        match self {
            Connective::Not => "not",
            Connective::Or => "or",
            Connective::And => "and",
            Connective::Distinct => "distinct",
        }
    }
}

/// The names of one parse.
///
/// Names are found by a keyed hash, so that no text can be made of colliding
/// ones; two that collide all the same are merely not shared. The table is never
/// iterated, so the key shows nowhere.
#[derive(Default)]
pub(crate) struct Interner {
    key: RandomState,
    names: HashMap<u64, Name, BuildHasherDefault<Hashed>>,
}

impl Interner {
    /// The name `word` stands for: keywords folded, all else as written.
    pub fn symbol(&mut self, word: &str) -> Name {
        self.exact(keyword(word).unwrap_or(word))
    }

    /// The name `word` as written.
    pub fn exact(&mut self, word: &str) -> Name {
        let name = self.names.entry(self.key.hash_one(word)).or_insert_with(|| Name::from(word));
        if **name == *word { name.clone() } else { Name::from(word) }
    }
}

/// Passes on a hash that has been made already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
}

/// White space: between words, never in them. Zero-width spaces and byte order marks count.
pub(crate) fn is_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{feff}' | '\u{200b}')
}

/// A character that ends a word in the prefix form.
pub(crate) fn ends_word(char: char) -> bool {
    matches!(char, '(' | ')' | ';') || is_space(char)
}

/// Whether a word is the arrow of one of the two forms, which names nothing.
pub(crate) fn is_arrow(word: &str) -> bool {
    matches!(word, "<=" | ":-")
}

/// The name of a constant such that the prefix form can write it: itself for every name a prefix text holds.
pub(crate) fn writable_symbol(name: &str) -> Cow<'_, str> {
    if is_arrow(name) || name.starts_with('?') {
        return Cow::Owned(writable(&name[1..], "_").into_owned());
    }
    writable(name, "")
}

/// The name of a variable, without its mark, such that the prefix form can write it.
pub(crate) fn writable_variable(name: &str) -> Cow<'_, str> {
    writable(name, "")
}

fn writable<'n>(name: &'n str, before: &str) -> Cow<'n, str> {
    if before.is_empty() && !name.is_empty() && !name.contains(ends_word) {
        return Cow::Borrowed(name);
    }
    let mut text = String::from(before);
    text.extend(name.chars().map(|char| if ends_word(char) { '_' } else { char }));
    if text.is_empty() {
        text.push('_');
    }
    Cow::Owned(text)
}

/// Whether a word is a tag of a web page, which copied sheets now and then begin or end with.
pub(crate) fn is_markup(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('<') else { return false };
    rest.starts_with(|char: char| char.is_ascii_alphabetic() || matches!(char, '/' | '!'))
}
