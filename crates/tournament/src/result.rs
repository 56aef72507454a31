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

    /// The goals by seat; none where the match did not come to its end.
    pub fn goals_by_seat(&self, game: &PlanGame) -> Option<Vec<i32>> {
        let goals = game.seats().into_iter().map(|role| self.goals.get(role).copied().flatten());
        (self.ending == Ending::Terminal).then(|| goals.collect::<Option<Vec<i32>>>()).flatten()
    }

    /// Points between 0 and 1 by seat: the share of the others who were beaten, ties
    /// counting half; alone, the goal of 100. Matches that did not come to their end
    /// are drawn, but who forfeits has lost.
    pub fn points(&self, game: &PlanGame) -> Vec<f64> {
        let seats = game.seats();
        if let Ending::Forfeit { role, .. } = &self.ending {
            return seats.iter().map(|seat| if game.roles[*seat] == *role { 0.0 } else { 1.0 }).collect();
        }
        let Some(goals) = self.goals_by_seat(game) else { return vec![0.5; seats.len()] };
        if let [goal] = goals[..] {
            return vec![(f64::from(goal) / 100.0).clamp(0.0, 1.0)];
        }
        let against =
            |own: i32, other: i32| if own > other { 1.0 } else { f64::from(u8::from(own == other)) / 2.0 };
        let points = |seat: usize| {
            let others = (0..goals.len()).filter(|other| *other != seat);
            others.map(|other| against(goals[seat], goals[other])).sum::<f64>() / (goals.len() - 1) as f64
        };
        (0..goals.len()).map(points).collect()
    }

    /// By seat whether it was won (1), drawn (0) or lost (-1): more than all others, as
    /// much as the best of them, or less; alone only the full goal is a win.
    pub fn outcome(&self, game: &PlanGame) -> Vec<i8> {
        let points = self.points(game);
        let sign = |own: f64, other: f64| i8::from(own > other) - i8::from(own < other);
        if let [alone] = points[..] {
            return vec![if alone >= 1.0 { 1 } else { -1 }];
        }
        let best = |seat: usize| {
            let others = (0..points.len()).filter(|other| *other != seat).map(|other| points[other]);
            others.fold(f64::NEG_INFINITY, f64::max)
        };
        (0..points.len()).map(|seat| sign(points[seat], best(seat))).collect()
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
    pub fn read(text: &str, plan: &Plan) -> Result<Results, String> {
        let mut lines = text.lines();
        let head: Option<Head> = lines.next().and_then(|line| serde_json::from_str(line).ok());
        let Some(head) = head.filter(|head| head.format == FORMAT && head.version == VERSION) else {
            return Err("It is not a file of results that this version of tafl can read.".to_string());
        };
        if head.plan != plan.digest() {
            return Err("It holds results of another plan.".to_string());
        }
        let planned = plan.matches();
        let mut matches = Vec::new();
        for line in lines {
            let result: Option<MatchResult> = serde_json::from_str(line).ok();
            let fits = |result: &MatchResult| {
                planned.get(result.number as usize).is_some_and(|planned| result.fits(plan, *planned))
            };
            let Some(result) = result.filter(fits) else {
                return Err(format!("Line {} does not fit its plan.", matches.len() + 2));
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
