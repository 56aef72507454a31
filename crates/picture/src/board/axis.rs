//! Axes: sets of values with an order.

use std::collections::{BTreeMap, BTreeSet};

use gdl::{Clause, RuleSheet, Term, TermKind};

/// The maximum length of an axis.
const LONGEST: usize = 40;

/// What a rule sheet says about constants: sets of them, and chains of neighbours.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    sets: Vec<BTreeSet<String>>,
    chains: Vec<Vec<String>>,
    roles: BTreeSet<String>,
}

impl Constants {
    pub(crate) fn of(sheet: &RuleSheet) -> Constants {
        let mut unary: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut binary: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for Clause { head, body, .. } in &sheet.clauses {
            let (Some(name), true) = (head.name(), body.is_empty()) else { continue };
            match head.arguments() {
                [Term { kind: TermKind::Constant(a), .. }] => {
                    unary.entry(name.to_string()).or_default().insert(a.to_string());
                }
                [Term { kind: TermKind::Constant(a), .. }, Term { kind: TermKind::Constant(b), .. }] => {
                    binary.entry(name.to_string()).or_default().push((a.to_string(), b.to_string()));
                }
                _ => {}
            }
        }
        let chains: Vec<Vec<String>> = binary.values().filter_map(|pairs| chain(pairs)).collect();
        let roles = unary.remove("role").unwrap_or_default();
        let mut sets: Vec<BTreeSet<String>> = unary.into_values().collect();
        sets.extend(chains.iter().map(|chain| chain.iter().cloned().collect()));
        Constants { sets, chains, roles }
    }

    /// Returns `true` if all of these are names of roles.
    pub(crate) fn are_roles(&self, values: &BTreeSet<String>) -> bool {
        !values.is_empty() && values.is_subset(&self.roles)
    }

    /// Returns the whole axis to which these values belong, in order, or `None` if they have no order.
    pub(crate) fn axis(&self, values: &BTreeSet<String>) -> Option<Vec<String>> {
        let whole =
            self.sets.iter().filter(|set| set.is_superset(values) && set.len() <= 2 * values.len() + 1);
        let whole = whole.filter_map(|set| self.order(set)).min_by_key(Vec::len);
        let axis = whole.or_else(|| self.order(values))?;
        (2..=LONGEST).contains(&axis.len()).then_some(axis)
    }

    fn order(&self, values: &BTreeSet<String>) -> Option<Vec<String>> {
        by_number(values, "")
            .or_else(|| letters(values))
            .or_else(|| by_number(values, prefix(values)?))
            .or_else(|| {
                let chain =
                    self.chains.iter().find(|chain| values.iter().all(|value| chain.contains(value)))?;
                Some(chain.iter().filter(|value| values.contains(*value)).cloned().collect())
            })
    }
}

/// Orders values that consist of a common prefix and a number.
fn by_number(values: &BTreeSet<String>, prefix: &str) -> Option<Vec<String>> {
    let numbers: Option<BTreeMap<i64, &String>> =
        values.iter().map(|value| Some((value.strip_prefix(prefix)?.parse::<i64>().ok()?, value))).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == values.len())?;
    if prefix.is_empty() {
        // Fill the gaps with numbers that have not been seen.
        let (first, last) = (*numbers.keys().next()?, *numbers.keys().next_back()?);
        if last.checked_sub(first)? < LONGEST as i64 {
            return Some((first..=last).map(|number| number.to_string()).collect());
        }
    }
    Some(numbers.into_values().cloned().collect())
}

/// Orders the letters a, b, c and so on, if there are no gaps.
fn letters(values: &BTreeSet<String>) -> Option<Vec<String>> {
    let bytes: Option<Vec<u8>> =
        values.iter().map(|value| (value.len() == 1).then(|| value.as_bytes()[0])).collect();
    let bytes = bytes?;
    let (&first, &last) = (bytes.first()?, bytes.last()?);
    let whole = matches!(first, b'a' | b'A')
        && last.is_ascii_alphabetic()
        && usize::from(last - first) + 1 == bytes.len();
    whole.then(|| values.iter().cloned().collect())
}

fn prefix(values: &BTreeSet<String>) -> Option<&str> {
    let first = values.first()?;
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    (!prefix.is_empty() && prefix.len() < first.len()).then_some(prefix)
}

/// Returns the single chain formed by pairs of neighbours, if they form one.
fn chain(pairs: &[(String, String)]) -> Option<Vec<String>> {
    let after: BTreeMap<&str, &str> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let seconds: BTreeSet<&str> = pairs.iter().map(|(_, b)| b.as_str()).collect();
    if after.len() != pairs.len() || seconds.len() != pairs.len() {
        return None;
    }
    let mut firsts = after.keys().filter(|value| !seconds.contains(*value));
    let (mut here, None) = (*firsts.next()?, firsts.next()) else { return None };
    let mut chain = vec![here.to_string()];
    while let Some(next) = after.get(here) {
        chain.push((*next).to_string());
        here = next;
    }
    (chain.len() == pairs.len() + 1).then_some(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(sheet: &str, values: &[&str]) -> Option<String> {
        let constants = Constants::of(&gdl::parse_kif(sheet).sheet);
        constants.axis(&values.iter().map(|value| value.to_string()).collect()).map(|axis| axis.join(" "))
    }

    #[test]
    fn numbers_letters_and_chains_have_an_order() {
        assert_eq!(axis("", &["10", "9", "7"]).unwrap(), "7 8 9 10");
        assert_eq!(axis("", &["a", "b", "c"]).unwrap(), "a b c");
        assert_eq!(axis("", &["c1", "c2", "c10"]).unwrap(), "c1 c2 c10");
        assert_eq!(
            axis("(next_to one two) (next_to two three)", &["one", "three"]).unwrap(),
            "one two three"
        );
        assert_eq!(axis("(row 1) (row 2) (row 3) (row 4)", &["1", "2"]).unwrap(), "1 2 3 4");
    }

    #[test]
    fn players_and_single_values_have_none() {
        assert_eq!(axis("", &["x", "o"]), None);
        assert_eq!(axis("", &["white", "black"]), None);
        assert_eq!(axis("", &["1"]), None);
    }
}
