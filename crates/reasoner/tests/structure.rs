//! What is proven of games of the library by their rules.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::sync::Arc;

use game::{Game, Grounded, MoveId, PlayoutStream, RoleId, Seed, Structure, Symmetry};
use reasoner::{CircuitGame, GroundLimits};
use rules::{Rules, Strictness};

fn circuit(name: &str) -> CircuitGame {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name).join("rules.kif");
    let text = std::fs::read_to_string(file).unwrap();
    let rules = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient).rules.unwrap();
    CircuitGame::new(Arc::new(rules), GroundLimits::default()).unwrap()
}

/// Turns, sum, clock (length and free part), order of the group of symmetries, parts.
fn told(structure: &Structure) -> String {
    let clock = structure.clock.as_ref().map(|clock| (clock.fluents.len(), clock.free));
    let group = structure.group(10_000).len() + 1;
    let Structure { turns, constant_sum, parts, .. } = structure;
    format!("turns {turns}, sum {constant_sum:?}, clock {clock:?}, group {group}, parts {}", parts.len())
}

#[test]
fn structure_is_as_people_see_it() {
    let expected = [
        ("tic_tac_toe", "turns true, sum Some(100), clock None, group 16, parts 9"),
        // The mirror image and the exchange of roles.
        ("connect_four", "turns true, sum Some(100), clock None, group 4, parts 7"),
        ("breakthrough_6", "turns true, sum Some(100), clock None, group 4, parts 0"),
        ("nim", "turns true, sum Some(100), clock None, group 2, parts 4"),
        ("eight_puzzle", "turns true, sum None, clock Some((61, 60)), group 2, parts 0"),
        ("hanoi", "turns true, sum None, clock Some((63, 31)), group 2, parts 0"),
        ("rock_paper_scissors", "turns false, sum None, clock None, group 6, parts 0"),
    ];
    let found: Vec<(&str, String)> =
        expected.iter().map(|(name, _)| (*name, told(&circuit(name).structure()))).collect();
    assert_eq!(found, expected.map(|(name, text)| (name, text.to_string())));
}

fn image(
    game: &CircuitGame,
    state: &<CircuitGame as Game>::State,
    symmetry: &Symmetry,
) -> Option<<CircuitGame as Game>::State> {
    let mut fluents = Vec::new();
    game.fluents(state, &mut fluents).unwrap();
    let mapped: Vec<_> = fluents.iter().map(|fluent| symmetry.fluents[fluent.0 as usize]).collect();
    game.with_fluents(&mapped).ok()
}

#[test]
fn symmetric_states_have_symmetric_futures() {
    let (mut compared, mut alone) = (0, Vec::new());
    for name in ["tic_tac_toe", "connect_four", "breakthrough_6", "reversi", "pentago", "tron", "lights_out"]
    {
        let before = compared;
        let game = circuit(name);
        let mut scratch = game.scratch();
        let symmetries = game.structure().symmetries;
        assert!(!symmetries.is_empty(), "{name}");
        for (number, symmetry) in symmetries.iter().enumerate() {
            let stream = PlayoutStream::new(Seed(1), number as u64);
            let mut state = game.initial();
            for step in 0..40 {
                // Where the first state is not its own image, an image may be none that can be reached.
                let Some(other) = image(&game, &state, symmetry) else { break };
                compared += 1;
                assert_eq!(
                    game.is_terminal(&mut scratch, &state),
                    game.is_terminal(&mut scratch, &other),
                    "{name}"
                );
                let mut joint = Vec::new();
                let mut mapped = vec![MoveId(0); game.roles().len()];
                for role in RoleId::all(game.roles().len()) {
                    let twin = symmetry.roles[role.index()];
                    assert_eq!(
                        game.goal(&mut scratch, &state, role),
                        game.goal(&mut scratch, &other, twin),
                        "{name}"
                    );
                    let (mut legal, mut there) = (Vec::new(), Vec::new());
                    game.legal(&mut scratch, &state, role, &mut legal).unwrap();
                    game.legal(&mut scratch, &other, twin, &mut there).unwrap();
                    let to = |mv: &MoveId| symmetry.moves[role.index()][mv.0 as usize];
                    let mut images: Vec<MoveId> = legal.iter().map(to).collect();
                    images.sort();
                    there.sort();
                    assert_eq!(images, there, "{name}");
                    if legal.is_empty() {
                        break;
                    }
                    let chosen = legal[stream.below(step, role.0, legal.len() as u32) as usize];
                    joint.push(chosen);
                    mapped[twin.index()] = to(&chosen);
                }
                if joint.len() < game.roles().len() || game.is_terminal(&mut scratch, &state).unwrap() {
                    break;
                }
                let next = game.next(&mut scratch, &state, &joint).unwrap();
                let Some(after) = image(&game, &next, symmetry) else { break };
                assert_eq!(after, game.next(&mut scratch, &other, &mapped).unwrap(), "{name}");
                state = next;
            }
        }
        if compared == before {
            alone.push(name);
        }
    }
    // Its first state is not its own image, and walls that no match builds are no part of a state.
    assert_eq!(alone, ["tron"]);
}
