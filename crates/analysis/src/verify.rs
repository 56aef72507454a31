//! Replaying recordings: does a game still answer as recorded?
//!
//! Recordings may be lower-cased although names are case-sensitive, and in some rule sheets names differ
//! only by case. So states are not rebuilt from text if that can be avoided. Instead, moves are replayed
//! from the first state, and sets of lower-cased texts are compared. Only after a gap in a recording is a
//! state rebuilt, with the spelling of the rule sheet.

use std::collections::BTreeSet;

use game::{Fault, Game, MoveId, Role, RoleId};
use gdl::{Clause, Literal, LiteralKind, RuleSheet, Term};
use library::read_state;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::trace::{Header, Line, seen};

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The number of states compared.
    pub states: usize,
    /// The number of states skipped because their spelling is ambiguous after a gap, and of those that
    /// follow them.
    pub left_out: usize,
    /// The first difference, at which the replay stopped.
    pub difference: Option<Difference>,
}

/// A difference between the recording and the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The line in the recording, from 1.
    pub line: usize,
    /// The number of the playout.
    pub playout: u64,
    /// The number of steps before this state.
    pub ply: u32,
    /// What differs, such as "legal moves of white".
    pub what: String,
    /// What only the recording has.
    pub only_recorded: Vec<String>,
    /// What only the game has.
    pub only_here: Vec<String>,
}

/// Why a recording could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A line does not have the trace format.
    #[error("line {line} is not in the trace format: {cause}")]
    Format {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        cause: String,
    },
    /// The game could not answer.
    #[error("line {line}: {fault}")]
    Fault {
        /// The line, from 1.
        line: usize,
        /// The fault.
        fault: Fault,
    },
}

/// Replays the recording `text` up to the first difference, and at most `limit` states of it. The sheet
/// restores the spelling of names in a lower-cased recording.
pub fn verify<G: Game>(
    game: &G,
    sheet: Option<&RuleSheet>,
    text: &str,
    limit: usize,
) -> Result<Report, VerifyError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Header = match lines.next() {
        Some((number, line)) => parse(number, line)?,
        None => return Err(VerifyError::Format { line: 1, cause: "the file is empty".to_string() }),
    };
    let mut replay = Replay {
        game,
        scratch: game.scratch(),
        spelling: Spelling::new(sheet),
        before: None,
        report: Report::default(),
    };
    let first = match &header.from {
        None => game.initial(),
        Some(from) => {
            let facts = read_state(from)
                .map_err(|cause| VerifyError::Format { line: 1, cause: cause.to_string() })?;
            game.state(&facts).map_err(|fault| VerifyError::Fault { line: 1, fault })?
        }
    };
    let own = Role::names(game.roles());
    let roles = (lower(&header.roles), lower(&own));
    if roles.0 != roles.1 {
        let difference = difference("roles", &header.roles, &own);
        replay.report.difference = Some(Difference { line: 1, ..difference });
        return Ok(replay.report);
    }
    for (number, line) in lines.take(limit) {
        let line: Line = parse(number, line)?;
        let found =
            replay.line(&line, &first).map_err(|fault| VerifyError::Fault { line: number + 1, fault })?;
        if let Some(found) = found {
            let (playout, ply) = (line.playout, line.ply);
            replay.report.difference = Some(Difference { line: number + 1, playout, ply, ..found });
            break;
        }
    }
    Ok(replay.report)
}

fn parse<T: serde::de::DeserializeOwned>(number: usize, line: &str) -> Result<T, VerifyError> {
    serde_json::from_str(line).map_err(|e| VerifyError::Format { line: number + 1, cause: e.to_string() })
}

struct Replay<'g, G: Game> {
    game: &'g G,
    scratch: G::Scratch,
    spelling: Spelling,
    /// The playout and ply of the last line, and the state that its moves lead to.
    before: Option<(u64, u32, Option<G::State>)>,
    report: Report,
}

impl<G: Game> Replay<'_, G> {
    fn line(&mut self, line: &Line, first: &G::State) -> Result<Option<Difference>, Fault> {
        let follows = matches!(&self.before, Some((playout, ply, _)) if (*playout, ply + 1) == (line.playout, line.ply));
        let state = match self.before.take() {
            _ if line.ply == 0 => Some(first.clone()),
            Some((_, _, next)) if follows && next.is_some() => next,
            _ => self.spelling.facts(&line.state).map(|facts| self.game.state(&facts)).transpose()?,
        };
        let Some(state) = state else {
            self.report.left_out += 1;
            self.before = Some((line.playout, line.ply, None));
            return Ok(None);
        };
        self.report.states += 1;
        let facts = self.game.facts(&state);
        self.spelling.learn(&facts);
        let found = self.compare(line, &state, &facts)?;
        if found.is_some() {
            return Ok(found);
        }
        let mut next = None;
        if let Some(texts) = &line.joint {
            let joint = match self.joint(&state, texts)? {
                Ok(joint) => joint,
                Err(found) => return Ok(Some(found)),
            };
            if let Some(recorded) = &line.percepts {
                for (role, percepts) in seen(self.game, &mut self.scratch, &state, &joint)? {
                    let none = Vec::new();
                    let recorded = recorded.get(&role).unwrap_or(&none);
                    if lower(recorded) != lower(&percepts) {
                        return Ok(Some(difference(&format!("percepts of {role}"), recorded, &percepts)));
                    }
                }
            }
            next = Some(self.game.next(&mut self.scratch, &state, &joint)?);
        }
        self.before = Some((line.playout, line.ply, next));
        Ok(None)
    }

    fn compare(
        &mut self,
        line: &Line,
        state: &G::State,
        facts: &[String],
    ) -> Result<Option<Difference>, Fault> {
        if lower(&line.state) != lower(facts) {
            return Ok(Some(difference("state", &line.state, facts)));
        }
        let terminal = self.game.is_terminal(&mut self.scratch, state)?;
        if terminal != line.terminal {
            return Ok(Some(difference("terminal", &[line.terminal.to_string()], &[terminal.to_string()])));
        }
        let mut moves = Vec::new();
        for (role, name) in RoleId::all(self.game.roles().len()).zip(self.game.roles()) {
            self.game.legal(&mut self.scratch, state, role, &mut moves)?;
            let texts: Vec<String> = moves.iter().map(|&m| self.game.move_text(role, m)).collect();
            let none = Vec::new();
            let recorded = line.legal.get(name).unwrap_or(&none);
            if lower(recorded) != lower(&texts) {
                return Ok(Some(difference(&format!("legal moves of {name}"), recorded, &texts)));
            }
            if let Some(goals) = &line.goals {
                let word =
                    |goal: Option<i32>| goal.map_or("no single value".to_string(), |goal| goal.to_string());
                let recorded = word(goals.get(name).copied().flatten());
                let here = word(self.game.goal(&mut self.scratch, state, role)?);
                if recorded != here {
                    return Ok(Some(difference(&format!("goal of {name}"), &[recorded], &[here])));
                }
            }
        }
        Ok(None)
    }

    /// Returns the legal moves with these texts. An exact match takes precedence over one that differs by
    /// case.
    fn joint(
        &mut self,
        state: &G::State,
        texts: &[String],
    ) -> Result<Result<Vec<MoveId>, Difference>, Fault> {
        let (mut joint, mut moves) = (Vec::new(), Vec::new());
        for (role, name) in RoleId::all(self.game.roles().len()).zip(self.game.roles()) {
            let Some(text) = texts.get(role.index()) else {
                return Ok(Err(difference("number of moves made", &[texts.len().to_string()], &[])));
            };
            self.game.legal(&mut self.scratch, state, role, &mut moves)?;
            let same = |m: &&MoveId| self.game.move_text(role, **m) == *text;
            let alike = |m: &&MoveId| self.game.move_text(role, **m).to_lowercase() == text.to_lowercase();
            match moves.iter().find(same).or_else(|| moves.iter().find(alike)) {
                Some(&found) => joint.push(found),
                None => {
                    let what = format!("the move made by {name}, which is not legal");
                    return Ok(Err(difference(&what, std::slice::from_ref(text), &[])));
                }
            }
        }
        Ok(Ok(joint))
    }
}

/// Returns the texts in lower case. `(open)` and `open` are the same fact.
fn lower(texts: &[String]) -> BTreeSet<String> {
    let plain = |text: &String| match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(word) if !word.contains([' ', '(']) => word.to_lowercase(),
        _ => text.to_lowercase(),
    };
    texts.iter().map(plain).collect()
}

fn difference(what: &str, recorded: &[String], here: &[String]) -> Difference {
    let (recorded, here) = (lower(recorded), lower(here));
    Difference {
        line: 0,
        playout: 0,
        ply: 0,
        what: what.to_string(),
        only_recorded: recorded.difference(&here).cloned().collect(),
        only_here: here.difference(&recorded).cloned().collect(),
    }
}

/// Maps lower-cased words to their spellings in a rule sheet.
struct Spelling {
    words: FxHashMap<String, BTreeSet<String>>,
    facts: FxHashMap<String, String>,
}

impl Spelling {
    fn new(sheet: Option<&RuleSheet>) -> Spelling {
        let mut spelling = Spelling { words: FxHashMap::default(), facts: FxHashMap::default() };
        for Clause { head, body, .. } in sheet.into_iter().flat_map(|sheet| &sheet.clauses) {
            spelling.term(head);
            body.iter().for_each(|literal| spelling.literal(literal));
        }
        spelling
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(term) => self.term(term),
            LiteralKind::Not(inner) => self.literal(inner),
            LiteralKind::Or(all) | LiteralKind::And(all) => {
                all.iter().for_each(|literal| self.literal(literal))
            }
            LiteralKind::Distinct(a, b) => [a, b].into_iter().for_each(|term| self.term(term)),
        }
    }

    fn term(&mut self, term: &Term) {
        if let Some(name) = term.name() {
            self.words.entry(name.to_lowercase()).or_default().insert(name.to_string());
        }
        term.arguments().iter().for_each(|term| self.term(term));
    }

    fn learn(&mut self, facts: &[String]) {
        for fact in facts {
            self.facts.entry(fact.to_lowercase()).or_insert_with(|| fact.clone());
        }
    }

    /// Returns the facts as the sheet spells them, or `None` if the spelling is ambiguous.
    fn facts(&self, facts: &[String]) -> Option<Vec<String>> {
        facts
            .iter()
            .map(|fact| self.facts.get(&fact.to_lowercase()).cloned().or_else(|| self.spell(fact)))
            .collect()
    }

    fn spell(&self, fact: &str) -> Option<String> {
        let mut spelt = String::new();
        let mut word = String::new();
        for c in fact.chars().chain([' ']) {
            if !matches!(c, '(' | ')' | ' ') {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                match self.words.get(&word.to_lowercase()) {
                    Some(spellings) if spellings.len() == 1 => {
                        spelt.extend(spellings.iter().map(String::as_str))
                    }
                    // A word with upper-case letters was not lower-cased, so its spelling can be trusted.
                    Some(spellings) if spellings.contains(&word) && word != word.to_lowercase() => {
                        spelt.push_str(&word)
                    }
                    Some(_) => return None,
                    None => spelt.push_str(&word),
                }
                word.clear();
            }
            spelt.push(c);
        }
        Some(spelt.trim_end().to_string())
    }
}
