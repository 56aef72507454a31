//! Hostile texts: deep, large, broken. Every one gives an answer, soon.

#![allow(clippy::unwrap_used)]

use gdl::{MAX_DEPTH, MAX_DIAGNOSTICS, Parsed, Syntax, parse, parse_bytes, parse_term, to_hrf, to_kif};

const DEEP: usize = 100_000;

fn codes(parsed: &Parsed) -> Vec<&str> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The heads that were read, as text.
fn heads(parsed: &Parsed) -> Vec<String> {
    parsed.sheet.clauses.iter().map(|clause| clause.head.to_string()).collect()
}

#[test]
fn deep_prefix_terms_are_refused_and_the_rest_is_read() {
    let text = format!("(role a)\n(p {}x{})\n(role b)", "(f ".repeat(DEEP), ")".repeat(DEEP));
    let parsed = parse(&text, Syntax::Kif);
    assert_eq!(codes(&parsed), ["too-deep"]);
    assert_eq!(heads(&parsed), ["(role a)", "(role b)"]);
}

#[test]
fn deep_unclosed_prefix_terms_are_refused_and_the_rest_is_read() {
    for open in ["(", "(f ", "(not "] {
        for rest in ["(role b)", "(<= (p a) (q a))"] {
            let text = format!("(role a)\n(p {}\n{rest}\n(role c)", open.repeat(DEEP));
            let parsed = parse(&text, Syntax::Kif);
            assert_eq!(codes(&parsed), ["unclosed-parenthesis", "too-deep"]);
            assert_eq!(heads(&parsed).first().unwrap(), "(role a)");
            assert_eq!(heads(&parsed).last().unwrap(), "(role c)");
            assert_eq!(parsed.sheet.clauses.len(), 3);
        }
    }
}

#[test]
fn deep_infix_terms_and_literals_are_refused_and_the_rest_is_read() {
    for (open, close) in
        [("f(", ")"), ("~", ""), ("(", ")"), ("not ", ""), ("not(", ")"), ("or(", ")"), ("f(", "")]
    {
        let text = format!("role(a)\np :- {}x{}\nrole(b)", open.repeat(DEEP), close.repeat(DEEP));
        let parsed = parse(&text, Syntax::Hrf);
        assert_eq!(codes(&parsed), ["too-deep"], "{open}");
        assert_eq!(heads(&parsed), ["(role a)", "(role b)"], "{open}");
    }
}

#[test]
fn the_deepest_term_goes_through_both_forms_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    small.spawn(check_the_deepest_term).unwrap().join().unwrap();
}

fn check_the_deepest_term() {
    for (depth, accepted) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
        let fact = format!("{}x{}", "(f ".repeat(depth), ")".repeat(depth));
        let rule = format!("(<= p {}x{})", "(not ".repeat(depth - 1), ")".repeat(depth - 1));
        let both = format!("{fact}\n{rule}");
        let prefix = parse(&both, Syntax::Kif);
        assert_eq!(prefix.has_errors(), !accepted);
        if accepted {
            let infix = parse(&to_hrf(&prefix.sheet), Syntax::Hrf);
            assert_eq!(codes(&infix), [""; 0]);
            assert!(infix.sheet.same(&prefix.sheet));
            assert_eq!(to_kif(&infix.sheet), to_kif(&prefix.sheet));
        } else {
            let fact = format!("{}x{}", "f(".repeat(depth), ")".repeat(depth));
            let rule = format!("p :- {}x", "~".repeat(depth - 1));
            let infix = parse(&format!("{fact}\n{rule}"), Syntax::Hrf);
            assert_eq!(codes(&infix), ["too-deep", "too-deep"]);
        }
    }
}

#[test]
fn single_terms_have_the_same_limit() {
    let term = |depth: usize| format!("{}x{}", "(f ".repeat(depth), ")".repeat(depth));
    assert!(parse_term(&term(MAX_DEPTH)).is_ok());
    assert_eq!(parse_term(&term(DEEP)).unwrap_err().code, "too-deep");
}

#[test]
fn diagnostics_are_the_first_in_source_order_and_their_number_is_bounded() {
    for (text, syntax) in [
        (")".repeat(DEEP), Syntax::Kif),
        ("(\n".repeat(DEEP), Syntax::Kif),
        ("(<= ".repeat(DEEP), Syntax::Kif),
        ("(p ?)".repeat(DEEP), Syntax::Kif),
        (")\np\n".repeat(DEEP), Syntax::Hrf),
        ("p(X :- 'q\n".repeat(DEEP), Syntax::Hrf),
    ] {
        let parsed = parse(&text, syntax);
        assert_eq!(parsed.diagnostics.len(), MAX_DIAGNOSTICS + 1);
        assert_eq!(parsed.diagnostics.last().unwrap().code, "too-many");
        assert!(parsed.has_errors());
        assert!(parsed.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span));
        assert!(parsed.diagnostics[0].span.start < 20);
    }
}

#[test]
fn fifty_megabytes_are_read_and_written() {
    let size = 50_000_000;
    let mut text = String::with_capacity(size + 100);
    for number in 0.. {
        let step = number % 1000;
        text.push_str(&format!(
            "(<= (next (cell ?x {step})) ; {number}\n    (true (cell ?x y))\n    (not (q ?x)))\n"
        ));
        if text.len() >= size {
            break;
        }
    }
    let prefix = parse(&text, Syntax::Kif);
    assert!(prefix.diagnostics.is_empty());
    assert!(to_kif(&prefix.sheet) == text);
    drop(text);
    let infix = parse(&to_hrf(&prefix.sheet), Syntax::Hrf);
    assert!(infix.diagnostics.is_empty());
    assert!(infix.sheet.same(&prefix.sheet));
}

#[test]
fn names_are_shared() {
    let parsed = parse("(role white) (init (control white))", Syntax::Kif);
    let [role, init] = &parsed.sheet.clauses[..] else { panic!("two clauses") };
    let one = role.head.arguments()[0].name().unwrap();
    let other = init.head.arguments()[0].arguments()[0].name().unwrap();
    assert!(std::ptr::eq(one.as_ptr(), other.as_ptr()));
}

#[test]
fn too_many_words_or_comments_end_the_text_with_one_error() {
    let parsed = parse(&"a ".repeat(gdl::MAX_WORDS + 10), Syntax::Kif);
    assert_eq!(codes(&parsed), ["too-large"]);
    assert_eq!(parsed.sheet.clauses.len(), gdl::MAX_WORDS);
    drop(parsed);
    let parsed = parse(&"%\n".repeat(gdl::MAX_WORDS + 10), Syntax::Hrf);
    assert_eq!(codes(&parsed), ["too-large"]);
    assert_eq!(parsed.sheet.comments.len(), gdl::MAX_WORDS);
}

#[test]
fn bytes_that_are_not_text_are_told_with_their_offset() {
    let parsed = parse_bytes(b"(role \xff\xfea)\n(role b)", Syntax::Kif);
    assert_eq!(codes(&parsed), ["invalid-utf8"]);
    assert!(parsed.has_errors());
    assert_eq!(parsed.diagnostics[0].message, "the byte 0xff at offset 6 is not valid UTF-8");
    assert_eq!(heads(&parsed), ["(role \u{fffd}\u{fffd}a)", "(role b)"]);
}

#[test]
fn bytes_that_are_not_text_do_no_harm_in_comments() {
    let parsed = parse_bytes(b"; caf\xe9\n(role b) % \xe9", Syntax::Kif);
    assert!(parsed.has_errors());
    let parsed = parse_bytes(b"; caf\xe9\n(role b) ; \xe9", Syntax::Kif);
    assert_eq!(codes(&parsed), ["invalid-utf8"]);
    assert!(!parsed.has_errors());
}

#[test]
fn a_byte_order_mark_is_no_word() {
    for (text, syntax) in [("\u{feff}(role a)", Syntax::Kif), ("\u{feff}role(a)", Syntax::Hrf)] {
        let parsed = parse(text, syntax);
        assert!(parsed.diagnostics.is_empty());
        assert_eq!(heads(&parsed), ["(role a)"]);
        assert_eq!(parsed.sheet.clauses[0].span.start, 3);
        assert_eq!(Syntax::guess(text, None), syntax);
    }
}
