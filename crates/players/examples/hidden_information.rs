//! The experiments with hidden information, as lines of CSV.
//!
//! `cargo run --release -p players --example hidden_information -- EXPERIMENT [GAMES [SEED]]`
//! with one of
//!
//! - `monty_hall`: scores with 1 to 128 models, beside the closed form;
//! - `values`: what moves are worth in Exploding Bomb and Spy vs. Spy (Tables 5 and 6);
//! - `guessing`: Number Guessing by HyperPlay, HyperPlay-II and tree search;
//! - `banker`: Banker and Thief against a thief that robs the larger sum;
//! - `battleships`: HyperPlay and HyperPlay-II against HyperPlay on 4 by 4;
//! - `bags`: random games of every sheet, whether a bag is ever empty, and what it costs;
//! - `speed`: states a second in HyperPlay's playouts, beside plain playouts.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example ends where it cannot go on")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{
    Deadline, Fault, Game, Goal, MatchContext, MoveId, Observation, Player, Playouts, RoleId, Seed, Spec,
    Start,
};
use lab::{Library, Loaded};
use players::belief::{Bag, HyperPlay, HyperPlayTwo, Nested, Score, Seen, Settings, catch_up, place};
use reasoner::{CircuitGame, GroundLimits};

type Seat<'a> = Option<&'a mut dyn Player<CircuitGame>>;

fn circuit(name: &str) -> Arc<CircuitGame> {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Default::default());
    Arc::new(CircuitGame::new(loaded.rules.unwrap(), GroundLimits::default()).unwrap())
}

fn context(role: usize, seed: Seed) -> MatchContext {
    let clock = Duration::from_secs(1);
    let match_id = "experiment".to_string();
    MatchContext {
        match_id,
        role: RoleId(role as u32),
        rules: None,
        start_clock: clock,
        play_clock: clock,
        seed,
    }
}

/// A match in which everybody sees what the rules show; empty seats move at random.
fn play(game: &Arc<CircuitGame>, seats: &mut [Seat<'_>], seed: Seed) -> Result<Vec<Goal>, Fault> {
    let mut chance = seed.derive_name("nature").rng();
    for (role, seat) in seats.iter_mut().enumerate() {
        if let Some(player) = seat {
            player.start(game, &context(role, seed.derive(role as u64)), &Deadline::never())?;
        }
    }
    let mut state = game.initial();
    let mut moves = Vec::new();
    while !game.is_terminal(&state)? {
        let mut joint: Vec<MoveId> = Vec::new();
        for (role, seat) in RoleId::all(seats.len()).zip(seats.iter_mut()) {
            game.legal(&state, role, &mut moves)?;
            joint.push(match seat {
                Some(player) => player.select(&Deadline::never())?,
                None => moves[chance.below(moves.len())],
            });
        }
        for (role, seat) in RoleId::all(seats.len()).zip(seats.iter_mut()) {
            if let Some(player) = seat {
                let mut percepts = Vec::new();
                game.percepts(&state, &joint, role, &mut percepts)?;
                player.update(&Observation { own: joint[role.index()], percepts, joint: None })?;
            }
        }
        state = game.next(&state, &joint)?;
    }
    RoleId::all(seats.len()).map(|role| Ok(game.goal(&state, role)?.unwrap_or(0))).collect()
}

fn player(spec: &str) -> Box<dyn Player<CircuitGame>> {
    players::registry::<CircuitGame>().make(spec, &()).unwrap()
}

/// Mean and the half of a 95 % interval.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

/// The mean goal of the first role over games; the other seats are as given.
fn scored(name: &str, specs: &[&str], role: usize, games: u64, seed: u64) -> (f64, f64) {
    let game = circuit(name);
    let goals = (0..games).map(|number| {
        let mut seated: Vec<Option<Box<dyn Player<CircuitGame>>>> =
            specs.iter().map(|spec| (!spec.is_empty()).then(|| player(spec))).collect();
        let mut seats: Vec<Seat<'_>> = Vec::new();
        for seat in &mut seated {
            seats.push(seat.as_mut().map(|player| &mut **player as &mut dyn Player<CircuitGame>));
        }
        f64::from(play(&game, &mut seats, Seed(seed).derive(number)).unwrap()[role])
    });
    mean(&goals.collect::<Vec<f64>>())
}

fn closed_form(doors: f64, n: u32) -> f64 {
    let (mut chance, mut score) = (0.5f64.powi(n as i32), 0.0);
    for b in 0..=n {
        let (switch, keep) = (f64::from(b) * (doors - 1.0), f64::from(n - b));
        let share = if switch == keep { 0.5 } else { f64::from(u8::from(switch > keep)) };
        score += chance * (share * (doors - 1.0) + (1.0 - share)) / doors * 100.0;
        chance *= f64::from(n - b) / f64::from(b + 1);
    }
    score
}

fn monty_hall(games: u64, seed: u64) {
    println!("doors,models,weights,score,interval,expected");
    for doors in [3, 4, 5] {
        for n in [1, 2, 4, 8, 16, 32, 64, 128] {
            for (weights, expected) in [("choice", closed_form(f64::from(doors), n)), ("even", 50.0)] {
                let spec = format!("hyperplay({n},1,weights={weights})");
                let (score, interval) = scored(&format!("monty_hall_{doors}"), &[&spec, ""], 0, games, seed);
                println!("{doors},{n},{weights},{score:.2},{interval:.2},{expected:.2}");
            }
        }
    }
}

/// The mean values of moves after what was told, over many players with different seeds.
fn values(
    name: &str,
    spec: &str,
    told: &[(&str, &[&str])],
    games: u64,
    seed: u64,
) -> Vec<(String, f64, f64)> {
    let game = circuit(name);
    let mut rows: Vec<Vec<Score>> = Vec::new();
    for number in 0..games {
        let spec = Spec::parse(spec).unwrap();
        let context = context(0, Seed(seed).derive(number));
        let observations = told.iter().map(|(own, percepts)| Observation {
            own: game.find_move(RoleId(0), own).unwrap(),
            percepts: percepts.iter().map(|text| game.find_percept(RoleId(0), text).unwrap()).collect(),
            joint: None,
        });
        let never = Deadline::never();
        if spec.name == "hyperplay" {
            let mut player = HyperPlay::new(Settings::read(&spec).unwrap());
            player.start(&game, &context, &never).unwrap();
            observations.for_each(|seen| player.update(&seen).unwrap());
            player.select(&never).unwrap();
            rows.push(player.scores().to_vec());
        } else {
            let mut player = HyperPlayTwo::new(Nested::read(&spec).unwrap());
            player.start(&game, &context, &never).unwrap();
            observations.for_each(|seen| player.update(&seen).unwrap());
            player.select(&never).unwrap();
            rows.push(player.scores().to_vec());
        }
    }
    let moves = rows[0].iter().map(|score| score.mv);
    let of = |mv: MoveId| {
        let column: Vec<f64> =
            rows.iter().filter_map(|row| Some(row.iter().find(|score| score.mv == mv)?.value)).collect();
        let (mean, interval) = mean(&column);
        (game.move_text(RoleId(0), mv), mean, interval)
    };
    moves.map(of).collect()
}

fn tables(games: u64, seed: u64) {
    println!("game,player,after,move,value,interval");
    let wait: &[(&str, &[&str])] = &[("noop", &[]), ("wait", &[])];
    let asked: &[(&str, &[&str])] = &[("noop", &[]), ("ask", &["red"])];
    for (name, spec, after, told) in [
        ("exploding_bomb", "hyperplay(32,50)", "arming", &wait[..1]),
        ("exploding_bomb", "hyperplay(32,50)", "wait", wait),
        ("exploding_bomb", "hyperplay2(4,4,4,4)", "arming", &wait[..1]),
        ("exploding_bomb", "hyperplay2(4,4,4,4)", "ask (red)", asked),
        ("spy_vs_spy", "hyperplay(32,50)", "nothing", &[]),
        ("spy_vs_spy", "hyperplay2(4,4,4,4)", "nothing", &[]),
    ] {
        for (mv, value, interval) in values(name, spec, told, games, seed) {
            println!("{name},\"{spec}\",{after},{mv},{value:.2},{interval:.2}");
        }
    }
}

fn table(rows: &[(&str, &[&str], usize)], games: u64, seed: u64) {
    println!("game,players,role,games,score,interval,seconds");
    for (name, specs, role) in rows {
        let began = Instant::now();
        let (score, interval) = scored(name, specs, *role, games, seed);
        let seconds = began.elapsed().as_secs_f64();
        println!("{name},\"{}\",{role},{games},{score:.2},{interval:.2},{seconds:.1}", specs.join(" "));
    }
}

fn bags(games: u64, seed: u64) {
    println!("game,games,rounds,tried per model and round,worst round,empty,seconds");
    let library = Library::embedded();
    for name in library.names().unwrap() {
        if !library.find(&name).unwrap().text.contains("(sees ") {
            continue;
        }
        let game = circuit(&name);
        let initial = place(&*game, game.initial()).unwrap();
        let (mut rounds, mut tried, mut worst, mut empty) = (0u64, 0u64, 0u64, 0u64);
        let began = Instant::now();
        for number in 0..games {
            let seed = Seed(seed).derive(number);
            let mut chance = seed.rng();
            let seeing =
                || RoleId::all(game.roles().len()).filter(|role| game.roles()[role.index()] != "random");
            let mut bags: Vec<Bag<_>> =
                seeing().map(|role| Bag::new(role, &initial, 4, seed.derive(u64::from(role.0)))).collect();
            let (mut state, mut moves) = (game.initial(), Vec::new());
            loop {
                let mut joint = Vec::new();
                for role in RoleId::all(game.roles().len()) {
                    game.legal(&state, role, &mut moves).unwrap();
                    joint.push(moves[chance.below(moves.len())]);
                }
                let next = game.next(&state, &joint).unwrap();
                if game.is_terminal(&next).unwrap() {
                    break;
                }
                for (bag, role) in bags.iter_mut().zip(seeing()) {
                    let mut percepts = Vec::new();
                    game.percepts(&state, &joint, role, &mut percepts).unwrap();
                    bag.see(Seen::hidden(joint[role.index()], &percepts));
                    let before = bag.tried();
                    let caught = catch_up(&*game, &mut [bag], true, &Deadline::never());
                    empty += u64::from(caught.is_err() || bag.current().next().is_none());
                    worst = worst.max(bag.tried() - before);
                    tried += bag.tried() - before;
                    rounds += 1;
                }
                state = next;
            }
        }
        let per = tried as f64 / (rounds.max(1) * 4) as f64;
        println!("{name},{games},{rounds},{per:.2},{worst},{empty},{:.1}", began.elapsed().as_secs_f64());
    }
}

fn speed(seed: u64) {
    println!("game,plain states a second,hyperplay states a second,ratio");
    for name in ["krieg_tic_tac_toe_5", "blind_breakthrough_5", "battleships_fog_4", "hidden_connect_5x5"] {
        let game = circuit(name);
        let starts = [Start { state: game.initial(), first: None, count: 40_000 }];
        let plain = || {
            let began = Instant::now();
            let tally = game.tally(&Playouts::new(&starts, Seed(seed))).unwrap();
            tally.steps as f64 / began.elapsed().as_secs_f64()
        };
        plain();
        let spec = Spec::parse("hyperplay(64,32)").unwrap();
        let mut player = HyperPlay::new(Settings::read(&spec).unwrap());
        let role = game.roles().iter().position(|role| role != "random").unwrap();
        player.start(&game, &context(role, Seed(seed)), &Deadline::never()).unwrap();
        let mut state = game.initial();
        let mut best = (0.0, 0.0, 0.0);
        let mut chance = Seed(seed).rng();
        for _ in 0..4 {
            let began = Instant::now();
            player.select(&Deadline::never()).unwrap();
            let rate = player.visited().playouts as f64 / began.elapsed().as_secs_f64();
            let beside = plain();
            if player.visited().playouts > 0 && rate / beside > best.2 {
                best = (beside, rate, rate / beside);
            }
            let (mut joint, mut moves, mut percepts) = (Vec::new(), Vec::new(), Vec::new());
            for role in RoleId::all(game.roles().len()) {
                game.legal(&state, role, &mut moves).unwrap();
                joint.push(moves[chance.below(moves.len())]);
            }
            game.percepts(&state, &joint, RoleId(role as u32), &mut percepts).unwrap();
            state = game.next(&state, &joint).unwrap();
            if game.is_terminal(&state).unwrap() {
                break;
            }
            player.update(&Observation { own: joint[role], percepts, joint: None }).unwrap();
        }
        println!("{name},{:.0},{:.0},{:.2}", best.0, best.1, best.2);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let seed = number(2, 1);
    match words.first().map(String::as_str) {
        Some("monty_hall") => monty_hall(number(1, 4000), seed),
        Some("values") => tables(number(1, 1000), seed),
        Some("guessing") => {
            let mut rows: Vec<(&str, &[&str], usize)> = Vec::new();
            for name in ["number_guessing_4", "number_guessing_8", "number_guessing_16"] {
                rows.push((name, &["hyperplay(64,64)", ""], 0));
                rows.push((name, &["hyperplay2(16,4,16,4)", ""], 0));
                rows.push((name, &["pomcp(20000)", ""], 0));
            }
            table(&rows, number(1, 100), seed);
        }
        Some("banker") => {
            let thief = "hyperplay(64,1)";
            let rows: &[(&str, &[&str], usize)] = &[
                ("banker_split_2", &["hyperplay(2,2)", thief, ""], 0),
                ("banker_split_2", &["hyperplay(16,16)", thief, ""], 0),
                ("banker_split_2", &["hyperplay2(1,1,1,1)", thief, ""], 0),
                ("banker_split_2", &["hyperplay2(2,4,8,1)", thief, ""], 0),
                ("banker_split_2", &["hyperplay2(4,8,16,1)", thief, ""], 0),
                ("banker_split_2", &["hyperplay2(4,8,64,1)", thief, ""], 0),
                ("banker_thief_2", &["hyperplay(16,16)", thief, ""], 0),
                ("banker_thief_2", &["hyperplay2(2,4,4,2)", thief, ""], 0),
            ];
            table(rows, number(1, 200), seed);
        }
        Some("battleships") => {
            let rows: &[(&str, &[&str], usize)] = &[
                ("battleships_fog_4", &["hyperplay(4,2)", "hyperplay(4,2)", ""], 0),
                ("battleships_fog_4", &["hyperplay2(4,2,4,2)", "hyperplay(16,16)", ""], 0),
                ("battleships_fog_4", &["hyperplay(16,16)", "hyperplay2(4,2,4,2)", ""], 1),
            ];
            table(rows, number(1, 40), seed);
        }
        Some("bags") => bags(number(1, 10_000), seed),
        Some("speed") => speed(seed),
        _ => {
            println!("monty_hall, values, guessing, banker, battleships, bags or speed; then GAMES and SEED")
        }
    }
}
