//! What holds for every tree and every text.

#![allow(clippy::unwrap_used)]

use gdl::{
    Clause, Comment, Literal, LiteralKind, Name, Parsed, RuleSheet, Span, Syntax, Term, TermKind, parse,
    parse_bytes, parse_hrf, parse_kif, parse_term, to_hrf, to_kif,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn span() -> Span {
    Span::default()
}

/// Names of constants, ordinary and odd.
fn symbol() -> impl Strategy<Value = Name> {
    let ordinary = select(vec!["a", "b", "cell", "noop", "1", "100", "true", "does", "terminal", "random"]);
    let odd = select(vec![
        "Cell", "A", "_", "_x", "++", "-1", "1.5", "1.5.2", "a.b", "it's", "a\\b", "\\", "''", "%", "n?",
        "x,y", "a&b", "<", "=>", "::", "==>", "~", "#", "|", "é", "É", "王", "♙", "Ⅷ", "ǅ", "ß", "\u{0}",
        "\"q\"", "[x]", "{}",
    ]);
    prop_oneof![4 => ordinary, 2 => odd].prop_map(Name::from).boxed().prop_union(
        "[^\\s();?<:\u{feff}\u{200b}][^\\s();\u{feff}\u{200b}]{0,5}"
            .prop_filter("keywords are folded, connectives mean something", |name| {
                !name.contains(char::is_whitespace)
                    && !["or", "and", "not"].iter().any(|word| word.eq_ignore_ascii_case(name))
                    && ![
                        "init", "true", "next", "role", "does", "goal", "legal", "base", "input", "sees",
                        "knows",
                    ]
                    .iter()
                    .any(|word| word.eq_ignore_ascii_case(name))
            })
            .prop_map(Name::from)
            .boxed(),
    )
}

/// Names of variables that both forms can spell.
fn plain_variable() -> impl Strategy<Value = Name> {
    select(vec!["x", "y", "p1", "row", "MAX", "_a", "ñ"]).prop_map(Name::from)
}

/// Names of variables, ordinary and odd.
fn variable() -> impl Strategy<Value = Name> {
    let odd = select(vec![
        "X", "Y", "X2", "x2", "xY", "XY", "_", "_1", "_2", "1", "++", "?x", "a=b", "a<b", "é", "ß", "王",
    ]);
    prop_oneof![
        plain_variable(),
        odd.prop_map(Name::from),
        "[^\\s();\u{feff}\u{200b}]{1,3}"
            .prop_filter_map("no blanks", |name| (!name.contains(char::is_whitespace))
                .then(|| Name::from(name)))
    ]
}

fn term(variable: BoxedStrategy<Name>) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![symbol().prop_map(TermKind::Constant), variable.prop_map(TermKind::Variable)];
    let leaf = leaf.prop_map(|kind| Term::new(kind, span()));
    leaf.prop_recursive(3, 12, 3, |inner| {
        (symbol(), vec(inner, 1..4))
            .prop_map(|(name, terms)| Term::new(TermKind::Compound(name, terms), span()))
    })
}

fn sentence(variable: BoxedStrategy<Name>) -> impl Strategy<Value = Term> {
    (symbol(), vec(term(variable), 0..3)).prop_map(|(name, terms)| {
        let kind = if terms.is_empty() { TermKind::Constant(name) } else { TermKind::Compound(name, terms) };
        Term::new(kind, span())
    })
}

fn literal(variable: BoxedStrategy<Name>) -> impl Strategy<Value = Literal> {
    let leaf = prop_oneof![
        3 => sentence(variable.clone()).prop_map(LiteralKind::Atom),
        1 => (term(variable.clone()), term(variable)).prop_map(|(one, other)| LiteralKind::Distinct(one, other)),
    ];
    let literal = |kind| Literal { kind, span: span() };
    leaf.prop_map(literal).prop_recursive(4, 12, 4, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| LiteralKind::Not(Box::new(inner))),
            vec(inner.clone(), 0..4).prop_map(LiteralKind::Or),
            vec(inner, 0..4).prop_map(LiteralKind::And),
        ]
        .prop_map(literal)
    })
}

fn sheet(variable: BoxedStrategy<Name>) -> impl Strategy<Value = RuleSheet> {
    let clause = (sentence(variable.clone()), vec(literal(variable), 0..4), any::<bool>()).prop_map(
        |(head, body, is_rule)| {
            let is_rule = is_rule || !body.is_empty();
            Clause { head, body, is_rule, span: span() }
        },
    );
    vec(clause, 0..6).prop_map(|clauses| RuleSheet { clauses, ..RuleSheet::default() })
}

/// A prefix text with comments and line ends between its words.
fn scattered() -> impl Strategy<Value = String> {
    let gap = prop_oneof![
        6 => Just(" ".to_string()),
        1 => Just("\n".to_string()),
        1 => Just("\n\n\n".to_string()),
        1 => "[ ]?;[a-z ;()]{0,6}\n".prop_map(|text| text),
        1 => "\n[ ]{0,3};[a-z%;()]{0,6}\n".prop_filter("infix turns a first % into ;", |text| !text.contains(";%")),
    ];
    (sheet(plain_variable().boxed()), vec(gap, 1..60)).prop_map(|(sheet, gaps)| {
        let mut text = String::new();
        for (index, part) in to_kif(&sheet).split_inclusive([' ', '\n', ')']).enumerate() {
            text.push_str(part);
            text.push_str(&gaps[index % gaps.len()]);
        }
        text
    })
}

/// Texts made of the words and signs of both forms.
fn garbage() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "(", ")", "(<= ", "<=", "\n", "\n(", " ", ";", "%", "?", "?x", "X", "_", "a", "p(", "not", "or",
        "and", "distinct", "(not ", "(or", "~", "&", ",", "|", "#", ".", ":-", "::", "==>", "'", "\\", "'q'",
        "1.5", "\r", "\u{feff}", "\u{a0}", "é", "<pre>", "=", "init",
    ]);
    prop_oneof![vec(piece, 0..60).prop_map(|pieces| pieces.concat()), any::<String>()]
}

fn comments(sheet: &RuleSheet) -> Vec<&str> {
    sheet.comments.iter().map(|comment: &Comment| comment.text.trim_end()).collect()
}

/// What must hold of every answer of a parser.
fn check_answer(text: &str, parsed: &Parsed) {
    assert!(parsed.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span));
    for diagnostic in &parsed.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some());
        assert!(diagnostic.labels.iter().all(|label| text.get(label.span.range()).is_some()));
    }
    for clause in &parsed.sheet.clauses {
        assert!(!text[clause.span.range()].is_empty());
        assert!(!text[clause.head.span.range()].is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prefix_text_says_what_the_tree_says(sheet in sheet(variable().boxed())) {
        let text = to_kif(&sheet);
        let parsed = parse_kif(&text);
        prop_assert!(!parsed.has_errors(), "{text}\n{:?}", parsed.diagnostics);
        prop_assert!(parsed.sheet.same(&sheet), "{text}");
        prop_assert_eq!(to_kif(&parsed.sheet), text);
    }

    #[test]
    fn infix_text_says_what_the_tree_says(sheet in sheet(plain_variable().boxed())) {
        let text = to_hrf(&sheet);
        let parsed = parse_hrf(&text);
        prop_assert!(!parsed.has_errors(), "{text}\n{:?}", parsed.diagnostics);
        prop_assert!(parsed.sheet.same(&sheet), "{text}");
        prop_assert_eq!(to_hrf(&parsed.sheet), text);
    }

    #[test]
    fn conversion_there_and_back_renames_variables_at_most(sheet in sheet(variable().boxed())) {
        let infix_text = to_hrf(&sheet);
        let infix = parse_hrf(&infix_text);
        prop_assert!(!infix.has_errors(), "{infix_text}\n{:?}", infix.diagnostics);
        prop_assert!(infix.sheet.alike(&sheet), "{infix_text}");
        let prefix = parse_kif(&to_kif(&infix.sheet));
        prop_assert!(!prefix.has_errors());
        prop_assert!(prefix.sheet.alike(&sheet));
    }

    #[test]
    fn comments_survive_in_order(text in scattered()) {
        let parsed = parse_kif(&text);
        prop_assert!(!parsed.has_errors(), "{text}\n{:?}", parsed.diagnostics);
        let prefix_text = to_kif(&parsed.sheet);
        let prefix = parse_kif(&prefix_text);
        prop_assert!(prefix.sheet.same(&parsed.sheet));
        prop_assert_eq!(comments(&prefix.sheet), comments(&parsed.sheet), "{}", prefix_text);
        prop_assert_eq!(to_kif(&prefix.sheet), prefix_text);
        let infix_text = to_hrf(&parsed.sheet);
        let infix = parse_hrf(&infix_text);
        prop_assert!(infix.sheet.same(&parsed.sheet));
        prop_assert_eq!(comments(&infix.sheet), comments(&parsed.sheet), "{}", infix_text);
        prop_assert_eq!(to_hrf(&infix.sheet), infix_text);
    }

    #[test]
    fn any_text_gives_an_answer_that_can_be_printed(text in garbage()) {
        for syntax in [Syntax::Kif, Syntax::Hrf] {
            let parsed = parse(&text, syntax);
            check_answer(&text, &parsed);
            let prefix = parse_kif(&to_kif(&parsed.sheet));
            prop_assert!(!prefix.has_errors(), "{:?}", prefix.diagnostics);
            prop_assert!(prefix.sheet.same(&parsed.sheet));
            let infix = parse_hrf(&to_hrf(&parsed.sheet));
            prop_assert!(!infix.has_errors(), "{:?}", infix.diagnostics);
            prop_assert!(infix.sheet.alike(&parsed.sheet));
        }
        let _ = parse_term(&text);
        let _ = Syntax::guess(&text, None);
    }

    #[test]
    fn any_bytes_give_an_answer(bytes in vec(any::<u8>(), 0..200)) {
        for syntax in [Syntax::Kif, Syntax::Hrf] {
            let parsed = parse_bytes(&bytes, syntax);
            check_answer(&gdl::decode(&bytes).0, &parsed);
        }
    }
}
