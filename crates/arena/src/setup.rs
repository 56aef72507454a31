//! The conditions of a match, and its observers.

use std::sync::Arc;
use std::time::Duration;

use game::{Position, Seat, Seed, StopToken};

use crate::record::{MatchRecord, StepRecord};

/// The default of [`Setup::grace`].
pub const GRACE: Duration = Duration::from_millis(500);

/// Why clocks cannot be told to players on the network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "players on the network need clocks in whole seconds, but {} s was given. Use whole seconds, such as {}.",
    .clock.as_secs_f64(),
    .clock.as_secs_f64().ceil().max(1.0)
)]
pub struct FractionalClock {
    /// The clock.
    pub clock: Duration,
}

/// Checks that clocks are whole seconds, which is all that the protocol between managers and players can
/// express. Rounded, they would give some seats of a match more time than others.
pub fn check_wire_clocks(start: Duration, play: Duration) -> Result<(), FractionalClock> {
    let broken = |clock: &Duration| clock.subsec_nanos() != 0 || clock.is_zero();
    match [start, play].into_iter().find(broken) {
        Some(clock) => Err(FractionalClock { clock }),
        None => Ok(()),
    }
}

/// The conditions of a match.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The name of the game, as given.
    pub game: String,
    /// The name of the match; derived from game and seed if `None`.
    pub match_id: Option<String>,
    /// The text of the rule sheet, for players that need it.
    pub rules: Option<Arc<str>>,
    /// Where the game is published, if it is.
    pub game_meta_url: Option<String>,
    /// The tournament or series the match belongs to, if any.
    pub tournament: Option<String>,
    /// The reasoner that evaluates the rules.
    pub reasoner: String,
    /// The seed of all random choices of this match.
    pub seed: Seed,
    /// The time to examine the rules before roles are assigned; `None` for no preview.
    pub preview_clock: Option<Duration>,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
    /// How long after the clock an answer still counts, of any seat. It makes up for the time that messages
    /// take on the network.
    pub grace: Duration,
    /// What happens if a seat gives no legal answer.
    pub replacement: Replacement,
    /// The joint moves that led to the state in which the match begins, for its record; empty if it is the
    /// initial state of the rules.
    pub opening_moves: Vec<Vec<String>>,
    /// Whether symbols are replaced by others on the wire.
    pub scrambled: bool,
    /// The number of steps after which the match is aborted.
    pub max_steps: usize,
    /// Set to interrupt the match: players who are thinking are told to stop, and the current step is not
    /// made.
    pub stop: StopToken,
}

impl Setup {
    /// Creates a setup with clocks of thirty and fifteen seconds, and a limit of ten thousand steps.
    pub fn new(game: &str, seed: Seed) -> Setup {
        Setup {
            game: game.to_string(),
            match_id: None,
            rules: None,
            game_meta_url: None,
            tournament: None,
            reasoner: String::new(),
            seed,
            preview_clock: None,
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(15),
            grace: GRACE,
            replacement: Replacement::Random,
            opening_moves: Vec::new(),
            scrambled: false,
            max_steps: 10_000,
            stop: StopToken::default(),
        }
    }
}

/// What the referee does for a seat that gives no legal answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replacement {
    /// A random legal move, all equally likely.
    #[default]
    Random,
    /// The first legal move in canonical order.
    First,
    /// The match is over, and the seat has lost it.
    Forfeit,
}

impl Replacement {
    /// All replacements with their names.
    pub const ALL: [(&'static str, Replacement); 3] =
        [("random", Replacement::Random), ("first", Replacement::First), ("forfeit", Replacement::Forfeit)];

    /// Returns the replacement with this name.
    pub fn named(name: &str) -> Option<Replacement> {
        Replacement::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Replacement::Random => "random",
            Replacement::First => "first",
            Replacement::Forfeit => "forfeit",
        }
    }
}

/// Who plays a role.
pub enum Sitter {
    /// The referee, at random.
    Nature,
    /// A named player.
    Seat(String, Box<dyn Seat>),
    /// A named person, who may take any time.
    Person(String, Box<dyn Seat>),
    /// A named player who is shown all moves, including those that the rules hide.
    Informed(String, Box<dyn Seat>),
}

impl Sitter {
    /// Returns `true` if the player is somewhere else.
    pub fn is_remote(&self) -> bool {
        match self {
            Sitter::Nature => false,
            Sitter::Seat(_, seat) | Sitter::Person(_, seat) | Sitter::Informed(_, seat) => seat.is_remote(),
        }
    }
}

/// What a spectator of the whole match sees, as it happens.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The match begins.
    Start {
        /// The initial position.
        position: &'a Position,
    },
    /// A joint move was made.
    Step {
        /// The record of the step.
        step: &'a StepRecord,
        /// What each role saw.
        percepts: &'a [Vec<String>],
        /// The position that it led to.
        position: &'a Position,
    },
}

impl Event<'_> {
    /// Returns the position after the event.
    pub fn position(&self) -> &Position {
        match self {
            Event::Start { position } | Event::Step { position, .. } => position,
        }
    }
}

/// The observer of a match, if there is one. What only spectators need is not computed without one.
pub type Watch<'w> = Option<&'w mut dyn FnMut(Event<'_>)>;

/// Why something could not be written down. Only the journal knows the cause.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct JournalError(Box<dyn std::error::Error + Send + Sync>);

impl JournalError {
    /// Takes the cause.
    pub fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> JournalError {
        JournalError(cause.into())
    }
}

/// Where a match is written down while it is played.
///
/// The referee asks for the next step only after the last one was written; an error interrupts the match.
pub trait Journal {
    /// A match begins; the record has no steps yet.
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError>;

    /// Step `number` is finished; number 0 is the start, with the first state.
    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError>;

    /// The match has ended. Not called for one that was interrupted.
    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError>;
}

/// A journal that writes nothing.
pub struct NoJournal;

impl Journal for NoJournal {
    fn open(&mut self, _: &MatchRecord) -> Result<(), JournalError> {
        Ok(())
    }

    fn step(&mut self, _: usize, _: &StepRecord) -> Result<(), JournalError> {
        Ok(())
    }

    fn close(&mut self, _: &MatchRecord) -> Result<(), JournalError> {
        Ok(())
    }
}
