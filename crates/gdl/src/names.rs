//! Names: keywords are recognised in any case, equal names share one allocation, and every name
//! can be written in the prefix form.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::Name;

/// Words that are case-insensitive.
const KEYWORDS: [&str; 17] = [
    "init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "random", "sees",
    "percept", "knows", "distinct", "not", "or",
];

/// Returns the keyword that `word` spells, in any case.
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
    /// Returns the connective that `word` spells, in any case.
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

/// The names interned during one parse.
///
/// The hash is keyed, so no text can be crafted to collide. If two names collide anyway, the
/// second is simply not shared. The table is never iterated, so the random key has no visible
/// effect.
#[derive(Default)]
pub(crate) struct Interner {
    key: RandomState,
    names: HashMap<u64, Name, BuildHasherDefault<Hashed>>,
}

impl Interner {
    /// Returns the name that `word` denotes: keywords are folded to lower case, other words kept as written.
    pub fn symbol(&mut self, word: &str) -> Name {
        self.exact(keyword(word).unwrap_or(word))
    }

    /// Returns the name `word` exactly as written.
    pub fn exact(&mut self, word: &str) -> Name {
        let name = self.names.entry(self.key.hash_one(word)).or_insert_with(|| Name::from(word));
        if **name == *word { name.clone() } else { Name::from(word) }
    }
}

/// A hasher that passes on a hash computed earlier.
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

/// Returns `true` for white space, including zero-width spaces and byte order marks.
pub(crate) fn is_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{feff}' | '\u{200b}')
}

/// Returns `true` for characters that end a word in the prefix form.
pub(crate) fn ends_word(char: char) -> bool {
    matches!(char, '(' | ')' | ';') || is_space(char)
}

/// Returns `true` for the arrow of either form, which is not a name.
pub(crate) fn is_arrow(word: &str) -> bool {
    matches!(word, "<=" | ":-")
}

/// Returns a name for a constant that the prefix form can write. A name from a prefix text is unchanged.
pub(crate) fn writable_symbol(name: &str) -> Cow<'_, str> {
    if is_arrow(name) || name.starts_with('?') {
        return Cow::Owned(writable(&name[1..], "_").into_owned());
    }
    writable(name, "")
}

/// Returns a name for a variable, without its `?`, that the prefix form can write.
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

/// Returns `true` for an HTML tag, which sheets copied from web pages sometimes begin or end with.
pub(crate) fn is_markup(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('<') else { return false };
    rest.starts_with(|char: char| char.is_ascii_alphabetic() || matches!(char, '/' | '!'))
}
