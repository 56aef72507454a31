//! The cards that a move names.
//!
//! Without a board, moves may name what is drawn as cards: `(bid 5)` means the card of
//! `(holds north 5)`, `(take a 2)` the heap of `(heap a 4)`, and `(move 3 a b)` the disk of `(on 3 a)`
//! and the place `b`. The rules show which: a condition of `legal` that shares a variable with the
//! move.

use std::collections::{BTreeMap, BTreeSet};

use gdl::{Clause, Literal, LiteralKind, RuleSheet, Term, TermKind};

use super::moves::words;
use crate::board::fluent::split;

/// The maximum number of places of a relation for which empty ones are drawn.
const MOST_PLACES: usize = 12;

/// What the rules show about cards in moves, and the places where things were seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cards {
    /// The links by name and arity of the move, the closest first.
    links: BTreeMap<(String, usize), Vec<Link>>,
    /// The places where things can be, by relation.
    places: BTreeMap<String, BTreeSet<String>>,
}

/// A condition of a legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Link {
    fluent: String,
    /// What each argument of the fluent must be.
    arguments: Vec<Wanted>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    Anything,
    /// The role that moves.
    Role,
    /// Equal to an argument of the move.
    Argument(usize),
    Constant(String),
}

impl Cards {
    pub(crate) fn new(sheet: &RuleSheet, states: &[Vec<String>]) -> Cards {
        let mut cards = Cards::default();
        sheet.clauses.iter().for_each(|clause| cards.learn(clause));
        for links in cards.links.values_mut() {
            links.sort_by_key(|link| std::cmp::Reverse(link.shared()));
            links.dedup();
        }
        for facts in states {
            let mut seen: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
            for fact in facts {
                let (name, arguments) = split(fact);
                if let [thing, place] = arguments[..] {
                    seen.entry(name).or_default().push((thing, place));
                }
            }
            for (name, pairs) in seen.into_iter().filter(|(_, pairs)| are_at_places(pairs)) {
                let known = cards.places.entry(name.to_string()).or_default();
                known.extend(pairs.into_iter().map(|(_, place)| place.to_string()));
            }
        }
        cards.places.retain(|_, places| places.len() <= MOST_PLACES);
        cards
    }

    /// Learns from a clause that defines legal moves.
    fn learn(&mut self, clause: &Clause) {
        let head = &clause.head;
        let (true, [role, mv]) = (head.name().is_some_and(|name| &**name == "legal"), head.arguments())
        else {
            return;
        };
        let Some(name) = mv.name() else { return };
        let mut conditions = Vec::new();
        clause.body.iter().for_each(|literal| holding(literal, &mut conditions));
        for fluent in conditions {
            let wanted = |argument: &Term| match &argument.kind {
                _ if same(argument, role) => Wanted::Role,
                TermKind::Variable(_) => mv
                    .arguments()
                    .iter()
                    .position(|other| same(argument, other))
                    .map_or(Wanted::Anything, Wanted::Argument),
                _ => Wanted::Constant(argument.to_string()),
            };
            let Some(own) = fluent.name() else { continue };
            let arguments: Vec<Wanted> = fluent.arguments().iter().map(wanted).collect();
            let link = Link { fluent: own.to_string(), arguments };
            if link.shared() > 0 {
                self.links.entry((name.to_string(), mv.arguments().len())).or_default().push(link);
            }
        }
    }

    /// Returns the places where the things of a relation can be.
    pub(crate) fn places(&self, relation: &str) -> impl Iterator<Item = &str> {
        self.places.get(relation).into_iter().flatten().map(String::as_str)
    }

    /// Returns the cards and places that a move names. `facts` are those that are drawn.
    pub(crate) fn named(&self, role: Option<&str>, facts: &[&String], mv: &str) -> Vec<String> {
        let (name, arguments) = split(mv);
        let Some(links) = self.links.get(&(name.to_string(), arguments.len())) else { return Vec::new() };
        for link in links {
            let mut found = facts.iter().filter(|fact| link.fits(role, fact, &arguments));
            let (Some(fact), None) = (found.next(), found.next()) else { continue };
            let mut cells = vec![card_id(fact)];
            let places = self.places.get(&link.fluent);
            let others = arguments.iter().enumerate().filter(|(at, _)| !link.uses(*at));
            let others = others.filter(|(_, word)| places.is_some_and(|known| known.contains(**word)));
            cells.extend(others.map(|(_, place)| place_id(&link.fluent, place)));
            return cells;
        }
        Vec::new()
    }
}

impl Link {
    fn shared(&self) -> usize {
        self.arguments.iter().filter(|wanted| matches!(wanted, Wanted::Argument(_))).count()
    }

    fn uses(&self, place: usize) -> bool {
        self.arguments.contains(&Wanted::Argument(place))
    }

    fn fits(&self, role: Option<&str>, fact: &str, arguments: &[&str]) -> bool {
        let (name, own) = split(fact);
        let holds = |(wanted, value): (&Wanted, &&str)| match wanted {
            Wanted::Anything => true,
            Wanted::Role => role.is_none_or(|role| role == *value),
            Wanted::Argument(place) => arguments.get(*place) == Some(value),
            Wanted::Constant(text) => text == value,
        };
        name == self.fluent && own.len() == self.arguments.len() && self.arguments.iter().zip(&own).all(holds)
    }
}

/// Returns the name of the card of a fact.
pub(crate) fn card_id(fact: &str) -> String {
    words(fact).join(" ")
}

/// Returns the name of a place for the cards of a relation.
pub(crate) fn place_id(relation: &str, place: &str) -> String {
    format!("{relation} {}", words(place).join(" "))
}

/// Returns `true` if the pairs are numbered things, each at one named place.
pub(crate) fn are_at_places(pairs: &[(&str, &str)]) -> bool {
    let things: BTreeSet<&str> = pairs.iter().map(|(thing, _)| *thing).collect();
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    pairs.len() >= 3
        && things.len() == pairs.len()
        && pairs.iter().all(|(thing, place)| is_number(thing) && !is_number(place))
}

fn same(a: &Term, b: &Term) -> bool {
    match (&a.kind, &b.kind) {
        (TermKind::Variable(a), TermKind::Variable(b)) => a == b,
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => false,
        _ => a.to_string() == b.to_string(),
    }
}

/// Collects the fluents that must hold.
fn holding<'s>(literal: &'s Literal, found: &mut Vec<&'s Term>) {
    match &literal.kind {
        LiteralKind::Atom(term) => {
            if let (true, [fluent]) = (term.name().is_some_and(|name| &**name == "true"), term.arguments()) {
                found.push(fluent);
            }
        }
        LiteralKind::Or(all) | LiteralKind::And(all) => all.iter().for_each(|one| holding(one, found)),
        LiteralKind::Not(_) | LiteralKind::Distinct(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(sheet: &str, state: &[&str], role: &str, mv: &str) -> Vec<String> {
        let facts: Vec<String> = state.iter().map(|fact| fact.to_string()).collect();
        let cards = Cards::new(&gdl::parse_kif(sheet).sheet, std::slice::from_ref(&facts));
        cards.named(Some(role), &facts.iter().collect::<Vec<_>>(), mv)
    }

    #[test]
    fn a_card_in_the_hand_of_the_one_who_moves_is_meant() {
        let sheet = "(<= (legal ?p (bid ?c)) (true (turn ?p)) (true (holds ?p ?c)))";
        let state = ["(holds north 3)", "(holds south 3)", "(holds south 5)", "(turn south)"];
        assert_eq!(named(sheet, &state, "south", "(bid 3)"), ["holds south 3"]);
        assert_eq!(named(sheet, &state, "north", "(bid 3)"), ["holds north 3"]);
        assert!(named(sheet, &state, "north", "(bid 5)").is_empty());
        assert!(named(sheet, &state, "north", "pass").is_empty());
    }

    #[test]
    fn a_heap_is_meant_by_its_name_whatever_lies_on_it() {
        let sheet = "(<= (legal ?p (take ?h ?n)) (true (heap ?h ?m)) (less ?n ?m))";
        assert_eq!(named(sheet, &["(heap a 2)", "(heap b 1)"], "p", "(take a 1)"), ["heap a 2"]);
    }

    #[test]
    fn a_thing_and_where_it_goes_are_meant() {
        let sheet = "(<= (legal p (move ?d ?from ?to)) (true (on ?d ?from)) (peg ?to))";
        let state = ["(on 1 a)", "(on 2 a)", "(on 3 b)"];
        assert_eq!(named(sheet, &state, "p", "(move 2 a b)"), ["on 2 a", "on b"]);
        // Nothing was ever seen at the third place.
        assert_eq!(named(sheet, &state, "p", "(move 2 a c)"), ["on 2 a"]);
    }
}
