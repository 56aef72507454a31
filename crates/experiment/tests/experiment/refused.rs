//! What experiments may not say, and the line they are told.

use experiment::{Experiment, Variant};
use library::Library;

use super::experiments::{SMALL, parse};

/// Line and text of the first complaint.
fn told(text: &str, variant: Variant) -> (usize, String) {
    let bad = parse(text, variant).err().expect("it is wrong");
    (bad.position(&bad.complaints[0]).0, bad.complaints[0].text.clone())
}

#[test]
fn wrong_experiments_are_refused_with_the_line_at_fault() {
    let cases = [
        ("part = \"a\"\nmeasure", "part = \"b\"\nmeasure", 22, "There is no part `b`."),
        ("why = \"it was made up\"", "", 17, "Unless ours is expected to agree, `why` must give the reason."),
        ("at_least = 0.5", "atleast = 0.5", 24, "`atleast` is not known here. Did you mean `at_least`?"),
        ("counts = [10, 10, 280]", "counts = [10, 280]", 16, "`counts` must be wins, draws and losses."),
        ("\"tic_tac_toe\"", "\"tic_tac\"", 7, "There is no game `tic_tac` in the library."),
        ("origin = \"claim\"", "origin = \"wished\"", 25, "`origin` must be one of"),
    ];
    for (from, to, line, begin) in cases {
        let (at, said) = told(&SMALL.replace(from, to), Variant::Full);
        assert!(at == line && said.starts_with(begin), "{to}: line {at}, {said}");
    }
    let quick = SMALL.replace("matches = 20 ", "matches = 0 ");
    let (at, said) = told(&quick, Variant::Quick);
    assert!(at == 11 && said.starts_with("`matches` must be a whole number from 1"), "line {at}, {said}");
}

#[test]
fn nobody_wins_where_nobody_is_there_to_beat() {
    let alone = SMALL
        .replace("\"tic_tac_toe\"", "\"number_guessing_4\"")
        .replace("[\"random\", \"lookahead\"]", "[\"random\"]")
        .replace("[[\"lookahead\", \"random\"]]", "[[\"random\"]]");
    let refused = "number_guessing_4 has no opponents; use measure = \"goal\".";
    assert_eq!(told(&alone, Variant::Full), (16, refused.to_string()));
    let goal = alone
        .replace("counts = [10, 10, 280]", "measure = \"goal\"\nvalue = 3")
        .replace("measure = \"wins\"\nat_least = 0.5", "measure = \"goal\"\nat_least = 1");
    assert!(parse(&goal, Variant::Full).is_ok());
}

#[test]
fn a_figure_is_compared_in_one_way_only() {
    let cases = [
        ("at_least = 0.5", "at_least = 0.5\nat_most = 0.9", 25, "`at_most` does not go with `at_least`"),
        ("at_least = 0.5", "value = 0.5\nat_least = 0.5", 25, "`at_least` does not go with `value`"),
        ("expect = \"differs\"", "value = 3\nexpect = \"differs\"", 17, "`value` does not go with `counts`"),
        ("expect = \"differs\"", "measure = \"wins\"\nexpect = \"differs\"", 17, "`measure` means nothing"),
        ("at_least = 0.5", "at_least = 0.5\nwithin = 0.1", 25, "`within` means nothing with `at_least`"),
        ("at_least = 0.5", "of = 10", 24, "`of` means nothing without a value"),
        (
            "at_least = 0.5",
            "value = 0.5\nmargin = 0.1\nwithin = 0.1",
            26,
            "`within` does not go with `margin`",
        ),
        ("measure = \"wins\"", "measure = \"wins\"\npointer = \"/a\"", 24, "`pointer` does not go with"),
        ("at_least = 0.5", "at_least = 50", 24, "`at_least` must be a number from 0 to 1"),
        ("at_least = 0.5", "value = 1.2", 24, "`value` must be a number from 0 to 1"),
        ("counts = [10, 10, 280]", "shares = [0.5, 0.4, 0.4]", 16, "`shares` must add up to 1"),
        ("measure = \"wins\"", "measure = \"quantile\"", 20, "`quantile` is missing"),
    ];
    for (from, to, line, begin) in cases {
        let (at, said) = told(&SMALL.replace(from, to), Variant::Full);
        assert!(at == line && said.starts_with(begin), "{to}: line {at}, {said}");
    }
}

#[test]
fn names_must_be_known_and_stand_once() {
    let twice = SMALL.replace("counts = [", "id = \"one\"\ncounts = [") + "id = \"one\"\n";
    let (at, said) = told(&twice, Variant::Full);
    assert!(at == 27 && said == "There are two figures or claims `one`.", "line {at}, {said}");
    let part = "[[part]]\nname = \"b\"\nkind = \"playouts\"\ngame = \"tic_tac_toe\"\nplayouts = 10\n";
    let (at, said) = told(&format!("{SMALL}{part}reasoner = \"circus\"\n"), Variant::Full);
    assert!(at == 31 && said.starts_with("There is no reasoner `circus`."), "line {at}, {said}");
    let turns = "[[part]]\nname = \"b\"\nkind = \"turns\"\ngames = [\"tic_tac_toe\"]\nturns = [1]\n";
    let (at, said) = told(&format!("{SMALL}{turns}reasoners = [\"prover\", \"poof\"]\n"), Variant::Full);
    assert!(at == 31 && said.starts_with("There is no reasoner `poof`."), "line {at}, {said}");
}

#[test]
fn calls_are_refused_with_the_line_at_fault() {
    let cases = [
        (
            "kind = \"command\"\nrun = [\"solve\", \"nim\"]",
            28,
            "Commands are written as keys: kind = \"solve\"",
        ),
        ("kind = \"solved\"", 28, "`kind` must be one of"),
        ("kind = \"solve\"\ngame = \"nimm\"", 29, "There is no game `nimm` in the library."),
        ("kind = \"solve\"\ngame = \"nim\"\nset = 3", 30, "`set` is not known here. Did you mean `sets`?"),
        ("kind = \"solve\"\ngame = \"nim\"\nsets = -3", 30, "`sets` must be a whole number of at least 0."),
        ("kind = \"ask\"\ngame = \"kuhn_poker\"", 26, "`player` is missing"),
        ("kind = \"ask\"\ngame = \"kuhn_poker\"\nplayer = \"nobody\"", 30, "There is no player `nobody`."),
        (
            "kind = \"exploit\"\ngame = \"kuhn_poker\"\nplayer = \"oos(playouts=9)\"\nplayouts = [9]",
            30,
            "`oos(playouts=9)` already has playouts",
        ),
        ("kind = \"sample\"\ntest = [2]", 29, "`test` means nothing without `role`."),
        ("kind = \"possible\"\ngame = \"kuhn_poker\"", 26, "`role` is missing"),
        ("kind = \"match\"\ngame = \"nim\"\nplayers = [\"random\"]", 26, "`repeat` is missing"),
    ];
    for (keys, line, begin) in cases {
        let (at, said) = told(&format!("{SMALL}[[part]]\nname = \"b\"\n{keys}\n"), Variant::Full);
        assert!(at == line && said.starts_with(begin), "{keys}: line {at}, {said}");
    }
}

#[test]
fn the_range_of_a_plot_is_two_numbers() {
    for range in ["[1]", "[1, 2, 3]", "[2, 1]", "[\"a\", 2]"] {
        let text = format!("{SMALL}[[plot]]\nname = \"p\"\nrange = {range}\n");
        let bad = parse(&text, Variant::Full).err().expect("it is wrong");
        let lines: Vec<usize> = bad.complaints.iter().map(|complaint| bad.position(complaint).0).collect();
        assert!(lines.iter().all(|line| *line == 28), "{range}: {bad}");
    }
}

#[test]
fn claims_are_about_figures_that_there_are() {
    let with = |claim: &str| format!("{}id = \"b\"\n[[claim]]\nlabel = \"c\"\n{claim}", figure_a());
    let cases = [
        ("of = [\"a\", \"x\"]\nsays = \"rises\"\n", 30, "No figure has the id `x`."),
        ("of = [\"a\"]\nsays = \"rises\"\n", 30, "`rises` needs two or more figures."),
        ("of = [\"a\", \"b\"]\nsays = \"rises\"\nmargin = 1\n", 32, "`margin` means nothing with `rises`."),
        ("of = [\"a\", \"b\"]\nsays = \"ratio\"\n", 28, "`at_least` is missing"),
        ("of = [\"a\", \"b\"]\nsays = \"grows\"\n", 31, "`says` must be one of"),
    ];
    for (claim, line, begin) in cases {
        let (at, said) = told(&with(claim), Variant::Full);
        assert!(at == line && said.starts_with(begin), "{claim}: line {at}, {said}");
    }
}

/// The small experiment, its first figure with an id.
fn figure_a() -> String {
    SMALL.replace("counts = [", "id = \"a\"\ncounts = [")
}

#[test]
fn words_may_only_name_what_there_is() {
    let folder = super::scratch("words");
    std::fs::write(folder.join("experiment.toml"), format!("{SMALL}id = \"wins\"\n")).unwrap();
    let read = |words: &str| {
        std::fs::write(folder.join("words.md"), words).unwrap();
        Experiment::read(&folder, Variant::Quick, &Library::embedded())
    };
    assert!(read("Fine: {{wins}}, {{ wins.value }}, {{wins.p}} of {{wins.matches}}.\n").is_ok());
    let cases = [
        ("One.\n\nTwo {{win}}.", 3, "No figure or claim has the id `win`. Did you mean `wins`?"),
        ("{{wins.valeu}}", 1, "`.valeu` is not known."),
        ("\n{{plot strength}}", 2, "There is no plot `strength`."),
    ];
    for (words, line, begin) in cases {
        let bad = read(words).err().expect("it is wrong");
        let (at, said) = (bad.position(&bad.complaints[0]).0, &bad.complaints[0].text);
        assert!(at == line && said.starts_with(begin) && bad.place.ends_with("words.md"), "{bad}");
    }
}

#[test]
fn what_cannot_fail_is_refused() {
    let everything = "Every result satisfies this";
    for keys in ["at_least = 0.0", "at_most = 1.0", "value = 0.5\nmargin = 0.5", "value = 0.6\nwithin = 0.6"]
    {
        let (at, said) = told(&SMALL.replace("at_least = 0.5", keys), Variant::Full);
        assert!((24..=25).contains(&at) && said.starts_with(everything), "{keys}: line {at}, {said}");
    }
    let goal = SMALL.replace("measure = \"wins\"\nat_least = 0.5", "measure = \"goal\"\nat_most = 100");
    assert!(told(&goal, Variant::Full).1.starts_with(everything));
    let with = |measure: &str, claim: &str| {
        let figure = |id: &str| {
            format!("[[figure]]\nlabel = \"f\"\npart = \"a\"\nmeasure = \"{measure}\"\nid = \"{id}\"\n")
        };
        let claim = format!("[[claim]]\nlabel = \"c\"\nof = [\"a\", \"b\"]\n{claim}\n");
        format!("{SMALL}{}{}{claim}", figure("a"), figure("b"))
    };
    let refused = |measure: &str, claim: &str| told(&with(measure, claim), Variant::Full).1;
    assert!(refused("length", "says = \"equal\"").starts_with("`margin` is missing"));
    assert!(refused("score", "says = \"equal\"\nmargin = 1").starts_with(everything));
    assert!(refused("score", "says = \"ratio\"\nat_least = 0").starts_with(everything));
    assert!(parse(&with("score", "says = \"equal\""), Variant::Full).is_ok(), "ten points");
    assert!(parse(&with("length", "says = \"equal\"\nmargin = 1"), Variant::Full).is_ok());
}

#[test]
fn one_mistake_does_not_hide_the_others() {
    let text = SMALL
        .replace("source = \"nobody\"", "sauce = \"nobody\"")
        .replace("title = \"Small\"", "")
        .replace("part = \"a\"\ncounts", "part = \"b\"\ncounts")
        .replace("\"tic_tac_toe\"", "\"tic_tac\"")
        .replace("at_least = 0.5", "at_least = 50");
    let bad = parse(&text, Variant::Full).err().expect("it is wrong");
    let all: Vec<&str> = bad.complaints.iter().map(|complaint| complaint.text.as_str()).collect();
    for begin in [
        "`title` is missing",
        "`source` is missing",
        "`sauce` is not known here",
        "There is no game `tic_tac`",
        "There is no part `b`.",
        "`at_least` must be a number",
    ] {
        assert!(all.iter().any(|text| text.starts_with(begin)), "{begin}: {all:#?}");
    }
    assert_eq!(all.len(), 6, "{all:#?}");
    let none = told("title = \"t\"\nsource = \"s\"\n", Variant::Full).1;
    assert!(none.starts_with("There is no part; write a table [[part]]"), "{none}");
}

#[test]
fn a_wrong_reasoner_is_called_a_reasoner() {
    let turns =
        "[[part]]\nname = \"b\"\nkind = \"turns\"\ngames = [\"tic_tac_toe\"]\nturns = [1]\nreasoners = [7]\n";
    let bad = parse(&format!("{SMALL}{turns}"), Variant::Full).err().expect("it is wrong");
    let all: Vec<&str> = bad.complaints.iter().map(|complaint| complaint.text.as_str()).collect();
    assert_eq!(all, ["`reasoners` must be a text in quotes."]);
}

#[test]
fn a_quick_variant_may_leave_out_players_and_lineups() {
    let text = SMALL.replace(
        "lineups = [[\"lookahead\", \"random\"]]\nmatches = 300\nquick = { matches = 20 }",
        "lineups = [[\"lookahead\", \"random\"], [\"random\", \"random\"]]\nmatches = 300\n\
         quick = { matches = 20, players = [\"random\"], lineups = [[\"random\", \"random\"]] }",
    );
    let text = text
        .replace("counts = [", "lineup = [\"lookahead\", \"random\"]\ncounts = [")
        .replace("measure = \"wins\"", "player = \"lookahead\"\nmeasure = \"wins\"");
    let figures = |variant: Variant| parse(&text, variant).map(|found| found.figures.len());
    assert_eq!(figures(Variant::Full), Ok(2));
    assert_eq!(figures(Variant::Quick), Ok(0));
}
