//! `cargo xtask soak strength`: how strong players are, with intervals.
//!
//! Each claim is played in small parts, and the table is written after each, so
//! that a soak that is broken off goes on where it was. Part number `n` has the
//! seed `n`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

const HEAD: &str =
    "claim,game,player,opponent,clock,games,won,drawn,lost,score,low95,high95,wanted,verdict,late,slowest_ms";
const LIMIT: Duration = Duration::from_secs(7200);

/// A score, in percent, that a player must reach against another.
struct Claim<'a> {
    name: &'a str,
    game: &'a str,
    reasoner: &'a str,
    player: &'a str,
    opponent: &'a str,
    clock: &'a str,
    games: u64,
    part: u64,
    wanted: f64,
}

/// Seats by turns, one thread each, so that matches do not disturb each other.
const MCTS: &str = "mcts(threads=1)";

const fn random(game: &'static str, wanted: f64) -> Claim<'static> {
    Claim {
        name: "mcts against random",
        game,
        reasoner: "auto",
        player: MCTS,
        opponent: "random",
        clock: "0.2",
        games: 200,
        part: 20,
        wanted,
    }
}

const fn searching(player: &'static str, game: &'static str) -> Claim<'static> {
    Claim {
        name: "full width against random",
        game,
        reasoner: "auto",
        player,
        opponent: "random",
        clock: "0.2",
        games: 200,
        part: 20,
        wanted: 90.0,
    }
}

const fn more(
    game: &'static str,
    player: &'static str,
    opponent: &'static str,
    games: u64,
) -> Claim<'static> {
    let name = "ten times the playouts";
    Claim { name, game, reasoner: "auto", player, opponent, clock: "120", games, part: 10, wanted: 70.0 }
}

const CLAIMS: &[Claim<'static>] = &[
    random("tic_tac_toe", 95.0),
    random("connect_four", 99.0),
    random("pentago", 99.0),
    random("breakthrough", 99.0),
    random("hex_9", 99.0),
    random("reversi", 99.0),
    random("english_draughts", 97.0),
    random("amazons", 95.0),
    searching("minimax", "tic_tac_toe"),
    searching("minimax", "connect_four"),
    searching("minimax", "breakthrough_6"),
    searching("heuristic", "tic_tac_toe"),
    searching("heuristic", "connect_four"),
    searching("heuristic", "breakthrough_6"),
    more("connect_four", "mcts(playouts=1000)", "mcts(playouts=100)", 100),
    more("breakthrough", "mcts(playouts=1000)", "mcts(playouts=100)", 100),
    more("reversi", "mcts(playouts=1000)", "mcts(playouts=100)", 100),
    more("connect_four", "mcts(playouts=10000)", "mcts(playouts=1000)", 100),
    more("breakthrough", "mcts(playouts=10000)", "mcts(playouts=1000)", 100),
    more("reversi", "mcts(playouts=10000)", "mcts(playouts=1000)", 100),
    Claim {
        name: "mcts against random",
        game: "chess",
        reasoner: "auto",
        player: MCTS,
        opponent: "random",
        clock: "1",
        games: 40,
        part: 2,
        wanted: 90.0,
    },
];

/// Wins of the first, draws and wins of the second in a thousand games, as simulated.
const TABLES: &[(&str, &str, [u64; 3])] = &[
    ("lookahead", "random", [958, 2, 40]),
    ("random", "lookahead", [70, 3, 928]),
    ("lookahead_no_block", "random", [822, 0, 178]),
    ("random", "lookahead_no_block", [299, 0, 701]),
];
const TABLE_GAMES: u64 = 10_000;

/// Options of mcts that are measured, and the games they are measured on.
const OPTIONS: &[&str] = &[
    "grave=50",
    "policy=mast",
    "policy=ngram",
    "discount=0.99",
    "c=0.35",
    "c=1.4",
    "leaf=1,batch=256",
    "leaf=32",
];
/// Informed playouts are meant for games that do not play in lanes, so one is played state by state.
const OPTION_GAMES: &[(&str, &str)] = &[
    ("connect_four", "auto"),
    ("breakthrough_6", "auto"),
    ("connect_four", "interpreter"),
    ("reversi", "auto"),
    ("amazons_6", "auto"),
    ("hex_9", "auto"),
    ("chess", "auto"),
];

/// Plays all claims.
pub fn claims(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let mut missed = tables(&tafl, options)?;
    let table = Mutex::new(Table::open("strength.csv", HEAD, 5));
    let wanted = |claim: &&Claim<'_>| {
        format!("{} {} {}", claim.name, claim.player, claim.game).contains(&options.only)
    };
    for claim in CLAIMS.iter().filter(wanted) {
        // A claim that cannot be played does not keep the others from it.
        let holds = claim.play(&tafl, &table).unwrap_or_else(|error| {
            println!("{error}");
            false
        });
        missed += u32::from(!holds);
    }
    if missed > 0 { Err(format!("{missed} claims do not hold; see above")) } else { Ok(()) }
}

/// Plays every option against the player without it, as many games at once as there are cores:
/// of the two players of a game only one thinks at a time.
pub fn options(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let table = Mutex::new(Table::open("mcts-options.csv", HEAD, 5));
    let wanted = OPTIONS.iter().filter(|option| option.contains(&options.only));
    let players: Vec<String> = wanted.map(|option| format!("mcts(threads=1,{option})")).collect();
    let claim = |player, &(game, reasoner)| Claim {
        name: "an option at equal time",
        game,
        reasoner,
        player,
        opponent: MCTS,
        clock: "0.1",
        games: 20,
        part: 10,
        wanted: 50.0,
    };
    let claims: Vec<Claim<'_>> =
        players.iter().flat_map(|player| OPTION_GAMES.iter().map(move |game| claim(player, game))).collect();
    let next = AtomicUsize::new(0);
    let play = || {
        while let Some(claim) = claims.get(next.fetch_add(1, Ordering::Relaxed)) {
            claim.play(&tafl, &table)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(play)).collect();
        let mut done = workers.into_iter().map(|worker| worker.join());
        done.try_for_each(|done| done.unwrap_or_else(|_| Err(String::from("a worker panicked"))))
    })
}

impl Claim<'_> {
    /// Plays what is missing; whether the claim holds.
    fn play(&self, tafl: &str, table: &Mutex<Table>) -> Result<bool, String> {
        let player = self.player.replace(',', ";");
        let opponent = self.opponent.replace(',', ";");
        let game = match self.reasoner {
            "auto" => self.game.to_string(),
            reasoner => format!("{} ({reasoner})", self.game),
        };
        let keys = [self.name, game.as_str(), &player, &opponent, self.clock];
        let mut sums = [0u64; 6];
        let locked = || table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = locked().row(&keys) {
            for (sum, at) in sums.iter_mut().zip([5, 6, 7, 8, 14, 15]) {
                *sum = row.get(at).and_then(|text| text.parse().ok()).unwrap_or(0);
            }
        }
        while sums[0] < self.games {
            let seed = 1 + sums[0] / self.part;
            let played = part(tafl, self, seed)?;
            for (at, value) in played.into_iter().enumerate() {
                sums[at] = if at == 5 { sums[at].max(value) } else { sums[at] + value };
            }
            let [games, won, drawn, lost, late, slowest] = sums;
            let score = (won as f64 + drawn as f64 / 2.0) / games as f64;
            let (low, high) = wilson(score, games as f64, 1.96);
            let percent = |share: f64| format!("{:.1}", share * 100.0);
            let verdict = if score * 100.0 >= self.wanted { "holds" } else { "does not hold" };
            let counts = [games, won, drawn, lost].map(|count| count.to_string());
            let [games, won, drawn, lost] = &counts;
            let numbers = [percent(score), percent(low), percent(high), format!("{}", self.wanted)];
            let mut row: Vec<&str> = keys.to_vec();
            row.extend([games, won, drawn, lost].map(String::as_str));
            row.extend(numbers.iter().map(String::as_str));
            let (late, slowest) = (late.to_string(), slowest.to_string());
            row.extend([verdict, &late, &slowest]);
            locked().put(&row)?;
            println!("{}", row.join(" | "));
        }
        let score = (sums[1] as f64 + sums[2] as f64 / 2.0) / sums[0] as f64;
        Ok(score * 100.0 >= self.wanted)
    }
}

/// Games, wins, draws, losses, late replies and the slowest in milliseconds.
fn part(tafl: &str, claim: &Claim<'_>, seed: u64) -> Result<[u64; 6], String> {
    let line = Line::new(tafl)
        .word("match")
        .word("--no-store")
        .word(claim.game)
        .word(claim.player)
        .word(claim.opponent);
    let line = line.word("--play-clock").word(claim.clock).word("--start-clock").word("2");
    let line = line.word("--repeat").word(claim.part.to_string()).word("--rotate");
    let line = line.word("--reasoner").word(claim.reasoner);
    let row = counts(&line.word("--seed").word(seed.to_string()), 3)?;
    Ok([3, 4, 5, 6, 12, 13].map(|at| row.get(at).and_then(|text| text.parse().ok()).unwrap_or(0)))
}

/// A row of the counts that a match prints.
fn counts(line: &Line, row: usize) -> Result<Vec<String>, String> {
    let line = line.clone().word("--csv");
    let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
    let row = done.out.lines().nth(row).ok_or_else(|| format!("`{line}` said:\n{}", done.err))?;
    Ok(row.split(',').map(String::from).collect())
}

/// Plays the pairings of the published table; how many differ from what was simulated.
fn tables(tafl: &str, options: &Options) -> Result<u32, String> {
    let head = "first,second,games,won,drawn,lost,simulated,verdict";
    let mut table = Table::open("lookahead.csv", head, 2);
    let mut differ = 0;
    for (first, second, shares) in TABLES {
        if !format!("lookahead table {first} {second}").contains(&options.only) {
            continue;
        }
        let line =
            Line::new(tafl).word("match").word("--no-store").word("connect_four").word(*first).word(*second);
        let line = line.word("--repeat").word(TABLE_GAMES.to_string()).word("--seed").word("1");
        let row = counts(&line.word("--play-clock").word("60"), 1)?;
        let counts: Vec<u64> = row[4..7].iter().map(|text| text.parse().unwrap_or(0)).collect();
        // What was simulated is rounded to thousandths.
        let near = |count: u64, share: u64| {
            let (low, high) = wilson(count as f64 / TABLE_GAMES as f64, TABLE_GAMES as f64, 2.576);
            let share = share as f64 / 1000.0;
            low - 0.0005 <= share && share <= high + 0.0005
        };
        let same = counts.iter().zip(shares).all(|(&count, &share)| near(count, share));
        differ += u32::from(!same);
        let verdict = if same { "within 99 % intervals" } else { "differs" };
        let texts: Vec<String> = counts.iter().map(u64::to_string).collect();
        let simulated = shares.map(|share| share.to_string()).join("/");
        let games = TABLE_GAMES.to_string();
        table.put(&[first, second, &games, &texts[0], &texts[1], &texts[2], &simulated, verdict])?;
        println!("{first} {second}: {} against {simulated}, {verdict}", texts.join("/"));
    }
    Ok(differ)
}

/// Wilson's interval of a share.
fn wilson(share: f64, count: f64, z: f64) -> (f64, f64) {
    let spread = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    let (centre, scale) = (share + z * z / (2.0 * count), 1.0 + z * z / count);
    (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        let (low, high) = wilson(0.5, 100.0, 1.96);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        assert!((wilson(1.0, 200.0, 1.96).0 - 0.9812).abs() < 1e-4);
    }
}
