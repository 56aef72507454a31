//! A list of matches, each with its players, seats and seed.
//!
//! A plan stands for itself: it holds the rules of its games, so that whoever
//! has it plays the same matches. The matches are numbered round by round, so
//! that a tournament that is half done is half done everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use cast::PlayerError;
use game::{Game, Role, Seed};
use gdl::Syntax;
use library::{Chosen, Loaded, PlayError, Source, language, language_of};
use serde::{Deserialize, Serialize};

/// The version of this format.
const VERSION: u32 = 1;
const FORMAT: &str = "tafl-plan";

/// Everything that the results of a tournament follow from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Always `tafl-plan`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// The tournament's name.
    pub name: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Where all chance comes from.
    pub seed: u64,
    /// How the seeds of the matches follow from it.
    #[serde(skip_serializing_if = "Seeding::is_names", default)]
    pub seeding: Seeding,
    /// What is done for a player that gives no legal answer.
    pub replace: String,
    /// Matches are broken off after this many steps.
    pub max_steps: usize,
    /// How sure intervals are.
    pub confidence: f64,
    /// Whether the same plan gives the same results: nobody thinks by the clock.
    pub repeatable: bool,
    /// Where it is a sequential test: Elo from and to, and the chances of being wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sprt: Option<[f64; 4]>,
    /// What is played.
    pub games: Vec<PlanGame>,
    /// Who plays.
    pub players: Vec<PlanPlayer>,
    /// What players may spend.
    pub budgets: Vec<Budget>,
    /// What is played how often.
    pub cells: Vec<Cell>,
}

/// What the seed of a match follows from, besides that of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// The names of game, budget and players, so that a match stays the same when others are
    /// added to a plan.
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
    /// What it is called in tables.
    pub name: String,
    /// How it was asked for.
    pub argument: String,
    /// What evaluates its rules.
    pub reasoner: String,
    /// Its roles, in order.
    pub roles: Vec<String>,
    /// The name of the language: `kif`, `hrf` or `graph`.
    pub syntax: String,
    /// The rules, if they are one text.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sheet: String,
    /// The rules by the names of their files, if they are several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub files: BTreeMap<String, String>,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPlayer {
    /// What it is called in tables.
    pub name: String,
    /// Its spec; `$budget` in it stands for the budget.
    pub player: String,
}

/// What players may spend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// What it is called in tables; empty where there is only one.
    pub name: String,
    /// What takes the place of `$budget`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<u64>,
    /// Milliseconds to look at the rules before roles are given out; none for no preview.
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
    /// Which game.
    pub game: usize,
    /// Which budget.
    pub budget: usize,
    /// The set of players that meet: cells with the same one differ in who sits where.
    pub lineup: usize,
    /// Who sits where: a player for each role that is not played by chance.
    pub seating: Vec<usize>,
    /// How many.
    pub matches: u64,
}

/// One match of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Its number in the plan.
    pub number: u64,
    /// Which cell it belongs to.
    pub cell: usize,
    /// Where its chance comes from.
    pub seed: Seed,
}

/// Why a plan cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not one.
    #[error("{0} is not a plan that this version of tafl can play.")]
    Unreadable(String),
    /// Something it needs is not there.
    #[error("The plan cannot be played: {0}")]
    Unplayable(#[from] Unplayable),
}

/// What a plan needs and does not have.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] PlayError),
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game has other roles than the plan says.
    #[error("the roles of {game} are not those of the plan.")]
    Roles {
        /// The game.
        game: String,
    },
}

impl Plan {
    /// An empty plan.
    pub(crate) fn new(name: &str, seed: u64) -> Plan {
        Plan {
            format: FORMAT.to_string(),
            version: VERSION,
            name: name.to_string(),
            title: None,
            seed,
            seeding: Seeding::Names,
            replace: "random".to_string(),
            max_steps: 10_000,
            confidence: 0.95,
            repeatable: true,
            sprt: None,
            games: Vec::new(),
            players: Vec::new(),
            budgets: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Reads a plan; `place` is where it comes from, for messages.
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

    /// Whether the value is a plan of any version.
    pub fn is_plan(value: &serde_json::Value) -> bool {
        value["format"] == FORMAT
    }

    /// The plan as text.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a plan is made of texts and numbers");
        text.push('\n');
        text
    }

    /// Sixteen characters that tell plans apart.
    pub fn digest(&self) -> String {
        digest(&self.write())
    }

    /// How many matches there are.
    pub fn len(&self) -> u64 {
        self.cells.iter().map(|cell| cell.matches).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All matches in order: the first of every cell, then the second of every cell, …
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
                    all.push(Planned { number: place, cell: number, seed });
                }
            }
        }
        all
    }

    /// The seed of a cell, from its names.
    fn seed_of(&self, cell: &Cell) -> Seed {
        let game = Seed(self.seed).derive_name(&self.games[cell.game].name);
        let budget = game.derive_name(&self.budgets[cell.budget].name);
        cell.seating.iter().fold(budget, |seed, player| seed.derive_name(&self.players[*player].name))
    }

    /// The spec of a player with a budget in its place.
    pub fn player(&self, player: usize, budget: usize) -> String {
        with_budget(&self.players[player].player, self.budgets[budget].value)
    }

    /// Whether all numbers in it refer to something.
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
    /// A game as it was loaded, asked for by these words.
    pub(crate) fn of(loaded: &Loaded, argument: &str, reasoner: &str, chosen: &Chosen) -> PlanGame {
        let source = &loaded.source;
        PlanGame {
            name: source.name.clone(),
            argument: argument.to_string(),
            reasoner: reasoner.to_string(),
            roles: Role::names(chosen.game.roles()),
            syntax: source.language.name().to_string(),
            sheet: source.text.to_string(),
            files: source.files.as_ref().clone(),
        }
    }

    /// The roles that players sit at.
    pub fn seats(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|role| !Role::named(&*self.roles[*role]).is_chance()).collect()
    }

    /// The rules as the library would have found them.
    pub(crate) fn source(&self) -> Source {
        let language = language(&self.syntax).unwrap_or(language_of(Syntax::Kif));
        Source {
            text: Arc::from(self.sheet.as_str()),
            files: Arc::new(self.files.clone()),
            ..Source::new(language, &self.name, &self.argument)
        }
    }
}

/// A spec with a budget in the place of `$budget`.
pub(crate) fn with_budget(player: &str, value: Option<u64>) -> String {
    match value {
        Some(value) => player.replace(super::spec::BUDGET, &value.to_string()),
        None => player.to_string(),
    }
}

/// Sixteen characters that follow from a text.
pub(crate) fn digest(text: &str) -> String {
    format!("{:016x}", Seed(0).derive_name(text).0)
}
