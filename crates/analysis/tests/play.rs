//! Traces, replays and trials over small sheets.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use analysis::trace::{Request, record};
use analysis::verify::{Report, verify};
use analysis::{Finding, Trial, trial};
use game::{AnyGame, Game, Seed};
use library::{Loaded, from_bytes};
use rules::Strictness;

const LAMPS: &str = "
    (role Keeper) (role random)
    (init (lamp 1 off)) (init (lamp 2 off)) (init (Lamp 1 2)) (init (step 0))
    (after 0 1) (after 1 2) (after 2 3)
    (<= (legal Keeper (switch ?n)) (true (lamp ?n off)))
    (<= (legal Keeper Wait) (true (step ?s)))
    (legal random heads) (legal random tails)
    (<= (next (lamp ?n on)) (does Keeper (switch ?n)))
    (<= (next (lamp ?n ?how)) (true (lamp ?n ?how)) (not (does Keeper (switch ?n))))
    (<= (next (Lamp 1 2)) (true (Lamp 1 2)))
    (<= (next (step ?t)) (true (step ?s)) (after ?s ?t))
    (<= (sees Keeper ?coin) (does random ?coin))
    (<= terminal (true (step 3)))
    (goal Keeper 100) (goal random 0)
";

fn load(text: &str) -> Loaded {
    let source =
        from_bytes("test".to_string(), "test.kif".to_string(), Some("kif"), text.as_bytes().to_vec());
    let loaded = Loaded::new(source, Strictness::Lenient);
    assert!(loaded.rules().is_some(), "{:?}", loaded.diagnostics());
    loaded
}

struct Trace(u64);

impl Trace {
    fn run(self, game: &AnyGame) -> String {
        let request =
            Request { game: "test".to_string(), playouts: self.0, seed: Seed(1), max_steps: 100, from: None };
        let mut text = Vec::new();
        record(game, &game.initial(), &request, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }
}

struct Replay<'a>(&'a Loaded, &'a str);

impl Replay<'_> {
    fn run(self, game: &AnyGame) -> Report {
        verify(game, self.0.sheet(), self.1, usize::MAX).unwrap()
    }
}

fn replay(text: &str) -> Report {
    let loaded = load(LAMPS);
    Replay(&loaded, text).run(&loaded.play("auto").unwrap().game)
}

fn lamps(playouts: u64) -> String {
    Trace(playouts).run(&load(LAMPS).play("auto").unwrap().game)
}

#[test]
fn a_trace_has_the_fields_in_their_order() {
    let text = lamps(1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0], r#"{"game":"test","roles":["Keeper","random"],"version":1}"#);
    let begin = r#"{"playout":0,"ply":0,"state":["(Lamp 1 2)","(lamp 1 off)","(lamp 2 off)","(step 0)"],"terminal":false,"legal":{"Keeper":["(switch 1)","(switch 2)","Wait"],"random":["heads","tails"]},"goals":null,"joint":["#;
    assert!(lines[1].starts_with(begin), "{}", lines[1]);
    assert!(lines[1].contains(r#","percepts":{"Keeper":["#), "{}", lines[1]);
    assert!(lines[4].ends_with(r#""goals":{"Keeper":100,"random":0},"joint":null}"#), "{}", lines[4]);
}

#[test]
fn traces_are_replayed_also_in_lower_case_and_with_gaps() {
    let text = lamps(5);
    assert_eq!(replay(&text), Report { states: 20, left_out: 0, difference: None });
    let lower = text.to_lowercase();
    assert_eq!(replay(&lower).difference, None);
    // After a gap the state is spelt as in the sheet; `lamp` and `Lamp` differ only by case, but were seen.
    let gap: Vec<&str> = lower.lines().enumerate().filter(|(n, _)| *n != 6).map(|(_, line)| line).collect();
    let report = replay(&gap.join("\n"));
    assert_eq!((report.difference, report.left_out + report.states), (None, 19));
}

#[test]
fn the_first_difference_is_told_as_sets() {
    let text = lamps(1);
    let wrong = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        replay(&text.replacen(from, to, 1)).difference.expect("it differs")
    };
    let found = wrong("\"Wait\"]", "\"Wait\",\"(switch 3)\"]");
    assert_eq!((found.line, found.what.as_str()), (2, "legal moves of Keeper"));
    assert_eq!((found.only_recorded, found.only_here), (vec!["(switch 3)".to_string()], vec![]));
    assert_eq!(wrong("(step 1)", "(step 2)").what, "state");
    assert_eq!(wrong("\"terminal\":true", "\"terminal\":false").what, "terminal");
    assert_eq!(wrong("\"Keeper\":100", "\"Keeper\":null").what, "goal of Keeper");
    assert_eq!(wrong("\"roles\":[\"Keeper\"", "\"roles\":[\"Other\"").what, "roles");
}

struct Try(u64);

impl Try {
    fn run(self, game: &AnyGame) -> Trial {
        trial(game, &game.initial(), self.0, 50, Seed(1), |_| ()).unwrap()
    }
}

fn findings(text: &str) -> Vec<(Finding, Vec<String>)> {
    let trial = Try(40).run(&load(text).play("auto").unwrap().game);
    trial.findings.into_iter().map(|example| (example.finding, example.roles)).collect()
}

#[test]
fn random_games_find_dead_ends_missing_goals_and_endless_games() {
    assert_eq!(findings(LAMPS), []);
    let end = "(role r) (init (at a)) (<= (legal r (go b)) (true (at a))) (<= (legal r (go c)) (true (at a)))
        (<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at b))) (goal r 100)";
    assert_eq!(findings(end), [(Finding::DeadEnd, vec!["r".to_string()])]);
    let double = format!(
        "{} (<= (goal r 0) (true (at b)))",
        end.replace("(true (at b))) (goal", "(true (at ?x)) (distinct ?x a)) (goal")
    );
    assert_eq!(findings(&double), [(Finding::SeveralGoals, vec!["r".to_string()])]);
    let none = end.replace("(true (at b))) (goal r 100)", "(true (at ?x)) (distinct ?x a)) (goal s 100)");
    assert_eq!(findings(&none), [(Finding::NoGoal, vec!["r".to_string()])]);
    // One role has no goal value, another has two, in the same state.
    let both = format!("{} (role s) (legal s noop) (goal s 0)", none);
    assert_eq!(
        findings(&both),
        [(Finding::NoGoal, vec!["r".to_string()]), (Finding::SeveralGoals, vec!["s".to_string()])]
    );
    let endless =
        "(role r) (init on) (legal r wait) (<= (next on) (true on)) (<= terminal (true off)) (goal r 100)";
    assert_eq!(findings(endless), [(Finding::Endless, vec![])]);
}
