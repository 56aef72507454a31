//! What is kept of a match.
//!
//! The published match record of the field (`matchId`, `states`, `moves`,
//! `errors`, …) with fields of ours beside it. Everything but [`Times`] follows
//! from the rules, the seats and the seed. Records that others have written are
//! read too: what they lack is empty.

mod version_two;

use game::Thought;
use serde::{Deserialize, Serialize};

/// The version of this format, in every record.
pub const VERSION: u32 = 3;

/// One match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// Version of the format; 0 in records that others have written.
    #[serde(default)]
    pub record_version: u32,
    /// The match's name.
    pub match_id: String,
    /// Thirty-two characters that follow from seed and name.
    #[serde(default)]
    pub random_token: String,
    /// The game as it was named.
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
    /// Who played them; `random` for the role the referee played.
    #[serde(default)]
    pub player_names_from_host: Vec<String>,
    /// Which of them were people, if any was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub is_player_human: Option<Vec<bool>>,
    /// Where chance came from.
    #[serde(default)]
    pub seed: u64,
    /// What answered the questions about the rules.
    #[serde(default)]
    pub reasoner: String,
    /// What was done for seats that gave no legal answer: `random`, `first` or `forfeit`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub replacement: String,
    /// Seconds before the preview; -1 for none.
    #[serde(default = "none")]
    pub preview_clock: i64,
    /// Seconds before the first move, rounded up.
    #[serde(default)]
    pub start_clock: u64,
    /// Seconds for each move, rounded up.
    #[serde(default)]
    pub play_clock: u64,
    /// Both in milliseconds, where they are not whole seconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clocks_ms: Option<(u64, u64)>,
    /// Whether symbols were exchanged for others on the wire.
    #[serde(default)]
    pub scrambled: bool,
    /// Whether the match came to a terminal state.
    #[serde(default)]
    pub is_completed: bool,
    /// Whether it was broken off.
    #[serde(default)]
    pub is_aborted: bool,
    /// Why it ended.
    #[serde(default)]
    pub ending: Ending,
    /// The states as text, the first one included: one more than there are moves.
    #[serde(default)]
    pub states: Vec<String>,
    /// The joint moves, in role order.
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
    /// What went wrong, by step and role, from the start on: empty, `IL move`,
    /// `TO` or `CE`. One more than there are moves.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// The same in words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
    /// What each role saw in each step, where the rules hide something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percepts: Option<Vec<Vec<Vec<String>>>>,
    /// What the players' choices came from.
    #[serde(skip_serializing_if = "Vec::is_empty", default, alias = "explanations")]
    pub thoughts: Vec<StepThought>,
    /// What the roles scored, if all did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub goal_values: Option<Vec<i32>>,
    /// What each role scored in the last state; none where the rules give no single value.
    #[serde(default)]
    pub goals: Vec<Option<i32>>,
    /// All values the rules give in the last state, where some role has none or several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub all_goals: Option<Vec<Vec<i32>>>,
    /// The rule sheet, in copies that must stand for themselves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_sheet: Option<String>,
    /// When it all happened.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub times: Option<Times>,
}

fn none() -> i64 {
    -1
}

/// One finished step of a match: a joint move and the state it led to. Step 0
/// is the start: no moves, and the first state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The joint move; empty at the start.
    pub moves: Vec<String>,
    /// The state that was reached.
    pub state: String,
    /// What went wrong, by role.
    pub errors: Vec<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
    /// What each role saw, where the rules hide something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percepts: Option<Vec<Vec<String>>>,
    /// What the players' choices came from.
    #[serde(skip_serializing_if = "Vec::is_empty", default, alias = "explanations")]
    pub thoughts: Vec<StepThought>,
    /// When the state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub time: u64,
    /// How long each role thought, in milliseconds.
    #[serde(default)]
    pub thinking: Vec<u64>,
}

impl MatchRecord {
    /// The part that is the same in every run with the same seed.
    pub fn canonical(&self) -> MatchRecord {
        MatchRecord { times: None, ..self.clone() }
    }

    /// The record without its steps and its end: what is known before it begins.
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

    /// How it ended.
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

    /// The same record with another end.
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

    /// The finished steps, the start included.
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

/// How a match ended: the part of its record that is only known then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct End {
    /// Whether it came to a terminal state.
    pub is_completed: bool,
    /// Whether it was broken off.
    pub is_aborted: bool,
    /// Why it ended.
    pub ending: Ending,
    /// What the roles scored, if all did.
    pub goal_values: Option<Vec<i32>>,
    /// What each role scored; none where the rules give no single value.
    pub goals: Vec<Option<i32>>,
    /// All values, where some role has none or several.
    #[serde(default)]
    pub all_goals: Option<Vec<Vec<i32>>>,
}

/// Why a match ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Ending {
    /// Not yet, or nobody knows why.
    #[default]
    Open,
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal, where this role has no legal move.
    DeadEnd {
        /// Who.
        role: String,
    },
    /// At the limit of steps.
    StepLimit,
    /// A role gave no legal answer where that loses the match.
    Forfeit {
        /// Who.
        role: String,
        /// What was wrong.
        reason: String,
    },
    /// Between two steps, to be resumed.
    Interrupted {
        /// Why.
        reason: String,
    },
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

/// What the choice of a move came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "version_two::AnyThought")]
pub struct StepThought {
    /// The number of the step.
    pub step: usize,
    /// Whose move.
    pub role: String,
    /// What the player thought.
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
    /// How long each role thought in each step, from the start on, in milliseconds.
    #[serde(default)]
    pub thinking_times: Vec<Vec<u64>>,
}
