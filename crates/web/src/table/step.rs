//! A moment as it is told to someone.

use std::sync::Arc;

use arena::Reason;
use lab::picture::Glimpse;
use serde_json::{Map, Value, json};

use super::{Moment, Sight, Table};
use crate::drawing::Drawing;
use crate::problem::Problem;

impl Table {
    /// A moment as one who has this view is told of it. May take a while when it is first wanted.
    pub(crate) fn told(&self, moment: &Moment, sight: Sight) -> Arc<str> {
        let (role, reasons) = (self.narrow(sight), self.tells_reasons());
        moment.drawn(role, reasons, || Arc::from(self.tell(moment, role, reasons).to_string()))
    }

    /// The same, if it was told before.
    pub(crate) fn told_before(&self, moment: &Moment, sight: Sight) -> Option<Arc<str>> {
        moment.drawn_before(self.narrow(sight), self.tells_reasons())
    }

    /// The role whose view is narrower than the whole.
    fn narrow(&self, sight: Sight) -> Option<usize> {
        match sight {
            Sight::Role(role) if self.shown.game.hides() => Some(role),
            _ => None,
        }
    }

    /// Whether it is told why players moved as they did.
    fn tells_reasons(&self) -> bool {
        let course = self.course();
        course.plan.casual || course.standing.is_over()
    }

    /// The facts that a view shows.
    pub(crate) fn visible(&self, moment: &Moment, sight: Sight) -> Arc<[String]> {
        match self.narrow(sight) {
            Some(role) => self.known(role, moment.number).unwrap_or_else(|| Arc::from([])),
            None => Arc::from(moment.look.facts.as_slice()),
        }
    }

    /// The board that a view shows.
    pub(crate) fn drawn(&self, moment: &Moment, sight: Sight) -> String {
        let facts = self.visible(moment, sight);
        self.board(moment, sight, &facts, &self.changed(moment, sight, &facts))
    }

    /// What the game's own stylesheet makes of what a view shows.
    pub(crate) fn styled(&self, moment: &Moment, sight: Sight) -> Result<String, Problem> {
        let facts = self.visible(moment, sight);
        self.shown.drawing.styled(&facts).map_err(|text| Problem::useless("no-stylesheet", text))
    }

    /// Facts as a board; a role that lost track of them is shown what it did and saw.
    fn board(&self, moment: &Moment, sight: Sight, facts: &[String], changed: &[String]) -> String {
        match self.narrow(sight) {
            Some(role) if self.known(role, moment.number).is_none() => {
                let moments = self.course().moments.clone();
                let past = moments.iter().skip(1).take(moment.number);
                let glimpse = |moment: &Arc<Moment>| Glimpse {
                    step: moment.number,
                    own: moment.moves.as_ref().map(|moves| moves[role].clone()),
                    percepts: moment.percepts[role].clone(),
                };
                let history: Vec<Glimpse> = past.map(glimpse).collect();
                self.shown.drawing.memory(&self.roles()[role], &history)
            }
            _ => self.shown.drawing.svg(facts, changed),
        }
    }

    /// The squares that changed in the last step, as far as a view tells.
    fn changed(&self, moment: &Moment, sight: Sight, facts: &[String]) -> Vec<String> {
        let before = moment.number.checked_sub(1).and_then(|at| self.course().moments.get(at).cloned());
        before
            .map(|before| self.shown.drawing.changed(&self.visible(&before, sight), facts))
            .unwrap_or_default()
    }

    fn tell(&self, moment: &Moment, role: Option<usize>, reasons: bool) -> Value {
        let sight = role.map_or(Sight::Whole, Sight::Role);
        let facts = self.visible(moment, sight);
        let changed = self.changed(moment, sight, &facts);
        let roles = self.roles();
        let may = |index: usize| role.is_none_or(|role| role == index);
        let seats: Vec<bool> = self.course().plan.seats.iter().map(Option::is_some).collect();
        let own: Vec<usize> = (0..roles.len()).filter(|&index| may(index)).collect();
        let turn: Vec<&String> = own
            .iter()
            .filter(|&&at| seats[at] && moment.look.legal[at].len() > 1)
            .map(|&at| &roles[at])
            .collect();
        let moves = moment.moves.as_ref().map(|moves| {
            own.iter().map(|&at| (roles[at].clone(), json!(moves[at]))).collect::<Map<String, Value>>()
        });
        let goals = moment.look.terminal.then(|| {
            roles.iter().cloned().zip(moment.look.goals.iter().map(|goal| json!(goal))).collect::<Map<_, _>>()
        });
        let percepts = role.map_or(&[][..], |role| moment.percepts[role].as_slice());
        json!({
            "number": moment.number,
            "board": self.board(moment, sight, &facts, &changed),
            "facts": &*facts,
            "turn": turn,
            "terminal": moment.look.terminal,
            "goals": goals,
            "moves": moves,
            "percepts": percepts,
            "legal": own.iter().map(|&at| {
                (roles[at].clone(), legal_moves(&self.shown.drawing, &roles[at], &facts, &moment.look.legal[at]))
            }).collect::<Map<String, Value>>(),
            "changed": changed,
            "evaluation": if reasons { evaluation(moment, roles, &own) } else { Value::Null },
        })
    }
}

/// Moves with what they are called and the cells they name, as far as these facts tell.
pub(crate) fn legal_moves(drawing: &Drawing, role: &str, facts: &[String], moves: &[String]) -> Value {
    let cells = drawing.cells(role, facts, moves);
    let one =
        |(text, cells): (&String, Vec<String>)| json!({ "move": text, "label": label(text), "cells": cells });
    moves.iter().zip(cells).map(one).collect()
}

/// A move without the parentheses around it.
fn label(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inside.unwrap_or(text)
}

/// Why the players moved as they did, where they had a choice.
fn evaluation(moment: &Moment, roles: &[String], own: &[usize]) -> Value {
    let mut all = Map::new();
    for &at in own {
        let Some(reason) = moment.reasons.iter().find(|reason| reason.role == roles[at]) else { continue };
        let made = moment.moves.as_ref().map_or("", |moves| moves[at].as_str());
        if let Some(told) = thought(reason, made) {
            all.insert(roles[at].clone(), told);
        }
    }
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}

/// Value, visits and expected line, where a player gives them.
fn thought(reason: &Reason, made: &str) -> Option<Value> {
    let entry =
        |name: &str| reason.entries.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let value = entry("value").and_then(number)?;
    let visits =
        entry(made).and_then(|text| after(text, "visits ")).or_else(|| entry("playouts").and_then(number));
    let line = entry("expected").map(terms).unwrap_or_default();
    Some(json!({ "value": value, "visits": visits, "line": line, "entries": reason.entries }))
}

/// The number that follows a word.
pub(super) fn after(text: &str, word: &str) -> Option<f64> {
    number(&text[text.find(word)? + word.len()..])
}

fn number(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The terms of a text, one after another.
fn terms(text: &str) -> Vec<String> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth <= 0 => {
                found.push(text[begin..at].to_string());
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[begin..].to_string());
    found.retain(|term| !term.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_become_values_visits_and_lines() {
        let entry = |name: &str, value: &str| (name.to_string(), value.to_string());
        let reason = Reason {
            step: 1,
            role: "x".to_string(),
            entries: vec![
                entry("value", "72.5, proven"),
                entry("(mark 2 2)", "value 72.5, visits 118"),
                entry("expected", "(mark 2 2) (mark 1 1) pass"),
            ],
        };
        let told = thought(&reason, "(mark 2 2)").unwrap();
        assert_eq!((told["value"].as_f64(), told["visits"].as_f64()), (Some(72.5), Some(118.0)));
        assert_eq!(told["line"], json!(["(mark 2 2)", "(mark 1 1)", "pass"]));
        let only = Reason { entries: vec![entry("because", "the only legal move")], ..reason };
        assert_eq!(thought(&only, "noop"), None);
    }
}
