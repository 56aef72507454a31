//! Repeated matches between the same players, counted as `tafl match --repeat N --json` counts them.
//!
//! Matches are played one after the other, because experiments measure what a match costs.

use std::time::Duration;

use analysis::{LoadError, load};
use cast::PlayerError;
use game::{Game, Seed, StopToken};
use library::Library;
use statistics::Confidence;
use tournament::{
    Clocks, Conditions, Keep, MatchSpec, Quiet, Ready, Refereeing, Repeated, RunError, RunOptions, repeat,
};

/// A request to play repeated matches.
#[derive(Debug, Clone)]
pub struct RepeatRequest {
    /// The game: a library name, a path, or `FOLDER:KEY`.
    pub game: String,
    /// The reasoner.
    pub reasoner: String,
    /// The players, in the order of the roles.
    pub players: Vec<String>,
    /// The seed.
    pub seed: Seed,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
    /// What the referee does for a player that gives no legal answer.
    pub replace: &'static str,
    /// The number of steps after which a match is broken off.
    pub max_steps: usize,
    /// The number of matches.
    pub repeat: u32,
    /// Whether the players change seats after every match.
    pub rotate: bool,
}

impl Default for RepeatRequest {
    fn default() -> RepeatRequest {
        RepeatRequest {
            game: String::new(),
            reasoner: "auto".to_string(),
            players: Vec::new(),
            seed: Seed(1),
            start_clock: Duration::from_secs(10),
            play_clock: Duration::from_secs(1),
            replace: RepeatRequest::POLICIES[0],
            max_steps: 10_000,
            repeat: 1,
            rotate: false,
        }
    }
}

/// Why the matches could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RepeatError {
    /// The game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A player could not be created.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There are too few players, or too many.
    #[error("{game} has {seats} seats, but the number of players is {players}.")]
    Players {
        /// The game.
        game: String,
        /// The number of seats.
        seats: usize,
        /// The number of players.
        players: usize,
    },
    /// A match could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RepeatRequest {
    /// What the referee can do for a player that gives no legal answer; the first is the default.
    pub(super) const POLICIES: &'static [&'static str] = &["random", "first", "forfeit"];

    /// Plays the matches. If it is stopped, only the matches that have ended are counted.
    pub(super) fn run(&self, library: &Library, stop: &StopToken) -> Result<Repeated, RepeatError> {
        let (loaded, chosen) = load(library, &self.game, &self.reasoner)?;
        let seats = chosen.game.roles().iter().filter(|role| !role.is_chance()).count();
        if seats != self.players.len() {
            let (game, players) = (loaded.source.name.clone(), self.players.len());
            return Err(RepeatError::Players { game, seats, players });
        }
        let ms = |clock: Duration| clock.as_millis() as u64;
        let spec = MatchSpec {
            reasoner: self.reasoner.clone(),
            players: self.players.clone(),
            seed: self.seed.0,
            conditions: Conditions {
                clocks: Clocks {
                    preview_clock: None,
                    start_clock: ms(self.start_clock),
                    play_clock: ms(self.play_clock),
                },
                refereeing: Refereeing {
                    replace: self.replace.to_string(),
                    max_steps: self.max_steps,
                    grace: None,
                },
            },
            repeat: Some(self.repeat),
            rotate: self.rotate,
            ..MatchSpec::new(&self.game, None)
        };
        let ready = Ready::repeated(&spec, &loaded, chosen)?;
        let options = RunOptions { jobs: 1, stop: stop.clone() };
        Ok(repeat(&ready, &Keep::Nothing, &options, Confidence::P95, &Quiet)?)
    }
}
