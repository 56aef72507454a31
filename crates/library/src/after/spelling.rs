//! Moves as people and programs write them.

/// Returns the canonical text of a term: single spaces, none beside parentheses. A word in parentheses is the
/// word, and words without parentheses are one compound term. Returns `None` if the parentheses do not match.
pub fn canonical(text: &str) -> Option<String> {
    let all = top(text)?;
    match &all[..] {
        [] => None,
        [one] => match inside(one).map(top) {
            Some(Some(parts)) if parts.len() == 1 && !parts[0].starts_with('(') => Some(parts[0].clone()),
            _ => Some(one.clone()),
        },
        _ => Some(format!("({})", all.join(" "))),
    }
}

/// Returns the terms of a list, with or without the parentheses around it.
pub(super) fn terms(text: &str) -> Option<Vec<String>> {
    let all = top(text)?;
    match &all[..] {
        [one] => top(inside(one)?),
        _ => Some(all),
    }
}

/// Returns the place of a move among canonical texts. An exact match takes precedence over one that differs by
/// case; of several that differ by case none is meant.
pub(super) fn position(text: &str, canonicals: &[String]) -> Option<usize> {
    let wanted = canonical(text)?;
    let exact = canonicals.iter().position(|legal| *legal == wanted);
    exact.or_else(|| {
        let lower = wanted.to_lowercase();
        let mut alike = (0..canonicals.len()).filter(|&at| canonicals[at].to_lowercase() == lower);
        let first = alike.next()?;
        alike.next().is_none().then_some(first)
    })
}

/// Returns what is inside the parentheses around a term in canonical form.
fn inside(term: &str) -> Option<&str> {
    term.strip_prefix('(')?.strip_suffix(')')
}

/// Returns the terms of a text one after the other, each in canonical form.
fn top(text: &str) -> Option<Vec<String>> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let (mut found, mut depth): (Vec<String>, usize) = (Vec::new(), 0);
    for word in spaced.split_whitespace() {
        if word == ")" {
            depth = depth.checked_sub(1)?;
            found.last_mut()?.push(')');
            continue;
        }
        match found.last_mut().filter(|_| depth > 0) {
            Some(term) => {
                if !term.ends_with('(') {
                    term.push(' ');
                }
                term.push_str(word);
            }
            None => found.push(word.to_string()),
        }
        depth += usize::from(word == "(");
    }
    (depth == 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_and_outer_parentheses_do_not_matter() {
        for text in ["drop 1", "(drop 1)", " ( drop  1 ) ", "(drop\n1)"] {
            assert_eq!(canonical(text).as_deref(), Some("(drop 1)"));
        }
        for text in ["noop", "(noop)", "( noop )"] {
            assert_eq!(canonical(text).as_deref(), Some("noop"));
        }
        assert_eq!(canonical("move (cell 1 2)(cell 3 4)").as_deref(), Some("(move (cell 1 2) (cell 3 4))"));
        for text in ["(drop 1", "drop 1)", "", ")("] {
            assert_eq!(canonical(text), None);
        }
    }

    #[test]
    fn lists_are_taken_apart_with_or_without_parentheses() {
        for text in ["((drop 1) noop)", "(drop 1) noop", "( ( drop 1 ) noop )"] {
            assert_eq!(terms(text), Some(vec!["(drop 1)".to_string(), "noop".to_string()]));
        }
    }

    #[test]
    fn case_matters_only_where_moves_differ_by_it() {
        let all = ["(put A)", "(put a)", "Pass"].map(String::from);
        assert_eq!(position("( PUT a )", &all), None);
        assert_eq!(position("put a", &all), Some(1));
        assert_eq!(position("PASS", &all), Some(2));
    }
}
