//! Many games at once come to what they come to one by one: steps from states
//! that have nothing to do with each other, and playouts from many starts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use game::{
    Deadline, End, Game, MoveId, PlayoutStream, Playouts, Seed, Start, Stepped, Totals, scalar_playouts,
};
use reasoner::{CircuitGame, GroundLimits};
use rules::{Rules, Strictness};

type State = <CircuitGame as Game>::State;

/// The sheets of the library that ground; what is known cannot be.
fn library() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut sheets: Vec<PathBuf> = entries
        .map(|e| e.expect("the entry can be read").path().join("rules.kif"))
        .filter(|p| std::fs::read_to_string(p).is_ok_and(|text| !text.contains("(knows ")))
        .collect();
    sheets.sort();
    sheets
}

fn load(path: &Path) -> CircuitGame {
    read(&std::fs::read_to_string(path).expect("the sheet can be read"))
}

fn read(text: &str) -> CircuitGame {
    let rules =
        Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient).rules.expect("the sheet plays");
    CircuitGame::new(Arc::new(rules), GroundLimits::default()).expect("library games ground")
}

/// States of random games with the joint moves made there.
fn situations(game: &CircuitGame, count: usize) -> (Vec<State>, Vec<Vec<MoveId>>) {
    let (mut states, mut joints) = (Vec::new(), Vec::new());
    for index in 0..count as u64 {
        let stream = PlayoutStream::new(Seed(8), index);
        let mut last = None;
        // Of each game another step.
        game::playout(
            game,
            &mut game.scratch(),
            &game.initial(),
            None,
            stream,
            1 + index as u32 % 40,
            |state, joint| {
                last = Some((state.clone(), joint.to_vec()));
            },
        )
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
            .map(|(state, joint)| {
                Stepped::of(&game, &mut game.scratch(), state, joint).expect("library games play")
            })
            .collect();
        // The first batch finds out which way is faster, the others go that way.
        for size in [states.len(), 5, states.len()] {
            let size = size.min(states.len());
            let together = game
                .steps(&mut game.scratch(), &states[..size], &joints[..size])
                .expect("library games play");
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
        for (number, (state, mut joint)) in states.into_iter().zip(joints).enumerate() {
            let drawn = number / 3 % (joint.len() + 1);
            joint.iter_mut().skip(drawn).take(1).for_each(|mv| *mv = MoveId::DRAWN);
            let first = (number % 3 != 0).then(|| joint.into());
            starts.push(Start { state, first, count: [1, 6, 2, 0, 5][number % 5] });
        }
        for max_steps in [0, 1, 2, 30] {
            let request = Playouts { max_steps, trace: true, ..Playouts::new(&starts, Seed(6)) };
            let expected = scalar_playouts(&game, &mut game.scratch(), &request).expect("library games play");
            assert!(
                game.totals(&mut game.scratch(), &request) == Ok(Totals::of(&expected, &starts)),
                "{}",
                path.display()
            );
            assert!(game.playouts(&mut game.scratch(), &request) == Ok(expected), "{}", path.display());
        }
    }
}

#[test]
fn playouts_of_one_start_may_share_what_is_alike() {
    for path in library() {
        let game = load(&path);
        if game.figures().gates > 10_000 {
            continue;
        }
        // More starts than lanes that a narrow machine has, and few.
        for (most, count) in [(90, 9), (3, 400)] {
            let (states, joints) = situations(&game, most);
            let start = |(number, (state, joint)): (usize, (State, Vec<MoveId>))| {
                let first = (number % 7 != 6).then(|| joint.into());
                Start { state, first, count: count + number as u32 % 5 }
            };
            let starts: Vec<_> = states.into_iter().zip(joints).enumerate().map(start).collect();
            let request = Playouts { max_steps: 20, first_index: 11, ..Playouts::new(&starts, Seed(8)) };
            let expected = scalar_playouts(&game, &mut game.scratch(), &request).expect("library games play");
            assert!(
                game.totals(&mut game.scratch(), &request) == Ok(Totals::of(&expected, &starts)),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn playouts_that_begin_in_different_phases_or_at_an_end_are_those_of_each() {
    let game = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/tic_tac_toe/rules.kif"));
    let (states, joints) = situations(&game, 40);
    let next = |(state, joint): (&State, &Vec<MoveId>)| {
        game.next(&mut game.scratch(), state, joint).expect("library games play")
    };
    let starts = |count: u32| -> Vec<Start<State>> {
        let all = states.iter().zip(&joints).map(next);
        all.map(|state| Start { state, first: None, count }).collect()
    };
    let many = starts(40);
    let ended = |start: &Start<State>| {
        game.is_terminal(&mut game.scratch(), &start.state).expect("library games play")
    };
    assert!(many.iter().any(ended) && !many.iter().all(ended));
    // More playouts of one end than there are lanes, too.
    let mut end: Vec<_> = starts(5000).into_iter().filter(ended).take(1).collect();
    end.push(Start { state: game.initial(), first: None, count: 3000 });
    for starts in [&many[..], &end[..1], &end[..]] {
        let request = Playouts::new(starts, Seed(4));
        let expected = scalar_playouts(&game, &mut game.scratch(), &request).expect("library games play");
        assert_eq!(game.totals(&mut game.scratch(), &request), Ok(Totals::of(&expected, starts)));
        assert_eq!(game.tally(&mut game.scratch(), &request), Ok(expected.tally()));
        assert!(game.playouts(&mut game.scratch(), &request) == Ok(expected));
    }
}

#[test]
fn goals_of_very_many_playouts_are_all_counted() {
    let game = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/tic_tac_toe/rules.kif"));
    let joint = game::perft::joint_moves(&game, &mut game.scratch(), &game.initial())
        .expect("library games play")
        .swap_remove(4);
    let starts = [Start { state: game.initial(), first: Some(joint.into()), count: 2_000_000 }];
    let request = Playouts::new(&starts, Seed(3));
    let totals = game.totals(&mut game.scratch(), &request).expect("library games play");
    let tally = game.tally(&mut game.scratch(), &request).expect("library games play");
    let sum = |role: usize| -> i64 {
        let of_role = tally.results.iter().map(|((_, goals), count)| i64::from(goals[role]) * *count as i64);
        of_role.sum()
    };
    assert_eq!((totals.steps, totals.goals), (tally.steps, vec![sum(0), sum(1)]));
}

#[test]
fn totals_count_what_was_begun_before_time_was_over() {
    let game = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/tron/rules.kif"));
    let start = |count| Start { state: game.initial(), first: None, count };
    let starts = [start(3), start(0), start(2000)];
    let all = game.totals(&mut game.scratch(), &Playouts::new(&starts, Seed(1))).expect("library games play");
    assert_eq!(all.playouts, [3, 0, 2000]);
    let late = Deadline::never();
    late.stop_token().stop();
    let request = Playouts { deadline: late, ..Playouts::new(&starts, Seed(1)) };
    assert_eq!(game.totals(&mut game.scratch(), &request), Ok(Totals::new(3, 2)));
}

#[test]
fn playouts_that_are_told_to_stop_are_cut_off() {
    let game = read(
        "(role r) (init (at a)) (legal r stay) (legal r go)
         (<= (next (at b)) (true (at a)) (does r go)) (<= (next (at a)) (true (at b)) (does r go))
         (<= (next (at ?p)) (true (at ?p)) (does r stay))
         (<= terminal (true (at a)) (true (at b))) (goal r 0)",
    );
    let starts = [Start { state: game.initial(), first: None, count: 3000 }];
    for way in ["lanes", "one by one", "shared lanes"] {
        let pool = (way == "shared lanes").then(|| game.share_lanes(1).expect("there are threads"));
        let stop = Deadline::never();
        let token = stop.stop_token().clone();
        let raised = thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            token.stop();
        });
        let request =
            Playouts { max_steps: u32::MAX, deadline: stop.clone(), stop, ..Playouts::new(&starts, Seed(1)) };
        let scalar = way == "one by one";
        let outcomes = if scalar {
            scalar_playouts(&game, &mut game.scratch(), &request)
        } else {
            game.playouts(&mut game.scratch(), &request)
        };
        let outcomes = outcomes.expect("the game plays");
        raised.join().expect("nothing goes wrong");
        assert!(!outcomes.is_empty() && outcomes.len() < 3000, "{way}: {}", outcomes.len());
        assert!(outcomes.ends.iter().all(|end| *end == End::CutOff), "{way}");
        assert!(pool.is_none_or(|pool| pool.steps().0 > 0), "{way}: they were played there");
    }
}

#[test]
fn a_move_that_does_not_exist_is_a_fault() {
    let game = load(&library()[0]);
    let (states, mut joints) = situations(&game, 100);
    joints[50][0] = MoveId(u32::MAX);
    assert!(game.steps(&mut game.scratch(), &states, &joints).is_err());
}

/// What some player of some match asks for: each something else.
fn asked(states: &[State], joints: &[Vec<MoveId>], number: usize) -> Vec<Start<State>> {
    let mut rng = Seed(number as u64).rng();
    let forces = number.is_multiple_of(3);
    let many = 1 + rng.below(12);
    let start = |_| {
        let place = rng.below(states.len());
        let drawn = rng.below(6);
        let given = joints[place].iter().enumerate();
        let given = given.map(|(role, mv)| if role == drawn { MoveId::DRAWN } else { *mv });
        let first = (forces && rng.below(2) == 0).then(|| given.collect());
        Start { state: states[place].clone(), first, count: rng.below(4) as u32 }
    };
    (0..many).map(start).collect()
}

/// Turns of one, two and four phases and none, chance, regions, dead ends, games without goals.
const KINDS: [&str; 10] = [
    "breakthrough",
    "chinese_checkers_3",
    "connect_four",
    "dead_end",
    "hex_9",
    "monty_hall_3",
    "no_goal",
    "pentago",
    "reversi",
    "tron",
];

#[test]
fn playouts_that_share_lanes_are_those_of_each() {
    let is_kind = |path: &PathBuf| KINDS.iter().any(|kind| path.parent().is_some_and(|p| p.ends_with(kind)));
    let kinds: Vec<PathBuf> = library().into_iter().filter(is_kind).collect();
    assert_eq!(kinds.len(), KINDS.len());
    for path in kinds {
        let game = load(&path);
        let (states, joints) = situations(&game, 60);
        let pool = game.share_lanes(2).expect("there are threads");
        let (game, states, joints, pool, path) = (&game, &states, &joints, &pool, &path);
        thread::scope(|scope| {
            for number in 0..12 {
                scope.spawn(move || {
                    let _member = pool.enter();
                    for round in 0..4 {
                        let number = 100 * number + round;
                        let starts = asked(states, joints, number);
                        let request = Playouts {
                            first_index: 7 * number as u64,
                            max_steps: [0, 1, 17, 40][round],
                            trace: number % 5 == 0,
                            ..Playouts::new(&starts, Seed(number as u64 % 7))
                        };
                        let expected =
                            scalar_playouts(game, &mut game.scratch(), &request).expect("library games play");
                        assert!(
                            game.playouts(&mut game.scratch(), &request) == Ok(expected),
                            "{}: {number}",
                            path.display()
                        );
                    }
                });
            }
        });
    }
}

#[test]
fn a_pool_waits_for_nobody_and_ends_when_nobody_keeps_it() {
    let game = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/breakthrough/rules.kif"));
    let starts = [Start { state: game.initial(), first: None, count: 9 }];
    let request = Playouts::new(&starts, Seed(5));
    let alone = game.playouts(&mut game.scratch(), &request).expect("library games play");
    let pool = game.share_lanes(2).expect("there are threads");
    // Matches that never ask for anything.
    let idle: Vec<_> = (0..50).map(|_| pool.enter()).collect();
    assert_eq!(game.playouts(&mut game.scratch(), &request).as_ref(), Ok(&alone));
    assert!(pool.steps().0 > 0, "they were played there");
    drop(idle);
    assert_eq!(game.playouts(&mut game.scratch(), &request).as_ref(), Ok(&alone));
    // Who has no time left gets nothing, and others get theirs.
    let late = Deadline::never();
    late.stop_token().stop();
    let none = game
        .playouts(&mut game.scratch(), &Playouts { deadline: late, ..request.clone() })
        .expect("library games play");
    assert!(none.is_empty());
    let before = pool.steps();
    drop(pool);
    assert_eq!(game.playouts(&mut game.scratch(), &request).as_ref(), Ok(&alone));
    let pool = game.share_lanes(1).expect("there are threads");
    assert_eq!((pool.steps(), before.0 > 0), ((0, 0), true), "another one");
}
