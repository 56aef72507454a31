//! What a match is to be: what was asked for, and who has which seat. It is
//! written into the store, so that a match goes on after a restart and the keys
//! that people hold still fit.

use game::Role;
use gdl::Syntax;
use serde::{Deserialize, Serialize};

/// Series of this service begin with it.
pub(crate) const SERIES: &str = "web.";

/// The version of this format.
pub(crate) const VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    pub(crate) version: u32,
    pub(crate) id: String,
    /// The name of the game; `sheet` where the sheet is given.
    pub(crate) game: String,
    /// The sheet, where it is not one of the library.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) sheet: Option<Sheet>,
    /// By role; none where chance moves.
    pub(crate) seats: Vec<Option<Seat>>,
    pub(crate) start_clock_ms: u64,
    pub(crate) play_clock_ms: u64,
    pub(crate) seed: u64,
    pub(crate) casual: bool,
    /// Milliseconds since 1970.
    pub(crate) started: u64,
    /// Whether it was broken off before it began.
    #[serde(default)]
    pub(crate) aborted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sheet {
    pub(crate) text: String,
    pub(crate) language: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    Kif,
    Hrf,
}

impl From<Language> for Syntax {
    fn from(language: Language) -> Syntax {
        match language {
            Language::Kif => Syntax::Kif,
            Language::Hrf => Syntax::Hrf,
        }
    }
}

/// Who sits where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// `human`, `tab`, `open`, or what the registry of players knows.
    pub(crate) player: String,
    /// The key of a seat for someone outside.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) key: Option<String>,
    /// Whether someone has the key.
    pub(crate) taken: bool,
}

impl Seat {
    /// Whether someone outside plays here, through a socket.
    pub(crate) fn is_outside(&self) -> bool {
        self.key.is_some()
    }

    /// Whether the player may be in other hands: outside, or somewhere else on the network.
    pub(crate) fn is_strange(&self) -> bool {
        self.is_outside() || matches!(cast::remote_address(&self.player), Ok(Some(_)) | Err(_))
    }
}

impl TableRecord {
    /// The roles whose seats nobody has.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = usize> {
        let open = |seat: &Option<Seat>| seat.as_ref().is_some_and(|seat| !seat.taken);
        self.seats.iter().enumerate().filter(move |(_, seat)| open(seat)).map(|(role, _)| role)
    }

    /// Who plays, by role.
    pub(crate) fn players(&self) -> Vec<String> {
        self.seats
            .iter()
            .map(|seat| seat.as_ref().map_or(Role::chance().to_string(), |seat| seat.player.clone()))
            .collect()
    }
}
