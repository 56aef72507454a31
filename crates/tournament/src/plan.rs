//! A list of matches, each with its players, seats and seed.
//!
//! A plan is self-contained: it includes the rules of its games, so it gives the same matches everywhere.
//! Matches are numbered round by round, so that a half-finished tournament is half finished in every cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use cast::PlayerError;
use game::{Game, Role, Seed};
use gdl::Syntax;
use library::{Chosen, Loaded, PlayError, Source, language, language_of};
use serde::{Deserialize, Serialize};

use super::conditions::{Clocks, Conditions, Refereeing};
use super::opening::{Opening, OpeningError};
use super::sequence::EloScale;

/// The version of this format.
const VERSION: u32 = 1;
const FORMAT: &str = "tafl-plan";

/// Everything that determines the results of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Always `tafl-plan`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The name of the tournament.
    pub name: String,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The seed.
    pub seed: u64,
    /// How the seeds of matches are derived from it.
    #[serde(skip_serializing_if = "Seeding::is_names", default)]
    pub seeding: Seeding,
    /// What the referee does.
    #[serde(flatten)]
    pub refereeing: Refereeing,
    /// The confidence level of intervals.
    pub confidence: f64,
    /// Whether the same plan always gives the same results, because nobody thinks by the clock.
    pub repeatable: bool,
    /// For a sequential test: elo0, elo1, alpha and beta.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sprt: Option<[f64; 4]>,
    /// What the Elo points of a sequential test stand for.
    #[serde(skip_serializing_if = "EloScale::is_logistic", default)]
    pub scale: EloScale,
    /// The games.
    pub games: Vec<PlanGame>,
    /// The players.
    pub players: Vec<PlanPlayer>,
    /// The budgets.
    pub budgets: Vec<Budget>,
    /// What is played, and how often.
    pub cells: Vec<Cell>,
}

/// What the seed of a match is derived from, besides the seed of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// The names of game, budget and players, so that a match stays the same when others are added to a
    /// plan.
    #[default]
    Names,
    /// The number of the match.
    Number,
}

impl Seeding {
    fn is_names(&self) -> bool {
        *self == Seeding::Names
    }
}

/// A game with its rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanGame {
    /// The name in tables.
    pub name: String,
    /// The game as it was asked for.
    pub argument: String,
    /// The reasoner.
    pub reasoner: String,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The name of the language: `kif`, `hrf` or `graph`.
    pub syntax: String,
    /// The openings after which its matches begin, in turn; empty if they begin in the initial state.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub openings: Vec<Opening>,
    /// The rules, if they are a single text.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sheet: String,
    /// The rules by file name, if they are several files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub files: BTreeMap<String, String>,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPlayer {
    /// The name in tables.
    pub name: String,
    /// The spec; `$budget` in it stands for the budget.
    pub player: String,
}

/// What players may spend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The name in tables; empty if there is only one budget.
    pub name: String,
    /// The value of `$budget`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<u64>,
    /// Milliseconds to look at the rules before roles are assigned; `None` for no preview.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub preview_clock: Option<u64>,
    /// Milliseconds before the first move.
    pub start_clock: u64,
    /// Milliseconds for each move.
    pub play_clock: u64,
}

/// Matches that differ only in their seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of the game.
    pub game: usize,
    /// The number of the budget.
    pub budget: usize,
    /// The number of the lineup. Cells with the same lineup differ in who sits where.
    pub lineup: usize,
    /// The player at each role that is not played by chance.
    pub seating: Vec<usize>,
    /// The number of matches.
    pub matches: u64,
}

/// One match of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// The number in the plan.
    pub number: u64,
    /// The number of the cell.
    pub cell: usize,
    /// The seed.
    pub seed: Seed,
    /// The number of its opening, from 0, if its game has openings.
    pub opening: Option<usize>,
}

/// Why a plan cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not a plan.
    #[error("{0} is not a plan that this version of tafl can play.")]
    Unreadable(String),
    /// Something that the plan needs is missing.
    #[error("The plan cannot be played: {0}")]
    Unplayable(#[from] Unplayable),
}

/// What a plan needs but does not have.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] PlayError),
    /// A player cannot be created.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game cannot begin with an opening of the plan.
    #[error("{game} cannot begin with opening {number}: {cause}")]
    Opening {
        /// The game.
        game: String,
        /// The number of the opening, from 0.
        number: usize,
        /// The reason.
        cause: OpeningError,
    },
    /// A game has other roles than the plan says.
    #[error("the roles of {game} are not those of the plan.")]
    Roles {
        /// The game.
        game: String,
    },
}

impl Plan {
    /// Creates an empty plan.
    pub(crate) fn new(name: &str, seed: u64) -> Plan {
        Plan {
            format: FORMAT.to_string(),
            version: VERSION,
            name: name.to_string(),
            title: None,
            seed,
            seeding: Seeding::Names,
            refereeing: Refereeing::default(),
            confidence: 0.95,
            repeatable: true,
            sprt: None,
            scale: EloScale::Logistic,
            games: Vec::new(),
            players: Vec::new(),
            budgets: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Returns the conditions of matches with a budget.
    pub fn conditions(&self, budget: usize) -> Conditions {
        let Budget { preview_clock, start_clock, play_clock, .. } = self.budgets[budget];
        let clocks = Clocks { preview_clock, start_clock, play_clock };
        Conditions { clocks, refereeing: self.refereeing.clone() }
    }

    /// Reads a plan. `place` is where it comes from, for messages.
    pub fn read(text: &str, place: &str) -> Result<Plan, PlanError> {
        let unreadable = || PlanError::Unreadable(place.to_string());
        let plan: Plan = serde_json::from_str(text).map_err(|_| unreadable())?;
        plan.fits().then_some(plan).ok_or_else(unreadable)
    }

    /// Reads a plan from the store.
    pub fn from_value(value: &serde_json::Value, place: &str) -> Result<Plan, PlanError> {
        let plan = Plan::deserialize(value).ok().filter(Plan::fits);
        plan.ok_or_else(|| PlanError::Unreadable(place.to_string()))
    }

    /// Returns `true` if the value is a plan of any version.
    pub fn is_plan(value: &serde_json::Value) -> bool {
        value["format"] == FORMAT
    }

    /// Returns the plan as text.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a plan is made of texts and numbers");
        text.push('\n');
        text
    }

    /// Returns a hash of sixteen characters that identifies the plan.
    pub fn digest(&self) -> String {
        digest(&self.write())
    }

    /// Returns the number of matches.
    pub fn len(&self) -> u64 {
        self.cells.iter().map(|cell| cell.matches).sum()
    }

    /// Returns `true` if there are no matches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all matches in order: the first of every cell, then the second of every cell, …
    pub fn matches(&self) -> Vec<Planned> {
        let most = self.cells.iter().map(|cell| cell.matches).max().unwrap_or(0);
        let seeds: Vec<Seed> = self.cells.iter().map(|cell| self.seed_of(cell)).collect();
        let mut all = Vec::with_capacity(self.len() as usize);
        for round in 0..most {
            for (number, cell) in self.cells.iter().enumerate() {
                if round < cell.matches {
                    let place = all.len() as u64;
                    let seed = match self.seeding {
                        Seeding::Names => seeds[number].derive(round),
                        Seeding::Number => Seed(self.seed).derive(place),
                    };
                    // All seatings of a round begin with the same opening.
                    let openings = self.games[cell.game].openings.len() as u64;
                    let opening = round.checked_rem(openings).map(|opening| opening as usize);
                    all.push(Planned { number: place, cell: number, seed, opening });
                }
            }
        }
        all
    }

    /// Returns the seed of a cell, derived from its names.
    fn seed_of(&self, cell: &Cell) -> Seed {
        let game = Seed(self.seed).derive_name(&self.games[cell.game].name);
        let budget = game.derive_name(&self.budgets[cell.budget].name);
        cell.seating.iter().fold(budget, |seed, player| seed.derive_name(&self.players[*player].name))
    }

    /// Returns the spec of a player with the budget filled in.
    pub fn player(&self, player: usize, budget: usize) -> String {
        with_budget(&self.players[player].player, self.budgets[budget].value)
    }

    /// Returns `true` if all numbers in it refer to something and its size is within limits.
    fn fits(&self) -> bool {
        let cell = |cell: &Cell| {
            self.games.get(cell.game).is_some_and(|game| game.seats().len() == cell.seating.len())
                && cell.budget < self.budgets.len()
                && cell.seating.iter().all(|player| *player < self.players.len())
                && cell.matches <= 10_000_000
        };
        self.format == FORMAT
            && self.version == VERSION
            && self.cells.len() <= 1_000_000
            && self.cells.iter().all(cell)
            && self.len() <= 100_000_000
    }
}

impl PlanGame {
    /// Creates the entry of a loaded game.
    pub(crate) fn of(loaded: &Loaded, argument: &str, reasoner: &str, chosen: &Chosen) -> PlanGame {
        let source = &loaded.source;
        PlanGame {
            name: source.name.clone(),
            argument: argument.to_string(),
            reasoner: reasoner.to_string(),
            roles: Role::names(chosen.game.roles()),
            openings: Vec::new(),
            syntax: source.language.name().to_string(),
            sheet: source.text.to_string(),
            files: source.files.as_ref().clone(),
        }
    }

    /// Returns the numbers of the roles that players are seated at.
    pub fn seats(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|role| !Role::named(&*self.roles[*role]).is_chance()).collect()
    }

    /// Returns the rules as the library would have found them.
    pub(crate) fn source(&self) -> Source {
        let language = language(&self.syntax).unwrap_or(language_of(Syntax::Kif));
        Source {
            text: Arc::from(self.sheet.as_str()),
            files: Arc::new(self.files.clone()),
            ..Source::new(language, &self.name, &self.argument)
        }
    }
}

/// Returns a spec with `$budget` replaced by its value.
pub(crate) fn with_budget(player: &str, value: Option<u64>) -> String {
    match value {
        Some(value) => player.replace(super::spec::BUDGET, &value.to_string()),
        None => player.to_string(),
    }
}

/// Returns a hash of a text, sixteen characters long.
pub(crate) fn digest(text: &str) -> String {
    format!("{:016x}", Seed(0).derive_name(text).0)
}
