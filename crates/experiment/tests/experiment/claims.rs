//! Verdicts: what intervals support, what cannot be told, and claims about several figures.

use experiment::{Experiment, Foresight, Outcome, Outcomes, Variant, Verdict, judge, report};

use super::experiments::{SMALL, parse, run};

/// An experiment about the answer to a question, and that answer.
fn told(figures: &str, json: serde_json::Value) -> (Experiment, Outcomes) {
    let text = format!(
        "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\nkind = \"solve\"\ngame = \"nim\"\n{figures}"
    );
    (parse(&text, Variant::Full).unwrap(), vec![Some(Outcome::Json(json))])
}

fn verdicts(experiment: &Experiment, outcomes: &Outcomes) -> Vec<Verdict> {
    judge(experiment, outcomes, &Foresight::unknown()).iter().map(|found| found.verdict).collect()
}

fn figure(pointer: &str, keys: &str) -> String {
    format!("[[figure]]\nlabel = \"f\"\npart = \"a\"\npointer = \"{pointer}\"\n{keys}\n")
}

#[test]
fn a_bound_is_kept_only_by_the_whole_interval() {
    let json = serde_json::json!({ "a": { "value": 93.0, "low": 88.5, "high": 96.1, "count": 200 } });
    let bounds = ["at_least = 90", "at_least = 88", "at_least = 97", "at_most = 97", "at_most = 90"];
    let figures: String = bounds.iter().map(|bound| figure("/a", bound)).collect();
    let (experiment, outcomes) = told(&figures, json);
    use Verdict::{Agrees, Differs, Unclear};
    assert_eq!(verdicts(&experiment, &outcomes), [Unclear, Agrees, Differs, Agrees, Unclear]);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    assert!(!judged[0].expected && judged[1].expected, "nobody foresaw that it cannot be told");
    let page = report(&experiment, &outcomes, &Foresight::unknown()).markdown();
    assert!(page.contains("| at least 90 | 93 (88.500 to 96.100) | 200 | **cannot be told** |"), "{page}");
    assert!(
        page.contains("2 of 5 published figures agree with ours, 1 differs, 2 cannot be told."),
        "{page}"
    );
}

#[test]
fn what_is_exact_is_shown_as_exact_and_what_is_estimated_with_its_interval() {
    let exact = |value: f64| serde_json::json!({ "kind": "exact", "value": value });
    let range = |value: f64, low: f64, high: f64| {
        let count = 32;
        serde_json::json!({ "kind": "estimated", "value": value, "low": low, "high": high, "count": count })
    };
    let json = serde_json::json!({
        "a": exact(11.458_333), "b": exact(0.005), "c": range(6.5, 5.5, 8.0), "d": range(1.0, 0.5, 1.75)
    });
    let named = |id: &str| figure(&format!("/{id}"), &format!("id = \"{id}\""));
    let falls = |of: &str| format!("[[claim]]\nlabel = \"l\"\nof = {of}\nsays = \"falls\"\n");
    let figures: String = ["a", "b", "c", "d"].map(named).concat() + &falls("[\"a\", \"b\"]");
    let (experiment, outcomes) = told(&(figures + &falls("[\"c\", \"d\"]")), json);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    let ours: Vec<&str> = judged.iter().map(|found| found.ours.as_str()).collect();
    assert_eq!(ours[..4], ["11.458 (exact)", "0.005 (exact)", "6.500 (5.500 to 8)", "1 (0.500 to 1.750)"]);
    assert_eq!(ours[4], "11.458, 0.005: -11.5 (exact)");
    assert!(ours[5].starts_with("6.500, 1: -5.50 (-"), "{}", ours[5]);
    assert!(judged[4..].iter().all(|found| found.verdict == Verdict::Agrees), "{judged:?}");
    assert_eq!((judged[4].p, judged[5].p.is_some()), (None, true));
}

#[test]
fn what_something_is_about_is_judged_by_the_whole_interval() {
    let json = serde_json::json!({ "a": { "value": 47.0, "low": 42.0, "high": 52.0, "count": 200 } });
    let abouts = [(50, 10), (50, 5), (70, 10)];
    let figures: String = abouts
        .iter()
        .map(|(value, margin)| figure("/a", &format!("value = {value}\nmargin = {margin}")))
        .collect();
    let (experiment, outcomes) = told(&figures, json);
    assert_eq!(verdicts(&experiment, &outcomes), [Verdict::Agrees, Verdict::Unclear, Verdict::Differs]);
}

#[test]
fn only_what_was_published_makes_the_headline() {
    let json = serde_json::json!({ "a": 3 });
    let keys = [
        "value = 3",
        "value = 4",
        "value = 5\nexpect = \"either\"\nwhy = \"another player\"",
        "value = 3\norigin = \"derived\"",
        "at_most = 9\norigin = \"claim\"",
        "value = 3\norigin = \"fitted\"",
    ];
    let figures: String = keys.iter().map(|keys| figure("/a", keys)).collect();
    let (experiment, outcomes) = told(&figures, json);
    let page = report(&experiment, &outcomes, &Foresight::unknown()).markdown();
    let said = "1 of 3 published figures agree with ours, 2 differ (1 of them for reasons given below); \
        nothing was claimed of 1 of them. \
        Counted apart from what was published: 1 of 1 derived figures agree with ours. \
        1 of 1 claims of our own hold. 1 of 1 fitted figures match, which could not fail. ";
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(said), "{page}");
    assert!(page.contains("| published or derived or claim or fitted |"), "{page}");
    assert!(page.contains("| claim: at most 9 |") && page.contains("| fitted, no agreement |"), "{page}");
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    assert!(judged[5].verdict == Verdict::Fitted && judged[5].expected);
}

#[test]
fn a_test_that_could_hardly_fail_tells_nothing() {
    let mean = |error: f64| serde_json::json!({ "a": { "value": 50.5, "error": error, "count": 100 } });
    let (experiment, outcomes) = told(&figure("/a", "value = 50"), mean(10.0));
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    assert_eq!((judged[0].verdict, judged[0].could_show.as_deref()), (Verdict::Unclear, Some("34")));
    let (experiment, outcomes) = told(&figure("/a", "value = 50"), mean(1.4));
    assert_eq!(verdicts(&experiment, &outcomes), [Verdict::Agrees], "4.8 is less than a tenth of 50");
    let (experiment, outcomes) = told(&figure("/a", "value = 50"), mean(1.5));
    assert_eq!(verdicts(&experiment, &outcomes), [Verdict::Unclear]);
}

/// Published counts of a random player against itself, beside some of our matches.
fn counted(matches: u64, counts: &str) -> Verdict {
    let text = format!(
        "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\ngames = [\"tic_tac_toe\"]\n\
         players = [\"random\"]\nself_play = true\nmatches = {matches}\n\
         [[figure]]\nlabel = \"f\"\npart = \"a\"\ncounts = {counts}\n"
    );
    let experiment = parse(&text, Variant::Full).unwrap();
    judge(&experiment, &run(&experiment), &Foresight::unknown())[0].verdict
}

#[test]
fn ten_published_matches_agree_with_nothing_unless_a_wide_margin_says_so() {
    assert_eq!(counted(1000, "[6, 1, 3]"), Verdict::Unclear);
    assert_eq!(counted(1000, "[6, 1, 3]\nmargin = 0.6"), Verdict::Agrees);
    assert_eq!(counted(1000, "[585, 127, 288]"), Verdict::Agrees);
}

#[test]
fn the_level_of_a_test_is_the_one_that_the_others_leave_to_it() {
    let mean = |value: f64| serde_json::json!({ "value": value, "error": 1.0, "count": 100 });
    let json = serde_json::json!({ "a": mean(50.0), "b": mean(90.0), "c": mean(52.2) });
    let figures = ["/a", "/b", "/c"].map(|at| figure(at, "value = 50")).concat();
    let (experiment, outcomes) = told(&figures, json);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    // One of three is significant, so the level of the others is 0.005: 2.807 and 0.842 standard errors.
    assert_eq!(judged[0].could_show.as_deref(), Some("3.6"));
    let [raw, corrected] = [judged[2].raw_p.unwrap(), judged[2].p.unwrap()];
    assert!((raw - 0.0278).abs() < 1e-4 && (corrected - 0.0556).abs() < 1e-4, "{raw} {corrected}");
    let page = report(&experiment, &outcomes, &Foresight::unknown()).markdown();
    assert!(page.contains("| p | corrected p |") && page.contains("| 0.0278 | 0.0556 |"), "{page}");
}

#[test]
fn agreement_tells_how_large_a_difference_could_have_been_found() {
    let mean = serde_json::json!({ "a": { "value": 50.5, "error": 1.0, "count": 100 } });
    let (experiment, outcomes) = told(&figure("/a", "value = 50"), mean);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    // 2.576 and 0.842 standard errors.
    assert_eq!((judged[0].verdict, judged[0].could_show.as_deref()), (Verdict::Agrees, Some("3.4")));
    assert!(
        report(&experiment, &outcomes, &Foresight::unknown()).markdown().contains("| could show | verdict |")
    );
}

/// Figures `a`, `b`, … at `/0`, `/1`, …, and a claim about all of them.
fn claimed(count: usize, claim: &str) -> String {
    let ids: Vec<String> = (0..count).map(|at| char::from(b'a' + at as u8).to_string()).collect();
    let figures: String =
        ids.iter().enumerate().map(|(at, id)| figure(&format!("/{at}"), &format!("id = \"{id}\""))).collect();
    let list = ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(", ");
    format!("{figures}[[claim]]\nlabel = \"c\"\nof = [{list}]\n{claim}\n")
}

/// The verdict of a claim about means with these standard errors.
fn verdict_of(means: &[(f64, f64)], claim: &str) -> Verdict {
    let mean =
        |(value, error): &(f64, f64)| serde_json::json!({ "value": value, "error": error, "count": 100 });
    let json = serde_json::Value::Array(means.iter().map(mean).collect());
    let (experiment, outcomes) = told(&claimed(means.len(), claim), json);
    judge(&experiment, &outcomes, &Foresight::unknown()).last().unwrap().verdict
}

#[test]
fn a_direction_is_shown_by_a_test_or_cannot_be_told() {
    let rising = [(1.0, 0.5), (3.0, 0.5), (2.9, 0.5), (6.0, 0.5)];
    assert_eq!(verdict_of(&rising, "says = \"rises\""), Verdict::Agrees, "on the whole");
    assert_eq!(verdict_of(&rising, "says = \"falls\""), Verdict::Differs);
    assert_eq!(verdict_of(&rising.map(|(mean, _)| (mean, 9.0)), "says = \"rises\""), Verdict::Unclear);
    assert_eq!(verdict_of(&[(2.0, 0.0), (1.0, 0.0)], "says = \"falls\""), Verdict::Agrees, "exact numbers");
}

#[test]
fn equal_is_what_is_within_a_margin() {
    let near = [(50.0, 0.5), (51.0, 0.5)];
    let far = [(97.4, 0.5), (100.0, 0.1)];
    assert_eq!(verdict_of(&near, "says = \"equal\"\nmargin = 5"), Verdict::Agrees);
    assert_eq!(verdict_of(&near, "says = \"equal\"\nmargin = 2"), Verdict::Unclear);
    assert_eq!(verdict_of(&far, "says = \"equal\"\nmargin = 2"), Verdict::Differs);
}

#[test]
fn without_a_margin_equal_needs_enough_matches_to_tell_ten_points() {
    let verdict = |matches: u64| {
        let figure = |id: &str, lineup: &str| {
            format!(
                "[[figure]]\nlabel = \"f\"\npart = \"a\"\nlineup = {lineup}\nmeasure = \"score\"\nid = \"{id}\"\n"
            )
        };
        let text = format!(
            "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\ngames = [\"tic_tac_toe\"]\n\
             players = [{{ name = \"a\", player = \"random\" }}, {{ name = \"b\", player = \"random\" }}]\n\
             lineups = [[\"a\", \"b\"], [\"b\", \"a\"]]\nmatches = {matches}\n{}{}\
             [[claim]]\nlabel = \"c\"\nof = [\"one\", \"two\"]\nsays = \"equal\"\n",
            figure("one", "[\"a\", \"b\"]"),
            figure("two", "[\"b\", \"a\"]"),
        );
        let experiment = parse(&text, Variant::Full).unwrap();
        judge(&experiment, &run(&experiment), &Foresight::unknown())[2].verdict
    };
    assert_eq!((verdict(50), verdict(2000)), (Verdict::Unclear, Verdict::Agrees));
}

#[test]
fn a_ratio_keeps_its_bound_with_its_interval() {
    let states = [(100.0, 1.0), (850.0, 10.0)];
    assert_eq!(verdict_of(&states, "says = \"ratio\"\nat_least = 2"), Verdict::Agrees);
    assert_eq!(verdict_of(&states, "says = \"ratio\"\nat_least = 9"), Verdict::Differs);
    assert_eq!(verdict_of(&states, "says = \"ratio\"\nat_most = 8.5"), Verdict::Unclear);
}

#[test]
fn the_same_seat_is_compared_across_lineups() {
    let text = "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\ngames = [\"tic_tac_toe\"]\n\
         players = [\"random\", \"lookahead\"]\nlineups = [[\"random\", \"random\"], [\"random\", \"lookahead\"]]\nmatches = 200\n\
         [[figure]]\nlabel = \"x\"\npart = \"a\"\nlineup = [\"random\", \"random\"]\nrole = \"o\"\nmeasure = \"score\"\nid = \"base\"\n\
         [[figure]]\nlabel = \"y\"\npart = \"a\"\nlineup = [\"random\", \"lookahead\"]\nrole = \"o\"\nmeasure = \"score\"\nid = \"other\"\n\
         [[claim]]\nlabel = \"c\"\nof = [\"base\", \"other\"]\nsays = \"rises\"\n";
    let experiment = parse(text, Variant::Full).unwrap();
    let outcomes = run(&experiment);
    assert_eq!(judge(&experiment, &outcomes, &Foresight::unknown())[2].verdict, Verdict::Agrees);
    // Random always sits first, so that nothing can be said of the players by who wins.
    let page = report(&experiment, &outcomes, &Foresight::unknown()).markdown();
    assert!(page.contains("Neither tested nor rated: random against lookahead."), "{page}");
    assert!(!page.contains("| random against lookahead |") && !page.contains("Ratings"), "{page}");
}

#[test]
fn lengths_have_ends_and_quantiles() {
    let playouts = "[[part]]\nname = \"p\"\nkind = \"playouts\"\ngame = \"tic_tac_toe\"\nplayouts = 5000\n";
    let figure = |part: &str, keys: &str| format!("[[figure]]\nlabel = \"f\"\npart = \"{part}\"\n{keys}\n");
    let mut text = format!("{SMALL}{playouts}");
    for part in ["a", "p"] {
        text += &figure(part, "measure = \"shortest\"\nvalue = 5");
        text += &figure(part, "measure = \"longest\"\nvalue = 9");
    }
    text += &figure("p", "measure = \"quantile\"\nquantile = 0.5\nvalue = 8");
    text += &figure("p", "measure = \"length\"\nvalue = 7.6261904762");
    let experiment = parse(&text, Variant::Full).unwrap();
    let judged = judge(&experiment, &run(&experiment), &Foresight::unknown());
    assert!(judged[2..].iter().all(|found| found.verdict == Verdict::Agrees), "{:#?}", &judged[2..]);
    assert_eq!(judged[4].matches, 5000);
}
