//! `cargo xtask soak history`: does `mcts` play hnefatafl with its whole history
//! well within a long clock?
//!
//! One match in each role against random play, with 30 s before it and 15 s for
//! a move, as far as it goes or for so many steps; the playouts of every move
//! come from the reasons that `tafl match --explain` prints.

use std::time::Duration;

use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

const HEAD: &str = "game,role,seed,moves,least,median,most,late";
const GAME: &str = "hnefatafl_13_repetition";
/// Playouts wanted for every move.
const WANTED: u64 = 10_000;
/// The longest match, in steps of either role.
const STEPS: u32 = 40;
const LIMIT: Duration = Duration::from_secs(3600);

/// Plays a match in each role.
pub fn run(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let mut table = Table::open("history.csv", HEAD, 3);
    let mut missed = Vec::new();
    for role in ["attacker", "defender"].into_iter().filter(|role| role.contains(&options.only)) {
        let seats = if role == "attacker" { ["mcts", "random"] } else { ["random", "mcts"] };
        let line = Line::new(&tafl).word("match").word("--no-store").word(GAME).word(seats[0]).word(seats[1]);
        let line = line.word("--start-clock").word("30").word("--play-clock").word("15");
        let line =
            line.word("--explain").word("--seed").word("3").word("--max-steps").word(STEPS.to_string());
        println!("{line}");
        let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let mut playouts = playouts(&done.out);
        playouts.sort_unstable();
        let (Some(least), Some(most)) = (playouts.first(), playouts.last()) else {
            return Err(format!("`{line}` said nothing of playouts:\n{}", done.err));
        };
        let median = playouts[playouts.len() / 2];
        let late = done.out.matches("no answer in time").count();
        println!(
            "{role}: {} moves, {least} to {most} playouts, {median} in the middle, {late} late",
            playouts.len()
        );
        if *least < WANTED || late > 0 {
            missed.push(role);
        }
        let moves = playouts.len().to_string();
        let numbers = [*least, median, *most, late as u64].map(|number| number.to_string());
        let [least, median, most, late] = &numbers;
        table.put(&[GAME, role, "3", &moves, least, median, most, late])?;
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("fewer than {WANTED} playouts for some move, or a late answer, as {}", missed.join(" and ")))
}

/// The playouts of each move that was searched for.
fn playouts(out: &str) -> Vec<u64> {
    let words = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter_map(|words| match words[..] {
            ["playouts", count] => count.parse().ok(),
            _ => None,
        })
        .collect()
}
