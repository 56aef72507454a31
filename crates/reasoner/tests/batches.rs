//! Many games at once come to what they come to one by one: steps from states
//! that have nothing to do with each other, and playouts from many starts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::{Game, MoveId, PlayoutStream, Playouts, Seed, Start, Stepped, scalar_playouts};
use reasoner::{CircuitGame, GroundLimits};
use rules::{Rules, Strictness};

type State = <CircuitGame as Game>::State;

fn library() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut sheets: Vec<PathBuf> = entries
        .map(|e| e.expect("the entry can be read").path().join("rules.kif"))
        .filter(|p| p.exists())
        .collect();
    sheets.sort();
    sheets
}

fn load(path: &Path) -> CircuitGame {
    let text = std::fs::read_to_string(path).expect("the sheet can be read");
    let rules =
        Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient).rules.expect("the sheet plays");
    CircuitGame::new(Arc::new(rules), GroundLimits::default()).expect("library games ground")
}

/// States of random games with the joint moves made there.
fn situations(game: &CircuitGame, count: usize) -> (Vec<State>, Vec<Vec<MoveId>>) {
    let (mut states, mut joints) = (Vec::new(), Vec::new());
    for index in 0..count as u64 {
        let stream = PlayoutStream::new(Seed(8), index);
        let mut last = None;
        // Of each game another step.
        game::playout(game, &game.initial(), None, stream, 1 + index as u32 % 40, |state, joint| {
            last = Some((state.clone(), joint.to_vec()));
        })
        .expect("library games play");
        if let Some((state, joint)) = last {
            states.push(state);
            joints.push(joint);
        }
    }
    (states, joints)
}

#[test]
fn steps_of_many_games_are_those_of_each() {
    for path in library() {
        let game = load(&path);
        let count = if game.figures().gates > 10_000 { 70 } else { 300 };
        let (states, joints) = situations(&game, count);
        let each: Vec<Stepped<State>> = states
            .iter()
            .zip(&joints)
            .map(|(state, joint)| Stepped::of(&game, state, joint).expect("library games play"))
            .collect();
        // The first batch finds out which way is faster, the others go that way.
        for size in [states.len(), 5, states.len()] {
            let size = size.min(states.len());
            let together = game.steps(&states[..size], &joints[..size]).expect("library games play");
            assert!(together == each[..size], "{} steps of {}", size, path.display());
        }
    }
}

#[test]
fn playouts_from_many_starts_are_those_of_each() {
    for path in library() {
        let game = load(&path);
        if game.figures().gates > 10_000 {
            continue;
        }
        let (states, joints) = situations(&game, 150);
        let mut starts: Vec<Start<State>> = Vec::new();
        for (number, (state, joint)) in states.into_iter().zip(joints).enumerate() {
            let first = (number % 3 != 0).then_some(joint);
            starts.push(Start { state, first, count: [1, 1, 2, 0, 5][number % 5] });
        }
        let request = Playouts { max_steps: 30, trace: true, ..Playouts::new(&starts, Seed(6)) };
        let expected = scalar_playouts(&game, &request).expect("library games play");
        assert!(game.playouts(&request) == Ok(expected), "{}", path.display());
    }
}

#[test]
fn a_move_that_does_not_exist_is_a_fault() {
    let game = load(&library()[0]);
    let (states, mut joints) = situations(&game, 100);
    joints[50][0] = MoveId(u32::MAX);
    assert!(game.steps(&states, &joints).is_err());
}
