//! Suggestions for misspelled names.

/// Returns up to three candidates that are similar to `wanted`, best first.
pub fn near_misses<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(80).collect()
    };
    let wanted = plain(wanted);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = candidates
        .filter_map(|candidate| {
            let other = plain(candidate);
            let contains = wanted.len() >= 3 && (begins(&other, &wanted) || begins(&wanted, &other));
            let distance = if contains { 1 } else { distance(&wanted, &other) };
            (distance <= 1 + wanted.len() / 4).then_some((distance, candidate))
        })
        .collect();
    near.sort();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Returns " Did you mean …?", or nothing if no candidate is similar.
pub fn did_you_mean<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    let near = near_misses(wanted, candidates);
    match near.as_slice() {
        [] => String::new(),
        [one] => format!(" Did you mean `{one}`?"),
        [all @ .., last] => format!(" Did you mean `{}` or `{last}`?", all.join("`, `")),
    }
}

fn begins(text: &[char], start: &[char]) -> bool {
    start.len() >= 3 && text.starts_with(start)
}

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours between two
/// texts (the restricted Damerau-Levenshtein distance).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let change = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            next.push(best);
        }
        before = row;
        row = next;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_found() {
        let games = ["connect_four", "chess", "tic_tac_toe", "tic_tac_toe_3p", "hex_9"];
        let near = |wanted: &str| near_misses(wanted, games.into_iter());
        assert_eq!(near("tictactoe")[0], "tic_tac_toe");
        assert_eq!(near("chses"), ["chess"]);
        assert_eq!(near("connect"), ["connect_four"]);
        assert_eq!(near("go"), Vec::<&str>::new());
        assert_eq!(did_you_mean("ches", games.into_iter()), " Did you mean `chess`?");
    }
}
