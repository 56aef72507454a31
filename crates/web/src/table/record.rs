//! The description of a match: what was requested, and who has which seat. It is stored, so that the
//! match can be resumed after a restart and the keys that people hold remain valid.

use game::Role;
use gdl::Syntax;
use serde::{Deserialize, Serialize};

/// The prefix of the series of this service.
pub(crate) const SERIES: &str = "web.";

/// The version of this format.
pub(crate) const VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    pub(crate) version: u32,
    pub(crate) id: String,
    /// The name of the game; `sheet` if a sheet is given.
    pub(crate) game: String,
    /// The sheet, if the game is not one of the library.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) sheet: Option<Sheet>,
    /// The seats by role; `None` for chance.
    pub(crate) seats: Vec<Option<Seat>>,
    pub(crate) start_clock_ms: u64,
    pub(crate) play_clock_ms: u64,
    pub(crate) seed: u64,
    pub(crate) casual: bool,
    /// When it was created, in milliseconds since 1970.
    pub(crate) started: u64,
    /// Whether it was aborted before it started.
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

/// A seat and its player.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// `human`, `tab`, `open`, or the spec of a player.
    pub(crate) player: String,
    /// The key of a seat that is played from outside.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) key: Option<String>,
    /// Whether someone has taken the seat.
    pub(crate) taken: bool,
}

impl Seat {
    /// Returns `true` if the seat is played from outside, through a socket.
    pub(crate) fn is_outside(&self) -> bool {
        self.key.is_some()
    }

    /// Returns `true` if the player may be controlled by others: from outside, or over the network.
    pub(crate) fn is_strange(&self) -> bool {
        self.is_outside() || matches!(cast::remote_address(&self.player), Ok(Some(_)) | Err(_))
    }
}

impl TableRecord {
    /// Returns the roles whose seats are open.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = usize> {
        let open = |seat: &Option<Seat>| seat.as_ref().is_some_and(|seat| !seat.taken);
        self.seats.iter().enumerate().filter(move |(_, seat)| open(seat)).map(|(role, _)| role)
    }

    /// Returns `true` if messages to some player go over the wire, so that its answers may come a little late.
    pub(crate) fn is_on_the_wire(&self) -> bool {
        self.seats.iter().flatten().any(|seat| !seat.is_outside() && cast::is_on_the_wire(&seat.player))
    }

    /// Returns the players, by role.
    pub(crate) fn players(&self) -> Vec<String> {
        self.seats
            .iter()
            .map(|seat| seat.as_ref().map_or(Role::chance().to_string(), |seat| seat.player.clone()))
            .collect()
    }
}
