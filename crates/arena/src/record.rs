//! What is kept of a match.
//!
//! The published match record of the field (`matchId`, `states`, `moves`,
//! `errors`, …) with fields of ours beside it. Everything but [`Times`] follows
//! from the rules, the seats and the seed.

use serde::{Deserialize, Serialize};

/// The version of this format, in every record.
pub const VERSION: u32 = 1;

/// One match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// Version of the format.
    pub record_version: u32,
    /// The match's name.
    pub match_id: String,
    /// Thirty-two characters that follow from seed and name.
    pub random_token: String,
    /// The game as it was named.
    pub game: String,
    /// Where the game is published, if it is.
    #[serde(rename = "gameMetaURL", skip_serializing_if = "Option::is_none", default)]
    pub game_meta_url: Option<String>,
    /// The roles, in the order of all lists by role.
    pub roles: Vec<String>,
    /// Who played them; `random` for the role the referee played.
    pub player_names_from_host: Vec<String>,
    /// Where chance came from.
    pub seed: u64,
    /// What answered the questions about the rules.
    pub reasoner: String,
    /// Seconds before the preview; -1 for none.
    pub preview_clock: i64,
    /// Seconds before the first move.
    pub start_clock: u64,
    /// Seconds for each move.
    pub play_clock: u64,
    /// Whether symbols were exchanged for others on the wire.
    pub scrambled: bool,
    /// Whether the match came to a terminal state.
    pub is_completed: bool,
    /// Whether it was broken off.
    pub is_aborted: bool,
    /// Why it ended.
    pub ending: Ending,
    /// The states as text, the first one included: one more than there are moves.
    pub states: Vec<String>,
    /// The joint moves, in role order.
    pub moves: Vec<Vec<String>>,
    /// What went wrong, by step and role, from the start on: empty, `IL move`,
    /// `TO` or `CE`. One more than there are moves.
    pub errors: Vec<Vec<String>>,
    /// The same in words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
    /// What each role saw in each step, where the rules hide something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percepts: Option<Vec<Vec<Vec<String>>>>,
    /// Why the players chose their moves.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub explanations: Vec<Reason>,
    /// What the roles scored, if all did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub goal_values: Option<Vec<i32>>,
    /// What each role scored in the last state; none where the rules give no single value.
    pub goals: Vec<Option<i32>>,
    /// When it all happened.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub times: Option<Times>,
}

impl MatchRecord {
    /// The part that is the same in every run with the same seed.
    pub fn canonical(&self) -> MatchRecord {
        MatchRecord { times: None, ..self.clone() }
    }
}

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Ending {
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal, where this role has no legal move.
    DeadEnd {
        /// Who.
        role: String,
    },
    /// At the limit of steps.
    StepLimit,
    /// The rules could not be evaluated any further.
    Broken {
        /// Why.
        reason: String,
    },
}

/// Something that went wrong with a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// 0 for the start, else the number of the step.
    pub step: usize,
    /// Whose seat.
    pub role: String,
    /// `IL move`, `TO` or `CE`.
    pub code: String,
    /// What happened, in words.
    pub text: String,
}

/// Why a move was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The number of the step.
    pub step: usize,
    /// Whose move.
    pub role: String,
    /// Names and values.
    pub entries: Vec<(String, String)>,
}

/// When a match happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    /// Milliseconds since 1970.
    pub start_time: u64,
    /// When each state was reached.
    pub state_times: Vec<u64>,
}
