//! The cost of a turn by its number.
//!
//! Rules that keep a history make later turns more expensive than earlier ones, and players notice only
//! when their clock runs out. Here random games are played (`walk`), and around selected turns the cost of
//! one turn is measured: for a referee that follows the game from its beginning, with each reasoner
//! (`referee`), and for players (`player`). The cost is CPU time, so other processes on the machine do not
//! matter. The interpreter also shows which clauses grew (`blame`).

mod blame;
mod player;
mod referee;
mod walk;

use std::sync::Arc;
use std::time::Duration;

use game::{AnyGame, Fault, Seed, SpecError, StopToken};
use library::{Loaded, PlayError, SourceError};
use reasoner::{CircuitGame, Interpreter, Limits, Prover, WORK_PER_SECOND};
use serde::{Deserialize, Serialize};

pub use blame::RuleGrowth;
use walk::{Walk, find, numbers};

/// What is measured.
#[derive(Debug, Clone)]
pub struct TurnSampling {
    /// The reasoners with which a referee's turn is measured.
    pub reasoners: Vec<String>,
    /// The players whose turns are measured, with the fastest reasoner.
    pub players: Vec<String>,
    /// The turns to measure, ascending; the first joint move is turn 1.
    pub at: Vec<u32>,
    /// The number of random games.
    pub walks: usize,
    /// The time after which a question is given up.
    pub limit: Duration,
    /// The seed.
    pub seed: Seed,
}

/// The cost of the turns of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnCosts {
    /// The game.
    pub game: String,
    /// The number of turns of each random game.
    pub lengths: Vec<u32>,
    /// One curve for each reasoner and player.
    pub curves: Vec<TurnCurve>,
    /// The clauses whose cost grew most from the first to the last turn, according to the interpreter.
    pub rules: Vec<RuleGrowth>,
}

/// The cost of turns for one reasoner or player, in seconds of CPU time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnCurve {
    /// The reasoner or player.
    pub by: String,
    /// Whether it is a player.
    pub is_player: bool,
    /// The measured turns, in order.
    pub points: Vec<TurnPoint>,
    /// The cost of the last turn divided by that of the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub growth: Option<f64>,
    /// Why there are no further points, if something prevented them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gave_up: Option<String>,
}

/// The cost of one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnPoint {
    /// The number of the turn.
    pub turn: u32,
    /// The median of the samples.
    pub seconds: f64,
    /// The smallest sample.
    pub low: f64,
    /// The largest sample.
    pub high: f64,
    /// The number of samples.
    pub samples: usize,
}

/// Why turns could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum TurnsError {
    /// The game was not found.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The game cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The player could not be created.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The game or the player failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Only rule sheets can be given to a reasoner.
    #[error("It is not a rule sheet.")]
    NoSheet,
}

/// Measures the turns of a game. `like` is a game with the same moves that plays faster; if it is given,
/// long games are searched for in it instead. `tell` is called with what is done next.
pub fn turn_costs(
    loaded: &Loaded,
    like: Option<&Loaded>,
    sampling: &TurnSampling,
    stop: &StopToken,
    tell: &dyn Fn(&str),
) -> Result<TurnCosts, TurnsError> {
    let next = |what: &str| tell(&format!("{}, {what}", loaded.source.name));
    next("looking for long games");
    let fastest = loaded.play_patiently("auto")?.game;
    let quick = match like {
        Some(like) => like.play_patiently("auto")?.game,
        None => fastest.clone(),
    };
    let indexes = numbers(&quick, sampling)?;
    drop(quick);
    let walks = find(&fastest, sampling, &indexes)?;
    let mut curves = Vec::new();
    for name in &sampling.reasoners {
        if !stop.is_stopped() {
            next(name);
            curves.push(match behind(loaded, &fastest, name, sampling.limit) {
                Ok(game) => referee::measure(&game, name, &walks, sampling, stop),
                Err(why) => TurnCurve::of(name, false, Vec::new(), Some(why.to_string())),
            });
        }
    }
    for spec in &sampling.players {
        if !stop.is_stopped() {
            next(spec);
            curves.push(player::measure(&fastest, spec, &walks, sampling, stop));
        }
    }
    let rules = match stop.is_stopped() {
        true => Vec::new(),
        false => {
            next("rule by rule");
            blame::rules(loaded, &walks, sampling)
        }
    };
    let lengths = walks.iter().map(Walk::len).collect();
    Ok(TurnCosts { game: loaded.source.name.clone(), lengths, curves, rules })
}

/// Returns limits for a question that takes about this long on an idle machine.
fn limits(time: Duration) -> Limits {
    let work = (time.as_secs_f64() * WORK_PER_SECOND as f64) as u64;
    Limits { work, ..Limits::default() }
}

/// Returns the game with a reasoner that gives up a question after about this time.
fn behind(loaded: &Loaded, fastest: &AnyGame, name: &str, time: Duration) -> Result<AnyGame, TurnsError> {
    let rules = loaded.rules().ok_or(TurnsError::NoSheet)?;
    let limits = limits(time);
    Ok(match name {
        "auto" => fastest.clone(),
        "circuit" if fastest.downcast::<CircuitGame>().is_some() => fastest.clone(),
        "interpreter" => AnyGame::new(Arc::new(Interpreter::with_limits(rules, limits)?)),
        "prover" => AnyGame::new(Arc::new(Prover::with_limits(rules, limits)?)),
        _ => loaded.play(name)?.game,
    })
}

impl TurnCurve {
    /// Creates a curve and computes its growth.
    fn of(by: &str, is_player: bool, points: Vec<TurnPoint>, gave_up: Option<String>) -> TurnCurve {
        let ends = points.first().zip(points.last()).filter(|(first, last)| first.turn < last.turn);
        let growth = ends.map(|(first, last)| last.seconds / first.seconds.max(1e-9));
        TurnCurve { by: by.to_string(), is_player, points, growth, gave_up }
    }
}

impl TurnPoint {
    /// Creates a point from samples. Returns `None` if there are none.
    fn of(turn: u32, mut samples: Vec<f64>) -> Option<TurnPoint> {
        samples.sort_by(f64::total_cmp);
        let (low, high) = (*samples.first()?, *samples.last()?);
        Some(TurnPoint { turn, seconds: samples[samples.len() / 2], low, high, samples: samples.len() })
    }
}

#[cfg(test)]
mod tests {
    use library::Library;
    use rules::Strictness;

    use super::*;

    /// A game whose state grows by one fact in every turn, each of which is copied again.
    const GROWING: &str = "
        (role walker) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)
        (way left) (way right)
        (<= (legal walker (go ?w)) (way ?w))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (next (went ?n ?w)) (true (step ?n)) (does walker (go ?w)))
        (<= (next (went ?n ?w)) (true (went ?n ?w)))
        (<= terminal (true (step 12)))
        (goal walker 100)";

    fn sampling() -> TurnSampling {
        TurnSampling {
            reasoners: vec!["circuit".into(), "prover".into(), "nobody".into()],
            players: vec!["random".into(), "mcts(playouts=10)".into()],
            at: vec![2, 6, 9, 40],
            walks: 2,
            limit: Duration::from_secs(5),
            seed: Seed(1),
        }
    }

    #[test]
    fn turns_of_reasoners_and_players_are_measured_as_far_as_games_go() {
        let source = library::from_bytes("growing".into(), "growing.kif".into(), Some("kif"), GROWING.into());
        let loaded = Loaded::new(source, Strictness::Lenient);
        let found = turn_costs(&loaded, None, &sampling(), &StopToken::default(), &|_| {}).unwrap();
        assert_eq!(found.lengths, [12, 12]);
        let turns = |curve: &TurnCurve| curve.points.iter().map(|point| point.turn).collect::<Vec<_>>();
        for curve in found.curves.iter().filter(|curve| curve.by != "nobody") {
            assert_eq!(turns(curve), [2, 6, 9], "{curve:?}");
            assert!(curve.growth.is_some() && curve.gave_up.is_none(), "{curve:?}");
        }
        assert!(found.curves[2].gave_up.is_some(), "there is no such reasoner");
        assert!(!found.rules.is_empty());
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<TurnCosts>(&text).unwrap().lengths, found.lengths);
    }

    #[test]
    fn a_game_with_the_same_moves_finds_the_walks() {
        let library = Library::embedded();
        let game = Loaded::new(library.find("tic_tac_toe").unwrap(), Strictness::Lenient);
        let sampling = TurnSampling { at: vec![2, 7], ..sampling() };
        let stop = StopToken::default();
        let alone = turn_costs(&game, None, &sampling, &stop, &|_| {}).unwrap();
        let like = turn_costs(&game, Some(&game), &sampling, &stop, &|_| {}).unwrap();
        assert_eq!(alone.lengths, like.lengths);
        assert!(alone.lengths.iter().all(|length| *length >= 7));
    }
}
