//! The circuit agrees with the interpreter, question by question and playout by playout.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::conformance::{Mismatch, compare};
use game::{Game, Outcomes, Playouts, Seed, Start};
use reasoner::circuit::Circuits;
use reasoner::ground::Ground;
use reasoner::lanes::{LaneState, Lanes, Width};
use reasoner::{CircuitGame, GroundLimits, Interpreter, Limits, WORK_PER_SECOND};
use rules::{Rules, Strictness};

fn load(path: &Path) -> Option<Arc<Rules>> {
    let text = std::fs::read_to_string(path).expect("the sheet can be read");
    let syntax = gdl::Syntax::guess(&text, path.extension().and_then(|e| e.to_str()));
    let parsed = gdl::parse(&text, syntax);
    Rules::check(&parsed.sheet, Strictness::Lenient).rules.map(Arc::new)
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("the entry can be read").path())
        .map(|p| if p.is_dir() { p.join("rules.kif") } else { p })
        .filter(|p| p.extension().is_some_and(|e| e == "kif") && p.exists())
        .collect();
    all.sort();
    all
}

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// The sheets of the library that ground; what is known cannot be.
fn library() -> Vec<PathBuf> {
    let grounds = |path: &PathBuf| load(path).is_none_or(|rules| !rules.reads_knowledge());
    sheets(&games()).into_iter().filter(grounds).collect()
}

/// Compares answers along random walks; says what differs.
fn differs(
    rules: &Arc<Rules>,
    limits: Limits,
    ground: GroundLimits,
    walks: u64,
    steps: u32,
) -> Option<String> {
    let Ok(oracle) = Interpreter::with_limits(rules.clone(), limits) else { return None };
    let Ok(circuit) = CircuitGame::new(rules.clone(), ground) else { return None };
    match compare(&oracle, &circuit, walks, steps, Seed(1)) {
        Ok(_) | Err(Mismatch::Fault(_)) => None,
        Err(Mismatch::Difference(d)) => Some(format!("{d:?}")),
    }
}

#[test]
fn every_game_of_the_library_agrees_state_by_state() {
    let mut wrong = Vec::new();
    for path in library() {
        let rules = load(&path).unwrap_or_else(|| panic!("{} is not accepted", path.display()));
        if let Some(difference) = differs(&rules, Limits::default(), GroundLimits::default(), 2, 60) {
            wrong.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lanes_of_every_width_play_the_games_the_interpreter_plays() {
    for path in library() {
        let rules = load(&path).unwrap_or_else(|| panic!("{} is not accepted", path.display()));
        let ground = Ground::new(rules.clone(), GroundLimits::default()).expect("library games ground");
        let oracle = Interpreter::new(rules).expect("library games play");
        let circuits = Circuits::new(&ground);
        let initial = LaneState::of(&circuits.store.initial(&ground));
        let stored = circuits.store.fluents.len();
        let big = ground.fluents.len() > 300;
        let (count, max_steps) = if big { (5, 40) } else { (20, 100) };
        let expected = {
            let starts = [Start { state: oracle.initial(), first: None, count }];
            let request = Playouts { max_steps, ..Playouts::new(&starts, Seed(3)) };
            oracle.playouts(&mut oracle.scratch(), &request).expect("library games play")
        };
        let of = |words: usize, blocks: usize| Width { words, blocks };
        for width in if big { vec![of(4, 2)] } else { vec![of(2, 2), of(2, 1), of(4, 1), of(4, 2), of(8, 1)] }
        {
            let lanes = Lanes::new(&circuits, stored, ground.moves.len(), width);
            let starts = [Start { state: initial.clone(), first: None, count }];
            let request = Playouts { max_steps, trace: true, ..Playouts::new(&starts, Seed(3)) };
            let played = lanes.playouts(&request);
            let tally = lanes.tally(&request);
            let bare = Outcomes { traces: Vec::new(), ..played };
            assert_eq!(bare, expected, "{} with {width:?}", path.display());
            assert_eq!(tally, expected.tally(), "{} with {width:?}", path.display());
        }
    }
}

#[test]
fn any_number_of_games_side_by_side_gives_the_same_outcomes() {
    for name in ["tic_tac_toe", "reversi", "hex_9", "tron", "chess"] {
        let rules = load(&games().join(name).join("rules.kif")).expect("library games are accepted");
        let ground = Ground::new(rules, GroundLimits::default()).expect("library games ground");
        let circuits = Circuits::new(&ground);
        let initial = LaneState::of(&circuits.store.initial(&ground));
        let stored = circuits.store.fluents.len();
        let starts = [Start { state: initial, first: None, count: 700 }];
        let max_steps = if name == "chess" { 8 } else { 100 };
        let request = Playouts { max_steps, ..Playouts::new(&starts, Seed(4)) };
        let mut expected = None;
        for (words, blocks) in [(4, 1), (4, 2), (8, 1), (8, 2), (2, 1), (2, 3)] {
            let width = Width { words, blocks };
            let lanes = Lanes::new(&circuits, stored, ground.moves.len(), width);
            let outcomes = lanes.playouts(&request);
            assert_eq!(lanes.tally(&request), outcomes.tally(), "{name} with {width:?}");
            let expected = expected.get_or_insert_with(|| outcomes.clone());
            assert!(outcomes == *expected, "{name} with {width:?}");
        }
    }
}

#[test]
fn the_corpus_agrees_state_by_state() {
    let root = std::env::var_os("TAFL_CORPUS").map(PathBuf::from);
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    if !root.is_dir() {
        assert!(std::env::var_os("TAFL_REQUIRE_CORPUS").is_none(), "the corpus is required but not there");
        println!("left out: there is no corpus at {}", root.display());
        return;
    }
    // Every third sheet, small limits and a few steps: `cargo xtask soak corpus` replays everything.
    let limits = Limits { work: WORK_PER_SECOND / 10, ..Limits::default() };
    let ground = GroundLimits { work: 3 * WORK_PER_SECOND / 10, atoms: 30_000, instances: 100_000 };
    let mut wrong = Vec::new();
    for path in sheets(&root.join("gdl")).into_iter().chain(sheets(&root.join("gdl2"))).step_by(3) {
        let Some(rules) = load(&path) else {
            wrong.push(format!("{} is not accepted", path.display()));
            continue;
        };
        if let Some(difference) = differs(&rules, limits, ground, 1, 6) {
            wrong.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn states_that_no_game_reaches_agree_too() {
    for path in library() {
        let rules = load(&path).unwrap_or_else(|| panic!("{} is not accepted", path.display()));
        let circuit = CircuitGame::new(rules.clone(), GroundLimits::default()).expect("library games ground");
        if circuit.figures().fluents > 150 {
            continue;
        }
        let oracle = Interpreter::new(rules).expect("library games play");
        let mut rng = Seed(17).rng();
        let seen = facts_seen(&oracle);
        for _ in 0..40 {
            // Facts of a state, exchanged one after the other for others that came up
            // somewhere. What contradicts what is proven of the game is refused, and
            // nothing is promised for it: the circuit knows more than the rules say.
            let mut facts = oracle.facts(&oracle.initial());
            for _ in 0..3 * facts.len().clamp(4, 20) {
                let mut other = facts.clone();
                let change = rng.below(3);
                if change != 1 && !other.is_empty() {
                    other.swap_remove(rng.below(other.len()));
                }
                if change != 0 {
                    let more = &seen[rng.below(seen.len())];
                    if !other.contains(more) {
                        other.push(more.clone());
                    }
                }
                if circuit.state(&other).is_ok() {
                    facts = other;
                }
            }
            let (Ok(s), Ok(t)) = (oracle.state(&facts), circuit.state(&facts)) else { continue };
            same_answers(&oracle, &s, &circuit, &t, &mut rng, &path);
        }
    }
}

/// All facts that come up in some random games.
fn facts_seen(game: &Interpreter) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    for walk in 0..10 {
        let stream = game::PlayoutStream::new(Seed(2), walk);
        game::playout(game, &mut game.scratch(), &game.initial(), None, stream, 60, |state, _| {
            seen.extend(game.facts(state))
        })
        .expect("library games play");
    }
    seen.into_iter().collect()
}

fn same_answers(
    a: &Interpreter,
    s: &<Interpreter as Game>::State,
    b: &CircuitGame,
    t: &<CircuitGame as Game>::State,
    rng: &mut game::Rng,
    path: &Path,
) {
    let (mut at_a, mut at_b) = (a.scratch(), b.scratch());
    let place = format!("{} in {:?}", path.display(), a.facts(s));
    assert_eq!(a.is_terminal(&mut at_a, s), b.is_terminal(&mut at_b, t), "terminal of {place}");
    let (mut joint_a, mut joint_b) = (Vec::new(), Vec::new());
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for role in game::RoleId::all(a.roles().len()) {
        a.legal(&mut at_a, s, role, &mut x).expect("library games play");
        b.legal(&mut at_b, t, role, &mut y).expect("library games play");
        let xs: Vec<String> = x.iter().map(|&m| a.move_text(role, m)).collect();
        let ys: Vec<String> = y.iter().map(|&m| b.move_text(role, m)).collect();
        assert_eq!(xs, ys, "legal moves of {place}");
        assert_eq!(a.goal(&mut at_a, s, role), b.goal(&mut at_b, t, role), "goal of {place}");
        if !x.is_empty() {
            let chosen = rng.below(x.len());
            joint_a.push(x[chosen]);
            joint_b.push(y[chosen]);
        }
    }
    // Nothing follows a state in which the match is over.
    if joint_a.len() == a.roles().len() && a.is_terminal(&mut at_a, s) == Ok(false) {
        let next_a = a.next(&mut at_a, s, &joint_a).expect("library games play");
        let next_b = b.next(&mut at_b, t, &joint_b).expect("library games play");
        assert_eq!(a.facts(&next_a), b.facts(&next_b), "next state of {place}");
    }
}
