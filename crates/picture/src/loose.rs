//! Facts that are not on a board: counters, hands of cards and piles.
//!
//! Next to a board, facts are counters: a name and a value on one line. Without a board, they are what
//! the game is played with. The facts of a relation form a section of cards, grouped by player or
//! place, as in `(holds north 3) (holds north 5)`. Small numbers are also drawn as pips, as in
//! `(heap a 4)`. Things at places, as in `(on 2 a)`, are in the box of their place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::cards::{Cards, are_at_places, card_id, place_id};
use super::look::Look;
use super::svg::{N, escaped, label, whole, width};
use crate::board::fluent::split;

/// The maximum number of facts that are drawn individually.
pub(crate) const MOST: usize = 160;
const GAP: f64 = 8.0;
const CHIP: f64 = 28.0;
const CARD: (f64, f64) = (50.0, 66.0);
/// The largest number that is drawn as pips.
const MOST_PIPS: i64 = 12;

/// Facts grouped by all arguments but the last, with the last arguments.
type Groups<'f> = BTreeMap<Vec<&'f str>, Vec<&'f str>>;

/// Cards that belong together.
struct Hand {
    /// Their owner or place.
    owner: String,
    /// The name of the place, if it is one.
    id: Option<String>,
    /// The texts on the cards, and their names.
    cards: Vec<(String, String)>,
}

/// Returns the name of the card of a fact, given its parts.
fn id_of(name: &str, arguments: &[&str], last: Option<&str>) -> String {
    let words = std::iter::once(name).chain(arguments.iter().copied()).chain(last);
    card_id(&words.collect::<Vec<&str>>().join(" "))
}

/// Groups facts by relation.
fn sections<'f>(facts: &[&'f String]) -> BTreeMap<&'f str, Groups<'f>> {
    let mut sections: BTreeMap<&str, Groups<'f>> = BTreeMap::new();
    for fact in facts {
        let (name, mut arguments) = split(fact);
        let last = arguments.pop();
        sections.entry(name).or_default().entry(arguments).or_default().extend(last);
    }
    for items in sections.values_mut().flat_map(BTreeMap::values_mut) {
        items.sort_by_key(|item| (item.parse::<i64>().unwrap_or(i64::MAX), *item));
    }
    sections
}

/// Draws facts below each other within a width. Drawing returns how far they extend right and down.
pub(crate) struct Loose<'a> {
    pub(crate) look: &'a Look,
    pub(crate) cards: &'a Cards,
    /// Names of cards that changed in the last step.
    pub(crate) changed: &'a [String],
    pub(crate) wide: f64,
    pub(crate) beside_board: bool,
}

impl Loose<'_> {
    pub(crate) fn draw(&self, out: &mut String, facts: &[&String], top: f64) -> (f64, f64) {
        let shown = &facts[..facts.len().min(MOST)];
        let sections = sections(shown);
        // Without a board, only a single fact is a counter.
        let is_counter = |groups: &Groups<'_>| {
            let single = groups.values().all(|items| items.len() <= if self.beside_board { 3 } else { 1 });
            single && (self.beside_board || groups.len() == 1 && groups.keys().all(Vec::is_empty))
        };
        let counters = sections.iter().filter(|(_, groups)| is_counter(groups));
        let (mut right, mut y) = self.counters(out, counters, top);
        for (name, groups) in sections.iter().filter(|(_, groups)| !is_counter(groups)) {
            let (reach, end) = self.section(out, name, groups, y);
            (right, y) = (right.max(reach), end);
        }
        if facts.len() > MOST {
            let more = format!("and {} more facts", facts.len() - MOST);
            label(out, (self.wide / 2.0, y + 10.0), 13.0, "class=\"more\" fill=\"#777\"", &more);
            (right, y) = (self.wide, y + 24.0);
        }
        (right, y)
    }

    /// Draws names and values in lines.
    fn counters<'s, 'f: 's>(
        &self,
        out: &mut String,
        sections: impl Iterator<Item = (&'s &'f str, &'s Groups<'f>)>,
        top: f64,
    ) -> (f64, f64) {
        let (mut x, mut y, mut right) = (GAP, top, 0.0f64);
        for (name, groups) in sections {
            for (arguments, items) in groups {
                let mut words = vec![*name];
                words.extend(arguments);
                let title = cut(&readable(&words.join(" ")));
                let value = cut(&items.iter().map(|item| readable(item)).collect::<Vec<String>>().join(", "));
                let dot = self.look.tint(&value);
                let gap = if value.is_empty() { 0.0 } else { 10.0 };
                let room = if dot.is_some() { 18.0 } else { 0.0 };
                let w = width(&title, 13.0) + width(&value, 14.0) + gap + room + 22.0;
                let w = w.min(self.wide - 2.0 * GAP);
                if x + w > self.wide - GAP && x > GAP {
                    (x, y) = (GAP, y + CHIP + GAP);
                }
                let id = (!self.beside_board).then(|| id_of(name, arguments, items.first().copied()));
                chip(out, (x, y, w), &title, &value, dot.as_deref(), id.as_deref());
                x += w + GAP;
                right = right.max(x);
            }
        }
        (right, if x > GAP { y + CHIP + GAP } else { y })
    }

    /// Draws the facts of one relation.
    fn section(&self, out: &mut String, name: &str, groups: &Groups<'_>, y: f64) -> (f64, f64) {
        let _ = writeln!(
            out,
            "<g class=\"hand\"><text class=\"hand-name\" x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#756b5a\">{}</text>",
            N(GAP + 2.0),
            N(y + 18.0),
            escaped(&readable(name))
        );
        let top = y + 28.0;
        let (right, end) = match self.places(name, groups) {
            Some(places) => self.hands(out, name, &places, top, false),
            None => {
                let hand = |(key, items): (&Vec<&str>, &Vec<&str>)| Hand {
                    owner: readable(&key.join(" ")),
                    id: None,
                    cards: items
                        .iter()
                        .map(|item| (item.to_string(), id_of(name, key, Some(item))))
                        .collect(),
                };
                let hands: Vec<Hand> = groups.iter().map(hand).collect();
                let pips = groups.values().all(|items| items.len() == 1 && pips(items[0]).is_some());
                self.hands(out, name, &hands, top, pips)
            }
        };
        out.push_str("</g>\n");
        (right.max(GAP * 2.0 + width(&readable(name), 15.0)), end + 4.0)
    }

    /// Groups things by place: facts with two arguments where things are numbered and places are named.
    /// Places without things are included.
    fn places(&self, name: &str, groups: &Groups<'_>) -> Option<Vec<Hand>> {
        let flat = groups.iter().flat_map(|(key, items)| items.iter().map(move |item| (key, *item)));
        let pairs: Option<Vec<(&str, &str)>> =
            flat.map(|(key, item)| (key.len() == 1).then(|| (key[0], item))).collect();
        let pairs = pairs.filter(|pairs| are_at_places(pairs))?;
        let known = self.cards.places(name).chain(pairs.iter().map(|(_, place)| *place));
        let places: BTreeSet<&str> = known.collect();
        let hand = |place: &str| {
            let mut things: Vec<&str> =
                pairs.iter().filter(|(_, at)| *at == place).map(|(thing, _)| *thing).collect();
            things.sort_by_key(|thing| thing.parse::<i64>().unwrap_or(i64::MAX));
            let card = |thing: &str| (thing.to_string(), id_of(name, &[thing], Some(place)));
            let cards = things.into_iter().map(card).collect();
            Hand { owner: readable(place), id: Some(place_id(name, place)), cards }
        };
        Some(places.into_iter().map(hand).collect())
    }

    /// Draws named boxes with cards in them, side by side.
    fn hands(&self, out: &mut String, name: &str, hands: &[Hand], top: f64, pips: bool) -> (f64, f64) {
        let (mut x, mut y, mut tallest, mut right) = (GAP, top, 0.0f64, 0.0f64);
        let card = |item: &str| (width(&cut(&readable(item)), 15.0) + 14.0).max(CARD.0);
        for Hand { owner, id, cards } in hands {
            let widths: Vec<f64> = cards.iter().map(|(item, _)| card(item)).collect();
            let most = self.wide - 2.0 * GAP - 12.0;
            let inner = (widths.iter().sum::<f64>() + GAP * (cards.len().saturating_sub(1)) as f64)
                .clamp(CARD.0, most);
            let w = inner.max(width(&cut(owner), 13.0)) + 12.0;
            // Cards that do not fit continue in further rows of the box.
            let mut rows = vec![(Vec::new(), 0.0)];
            for (item, wide) in cards.iter().zip(&widths) {
                if rows
                    .last()
                    .is_some_and(|(row, used): &(Vec<_>, f64)| !row.is_empty() && used + wide > inner + 0.5)
                {
                    rows.push((Vec::new(), 0.0));
                }
                if let Some((row, used)) = rows.last_mut() {
                    row.push((item, *used, wide.min(inner)));
                    *used += wide + GAP;
                }
            }
            let head = if owner.is_empty() { 6.0 } else { 24.0 };
            let h = head + rows.len() as f64 * (CARD.1 + GAP) - GAP + 6.0;
            if x + w > self.wide - GAP && x > GAP {
                (x, y, tallest) = (GAP, y + tallest + GAP, 0.0);
            }
            tallest = tallest.max(h);
            self.tray(out, (x, y, w, h), owner, id.as_deref());
            for (number, (row, _)) in rows.iter().enumerate() {
                let cy = y + head + number as f64 * (CARD.1 + GAP);
                for ((item, id), dx, wide) in row {
                    let title = format!("{name} {owner}");
                    self.card(out, (&title, item, id), (x + 6.0 + dx, cy, *wide), pips);
                }
            }
            x += w + GAP;
            right = right.max(x);
        }
        (right, y + tallest + GAP)
    }

    fn tray(&self, out: &mut String, (x, y, w, h): (f64, f64, f64, f64), owner: &str, id: Option<&str>) {
        if let Some(id) = id {
            let (id, title) = (whole(id), escaped(&cut(owner)));
            let _ = write!(out, "<g class=\"place\" data-cell=\"{id}\"><title>{title}</title>");
        }
        let _ = write!(
            out,
            "<rect class=\"tray\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"9\" fill=\"#efe8da\" \
             stroke=\"#d9cfbb\"/>",
            N(x),
            N(y),
            N(w),
            N(h)
        );
        if id.is_some() {
            out.push_str("</g>");
        }
        if owner.is_empty() {
            return;
        }
        let dot = self.look.tint(owner);
        if let Some(fill) = &dot {
            let _ = write!(
                out,
                "<circle class=\"role\" cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{fill}\" stroke=\"#7b705d\"/>",
                N(x + 12.0),
                N(y + 13.0)
            );
        }
        let _ = writeln!(
            out,
            "<text class=\"owner\" x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"#5d5445\">{}</text>",
            N(x + if dot.is_some() { 21.0 } else { 8.0 }),
            N(y + 17.5),
            escaped(&cut(owner))
        );
    }

    fn card(
        &self,
        out: &mut String,
        (name, item, id): (&str, &str, &str),
        (x, y, w): (f64, f64, f64),
        drawn: bool,
    ) {
        let text = cut(&readable(item));
        let changed = self.changed.iter().any(|changed| changed == id);
        let _ = write!(
            out,
            "<g class=\"counter card{}\" data-cell=\"{}\" data-value=\"{}\"><title>{}: {}</title><rect class=\"face\" x=\"{}\" y=\"{}\" \
             width=\"{}\" height=\"{}\" rx=\"7\" fill=\"#fdfbf6\" stroke=\"#b9ad98\"/>",
            if changed { " changed" } else { "" },
            whole(id),
            whole(item),
            escaped(&readable(name)),
            escaped(&text),
            N(x),
            N(y),
            N(w),
            N(CARD.1)
        );
        let count = if drawn { pips(item) } else { None };
        let size = if text.chars().count() <= 2 { 26.0 } else { 15.0 };
        let middle = (x + w / 2.0, y + if count.is_some() { CARD.1 * 0.34 } else { CARD.1 / 2.0 });
        let colour = self.look.role(item).map_or("#3a3226", |(fill, _)| fill);
        let attributes = format!("class=\"card-value\" fill=\"{colour}\" font-weight=\"600\"");
        if let Some(fill) = self.look.colour_of(item).map(|(fill, _)| fill) {
            let _ = write!(
                out,
                "<circle class=\"role\" cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"{fill}\" stroke=\"#7b705d\"/>",
                N(middle.0),
                N(y + 22.0)
            );
            label(out, (middle.0, y + CARD.1 - 14.0), 13.0, &attributes, &text);
        } else {
            label(out, middle, size, &attributes, &text);
        }
        let count = count.unwrap_or(0);
        for number in 0..count {
            let (column, row) = (number % 6, number / 6);
            let in_row = (count - 6 * row).min(6);
            let _ = write!(
                out,
                "<circle class=\"pip\" cx=\"{}\" cy=\"{}\" r=\"2.8\" fill=\"#a07c4a\"/>",
                N(middle.0 + (column as f64 - (in_row - 1) as f64 / 2.0) * 7.0),
                N(y + CARD.1 * 0.66 + row as f64 * 8.0)
            );
        }
        out.push_str("</g>\n");
    }
}

/// Parses a number that is small enough to be drawn as pips.
fn pips(item: &str) -> Option<i64> {
    item.parse::<i64>().ok().filter(|number| (0..=MOST_PIPS).contains(number))
}

/// Makes a term readable: removes its outer parentheses and replaces underscores by spaces.
pub(crate) fn readable(term: &str) -> String {
    let short: String = term.chars().take(200).collect();
    let inside = short.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&short);
    inside.replace('_', " ")
}

/// Truncates text that would make its box too wide.
fn cut(text: &str) -> String {
    if text.chars().count() <= 34 { text.to_string() } else { text.chars().take(33).chain(['…']).collect() }
}

fn chip(
    out: &mut String,
    (x, y, w): (f64, f64, f64),
    title: &str,
    value: &str,
    dot: Option<&str>,
    id: Option<&str>,
) {
    let name = id.map_or(String::new(), |id| format!(" data-cell=\"{}\"", whole(id)));
    let _ = write!(
        out,
        "<g class=\"counter\"{name}><title>{} {}</title><rect class=\"chip\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" \
         fill=\"#f3eee4\" stroke=\"#d5cbb8\"/>",
        escaped(title),
        escaped(value),
        N(x),
        N(y),
        N(w),
        N(CHIP),
        N(CHIP / 2.0)
    );
    let mut at = x + 11.0;
    if let Some(fill) = dot {
        let _ = write!(
            out,
            "<circle class=\"role\" cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{fill}\" stroke=\"#7b705d\"/>",
            N(at + 5.0),
            N(y + CHIP / 2.0)
        );
        at += 18.0;
    }
    let line = N(y + CHIP / 2.0 + 4.5);
    let _ = write!(
        out,
        "<text class=\"counter-name\" x=\"{}\" y=\"{line}\" font-size=\"13\" fill=\"#756b5a\">{}</text>",
        N(at),
        escaped(title)
    );
    if !value.is_empty() {
        let _ = write!(
            out,
            "<text class=\"counter-value\" x=\"{}\" y=\"{line}\" font-size=\"14\" font-weight=\"600\" \
             text-anchor=\"end\" fill=\"#3a3226\">{}</text>",
            N(x + w - 11.0),
            escaped(value)
        );
    }
    out.push_str("</g>\n");
}
