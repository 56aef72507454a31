//! The games: those of the library and of additional folders by name, and sheets from outside.
//!
//! A name is looked up in the list of names, never as a path, so nothing else can be reached. On first use
//! a game is there at once and compiled in the background; it is cached, and so is what it is compiled to.
//! Sheets from folders and from outside are compiled within limits, few of them at the same time, and only
//! the last few of them are cached. Thumbnails are drawn without compiling.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use game::{AnyGame, Deadline, Game, Role, Walk};
use gdl::{RuleSheet, Syntax};
use library::{Begun, Later, Library, Loaded, PlayError, Source};
use rules::Strictness;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::drawing::Drawing;
use crate::limits::SheetLimits;
use crate::problem::Problem;
use crate::recent::Recent;

/// The number of games from folders that stay compiled.
const OPENED: usize = 24;
/// The number of games that are compiled in the background at the same time. Whoever wants another one waits
/// until it is compiled.
const COMPILED_AT_ONCE: usize = 4;
/// The number of thumbnails that are drawn in advance.
const FIRST: usize = 24;

/// The number of facts that make a state worth showing, and the number of steps in which to look for one.
const ENOUGH: usize = 5;
const DEALT: usize = 4;

/// The maximum time that a sheet from outside may take for its initial state.
const SLOWEST: Duration = Duration::from_millis(500);

/// Properties of a game.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Kind {
    pub(crate) hidden: bool,
    pub(crate) simultaneous: bool,
    pub(crate) puzzle: bool,
    pub(crate) random: bool,
    /// The language, if the rules are not a rule sheet. Serialized as one flag per such language.
    #[serde(flatten, serialize_with = "by_language")]
    pub(crate) language: Option<&'static str>,
}

fn by_language<S: Serializer>(language: &Option<&'static str>, out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(other_languages().map(|name| (name, *language == Some(name))))
}

/// Returns the names of the languages whose rules are not rule sheets.
pub(crate) fn other_languages() -> impl Iterator<Item = &'static str> {
    library::languages().iter().filter(|language| language.syntax().is_none()).map(|language| language.name())
}

/// A game in the list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) roles: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) thumbnail: String,
    /// The additional folder it comes from, if any.
    pub(crate) folder: Option<String>,
}

/// A game that can be played and shown.
pub(crate) struct Shown {
    pub(crate) listed: Listed,
    pub(crate) loaded: Loaded,
    pub(crate) drawing: Drawing,
    begun: Begun,
}

/// A game of the library; empty until its first use.
type Place = Arc<Mutex<Option<Arc<Shown>>>>;
/// The initial state of a game as a picture, or why there is none.
type Thumbnail = Arc<Mutex<Option<Result<Arc<str>, Problem>>>>;

/// The list of games, and its JSON.
struct List {
    games: Vec<Listed>,
    told: String,
}

/// All games.
pub(crate) struct Shelf {
    library: Library,
    limits: SheetLimits,
    listed: OnceLock<List>,
    places: Mutex<BTreeMap<String, Place>>,
    /// The compiled games of folders, the latest last.
    opened: Mutex<VecDeque<String>>,
    thumbnails: Mutex<BTreeMap<String, Thumbnail>>,
    /// The games that are being compiled.
    compiling: Mutex<Vec<Weak<Later>>>,
    sheets: Recent<(Syntax, String), Arc<Shown>>,
}

impl Shelf {
    pub(crate) fn new(library: Library, limits: SheetLimits) -> Shelf {
        Shelf {
            library,
            limits,
            listed: OnceLock::new(),
            places: Mutex::default(),
            opened: Mutex::default(),
            thumbnails: Mutex::default(),
            compiling: Mutex::default(),
            sheets: Recent::new(24),
        }
    }

    fn all(&self) -> &List {
        self.listed.get_or_init(|| {
            let names = self.library.names().unwrap_or_default();
            let found = names.iter().filter_map(|name| Some((name, self.library.find(name).ok()?)));
            let games: Vec<Listed> = found.map(|(name, source)| listed(name, &source)).collect();
            let told = json!({ "games": games }).to_string();
            List { games, told }
        })
    }

    /// Returns the library in alphabetical order, followed by the additional folders.
    pub(crate) fn list(&self) -> &[Listed] {
        &self.all().games
    }

    /// Returns the whole list as JSON, if it is ready.
    pub(crate) fn told(&self) -> Option<&str> {
        self.listed.get().map(|list| list.told.as_str())
    }

    /// Prepares what the first page needs.
    pub(crate) fn prepare(&self) {
        for listed in self.list().iter().take(FIRST) {
            // The error is reported when the thumbnail is requested.
            let _ = self.thumbnail(&listed.name);
        }
    }

    fn known(&self, name: &str) -> Result<&Listed, Problem> {
        let found = self.list().iter().find(|listed| listed.name == name);
        found.ok_or_else(|| {
            let hint = library::did_you_mean(name, self.list().iter().map(|listed| listed.name.as_str()));
            let name: String = name.chars().take(80).collect();
            Problem::missing("unknown-game", format!("There is no game `{name}`.{hint}"))
        })
    }

    fn load(&self, name: &str) -> Result<Loaded, Problem> {
        let source = self.library.find(name).map_err(unplayable)?;
        Ok(Loaded::new(source, Strictness::Lenient))
    }

    /// Returns the game with this name.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Shown>, Problem> {
        let listed = self.known(name)?;
        let place = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(places.entry(name.to_string()).or_default())
        };
        let shown = {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(shown) = &*place {
                return Ok(Arc::clone(shown));
            }
            let mut loaded = self.load(name)?;
            if listed.folder.is_some() {
                loaded.making.limits = self.limits.grounding();
            }
            let begun = self.begin(&loaded, listed.folder.is_none()).map_err(unplayable)?;
            let shown = Arc::new(Shown::new(listed.clone(), loaded, begun));
            *place = Some(Arc::clone(&shown));
            shown
        };
        if listed.folder.is_some() || !self.library.is_embedded() {
            self.forget_others(name);
        }
        Ok(shown)
    }

    /// Begins a game. If the rules are not trusted, neither compiling nor any query exceeds the limits with which
    /// they were loaded.
    fn begin(&self, loaded: &Loaded, trusted: bool) -> Result<Begun, PlayError> {
        let compiling = || self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        compiling().retain(|later| later.upgrade().is_some_and(|later| !later.is_over()));
        if compiling().len() >= COMPILED_AT_ONCE || (loaded.rules().is_none() && !trusted) {
            let now = match trusted {
                true => loaded.play("auto")?,
                false => loaded.play_within(loaded.making.limits)?,
            };
            return Ok(Begun { now, later: None });
        }
        let begun = loaded.begin("auto")?;
        compiling().extend(begun.later.as_ref().map(Arc::downgrade));
        Ok(begun)
    }

    /// Evicts the oldest compiled game of a folder if there are too many.
    fn forget_others(&self, name: &str) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push_back(name.to_string());
        if opened.len() > OPENED
            && let Some(oldest) = opened.pop_front()
        {
            self.places.lock().unwrap_or_else(PoisonError::into_inner).remove(&oldest);
        }
    }

    /// Returns the initial state of a game as a picture.
    pub(crate) fn thumbnail(&self, name: &str) -> Result<Arc<str>, Problem> {
        self.known(name)?;
        let place = {
            let mut thumbnails = self.thumbnails.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(thumbnails.entry(name.to_string()).or_default())
        };
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = place.get_or_insert_with(|| {
            let drawn = self.draw(name).map(Arc::from);
            drawn.map_err(|problem| Problem::useless("unplayable", problem.message))
        });
        drawn.clone()
    }

    fn draw(&self, name: &str) -> Result<String, Problem> {
        let loaded = self.load(name)?;
        let chosen = loaded.play_uncompiled(self.limits.grounding()).map_err(unplayable)?;
        let drawing = Drawing::new(&loaded, &chosen.game);
        let mut walk = Walk::new(&chosen.game);
        let mut here = walk.position().map_err(unplayable)?;
        let mut facts = here.facts.clone();
        // Before cards are dealt, there is little to see.
        for _ in 0..DEALT {
            if drawing.kind() != "cards" || facts.len() >= ENOUGH || here.terminal {
                break;
            }
            let Some(joint) = here.legal.iter().map(|legal| legal.get(legal.len() / 2).cloned()).collect()
            else {
                break;
            };
            let joint: Vec<String> = joint;
            let (Ok(_), Ok(next)) = (walk.step(&joint), walk.position()) else { break };
            if next.facts.len() > facts.len() {
                facts.clone_from(&next.facts);
            }
            here = next;
        }
        Ok(drawing.thumbnail(&facts))
    }

    /// Returns the game of a sheet from outside.
    pub(crate) fn sheet(&self, text: &str, syntax: Syntax) -> Result<Arc<Shown>, Problem> {
        let key = (syntax, text.to_string());
        if let Some(shown) = self.sheets.get(&key) {
            return Ok(shown);
        }
        let mut loaded = Loaded::new(sheet_source(text, syntax), Strictness::Lenient);
        if loaded.rules().is_none() {
            let count = loaded.errors().max(1);
            let message = match count {
                1 => "The sheet has an error and cannot be played.".to_string(),
                _ => format!("The sheet has {count} errors and cannot be played."),
            };
            return Err(Problem::useless("sheet-with-errors", message));
        }
        loaded.making.limits = self.limits.grounding();
        let begun = self.begin(&loaded, false).map_err(unplayable)?;
        let listed = listed("sheet", &loaded.source);
        let mut shown = Shown::new(listed, loaded, begun);
        if let Err(problem) = quick_enough(&shown.game()) {
            // It may be better when it is compiled.
            let later =
                shown.begun.later.as_ref().and_then(|later| later.wait(&Deadline::after(self.limits.work)));
            let now = later.ok_or(problem)?;
            quick_enough(&now.game)?;
            shown.begun = Begun { now, later: None };
        }
        let shown = Arc::new(shown);
        self.sheets.put(key, Arc::clone(&shown));
        Ok(shown)
    }
}

/// Creates a source from a sheet from outside.
pub(crate) fn sheet_source(text: &str, syntax: Syntax) -> Source {
    let bytes = text.as_bytes().to_vec();
    let source = library::from_bytes("sheet".to_string(), "the sheet".to_string(), None, bytes);
    Source { argument: "sheet".to_string(), language: library::language_of(syntax), ..source }
}

impl Shown {
    fn new(mut listed: Listed, loaded: Loaded, begun: Begun) -> Shown {
        let game = &begun.now.game;
        let drawing = Drawing::new(&loaded, game);
        listed.roles = Role::names(game.roles());
        listed.kind.hidden = game.has_percepts();
        Shown { listed, loaded, drawing, begun }
    }

    /// Returns the game to play now, and the compiled one that is still in the making.
    pub(crate) fn begun(&self) -> Begun {
        match self.begun.later.as_ref().and_then(|later| later.game()) {
            Some(now) => Begun { now, later: None },
            None => self.begun.clone(),
        }
    }

    /// Returns the game to ask now: the compiled one, if it is ready.
    pub(crate) fn game(&self) -> AnyGame {
        self.begun().now.game
    }

    /// Returns the game for work that is worth waiting for the compiled one.
    pub(crate) fn fast_game(&self, deadline: &Deadline) -> AnyGame {
        let compiled = self.begun.later.as_ref().and_then(|later| later.wait(deadline));
        compiled.unwrap_or_else(|| self.begun.now.clone()).game
    }

    /// Returns the names of the roles.
    pub(crate) fn roles(&self) -> &[String] {
        &self.listed.roles
    }

    /// Returns `true` if the rules hide something.
    pub(crate) fn hides(&self) -> bool {
        self.listed.kind.hidden
    }

    /// Returns the name of the language of the rules.
    pub(crate) fn language(&self) -> &'static str {
        self.loaded.language().name()
    }
}

/// Checks that a game answers, and soon enough: a match asks thousands of queries.
fn quick_enough(game: &AnyGame) -> Result<(), Problem> {
    let begun = Instant::now();
    Walk::new(game)
        .position()
        .map_err(|fault| Problem::useless("unplayable", format!("The sheet cannot be played. {fault}")))?;
    match begun.elapsed() > SLOWEST {
        false => Ok(()),
        true => Err(Problem::useless("too-costly", "The rules of this sheet take too long to evaluate.")),
    }
}

fn unplayable(cause: impl std::fmt::Display) -> Problem {
    Problem::useless("unplayable", cause.to_string())
}

/// Describes a game as far as possible without compiling it.
pub(crate) fn listed(name: &str, source: &Source) -> Listed {
    let about = source.about.clone().unwrap_or_default();
    let tagged = |word: &str| about.kind.iter().any(|tag| tag == word);
    let mut kind = Kind {
        hidden: tagged("hidden information"),
        simultaneous: tagged("simultaneous"),
        puzzle: tagged("puzzle"),
        random: tagged("chance"),
        language: Some(source.language)
            .filter(|language| language.syntax().is_none())
            .map(|language| language.name()),
    };
    let mut roles = about.roles.clone();
    if let Some(syntax) = source.language.syntax()
        && (roles.is_empty() || about.kind.is_empty())
    {
        let sheet = gdl::parse(&source.text, syntax).sheet;
        roles = roles_of(&sheet);
        kind.hidden =
            sheet.clauses.iter().any(|clause| clause.head.name().is_some_and(|name| &**name == "sees"));
        kind.random = roles.iter().any(|role| Role::named(role.as_str()).is_chance());
        kind.puzzle = roles.len() == 1;
    }
    let title = if about.title.is_empty() { source.name.clone() } else { about.title };
    let thumbnail = format!("/api/v1/games/{}/thumbnail.svg", encoded(name));
    let folder = name.split_once(':').map(|(label, _)| label.to_string());
    Listed { name: name.to_string(), title, about: about.description, roles, kind, thumbnail, folder }
}

/// Encodes a name for use in a URL.
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Returns the roles of a sheet.
pub(crate) fn roles_of(sheet: &RuleSheet) -> Vec<String> {
    let facts = sheet.clauses.iter().filter(|clause| clause.body.is_empty());
    let roles = facts.filter(|clause| clause.head.name().is_some_and(|name| &**name == "role"));
    roles.filter_map(|clause| clause.head.arguments().first()).map(ToString::to_string).collect()
}
