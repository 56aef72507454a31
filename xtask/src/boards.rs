//! Boards of hnefatafl as pictures, and the rules that describe them.

pub const FIVE: &str = "\
..a..
.....
adkda
.....
..a..";

pub const SEVEN: &str = "\
...a...
...a...
...d...
aadkdaa
...d...
...a...
...a...";

pub const NINE: &str = "\
...aaa...
....a....
....d....
a...d...a
aaddkddaa
a...d...a
....d....
....a....
...aaa...";

/// The sheet with another board: everything from the first piece to the throne.
pub fn lay_out(rules: &str, picture: &str) -> Result<String, String> {
    let rows: Vec<&str> = picture.lines().collect();
    let size = rows.len();
    let mut pieces = String::new();
    for (kind, name) in [('k', "king"), ('d', "defender"), ('a', "attacker")] {
        for (row, line) in rows.iter().enumerate() {
            for (column, _) in line.chars().enumerate().filter(|(_, found)| *found == kind) {
                pieces += &format!("(init (cell {} {} {name}))\n", column + 1, size - row);
            }
        }
        pieces.push('\n');
    }
    let count: String = (1..=size).map(|n| format!("(coordinate {n})\n")).collect();
    let succ: String = (1..size).map(|n| format!("(succ {n} {})\n", n + 1)).collect();
    let middle = size.div_ceil(2);
    let rules = replace_span(rules, "(init (cell", "(init (control", &pieces)?;
    let board = format!("{count}\n{succ}\n(throne {middle} {middle})\n\n");
    replace_span(&rules, "(coordinate 1)", "; (step ?direction", &board)
}

/// `text` with what lies between the first `from` and the next `to` replaced; `to` stays.
pub fn replace_span(text: &str, from: &str, to: &str, with: &str) -> Result<String, String> {
    let begin = text.find(from).ok_or_else(|| format!("`{from}` is not in the sheet"))?;
    let end = text[begin..].find(to).ok_or_else(|| format!("`{to}` does not follow `{from}`"))? + begin;
    Ok(format!("{}{with}{}", &text[..begin], &text[end..]))
}
