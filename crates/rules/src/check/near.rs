//! Suggestions ("did you mean …?") based on edit distance.

use std::cell::Cell;

/// The maximum length of a name that is compared.
const MAX_LENGTH: usize = 40;

/// The maximum number of comparisons per check; a sheet with more unknown names needs no more suggestions.
const MAX_COMPARISONS: usize = 200_000;

/// Finds similar names, up to a limited number of comparisons.
pub(crate) struct Near {
    left: Cell<usize>,
}

impl Near {
    pub fn new() -> Near {
        Near { left: Cell::new(MAX_COMPARISONS) }
    }

    /// Returns the candidate nearest to `name`, if one is near enough; the first one of equally near ones.
    pub fn find<'c>(&self, name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
        if name.len() > MAX_LENGTH || self.left.get() == 0 {
            return None;
        }
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            if self.left.get() == 0 {
                break;
            }
            self.left.set(self.left.get() - 1);
            if candidate == name || candidate.len() > MAX_LENGTH {
                continue;
            }
            let allowed = match name.chars().count().min(candidate.chars().count()) {
                0..=2 => 0,
                3..=4 => 1,
                5..=8 => 2,
                _ => 3,
            };
            let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(name, candidate) };
            let near =
                distance <= allowed && !(name.parse::<i64>().is_ok() && candidate.parse::<i64>().is_ok());
            if near && best.is_none_or(|(d, _)| distance < d) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// Returns a remedy that suggests the nearest name, or `other` if there is none.
    pub fn remedy<'c>(&self, name: &str, candidates: impl Iterator<Item = &'c str>, other: String) -> String {
        match self.find(name, candidates) {
            Some(near) => format!("did you mean `{near}`?"),
            None => other,
        }
    }
}

/// Returns the optimal string alignment distance: insertions, deletions, substitutions and
/// transpositions of adjacent characters.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_near() {
        let names = ["terminal", "cell", "control", "legal"];
        let near = |name| Near::new().find(name, names.into_iter());
        assert_eq!(near("termnial"), Some("terminal"));
        assert_eq!(near("cel"), Some("cell"));
        assert_eq!(near("Control"), Some("control"));
        assert_eq!(near("row"), None);
    }

    #[test]
    fn numbers_are_not_near_each_other() {
        assert_eq!(Near::new().find("100", ["101"].into_iter()), None);
    }
}
