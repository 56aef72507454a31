//! Parts that measure the cost of turns by their number.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use analysis::turns::{TurnCosts, TurnCurve, TurnSampling, TurnsError, turn_costs};
use game::{Seed, StopToken};
use library::{Library, Loaded};
use rules::Strictness;
use serde::{Deserialize, Serialize};
use tournament::report::{Document, Lines, Point, Series};
use tournament::spec_text::{At, Form, Reading};

use super::extent::significant;
use super::spec::{game, reasoner};

/// What is measured.
#[derive(Debug, Clone)]
pub struct TurnsPart {
    /// The games as they are asked for.
    pub games: Vec<String>,
    /// A game with the same moves in which long random games are searched for.
    pub like: Option<String>,
    /// How to measure.
    pub sampling: TurnSampling,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnsTable {
    /// The results by game.
    pub games: Vec<TurnCosts>,
}

const KEYS: [&str; 12] = [
    "name",
    "kind",
    "quick",
    "games",
    "like",
    "reasoners",
    "players",
    "turns",
    "walks",
    "seconds",
    "seed",
    "title",
];

impl TurnsPart {
    pub(crate) fn read(
        form: &Form<'_>,
        folder: &Path,
        library: &Library,
        reading: &Reading,
    ) -> Option<TurnsPart> {
        form.only(&KEYS);
        if form.entry("games").is_none() {
            form.missing("games", "[\"hnefatafl_13\"]");
        }
        let texts = |key: &str| -> Vec<At<String>> {
            form.list(key).unwrap_or_default().iter().filter_map(|entry| entry.text(key)).collect()
        };
        let games = texts("games").into_iter().map(|named| game(named, folder, library, reading)).collect();
        let like = form.text("like").map(|named| game(named, folder, library, reading));
        for player in texts("players") {
            if let Err(error) = cast::check(&player.value) {
                reading.complain(&player.span, error.to_string());
            }
        }
        let plain = |key: &str| texts(key).into_iter().map(|found| found.value).collect::<Vec<String>>();
        let turns = form.list("turns").unwrap_or_default();
        let mut at: Vec<u32> =
            turns.iter().filter_map(|turn| Some(turn.number("turns", 1..=100_000)?.value as u32)).collect();
        at.sort_unstable();
        at.dedup();
        if at.is_empty() {
            form.missing("turns", "[10, 100, 400]");
        }
        let seconds = form.real("seconds", 0.001..=86_400.0).map_or(20.0, |found| found.value);
        Some(TurnsPart {
            games,
            like,
            sampling: TurnSampling {
                reasoners: texts("reasoners")
                    .into_iter()
                    .map(|named| reasoner(Some(named), reading))
                    .collect(),
                players: plain("players"),
                at,
                walks: form.number("walks", 1..=1000).map_or(3, |found| found.value as usize),
                limit: Duration::from_secs_f64(seconds),
                seed: Seed(form.number("seed", 0..=u64::MAX).map_or(1, |found| found.value)),
            },
        })
    }

    /// Returns `true` if [`TurnsTable::json`] can have a number at this pointer.
    pub(crate) fn measures(&self, pointer: &str) -> bool {
        let words: Vec<&str> = pointer.split('/').skip(1).collect();
        let by = |by: &str| {
            let all = self.sampling.reasoners.iter().chain(&self.sampling.players);
            all.into_iter().any(|known| known == by)
        };
        let named = |name: &str| {
            let stem = |game: &String| Path::new(game).file_stem().unwrap_or_default() == name;
            self.games.iter().any(stem)
        };
        match words[..] {
            ["most", who] => by(who),
            ["growth", game, who] => named(game) && by(who),
            ["cost", game, who, turn] => {
                named(game) && by(who) && self.sampling.at.iter().any(|at| at.to_string() == turn)
            }
            _ => false,
        }
    }

    /// Measures all games. Returns `None` if it is interrupted: a table of some games would take the place of
    /// an earlier one of all.
    pub(crate) fn run(
        &self,
        library: &Library,
        stop: &StopToken,
        tell: &dyn Fn(&str),
    ) -> Result<Option<TurnsTable>, TurnsError> {
        let load = |name: &String| Ok::<_, TurnsError>(Loaded::new(library.find(name)?, Strictness::Lenient));
        let like = self.like.as_ref().map(load).transpose()?;
        let mut games = Vec::new();
        for name in &self.games {
            let costs = turn_costs(&load(name)?, like.as_ref(), &self.sampling, stop, tell)?;
            if stop.is_stopped() {
                return Ok(None);
            }
            games.push(costs);
        }
        Ok(Some(TurnsTable { games }))
    }
}

impl TurnsTable {
    /// Returns what figures can point at: `/growth/GAME/BY`, `/cost/GAME/BY/TURN` in seconds, and
    /// `/most/BY` for the largest growth of all games.
    pub(crate) fn json(&self) -> serde_json::Value {
        let mut growth: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        let mut cost: BTreeMap<&str, BTreeMap<&str, BTreeMap<String, f64>>> = BTreeMap::new();
        let mut most: BTreeMap<&str, f64> = BTreeMap::new();
        for game in &self.games {
            for curve in &game.curves {
                if let Some(found) = curve.growth {
                    growth.entry(&game.game).or_default().insert(&curve.by, found);
                    let top = most.entry(&curve.by).or_insert(found);
                    *top = top.max(found);
                }
                let own = cost.entry(&game.game).or_default().entry(&curve.by).or_default();
                own.extend(curve.points.iter().map(|point| (point.turn.to_string(), point.seconds)));
            }
        }
        serde_json::json!({ "growth": growth, "cost": cost, "most": most })
    }

    /// Returns the reasoners and players that were measured, in order.
    fn everyone(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for curve in self.games.iter().flat_map(|game| &game.curves) {
            if !all.contains(&curve.by.as_str()) {
                all.push(&curve.by);
            }
        }
        all
    }

    /// Returns the name of the plot of one reasoner or player.
    pub(crate) fn plot_name(prefix: &str, by: &str) -> String {
        let plain = by.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        format!("{prefix}{}", plain.collect::<String>().trim_end_matches('-'))
    }

    /// Draws the plot of this name. Returns `false` if it is none of these.
    pub(crate) fn draw(&self, prefix: &str, name: &str, out: &mut Document) -> bool {
        let everyone = self.everyone();
        let Some(by) = everyone.iter().find(|by| TurnsTable::plot_name(prefix, by) == name) else {
            return false;
        };
        let series = self.games.iter().filter_map(|game| {
            let curve = game.curves.iter().find(|curve| curve.by == *by)?;
            let point = |p: &analysis::turns::TurnPoint| Point {
                x: f64::from(p.turn),
                y: 1000.0 * p.seconds,
                low: 1000.0 * p.low,
                high: 1000.0 * p.high,
            };
            let points: Vec<Point> = curve.points.iter().map(point).collect();
            (!points.is_empty()).then(|| Series { name: game.game.clone(), points })
        });
        let lines = Lines {
            x: "turn".to_string(),
            y: "milliseconds for a turn".to_string(),
            logarithmic: false,
            y_logarithmic: true,
            range: None,
            series: series.collect(),
        };
        if lines.series.is_empty() {
            return false;
        }
        let caption = format!("{by}: milliseconds of the processor for a turn, against its number.");
        out.plot(name, &caption, lines.svg());
        true
    }

    /// Returns the names of all plots.
    pub(crate) fn plots(&self, prefix: &str) -> Vec<String> {
        self.everyone().iter().map(|by| TurnsTable::plot_name(prefix, by)).collect()
    }

    /// Adds tables, and the rules that cause the growth.
    pub(crate) fn sections(&self, out: &mut Document) {
        out.text("Processor time of a turn, the median of several turns in a row in several random games; a referee's turn is all legal moves, the next state and whether the game is over there. Seconds are those of the machine at hand.");
        for by in self.everyone() {
            let rows = self.games.iter().filter_map(|game| {
                let curve = game.curves.iter().find(|curve| curve.by == by)?;
                Some(row(game, curve))
            });
            out.table(&[by, "first turn", "ms", "last turn", "ms", "growth"], rows.collect(), &[]);
            for (game, curve) in self.games.iter().flat_map(|game| game.curves.iter().map(move |c| (game, c)))
            {
                if let Some(why) = curve.gave_up.as_ref().filter(|_| curve.by == by) {
                    out.text(format!("{}: {why}", game.game));
                }
            }
        }
        let blamed = self.games.iter().flat_map(|game| {
            game.rules.iter().take(3).map(|rule| {
                vec![
                    game.game.clone(),
                    format!("{}: `{}`", rule.line, rule.head),
                    significant(1000.0 * rule.early, 3),
                    significant(1000.0 * rule.late, 3),
                    format!("{:.0} %", 100.0 * rule.share),
                ]
            })
        });
        let rows: Vec<Vec<String>> = blamed.collect();
        if !rows.is_empty() {
            out.text("The rules whose cost grows most from the first to the last of these turns, by the interpreter: the line and head of each, milliseconds in either turn, and its part of the growth.");
            out.table(&["", "rule", "early", "late", "part"], rows, &[1]);
        }
    }
}

fn row(game: &TurnCosts, curve: &TurnCurve) -> Vec<String> {
    let mut cells = vec![game.game.clone()];
    let ms = |seconds: f64| significant(1000.0 * seconds, 3);
    for point in [curve.points.first(), curve.points.last()] {
        cells.push(point.map_or("–".to_string(), |point| point.turn.to_string()));
        cells.push(point.map_or("–".to_string(), |point| ms(point.seconds)));
    }
    cells.push(curve.growth.map_or("–".to_string(), |growth| format!("{growth:.2}")));
    cells
}
