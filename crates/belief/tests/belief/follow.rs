//! Players that only follow a match know their legal moves to its end.

use belief::Follow;
use game::{Deadline, Game, Observation, Seed};

use crate::fog::{circuit, context, hidden_games, legal, walk};

#[test]
fn the_simplest_players_know_their_legal_moves_to_the_end() {
    for name in hidden_games() {
        let game = circuit(&name);
        let mut scratch = game.scratch();
        let steps = walk(&*game, Seed(5));
        for role in (0..game.roles().len()).filter(|&role| game.roles()[role] != "random") {
            let mut follow = Follow::new(&game, &context(role, Seed(9)));
            for (step, next) in steps.iter().zip(&steps[1..]).take(60) {
                let (own, percepts) = (step.joint[role], step.percepts[role].clone());
                follow.update(&Observation { own, percepts, joint: None }).unwrap();
                let found = follow.legal(&Deadline::never()).unwrap();
                assert_eq!(found, legal(&*game, &mut scratch, &next.state, role), "{name}");
            }
        }
    }
}
