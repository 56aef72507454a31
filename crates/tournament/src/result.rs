//! The result of a match, and the file of all results of a plan.
//!
//! The file contains nothing that differs between two runs of the same plan: no times, no names of
//! machines, no tokens. Its first line is a head, followed by one line per match in the order of the plan.

use std::collections::BTreeMap;
use std::fmt::Write;

use arena::{Ending, Fault, MatchRecord};
use game::{Seed, States};
use serde::{Deserialize, Serialize};

use super::faults::Cause;
use super::plan::{Plan, PlanGame, Planned};
use super::score::{self, SeatScore};

const FORMAT: &str = "tafl-results";
const VERSION: u32 = 1;

/// The result of one match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The number in the plan.
    pub number: u64,
    /// The game.
    pub game: String,
    /// The budget, if there are several.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub budget: String,
    /// The players, by seat.
    pub players: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The number of its opening, from 0, if its game has openings.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening: Option<usize>,
    /// Why it ended.
    pub ending: Ending,
    /// The goal of each role.
    pub goals: Vec<Option<i32>>,
    /// The number of steps.
    pub steps: u64,
    /// The number of moves that the referee made for a player.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub replaced: u64,
    /// The same by seat; empty if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub replaced_by_seat: Vec<u64>,
    /// Why it made them, and how often, by seat; empty if there are none, or it is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub causes: Vec<BTreeMap<Cause, u64>>,
    /// A hash of all moves, sixteen characters long; `None` if the result comes from an archive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<String>,
    /// The number of states visited, by seat; empty if no player counts them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub states: Vec<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl MatchResult {
    /// Returns the result of a match, or `None` if it was interrupted.
    pub fn of(plan: &Plan, planned: Planned, record: &MatchRecord) -> Option<MatchResult> {
        if matches!(record.ending, Ending::Interrupted { .. } | Ending::Open) {
            return None;
        }
        let cell = &plan.cells[planned.cell];
        let step = |seed: Seed, text: &String| seed.derive_name(text);
        let moves = record.moves.iter().flatten().fold(Seed(0), step);
        let causes = causes(record, &plan.games[cell.game]);
        Some(MatchResult {
            ending: record.ending.clone(),
            goals: record.goals.clone(),
            steps: record.moves.len() as u64,
            replaced: record.faults.iter().filter(|fault| fault.step > 0).count() as u64,
            replaced_by_seat: replaced(&causes),
            causes,
            moves: Some(format!("{:016x}", moves.0)),
            states: states(record, &plan.games[cell.game]),
            ..MatchResult::planned(plan, planned)
        })
    }

    /// Creates a result with what the plan says about a match, and nothing about how it went.
    pub(crate) fn planned(plan: &Plan, planned: Planned) -> MatchResult {
        let cell = &plan.cells[planned.cell];
        let name = |player: &usize| plan.players[*player].name.clone();
        MatchResult {
            number: planned.number,
            game: plan.games[cell.game].name.clone(),
            budget: plan.budgets[cell.budget].name.clone(),
            players: cell.seating.iter().map(name).collect(),
            seed: planned.seed.0,
            opening: planned.opening,
            ending: Ending::Open,
            goals: Vec::new(),
            steps: 0,
            replaced: 0,
            replaced_by_seat: Vec::new(),
            causes: Vec::new(),
            moves: None,
            states: Vec::new(),
        }
    }

    /// Returns the number of moves that the referee made for a seat.
    pub fn replaced_of(&self, seat: usize) -> u64 {
        self.replaced_by_seat.get(seat).copied().unwrap_or(0)
    }

    /// Returns `true` if this is a full result of the given match.
    pub(crate) fn fits(&self, plan: &Plan, planned: Planned) -> bool {
        let cell = &plan.cells[planned.cell];
        let names = cell.seating.iter().map(|player| &plan.players[*player].name);
        self.number == planned.number
            && self.seed == planned.seed.0
            && self.opening == planned.opening
            && self.game == plan.games[cell.game].name
            && self.budget == plan.budgets[cell.budget].name
            && self.goals.len() == plan.games[cell.game].roles.len()
            && self.players.iter().eq(names)
            && self.moves.is_some()
    }

    /// Returns the scores by seat, or `None` if the match is not counted.
    pub fn scores(&self, game: &PlanGame) -> Option<Vec<SeatScore>> {
        score::of_match(&self.ending, &game.roles, &game.seats(), &self.goals)
    }
}

/// Returns why the referee made moves, by seat; empty if it made none.
fn causes(record: &MatchRecord, game: &PlanGame) -> Vec<BTreeMap<Cause, u64>> {
    let of = |role: usize| {
        let mut found = BTreeMap::new();
        let own = |fault: &&Fault| fault.step > 0 && fault.role == game.roles[role];
        record.faults.iter().filter(own).for_each(|fault| *found.entry(Cause::of(fault)).or_default() += 1);
        found
    };
    let all: Vec<BTreeMap<Cause, u64>> = game.seats().into_iter().map(of).collect();
    if all.iter().any(|causes| !causes.is_empty()) { all } else { Vec::new() }
}

/// Returns the number of moves that the referee made, by seat.
fn replaced(causes: &[BTreeMap<Cause, u64>]) -> Vec<u64> {
    causes.iter().map(|causes| causes.values().sum()).collect()
}

/// Returns the number of states that the players report to have visited, by seat; empty if there are none.
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
    /// The file is not a file of results.
    #[error("It is not a file of results that this version of tafl can read.")]
    Unreadable,
    /// The file belongs to another plan.
    #[error("It holds results of another plan.")]
    OtherPlan,
    /// This line, counted from 1, is not a result of the plan.
    #[error("Line {0} does not fit its plan.")]
    Line(usize),
}

/// The results of a plan, in the order of the plan.
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
    /// Returns the content of the file: the same bytes for the same results.
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

    /// Reads a file of results of the given plan.
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

/// Returns a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("results are made of texts and numbers");
    text.push('\n');
    text
}
