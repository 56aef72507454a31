//! A tournament's report as text, tables and plots.

use super::analysis::{Analysis, Row};
use super::document::Document;
use super::plot::{Bars, Heat, Lines, Point, Series, dots};
use super::significance::Power;
use crate::{FaultRow, Plan, SequentialTest};

/// Returns the whole report.
pub fn document(plan: &Plan, analysis: &Analysis) -> Document {
    let mut out = Document::new(&analysis.title);
    sections(plan, analysis, &mut out, 2, "");
    out
}

/// Adds the sections of a report to a document. `prefix` begins the file names of the plots.
pub fn sections(plan: &Plan, analysis: &Analysis, out: &mut Document, level: u8, prefix: &str) {
    design(plan, analysis, out, level);
    scores(plan, analysis, out, level, prefix);
    sequential(analysis, out, level);
    tests(analysis, out, level);
    ratings(analysis, out, level, prefix);
    budgets(plan, analysis, out, level, prefix);
    lengths(analysis, out, level, prefix);
}

/// Formats a share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Formats a p-value.
pub fn chance(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { format!("{p:.4}") }
}

fn list(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<String>>().join(", ")
}

fn design(plan: &Plan, analysis: &Analysis, out: &mut Document, level: u8) {
    out.heading(level, "Design");
    let games = list(plan.games.iter().map(|game| format!("{} ({})", game.name, game.roles.join(", "))));
    let players = list(plan.players.iter().map(|player| match player.name == player.player {
        true => format!("`{}`", player.player),
        false => format!("{} = `{}`", player.name, player.player),
    }));
    let played = match analysis.played == analysis.planned {
        true => format!("{} matches, all played", analysis.planned),
        false => format!("{} matches, {} of them played", analysis.planned, analysis.played),
    };
    out.text(format!(
        "Games: {games}. Players: {players}. {played}; seed {}, plan {}.",
        analysis.seed, analysis.plan
    ));
    if plan.budgets.len() > 1 {
        let names = list(plan.budgets.iter().map(|budget| budget.name.clone()));
        out.text(format!("Budgets: {names}."));
    }
    for row in &analysis.openings {
        let openings = if row.openings == 1 { "opening" } else { "openings" };
        let played = match row.played == row.openings {
            true => String::new(),
            false => format!(", {} of them played", row.played),
        };
        out.text(format!(
            "Matches of {} begin after {} {openings}{played}; each opening is played from all seatings before the next.",
            row.game, row.openings
        ));
    }
    let mut notes = Vec::new();
    notes.push(match analysis.repeatable {
        true => "Nobody thinks by the clock, so the same plan gives the same results.".to_string(),
        false => "Some players think by the clock, so another run will differ.".to_string(),
    });
    let matches = |count: u64| if count == 1 { "1 match".to_string() } else { format!("{count} matches") };
    if analysis.broken_off > 0 {
        let seats = Seats::of(plan);
        let treated = match (seats.is_alone(), seats.one) {
            (true, _) => "was left out",
            (false, true) => "counted as drawn, or was left out in a game of one role",
            (false, false) => "counted as drawn",
        };
        let treated =
            if analysis.broken_off == 1 { treated.to_string() } else { treated.replace("was", "were") };
        let broken = matches(analysis.broken_off);
        notes.push(format!("{broken} did not come to an end of the game and {treated}."));
    }
    if analysis.forfeited > 0 {
        let (verb, count) = if analysis.forfeited == 1 { ("was", "counts") } else { ("were", "count") };
        let forfeited = matches(analysis.forfeited);
        let whom = FaultRow::forfeited(&analysis.faults);
        notes.push(format!("{forfeited} {verb} forfeited and {count} as lost: {whom}."));
    }
    if analysis.replaced > 0 {
        let whom = FaultRow::replaced(&analysis.faults).to_string();
        let whom = if whom.is_empty() { whom } else { format!(": {whom}") };
        let moves = if analysis.replaced == 1 { "move" } else { "moves" };
        notes.push(format!("The referee had to make {} {moves} for a player{whom}.", analysis.replaced));
    }
    if let Some(power) = &analysis.power {
        notes.push(able(power, analysis.confidence));
    }
    out.text(notes.join(" "));
}

/// Describes what a fixed number of matches can detect.
fn able(power: &Power, confidence: f64) -> String {
    let found =
        power.found.map_or("no share".to_string(), |share| format!("a true share of {}", percent(share)));
    let needed = power.needed_for_55.map_or(String::new(), |n| format!("; for 55 in 100 it would take {n}"));
    format!(
        "With {} matches of a pair, a true share of 60 in 100 is noticed with a chance of {} in 100 (two-sided, level {:.2}), and {found} in 100 with one of 80{needed}.",
        power.matches,
        percent(power.at_60),
        1.0 - confidence
    )
}

/// The method of the intervals of scores and goals.
const METHOD: &str = "hybrid interval of Chuang and Lai (2000); Clopper–Pearson without draws";

/// How many seats the games of a plan have.
struct Seats {
    one: bool,
    two: bool,
    more: bool,
}

impl Seats {
    fn of(plan: &Plan) -> Seats {
        let mut found = Seats { one: false, two: false, more: false };
        for game in &plan.games {
            match game.seats().len() {
                0 | 1 => found.one = true,
                2 => found.two = true,
                _ => found.more = true,
            }
        }
        found
    }

    /// Returns `true` if no game has an opponent.
    fn is_alone(&self) -> bool {
        self.one && !self.two && !self.more
    }

    /// Explains what a score is.
    fn sentence(&self, plan: &Plan, confidence: f64) -> String {
        let percent = 100.0 * confidence;
        if self.is_alone() {
            return format!(
                "Each match has one player, so there is nobody to beat: the score is the mean goal with its interval ({METHOD}, {percent} %)."
            );
        }
        let mut text = match self.more {
            false => format!(
                "Score is wins and half the draws, of 100, with its interval ({METHOD}, {percent} %); goal is the mean goal of finished matches with an interval by the same method."
            ),
            true => format!(
                "Score is the share of the others that were beaten, ties counting half, of 100, with its interval ({METHOD}, {percent} %); won is alone in front, drawn is level in front. Goal is the mean goal of finished matches with an interval by the same method."
            ),
        };
        if self.one {
            let alone = plan.games.iter().filter(|game| game.seats().len() < 2);
            let names = list(alone.map(|game| game.name.clone()));
            text.push_str(&format!(" In {names} there is nobody to beat: the score is the mean goal."));
        }
        text
    }
}

/// The columns of scores after the name, for games without and with opponents.
const ALONE: [&str; 3] = ["matches", "goal", "interval"];
const AGAINST: [&str; 7] = ["matches", "won", "drawn", "lost", "score", "interval", "goal"];

fn head<'a>(first: &[&'a str], alone: bool) -> Vec<&'a str> {
    let rest: &[&str] = if alone { &ALONE } else { &AGAINST };
    first.iter().chain(rest).copied().collect()
}

fn row(name: &str, row: &Row, alone: bool) -> Vec<String> {
    let interval = format!("{} to {}", percent(row.low), percent(row.high));
    if alone {
        return vec![name.to_string(), row.games.to_string(), percent(row.score), interval];
    }
    let count = |count: Option<u64>| count.map_or("–".to_string(), |count| count.to_string());
    let goal = row.goal.map_or("–".to_string(), |goal| match (row.goal_low, row.goal_high) {
        (Some(low), Some(high)) => format!("{goal:.1} ({low:.1} to {high:.1})"),
        _ => format!("{goal:.1}"),
    });
    vec![
        name.to_string(),
        row.games.to_string(),
        count(row.won),
        count(row.drawn),
        count(row.lost),
        percent(row.score),
        interval,
        goal,
    ]
}

fn scores(plan: &Plan, analysis: &Analysis, out: &mut Document, level: u8, prefix: &str) {
    out.heading(level, "Scores");
    let seats = Seats::of(plan);
    out.text(seats.sentence(plan, analysis.confidence));
    if analysis.pairs.iter().any(|pair| pair.player == pair.against) {
        out.text("Matches of a player against itself count for the roles, not for the player.");
    }
    let alone = seats.is_alone();
    let head = head(&[""], alone);
    let mut players: Vec<&Row> = analysis.players.iter().filter(|row| row.games > 0).collect();
    players.sort_by(|a, b| b.score.total_cmp(&a.score));
    if !players.is_empty() {
        out.table(&head, players.iter().map(|found| row(&found.name, found, alone)).collect(), &[]);
    }
    out.table(&head, analysis.roles.iter().map(|found| row(&found.name, found, alone)).collect(), &[]);
    if analysis.pairs.iter().any(|pair| pair.player != pair.against) {
        let met = |name: &String| analysis.pairs.iter().any(|pair| pair.player == *name);
        let mut names: Vec<String> = players.iter().map(|found| found.name.clone()).collect();
        let rest = analysis.players.iter().filter(|row| row.games == 0).map(|row| row.name.clone());
        names.extend(rest.filter(met));
        let cell = |player: &String, against: &String| {
            let found =
                analysis.pairs.iter().find(|pair| pair.player == *player && pair.against == *against)?;
            Some((found.row.score, format!("{} ({})", percent(found.row.score), found.row.games)))
        };
        let cells = names.iter().map(|a| names.iter().map(|b| cell(a, b)).collect()).collect();
        let caption =
            "Score of the row against the column, of 100, and matches. Against itself: of the first seat.";
        out.plot(&format!("{prefix}pairings"), caption, Heat { names, cells }.svg());
    }
}

fn sequential(analysis: &Analysis, out: &mut Document, level: u8) {
    let Some(test) = &analysis.sequential else { return };
    out.heading(level, "Sequential test");
    let SequentialTest { player, against, elo0, elo1, alpha, beta, .. } = test;
    let elo = test.scale.unit();
    let looked = match test.pairs {
        Some(_) => "pairs of matches with exchanged seats",
        None => "single matches",
    };
    out.text(format!(
        "Sequential probability ratio test (Wald's bounds; generalised: Li, Liu and Ying, 2014) of {looked}, checked after every round of seatings in the order of the plan. The first hypothesis: {player} is stronger than {against} by at most {elo0} {elo}; the second: by at least {elo1} {elo}. The second is wrongly accepted with probability {alpha}, the first with probability {beta}."
    ));
    if let Some(pairs) = &test.pairs {
        let counts = list(pairs.iter().map(u64::to_string));
        out.text(format!("Pairs in which {player} had 0, ½, 1, 1½ and 2 points: {counts}."));
    }
    let row = vec![
        test.matches.to_string(),
        test.won.to_string(),
        test.drawn.to_string(),
        test.lost.to_string(),
        format!("{:.2}", test.ratio),
        format!("{:.2} and {:.2}", test.lower, test.upper),
        match test.decision {
            "stronger" => "the second hypothesis",
            "not-stronger" => "the first hypothesis",
            _ => "none yet",
        }
        .to_string(),
    ];
    let head = ["matches", "won", "drawn", "lost", "log-likelihood ratio", "bounds", "accepted"];
    out.table(&head, vec![row], &[6]);
    out.text(format!(
        "**{}.** The matches were looked at while they were played, so tests for a fixed number of matches do not apply, and the intervals of scores and ratings, which assume a fixed number, are only descriptive.",
        test.sentence()
    ));
}

fn tests(analysis: &Analysis, out: &mut Document, level: u8) {
    if analysis.tests.is_empty() && analysis.uneven.is_empty() {
        return;
    }
    out.heading(level, "Tests");
    if !analysis.uneven.is_empty() {
        out.text(format!(
            "Neither tested nor rated: {}. They do not sit in each other's seats equally often, so a difference may be one between seats.",
            list(analysis.uneven.iter().cloned())
        ));
    }
    if analysis.tests.is_empty() {
        return;
    }
    let count = analysis.tests.len();
    out.text(format!(
        "Whether wins and losses may come from equal chances: {} of decided matches (sign test), two-sided; p is corrected for {count} {} by Holm's method.",
        analysis.tests[0].test,
        if count == 1 { "test" } else { "tests" }
    ));
    let rows = analysis.tests.iter().map(|test| {
        let found = match (test.significant, test.share > 0.5) {
            (false, _) => "no difference found",
            (true, true) => "the first is ahead",
            (true, false) => "the second is ahead",
        };
        vec![
            test.question.clone(),
            test.decided.to_string(),
            percent(test.share),
            chance(test.p),
            chance(test.corrected),
            found.to_string(),
        ]
    });
    out.table(
        &["question", "decided", "won by the first", "p", "corrected p", "finding"],
        rows.collect(),
        &[5],
    );
}

fn ratings(analysis: &Analysis, out: &mut Document, level: u8, prefix: &str) {
    if analysis.ratings.len() < 2 {
        return;
    }
    out.heading(level, "Ratings");
    out.text("Elo points by the model of Bradley and Terry with an advantage for each pair of seats, and a weak prior (half a drawn game against the average); the players' average is 0.");
    let mut rows: Vec<_> = analysis.ratings.iter().collect();
    rows.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    let all = || rows.iter().copied().chain(&analysis.advantages);
    let line = |name: &str, elo: f64, low: f64, high: f64| {
        vec![name.to_string(), format!("{elo:+.0}"), format!("{low:+.0} to {high:+.0}")]
    };
    let table = all().map(|found| line(&found.name, found.elo, found.low, found.high)).collect();
    out.table(&["", "Elo", "interval"], table, &[]);
    let points: Vec<_> = all().map(|found| (found.name.clone(), found.elo, found.low, found.high)).collect();
    let caption = "Ratings, and what seats are worth, with their intervals.";
    out.plot(&format!("{prefix}ratings"), caption, dots("Elo", &points));
}

fn budgets(plan: &Plan, analysis: &Analysis, out: &mut Document, level: u8, prefix: &str) {
    if analysis.budgets.is_empty() {
        return;
    }
    out.heading(level, "Results by budget");
    let mut games: Vec<&str> = analysis.budgets.iter().map(|found| found.game.as_str()).collect();
    games.dedup();
    for game in games {
        let alone = plan.games.iter().any(|known| known.name == game && known.seats().len() < 2);
        let score = if alone { "goal" } else { "score" };
        for is_role in [false, true] {
            let here = |found: &&super::BudgetRow| found.game == game && found.is_role == is_role;
            let mut names: Vec<&str> = Vec::new();
            for found in analysis.budgets.iter().filter(here) {
                if !names.contains(&found.row.name.as_str()) {
                    names.push(&found.row.name);
                }
            }
            if names.is_empty() {
                continue;
            }
            let series = names.iter().map(|name| {
                let own = analysis.budgets.iter().filter(here).filter(|found| found.row.name == *name);
                let point = |found: &super::BudgetRow| {
                    let (y, low, high) = (found.row.score, found.row.low, found.row.high);
                    Point { x: found.value, y: 100.0 * y, low: 100.0 * low, high: 100.0 * high }
                };
                Series { name: name.to_string(), points: own.map(point).collect() }
            });
            let lines = Lines {
                x: "budget".to_string(),
                y: if alone { "goal" } else { "score, of 100" }.to_string(),
                logarithmic: true,
                y_logarithmic: false,
                range: Some((0.0, 100.0)),
                series: series.collect(),
            };
            let (what, file) = if is_role { ("role", "roles") } else { ("player", "players") };
            let caption = format!("{game}: {score} by {what} and budget.");
            out.plot(&format!("{prefix}budget-{file}-{game}"), &caption, lines.svg());
        }
        let rows = analysis.budgets.iter().filter(|found| found.game == game).map(|found| {
            let mut cells = row(&found.row.name, &found.row, alone);
            cells.insert(1, found.budget.clone());
            cells
        });
        let head = head(&[game, "budget"], alone);
        out.table(&head, rows.collect(), &[]);
    }
}

fn lengths(analysis: &Analysis, out: &mut Document, level: u8, prefix: &str) {
    if analysis.lengths.is_empty() {
        return;
    }
    out.heading(level, "Lengths");
    let rows = analysis.lengths.iter().map(|found| {
        vec![
            found.game.clone(),
            found.matches.to_string(),
            found.shortest.to_string(),
            found.median.to_string(),
            format!("{:.1}", found.mean),
            found.longest.to_string(),
        ]
    });
    let head = ["steps of a match", "matches", "shortest", "median", "mean", "longest"];
    out.table(&head, rows.collect(), &[]);
    for found in analysis.lengths.iter().filter(|found| found.bins.len() > 1) {
        let bars = found.bins.iter().map(|bin| (bin.0 as f64, bin.1 as f64, bin.2 as f64)).collect();
        let svg = Bars { x: "steps".to_string(), y: "matches".to_string(), bars }.svg();
        let caption = format!("{}: how long matches were.", found.game);
        out.plot(&format!("{prefix}lengths-{}", found.game), &caption, svg);
    }
}
