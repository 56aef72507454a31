//! A state as boards and lists.

use std::fmt::Write;

use tafl::picture::board::Layout;

use super::board::draw;
use crate::screen::wrapped;

/// Draws the facts of a state.
pub(crate) fn state(layout: &Layout, facts: &[String]) -> String {
    let picture = layout.picture(facts);
    let mut text = String::new();
    let mut others = picture.others.clone();
    let several = picture.boards.len() > 1;
    for board in &picture.boards {
        match draw(board) {
            Some(drawn) => {
                if several {
                    let _ = writeln!(text, "  {}", board.title);
                }
                let _ = writeln!(text, "{drawn}");
            }
            None => {
                let name = board.title.as_str();
                let begins =
                    |fact: &&String| name.split(", ").any(|name| fact.starts_with(&format!("({name} ")));
                others.extend(facts.iter().filter(begins).cloned());
            }
        }
    }
    others.sort();
    others.dedup();
    text.push_str(&wrapped(others.iter(), 2));
    if facts.is_empty() {
        text.push_str("  (no facts)\n");
    }
    text
}
