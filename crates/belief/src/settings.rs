//! Settings of the players of this crate.

use game::{Parameter, ParameterError, Parameters, Spec};

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
        Settings::read(&Spec::named("hyperplay")).expect("the usual values are in range")
    }
}

const MODELS: std::ops::RangeInclusive<usize> = 1..=1_000_000;
const PLAYOUTS: std::ops::RangeInclusive<u32> = 1..=1_000_000;

const REMEDY: Parameter = Parameter::choice("remedy", &["base", "weight", "balance"]);
const WEIGHTS: Parameter = Parameter::choice("weights", &["choice", "sampled", "even"]);

/// Histories that are listed as long as there are no more.
pub(super) const HISTORIES: Parameter = Parameter::number("histories", "1000");
/// How many may be asked for.
pub(super) const LISTED: std::ops::RangeInclusive<usize> = 0..=1_000_000;

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] =
        &[Parameter::number("models", "64"), Parameter::optional("playouts"), REMEDY, WEIGHTS];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Settings {
            models: given.number("models", MODELS)?,
            playouts: given.optional("playouts", PLAYOUTS)?,
            remedy: remedy(&given)?,
            weights: weights(&given)?,
        })
    }
}

fn remedy(given: &Parameters<'_>) -> Result<Remedy, ParameterError> {
    Ok(match given.choice(REMEDY.name)? {
        "weight" => Remedy::Weight,
        "balance" => Remedy::Balance,
        _ => Remedy::Base,
    })
}

fn weights(given: &Parameters<'_>) -> Result<Weights, ParameterError> {
    Ok(match given.choice(WEIGHTS.name)? {
        "sampled" => Weights::Sampled,
        "even" => Weights::Even,
        _ => Weights::Choice,
    })
}

/// How a [`super::HyperPlayTwo`] plays.
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
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("models", "4"),
        Parameter::number("games", "2"),
        Parameter::number("inner_models", "4"),
        Parameter::number("inner_playouts", "2"),
        Parameter::choice("replay", &["cached", "full"]),
        REMEDY,
        WEIGHTS,
        Parameter::optional("depth"),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Nested, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        let outer = Settings {
            models: given.number("models", MODELS)?,
            remedy: remedy(&given)?,
            weights: weights(&given)?,
            playouts: Some(given.number("games", PLAYOUTS)?),
        };
        Ok(Nested {
            outer,
            inner: Settings {
                models: given.number("inner_models", MODELS)?,
                playouts: Some(given.number("inner_playouts", PLAYOUTS)?),
                ..outer
            },
            full: given.choice("replay")? == "full",
            depth: given.optional("depth", 1..=MAX_STEPS)?,
        })
    }
}
