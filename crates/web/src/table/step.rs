//! A moment as JSON for a view.

use std::sync::Arc;

use arena::StepThought;
use picture::Glimpse;
use serde_json::{Map, Value, json};

use super::{Moment, Sight, Table};
use crate::drawing::Drawing;
use crate::problem::Problem;

impl Table {
    /// Returns the JSON of a moment for a view. May take a while on first use.
    pub(crate) fn told(&self, moment: &Moment, sight: Sight) -> Arc<str> {
        let (role, thoughts) = (self.narrow(sight), self.tells_thoughts());
        moment.drawn(role, thoughts, || Arc::from(self.tell(moment, role, thoughts).to_string()))
    }

    /// Returns the JSON if it is already cached.
    pub(crate) fn told_before(&self, moment: &Moment, sight: Sight) -> Option<Arc<str>> {
        moment.drawn_before(self.narrow(sight), self.tells_thoughts())
    }

    /// Returns the role whose view is narrower than the whole.
    fn narrow(&self, sight: Sight) -> Option<usize> {
        match sight {
            Sight::Role(role) if self.shown.hides() => Some(role),
            _ => None,
        }
    }

    /// Returns `true` if the thoughts behind moves are shown.
    fn tells_thoughts(&self) -> bool {
        let course = self.course();
        course.kept.casual || course.standing.is_over()
    }

    /// Returns the facts that a view shows.
    pub(crate) fn visible(&self, moment: &Moment, sight: Sight) -> Arc<[String]> {
        match self.narrow(sight) {
            Some(role) => self.known(role, moment.number).unwrap_or_else(|| Arc::from([])),
            None => Arc::from(moment.position.facts.as_slice()),
        }
    }

    /// Draws the board that a view shows.
    pub(crate) fn drawn(&self, moment: &Moment, sight: Sight) -> String {
        let facts = self.visible(moment, sight);
        self.board(moment, sight, &facts, &self.changed(moment, sight, &facts))
    }

    /// Draws what a view shows with the game's own stylesheet.
    pub(crate) fn styled(&self, moment: &Moment, sight: Sight) -> Result<String, Problem> {
        let facts = self.visible(moment, sight);
        self.shown
            .drawing
            .styled(&facts)
            .map_err(|error| Problem::useless("no-stylesheet", error.to_string()))
    }

    /// Draws facts as a board. If a role has lost track of them, draws what it did and saw.
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

    /// Returns the squares that changed in the last step, as far as a view shows.
    fn changed(&self, moment: &Moment, sight: Sight, facts: &[String]) -> Vec<String> {
        self.before(moment)
            .map(|before| self.shown.drawing.changed(&self.visible(&before, sight), facts))
            .unwrap_or_default()
    }

    fn before(&self, moment: &Moment) -> Option<Arc<Moment>> {
        moment.number.checked_sub(1).and_then(|at| self.course().moments.get(at).cloned())
    }

    /// Returns which moves of these roles the referee made in place of players, and why.
    fn replaced_in(&self, moment: &Moment, may: &dyn Fn(usize) -> bool) -> Map<String, Value> {
        let Some(before) = self.before(moment) else { return Map::new() };
        let told = self.substitutes(&before, moment).filter(|fault| self.role(&fault.role).is_ok_and(may));
        told.map(|fault| (fault.role.clone(), json!({ "code": fault.code, "text": fault.text }))).collect()
    }

    fn tell(&self, moment: &Moment, role: Option<usize>, thoughts: bool) -> Value {
        let sight = role.map_or(Sight::Whole, Sight::Role);
        let facts = self.visible(moment, sight);
        let changed = self.changed(moment, sight, &facts);
        let roles = self.roles();
        let may = |index: usize| role.is_none_or(|role| role == index);
        let seats: Vec<bool> = self.course().kept.seats.iter().map(Option::is_some).collect();
        let own: Vec<usize> = (0..roles.len()).filter(|&index| may(index)).collect();
        let turn: Vec<&String> = own
            .iter()
            .filter(|&&at| seats[at] && moment.position.legal[at].len() > 1)
            .map(|&at| &roles[at])
            .collect();
        let moves = moment.moves.as_ref().map(|moves| {
            own.iter().map(|&at| (roles[at].clone(), json!(moves[at]))).collect::<Map<String, Value>>()
        });
        let goals = moment.position.terminal.then(|| {
            roles
                .iter()
                .cloned()
                .zip(moment.position.goals.iter().map(|goal| json!(goal)))
                .collect::<Map<_, _>>()
        });
        let percepts = role.map_or(&[][..], |role| moment.percepts[role].as_slice());
        json!({
            "number": moment.number,
            "board": self.board(moment, sight, &facts, &changed),
            "facts": &*facts,
            "turn": turn,
            "terminal": moment.position.terminal,
            "goals": goals,
            "moves": moves,
            "replaced": self.replaced_in(moment, &may),
            "percepts": percepts,
            "legal": own.iter().map(|&at| {
                (roles[at].clone(), legal_moves(&self.shown.drawing, &roles[at], &facts, &moment.position.legal[at]))
            }).collect::<Map<String, Value>>(),
            "changed": changed,
            "evaluation": if thoughts { evaluation(moment, roles, &own) } else { Value::Null },
        })
    }
}

/// Returns moves with their labels and the cells they name, as far as these facts show.
pub(crate) fn legal_moves(drawing: &Drawing, role: &str, facts: &[String], moves: &[String]) -> Value {
    let cells = drawing.cells(role, facts, moves);
    let one =
        |(text, cells): (&String, Vec<String>)| json!({ "move": text, "label": label(text), "cells": cells });
    moves.iter().zip(cells).map(one).collect()
}

/// Returns a move without its outer parentheses.
fn label(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inside.unwrap_or(text)
}

/// Returns the thoughts behind the players' moves, where they had a choice.
fn evaluation(moment: &Moment, roles: &[String], own: &[usize]) -> Value {
    let mut all = Map::new();
    for &at in own {
        let Some(of) = moment.notes.thoughts.iter().find(|of| of.role == roles[at]) else { continue };
        let made = moment.moves.as_ref().map_or("", |moves| moves[at].as_str());
        if let Some(told) = thought(of, made) {
            all.insert(roles[at].clone(), told);
        }
    }
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}

/// Returns value, visits and expected line, if the player expects a value.
fn thought(of: &StepThought, made: &str) -> Option<Value> {
    let thought = &of.thought;
    let visits = thought.of_move(made).and_then(|known| known.visits).or(thought.playouts);
    let line: Vec<&String> = thought.line.iter().map(|(_, mv)| mv).collect();
    Some(json!({ "value": thought.value?, "visits": visits, "line": line, "entries": thought.describe() }))
}

#[cfg(test)]
mod tests {
    use game::{Considered, RoleId, Thought};

    use super::*;

    #[test]
    fn thoughts_are_told_as_values_visits_and_lines() {
        let line = ["(mark 2 2)", "(mark 1 1)", "pass"];
        let considered = Considered { visits: Some(118), ..Considered::new("(mark 2 2)".to_string()) };
        let searched = Thought {
            value: Some(72.5),
            moves: vec![considered],
            line: line.iter().map(|mv| (RoleId(0), mv.to_string())).collect(),
            ..Thought::default()
        };
        let of = |thought| StepThought { step: 1, role: "x".to_string(), thought };
        let told = thought(&of(searched), "(mark 2 2)").unwrap();
        assert_eq!((told["value"].as_f64(), told["visits"].as_f64()), (Some(72.5), Some(118.0)));
        assert_eq!(told["line"], json!(line));
        assert_eq!(thought(&of(Thought::only_move()), "noop"), None);
    }
}
