//! Many matches between the same players, counted as `tafl match --repeat N --json` counts them.
//!
//! One match is played after the other: experiments ask what a match costs.

use std::time::Duration;

use analysis::{LoadError, load};
use cast::PlayerError;
use game::{Game, Seed, StopToken};
use library::Library;
use statistics::Confidence;
use tournament::{Keep, MatchSpec, Quiet, Ready, Repeated, RunError, RunOptions, repeat};

/// Who plays how many matches.
#[derive(Debug, Clone)]
pub struct RepeatRequest {
    /// The game: a name of the library, a path, or `FOLDER:KEY`.
    pub game: String,
    /// What evaluates its rules.
    pub reasoner: String,
    /// Who plays, in the order of the roles.
    pub players: Vec<String>,
    /// Where all chance comes from.
    pub seed: Seed,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// What is done for a player that gives no legal answer.
    pub replace: &'static str,
    /// Matches are broken off after this many steps.
    pub max_steps: usize,
    /// How many matches.
    pub repeat: u32,
    /// Whether the players take the next seat after every match.
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
    /// The game cannot be played.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A player could not be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There are too few players, or too many.
    #[error("{game} has {seats} seats, and here are {players} players.")]
    Players {
        /// The game.
        game: String,
        /// The roles that players sit at.
        seats: usize,
        /// The players.
        players: usize,
    },
    /// A match could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RepeatRequest {
    /// What can be done for a player that gives no legal answer; usually the first.
    pub(super) const POLICIES: &'static [&'static str] = &["random", "first", "forfeit"];

    /// Plays the matches; those that were over when it was stopped are counted.
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
            start_clock: ms(self.start_clock),
            play_clock: ms(self.play_clock),
            replace: self.replace.to_string(),
            max_steps: self.max_steps,
            repeat: Some(self.repeat),
            rotate: self.rotate,
            ..MatchSpec::new(&self.game, None)
        };
        let ready = Ready::repeated(&spec, &loaded, chosen)?;
        let options = RunOptions { jobs: 1, stop: stop.clone() };
        Ok(repeat(&ready, &Keep::Nothing, &options, Confidence::P95, &Quiet)?)
    }
}
