//! Whether a bag is ever empty, and how fast playouts from models are.

use std::time::Instant;

use game::{Deadline, Game, Observation, Player, Playouts, RoleId, Seed, Spec, Start};
use lab::Library;
use players::belief::{Bag, HyperPlay, Seen, Settings, catch_up, place};

use crate::matches::{circuit, context};

pub fn bags(games: u64, seed: u64) {
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

pub fn speed(seed: u64) {
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
