//! The numbers of a report.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use statistics::{Confidence, Estimate, Game, rate};

use super::significance::{Power, TestRow, test_all};
use crate::{FaultRow, MatchResult, Plan, PlanGame, Results, Score, SequentialTest, Standings};

/// The version of this format.
const VERSION: u32 = 1;

/// Everything that the results of a tournament show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The version of the format.
    pub version: u32,
    /// The name of the tournament.
    pub name: String,
    /// Its title, for people.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// The digest of the plan.
    pub plan: String,
    /// The number of matches in the plan.
    pub planned: u64,
    /// The number of matches played.
    pub played: u64,
    /// Whether nothing is left to play.
    pub complete: bool,
    /// The openings of each game that has some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<OpeningRow>,
    /// Whether another run gives the same results.
    pub repeatable: bool,
    /// The confidence level of intervals.
    pub confidence: f64,
    /// The number of matches that were broken off.
    pub broken_off: u64,
    /// The number of matches that a player lost by forfeit.
    #[serde(skip_serializing_if = "is_zero")]
    pub forfeited: u64,
    /// The number of moves that the referee made for a player.
    pub replaced: u64,
    /// The players for whom it made them, and how many, where known.
    pub replaced_for: Vec<(String, u64)>,
    /// The same by seat with the reasons, and who forfeited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRow>,
    /// The scores by player.
    pub players: Vec<Row>,
    /// The scores by pair of players.
    pub pairs: Vec<PairRow>,
    /// The scores by game and role, named `game: role`.
    pub roles: Vec<Row>,
    /// The scores by game and budget, for players and roles.
    pub budgets: Vec<BudgetRow>,
    /// The Elo ratings of the players; their mean is 0.
    pub ratings: Vec<Rated>,
    /// The Elo advantage of one seat over another.
    pub advantages: Vec<Rated>,
    /// The sequential test, if the plan is one.
    pub sequential: Option<SequentialTest>,
    /// All tests for a fixed number of matches, corrected together. Empty if there is a sequential test,
    /// because that has already looked at the same matches while they were played.
    pub tests: Vec<TestRow>,
    /// Pairs of players that do not take each other's seats equally often, so a difference between them may
    /// be a difference between seats. They are not tested, and if there are any, no player is rated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uneven: Vec<String>,
    /// What a comparison of two players can detect, if the number of matches is fixed.
    pub power: Option<Power>,
    /// The lengths of matches.
    pub lengths: Vec<Lengths>,
}

/// Counts, score and mean goal, with their intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The player or role.
    pub name: String,
    /// The number of matches.
    pub games: u64,
    /// The number of wins; like the next two, `None` if there was no opponent.
    pub won: Option<u64>,
    /// The number of draws.
    pub drawn: Option<u64>,
    /// The number of losses.
    pub lost: Option<u64>,
    /// The mean points of a match, from 0 to 1; the mean goal divided by 100 if there was no opponent.
    pub score: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The mean goal.
    pub goal: Option<f64>,
    /// The lower end of its interval.
    pub goal_low: Option<f64>,
    /// The upper end.
    pub goal_high: Option<f64>,
}

/// One player against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairRow {
    /// The player whose points are counted.
    pub player: String,
    /// The opponent.
    pub against: String,
    /// The counts.
    pub row: Row,
}

/// The openings of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpeningRow {
    /// The game.
    pub game: String,
    /// The number of openings.
    pub openings: u64,
    /// The number of those that were played.
    pub played: u64,
}

/// A player or a role at one budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BudgetRow {
    /// The game.
    pub game: String,
    /// The name of the budget.
    pub budget: String,
    /// The budget as a number, for plots: its counted value, otherwise seconds per move.
    pub value: f64,
    /// Whether this is a role rather than a player.
    pub is_role: bool,
    /// The counts.
    pub row: Row,
}

/// Elo points with an interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rated {
    /// The player, or the pair of seats.
    pub name: String,
    /// The most likely value.
    pub elo: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The lengths of the matches of a game, in steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengths {
    /// The game.
    pub game: String,
    /// The number of matches.
    pub matches: u64,
    /// The shortest.
    pub shortest: u64,
    /// The median.
    pub median: u64,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: u64,
    /// Histogram bins: first length, first length of the next bin, and number of matches.
    pub bins: Vec<(u64, u64, u64)>,
}

impl Analysis {
    /// Computes the numbers from results.
    pub fn of(plan: &Plan, results: &Results) -> Analysis {
        let confidence = Confidence::new(plan.confidence).unwrap_or(Confidence::P95);
        let standings = Standings::of(plan, &results.matches);
        let mut pairs: Vec<_> = standings.pairs.iter().collect();
        pairs.sort_by_key(|pair| (order(plan, &pair.player), order(plan, &pair.against)));
        let sequential = SequentialTest::of(plan, &results.matches);
        let mut questions = Vec::new();
        let mut uneven = Vec::new();
        for pair in pairs.iter().filter(|_| sequential.is_none()) {
            let (player, against) = (order(plan, &pair.player), order(plan, &pair.against));
            let question = format!("{} against {}", pair.player, pair.against);
            if player < against && is_even(plan, player, against) {
                questions.push((question, pair.tally.clone()));
            } else if player < against {
                uneven.push(question);
            }
        }
        for game in plan.games.iter().filter(|_| sequential.is_none()) {
            let seats: Vec<_> = standings.seats.iter().filter(|seat| seat.game == game.name).collect();
            if let [first, second] = seats[..] {
                let question = format!("{}: {} against {}", game.name, first.role, second.role);
                questions.push((question, first.tally.clone()));
            }
        }
        let smallest = pairs.iter().map(|pair| pair.tally.games).min().unwrap_or(standings.matches);
        let compares = !pairs.is_empty() || plan.games.iter().any(|game| game.seats().len() == 2);
        let (ratings, advantages) = match uneven.is_empty() {
            true => ratings(plan, &results.matches, confidence),
            false => (Vec::new(), Vec::new()),
        };
        Analysis {
            version: VERSION,
            name: plan.name.clone(),
            title: plan.title.clone().unwrap_or_else(|| plan.name.clone()),
            seed: plan.seed,
            plan: plan.digest(),
            planned: plan.len(),
            played: standings.matches,
            complete: results.complete,
            openings: openings(plan, &results.matches),
            repeatable: plan.repeatable,
            confidence: plan.confidence,
            broken_off: standings.broken_off,
            forfeited: standings.forfeited,
            replaced: standings.replaced,
            replaced_for: standings
                .players
                .iter()
                .filter(|row| row.replaced > 0)
                .map(|row| (row.player.clone(), row.replaced))
                .collect(),
            faults: crate::faults(plan, &results.matches),
            players: standings.players.iter().map(|p| Row::of(&p.player, &p.tally, confidence)).collect(),
            pairs: pairs
                .iter()
                .map(|pair| PairRow {
                    player: pair.player.clone(),
                    against: pair.against.clone(),
                    row: Row::of(&pair.player, &pair.tally, confidence),
                })
                .collect(),
            roles: standings
                .seats
                .iter()
                .map(|seat| Row::of(&format!("{}: {}", seat.game, seat.role), &seat.tally, confidence))
                .collect(),
            budgets: budgets(plan, &results.matches, confidence),
            ratings,
            advantages,
            tests: test_all(questions, 1.0 - plan.confidence),
            uneven,
            power: (sequential.is_none() && compares).then(|| Power::of(smallest, confidence)),
            sequential,
            lengths: plan.games.iter().filter_map(|game| lengths(&game.name, &results.matches)).collect(),
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn order(plan: &Plan, name: &str) -> usize {
    plan.players.iter().position(|player| player.name == name).unwrap_or(usize::MAX)
}

/// Returns `true` if two players take each other's seats equally often in every game.
fn is_even(plan: &Plan, one: usize, other: usize) -> bool {
    let mut surplus: BTreeMap<(usize, usize, usize), i64> = BTreeMap::new();
    for cell in &plan.cells {
        let seats = |player: usize| {
            let sits = move |(_, seated): &(usize, &usize)| **seated == player;
            cell.seating.iter().enumerate().filter(sits).map(|(seat, _)| seat)
        };
        for first in seats(one) {
            for second in seats(other) {
                *surplus.entry((cell.game, first, second)).or_default() += cell.matches as i64;
                // Matches in which the two have swapped their seats cancel out.
                *surplus.entry((cell.game, second, first)).or_default() -= cell.matches as i64;
            }
        }
    }
    surplus.values().all(|surplus| *surplus == 0)
}

impl Row {
    pub(crate) fn of(name: &str, tally: &Score, confidence: Confidence) -> Row {
        let (interval, goal) = (tally.interval(confidence), tally.goal_interval(confidence));
        let known = tally.games == 0 || tally.contests() > 0;
        Row {
            name: name.to_string(),
            games: tally.games,
            won: known.then_some(tally.won),
            drawn: known.then_some(tally.drawn),
            lost: known.then_some(tally.lost),
            score: tally.score().unwrap_or(0.0),
            low: interval.low,
            high: interval.high,
            goal: tally.goals.value(),
            goal_low: goal.map(|interval| interval.low),
            goal_high: goal.map(|interval| interval.high),
        }
    }
}

fn budgets(plan: &Plan, matches: &[MatchResult], confidence: Confidence) -> Vec<BudgetRow> {
    let mut rows = Vec::new();
    if plan.budgets.len() < 2 {
        return rows;
    }
    for game in &plan.games {
        for budget in &plan.budgets {
            let here = |result: &&MatchResult| result.game == game.name && result.budget == budget.name;
            let standings = Standings::of(plan, matches.iter().filter(here));
            let value = budget.value.map_or(budget.play_clock as f64 / 1000.0, |value| value as f64);
            let mut put = |name: &str, is_role: bool, tally: &Score| {
                if tally.games > 0 {
                    rows.push(BudgetRow {
                        game: game.name.clone(),
                        budget: budget.name.clone(),
                        value,
                        is_role,
                        row: Row::of(name, tally, confidence),
                    });
                }
            };
            standings.players.iter().for_each(|player| put(&player.player, false, &player.tally));
            standings.seats.iter().for_each(|seat| put(&seat.role, true, &seat.tally));
        }
    }
    rows
}

/// Estimates the Elo ratings of players, and of each seat relative to another.
fn ratings(plan: &Plan, matches: &[MatchResult], confidence: Confidence) -> (Vec<Rated>, Vec<Rated>) {
    // The kinds of advantage: a game and a pair of seats.
    let mut kinds: Vec<(usize, usize, usize)> = Vec::new();
    let mut sums: BTreeMap<(usize, usize, usize), (f64, f64)> = BTreeMap::new();
    for result in matches {
        let Some(number) = plan.games.iter().position(|game| game.name == result.game) else { continue };
        let Some(scores) = result.scores(&plan.games[number]) else { continue };
        for second in 1..scores.len() {
            for first in 0..second {
                let (a, b) = (order(plan, &result.players[first]), order(plan, &result.players[second]));
                if a == b {
                    continue;
                }
                let kind = (number, first, second);
                let at = kinds.iter().position(|other| *other == kind).unwrap_or_else(|| {
                    kinds.push(kind);
                    kinds.len() - 1
                });
                let sum = sums.entry((a, b, at)).or_default();
                *sum = (sum.0 + scores[first].against(&scores[second]).points, sum.1 + 1.0);
            }
        }
    }
    let game = |((first, second, kind), (score, games)): (&(usize, usize, usize), &(f64, f64))| Game {
        first: *first,
        second: *second,
        advantage: Some(*kind),
        score: *score,
        games: *games,
    };
    let games: Vec<Game> = sums.iter().map(game).collect();
    if games.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let Ok(found) = rate(plan.players.len(), kinds.len(), &games, true) else {
        return (Vec::new(), Vec::new());
    };
    let rated = |name: String, estimate: Estimate| {
        let interval = estimate.elo().interval(confidence);
        Rated { name, elo: estimate.elo().value, low: interval.low, high: interval.high }
    };
    let players = plan.players.iter().zip(&found.players).map(|(p, e)| rated(p.name.clone(), *e)).collect();
    let seat = |(game, first, second): &(usize, usize, usize)| {
        let game = &plan.games[*game];
        let role = |seat: &usize| game.roles[game.seats()[*seat]].clone();
        format!("{}: {} before {}", game.name, role(first), role(second))
    };
    let advantages = kinds.iter().zip(&found.advantages).map(|(kind, e)| rated(seat(kind), *e)).collect();
    (players, advantages)
}

fn openings(plan: &Plan, matches: &[MatchResult]) -> Vec<OpeningRow> {
    let row = |game: &PlanGame| {
        let own = matches.iter().filter(|result| result.game == game.name);
        let played: BTreeSet<usize> = own.filter_map(|result| result.opening).collect();
        let (openings, played) = (game.openings.len() as u64, played.len() as u64);
        OpeningRow { game: game.name.clone(), openings, played }
    };
    plan.games.iter().filter(|game| !game.openings.is_empty()).map(row).collect()
}

fn lengths(game: &str, matches: &[MatchResult]) -> Option<Lengths> {
    let mut steps: Vec<u64> = matches.iter().filter(|m| m.game == game).map(|m| m.steps).collect();
    steps.sort_unstable();
    let (&shortest, &longest) = (steps.first()?, steps.last()?);
    let width = (longest - shortest + 1).div_ceil(40).max(1);
    let bins = (0..=(longest - shortest) / width).map(|bin| {
        let from = shortest + bin * width;
        let count = steps.partition_point(|s| *s < from + width) - steps.partition_point(|s| *s < from);
        (from, from + width, count as u64)
    });
    Some(Lengths {
        game: game.to_string(),
        matches: steps.len() as u64,
        shortest,
        median: steps[steps.len() / 2],
        mean: steps.iter().sum::<u64>() as f64 / steps.len() as f64,
        longest,
        bins: bins.collect(),
    })
}
