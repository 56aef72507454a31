//! Monty Hall beside its closed form, and what moves are worth to the players of the papers.

use game::{Deadline, Game, MoveId, Observation, RoleId, Seed, Spec};
use players::belief::{HyperPlay, HyperPlayTwo, Nested, Score, Settings};

use crate::matches::{circuit, context, mean, play};

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

pub fn monty_hall(games: u64, seed: u64) {
    println!("doors,models,weights,games,seed,score,interval,expected,standard errors off");
    for doors in [3, 4, 5] {
        let game = circuit(&format!("monty_hall_{doors}"));
        for n in [1, 2, 4, 8, 16, 32, 64, 128] {
            for (weights, expected) in [("choice", closed_form(f64::from(doors), n)), ("even", 50.0)] {
                let specs = [format!("hyperplay({n},1,weights={weights})"), String::new()];
                let goals = (0..games)
                    .map(|number| f64::from(play(&game, &specs, 0, Seed(seed).derive(number)).unwrap().0[0]));
                let (score, interval) = mean(goals);
                let off = (score - expected) / (interval / 1.96);
                println!(
                    "{doors},{n},{weights},{games},{seed},{score:.2},{interval:.2},{expected:.2},{off:.2}"
                );
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
            game::Player::start(&mut player, &game, &context, &never).unwrap();
            observations.for_each(|seen| game::Player::update(&mut player, &seen).unwrap());
            game::Player::select(&mut player, &never).unwrap();
            rows.push(player.scores().to_vec());
        } else {
            let mut player = HyperPlayTwo::new(Nested::read(&spec).unwrap());
            game::Player::start(&mut player, &game, &context, &never).unwrap();
            observations.for_each(|seen| game::Player::update(&mut player, &seen).unwrap());
            game::Player::select(&mut player, &never).unwrap();
            rows.push(player.scores().to_vec());
        }
    }
    let moves = rows[0].iter().map(|score| score.mv);
    let of = |mv: MoveId| {
        let column = rows.iter().filter_map(|row| Some(row.iter().find(|score| score.mv == mv)?.value));
        let (mean, interval) = mean(column);
        (game.move_text(RoleId(0), mv), mean, interval)
    };
    moves.map(of).collect()
}

/// What Tables 5 and 6 say, by player, what went before, and move.
const PUBLISHED: &[(&str, &str, &str, &str, &str)] = &[
    ("exploding_bomb", "hyperplay", "arming", "ask", "45.04 ± 0.09"),
    ("exploding_bomb", "hyperplay", "arming", "wait", "49.98 ± 0.10"),
    ("exploding_bomb", "hyperplay", "wait", "(cut blue)", "49.40 ± 1.19 or 50.60 ± 1.19"),
    ("exploding_bomb", "hyperplay", "wait", "(cut red)", "49.40 ± 1.19 or 50.60 ± 1.19"),
    ("exploding_bomb", "hyperplay2", "arming", "ask", "90.00 ± 0.00"),
    ("exploding_bomb", "hyperplay2", "arming", "wait", "49.91 ± 0.64"),
    ("exploding_bomb", "hyperplay2", "ask (red)", "(cut blue)", "0.00 ± 0.00"),
    ("exploding_bomb", "hyperplay2", "ask (red)", "(cut red)", "90.00 ± 0.00"),
    ("spy_vs_spy", "hyperplay", "nothing", "(arm blue tell)", "60.00 ± 0.15"),
    ("spy_vs_spy", "hyperplay", "nothing", "(arm red tell)", "60.04 ± 0.14"),
    ("spy_vs_spy", "hyperplay", "nothing", "(arm blue hide)", "39.98 ± 0.16"),
    ("spy_vs_spy", "hyperplay", "nothing", "(arm red hide)", "39.99 ± 0.14"),
    ("spy_vs_spy", "hyperplay2", "nothing", "(arm blue tell)", "20.00 ± 0.00"),
    ("spy_vs_spy", "hyperplay2", "nothing", "(arm red tell)", "20.00 ± 0.00"),
    ("spy_vs_spy", "hyperplay2", "nothing", "(arm blue hide)", "40.36 ± 1.22"),
    ("spy_vs_spy", "hyperplay2", "nothing", "(arm red hide)", "39.45 ± 1.33"),
];

pub fn tables(games: u64, seed: u64) {
    println!("game,player,after,move,choices,seed,value,interval,published (99 %)");
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
            let player = spec.split('(').next().unwrap_or_default();
            let row = PUBLISHED.iter().find(|row| (row.0, row.1, row.2, row.3) == (name, player, after, &mv));
            let published = row.map_or("", |row| row.4);
            println!("{name},\"{spec}\",{after},{mv},{games},{seed},{value:.2},{interval:.2},{published}");
        }
    }
}
