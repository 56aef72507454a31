//! Settings of the players of this crate.

use game::{Parameters, Spec};

use super::bag::{Remedy, Weights};
use super::nested::MAX_STEPS;

/// The settings of a [`super::HyperPlay`].
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The number of models in the bag.
    pub models: usize,
    /// The number of playouts for each model and move; as many as there is time for if `None`.
    pub playouts: Option<u32>,
    /// What is done about histories that occur more often in the bag than others.
    pub remedy: Remedy,
    /// How models are weighted.
    pub weights: Weights,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { models: 64, playouts: None, remedy: Remedy::Base, weights: Weights::Choice }
    }
}

const MODELS: std::ops::RangeInclusive<usize> = 1..=1_000_000;
const PLAYOUTS: std::ops::RangeInclusive<u32> = 1..=1_000_000;

/// The default maximum size of an information set whose histories are listed.
pub(super) const HISTORIES: usize = 1_000;
/// The allowed values of that setting.
pub(super) const LISTED: std::ops::RangeInclusive<usize> = 0..=1_000_000;

impl Settings {
    /// The syntax of a spec.
    pub const USAGE: &'static str =
        "hyperplay(models=64,playouts=N,remedy=base|weight|balance,weights=choice|sampled|even)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, String> {
        let given = Parameters::new(spec, &["models", "playouts", "remedy", "weights"])?;
        Settings::given(&given)
    }

    fn given(given: &Parameters<'_>) -> Result<Settings, String> {
        let usual = Settings::default();
        Ok(Settings {
            models: given.number("models", MODELS)?.unwrap_or(usual.models),
            playouts: given.number("playouts", PLAYOUTS)?,
            remedy: match given.choice("remedy", &["base", "weight", "balance"])? {
                "weight" => Remedy::Weight,
                "balance" => Remedy::Balance,
                _ => Remedy::Base,
            },
            weights: match given.choice("weights", &["choice", "sampled", "even"])? {
                "sampled" => Weights::Sampled,
                "even" => Weights::Even,
                _ => Weights::Choice,
            },
        })
    }
}

/// The settings of a [`super::HyperPlayTwo`].
#[derive(Debug, Clone, Copy)]
pub struct Nested {
    /// The player itself: models, and simulated games for each model and move.
    pub outer: Settings,
    /// The players in simulated games.
    pub inner: Settings,
    /// Whether the players of a simulated game think in every round of it from the beginning, as published,
    /// or reuse the bags of players who saw the same.
    pub full: bool,
    /// The number of steps of a simulated game, which then ends with a random playout; no limit if `None`.
    pub depth: Option<u32>,
}

impl Nested {
    /// The syntax of a spec.
    pub const USAGE: &'static str = "hyperplay2(models=4,games=2,inner_models=4,inner_playouts=2,\
replay=cached|full,remedy=base|weight|balance,weights=choice|sampled|even,depth=N)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Nested, String> {
        let known =
            &["models", "games", "inner_models", "inner_playouts", "replay", "remedy", "weights", "depth"];
        let given = Parameters::new(spec, known)?;
        let shared = Settings::given(&given)?;
        Ok(Nested {
            outer: Settings {
                models: given.number("models", MODELS)?.unwrap_or(4),
                playouts: Some(given.number("games", PLAYOUTS)?.unwrap_or(2)),
                ..shared
            },
            inner: Settings {
                models: given.number("inner_models", MODELS)?.unwrap_or(4),
                playouts: Some(given.number("inner_playouts", PLAYOUTS)?.unwrap_or(2)),
                ..shared
            },
            full: given.choice("replay", &["cached", "full"])? == "full",
            depth: given.number("depth", 1..=MAX_STEPS)?,
        })
    }
}
