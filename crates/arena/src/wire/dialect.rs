//! How a message is spelled.

/// One of the ways in which managers and players speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// ggp-base: upper-case keywords, blanks inside parentheses. Where the rules
    /// hide something, as [`Dialect::Gdl2`].
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
    /// All of them with their names.
    pub const ALL: [(&'static str, Dialect); 4] = [
        ("ggp", Dialect::Ggp),
        ("stanford", Dialect::Stanford),
        ("gdl2", Dialect::Gdl2),
        ("gdl2-2011", Dialect::Gdl2Old),
    ];

    /// The one with this name.
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, dialect)| dialect)
    }

    /// Whether a player hears percepts, though the rules may hide nothing.
    pub fn always_percepts(self) -> bool {
        matches!(self, Dialect::Gdl2 | Dialect::Gdl2Old)
    }
}
