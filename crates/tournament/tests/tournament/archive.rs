//! Archives: what is left out follows from the plan, and the digest tells runs apart.

use arena::Ending;
use tournament::{Archive, ArchiveError, Comparison, Keep, Plan, Results, run};

use super::{SMALL, options, read};

/// Results as an archive gives them.
fn without_moves(results: &Results) -> Results {
    let mut results = results.clone();
    results.matches.iter_mut().for_each(|result| result.moves = None);
    results
}

fn played() -> (Plan, Results) {
    let ready = read(SMALL).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &tournament::Quiet).unwrap();
    (ready.plan().clone(), results)
}

#[test]
fn an_archive_holds_everything_but_the_moves() {
    let (plan, mut results) = played();
    let check = |results: &Results| {
        let archive = Archive::of(results, &plan).unwrap();
        let bytes = archive.write(&plan);
        let again = Archive::read(&bytes, &plan).unwrap();
        assert_eq!(again.results, without_moves(results));
        assert_eq!((again.write(&plan), &again.digest), (bytes, &archive.digest));
        // Without the moves its digest cannot be told, unless there are no matches.
        assert_eq!(Archive::of(&again.results, &plan), results.matches.is_empty().then_some(archive));
    };
    check(&results);
    results.matches[2].ending = Ending::Forfeit { role: "x".into(), reason: "no answer".into() };
    results.matches[2].goals[1] = None;
    results.matches[5].replaced = 3;
    results.matches[5].replaced_by_seat = vec![1, 2];
    results.matches[7].states = vec![0, 9];
    check(&results);
    results.matches.retain(|result| result.number % 3 != 1);
    results.complete = false;
    check(&results);
    results.matches.clear();
    check(&results);
}

#[test]
fn a_run_is_the_same_move_by_move_or_differs() {
    let (plan, results) = played();
    let archive = Archive::read(&Archive::of(&results, &plan).unwrap().write(&plan), &plan).unwrap();
    assert_eq!(archive.compare(&results, &plan), Comparison::Same);
    let mut other = results.clone();
    other.matches[4].moves = Some("0000000000000000".to_string());
    assert_eq!(archive.compare(&other, &plan), Comparison::Differs { matches: Vec::new() });
    other.matches[6].steps += 1;
    assert_eq!(archive.compare(&other, &plan), Comparison::Differs { matches: vec![6] });
    let mut half = results.clone();
    half.matches.truncate(10);
    half.complete = false;
    assert_eq!(archive.compare(&half, &plan), Comparison::Alike { matches: 10 });
    half.matches[9].goals[0] = Some(1);
    assert_eq!(archive.compare(&half, &plan), Comparison::Differs { matches: vec![9] });
}

#[test]
fn what_is_no_archive_of_the_plan_is_refused() {
    let (plan, results) = played();
    let bytes = Archive::of(&results, &plan).unwrap().write(&plan);
    assert_eq!(Archive::read(b"", &plan), Err(ArchiveError::Unreadable));
    assert_eq!(Archive::read(results.write(&plan).as_bytes(), &plan), Err(ArchiveError::Unreadable));
    for length in 0..bytes.len() {
        assert!(Archive::read(&bytes[..length], &plan).is_err(), "the first {length} bytes");
    }
    let other = read(&SMALL.replace("seed = 5", "seed = 6")).unwrap();
    assert_eq!(Archive::read(&bytes, other.plan()), Err(ArchiveError::OtherPlan));
    let full = results.write(&plan).replace("\"moves\":", "\"hash\":");
    assert!(Results::read(&full, &plan).is_err(), "full results have the hash of moves");
}
