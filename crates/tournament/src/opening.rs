//! Openings: the moves after which matches begin.
//!
//! Players that always do the same play the same match again and again, and many of them say no more than
//! one. So a plan can have a list of openings for each game. Every opening is played from all seatings
//! before the next one, so that what the better side is worth cancels out.

use std::collections::BTreeSet;

use cast::is_on_the_wire;
use game::{AnyGame, AnyState, Fault, Game, MoveId, RoleId, Seed};
use library::{After, AfterError};
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::spec::TournamentSpec;
use crate::spec_text::{At, Reading};

/// The maximum number of openings of a game.
pub(crate) const MOST: u64 = 100_000;
/// How often random openings are drawn, for each that is asked for, before it is said that there are too
/// few.
const ATTEMPTS: u64 = 50;

/// The openings that a person asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum OpeningSpec {
    /// These, each a list of steps as [`After`] takes them.
    Listed(Vec<At<Vec<String>>>),
    /// Different openings of random moves.
    Random {
        /// The number of steps of each.
        plies: u32,
        /// The number of openings.
        count: u64,
    },
}

/// The joint moves of an opening, by step and role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Opening {
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
}

/// Why a game cannot begin with an opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// A move cannot be made.
    #[error(transparent)]
    Move(#[from] AfterError),
    /// A move of a plan is not legal.
    #[error("`{0}` is not legal there.")]
    Illegal(String),
    /// The match would be over before it begins.
    #[error("The game is over after this opening.")]
    Over,
    /// Fewer different openings were found than asked for.
    #[error("Only {found} different openings of {plies} random moves were found in {game}.")]
    TooFew {
        /// The game.
        game: String,
        /// The number of openings found.
        found: usize,
        /// The number of steps of each.
        plies: u32,
    },
}

impl From<Fault> for OpeningError {
    fn from(fault: Fault) -> OpeningError {
        OpeningError::Move(AfterError::Fault(fault))
    }
}

impl OpeningSpec {
    /// Returns the openings of a game, each with the game as it is after it. A listed opening that cannot be
    /// played is an error with its number.
    pub(crate) fn of(
        &self,
        game: &AnyGame,
        name: &str,
        seed: u64,
    ) -> Result<Vec<(Opening, AnyGame)>, (usize, OpeningError)> {
        match self {
            OpeningSpec::Listed(list) => {
                let made = |(number, steps): (usize, &At<Vec<String>>)| {
                    let after = After { moves: steps.value.join(";"), ..After::default() };
                    let (opening, state) = Opening::made(game, &after).map_err(|error| (number, error))?;
                    Ok((opening, begin(game, &state).map_err(|error| (number, error))?))
                };
                list.iter().enumerate().map(made).collect()
            }
            OpeningSpec::Random { plies, count } => {
                draw(game, name, *plies, *count, seed).map_err(|error| (0, error))
            }
        }
    }
}

/// Draws different openings of random moves.
fn draw(
    game: &AnyGame,
    name: &str,
    plies: u32,
    count: u64,
    seed: u64,
) -> Result<Vec<(Opening, AnyGame)>, OpeningError> {
    let seed = Seed(seed).derive_name(name).derive_name("openings");
    let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut drawn = Vec::new();
    for attempt in 0..count.saturating_mul(ATTEMPTS) {
        let after = After { random_steps: plies, seed: seed.derive(attempt), ..After::default() };
        let (opening, state) = match Opening::made(game, &after) {
            Err(OpeningError::Over) => continue,
            made => made?,
        };
        if opening.moves.len() == plies as usize && known.insert(game.facts(&state)) {
            drawn.push((opening, begin(game, &state)?));
        }
        if drawn.len() as u64 == count {
            return Ok(drawn);
        }
    }
    Err(OpeningError::TooFew { game: name.to_string(), found: drawn.len(), plies })
}

fn begin(game: &AnyGame, state: &AnyState) -> Result<AnyGame, OpeningError> {
    Ok(game.beginning_with(&game.facts(state))?)
}

impl Opening {
    /// Makes the given moves, and then random ones. Returns the opening and the state after it.
    fn made(game: &AnyGame, after: &After) -> Result<(Opening, AnyState), OpeningError> {
        let mut scratch = game.scratch();
        let mut moves = Vec::new();
        let texts = |joint: &[MoveId]| {
            RoleId::all(joint.len()).zip(joint).map(|(role, mv)| game.move_text(role, *mv)).collect()
        };
        let state = after.walk(game, &mut scratch, game.initial(), |_, joint| moves.push(texts(joint)))?;
        match game.is_terminal(&mut scratch, &state)? {
            true => Err(OpeningError::Over),
            false => Ok((Opening { moves }, state)),
        }
    }

    /// Returns the game as it is after this opening.
    pub(crate) fn begin(&self, game: &AnyGame) -> Result<AnyGame, OpeningError> {
        let (mut scratch, mut state) = (game.scratch(), game.initial());
        let mut legal = Vec::new();
        for texts in &self.moves {
            let illegal = || OpeningError::Illegal(texts.join(", "));
            let mut joint = Vec::new();
            for (role, text) in RoleId::all(game.roles().len()).zip(texts) {
                game.legal(&mut scratch, &state, role, &mut legal)?;
                let found = game.find_move(role, text).filter(|found| legal.contains(found));
                joint.push(found.ok_or_else(illegal)?);
            }
            if joint.len() != game.roles().len() || game.is_terminal(&mut scratch, &state)? {
                return Err(illegal());
            }
            state = game.next(&mut scratch, &state, &joint)?;
        }
        match game.is_terminal(&mut scratch, &state)? {
            true => Err(OpeningError::Over),
            false => begin(game, &state),
        }
    }
}

/// Adds the openings of a game to the plan, and returns the game as it is after each of them. Files
/// complaints about openings that cannot be played.
pub(super) fn check_openings(
    spec: &TournamentSpec,
    reading: &Reading,
    plan: &mut Plan,
    number: usize,
    game: &AnyGame,
) -> Vec<AnyGame> {
    let Some(openings) = &spec.openings else { return Vec::new() };
    let name = plan.games[number].name.clone();
    if game.has_percepts() {
        let text = format!(
            "{name} hides something, and its players would not have seen the moves of an opening. Openings are for games in which everyone sees everything."
        );
        reading.complain(&openings.span, text);
        return Vec::new();
    }
    for player in spec.players.iter().filter(|player| is_on_the_wire(&player.value.player)) {
        let text = format!(
            "`{}` is told the rules and would begin in their initial state, so it cannot play openings.",
            player.value.player
        );
        reading.complain(&player.span, text);
    }
    match openings.value.of(game, &name, plan.seed) {
        Ok(made) => {
            let (openings, begun) = made.into_iter().unzip();
            plan.games[number].openings = openings;
            begun
        }
        Err((at, error)) => {
            let span = match &openings.value {
                OpeningSpec::Listed(list) => &list[at].span,
                OpeningSpec::Random { .. } => &openings.span,
            };
            reading.complain(span, error.to_string());
            Vec::new()
        }
    }
}
