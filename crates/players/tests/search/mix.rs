//! What players claim to know about their own moves.

use std::sync::Arc;

use game::{Deadline, Game, Mix, MoveId, Observation, RoleId, Seed};
use reasoner::CircuitGame;

use crate::table::{circuit, seated};

/// Follows a random match with a player in one role, once for each of several seeds. Wherever it claims to
/// know its mix with one seed, no seed may contradict that. Returns in how many steps with a choice it did,
/// and in how many it did not.
fn check(game: &Arc<CircuitGame>, spec: &str, role: RoleId, walk: Seed) -> (u32, u32) {
    let mut seats: Vec<_> = (0..4).map(|seed| seated(game, spec, role.index(), Seed(seed))).collect();
    let mut chance = walk.rng();
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    let (mut known, mut untold) = (0, 0);
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let legal = game::all_legal(&**game, &mut scratch, &state).unwrap().unwrap();
        let mut told: Vec<(MoveId, Mix)> = Vec::new();
        for player in &mut seats {
            let chosen = player.select(&Deadline::never()).unwrap();
            told.push((chosen, player.mix()));
        }
        if legal[role.index()].len() > 1 {
            let claims: Vec<_> = told.iter().filter(|(_, mix)| matches!(mix, Mix::Known(_))).collect();
            *(if claims.is_empty() { &mut untold } else { &mut known }) += 1;
            for (_, mix) in &claims {
                agrees(mix, &told, spec);
            }
        }
        // Alone it goes its own way: the match is long otherwise.
        let joint: Vec<MoveId> = match legal.len() {
            1 => vec![told[0].0],
            _ => legal.iter().map(|moves| moves[chance.below(moves.len())]).collect(),
        };
        let mut percepts = Vec::new();
        game.percepts(&mut scratch, &state, &joint, role, &mut percepts).unwrap();
        let own = joint[role.index()];
        let shown = (!game.has_percepts()).then(|| joint.clone());
        for player in &mut seats {
            let percepts = percepts.clone();
            player.update(&Observation { own, percepts, joint: shown.clone() }).unwrap();
        }
        state = game.next(&mut scratch, &state, &joint).unwrap();
    }
    (known, untold)
}

/// Whether what other seeds did is possible with a mix.
#[track_caller]
fn agrees(mix: &Mix, told: &[(MoveId, Mix)], spec: &str) {
    let Mix::Known(shares) = mix else { return };
    assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9, "{spec}: {mix:?}");
    for (chosen, other) in told {
        assert!(shares.iter().any(|(mv, share)| mv == chosen && *share > 0.0), "{spec}: {told:?}");
        assert!(other == mix || !matches!(other, Mix::Known(_)), "{spec}: {told:?}");
    }
}

/// Returns in how many steps of random matches the players claimed to know their mix, and in how many not.
fn claims(name: &str, spec: &str, matches: u64) -> (u32, u32) {
    let game = circuit(name);
    let roles = RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance());
    let walks = roles.flat_map(|role| (0..matches).map(move |walk| (role, Seed(walk))));
    let found = walks.map(|(role, walk)| check(&game, spec, role, walk));
    found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

#[test]
fn what_a_player_knows_of_its_moves_holds_with_every_seed() {
    for (name, spec) in [
        ("kuhn_poker", "random"),
        ("kuhn_poker", "cfr(rounds=20)"),
        ("leduc_poker", "legal"),
        ("leduc_poker", "lookahead"),
        ("leduc_poker", "lookahead_no_block"),
        ("kuhn_poker", "auto"),
        ("exploding_bomb", "pomcp"),
        ("tic_tac_toe", "random"),
        ("tic_tac_toe", "lookahead"),
        ("biased_rock_paper_scissors", "conditional"),
        ("biased_rock_paper_scissors", "minimax"),
        ("hanoi", "puzzle"),
    ] {
        let (known, untold) = claims(name, spec, 3);
        assert!(known > 0 && untold == 0, "{spec} at {name}: {known} known, {untold} not");
    }
}

#[test]
fn where_playouts_or_samples_decide_nothing_is_claimed() {
    for (name, spec) in [
        ("tic_tac_toe", "minimax(depth=2)"),
        ("tic_tac_toe", "mcts(playouts=50)"),
        ("tic_tac_toe", "auto"),
        ("kuhn_poker", "ismcts(playouts=20)"),
        ("kuhn_poker", "oos(playouts=20)"),
        ("kuhn_poker", "hyperplay(4,4)"),
    ] {
        let (known, untold) = claims(name, spec, 1);
        assert!(known == 0 && untold > 0, "{spec} at {name}: {known} known, {untold} not");
    }
    // A move that is better than all others is known; several that are as good are told apart by playouts.
    for spec in ["minimax", "conditional"] {
        let (known, untold) = claims("tic_tac_toe", spec, 3);
        assert!(known > 0 && untold > 0, "{spec}: {known} known, {untold} not");
    }
}

#[test]
fn moves_are_made_as_often_as_is_claimed() {
    let game = circuit("biased_rock_paper_scissors");
    for spec in ["random", "lookahead", "conditional"] {
        let mut counts = vec![0.0; 3];
        let mut known = Vec::new();
        for seed in 0..600 {
            let mut player = seated(&game, spec, 0, Seed(seed));
            let chosen = player.select(&Deadline::never()).unwrap();
            let Mix::Known(shares) = player.mix() else { panic!("{spec}") };
            let place = shares.iter().position(|(mv, _)| *mv == chosen).unwrap();
            counts[place] += 1.0;
            known = shares;
        }
        for (count, (_, share)) in counts.iter().zip(&known) {
            let spread = (600.0 * share * (1.0 - share)).sqrt();
            assert!((count - 600.0 * share).abs() <= 4.0 * spread + 1e-6, "{spec}: {counts:?}, {known:?}");
        }
    }
}
