//! What is counted for whom, and which tests a report makes of it.

use std::collections::BTreeMap;

use tournament::{Cause, EloScale, Keep, MatchResult, Quiet, Results, SequentialTest, Standings, run};

use super::{options, read};

fn report(ready: &tournament::Ready, results: &Results) -> String {
    let files = tournament::report::bundle(ready.plan(), results);
    // Sentences in one piece, however lines are broken.
    let page = files.into_iter().find(|(name, _)| name == "report.md").unwrap().1;
    page.replace('\n', " ")
}

#[test]
fn matches_against_oneself_count_for_roles_and_not_for_players() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 20\nself_play = true\nseed = 3\n";
    let ready = read(spec).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let all = Standings::of(ready.plan(), &results.matches);
    let others = results.matches.iter().filter(|result| result.players[0] != result.players[1]);
    let others = Standings::of(ready.plan(), others);
    assert_eq!((all.matches, others.matches), (60, 20));
    assert_eq!(all.players, others.players);
    assert!(all.players.iter().all(|row| row.tally.games == 20));
    assert!(all.seats.iter().all(|row| row.tally.games == 60));
    let own = all.pairs.iter().filter(|pair| pair.player == pair.against);
    assert!(own.map(|pair| pair.tally.games).eq([20, 20]));
    let page = report(&ready, &results);
    assert!(page.contains("Matches of a player against itself count for the roles"), "{page}");

    // Where everybody plays against itself there is nothing to say of players.
    let ready = read(&spec.replace("\"lookahead\", ", "")).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let page = report(&ready, &results);
    assert!(page.contains("tic_tac_toe: x | 20") && !page.contains("| random |"), "{page}");
}

#[test]
fn a_report_names_those_whose_moves_were_replaced() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 4\nseed = 3\n";
    let ready = read(spec).unwrap();
    let mut results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    assert!(results.matches.iter().all(|result| result.replaced_by_seat.is_empty()));
    assert!(!report(&ready, &results).contains("The referee had to make"));
    let late = |result: &mut MatchResult, seat: usize, moves: u64| {
        result.replaced = moves;
        result.replaced_by_seat = vec![0; 2];
        result.replaced_by_seat[seat] = moves;
        result.causes = vec![BTreeMap::new(); 2];
        result.causes[seat] = BTreeMap::from([(Cause::Late, 1), (Cause::Illegal, moves - 1)]);
    };
    let seat = |result: &MatchResult| result.players.iter().position(|name| name == "random").unwrap();
    for at in 0..2 {
        let random = seat(&results.matches[at]);
        late(&mut results.matches[at], random, 2);
    }
    let page = report(&ready, &results);
    let told = "The referee had to make 4 moves for a player: 2 for random as x (1: no answer in time; 1: not a legal move), 2 for random as o (1: no answer in time; 1: not a legal move).";
    assert!(page.contains(told), "{page}");
    let standings = Standings::of(ready.plan(), &results.matches);
    assert_eq!(standings.players.iter().map(|row| row.replaced).collect::<Vec<u64>>(), [0, 4]);
}

#[test]
fn a_sequential_test_is_the_only_test_of_its_report() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 400\nseed = 4\n";
    let fixed = read(&spec.replace("400", "40")).unwrap();
    let results = run(&fixed, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let page = report(&fixed, &results);
    assert!(page.contains("## Tests") && page.contains("With 40 matches of a pair"), "{page}");
    assert!(!page.contains("Sequential"), "{page}");

    let ready = read(&format!("{spec}sprt = {{ elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.1 }}\n")).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let page = report(&ready, &results);
    for part in [
        "## Sequential test",
        "Sequential probability ratio test",
        "lookahead is stronger than random by at most 0 Elo",
        "by at least 50 Elo",
        "with probability 0.05, the first with probability 0.1",
        "log-likelihood ratio",
        "-2.25 and 2.89",
        "the second hypothesis",
        "**lookahead is stronger than random: by at least 50 Elo rather than at most 0.**",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("## Tests") && !page.contains("matches of a pair"), "{page}");
    let json = tournament::report::bundle(ready.plan(), &results);
    let json = json.iter().find(|(name, _)| name == "report.json").unwrap();
    let json: serde_json::Value = serde_json::from_str(&json.1).unwrap();
    assert_eq!(json["sequential"]["decision"], "stronger");
    assert_eq!(json["sequential"]["matches"].as_u64(), Some(results.matches.len() as u64));
    assert!(json["tests"].as_array().unwrap().is_empty() && json["power"].is_null());
    let pairs = &json["sequential"]["pairs"];
    let played: u64 = pairs.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(2 * played, results.matches.len() as u64, "matches come in pairs: {pairs}");
    assert!(page.contains("of pairs of matches with exchanged seats"), "{page}");
    let some = Results { matches: results.matches[..2].to_vec(), complete: false };
    assert!(report(&ready, &some).contains("It is not clear yet whether lookahead is stronger than random"));
}

#[test]
fn a_sequential_test_with_fixed_seats_looks_at_single_matches_and_may_be_normalised() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 400\nseed = 4\nseatings = \"fixed\"\nsprt = { elo0 = 0, elo1 = 50, scale = \"normalised\" }\n";
    let ready = read(spec).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let test = SequentialTest::of(ready.plan(), &results.matches).unwrap();
    assert_eq!((test.decision, test.pairs.as_ref(), test.scale), ("stronger", None, EloScale::Normalised));
    let page = report(&ready, &results);
    assert!(page.contains("of single matches") && page.contains("by at least 50 normalised Elo"), "{page}");
    let logistic = read(&spec.replace("normalised", "logistic")).unwrap();
    assert_ne!(logistic.plan().digest(), ready.plan().digest());
    let usual = read(&spec.replace(", scale = \"normalised\"", "")).unwrap();
    assert_eq!(logistic.plan().digest(), usual.plan().digest(), "plans of before stay the same");
    let bad = read(&spec.replace("normalised", "linear")).err().unwrap().to_string();
    assert!(bad.contains("`scale` must be one of \"logistic\", \"normalised\"."), "{bad}");
}
