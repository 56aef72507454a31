//! The record of a match.
//!
//! The format is the published match record of the field (`matchId`, `states`, `moves`, `errors`, …) with
//! additional fields. Everything except [`Times`] follows from the rules, the seats and the seed. Records
//! written by other programs can be read too: what they lack is empty.

mod foreign;
mod version_two;

use game::Thought;
use serde::{Deserialize, Serialize};

/// The version of this format, contained in every record.
pub const VERSION: u32 = 3;

/// One match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The version of the format; 0 in records written by other programs.
    #[serde(default)]
    pub record_version: u32,
    /// The name of the match.
    pub match_id: String,
    /// Thirty-two characters derived from seed and name.
    #[serde(default)]
    pub random_token: String,
    /// The name of the game, as given.
    #[serde(default)]
    pub game: String,
    /// Where the game is published, if it is.
    #[serde(rename = "gameMetaURL", skip_serializing_if = "Option::is_none", default)]
    pub game_meta_url: Option<String>,
    /// The tournament or series it belongs to, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tournament_name_from_host: Option<String>,
    /// The roles, in the order of all lists by role.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The players; `random` for the role that the referee played.
    #[serde(default)]
    pub player_names_from_host: Vec<String>,
    /// Which of them were people, if any were.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub is_player_human: Option<Vec<bool>>,
    /// The seed of the match.
    #[serde(default)]
    pub seed: u64,
    /// The reasoner that evaluated the rules.
    #[serde(default)]
    pub reasoner: String,
    /// What was done for seats that gave no legal answer: `random`, `first` or `forfeit`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub replacement: String,
    /// Seconds for the preview; -1 for none.
    #[serde(default = "none")]
    pub preview_clock: i64,
    /// Seconds before the first move, rounded up.
    #[serde(default)]
    pub start_clock: u64,
    /// Seconds for each move, rounded up.
    #[serde(default)]
    pub play_clock: u64,
    /// Both clocks in milliseconds, if they are not whole seconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clocks_ms: Option<(u64, u64)>,
    /// How many milliseconds after the clock an answer counted; only if a player was on the network.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grace_ms: Option<u64>,
    /// Whether symbols were replaced by others on the wire.
    #[serde(default)]
    pub scrambled: bool,
    /// Whether the match reached a terminal state.
    #[serde(default)]
    pub is_completed: bool,
    /// Whether it was aborted.
    #[serde(default)]
    pub is_aborted: bool,
    /// Why it ended.
    #[serde(default)]
    pub ending: Ending,
    /// The joint moves that were made before the match began, so that its first state is not the initial one
    /// of the rules.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub opening_moves: Vec<Vec<String>>,
    /// The states as text, including the initial one: one more than there are moves.
    #[serde(default)]
    pub states: Vec<String>,
    /// The joint moves, in role order.
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
    /// What went wrong, by step and role, from the start: empty, `IL move`, `TO` or `CE`. One more entry than
    /// there are moves.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// The same as text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
    /// What each role saw in each step, if the rules hide something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percepts: Option<Vec<Vec<Vec<String>>>>,
    /// The thoughts of the players.
    #[serde(skip_serializing_if = "Vec::is_empty", default, alias = "explanations")]
    pub thoughts: Vec<StepThought>,
    /// The goals of the roles, if all have one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub goal_values: Option<Vec<i32>>,
    /// The goal of each role in the last state; `None` if the rules give no single value.
    #[serde(default)]
    pub goals: Vec<Option<i32>>,
    /// All goal values in the last state, if some role has none or several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub all_goals: Option<Vec<Vec<i32>>>,
    /// The rule sheet, in copies that must be self-contained.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_sheet: Option<String>,
    /// When everything happened.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub times: Option<Times>,
}

fn none() -> i64 {
    -1
}

/// A record as every program that knows the published format reads it: the times that the format demands are
/// there even if they are not known.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Published<'a> {
    #[serde(flatten)]
    record: &'a MatchRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_times: Option<[u64; 0]>,
}

impl MatchRecord {
    /// Returns the record for programs that demand `startTime` and `stateTimes`. If there are no times, these
    /// are 0 and empty, and become none again when the record is read with [`MatchRecord::settle`].
    pub fn published(&self) -> Published<'_> {
        let unknown = self.times.is_none();
        Published { record: self, start_time: unknown.then_some(0), state_times: unknown.then_some([]) }
    }
}

/// One finished step of a match: a joint move and the state it led to. Step 0 is the start, with no moves and
/// the initial state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The joint move; empty at the start.
    pub moves: Vec<String>,
    /// The state that was reached.
    pub state: String,
    /// What went wrong, by role.
    pub errors: Vec<String>,
    /// The same as text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
    /// What each role saw, if the rules hide something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percepts: Option<Vec<Vec<String>>>,
    /// The thoughts of the players.
    #[serde(skip_serializing_if = "Vec::is_empty", default, alias = "explanations")]
    pub thoughts: Vec<StepThought>,
    /// When the state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub time: u64,
    /// The thinking time of each role, in milliseconds.
    #[serde(default)]
    pub thinking: Vec<u64>,
}

impl MatchRecord {
    /// Returns the part that is the same in every run with the same seed.
    pub fn canonical(&self) -> MatchRecord {
        MatchRecord { times: None, ..self.clone() }
    }

    /// Returns the record without its steps and its end: what is known before the match begins.
    pub fn opening(&self) -> MatchRecord {
        let times =
            self.times.as_ref().map(|times| Times { start_time: times.start_time, ..Times::default() });
        MatchRecord {
            states: Vec::new(),
            moves: Vec::new(),
            errors: Vec::new(),
            faults: Vec::new(),
            percepts: self.percepts.as_ref().map(|_| Vec::new()),
            thoughts: Vec::new(),
            times,
            ..self.clone().with_end(End::default())
        }
    }

    /// Returns how the match ended.
    pub fn end(&self) -> End {
        End {
            is_completed: self.is_completed,
            is_aborted: self.is_aborted,
            ending: self.ending.clone(),
            goal_values: self.goal_values.clone(),
            goals: self.goals.clone(),
            all_goals: self.all_goals.clone(),
        }
    }

    /// Returns the same record with another end.
    pub fn with_end(self, end: End) -> MatchRecord {
        let End { is_completed, is_aborted, ending, goal_values, goals, all_goals } = end;
        MatchRecord { is_completed, is_aborted, ending, goal_values, goals, all_goals, ..self }
    }

    /// Adds a finished step.
    pub fn push(&mut self, step: StepRecord) {
        if !self.states.is_empty() {
            self.moves.push(step.moves);
            if let (Some(all), Some(seen)) = (&mut self.percepts, step.percepts) {
                all.push(seen);
            }
        }
        self.states.push(step.state);
        self.errors.push(step.errors);
        self.faults.extend(step.faults);
        self.thoughts.extend(step.thoughts);
        if let Some(times) = &mut self.times {
            times.state_times.push(step.time);
            times.thinking_times.push(step.thinking);
        }
    }

    /// Returns the finished steps, including the start.
    pub fn steps(&self) -> Vec<StepRecord> {
        let step = |number: usize| StepRecord {
            moves: number.checked_sub(1).and_then(|at| self.moves.get(at)).cloned().unwrap_or_default(),
            state: self.states[number].clone(),
            errors: self.errors.get(number).cloned().unwrap_or_default(),
            faults: self.faults.iter().filter(|fault| fault.step == number).cloned().collect(),
            percepts: self
                .percepts
                .as_ref()
                .and_then(|all| number.checked_sub(1).and_then(|at| all.get(at)).cloned()),
            thoughts: self.thoughts.iter().filter(|of| of.step == number).cloned().collect(),
            time: self.times.as_ref().and_then(|times| times.state_times.get(number)).copied().unwrap_or(0),
            thinking: self
                .times
                .as_ref()
                .and_then(|times| times.thinking_times.get(number))
                .cloned()
                .unwrap_or_default(),
        };
        (0..self.states.len()).map(step).collect()
    }
}

/// How a match ended: the part of its record that is known only then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct End {
    /// Whether it reached a terminal state.
    pub is_completed: bool,
    /// Whether it was aborted.
    pub is_aborted: bool,
    /// Why it ended.
    pub ending: Ending,
    /// The goals of the roles, if all have one.
    pub goal_values: Option<Vec<i32>>,
    /// The goal of each role; `None` if the rules give no single value.
    pub goals: Vec<Option<i32>>,
    /// All goal values, if some role has none or several.
    #[serde(default)]
    pub all_goals: Option<Vec<Vec<i32>>>,
}

/// Why a match ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Ending {
    /// It has not ended, or the reason is unknown.
    #[default]
    Open,
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal in which this role has no legal move.
    DeadEnd {
        /// The role.
        role: String,
    },
    /// At the step limit.
    StepLimit,
    /// A role gave no legal answer, and that loses the match.
    Forfeit {
        /// The role.
        role: String,
        /// What was wrong.
        reason: String,
    },
    /// Between two steps, to be resumed.
    Interrupted {
        /// The reason.
        reason: String,
    },
    /// The rules could not be evaluated any further.
    Broken {
        /// The reason.
        reason: String,
    },
}

/// Something that went wrong with a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// 0 for the start, otherwise the number of the step.
    pub step: usize,
    /// The role of the seat.
    pub role: String,
    /// `IL move`, `TO` or `CE`.
    pub code: String,
    /// A description of what happened.
    pub text: String,
}

/// The thought behind a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "version_two::AnyThought")]
pub struct StepThought {
    /// The number of the step.
    pub step: usize,
    /// The role that moved.
    pub role: String,
    /// The thought of the player.
    pub thought: Thought<String>,
}

/// When a match happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    /// Milliseconds since 1970.
    pub start_time: u64,
    /// When each state was reached.
    #[serde(default)]
    pub state_times: Vec<u64>,
    /// The thinking time of each role in each step, from the start, in milliseconds.
    #[serde(default)]
    pub thinking_times: Vec<Vec<u64>>,
}
