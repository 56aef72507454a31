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

/// The players that were made for hidden information, and the simplest, with little to think.
const QUICK: &[&str] =
    &["random", "legal", "hyperplay(4,1)", "pomcp(40,8)", "pomcp(40,8,exact=0)", "ismcts(40,8)", "oos(40,8)"];

/// Small games, in which the slow players are always looked at.
const SMALL: &[&str] = &["monty_hall_3", "number_guessing_4", "kuhn_poker"];

/// The others but the cheat, which take minutes in large games; players that do not play such a game say so.
/// They are looked at in all games where `TAFL_PEEKING=all` is set.
const SLOW: &[&str] = &[
    "hyperplay2(1,1,1,1)",
    "lookahead",
    "lookahead_no_block",
    "mcts(playouts=20)",
    "minimax(depth=1)",
    "heuristic(depth=1,positions=100)",
    "puzzle(states=20)",
    "conditional(positions=100)",
    "cfr(rounds=4,histories=2000)",
];

/// What a player answers, or why it does not.
fn choice<G: Game + 'static>(
    game: &Arc<G>,
    spec: &str,
    role: RoleId,
    turns: &[Turn],
) -> Result<String, String> {
    let player: Box<dyn Player<G>> = players::registry::<G>().make(spec, &()).unwrap();
    let mut seat = Seated::new(Arc::clone(game), player);
    let never = Deadline::never();
    seat.start(&context(role.index(), Seed(7)), &never).map_err(|fault| fault.to_string())?;
    let mut answer = seat.play(None, &never);
    for turn in turns {
        answer = seat.play(Some(turn), &never);
    }
    answer.map_err(|fault| fault.to_string())
}

#[test]
fn every_player_is_looked_at() {
    let named = |name: &str| QUICK.iter().chain(SLOW).any(|spec| spec.split('(').next() == Some(name));
    for (usage, _) in players::registry::<reasoner::CircuitGame>().list() {
        let name = usage.split('(').next().unwrap();
        // The cheat is told everything, and `auto` lets one of the others play.
        assert!(named(name) || ["cheat", "auto"].contains(&name), "{name}");
    }
}

#[test]
fn equal_percepts_and_moves_give_equal_choices() {
    let everywhere = std::env::var_os("TAFL_PEEKING").is_some();
    let (mut compared, mut alike) = (0, Vec::new());
    for name in hidden_games() {
        let game = circuit(&name);
        let before = compared;
        let slow = if everywhere || SMALL.contains(&name.as_str()) { SLOW } else { &[] };
        for seed in 2..6 {
            let steps = walk(&*game, Seed(seed));
            for role in RoleId::all(game.roles().len()).filter(|role| game.roles()[role.index()] != "random")
            {
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
                for spec in QUICK.iter().chain(slow) {
                    let choices = [choice(&game, spec, role, &one), choice(&game, spec, role, &two)];
                    assert_eq!(choices[0], choices[1], "{spec} in {name}");
                }
                compared += 1;
            }
            if compared > before {
                break;
            }
        }
        if compared == before {
            alike.push(name);
        }
    }
    // In these nothing is hidden so early, or too much.
    assert!(alike.len() <= 8, "{alike:?}");
}
