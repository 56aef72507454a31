//! What came of a match, and all results of a plan as a file.
//!
//! The file holds nothing that differs between two runs of the same plan: no
//! times, no names of machines, no tokens. Its first line says what it is; then
//! comes one line for each match, in the order of the plan.

use std::fmt::Write;

use arena::{Ending, MatchRecord};
use game::{Seed, States};
use serde::{Deserialize, Serialize};

use super::plan::{Plan, PlanGame, Planned};
use super::score::{self, SeatScore};

const FORMAT: &str = "tafl-results";
const VERSION: u32 = 1;

/// What came of one match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Its number in the plan.
    pub number: u64,
    /// The game.
    pub game: String,
    /// The budget, where there are several.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub budget: String,
    /// Who played, by seat.
    pub players: Vec<String>,
    /// Where its chance came from.
    pub seed: u64,
    /// Why it ended.
    pub ending: Ending,
    /// What each role scored.
    pub goals: Vec<Option<i32>>,
    /// How many steps it had.
    pub steps: u64,
    /// Moves that the referee had to make for a player.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub replaced: u64,
    /// The same by seat, where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub replaced_by_seat: Vec<u64>,
    /// Sixteen characters that follow from all its moves; none where they are not known,
    /// because the result comes from an archive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<String>,
    /// States that were visited, by seat, where players count them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub states: Vec<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl MatchResult {
    /// The result of a match that was played; none of one that was interrupted.
    pub fn of(plan: &Plan, planned: Planned, record: &MatchRecord) -> Option<MatchResult> {
        if matches!(record.ending, Ending::Interrupted { .. } | Ending::Open) {
            return None;
        }
        let cell = &plan.cells[planned.cell];
        let step = |seed: Seed, text: &String| seed.derive_name(text);
        let moves = record.moves.iter().flatten().fold(Seed(0), step);
        Some(MatchResult {
            ending: record.ending.clone(),
            goals: record.goals.clone(),
            steps: record.moves.len() as u64,
            replaced: record.faults.iter().filter(|fault| fault.step > 0).count() as u64,
            replaced_by_seat: replaced(record, &plan.games[cell.game]),
            moves: Some(format!("{:016x}", moves.0)),
            states: states(record, &plan.games[cell.game]),
            ..MatchResult::planned(plan, planned)
        })
    }

    /// What the plan says of a match, and nothing of how it went.
    pub(crate) fn planned(plan: &Plan, planned: Planned) -> MatchResult {
        let cell = &plan.cells[planned.cell];
        let name = |player: &usize| plan.players[*player].name.clone();
        MatchResult {
            number: planned.number,
            game: plan.games[cell.game].name.clone(),
            budget: plan.budgets[cell.budget].name.clone(),
            players: cell.seating.iter().map(name).collect(),
            seed: planned.seed.0,
            ending: Ending::Open,
            goals: Vec::new(),
            steps: 0,
            replaced: 0,
            replaced_by_seat: Vec::new(),
            moves: None,
            states: Vec::new(),
        }
    }

    /// Moves that the referee had to make for a seat.
    pub fn replaced_of(&self, seat: usize) -> u64 {
        self.replaced_by_seat.get(seat).copied().unwrap_or(0)
    }

    /// Whether it is a full result of this match.
    pub(crate) fn fits(&self, plan: &Plan, planned: Planned) -> bool {
        let cell = &plan.cells[planned.cell];
        let names = cell.seating.iter().map(|player| &plan.players[*player].name);
        self.number == planned.number
            && self.seed == planned.seed.0
            && self.game == plan.games[cell.game].name
            && self.budget == plan.budgets[cell.budget].name
            && self.goals.len() == plan.games[cell.game].roles.len()
            && self.players.iter().eq(names)
            && self.moves.is_some()
    }

    /// What the match was worth, by seat; none where it says nothing.
    pub fn scores(&self, game: &PlanGame) -> Option<Vec<SeatScore>> {
        score::of_match(&self.ending, &game.roles, &game.seats(), &self.goals)
    }
}

/// Moves that the referee had to make, by seat; empty where there were none.
fn replaced(record: &MatchRecord, game: &PlanGame) -> Vec<u64> {
    let of = |role: &String| {
        record.faults.iter().filter(|fault| fault.step > 0 && fault.role == *role).count() as u64
    };
    let all: Vec<u64> = game.seats().into_iter().map(|role| of(&game.roles[role])).collect();
    if all.iter().any(|moves| *moves > 0) { all } else { Vec::new() }
}

/// What the players of a match say they have visited, by seat; empty where nobody does.
fn states(record: &MatchRecord, game: &PlanGame) -> Vec<u64> {
    let of = |role: &String| {
        let own = record.thoughts.iter().filter(|of| of.role == *role);
        own.filter_map(|of| of.thought.states).map(States::total).sum()
    };
    let all: Vec<u64> = game.seats().into_iter().map(|role| of(&game.roles[role])).collect();
    if all.iter().any(|states| *states > 0) { all } else { Vec::new() }
}

/// Why a file of results cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResultsError {
    /// It is something else.
    #[error("It is not a file of results that this version of tafl can read.")]
    Unreadable,
    /// It belongs to another plan.
    #[error("It holds results of another plan.")]
    OtherPlan,
    /// This line, counted from 1, is no result of the plan.
    #[error("Line {0} does not fit its plan.")]
    Line(usize),
}

/// All results of a plan that there are, in the order of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Results {
    /// The matches, by number.
    pub matches: Vec<MatchResult>,
    /// Whether nothing is left to play.
    pub complete: bool,
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    name: String,
    plan: String,
    matches: u64,
    complete: bool,
}

impl Results {
    /// The file: the same bytes for the same plan.
    pub fn write(&self, plan: &Plan) -> String {
        let head = Head {
            format: FORMAT.to_string(),
            version: VERSION,
            name: plan.name.clone(),
            plan: plan.digest(),
            matches: self.matches.len() as u64,
            complete: self.complete,
        };
        let mut text = line(&head);
        for result in &self.matches {
            let _ = write!(text, "{}", line(result));
        }
        text
    }

    /// Reads such a file, which must belong to the plan.
    pub fn read(text: &str, plan: &Plan) -> Result<Results, ResultsError> {
        let mut lines = text.lines();
        let head: Option<Head> = lines.next().and_then(|line| serde_json::from_str(line).ok());
        let Some(head) = head.filter(|head| head.format == FORMAT && head.version == VERSION) else {
            return Err(ResultsError::Unreadable);
        };
        if head.plan != plan.digest() {
            return Err(ResultsError::OtherPlan);
        }
        let planned = plan.matches();
        let mut matches = Vec::new();
        for line in lines {
            let result: Option<MatchResult> = serde_json::from_str(line).ok();
            let fits = |result: &MatchResult| {
                planned.get(result.number as usize).is_some_and(|planned| result.fits(plan, *planned))
            };
            let Some(result) = result.filter(fits) else {
                return Err(ResultsError::Line(matches.len() + 2));
            };
            matches.push(result);
        }
        Ok(Results { matches, complete: head.complete })
    }
}

/// A line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("results are made of texts and numbers");
    text.push('\n');
    text
}
