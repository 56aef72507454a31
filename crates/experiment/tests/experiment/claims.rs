//! Verdicts: what intervals support, what cannot be told, and claims about several figures.

use experiment::{Experiment, Outcome, Outcomes, Variant, Verdict, judge, report};

use super::experiments::{SMALL, parse, run};

/// An experiment about the answer to a question, and that answer.
fn told(figures: &str, json: serde_json::Value) -> (Experiment, Outcomes) {
    let text = format!(
        "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\nkind = \"solve\"\ngame = \"nim\"\n{figures}"
    );
    (parse(&text, Variant::Full).unwrap(), vec![Some(Outcome::Json(json))])
}

fn verdicts(experiment: &Experiment, outcomes: &Outcomes) -> Vec<Verdict> {
    judge(experiment, outcomes).iter().map(|found| found.verdict).collect()
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
    let judged = judge(&experiment, &outcomes);
    assert!(!judged[0].expected && judged[1].expected, "nobody foresaw that it cannot be told");
    let page = report(&experiment, &outcomes).markdown();
    assert!(
        page.contains("| at least 90 | 93 (88.500 to 96.100) | 200 | – | **cannot be told** |"),
        "{page}"
    );
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
    let judged = judge(&experiment, &outcomes);
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
fn figures_are_counted_by_where_they_come_from() {
    let json = serde_json::json!({ "a": 3 });
    let keys =
        ["value = 3", "value = 4", "value = 3\norigin = \"derived\"", "at_most = 9\norigin = \"wanted\""];
    let figures: String = keys.iter().map(|keys| figure("/a", keys)).collect();
    let (experiment, outcomes) = told(&figures, json);
    let page = report(&experiment, &outcomes).markdown();
    let said = "1 of 2 published figures agree with ours, 1 differs; 1 of 1 derived ones agree\nwith ours; 1 of 1 that are wanted are met.";
    assert!(page.contains(said), "{page}");
    assert!(
        page.contains("| published or derived or wanted |") && page.contains("| wanted: at most 9 |"),
        "{page}"
    );
}

#[test]
fn agreement_tells_how_large_a_difference_could_have_been_found() {
    let mean = serde_json::json!({ "a": { "value": 50.5, "error": 1.0, "count": 100 } });
    let (experiment, outcomes) = told(&figure("/a", "value = 50"), mean);
    let judged = judge(&experiment, &outcomes);
    // 2.576 and 0.842 standard errors.
    assert_eq!((judged[0].verdict, judged[0].could_show.as_deref()), (Verdict::Agrees, Some("3.4")));
    assert!(report(&experiment, &outcomes).markdown().contains("| could show | verdict |"));
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
    judge(&experiment, &outcomes).last().unwrap().verdict
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
fn equal_is_what_is_within_a_margin_or_not_clearly_different() {
    let near = [(50.0, 0.5), (51.0, 0.5)];
    let far = [(97.4, 0.5), (100.0, 0.1)];
    assert_eq!(verdict_of(&near, "says = \"equal\"\nmargin = 5"), Verdict::Agrees);
    assert_eq!(verdict_of(&near, "says = \"equal\"\nmargin = 2"), Verdict::Unclear);
    assert_eq!(verdict_of(&far, "says = \"equal\"\nmargin = 2"), Verdict::Differs);
    assert_eq!(verdict_of(&far, "says = \"equal\""), Verdict::Differs);
    assert_eq!(verdict_of(&near, "says = \"equal\""), Verdict::Agrees);
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
    assert_eq!(judge(&experiment, &outcomes)[2].verdict, Verdict::Agrees);
    // Random always sits first, so that nothing can be said of the players by who wins.
    let page = report(&experiment, &outcomes).markdown();
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
    let judged = judge(&experiment, &run(&experiment));
    assert!(judged[2..].iter().all(|found| found.verdict == Verdict::Agrees), "{:#?}", &judged[2..]);
    assert_eq!(judged[4].matches, 5000);
}
