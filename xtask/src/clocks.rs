//! `cargo xtask soak clocks`: whether players keep their clocks on a busy machine.
//!
//! One thread for each core does nothing but work while `tafl` plays; replies
//! that come after the deadline are counted by `tafl` itself. Another thread does
//! nothing but sleep, and notes how late it was woken at worst. Where that is
//! longer than what players keep back for the way of an answer, the machine itself
//! stood still, and the row is measured again, whatever came of it; the last of a
//! few attempts counts in any case.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::Line;
use crate::soak::Options;
use crate::table::Table;

const HEAD: &str = "player,game,clock,moves,late,slowest_ms,stall_ms";

/// Players, the games they play, and how many others sit with them, who move at random.
struct Group {
    players: &'static [&'static str],
    games: &'static [&'static str],
    others: usize,
}

const GROUPS: &[Group] = &[
    Group {
        players: &[
            "mcts",
            "mcts(threads=1)",
            "mcts(ponder=yes)",
            "minimax",
            "heuristic",
            "lookahead",
            "auto",
        ],
        games: &["connect_four", "breakthrough", "reversi", "chess"],
        others: 1,
    },
    Group {
        players: &["hyperplay", "hyperplay2", "ismcts", "oos", "auto"],
        games: &[
            "krieg_tic_tac_toe_5",
            "blind_breakthrough_5_touch",
            "battleships_fog_4",
            "hidden_connect_5x5",
        ],
        others: 1,
    },
    Group {
        players: &["pomcp", "hyperplay", "auto"],
        games: &["mastermind_3c4p4g", "number_guessing_16", "minesweeper_4x4", "exploding_bomb"],
        others: 0,
    },
    Group { players: &["cfr", "oos", "auto"], games: &["kuhn_poker", "leduc_poker"], others: 1 },
];
/// Real moves wanted of a player, as many in each game; the others are the only legal ones.
const MOVES: u64 = 1000;
/// The longest that the machine may stand still while a row is measured, and how often one is.
const STALL: Duration = Duration::from_millis(15);
const ATTEMPTS: u32 = 4;
/// What the thread that watches the machine sleeps at a time.
const NAP: Duration = Duration::from_millis(2);
const LIMIT: Duration = Duration::from_secs(3600);

/// Plays every player against one that moves at random until it has made enough moves.
pub fn run(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let mut table = Table::open("clocks.csv", HEAD, 2);
    let mut late_in_all = 0;
    for (group, player) in
        GROUPS.iter().flat_map(|group| group.players.iter().map(move |player| (group, player)))
    {
        for game in group.games.iter().filter(|game| format!("{player} {game}").contains(&options.only)) {
            let (mut moves, mut late, mut slowest, mut stall) = (0, 0, 0, Duration::ZERO);
            for _ in 0..ATTEMPTS {
                let (measured, stood) = busy(|| measure(&tafl, player, game, group));
                ((moves, late, slowest), stall) = (measured?, stood);
                let stood = stood.as_millis();
                print!("{player} {game}: {moves} moves, {late} late, the slowest took {slowest} ms");
                println!("; the machine stood still for {stood} ms");
                if stall <= STALL {
                    break;
                }
            }
            let stall = stall.as_millis();
            late_in_all += late;
            let numbers = [moves, late, slowest].map(|number| number.to_string());
            let [moves, late, slowest] = &numbers;
            table.put(&[&player.replace(',', ";"), game, "0.1", moves, late, slowest, &stall.to_string()])?;
        }
    }
    if late_in_all > 0 { Err(format!("{late_in_all} replies were late; see above")) } else { Ok(()) }
}

/// Does something while every core is loaded; says how long the machine stood still at worst.
pub fn busy<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let over = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let watch = scope.spawn(|| {
            let mut worst = Duration::ZERO;
            while !over.load(Ordering::Relaxed) {
                let began = Instant::now();
                thread::sleep(NAP);
                worst = worst.max(began.elapsed().saturating_sub(NAP));
            }
            worst
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        (done, watch.join().unwrap_or_default())
    })
}

/// Moves made, late ones, and the slowest in milliseconds.
fn measure(tafl: &str, player: &str, game: &str, group: &Group) -> Result<(u64, u64, u64), String> {
    let (mut moves, mut late, mut slowest) = (0, 0, 0);
    for seed in 1.. {
        let line = Line::new(tafl).word("match").word("--no-store").word(game).word(player);
        let line = (0..group.others).fold(line, |line, _| line.word("random"));
        let line = line.word("--play-clock").word("0.1").word("--start-clock").word("2");
        let line = line.word("--csv").word("--rotate").word("--repeat").word("2");
        let line = line.word("--seed").word(seed.to_string());
        let done = line.clone().output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        // Where there are several seats, a row for all comes after those for each.
        let place = if group.others > 0 { group.others + 2 } else { 1 };
        let row = done.out.lines().nth(place).filter(|row| group.others == 0 || row.contains(",all,"));
        let row: Vec<&str> = row.ok_or_else(|| format!("`{line}` said:\n{}", done.err))?.split(',').collect();
        let number = |at: usize| row.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        // In a game with turns about half of the replies have only one legal move.
        moves += if group.others > 0 { number(11) / 2 } else { number(11) };
        late += number(12);
        slowest = slowest.max(number(13));
        if moves >= MOVES / group.games.len() as u64 {
            break;
        }
    }
    Ok((moves, late, slowest))
}
