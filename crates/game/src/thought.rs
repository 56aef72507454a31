//! The basis of a player's choice, as typed values.
//!
//! A thought goes unchanged from a player through its seat into records, the store, pages and reports. It
//! becomes text only where it is shown, with [`Thought::describe`], and that text is never parsed.

use serde::{Deserialize, Serialize};

use crate::{Fault, MoveId, RoleId};

/// The name of the remark with the reason of a choice.
const BECAUSE: &str = "because";

/// The basis of a player's last choice; empty if the player does not report it.
///
/// Moves are [`MoveId`]s inside a player and canonical text everywhere else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "M: Deserialize<'de>"))]
pub struct Thought<M = MoveId> {
    /// Which strategy was used and why, from players that choose among several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The goal that the player expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What is proven about that value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The moves that were considered, the chosen one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Considered<M>>,
    /// The principal line: the moves expected from here on, of roles that have a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<(RoleId, M)>,
    /// The number of playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The number of playouts per second, if the clock determined how many there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts_per_second: Option<f64>,
    /// The number of nodes of the search tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The search depth in steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of states visited, if the player counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<States>,
    /// The fault because of which the choice was cut short or left to chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Further remarks for people, as names and texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(String, String)>,
}

/// A move that a player considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Considered<M = MoveId> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// The goal that is expected after it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<f64>,
    /// Whether the value is only an upper bound.
    #[serde(skip_serializing_if = "is_false", default)]
    pub at_most: bool,
    /// The mean goal in random playouts after it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mean: Option<f64>,
    /// Whether the value is proven.
    #[serde(skip_serializing_if = "is_false", default)]
    pub proven: bool,
    /// How often a search visited it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub visits: Option<u64>,
    /// The probability with which it is played, from players that mix their moves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub share: Option<f64>,
}

/// What is proven about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proven {
    /// It is exact, with the number of steps to the end under best play, if that is known.
    Exactly(Option<u32>),
    /// It lies between these goals.
    Between(i32, i32),
}

/// The number of states visited, by purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct States {
    /// In a search for a plan.
    pub search: u64,
    /// In playouts.
    pub playouts: u64,
    /// To determine which states the match may be in.
    pub sampling: u64,
}

impl States {
    /// Returns the total.
    pub fn total(self) -> u64 {
        self.search + self.playouts + self.sampling
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl<M> Default for Thought<M> {
    fn default() -> Thought<M> {
        Thought {
            strategy: None,
            value: None,
            proven: None,
            moves: Vec::new(),
            line: Vec::new(),
            playouts: None,
            playouts_per_second: None,
            nodes: None,
            depth: None,
            states: None,
            fault: None,
            notes: Vec::new(),
        }
    }
}

impl<M> Considered<M> {
    /// Creates a move about which nothing else is known.
    pub fn new(mv: M) -> Considered<M> {
        Considered { mv, value: None, at_most: false, mean: None, proven: false, visits: None, share: None }
    }
}

impl<M> Thought<M> {
    /// Creates a thought with only a remark on why the move was made.
    pub fn because(reason: impl Into<String>) -> Thought<M> {
        Thought { notes: vec![(BECAUSE.to_string(), reason.into())], ..Thought::default() }
    }

    /// Creates the thought of a player that had no choice.
    pub fn only_move() -> Thought<M> {
        Thought::because("the only legal move")
    }

    /// Adds a remark.
    pub fn note(&mut self, name: &str, text: impl Into<String>) {
        self.notes.push((name.to_string(), text.into()));
    }

    /// Returns what is known about a move.
    pub fn of_move<N: PartialEq<M> + ?Sized>(&self, mv: &N) -> Option<&Considered<M>> {
        self.moves.iter().find(|known| *mv == known.mv)
    }

    /// Converts the moves of the thought.
    pub fn map<N>(self, own: impl Fn(M) -> N, of: impl Fn(RoleId, M) -> N) -> Thought<N> {
        let Thought { strategy, value, proven, moves, line, playouts, .. } = self;
        let Thought { playouts_per_second, nodes, depth, states, fault, notes, .. } = self;
        let considered = |known: Considered<M>| Considered {
            mv: own(known.mv),
            value: known.value,
            at_most: known.at_most,
            mean: known.mean,
            proven: known.proven,
            visits: known.visits,
            share: known.share,
        };
        Thought {
            strategy,
            value,
            proven,
            moves: moves.into_iter().map(considered).collect(),
            line: line.into_iter().map(|(role, mv)| (role, of(role, mv))).collect(),
            playouts,
            playouts_per_second,
            nodes,
            depth,
            states,
            fault,
            notes,
        }
    }
}

impl Thought<String> {
    /// Returns `true` if the thought is empty.
    pub fn is_empty(&self) -> bool {
        *self == Thought::default()
    }

    /// Describes the thought for people: names and texts, in reading order.
    pub fn describe(&self) -> Vec<(String, String)> {
        let mut entries = Vec::new();
        let mut say = |name: &str, text: String| entries.push((name.to_string(), text));
        if let Some(strategy) = &self.strategy {
            say("player", strategy.clone());
        }
        if let Some(value) = self.value {
            let proven = match self.proven {
                None => String::new(),
                Some(Proven::Exactly(None)) => ", proven".to_string(),
                Some(Proven::Exactly(Some(steps))) => format!(", proven, {steps} steps to the end"),
                Some(Proven::Between(low, high)) => format!(", proven between {low} and {high}"),
            };
            say("value", format!("{value:.1}{proven}"));
        }
        for known in &self.moves {
            let mut parts = Vec::new();
            parts.extend(known.share.map(|share| format!("played {:.1} % of the time", 100.0 * share)));
            let most = if known.at_most { "at most " } else { "" };
            parts.extend(known.value.map(|value| format!("value {most}{value:.1}")));
            parts.extend(known.mean.map(|mean| format!("playouts {mean:.1}")));
            parts.extend(known.visits.map(|visits| format!("visits {visits}")));
            parts.extend(known.proven.then(|| "proven".to_string()));
            say(&known.mv, parts.join(", "));
        }
        if !self.line.is_empty() {
            let texts: Vec<&str> = self.line.iter().map(|(_, mv)| mv.as_str()).collect();
            say("expected", texts.join(" "));
        }
        // The fault belongs to the reason, if one is given.
        let reason = self.notes.iter().position(|(name, _)| name == BECAUSE).filter(|_| self.fault.is_some());
        for (at, (name, text)) in self.notes.iter().enumerate() {
            let text = match &self.fault {
                Some(fault) if reason == Some(at) => format!("{text}: {fault}"),
                _ => text.clone(),
            };
            entries.push((name.clone(), text));
        }
        let mut say = |name: &str, text: String| entries.push((name.to_string(), text));
        if let Some(playouts) = self.playouts {
            say("playouts", playouts.to_string());
        }
        if let Some(rate) = self.playouts_per_second {
            say("playouts per second", format!("{rate:.0}"));
        }
        if let Some(nodes) = self.nodes {
            say("nodes", nodes.to_string());
        }
        if let Some(depth) = self.depth {
            say("depth", depth.to_string());
        }
        if let Some(states) = self.states {
            let States { search, playouts, sampling } = states;
            let kinds = [(search, "in search"), (playouts, "in playouts"), (sampling, "in sampling")];
            let kinds: Vec<String> = kinds
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, kind)| format!("{count} {kind}"))
                .collect();
            match kinds.len() {
                0 | 1 => say("states", states.total().to_string()),
                _ => say("states", format!("{}: {}", states.total(), kinds.join(", "))),
            }
        }
        if let Some(fault) = self.fault.as_ref().filter(|_| reason.is_none()) {
            say("stopped early", fault.to_string());
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_is_put_into_words_in_reading_order() {
        let thought = Thought {
            value: Some(72.46),
            proven: Some(Proven::Between(50, 100)),
            moves: vec![Considered {
                value: Some(72.46),
                visits: Some(118),
                ..Considered::new("(mark 2 2)".into())
            }],
            line: vec![(RoleId(0), "(mark 2 2)".into()), (RoleId(1), "pass".into())],
            states: Some(States { search: 0, playouts: 90, sampling: 10 }),
            ..Thought::<String>::default()
        };
        let words: Vec<String> =
            thought.describe().into_iter().map(|(name, text)| format!("{name}: {text}")).collect();
        assert_eq!(
            words,
            [
                "value: 72.5, proven between 50 and 100",
                "(mark 2 2): value 72.5, visits 118",
                "expected: (mark 2 2) pass",
                "states: 100: 90 in playouts, 10 in sampling",
            ]
        );
    }

    #[test]
    fn moves_become_text_at_the_seat() {
        let thought = Thought { line: vec![(RoleId(1), MoveId(3))], ..Thought::default() };
        let text = thought.map(|mv| format!("own {}", mv.0), |role, mv| format!("{} of {}", mv.0, role.0));
        assert_eq!(text.line, [(RoleId(1), "3 of 1".to_string())]);
    }
}
