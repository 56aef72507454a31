//! The experiments of the papers on HyperPlay, and what came after it.
//!
//! `cargo run --release -p players --example hidden_information -- NAME GAMES SEED`
//! prints one of them as CSV, with 95 % intervals beside every mean:
//!
//! - `monty_hall`: scores by number of models, with and without weights, beside the closed form;
//! - `values`: what the moves are worth in Exploding Bomb and Spy vs. Spy (Tables 5 and 6);
//! - `guessing`: Number Guessing by HyperPlay, HyperPlay-II and tree search;
//! - `banker`: Banker and Thief against a thief that robs the larger sum;
//! - `battleships`: HyperPlay and HyperPlay-II against HyperPlay on three boards;
//! - `scaling`: Hidden Connect and Mastermind, with states visited;
//! - `cheat`: Krieg-TicTacToe and Blind Breakthrough against an opponent that sees everything;
//! - `remedies`: Table 4, what is done about histories that are too often in the bag;
//! - `uniform`: Tables 2 and 3, whether a bag is a uniform sample;
//! - `sampling`: Figure 5, what a sample costs by HyperPlay and from the beginning;
//! - `search`: the players that search, against HyperPlay and each other;
//! - `bags`: random games of every sheet, whether a bag is ever empty, and what it costs;
//! - `speed`: states a second in HyperPlay's playouts, beside plain playouts.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example ends where it cannot go on")]

mod matches;
mod sampling;
mod scores;
mod speed;

use matches::{Row, table};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let seed = number(2, 1);
    match words.first().map(String::as_str) {
        Some("monty_hall") => scores::monty_hall(number(1, 4000), seed),
        Some("values") => scores::tables(number(1, 1000), seed),
        Some("guessing") => {
            let mut rows = Vec::new();
            for name in ["number_guessing_4", "number_guessing_8", "number_guessing_16"] {
                for spec in [
                    "hyperplay(64,64)",
                    "hyperplay2(4,2,4,2)",
                    "hyperplay2(16,4,16,4)",
                    "pomcp(20000,exact=0)",
                    "pomcp",
                ] {
                    rows.push(Row::new(name, &[spec, ""], 0));
                }
            }
            table(&rows, number(1, 100), seed);
        }
        Some("banker") => {
            let thief = "hyperplay(64,1)";
            let mut rows = Vec::new();
            for banker in [
                "hyperplay(2,2)",
                "hyperplay(16,16)",
                "hyperplay2(1,1,1,1)",
                "hyperplay2(2,4,8,1)",
                "hyperplay2(4,8,16,1)",
                "hyperplay2(4,8,64,1)",
                "hyperplay2(8,16,64,1)",
            ] {
                rows.push(Row::new("banker_split_2", &[banker, thief, ""], 0));
            }
            for banker in ["hyperplay(16,16)", "hyperplay2(2,4,4,2)"] {
                rows.push(Row::new("banker_thief_2", &[banker, thief, ""], 0));
            }
            table(&rows, number(1, 200), seed);
        }
        Some("battleships") => {
            let mut rows = Vec::new();
            for name in ["battleships_fog_3", "battleships_fog_4", "battleships_fog_5"] {
                rows.push(Row::both(name, "hyperplay(4,2)", "hyperplay(4,2)"));
                rows.push(Row::both(name, "hyperplay2(2,1,2,1)", "hyperplay(16,16)"));
                rows.push(Row::both(name, "hyperplay2(4,2,4,2)", "hyperplay(16,16)"));
            }
            table(&rows.concat(), number(1, 40), seed);
        }
        Some("scaling") => {
            let mut rows = Vec::new();
            for name in ["hidden_connect_3x3", "hidden_connect_5x5"] {
                for spec in [
                    "hyperplay(2,1)",
                    "hyperplay(4,2)",
                    "hyperplay(16,4)",
                    "hyperplay2(2,1,2,1)",
                    "hyperplay2(4,2,4,2)",
                ] {
                    rows.extend(Row::both(name, spec, "hyperplay(4,2)"));
                }
            }
            for name in ["mastermind_2c3p3g", "mastermind_2c3p3g_count", "mastermind_3c4p4g"] {
                for spec in [
                    "hyperplay(2,1)",
                    "hyperplay(4,2)",
                    "hyperplay(16,4)",
                    "hyperplay(64,4)",
                    "hyperplay2(2,1,2,1)",
                    "hyperplay2(4,2,4,2)",
                    "pomcp",
                ] {
                    rows.push(Row::new(name, &[spec, ""], 0));
                }
            }
            table(&rows, number(1, 100), seed);
        }
        Some("cheat") => {
            let mut rows = Vec::new();
            for name in [
                "krieg_tic_tac_toe_4",
                "krieg_tic_tac_toe_5",
                "krieg_tic_tac_toe_6",
                "blind_breakthrough_5",
                "blind_breakthrough_6",
                "blind_breakthrough_7",
            ] {
                for n in [1, 2, 4, 8, 16] {
                    rows.extend(Row::both(name, &format!("hyperplay({n},{n})"), "cheat(16,16)"));
                }
            }
            table(&rows, number(1, 100), seed);
        }
        Some("remedies") => {
            let mut rows = Vec::new();
            for (name, other, role) in [
                ("battleships_fog_4", "hyperplay(8,4)", 1),
                ("blind_breakthrough_5", "hyperplay(8,4)", 1),
                ("border_protection", "hyperplay(8,4)", 1),
                ("guess_who_8", "hyperplay(8,4)", 1),
                ("hidden_connect_3x3", "hyperplay(8,4)", 1),
                ("krieg_tic_tac_toe_4", "hyperplay(8,4)", 1),
                ("mastermind_3c4p4g", "", 0),
                ("transit", "hyperplay(8,4)", 1),
            ] {
                for remedy in ["base", "weight", "balance"] {
                    rows.push(Row::second(name, &format!("hyperplay(8,4,remedy={remedy})"), other, role));
                }
            }
            table(&rows, number(1, 1000), seed);
        }
        Some("search") => {
            let mut rows = Vec::new();
            for name in [
                "leduc_poker",
                "hidden_connect_5x5",
                "battleships_fog_3",
                "phantom_tic_tac_toe",
                "blind_breakthrough_5",
                "border_protection",
            ] {
                for spec in ["ismcts(2000)", "ismcts(2000,others=random)", "oos(2000)"] {
                    rows.extend(Row::both(name, spec, "hyperplay(32,8)"));
                }
                rows.extend(Row::both(name, "oos(2000)", "ismcts(2000)"));
            }
            table(&rows, number(1, 100), seed);
        }
        Some("uniform") => sampling::uniform(number(1, 40), seed),
        Some("sampling") => sampling::cost(number(1, 200), seed),
        Some("bags") => speed::bags(number(1, 10_000), seed),
        Some("speed") => speed::speed(seed),
        _ => println!(
            "monty_hall, values, guessing, banker, battleships, scaling, cheat, remedies, uniform, sampling, search, \
             bags or speed; then GAMES and SEED"
        ),
    }
}
