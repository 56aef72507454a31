//! States visited, counted as the papers count them, in a game of ten moves and ten rounds.

use belief::{HyperPlay, HyperPlayTwo, Nested, Settings};
use game::{Deadline, Game, Observation, Player, Seed, Spec};

use crate::fog::{circuit, context};

#[test]
fn hyperplay_visits_800_states_in_the_first_move_and_4400_in_a_game() {
    let game = circuit("ten_by_ten");
    let settings = Settings::read(&Spec::parse("hyperplay(4,2)").unwrap()).unwrap();
    let mut player = HyperPlay::new(settings);
    player.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    let mut all = Vec::new();
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let mv = player.select(&Deadline::never()).unwrap();
        all.push(player.visited().playouts);
        state = game.next(&mut scratch, &state, &[mv]).unwrap();
        player.update(&Observation { own: mv, percepts: vec![], joint: Some(vec![mv]) }).unwrap();
    }
    assert_eq!(all[0], 800);
    assert_eq!(all.iter().sum::<u64>(), 4400);
}

#[test]
fn hyperplay_two_visits_352000_states_in_any_move() {
    let game = circuit("ten_by_ten");
    let visits = |spec: &str, rounds: usize| {
        let mut player = HyperPlayTwo::new(Nested::read(&Spec::parse(spec).unwrap()).unwrap());
        player.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
        for _ in 0..rounds {
            let mv = game.find_move(game::RoleId(0), "(play 3)").unwrap();
            player.update(&Observation { own: mv, percepts: vec![], joint: Some(vec![mv]) }).unwrap();
        }
        player.select(&Deadline::never()).unwrap();
        player.visited().playouts
    };
    for rounds in [0, 1, 9] {
        assert_eq!(visits("hyperplay2(4,2,4,2,replay=full)", rounds), 352_000);
    }
    // Players that do not think again about what is over, nor about the move that is on trial.
    assert_eq!(visits("hyperplay2(4,2,4,2)", 0), 4 * 2 * 10 * 4 * 2 * 10 * 45);
    assert_eq!(visits("hyperplay2(4,2,4,2)", 9), 0);
}
