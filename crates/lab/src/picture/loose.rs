//! Facts that lie on no board: counters, hands of cards and lists.
//!
//! Facts that differ in their last argument only belong together, as in
//! `(holds north 3) (holds north 5)`: they are drawn as cards in a row. A fact
//! without such company is a counter with a name and a value.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::look::Look;
use super::svg::{N, escaped, label, whole, width};
use crate::board::fluent::split;

/// Most facts that are drawn one by one.
const MOST: usize = 160;
const GAP: f64 = 8.0;
const CHIP: f64 = 28.0;
const CARD: (f64, f64) = (46.0, 62.0);

/// Facts by name and all arguments but the last, with the last ones.
pub(crate) fn groups<'f>(facts: &[&'f String]) -> BTreeMap<(String, Vec<&'f str>), Vec<&'f str>> {
    let mut groups: BTreeMap<(String, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for fact in facts {
        let (name, mut arguments) = split(fact);
        let last = arguments.pop();
        groups.entry((name.to_string(), arguments)).or_default().extend(last);
    }
    for items in groups.values_mut() {
        items.sort_by_key(|item| (item.parse::<i64>().unwrap_or(i64::MAX), *item));
    }
    groups
}

/// Draws the facts below each other within a width; gives the height.
pub(crate) fn draw(
    out: &mut String,
    look: &Look,
    facts: &[&String],
    top: f64,
    wide: f64,
    beside_board: bool,
) -> f64 {
    let shown = &facts[..facts.len().min(MOST)];
    let groups = groups(shown);
    let (mut x, mut y) = (GAP, top);
    // Beside a board a few values are better told than drawn.
    let few = if beside_board { 3 } else { 1 };
    // Counters first, in lines.
    for ((name, arguments), items) in groups.iter().filter(|(_, items)| items.len() <= few) {
        let mut words = vec![name.as_str()];
        words.extend(arguments);
        let title = readable(&words.join(" "));
        let value = items.iter().map(|item| readable(item)).collect::<Vec<String>>().join(", ");
        let w = chip_width(look, &title, &value).min(wide - 2.0 * GAP);
        if x + w > wide - GAP && x > GAP {
            (x, y) = (GAP, y + CHIP + GAP);
        }
        chip(out, look, (x, y, w), &title, &value);
        x += w + GAP;
    }
    if x > GAP {
        y += CHIP + GAP;
    }
    for ((name, arguments), items) in groups.iter().filter(|(_, items)| items.len() > few) {
        let mut words = vec![name.as_str()];
        words.extend(arguments);
        y = hand(out, look, (&readable(&words.join(" ")), items), y, wide);
    }
    if facts.len() > MOST {
        let more = format!("and {} more facts", facts.len() - MOST);
        label(out, (wide / 2.0, y + 10.0), 13.0, "class=\"more\" fill=\"#777\"", &more);
        y += 24.0;
    }
    y
}

/// A term for people: without its outer parentheses, and with spaces for underscores.
pub(crate) fn readable(term: &str) -> String {
    let short: String = term.chars().take(200).collect();
    let inside = short.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&short);
    inside.replace('_', " ")
}

fn chip_width(look: &Look, title: &str, value: &str) -> f64 {
    let dot = if look.role(value).is_some() { 18.0 } else { 0.0 };
    let gap = if value.is_empty() { 0.0 } else { 8.0 };
    width(&cut(title), 13.0) + width(&cut(value), 14.0) + gap + dot + 20.0
}

/// What is written: long words are cut where the box would be too wide.
fn cut(text: &str) -> String {
    if text.chars().count() <= 34 { text.to_string() } else { text.chars().take(33).chain(['…']).collect() }
}

fn chip(out: &mut String, look: &Look, (x, y, w): (f64, f64, f64), title: &str, value: &str) {
    let (title, value) = (cut(title), cut(value));
    let _ = write!(
        out,
        "<g class=\"counter\"><rect class=\"chip\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" \
         fill=\"#f3eee4\" stroke=\"#d5cbb8\"/><text class=\"counter-name\" x=\"{}\" y=\"{}\" font-size=\"13\" \
         fill=\"#756b5a\">{}</text>",
        N(x),
        N(y),
        N(w),
        N(CHIP),
        N(CHIP / 2.0),
        N(x + 10.0),
        N(y + CHIP / 2.0 + 4.5),
        escaped(&title)
    );
    let mut at = x + 10.0 + width(&title, 13.0) + if value.is_empty() { 0.0 } else { 8.0 };
    if let Some((fill, _)) = look.role(&value) {
        let _ = write!(
            out,
            "<circle class=\"role\" cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{fill}\" stroke=\"#7b705d\"/>",
            N(at + 6.0),
            N(y + CHIP / 2.0)
        );
        at += 18.0;
    }
    if !value.is_empty() {
        let _ = write!(
            out,
            "<text class=\"counter-value\" x=\"{}\" y=\"{}\" font-size=\"14\" font-weight=\"600\" \
             fill=\"#3a3226\">{}</text>",
            N(at),
            N(y + CHIP / 2.0 + 5.0),
            escaped(&value)
        );
    }
    out.push_str("</g>\n");
}

/// A row of cards with a name above them; gives where it ends.
fn hand(out: &mut String, look: &Look, (name, items): (&str, &[&str]), y: f64, wide: f64) -> f64 {
    let _ = writeln!(
        out,
        "<g class=\"hand\"><text class=\"hand-name\" x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"#756b5a\">{}</text>",
        N(GAP + 2.0),
        N(y + 16.0),
        escaped(name)
    );
    let (mut x, mut y) = (GAP, y + 24.0);
    for item in items {
        let text = readable(item);
        let w = (width(&cut(&text), 15.0) + 16.0).max(CARD.0);
        if x + w > wide - GAP && x > GAP {
            (x, y) = (GAP, y + CARD.1 + GAP);
        }
        let _ = write!(
            out,
            "<g class=\"counter card\" data-cell=\"{}\" tabindex=\"-1\"><title>{}: {}</title><rect class=\"face\" \
             x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" fill=\"#fdfbf6\" stroke=\"#b9ad98\"/>",
            whole(item),
            escaped(name),
            escaped(&text),
            N(x),
            N(y),
            N(w),
            N(CARD.1)
        );
        let middle = (x + w / 2.0, y + CARD.1 / 2.0);
        let size = if text.chars().count() <= 2 { 24.0 } else { 15.0 };
        let colour = look.role(&text).map_or("#3a3226", |(fill, _)| fill);
        label(
            out,
            middle,
            size,
            &format!("class=\"card-value\" fill=\"{colour}\" font-weight=\"600\""),
            &cut(&text),
        );
        out.push_str("</g>\n");
        x += w + GAP;
    }
    out.push_str("</g>\n");
    y + CARD.1 + GAP + 4.0
}
