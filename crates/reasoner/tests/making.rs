//! Making a game: who watches is told, who waits can end it, and neither changes what is made.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use game::{Deadline, Fault, StopToken};
use reasoner::{CircuitGame, Figures, Interpreter, Limits, Making, Progress, Prover};
use rules::{Rules, Strictness};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn load(name: &str) -> Arc<Rules> {
    let text = fs::read_to_string(root().join("../../games").join(name).join("rules.kif"));
    let text = text.expect("the game is in the library");
    check(&text)
}

fn check(text: &str) -> Arc<Rules> {
    let checked = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient);
    Arc::new(checked.rules.expect("the sheet is accepted"))
}

/// What kind of progress it is, in the order in which they come.
fn stage(progress: Progress) -> usize {
    match progress {
        Progress::Atoms(_) => 0,
        Progress::Instances(_) => 1,
        Progress::Circuit(_) => 2,
        Progress::Programs(_) => 3,
        Progress::Over => 4,
    }
}

/// What follows from counted work.
fn counted(figures: &Figures) -> Figures {
    let times = Default::default();
    Figures { ground: times, circuit: times, compile: times, width: 0, single: "", ..figures.clone() }
}

#[test]
fn an_observer_is_told_of_all_stages_in_order_and_changes_nothing() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&told);
    let stop = StopToken::default();
    let making = Making {
        deadline: Deadline::never().with_stop(stop.clone()),
        observer: Some(Arc::new(move |progress| own.lock().unwrap().push(stage(progress)))),
        ..Making::default()
    };
    let rules = load("amazons_6");
    let watched = CircuitGame::make(Arc::clone(&rules), &making).unwrap();
    let mut told = told.lock().unwrap().clone();
    assert!(told.is_sorted(), "{told:?}");
    told.dedup();
    assert_eq!(told, [0, 1, 2, 3]);
    let plain = CircuitGame::new(rules, Making::default().limits).unwrap();
    let [watched, plain] = [&watched, &plain].map(|game| format!("{:?}", counted(game.figures())));
    assert_eq!(watched, plain);
    // Once it is made nobody can end it any more.
    stop.stop();
}

#[test]
fn a_raised_token_ends_the_making_at_the_next_look_in_every_stage() {
    let rules = load("amazons_6");
    for last in 0..4 {
        let stop = StopToken::default();
        let (own, count) = (stop.clone(), Arc::new(Mutex::new(0)));
        let after = Arc::clone(&count);
        let making = Making {
            deadline: Deadline::never().with_stop(stop),
            observer: Some(Arc::new(move |progress| {
                if stage(progress) == last {
                    own.stop();
                    *after.lock().unwrap() += 1;
                }
            })),
            ..Making::default()
        };
        let fault = CircuitGame::make(Arc::clone(&rules), &making).err().expect("it was stopped");
        assert_eq!(fault, Fault::Stopped);
        assert_eq!(*count.lock().unwrap(), 1, "nothing goes on after stage {last}");
    }
}

#[test]
fn a_deadline_that_is_over_ends_the_making_of_large_games() {
    let making = Making { deadline: Deadline::after(Default::default()), ..Making::default() };
    assert_eq!(CircuitGame::make(load("amazons"), &making).err(), Some(Fault::Stopped));
}

#[test]
fn limits_of_work_refuse_the_same_question_every_time() {
    let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
    let text = "(role r) (goal r 0) (init start) (<= terminal (true over)) (<= (legal r (m ?a ?b ?c)) (d ?a) (d ?b) (d ?c))";
    let rules = check(&format!("{text} {numbers}"));
    let limits = Limits { work: 5_000, ..Limits::default() };
    let refused = || Interpreter::with_limits(Arc::clone(&rules), limits).err().expect("it takes more");
    let fault = refused();
    let Fault::Budget(message) = &fault else { panic!("{fault}") };
    assert!(message.contains("looked at more than 5000 candidates in the rule for `legal`"), "{message}");
    assert_eq!(refused(), fault);
    let refused = || Prover::with_limits(Arc::clone(&rules), limits).err();
    assert_eq!(refused(), refused());
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn only_the_stopwatch_reads_the_clock() {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    found.retain(|path| {
        let text = fs::read_to_string(path).unwrap();
        text.contains("Instant") || text.contains("SystemTime")
    });
    assert_eq!(found, [root().join("src/stopwatch.rs")]);
}
