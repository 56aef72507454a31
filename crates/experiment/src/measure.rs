//! What can be measured in the outcome of a part.

use std::collections::BTreeMap;

use statistics::Mean;
use tournament::Score;
use tournament::spec_text::{Form, Reading};

use super::figure::Select;
use super::outcome::{Outcome, PlayoutCounts};

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// The share of wins.
    Wins,
    /// The share of draws.
    Draws,
    /// The share of losses.
    Losses,
    /// The mean points.
    Score,
    /// The mean goal.
    Goal,
    /// The mean number of steps.
    Length,
    /// The fewest steps of a match.
    Shortest,
    /// The most steps of a match.
    Longest,
    /// The number of steps that this share of the matches does not exceed.
    Quantile(f64),
    /// The mean number of states visited in a match, as counted by its player.
    States,
    /// A number in the answer to a question.
    Pointer(String),
}

/// A measured value.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// A count out of a total.
    Share(u64, u64),
    /// The score of some matches.
    Score(Score),
    /// A mean.
    Mean(Mean),
    /// A number, and the number of values that it comes from; 0 if that is unknown.
    Number(f64, u64),
    /// A number that is known to be exact.
    Exact(f64),
    /// A number, the ends of its interval, and the number of values that it comes from.
    Ranged {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// The number of values.
        count: u64,
    },
}

impl Measure {
    const NAMES: [&'static str; 10] =
        ["wins", "draws", "losses", "score", "goal", "length", "shortest", "longest", "quantile", "states"];

    pub(crate) fn read(form: &Form<'_>, reading: &Reading) -> Option<Measure> {
        if let Some(pointer) = form.text("pointer") {
            if !pointer.value.starts_with('/') {
                reading.complain(&pointer.span, "A pointer is a path such as `/roles/0/value`.");
            }
            return Some(Measure::Pointer(pointer.value));
        }
        let Some(word) = form.choice("measure", &Measure::NAMES) else {
            if form.entry("measure").is_none() {
                form.missing("measure", "\"wins\"");
            }
            return None;
        };
        Some(match word.value {
            "wins" => Measure::Wins,
            "draws" => Measure::Draws,
            "losses" => Measure::Losses,
            "score" => Measure::Score,
            "goal" => Measure::Goal,
            "states" => Measure::States,
            "shortest" => Measure::Shortest,
            "longest" => Measure::Longest,
            "quantile" => {
                if form.entry("quantile").is_none() {
                    form.missing("quantile", "0.9");
                }
                Measure::Quantile(form.real("quantile", 0.0..=1.0)?.value)
            }
            _ => Measure::Length,
        })
    }

    /// Returns `true` if the value is between 0 and 1, and reported in percent.
    pub(crate) fn is_share(&self) -> bool {
        matches!(self, Measure::Wins | Measure::Draws | Measure::Losses | Measure::Score)
    }

    /// Returns the least and the greatest value that it can have, if they are known. Goals can lie outside
    /// of 0 to 100, but hardly ever do.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        match self {
            Measure::Wins | Measure::Draws | Measure::Losses | Measure::Score => Some((0.0, 1.0)),
            Measure::Goal => Some((0.0, 100.0)),
            Measure::Pointer(_) => None,
            _ => Some((0.0, f64::INFINITY)),
        }
    }

    /// Returns its name in reports.
    pub fn name(&self) -> &str {
        match self {
            Measure::Wins => "wins",
            Measure::Draws => "draws",
            Measure::Losses => "losses",
            Measure::Score => "score",
            Measure::Goal => "mean goal",
            Measure::Length => "mean length",
            Measure::Shortest => "shortest",
            Measure::Longest => "longest",
            Measure::Quantile(_) => "quantile of length",
            Measure::States => "mean states",
            Measure::Pointer(path) => path,
        }
    }

    /// Measures an outcome. Returns `None` if the outcome has no such value.
    pub fn of(&self, outcome: &Outcome, select: &Select) -> Option<Measured> {
        if let Measure::Pointer(path) = self {
            let found = |json: &serde_json::Value| json.pointer(path).and_then(pointed);
            return match outcome {
                Outcome::Json(json) => found(json),
                Outcome::Turns(costs) => found(&costs.json()),
                _ => None,
            };
        }
        let Sums { matches, score, lengths, spread, states } = sums(outcome, select)?;
        if matches == 0 {
            return None;
        }
        let lengths_seen = spread.values().sum();
        let end = |found: Option<(&u64, &u64)>| {
            found.map(|(steps, _)| Measured::Number(*steps as f64, lengths_seen))
        };
        let share =
            |count: fn([u64; 3]) -> u64| score.wdl().map(|wdl| Measured::Share(count(wdl), score.games));
        match self {
            Measure::Wins => share(|[won, ..]| won),
            Measure::Draws => share(|[_, drawn, _]| drawn),
            Measure::Losses => share(|[.., lost]| lost),
            Measure::Score => score.wdl().map(|_| Measured::Score(score)),
            Measure::Goal => score.goals.value().map(|_| Measured::Mean(score.goals)),
            Measure::Length => Some(Measured::Mean(lengths)),
            Measure::Shortest => end(spread.first_key_value()),
            Measure::Longest => end(spread.last_key_value()),
            Measure::Quantile(share) => quantile(&spread, *share),
            Measure::States => states.value().map(|_| Measured::Mean(states)),
            Measure::Pointer(_) => None,
        }
    }
}

/// Returns what an answer contains at the pointer: a number, or an object with its `value` and its standard
/// `error`, or the ends of its interval, `low` and `high`, or the statement that it is exact.
fn pointed(found: &serde_json::Value) -> Option<Measured> {
    if let Some(number) = found.as_f64() {
        return Some(Measured::Number(number, 0));
    }
    let of = |key: &str| found.get(key).and_then(serde_json::Value::as_f64);
    let (value, count) = (of("value")?, found.get("count").and_then(serde_json::Value::as_u64).unwrap_or(0));
    if found.get("kind").is_some_and(|kind| kind == "exact") {
        return Some(Measured::Exact(value));
    }
    match (of("error"), of("low"), of("high")) {
        (Some(error), ..) => Some(Measured::Mean(Mean::with_error(count, value, error))),
        (None, Some(low), Some(high)) => Some(Measured::Ranged { value, low, high, count }),
        _ => Some(Measured::Number(value, count)),
    }
}

/// Returns a quantile of the lengths with its 95 % interval, whose ranks come from the normal
/// approximation. `spread` maps lengths to how often they occur.
fn quantile(spread: &BTreeMap<u64, u64>, share: f64) -> Option<Measured> {
    let count: u64 = spread.values().sum();
    if count == 0 {
        return None;
    }
    let at = |rank: f64| {
        let rank = rank.clamp(1.0, count as f64) as u64;
        let mut before = 0;
        spread.iter().find(|(_, times)| {
            before += **times;
            before >= rank
        })
    };
    let (n, reach) = (count as f64, 1.96 * (count as f64 * share * (1.0 - share)).sqrt());
    let of = |rank: f64| at(rank).map(|(steps, _)| *steps as f64);
    let (low, high) = (of((n * share - reach).floor())?, of((n * share + reach).ceil() + 1.0)?);
    Some(Measured::Ranged { value: of((n * share).ceil())?, low, high, count })
}

/// What was counted in the selected matches.
struct Sums {
    matches: u64,
    score: Score,
    lengths: Mean,
    /// How often each length occurs; empty if that is unknown.
    spread: BTreeMap<u64, u64>,
    states: Mean,
}

/// Returns wins, draws and losses of the selected matches, or `None` if there was no opponent.
pub(crate) fn counts(outcome: &Outcome, select: &Select) -> Option<[u64; 3]> {
    sums(outcome, select)?.score.wdl()
}

fn sums(outcome: &Outcome, select: &Select) -> Option<Sums> {
    match outcome {
        Outcome::Tournament(plan, results) => {
            let (mut score, mut lengths, mut states) = (Score::default(), Mean::default(), Mean::default());
            let mut spread: BTreeMap<u64, u64> = BTreeMap::new();
            for result in &results.matches {
                let same =
                    |wanted: &Option<String>, found: &String| wanted.as_ref().is_none_or(|w| w == found);
                let fits = same(&select.game, &result.game)
                    && same(&select.budget, &result.budget)
                    && select.lineup.as_ref().is_none_or(|lineup| *lineup == result.players);
                let Some(game) = plan.games.iter().find(|game| game.name == result.game).filter(|_| fits)
                else {
                    continue;
                };
                let seats = game.seats();
                let seat = |seat: &usize| {
                    select.role.as_ref().is_none_or(|role| game.roles[seats[*seat]] == *role)
                        && select.player.as_ref().is_none_or(|player| result.players[*seat] == *player)
                };
                let Some(seat) = (0..seats.len()).find(seat) else { continue };
                if let Some(scores) = result.scores(game) {
                    score.add(&scores[seat]);
                }
                lengths.add(result.steps as f64);
                *spread.entry(result.steps).or_default() += 1;
                if let Some(visited) = result.states.get(seat) {
                    states.add(*visited as f64);
                }
            }
            Some(Sums { matches: lengths.count(), score, lengths, spread, states })
        }
        Outcome::Playouts(PlayoutCounts { roles, playouts, scores, lengths, by_length, .. }) => {
            let wanted = select.role.as_ref();
            let at = roles.iter().position(|role| wanted.is_none_or(|wanted| wanted == role))?;
            let spread = by_length.iter().copied().collect();
            let (matches, score, lengths) = (*playouts, scores[at].clone(), *lengths);
            Some(Sums { matches, score, lengths, spread, states: Mean::default() })
        }
        Outcome::Json(_) | Outcome::Turns(_) => None,
    }
}
