//! Small grammars whose state spaces can be counted by hand.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod sketch;

use graph::{Explorer, Grammar, Options};
use sketch::{bundle, counts};

fn check(
    start: &str,
    rules: &[(&str, &str)],
    control: &str,
    settings: &str,
    expected: (usize, usize, usize),
) {
    assert_eq!(counts(&bundle(start, rules, control, settings)).unwrap(), expected, "{rules:?} {control}");
}

#[test]
fn symmetric_states_are_one() {
    // Four lamps that are switched on one by one: only their number counts.
    let lamps = "a: flag:off\nb: flag:off\nc: flag:off\nd: flag:off";
    let switch = ("switch", "lamp: del:flag:off, new:flag:on");
    check(lamps, &[switch], "", "", (5, 4 + 3 + 2 + 1, 1));
    // Told apart by their nodes there are 2^4 states with 4·2^3 transitions.
    check(lamps, &[switch], "", "checkIsomorphism=false", (16, 32, 1));
    // On a ring of four the necklaces of two colours: 6, of which one is final.
    let ring = format!("{lamps}\na -next-> b\nb -next-> c\nc -next-> d\nd -next-> a");
    check(&ring, &[switch], "", "", (6, 4 + 3 + 4 + 1, 1));
}

#[test]
fn tokens_move_on_a_path() {
    // Two tokens on a path of four cells, moving right to free cells: pairs of positions.
    let path = "a: flag:token\nb: flag:token\na -next-> b\nb -next-> c\nc -next-> d";
    let step = ("step", "from: del:flag:token\nto: not:flag:token, new:flag:token\nfrom -next-> to");
    check(path, &[step], "", "", (6, 6, 1));
}

#[test]
fn quantified_rules_apply_everywhere_at_once() {
    let start = "a: flag:x\nb: flag:x\nc: flag:x\nm: flag:go";
    let all = ("all", "q: forall:\nn: del:flag:x\nn -at-> q\nm: del:flag:go");
    check(start, &[all], "", "", (2, 1, 1));
    let none = ("all", "q: forallx:\nn: del:flag:y\nn -at-> q\nm: del:flag:go");
    check(start, &[none], "", "", (1, 0, 1));
    // For every one, one of two: one transition for each combination.
    let start = "a: flag:x\nb: flag:x\na -to-> c\na -to-> d\nb -to-> c\nb -to-> d\nm: flag:go";
    let each = (
        "all",
        "m: del:flag:go\nq: forall:\nn: flag:x\nn -at-> q\ne: exists:\ne -in-> q\nt:\nt -at-> e\nn -del:to-> t",
    );
    check(start, &[each], "", "", (3, 4, 2));
}

#[test]
fn counts_and_attributes_are_compared() {
    let start = "a: let:size=1";
    let grow = ("grow", "a: test:size<4, let:size=size+1");
    check(start, &[grow], "", "", (4, 3, 1));
    let three = ("three", "q: forall:\nn: flag:x\nn -at-> q\nc: int:3\nq -count-> c");
    let start = "a: flag:x\nb: flag:x";
    let more = (
        "more",
        "n: new:\nn: new:flag:x\nz: flag:x\nq: forall:\nm: flag:x\nm -at-> q\nc: int:\nq -count-> c\nd: int:4\np: prod:\np -arg:0-> c\np -arg:1-> d\nt: bool:true\np -int:lt-> t",
    );
    check(start, &[three, more], "", "", (3, 3, 1));
}

#[test]
fn control_says_what_comes_when() {
    let start = "n: flag:a, flag:b, flag:c";
    let rules =
        [("a", "n: del:flag:a"), ("b", "n: del:flag:b"), ("c", "n: del:flag:c"), ("z", "n: del:flag:z")];
    for (control, expected) in [
        ("", (8, 12, 1)),
        ("a; b; c;", (4, 3, 1)),
        ("a | b;", (3, 2, 2)),
        ("choice a; or { b; c; }", (4, 3, 2)),
        ("if (a) b; else c;", (3, 2, 1)),
        ("if (z) b; else c;", (2, 1, 1)),
        ("while (a) b;", (3, 2, 1)),
        ("until (c) a;", (2, 1, 1)),
        ("a*;", (2, 1, 2)),
        ("a+;", (2, 1, 1)),
        ("alap any;", (8, 12, 1)),
        ("do a; while (b)", (3, 2, 0)),
        ("try <a; z;> else b;", (2, 1, 1)),
        ("function f() { a; b; } f; c;", (4, 3, 1)),
        ("recipe r() { a; b; } r; c;", (3, 2, 1)),
        ("recipe r() { a; z; } try r; else c;", (2, 1, 1)),
        ("a; halt", (2, 1, 0)),
        ("b; other;", (4, 3, 2)),
    ] {
        check(start, &rules, control, "", expected);
    }
}

#[test]
fn variables_carry_nodes_and_values() {
    let start = "a: flag:x\nb: flag:x\nc: flag:x";
    let rules = [("pick", "n: par:0, del:flag:x, new:flag:y"), ("mark", "n: par:0, new:flag:z")];
    // The node that was picked is marked, and no other.
    check(start, &rules, "node n; pick(out n); mark(n);", "", (3, 2 + 2, 1));
    let values = [("set", "n: parin:0, int:\nz: flag:x\nz -new:v-> n")];
    check("z: flag:x", &values, "set(1+2); set(4);", "", (3, 2, 1));
}

#[test]
fn paths_wildcards_and_forbidden_patterns() {
    let chain = "a: flag:first\na -next-> b\nb -next-> c\nc -next-> d";
    check(
        chain,
        &[("end", "f: flag:first\ne: new:flag:end\nf -next+-> e\nx: not:\ne -next-> x\ne: not:flag:end")],
        "",
        "",
        (2, 1, 1),
    );
    check(chain, &[("any", "f: flag:first\nf -del:?-> e")], "", "", (2, 1, 1));
    check(chain, &[("copy", "f: del:flag:first\nf -?x-> e\ne -new:?x-> f")], "", "", (2, 1, 1));
    // A node is joined with another.
    check(
        "a: flag:x\nb: flag:x",
        &[("join", "a: flag:x\nb: flag:x\na -!=-> b\na -new:=-> b")],
        "",
        "",
        (2, 2, 1),
    );
    // Erasing a node takes its edges along, unless that is forbidden.
    let erase = [("erase", "f: flag:first, del:")];
    check(chain, &erase, "", "", (2, 1, 1));
    check(chain, &erase, "", "checkDangling=true", (1, 0, 1));
}

#[test]
fn types_match_their_subtypes() {
    let mut grammar = bundle(
        "a: type:Dog\nb: type:Cat",
        &[("pet", "n: type:Animal, not:flag:seen, new:flag:seen")],
        "",
        "typeGraph=type",
    );
    let types = "d: type:Dog\nc: type:Cat\nn: type:Animal, abs:\nd -sub:-> n\nc -sub:-> n";
    grammar.files.insert("type.gty".to_string(), sketch::gxl(types, &[]));
    assert_eq!(counts(&grammar).unwrap(), (4, 4, 1));
    grammar.files.insert("start.gst".to_string(), sketch::gxl("a: type:Bird", &[]));
    let error = counts(&grammar).unwrap_err().to_string();
    assert_eq!(error, "start.gst, node a, label `type:Bird`: the type graph has no such type.");
}

#[test]
fn what_is_not_supported_is_refused_with_its_place() {
    for (rules, control, message) in [
        (("r", "n: ask:0"), "", "r.gpr, node n, label `ask:0`"),
        (("r", "n: frob:0"), "", "r.gpr, node n, label `frob:0`"),
        (("r", "n: new:type:A"), "", "r.gpr, node n, label `new:type:A`"),
        (("r", "n: let:a=b+"), "", "r.gpr, node n, label `let:a=b+`"),
        (("r", "n: del:flag:a"), "r; nothing;", "control.gcp, line 1"),
        (("r", "n: parin:0"), "", "control program: `r` has input parameters"),
        (("r", "n: flag:a\nn -new:x-> v\nv: int:"), "", "r.gpr, node v"),
    ] {
        let error = counts(&bundle("n: flag:a", &[rules], control, "")).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn broken_rules_of_a_grammar_mark_or_remove_states() {
    let start = "n: flag:a, flag:b";
    let rules = [("a", "n: del:flag:a"), ("b", "n: del:flag:b")];
    let mut grammar = bundle(start, &rules, "", "");
    let none_left = sketch::gxl("n: not:flag:a, not:flag:b", &[("actionRole", "forbidden")]);
    grammar.files.insert("empty.gpr".to_string(), none_left);
    assert_eq!(counts(&grammar).unwrap(), (4, 4, 0));
    let settings = grammar.files["system.properties"].clone() + "\nactionPolicy=empty\\:remove\n";
    grammar.files.insert("system.properties".to_string(), settings);
    assert_eq!(counts(&grammar).unwrap(), (3, 2, 2));
}

#[test]
fn exploration_stops_at_its_limit() {
    let grow = bundle("n: flag:x", &[("grow", "n: flag:x\nm: new:\nn -new:to-> m")], "", "");
    let grammar = Grammar::new(&grow, None).unwrap();
    for depth_first in [false, true] {
        let options = Options { limit: 50, depth_first, ..Options::default() };
        let mut explorer = Explorer::new(&grammar, options).unwrap();
        explorer.run().unwrap();
        assert!(explorer.limited && !explorer.full && explorer.states.len() == 50);
        let options = Options { memory: 100_000, depth_first, ..Options::default() };
        let mut explorer = Explorer::new(&grammar, options).unwrap();
        explorer.run().unwrap();
        assert!(explorer.limited && explorer.full && explorer.states.len() < 500);
    }
}
