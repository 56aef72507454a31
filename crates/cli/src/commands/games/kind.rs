//! The kinds of a game: its own tags, or what its rules show.

use tafl::game::Role;
use tafl::gdl::RuleSheet;
use tafl::library::{About, Source};

/// Returns what is known about a game. Roles and kinds that nobody wrote down are taken from the rules.
pub(super) fn about(source: &Source) -> About {
    let mut about = source.about.clone().unwrap_or_default();
    if about.title.is_empty() {
        about.title.clone_from(&source.name);
    }
    if let Some(syntax) = source.language.syntax()
        && (about.roles.is_empty() || about.kind.is_empty())
    {
        let sheet = tafl::gdl::parse(&source.text, syntax).sheet;
        if about.roles.is_empty() {
            about.roles = roles(&sheet);
        }
        if about.kind.is_empty() {
            about.kind = kinds(&sheet, &about.roles).into_iter().map(String::from).collect();
        }
    }
    about
}

/// Returns `true` if a kind is the wanted one: `hidden` is short for all kinds with a word that begins so.
pub(super) fn is(kind: &str, wanted: &str) -> bool {
    let plain = |text: &str| format!(" {}", text.to_lowercase().replace(['-', '_'], " ").trim());
    plain(kind).contains(&plain(wanted))
}

fn kinds(sheet: &RuleSheet, roles: &[String]) -> Vec<&'static str> {
    let has = |relation: &str| {
        sheet.clauses.iter().any(|clause| clause.head.name().is_some_and(|name| &**name == relation))
    };
    let is_chance = |role: &String| Role::named(role.as_str()).is_chance();
    let size = match roles.iter().filter(|role| !is_chance(role)).count() {
        1 => "single-player",
        2 => "two-player",
        _ => "multi-player",
    };
    let information = if has("sees") { "hidden information" } else { "perfect information" };
    let chance = roles.iter().any(is_chance).then_some("chance");
    [size, information].into_iter().chain(chance).collect()
}

fn roles(sheet: &RuleSheet) -> Vec<String> {
    let facts = sheet.clauses.iter().filter(|clause| clause.body.is_empty());
    let roles = facts.filter(|clause| clause.head.name().is_some_and(|name| &**name == "role"));
    roles.filter_map(|clause| clause.head.arguments().first()).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_the_beginning_of_a_word() {
        assert!(
            is("hidden information", "hidden") && is("hidden moves", "Hid") && is("zero-sum", "zero sum")
        );
        assert!(is("zero-sum", "sum") && !is("hidden", "idden"));
    }

    #[test]
    fn kinds_that_nobody_wrote_down_follow_from_the_rules() {
        let bytes = b"(role random) (role guesser) (<= (sees guesser x) (does random y))".to_vec();
        let about = about(&tafl::library::from_bytes("coin".to_string(), "-".to_string(), None, bytes));
        assert_eq!(about.kind, ["single-player", "hidden information", "chance"]);
        assert_eq!((about.title.as_str(), about.roles.len()), ("coin", 2));
    }
}
