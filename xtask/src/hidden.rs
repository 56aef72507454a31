//! `cargo xtask soak bags`, `peeking` and `models`: what players of hidden
//! information promise, for every sheet of the library that hides something.

use std::fs;
use std::time::Duration;

use crate::corpus::root;
use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

/// Random games in which bags are looked at.
const MATCHES: &str = "10000";
/// One sheet takes at most this long.
const LIMIT: Duration = Duration::from_secs(4 * 3600);

/// Whether a bag is ever empty; sheets that are in the table are not looked at again.
pub fn bags(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let head = "game,matches,empty,states_for_a_model,most_for_a_bag,seconds";
    let mut table = Table::open("bags.csv", head, 1);
    let mut bad = 0;
    for game in hidden_sheets(&options.only)? {
        if table.row(&[&game]).is_some_and(|row| row[1] == MATCHES) {
            continue;
        }
        let line = Line::new(&tafl).word("sample").word(&game).word("--matches").word(MATCHES);
        let line = line.word("--models").word("4").word("--seed").word("1").word("--json");
        let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let field = |name: &str| field(&done.out, name).unwrap_or_default();
        let states: String = field("value").chars().take(6).collect();
        let row = [&field("empty"), &states, &field("most"), &format!("{:.0}", done.seconds)];
        println!("{game}: {} empty bags, {} s", row[0], row[3]);
        if done.code != Some(0) {
            bad += 1;
            println!("`{line}` ended with {:?}: {}", done.code, done.err.trim());
            continue;
        }
        table.put(&[&game, MATCHES, row[0], row[1], row[2], row[3]])?;
    }
    if bad > 0 { Err(format!("{bad} sheets went wrong; see above")) } else { Ok(()) }
}

/// Whether any player acts on what it cannot know.
pub fn peeking(options: &Options) -> Result<(), String> {
    let head = "player,game,histories,equal,refused";
    let words = "cargo test --locked --package players --test belief -- --nocapture equal_percepts";
    let line = Line::new(words).with("TAFL_PEEKING", &options.only);
    println!("== {line}");
    let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
    let mut table = Table::open("peeking.csv", head, 2);
    for row in done.out.lines().filter_map(|text| text.split_once("peeking,")) {
        table.put(&row.1.split(',').collect::<Vec<_>>())?;
    }
    if done.code == Some(0) { Ok(()) } else { Err(format!("it went wrong:\n{}{}", done.out, done.err)) }
}

/// How fast playouts from models are beside plain ones.
pub fn models(options: &Options) -> Result<(), String> {
    let words = "cargo run --release --locked --package players --example hidden_speed --";
    let line = Line::new(words).word(&options.only);
    println!("== {line}");
    let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
    let head = "game,role,after,states,plain,ratio,ratio_here,ratio_with_sampling";
    let mut table = Table::open("models.csv", head, 3);
    let mut slow = Vec::new();
    for row in done.out.lines().skip(1) {
        println!("{row}");
        let row: Vec<&str> = row.split(',').collect();
        table.put(&row)?;
        // What counts is the speed of whole games; `ratio_here` only tells where the rest goes.
        if row.get(5).and_then(|ratio| ratio.parse::<f64>().ok()).is_none_or(|ratio| ratio < 0.5) {
            slow.push(row[..3].join(" "));
        }
    }
    match (done.code, slow.is_empty()) {
        (Some(0), true) => Ok(()),
        (Some(0), false) => Err(format!("slower than half of plain playouts: {}", slow.join(", "))),
        _ => Err(format!("it went wrong:\n{}", done.err)),
    }
}

/// The names of the sheets that hide something and can be sampled.
fn hidden_sheets(part: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("games")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path.join("rules.kif")).unwrap_or_default();
        names.extend(Some(name).filter(|name| text.contains("(sees ") && name.contains(part)));
    }
    names.sort();
    Ok(names)
}

/// The first value with this name in JSON that has a line for each value.
fn field(json: &str, name: &str) -> Option<String> {
    let mark = format!("\"{name}\": ");
    let line = json.lines().find_map(|line| line.trim().strip_prefix(&mark))?;
    Some(line.trim_end_matches(',').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_name_is_found() {
        let json = "{\n  \"empty\": 3,\n  \"games\": [\n    { \n \"most\": 17\n } ] }";
        assert_eq!(field(json, "empty").as_deref(), Some("3"));
        assert_eq!(field(json, "most").as_deref(), Some("17"));
        assert_eq!(field(json, "least"), None);
    }

    #[test]
    fn sheets_that_hide_something_are_found() {
        assert!(hidden_sheets("kuhn").is_ok_and(|names| names == ["kuhn_poker"]));
    }
}
