//! What a match needs besides game and seats, and who is told of it.

use std::sync::Arc;
use std::time::Duration;

use game::{Position, Seat, Seed, StopToken};

use crate::record::{MatchRecord, StepRecord};

/// The conditions of a match.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The game as it was named.
    pub game: String,
    /// The match's name; made from game and seed where there is none.
    pub match_id: Option<String>,
    /// The rule sheet's text, for players that want it.
    pub rules: Option<Arc<str>>,
    /// Where the game is published, if it is.
    pub game_meta_url: Option<String>,
    /// The tournament or series the match belongs to, if any.
    pub tournament: Option<String>,
    /// What answers the questions about the rules.
    pub reasoner: String,
    /// Where all chance of this match comes from.
    pub seed: Seed,
    /// Time to look at the rules before roles are given out; none for no preview.
    pub preview_clock: Option<Duration>,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// How long after the clock an answer still counts.
    pub grace: Duration,
    /// What happens where no legal answer comes.
    pub replacement: Replacement,
    /// Whether symbols are exchanged for others on the wire.
    pub scrambled: bool,
    /// The match is broken off after this many steps.
    pub max_steps: usize,
    /// Raised to interrupt the match: who is thinking is told to stop, and the step that is
    /// being played is not made.
    pub stop: StopToken,
}

impl Setup {
    /// Clocks of thirty and fifteen seconds, and ten thousand steps.
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
            grace: Duration::from_secs(1),
            replacement: Replacement::Random,
            scrambled: false,
            max_steps: 10_000,
            stop: StopToken::default(),
        }
    }
}

/// What the referee does for a seat that gives no legal answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replacement {
    /// Any legal move, each with the same chance.
    #[default]
    Random,
    /// The first legal move in canonical order.
    First,
    /// The match is over, and the seat has lost it.
    Forfeit,
}

impl Replacement {
    /// All of them with their names.
    pub const ALL: [(&'static str, Replacement); 3] =
        [("random", Replacement::Random), ("first", Replacement::First), ("forfeit", Replacement::Forfeit)];

    /// The one with this name.
    pub fn named(name: &str) -> Option<Replacement> {
        Replacement::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }

    /// Its name.
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
    /// The referee, by chance.
    Nature,
    /// Someone with a name.
    Seat(String, Box<dyn Seat>),
    /// A person with a name, who may take any time.
    Person(String, Box<dyn Seat>),
    /// Someone with a name who is shown all moves, also those that the rules hide.
    Informed(String, Box<dyn Seat>),
}

/// What a spectator of the whole match sees, as it happens.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The match begins.
    Start {
        /// The first position.
        position: &'a Position,
    },
    /// A joint move was made.
    Step {
        /// What is written down of it.
        step: &'a StepRecord,
        /// What each role saw.
        percepts: &'a [Vec<String>],
        /// The position that it led to.
        position: &'a Position,
    },
}

impl Event<'_> {
    /// The position that the match has come to.
    pub fn position(&self) -> &Position {
        match self {
            Event::Start { position } | Event::Step { position, .. } => position,
        }
    }
}

/// Who is told of a match as it is played. What is only for spectators is not worked out for nobody.
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
/// The referee asks for the next step only after the last one was written; an
/// error interrupts the match.
pub trait Journal {
    /// A match begins; the record has no steps yet.
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError>;

    /// Step `number` is finished; number 0 is the start, with the first state.
    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError>;

    /// The match has ended. Not called for one that was interrupted.
    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError>;
}

/// Writes nothing.
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
