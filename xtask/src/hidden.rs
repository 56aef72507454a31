//! `cargo xtask soak peeking` and `models`: what players of hidden
//! information promise, for every sheet of the library that hides something.

use std::time::Duration;

use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

/// One sheet takes at most this long.
const LIMIT: Duration = Duration::from_secs(4 * 3600);

/// Whether any player acts on what it cannot know.
pub fn peeking(options: &Options) -> Result<(), String> {
    let head = "player,game,histories,equal,refused";
    let words = "cargo test --locked --package belief --test belief -- --nocapture equal_percepts";
    let line = Line::new(words).with("TAFL_PEEKING", &options.only);
    println!("== {line}");
    let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
    let mut table = Table::open("peeking.csv", head, 2);
    for row in done.out.lines().filter_map(|text| text.split_once("peeking,")) {
        table.put(&row.1.split(',').collect::<Vec<_>>())?;
    }
    if done.code == Some(0) { Ok(()) } else { Err(format!("it went wrong:\n{}{}", done.out, done.err)) }
}

/// How fast playouts from models are beside plain ones: place by place, and in all places of a sheet
/// together, which is what is promised.
pub fn models(options: &Options) -> Result<(), String> {
    let words = "cargo run --release --locked --package belief --example hidden_speed --";
    let line = Line::new(words).word(&options.only);
    println!("== {line}");
    let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
    let head = "game,role,after,states,plain,ratio,ratio_here,ratio_with_sampling";
    let mut table = Table::open("models.csv", head, 3);
    let rows: Vec<Vec<&str>> = done.out.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let (mut slow_places, mut slow_sheets) = (Vec::new(), Vec::new());
    for places in rows.chunk_by(|a, b| a[0] == b[0]) {
        for row in places {
            table.put(row)?;
            slow_places.extend(is_slow(row).then(|| row[..3].join(" ")));
        }
        let whole = together(places);
        let row: Vec<&str> = whole.iter().map(String::as_str).collect();
        println!("{}", row.join(","));
        table.put(&row)?;
        slow_sheets.extend(is_slow(&row).then(|| row[0].to_string()));
    }
    println!("places below half: {}", slow_places.join(", "));
    match (done.code, slow_sheets.is_empty()) {
        (Some(0), true) => Ok(()),
        (Some(0), false) => Err(format!("slower than half of plain playouts: {}", slow_sheets.join(", "))),
        _ => Err(format!("it went wrong:\n{}", done.err)),
    }
}

/// Whether playouts from models were slower than half of plain ones, from the beginning of the game.
fn is_slow(row: &[&str]) -> bool {
    row.get(5).and_then(|ratio| ratio.parse::<f64>().ok()).is_none_or(|ratio| ratio < 0.5)
}

/// The row of all places of a sheet: the states of all, and by how much longer plain playouts of as
/// many states take.
fn together(places: &[Vec<&str>]) -> Vec<String> {
    let number = |row: &Vec<&str>, at: usize| row.get(at).and_then(|n| n.parse().ok()).unwrap_or(0.0);
    let sum = |of: &dyn Fn(&Vec<&str>) -> f64| places.iter().map(of).sum::<f64>();
    let states = sum(&|row| number(row, 3));
    let plain = sum(&|row| number(row, 3) / number(row, 4));
    let mut whole = vec![places[0][0].to_string(), "all".to_string(), "all".to_string()];
    whole.extend([format!("{states:.0}"), format!("{:.0}", states / plain)]);
    let ratio = |at: usize| plain / sum(&|row| number(row, 3) / number(row, 4) / number(row, at));
    whole.extend((5..8).map(|at| format!("{:.2}", ratio(at))));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_as_fast_as_all_its_places_together() {
        let places =
            [["g", "p", "1", "100", "10", "0.5", "1", "1"], ["g", "q", "2", "300", "10", "1", "1", "1"]];
        let whole = together(&places.map(|row| row.to_vec()));
        // Plain playouts of 400 states take 40 s; these took 20 s and 30 s.
        assert_eq!(whole, ["g", "all", "all", "400", "10", "0.80", "1.00", "1.00"]);
        assert!(is_slow(&["g", "p", "1", "1", "1", "0.49"]) && !is_slow(&["g", "p", "1", "1", "1", "0.50"]));
    }
}
