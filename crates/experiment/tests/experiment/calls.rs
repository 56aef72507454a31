//! Calls: the commands that they stand for, their answers, and that they can be stopped.

use std::collections::BTreeSet;
use std::fs;

use experiment::{Experiment, Outcome, PartKind, RunPart, Variant, list, run_part};
use game::StopToken;
use library::Library;
use tournament::RunOptions;

use super::experiments::{folder, parse, run};

/// The words of all calls of the repository: experiment, variant, part, then the words, with tabs
/// between them. A quick variant is listed where its words differ.
const WORDS: &str = include_str!("words.tsv");

#[test]
fn calls_render_as_words() {
    let mut missing: BTreeSet<&str> = WORDS.lines().collect();
    for found in list(&folder()).unwrap() {
        let read = |variant| Experiment::read(&found.path, variant, &Library::embedded()).unwrap();
        let lines = |variant: Variant| -> Vec<(String, String)> {
            let words = |part: experiment::Part| match &part.kind {
                PartKind::Call(call) => Some((part.name.clone(), call.words().join("\t"))),
                _ => None,
            };
            read(variant).parts.into_iter().filter_map(words).collect()
        };
        let full = lines(Variant::Full);
        let is_quick = |line: &(String, String)| !full.contains(line);
        let quick: Vec<(String, String)> = lines(Variant::Quick).into_iter().filter(is_quick).collect();
        for (variant, lines) in [("full", full), ("quick", quick)] {
            for (part, words) in lines {
                let line = format!("{}\t{variant}\t{part}\t{words}", found.name);
                assert!(missing.remove(line.as_str()), "not in words.tsv: {line}");
            }
        }
    }
    assert!(missing.is_empty(), "no part has these words: {missing:#?}");
}

/// Answers that take a moment are those of the results in the repository, byte for byte.
#[test]
fn calls_give_the_answers_that_are_kept() {
    let kept = [
        ("krieg_tic_tac_toe", "reasoning"),
        ("tic_tac_toe_published", ""),
        ("hidden_information_exact", "kuhn"),
    ];
    for (name, wanted) in kept {
        let path = folder().join(name);
        let mut experiment = Experiment::read(&path, Variant::Full, &Library::embedded()).unwrap();
        let is_wanted = |part: &experiment::Part| {
            matches!(part.kind, PartKind::Call(_)) && (wanted.is_empty() || part.name == wanted)
        };
        experiment.parts.retain(is_wanted);
        assert!(!experiment.parts.is_empty(), "{name}");
        for (part, outcome) in experiment.parts.iter().zip(run(&experiment)) {
            let file = path.join("results").join(Outcome::file(part));
            assert_eq!(outcome.unwrap().write(), fs::read_to_string(file).unwrap(), "{name}: {}", part.name);
        }
    }
}

const HEAD: &str = "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\n";

fn answer(keys: &str) -> serde_json::Value {
    let experiment = parse(&format!("{HEAD}{keys}"), Variant::Full).unwrap();
    match run(&experiment).remove(0) {
        Some(Outcome::Json(json)) => json,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_of_call_is_answered() {
    let json = answer("kind = \"exploit\"\ngame = \"kuhn_poker\"\nplayer = \"random\"\nanswers = 1");
    assert_eq!((&json[0]["player"], &json[0]["samples"]), (&"random".into(), &1.into()));
    assert_eq!((&json[0]["version"], &json[0]["exploitability"]["kind"]), (&2.into(), &"exact".into()));
    let player = "player = \"ismcts(playouts=5)\"";
    let json = answer(&format!("kind = \"exploit\"\ngame = \"kuhn_poker\"\n{player}\nanswers = 3"));
    let found = &json[0]["exploitability"];
    assert_eq!((&found["kind"], &found["count"]), (&"estimated".into(), &3.into()));
    assert!(
        found["low"].as_f64() < found["value"].as_f64() && found["value"].as_f64() < found["high"].as_f64()
    );
    let json = answer(
        "kind = \"ask\"\ngame = \"spy_vs_spy\"\nplayer = \"hyperplay(models=4,playouts=4)\"\ntimes = 3",
    );
    let chosen = json["moves"].as_array().unwrap().iter().map(|mv| mv["chosen"].as_u64().unwrap());
    assert_eq!(chosen.sum::<u64>(), 3);
    let json = answer("kind = \"sample\"\ngames = [\"kuhn_poker\"]\nmatches = 3");
    assert_eq!((&json["empty"], &json["games"][0]["game"]), (&0.into(), &"kuhn_poker".into()));
    let json = answer(
        "kind = \"match\"\ngame = \"tic_tac_toe\"\nplayers = [\"random\", \"legal\"]\nrepeat = 4\nrotate = true",
    );
    assert_eq!((&json["matches"], &json["counts"].as_array().unwrap().len()), (&4.into(), &6));
    let games: Vec<&serde_json::Value> =
        json["counts"].as_array().unwrap().iter().map(|row| &row["games"]).collect();
    assert_eq!(games, [2, 2, 4, 2, 2, 4]);
}

#[test]
fn a_call_that_fails_says_which_part_and_why() {
    let text = format!("{HEAD}kind = \"ask\"\ngame = \"kuhn_poker\"\nplayer = \"random\"\nrole = \"p3\"\n");
    let experiment = parse(&text, Variant::Full).unwrap();
    let error = asked(&experiment, StopToken::default()).unwrap_err();
    assert_eq!(error, "a: There is no role `p3`; the roles are p1, p2, random.");
}

#[test]
fn a_call_that_is_stopped_gives_nothing() {
    let stop = StopToken::default();
    stop.stop();
    let text =
        format!("{HEAD}kind = \"exploit\"\ngame = \"kuhn_poker\"\nplayer = \"ismcts\"\nanswers = 1000000\n");
    let experiment = parse(&text, Variant::Full).unwrap();
    assert!(asked(&experiment, stop).unwrap().is_none());
}

fn asked(experiment: &Experiment, stop: StopToken) -> Result<Option<Outcome>, String> {
    let library = Library::embedded();
    let options = RunOptions { jobs: 1, stop };
    let how = RunPart { library: &library, store: None, options, progress: &|_| (), tell: &|_| () };
    run_part(&experiment.parts[0], &how).map_err(|error| error.to_string())
}
