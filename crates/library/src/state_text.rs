//! States as text: `((cell 1 1 x) (control o))`.

use gdl::{Syntax, Term, TermKind};

/// The reason why a text is not a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateTextError {
    /// It cannot be parsed. Contains the message of the first diagnostic.
    #[error("The state cannot be parsed: {0}.")]
    Unreadable(String),
    /// One of its parts is not a fact.
    #[error("`{0}` is not a fact; write a state as ((cell 1 1 x) (control o)).")]
    NoFact(String),
}

/// Parses the facts of a state, and returns them in canonical form and order. The parentheses
/// around all facts may be omitted, and facts may be written as `(true …)`.
pub fn read_state(text: &str) -> Result<Vec<String>, StateTextError> {
    let parsed = gdl::parse(facts_only(text), Syntax::Kif);
    if let Some(diagnostic) = parsed.diagnostics.first() {
        return Err(StateTextError::Unreadable(diagnostic.message.clone()));
    }
    let mut facts = Vec::new();
    for clause in &parsed.sheet.clauses {
        let mut term = &clause.head;
        if let TermKind::Compound(name, arguments) = &term.kind
            && &**name == "true"
            && let [fact] = arguments.as_slice()
        {
            term = fact;
        }
        if clause.is_rule || !is_ground(term) {
            return Err(StateTextError::NoFact(term.to_string()));
        }
        facts.push(match &term.kind {
            TermKind::Compound(name, arguments) if arguments.is_empty() => name.to_string(),
            _ => term.to_string(),
        });
    }
    facts.sort();
    facts.dedup();
    Ok(facts)
}

/// Writes facts as a text that [`read_state`] can parse.
pub fn write_state(facts: &[String]) -> String {
    // If all facts are plain words, parentheses around them would turn them into one compound fact.
    let words_only = !facts.is_empty() && facts.iter().all(|fact| !fact.starts_with('('));
    if words_only {
        return facts.join(" ");
    }
    let (words, compounds): (Vec<&String>, Vec<&String>) =
        facts.iter().partition(|fact| !fact.starts_with('('));
    let all: Vec<&str> = compounds.into_iter().chain(words).map(String::as_str).collect();
    format!("({})", all.join(" "))
}

/// Removes the parentheses around the whole text, if any.
fn facts_only(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    if !inside.trim_start().starts_with('(') && !inside.trim().is_empty() {
        return text;
    }
    let mut depth = 0i64;
    for c in inside.chars() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inside
}

fn is_ground(term: &Term) -> bool {
    match &term.kind {
        TermKind::Variable(_) => false,
        TermKind::Constant(_) => true,
        TermKind::Compound(_, arguments) => arguments.iter().all(is_ground),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_and_written_back() {
        for text in
            ["((cell 1 1 x) (control o))", "((cell 1 1 x) open)", "open shut", "()", "((at (pair a b) 1))"]
        {
            assert_eq!(write_state(&read_state(text).unwrap()), text);
        }
    }

    #[test]
    fn outer_parentheses_and_true_are_optional() {
        let facts = ["(cell 1 1 x)", "(control o)"];
        for text in [
            "(cell 1 1 x) (control o)",
            "((true (cell 1 1 x)) (true (control o)))",
            "( (control o)(cell 1 1 x) )",
        ] {
            assert_eq!(read_state(text).unwrap(), facts);
        }
        assert_eq!(read_state("(control o)").unwrap(), ["(control o)"]);
    }

    #[test]
    fn variables_rules_and_loose_ends_are_refused() {
        for text in ["((cell ?x 1 x))", "(<= a b)", "((cell 1 1 x)", "(cell 1 1 x))"] {
            assert!(read_state(text).is_err(), "{text}");
        }
    }
}
