//! Results as comma-separated values.

use std::fmt::Write;

use super::analysis::{Analysis, Row};
use crate::{Plan, Results};

/// Returns a field, quoted if necessary.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

/// Returns one line per match.
pub(crate) fn matches(plan: &Plan, results: &Results) -> String {
    let mut out = String::from("number,game,budget,seed,ending,steps,replaced,roles,players,goals,points\n");
    for result in &results.matches {
        let Some(game) = plan.games.iter().find(|game| game.name == result.game) else { continue };
        let ending = serde_json::to_value(&result.ending).unwrap_or_default();
        let ending = ending["kind"].as_str().unwrap_or_default().to_string();
        let goals: Vec<String> =
            result.goals.iter().map(|goal| goal.map_or(String::new(), |goal| goal.to_string())).collect();
        let scores = result.scores(game).unwrap_or_default();
        let points: Vec<String> = scores.iter().map(|score| score.points.to_string()).collect();
        let _ = writeln!(
            out,
            "{},{},{},{},{ending},{},{},{},{},{},{}",
            result.number,
            field(&result.game),
            field(&result.budget),
            result.seed,
            result.steps,
            result.replaced,
            field(&game.roles.join(" ")),
            field(&result.players.join(" / ")),
            goals.join(" "),
            points.join(" ")
        );
    }
    out
}

/// Returns one line for each player, role and pair, and for each player and role at each budget.
pub(crate) fn scores(analysis: &Analysis) -> String {
    let mut out = String::from(
        "kind,name,against,game,budget,games,won,drawn,lost,score,low,high,goal,goal_low,goal_high\n",
    );
    let mut put = |kind: &str, against: &str, game: &str, budget: &str, row: &Row| {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        let count = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        let _ = writeln!(
            out,
            "{kind},{},{},{},{},{},{},{},{},{:.6},{:.6},{:.6},{},{},{}",
            field(&row.name),
            field(against),
            field(game),
            field(budget),
            row.games,
            count(row.won),
            count(row.drawn),
            count(row.lost),
            row.score,
            row.low,
            row.high,
            number(row.goal),
            number(row.goal_low),
            number(row.goal_high)
        );
    };
    analysis.players.iter().filter(|row| row.games > 0).for_each(|row| put("player", "", "", "", row));
    analysis.roles.iter().for_each(|row| put("role", "", "", "", row));
    analysis.pairs.iter().for_each(|pair| put("pair", &pair.against, "", "", &pair.row));
    for found in &analysis.budgets {
        let kind = if found.is_role { "role-at-budget" } else { "player-at-budget" };
        put(kind, "", &found.game, &found.budget, &found.row);
    }
    out
}
