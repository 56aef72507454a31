//! A player chooses the same where it saw the same, whatever is hidden from it.

use std::sync::Arc;

use game::{Deadline, Game, Player, RoleId, Seat, Seated, Seed, Turn};
use players::belief::{Seen, Tracker};

use crate::fog::{circuit, context, hidden_games, percepts, walk};

/// What a referee tells a role of a history, in text.
fn told<G: Game>(game: &G, path: &[game::MoveId], role: RoleId) -> Vec<Turn> {
    let mut state = game.initial();
    let mut turns = Vec::new();
    for joint in path.chunks(game.roles().len()) {
        let seen = &percepts(game, &state, joint)[role.index()];
        turns.push(Turn {
            own: game.move_text(role, joint[role.index()]),
            percepts: seen.iter().map(|&percept| game.percept_text(role, percept)).collect(),
            joint: None,
        });
        state = game.next(&state, joint).unwrap();
    }
    turns
}

fn choice<G: Game + 'static>(game: &Arc<G>, spec: &str, role: RoleId, turns: &[Turn]) -> String {
    let player: Box<dyn Player<G>> = players::registry::<G>().make(spec, &()).unwrap();
    let mut seat = Seated::new(Arc::clone(game), player);
    seat.start(&context(role.index(), Seed(7)), &Deadline::never()).unwrap();
    let mut answer = seat.play(None, &Deadline::never()).unwrap();
    for turn in turns {
        answer = seat.play(Some(turn), &Deadline::never()).unwrap();
    }
    answer
}

#[test]
fn equal_percepts_and_moves_give_equal_choices() {
    let mut compared = 0;
    for name in hidden_games() {
        let game = circuit(&name);
        let steps = walk(&*game, Seed(2));
        for role in RoleId::all(game.roles().len()).filter(|role| game.roles()[role.index()] != "random") {
            let mut tracker = Tracker::new(&game, role, 400).unwrap();
            for step in steps[..steps.len() - 1].iter().take(2) {
                let seen = Seen::hidden(step.joint[role.index()], &step.percepts[role.index()]);
                if tracker.update(&seen, true, &Deadline::never()).is_err() {
                    break;
                }
            }
            let histories = tracker.histories();
            let (Some(first), Some(last)) = (histories.first(), histories.last()) else { continue };
            if first.place.state == last.place.state {
                continue;
            }
            let (one, two) = (told(&*game, &first.path, role), told(&*game, &last.path, role));
            for spec in [
                "random",
                "legal",
                "hyperplay(4,1)",
                "hyperplay2(1,1,1,1)",
                "pomcp(40,8)",
                "pomcp(40,8,exact=0)",
                "ismcts(40,8)",
                "oos(40,8)",
            ] {
                let choices = [choice(&game, spec, role, &one), choice(&game, spec, role, &two)];
                assert_eq!(choices[0], choices[1], "{spec} in {name}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 30, "only {compared} roles could be compared");
}
