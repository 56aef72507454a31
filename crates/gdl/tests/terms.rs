//! Single terms, as people type them and servers send them; and lines of texts.

use gdl::{LineIndex, Span, Syntax, TermKind, parse_term};

#[test]
fn terms_are_read() {
    for (text, printed) in [
        ("noop", "noop"),
        ("  ( mark  1 2 ) ", "(mark 1 2)"),
        ("(move (cell a 1)(cell b ?y))", "(move (cell a 1) (cell b ?y))"),
        ("?x", "?x"),
        ("(DOES White Noop)", "(does White Noop)"),
        ("(noop)", "noop"),
        ("(noop) ; done", "noop"),
        ("王", "王"),
    ] {
        assert_eq!(parse_term(text).unwrap().to_string(), printed);
    }
}

#[test]
fn what_is_no_term_is_refused() {
    for (text, code, place) in [
        ("", "no-term", 0..0),
        (" ; nothing", "no-term", 0..10),
        ("a b", "more-than-a-term", 2..3),
        ("(a", "unclosed-parenthesis", 0..1),
        ("(a))", "unopened-parenthesis", 3..4),
        ("()", "no-name", 0..2),
        ("((a) b)", "no-name", 1..4),
        ("(f (<= a b))", "unclosed-parenthesis", 0..1),
        ("?", "no-name", 0..1),
        ("<=", "misplaced-arrow", 0..2),
    ] {
        let error = parse_term(text).unwrap_err();
        assert_eq!((error.code, error.span), (code, Span::new(place.start, place.end)), "{text}");
    }
}

#[test]
fn spans_are_places_in_the_text() {
    let text = "(é (f ?ñ) b)";
    let term = parse_term(text).unwrap();
    let TermKind::Compound(_, arguments) = &term.kind else { panic!("a compound") };
    let places: Vec<_> = arguments.iter().map(|term| &text[term.span.range()]).collect();
    assert_eq!(places, ["(f ?ñ)", "b"]);
    assert_eq!(&text[term.span.range()], text);
}

#[test]
fn lines_and_columns_count_characters() {
    let index = LineIndex::new("aé\r\n\rb\n");
    let place = |offset| {
        let position = index.position(offset);
        (position.line, position.column)
    };
    let found: Vec<_> = (0..10).map(place).collect();
    let expected = [(1, 1), (1, 2), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1), (3, 2), (4, 1), (4, 1)];
    assert_eq!(found, expected);
    assert_eq!(index.line_count(), 4);
    let lines: Vec<_> = (0..7).map(|line| index.line(line)).collect();
    assert_eq!(lines, ["aé", "aé", "", "b", "", "", ""]);
}

#[test]
fn the_syntax_is_guessed_from_the_text_first() {
    for (text, extension, syntax) in [
        ("(role x)", None, Syntax::Kif),
        ("\n\t; title\n(role x)", Some("hrf"), Syntax::Kif),
        ("% title\nrole(x)", Some("kif"), Syntax::Hrf),
        ("role(x)", None, Syntax::Hrf),
        ("'Cell'(1)", None, Syntax::Hrf),
        ("terminal :- p", None, Syntax::Hrf),
        ("terminal.", None, Syntax::Hrf),
        ("<pre>\n(role x)", None, Syntax::Kif),
        ("<pre>(role x)", Some("txt"), Syntax::Kif),
        ("terminal", None, Syntax::Kif),
        ("terminal", Some("HRF"), Syntax::Hrf),
        ("", Some("gdl"), Syntax::Kif),
    ] {
        assert_eq!(Syntax::guess(text, extension), syntax, "{text}");
    }
}
