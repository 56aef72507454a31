//! What was expected before a result, what was expected later, and what nobody knows.

use std::fs;
use std::path::Path;

use experiment::{
    Expected, Experiment, Foreseen, Foresight, Outcome, Outcomes, RunPart, Variant, judge, report, run_part,
};
use game::StopToken;
use library::Library;
use tournament::RunOptions;

use super::experiments::{SMALL, parse, run};

/// Keeps what was run as the command does.
fn keep(experiment: &Experiment, outcomes: &Outcomes, folder: &Path) {
    for (part, outcome) in experiment.parts.iter().zip(outcomes) {
        let expected = Expected::of(experiment, part);
        outcome.as_ref().unwrap().keep(part, Some(&expected), folder).unwrap();
    }
}

fn foreseen(experiment: &Experiment, outcomes: &Outcomes, folder: &Path) -> Vec<Foreseen> {
    let judged = judge(experiment, outcomes, &Foresight::read(experiment, folder));
    judged.iter().map(|found| found.foreseen).collect()
}

#[test]
fn an_expectation_counts_only_if_it_is_older_than_its_result() {
    use Foreseen::{Before, Later, Unknown};
    let folder = super::scratch("foreseen");
    let experiment = parse(SMALL, Variant::Quick).unwrap();
    let outcomes = run(&experiment);
    assert_eq!(foreseen(&experiment, &outcomes, &folder), [Unknown, Unknown], "nothing is kept");
    keep(&experiment, &outcomes, &folder);
    assert_eq!(foreseen(&experiment, &outcomes, &folder), [Before, Before]);
    // Labels and reasons say nothing about what is expected; values, margins, origins and verdicts do.
    let other = parse(&SMALL.replace("a bound", "the bound").replace("made up", "invented"), Variant::Quick);
    assert_eq!(foreseen(&other.unwrap(), &outcomes, &folder), [Before, Before]);
    for (from, to) in [
        ("at_least = 0.5", "at_least = 0.6"),
        ("at_least = 0.5", "at_most = 0.5"),
        ("origin = \"claim\"", "origin = \"derived\""),
        ("origin = \"claim\"", "expect = \"either\"\nwhy = \"w\"\norigin = \"claim\""),
        ("measure = \"wins\"", "measure = \"score\""),
    ] {
        let later = parse(&SMALL.replace(from, to), Variant::Quick).unwrap();
        assert_eq!(foreseen(&later, &outcomes, &folder), [Before, Later], "{to}");
        // The same matches once more make nothing foreseen.
        keep(&later, &outcomes, &folder);
        assert_eq!(foreseen(&later, &outcomes, &folder), [Before, Later], "{to}");
    }
    // Other matches do.
    let seeded = SMALL.replace("matches = 300", "seed = 7\nmatches = 300").replace("0.5", "0.6");
    let seeded = parse(&seeded, Variant::Quick).unwrap();
    let others = run(&seeded);
    keep(&seeded, &others, &folder);
    assert_eq!(foreseen(&seeded, &others, &folder), [Before, Before]);
}

#[test]
fn what_was_kept_without_a_record_is_not_known_to_be_foreseen() {
    let folder = super::scratch("unrecorded");
    let experiment = parse(SMALL, Variant::Quick).unwrap();
    let outcomes = run(&experiment);
    outcomes[0].as_ref().unwrap().keep(&experiment.parts[0], None, &folder).unwrap();
    keep(&experiment, &outcomes, &folder);
    assert_eq!(foreseen(&experiment, &outcomes, &folder), [Foreseen::Unknown; 2]);
    let page = report(&experiment, &outcomes, &Foresight::read(&experiment, &folder)).markdown();
    assert!(page.contains("None of the verdicts is known to be foreseen"), "{page}");
    assert!(!page.contains("as foreseen"), "{page}");
}

#[test]
fn reports_count_what_was_foreseen_and_what_was_expected_later() {
    let folder = super::scratch("counted");
    let text = SMALL.replace("matches = 300", "matches = 400").replace("quick = { matches = 20 }", "");
    let experiment = parse(&text, Variant::Full).unwrap();
    let outcomes = run(&experiment);
    keep(&experiment, &outcomes, &folder);
    let page = |text: &str| {
        let experiment = parse(text, Variant::Full).unwrap();
        report(&experiment, &outcomes, &Foresight::read(&experiment, &folder)).markdown()
    };
    let before = page(&text);
    assert!(
        before.contains("As foreseen: 2 of 2 verdicts that were expected before the results."),
        "{before}"
    );
    assert!(before.contains("| differs, as foreseen | yes |"), "{before}");
    let later = page(&text.replace("280]", "281]"));
    let said = "As foreseen: 1 of 1 verdicts that were expected before the results; 1 expected\nlater.";
    assert!(later.contains(said), "{later}");
    assert!(later.contains("| differs, expected later | expected later |"), "{later}");
}

/// The text of a record is the same wherever it is written.
#[test]
fn digests_are_those_of_the_canonical_text() {
    let folder = super::scratch("digests");
    let experiment = parse(SMALL, Variant::Quick).unwrap();
    Expected::of(&experiment, &experiment.parts[0]).write(&experiment.parts[0], &folder).unwrap();
    let text = fs::read_to_string(folder.join("a.expected")).unwrap();
    let canonical = [
        "part=a\ncounts=10 10 280\norigin=published\nexpect=differs",
        "part=a\nmeasure=wins\nat_least=0.5\norigin=claim\nexpect=agrees",
    ];
    let digests = canonical.map(|text| format!("{:016x}", game::Seed(0).derive_name(text).0));
    let lines = format!("{} a figure that nobody can get\n{} a bound\n", digests[0], digests[1]);
    assert_eq!(text, lines);
}

#[test]
fn an_interrupted_measurement_of_turns_has_no_outcome() {
    let text = "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\nkind = \"turns\"\n\
                games = [\"tic_tac_toe\", \"nim\"]\nreasoners = [\"prover\"]\nturns = [1, 2]\nwalks = 1\n";
    let experiment = parse(text, Variant::Full).unwrap();
    let (library, stop) = (Library::embedded(), StopToken::default());
    let how = RunPart {
        library: &library,
        store: None,
        options: RunOptions { jobs: 1, stop: stop.clone() },
        progress: &|_| (),
        tell: &|told| {
            if told.starts_with("nim") {
                stop.stop();
            }
        },
    };
    let found: Option<Outcome> = run_part(&experiment.parts[0], &how).unwrap();
    assert!(stop.is_stopped() && found.is_none(), "{found:?}");
}
