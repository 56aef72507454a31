//! The dialects of the protocol.

/// One of the spellings used by managers and players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// ggp-base: upper-case keywords, spaces inside parentheses. If the rules hide something, like
    /// [`Dialect::Gdl2`].
    #[default]
    Ggp,
    /// Stanford's courses: lower-case keywords, `(ping)`, `nil`.
    Stanford,
    /// GDL-II: turn, own move and percepts.
    Gdl2,
    /// The first form of GDL-II: percepts only.
    Gdl2Old,
}

impl Dialect {
    /// All dialects with their names.
    pub const ALL: [(&'static str, Dialect); 4] = [
        ("ggp", Dialect::Ggp),
        ("stanford", Dialect::Stanford),
        ("gdl2", Dialect::Gdl2),
        ("gdl2-2011", Dialect::Gdl2Old),
    ];

    /// Returns the dialect with this name.
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, dialect)| dialect)
    }

    /// Returns `true` if a player receives percepts even if the rules hide nothing.
    pub fn always_percepts(self) -> bool {
        matches!(self, Dialect::Gdl2 | Dialect::Gdl2Old)
    }
}
