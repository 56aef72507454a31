//! The workshop: rule sheets that are being written.

use std::sync::Arc;

use analysis::profile::{Basis, Sampling};
use axum::Json;
use axum::extract::State;
use game::{AnyGame, Deadline, End, Position, Seed, Walk};
use gdl::{LineIndex, Severity, Syntax};
use library::Loaded;
use rules::Strictness;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use statistics::Confidence;
use tournament::{Score, score};

use super::ask::Body;
use crate::limits::SheetLimits;
use crate::problem::Problem;
use crate::service::Service;
use crate::shelf::{Shown, roles_of, sheet_source};
use crate::table::legal_moves;
use crate::table::record::Language;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SheetRequest {
    text: String,
    language: Language,
}

pub(crate) async fn check(
    State(service): State<Arc<Service>>,
    Body(asked): Body<SheetRequest>,
) -> Result<Json<Value>, Problem> {
    service
        .work(move || {
            let loaded = Loaded::new(sheet_source(&asked.text, asked.language.into()), Strictness::Lenient);
            Ok(Json(checked(&loaded, &asked.text)))
        })
        .await
}

fn checked(loaded: &Loaded, text: &str) -> Value {
    let lines = LineIndex::new(text);
    let place = |offset: u32| {
        let position = lines.position(offset as usize);
        let before = text.get(..offset as usize).unwrap_or(text);
        // JavaScript counts UTF-16 code units.
        let offset = before.encode_utf16().count();
        json!({ "line": position.line, "column": position.column, "offset": offset })
    };
    let diagnostics = loaded.diagnostics().iter().map(|found| {
        json!({
            "severity": match found.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "code": found.code, "message": found.message, "help": found.remedy,
            "start": place(found.span.start), "end": place(found.span.end),
        })
    });
    let diagnostics: Vec<Value> = diagnostics.collect();
    let roles = loaded.sheet().map(roles_of).unwrap_or_default();
    json!({ "diagnostics": diagnostics, "ok": loaded.rules().is_some(), "roles": roles, "converted": null })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConvertRequest {
    text: String,
    from: Language,
    to: Language,
}

pub(crate) async fn convert(
    State(service): State<Arc<Service>>,
    Body(asked): Body<ConvertRequest>,
) -> Result<Json<Value>, Problem> {
    service
        .work(move || {
            let parsed = gdl::parse(&asked.text, asked.from.into());
            if let Some(found) = parsed.diagnostics.iter().find(|found| found.severity == Severity::Error) {
                let line = LineIndex::new(&asked.text).position(found.span.start as usize).line;
                let text =
                    format!("Line {line} cannot be converted: {}.", found.message.trim_end_matches('.'));
                return Err(Problem::useless("sheet-with-errors", text));
            }
            Ok(Json(json!({ "text": Syntax::from(asked.to).print(&parsed.sheet) })))
        })
        .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    text: String,
    language: Language,
    #[serde(default)]
    moves: Vec<Vec<String>>,
}

pub(crate) async fn position(
    State(service): State<Arc<Service>>,
    Body(asked): Body<PositionRequest>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let shown = service.shelf.sheet(&asked.text, asked.language.into())?;
            let (mut walk, before) = walked(&shown.game(), &asked.moves, &service.limits.sheet)?;
            let position = walk.position().map_err(broken)?;
            let step = told(&shown, &position, before.as_ref(), asked.moves.len(), asked.moves.last());
            Ok(Json(json!({ "facts": position.facts, "step": step })))
        })
        .await
}

/// The state before the last step, and what each role saw in that step.
type Before = (Position, Vec<Vec<String>>);

/// Makes the moves, and returns the state reached and what came before the last step.
fn walked(
    game: &AnyGame,
    moves: &[Vec<String>],
    limits: &SheetLimits,
) -> Result<(Walk, Option<Before>), Problem> {
    if moves.len() > limits.steps as usize {
        let text = format!("A line of moves may have at most {} steps.", limits.steps);
        return Err(Problem::bad("too-many-moves", text));
    }
    let deadline = Deadline::after(limits.work);
    let mut walk = Walk::new(game);
    let mut before = None;
    for (number, joint) in moves.iter().enumerate() {
        if deadline.is_over() {
            return Err(Problem::useless("too-costly", "These moves take too long."));
        }
        let last = number + 1 == moves.len();
        let position = if last { Some(walk.position().map_err(broken)?) } else { None };
        let seen = walk
            .step(joint)
            .map_err(|fault| Problem::useless("illegal-move", format!("Step {}: {fault}.", number + 1)))?;
        before = position.map(|position| (position, seen));
    }
    Ok((walk, before))
}

fn told(
    shown: &Shown,
    here: &Position,
    before: Option<&Before>,
    number: usize,
    made: Option<&Vec<String>>,
) -> Value {
    let roles = shown.roles();
    let by_role = |of: &dyn Fn(usize) -> Value| -> Map<String, Value> {
        roles.iter().enumerate().map(|(at, role)| (role.clone(), of(at))).collect()
    };
    let turn: Vec<&String> =
        roles.iter().zip(&here.legal).filter(|(_, legal)| legal.len() > 1).map(|(role, _)| role).collect();
    let changed =
        before.map(|(before, _)| shown.drawing.changed(&before.facts, &here.facts)).unwrap_or_default();
    json!({
        "number": number,
        "board": shown.drawing.svg(&here.facts, &changed),
        "facts": here.facts,
        "turn": turn,
        "terminal": here.terminal,
        "goals": here.terminal.then(|| by_role(&|at| json!(here.goals[at]))),
        "moves": made.map(|moves| by_role(&|at| json!(moves[at]))),
        "replaced": {},
        "percepts": [],
        "seen": before.map(|(_, seen)| by_role(&|at| json!(seen[at]))),
        "legal": by_role(&|at| legal_moves(&shown.drawing, &roles[at], &here.facts, &here.legal[at])),
        "changed": changed,
        "evaluation": null,
    })
}

fn broken(fault: game::Fault) -> Problem {
    Problem::useless("unplayable", format!("The rules cannot be evaluated in this state: {fault}."))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayoutsRequest {
    text: String,
    language: Language,
    #[serde(default)]
    moves: Vec<Vec<String>>,
    #[serde(default = "hundred")]
    playouts: u32,
    #[serde(default)]
    seed: u64,
}

fn hundred() -> u32 {
    100
}

pub(crate) async fn playouts(
    State(service): State<Arc<Service>>,
    Body(asked): Body<PlayoutsRequest>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let limits = &service.limits.sheet;
            if !(1..=limits.playouts).contains(&asked.playouts) {
                let text = format!("`playouts` must be a number from 1 to {}.", limits.playouts);
                return Err(Problem::bad("bad-count", text));
            }
            let shown = service.shelf.sheet(&asked.text, asked.language.into())?;
            let game = shown.fast_game(&Deadline::after(limits.work));
            let (mut walk, _) = walked(&game, &asked.moves, limits)?;
            let deadline = Deadline::after(limits.work);
            let tally =
                walk.tally(asked.playouts, limits.steps, Seed(asked.seed), deadline).map_err(broken)?;
            let mut scores = vec![Score::default(); shown.roles().len()];
            for ((end, goals), count) in &tally.results {
                if *end == End::Goals {
                    for (score, goal) in scores.iter_mut().zip(goals) {
                        score.add_many(&score::of_goals(&[*goal])[0], *count);
                    }
                }
            }
            let goals: Map<String, Value> = shown
                .roles()
                .iter()
                .zip(scores)
                .map(|(role, score)| {
                    let interval = score.goal_interval(Confidence::P95);
                    let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
                    (role.clone(), json!({ "mean": score.mean_goal(), "low": low, "high": high }))
                })
                .collect();
            let steps = tally.steps as f64 / tally.playouts.max(1) as f64;
            Ok(Json(json!({
                "playouts": tally.playouts, "mean_length": steps, "goals": goals,
                "ends": {
                    "goals": tally.ended(End::Goals), "dead_end": tally.ended(End::DeadEnd),
                    "no_goal": tally.ended(End::NoGoal), "cut_off": tally.ended(End::CutOff),
                },
            })))
        })
        .await
}

pub(crate) async fn profile(
    State(service): State<Arc<Service>>,
    Body(asked): Body<SheetRequest>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let limits = &service.limits.sheet;
            let loaded = Loaded::new(sheet_source(&asked.text, asked.language.into()), Strictness::Lenient);
            let Some(rules) = loaded.rules() else {
                return Err(Problem::useless(
                    "sheet-with-errors",
                    "The sheet has errors and cannot be played.",
                ));
            };
            let sampling = Sampling {
                basis: Basis::Gates,
                playouts: 20,
                time: limits.work / 4,
                seed: Seed(1),
                limits: limits.grounding(),
            };
            let profile = analysis::profile::profile(&loaded, &rules, &sampling);
            let costs = profile.clauses.iter().map(|cost| {
                let advice = profile.advice.iter().find(|advice| advice.clause == cost.clause);
                json!({
                    "line": cost.line, "text": cost.head, "share": cost.share, "instances": cost.instances,
                    "gates": cost.gates, "advice": advice.map(|advice| &advice.text),
                })
            });
            let costs: Vec<Value> = costs.collect();
            Ok(Json(json!({ "basis": profile.basis, "note": profile.no_circuit, "rules": costs })))
        })
        .await
}
