//! `cargo xtask soak graphs`: the tables of the paper that games as graph
//! grammars come from, with its figures beside ours.
//!
//! Jorrit van Assen, General Game Playing with imperfect information in GROOVE
//! (2021): tables 1 to 6. Results are wins of the first player, draws, and wins
//! of the second. The paper's `Legal` takes the order in which GROOVE lists
//! moves, ours that of their texts, so its rows need not agree; its `Lookahead`
//! plays like `lookahead_no_block`. Whether counts agree is said by a chi-square
//! test. `tafl experiment run krieg_tic_tac_toe` has tables 4 to 6 too, with all
//! their tests corrected together.

use std::time::{Duration, Instant};

use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

const HEAD: &str = "table,what,games,ours,paper,seconds,said";
const LIMIT: Duration = Duration::from_secs(3600);
const FOUR: &str = "connect_four_graph";
const KRIEG: &str = "simultaneous_krieg_tic_tac_toe_graph";
const SHEET: &str = "simultaneous_krieg_tic_tac_toe";
const PLAYERS: [&str; 3] = ["legal", "random", "lookahead"];

/// Table 1: rows are the first player.
const PAPER_1: [[&str; 3]; 3] = [
    ["0/1000/0", "413/0/587", "175/1/824"],
    ["666/2/332", "563/3/434", "288/0/712"],
    ["865/0/135", "842/0/158", "594/0/406"],
];
/// Table 2: as the first player, as the second, both.
const PAPER_2: [[&str; 3]; 3] =
    [["19.60", "15.57", "17.58"], ["50.57", "39.30", "44.93"], ["76.70", "64.73", "70.72"]];
/// Table 4.
const PAPER_4: [[&str; 2]; 2] = [["448/72/480", "425/107/468"], ["472/121/407", "478/112/410"]];
/// A course of play that has the first four rows of Table 6: the second player gets its first cell, finds the second
/// taken by the first, and gets the others.
const COURSE_6: &str = "choose 2 2; choose 1 2; take_both; choose 1 3; choose 2 2; take_first; \
choose 3 3; choose 3 2; take_both; choose 2 1; choose 1 1; take_both; \
choose 3 2; choose 3 1; take_second; choose 1 2; choose 2 3; take_second";
/// Table 6: possible states before and after each move.
const PAPER_6: [(u64, u64); 6] = [(9, 80), (72, 560), (112, 684), (516, 2120), (790, 2688), (392, 924)];

/// Plays all tables.
pub fn run(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let mut report = Report { tafl, table: Table::open("graph-games.csv", HEAD, 2) };
    let wanted = |name: &str| name.contains(&options.only);
    if wanted("table 1 2") {
        report.connect_four()?;
    }
    if wanted("table 3") {
        let [won, drawn, lost] = report.play(FOUR, "random", "random", 10_000, 3)?.0;
        let ours = [won, lost, drawn].map(|count| format!("{:.2}", count as f64 / 100.0)).join("/");
        report.put(
            "3",
            "random connect four: win; loss; draw in percent",
            10_000,
            &ours,
            "55.58/44.17/0.26",
            0.0,
            "",
        )?;
    }
    if wanted("table 4") {
        report.krieg()?;
    }
    if wanted("table 5 timing") {
        report.timing()?;
    }
    if wanted("table 6") {
        report.possible()?;
    }
    if wanted("hyperplay") {
        report.general()?;
    }
    Ok(())
}

struct Report {
    tafl: String,
    table: Table,
}

impl Report {
    #[allow(clippy::too_many_arguments, reason = "the columns of the table")]
    fn put(
        &mut self,
        table: &str,
        what: &str,
        games: u64,
        ours: &str,
        paper: &str,
        seconds: f64,
        said: &str,
    ) -> Result<(), String> {
        let (games, seconds) = (games.to_string(), format!("{seconds:.1}"));
        println!("table {table}: {what}, {games} games: {ours} (paper {paper}), {seconds} s {said}");
        self.table.put(&[table, what, &games, ours, paper, &seconds, said])
    }

    /// Wins of the first, draws, losses, and the seconds it took.
    fn play(
        &self,
        game: &str,
        first: &str,
        second: &str,
        games: u64,
        seed: u64,
    ) -> Result<([u64; 3], f64), String> {
        let line = Line::new(&self.tafl).word("match").word("--no-store").word(game).word(first).word(second);
        let line = line.word("--repeat").word(games.to_string()).word("--seed").word(seed.to_string());
        let line = line.word("--play-clock").word("60").word("--csv");
        let begun = Instant::now();
        let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let seconds = begun.elapsed().as_secs_f64();
        let row = done.out.lines().nth(1).ok_or_else(|| format!("`{line}` said:\n{}", done.err))?;
        let number = |at: usize| row.split(',').nth(at).and_then(|text| text.parse().ok()).unwrap_or(0);
        Ok(([number(4), number(5), number(6)], seconds))
    }

    fn connect_four(&mut self) -> Result<(), String> {
        let mut results = [[[0; 3]; 3]; 3];
        for (a, first) in PLAYERS.into_iter().enumerate() {
            for (b, second) in PLAYERS.into_iter().enumerate() {
                let (counts, seconds) = self.play(FOUR, first, second, 1000, 1)?;
                results[a][b] = counts;
                let what = format!("{first} against {second}");
                let said = agreement(counts, PAPER_1[a][b], first == "legal" || second == "legal");
                self.put("1", &what, 1000, &shown(counts), PAPER_1[a][b], seconds, &said)?;
            }
        }
        let variant = "lookahead_no_block";
        for (first, second, paper) in [
            (variant, "random", PAPER_1[2][1]),
            ("random", variant, PAPER_1[1][2]),
            (variant, variant, PAPER_1[2][2]),
        ] {
            let (counts, seconds) = self.play(FOUR, first, second, 1000, 1)?;
            let what = format!("{first} against {second}");
            self.put("1", &what, 1000, &shown(counts), paper, seconds, &agreement(counts, paper, false))?;
        }
        for (at, player) in PLAYERS.into_iter().enumerate() {
            let first: u64 = (0..3).map(|other| results[at][other][0]).sum();
            let second: u64 = (0..3).map(|other| results[other][at][2]).sum();
            let shares = [(first, 3000.0), (second, 3000.0), (first + second, 6000.0)];
            for ((seat, (wins, games)), paper) in
                ["as player 1", "as player 2", "as either"].iter().zip(shares).zip(PAPER_2[at])
            {
                let ours = format!("{:.2}", 100.0 * wins as f64 / games);
                let what = format!("{player} {seat}: wins in percent");
                self.put("2", &what, games as u64, &ours, paper, 0.0, "")?;
            }
        }
        Ok(())
    }

    fn krieg(&mut self) -> Result<(), String> {
        for (a, first) in PLAYERS[..2].iter().enumerate() {
            for (b, second) in PLAYERS[..2].iter().enumerate() {
                let (counts, seconds) = self.play(KRIEG, first, second, 1000, 1)?;
                let what = format!("{first} against {second}");
                let said = agreement(counts, PAPER_4[a][b], *first == "legal" || *second == "legal");
                let said = format!("{said}; {}", fair(counts));
                self.put("4", &what, 1000, &shown(counts), PAPER_4[a][b], seconds, &said)?;
            }
        }
        let (counts, seconds) = self.play(KRIEG, "random", "random", 10_000, 2)?;
        let what = "random against random; simulated 434/132/434 of 1000";
        self.put("4", what, 10_000, &shown(counts), "478/112/410 of 1000", seconds, &fair(counts))
    }

    fn timing(&mut self) -> Result<(), String> {
        for (first, second) in [("lookahead", "random"), ("random", "lookahead")] {
            let (counts, seconds) = self.play(KRIEG, first, second, 150, 1)?;
            let what = format!("{first} against {second}");
            let paper = if first == "lookahead" { "39/31/80 in 1764 s" } else { "" };
            self.put("5", &what, 150, &shown(counts), paper, seconds, &fair(counts))?;
        }
        let (counts, seconds) = self.play(KRIEG, "random", "random", 150, 1)?;
        self.put("5", "random against random", 150, &shown(counts), "in 24 s", seconds, "")
    }

    /// How many states the second player holds possible, and how many histories lead to them.
    fn possible(&mut self) -> Result<(), String> {
        let steps = self.steps(COURSE_6)?;
        // It moves in the second of every three steps, and sees something before that.
        for (at, (before, after)) in PAPER_6.into_iter().enumerate() {
            let (Some(now), next) = (steps.get(3 * at), steps.get(3 * at + 3)) else { break };
            let expected = |place: usize| next.map_or("-".to_string(), |next| next[place].to_string());
            let what = format!("move {}: possible states before/after", at + 1);
            let said = format!("{}/{} histories", now[4], expected(3));
            let ours = format!("{}/{}", now[2], expected(1));
            self.put("6", &what, 1, &ours, &format!("{before}/{after}"), 0.0, &said)?;
        }
        let steps = self.steps("choose 2 2; choose 2 2; take_first; choose 1 1")?;
        let last = steps.last().ok_or("there are no steps")?;
        let ours = format!("{} to {}", last[0], last[2]);
        let what = "section 5.3: states after a round and a choice; to the second player";
        self.put("reasoning", what, 1, &ours, "720 to 8", 0.0, "")
    }

    /// What `tafl possible` counts: all, expected, states, expected histories, histories.
    fn steps(&self, course: &str) -> Result<Vec<[u64; 5]>, String> {
        let line = Line::new(&self.tafl).word("possible").word(KRIEG).word("--role").word("o");
        let line = line.word("--after").word(course).word("--json");
        let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let number = |step: &str, key: &str| {
            let rest = step.split(&format!("\"{key}\":")).nth(1)?;
            rest.split([',', '}']).next()?.parse().ok()
        };
        let keys = ["all", "expected", "states", "expected_histories", "histories"];
        let steps = done.out.split("\"all\"").skip(1).map(|step| {
            let step = format!("\"all\"{}", step.split('}').next().unwrap_or_default());
            keys.map(|key| number(&step, key).unwrap_or(0))
        });
        let steps: Vec<[u64; 5]> = steps.collect();
        if steps.is_empty() { Err(format!("`{line}` said:\n{}", done.err)) } else { Ok(steps) }
    }

    fn general(&mut self) -> Result<(), String> {
        for (game, form) in [(KRIEG, "grammar"), (SHEET, "rule sheet")] {
            for player in ["lookahead", "hyperplay(models=8;playouts=2)"] {
                let spec = player.replace(';', ",");
                let (first, s1) = self.play(game, &spec, "random", 500, 1)?;
                let (second, s2) = self.play(game, "random", &spec, 500, 2)?;
                let counts = [first[0] + second[2], first[1] + second[1], first[2] + second[0]];
                let what = format!("{player} against random; both seats; {form}");
                self.put("general", &what, 1000, &shown(counts), "", s1 + s2, &fair(counts))?;
            }
        }
        Ok(())
    }
}

fn shown(counts: [u64; 3]) -> String {
    counts.map(|count| count.to_string()).join("/")
}

/// Whether counts may come from the same game as those of the paper, by a chi-square test.
fn agreement(ours: [u64; 3], paper: &str, unknown: bool) -> String {
    if unknown {
        return "the order of moves is not known; nothing is claimed".to_string();
    }
    let theirs: Vec<u64> = paper.split('/').filter_map(|count| count.parse().ok()).collect();
    let p = homogeneity(&ours, &theirs);
    format!("{} (chi-square p = {p:.2e})", if p < 0.01 { "differs" } else { "agrees" })
}

/// The chance that two lists of up to three counts are at least so far apart if they come from the same source.
fn homogeneity(a: &[u64], b: &[u64]) -> f64 {
    let (n, m) = (a.iter().sum::<u64>() as f64, b.iter().sum::<u64>() as f64);
    let (mut x, mut kinds) = (0.0, 0);
    for (&a, &b) in a.iter().zip(b).filter(|(a, b)| **a + **b > 0) {
        kinds += 1;
        for (count, total) in [(a as f64, n), (b as f64, m)] {
            let expected = (a + b) as f64 * total / (n + m);
            x += (count - expected).powi(2) / expected;
        }
    }
    // Upper tails of chi-square with two, one and no degrees of freedom.
    match kinds {
        3 => f64::exp(-x / 2.0),
        2 => {
            let z = (x / 2.0).sqrt();
            let t = 1.0 / (1.0 + 0.327_591_1 * z);
            // Abramowitz and Stegun 7.1.26.
            let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
            terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp()
        }
        _ => 1.0,
    }
}

/// Whether as many games are won as lost, by the sign test.
fn fair(counts: [u64; 3]) -> String {
    format!("p = {:.2e} for as many wins as losses", sign_test(counts[0], counts[2]))
}

/// The chance that a fair coin is at least as far from half as this, both ways.
fn sign_test(heads: u64, tails: u64) -> f64 {
    let count = heads + tails;
    let mut logs = vec![0.0; count as usize + 1];
    for n in 1..logs.len() {
        logs[n] = logs[n - 1] + (n as f64).ln();
    }
    let half = 0.5f64.ln() * count as f64;
    let chance = |k: u64| (logs[count as usize] - logs[k as usize] - logs[(count - k) as usize] + half).exp();
    let tail: f64 = (heads.max(tails)..=count).map(chance).sum();
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_counts_both_tails() {
        assert!((sign_test(8, 2) - 0.109_375).abs() < 1e-9);
        assert!((sign_test(5, 5) - 1.0).abs() < 1e-9);
        assert!((sign_test(478, 410) - 0.0245).abs() < 5e-4);
    }

    #[test]
    fn counts_of_one_source_agree() {
        assert!((homogeneity(&[10, 20, 30], &[10, 20, 30]) - 1.0).abs() < 1e-9);
        // 4 · 5² / 15 with one degree of freedom.
        assert!((homogeneity(&[10, 0, 20], &[20, 0, 10]) - 0.009_82).abs() < 1e-4);
        assert!((homogeneity(&[478, 112, 410], &[434, 132, 434]) - 0.108).abs() < 5e-3);
    }
}
