//! The games: the library by name, and sheets that came from outside.
//!
//! A name is looked up in the list of names, never as a path, so nothing but
//! the library can be asked for. Games are compiled when they are first wanted
//! and kept; sheets are compiled within limits, and the last few are kept.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use gdl::{RuleSheet, Syntax};
use lab::{Library, Loaded, Source, Spoken};
use rules::Strictness;
use serde::Serialize;

use crate::drawing::Drawing;
use crate::limits::SheetLimits;
use crate::problem::Problem;
use crate::recent::Recent;

/// Longer than this no sheet from outside may think about its first state.
const SLOWEST: Duration = Duration::from_millis(500);

/// What a game is like.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Kind {
    pub(crate) hidden: bool,
    pub(crate) simultaneous: bool,
    pub(crate) puzzle: bool,
    pub(crate) random: bool,
    pub(crate) graph: bool,
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
}

/// A game that can be played and shown.
pub(crate) struct Shown {
    pub(crate) listed: Listed,
    pub(crate) loaded: Loaded,
    pub(crate) game: Arc<dyn Spoken>,
    pub(crate) reasoner: &'static str,
    pub(crate) drawing: Drawing,
    thumbnail: OnceLock<String>,
}

/// One place in the library; empty until the game is first wanted.
type Place = Arc<Mutex<Option<Arc<Shown>>>>;

/// All games.
pub(crate) struct Shelf {
    library: Library,
    limits: SheetLimits,
    listed: OnceLock<Vec<Listed>>,
    places: Mutex<BTreeMap<String, Place>>,
    sheets: Recent<(Syntax, String), Arc<Shown>>,
}

impl Shelf {
    pub(crate) fn new(library: Library, limits: SheetLimits) -> Shelf {
        let places = Mutex::new(BTreeMap::new());
        Shelf { library, limits, listed: OnceLock::new(), places, sheets: Recent::new(24) }
    }

    /// The library, in alphabetical order.
    pub(crate) fn list(&self) -> &[Listed] {
        self.listed.get_or_init(|| {
            let names = self.library.names().unwrap_or_default();
            let sources = names.iter().filter_map(|name| self.library.find(name).ok());
            sources.map(|source| listed(&source)).collect()
        })
    }

    /// The game of the library with this name.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Shown>, Problem> {
        let Some(listed) = self.list().iter().find(|listed| listed.name == name) else {
            let hint = lab::did_you_mean(name, self.list().iter().map(|listed| listed.name.as_str()));
            let name: String = name.chars().take(80).collect();
            return Err(Problem::missing("unknown-game", format!("There is no game `{name}`.{hint}")));
        };
        let place = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(places.entry(name.to_string()).or_default())
        };
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shown) = &*place {
            return Ok(Arc::clone(shown));
        }
        let source =
            self.library.find(name).map_err(|error| Problem::useless("unplayable", error.to_string()))?;
        let loaded = Loaded::new(source, Strictness::Lenient);
        let chosen =
            loaded.play("auto").map_err(|error| Problem::useless("unplayable", error.to_string()))?;
        let shown = Arc::new(Shown::new(listed.clone(), loaded, &chosen)?);
        *place = Some(Arc::clone(&shown));
        Ok(shown)
    }

    /// The game of a sheet from outside.
    pub(crate) fn sheet(&self, text: &str, syntax: Syntax) -> Result<Arc<Shown>, Problem> {
        let key = (syntax, text.to_string());
        if let Some(shown) = self.sheets.get(&key) {
            return Ok(shown);
        }
        let loaded = Loaded::new(sheet_source(text, syntax), Strictness::Lenient);
        if loaded.rules.is_none() {
            let count = loaded.errors().max(1);
            let message = match count {
                1 => "The sheet has an error and cannot be played.".to_string(),
                _ => format!("The sheet has {count} errors and cannot be played."),
            };
            return Err(Problem::useless("sheet-with-errors", message));
        }
        let chosen = loaded
            .play_within(self.limits.grounding())
            .map_err(|error| Problem::useless("unplayable", error.to_string()))?;
        // One question may be slow, a match asks thousands.
        let begun = Instant::now();
        let looked = chosen.game.spoken().walk().look();
        looked.map_err(|fault| {
            Problem::useless("unplayable", format!("The sheet cannot be played. {fault}"))
        })?;
        if begun.elapsed() > SLOWEST {
            let text = "The rules of this sheet take too long to evaluate.";
            return Err(Problem::useless("too-costly", text));
        }
        let listed = listed(&loaded.source);
        let shown = Arc::new(Shown::new(listed, loaded, &chosen)?);
        self.sheets.put(key, Arc::clone(&shown));
        Ok(shown)
    }
}

/// A sheet from outside as a source.
pub(crate) fn sheet_source(text: &str, syntax: Syntax) -> Source {
    let bytes = text.as_bytes().to_vec();
    let source = lab::from_bytes("sheet".to_string(), "the sheet".to_string(), None, bytes);
    Source { argument: "sheet".to_string(), syntax, ..source }
}

impl Shown {
    fn new(mut listed: Listed, loaded: Loaded, chosen: &lab::Chosen) -> Result<Shown, Problem> {
        let game = chosen.game.spoken();
        let drawing = Drawing::new(&loaded, &chosen.game);
        listed.roles = game.roles().to_vec();
        listed.kind.hidden = game.hides();
        Ok(Shown { listed, loaded, game, reasoner: chosen.name, drawing, thumbnail: OnceLock::new() })
    }

    /// The first state as a picture.
    pub(crate) fn thumbnail(&self) -> Result<&str, Problem> {
        if let Some(drawn) = self.thumbnail.get() {
            return Ok(drawn);
        }
        let look = self.game.walk().look();
        let look = look.map_err(|fault| Problem::useless("unplayable", fault.to_string()))?;
        Ok(self.thumbnail.get_or_init(|| self.drawing.thumbnail(&look.facts)))
    }

    /// How the rules are written.
    pub(crate) fn language(&self) -> &'static str {
        match (&self.loaded.graph, self.loaded.source.syntax) {
            (Some(_), _) => "graph",
            (None, Syntax::Kif) => "kif",
            (None, Syntax::Hrf) => "hrf",
        }
    }
}

/// What can be said of a game without compiling it.
fn listed(source: &Source) -> Listed {
    let about = source.about.clone().unwrap_or_default();
    let tagged = |word: &str| about.kind.iter().any(|tag| tag == word);
    let mut kind = Kind {
        hidden: tagged("hidden information"),
        simultaneous: tagged("simultaneous"),
        puzzle: tagged("puzzle"),
        random: tagged("chance"),
        graph: source.grammar.is_some(),
    };
    let mut roles = about.roles.clone();
    if source.grammar.is_none() && (roles.is_empty() || about.kind.is_empty()) {
        let sheet = gdl::parse(&source.text, source.syntax).sheet;
        roles = roles_of(&sheet);
        kind.hidden =
            sheet.clauses.iter().any(|clause| clause.head.name().is_some_and(|name| &**name == "sees"));
        kind.random = roles.iter().any(|role| role == "random");
        kind.puzzle = roles.len() == 1;
    }
    let title = if about.title.is_empty() { source.name.clone() } else { about.title };
    let thumbnail = format!("/api/v1/games/{}/thumbnail.svg", source.name);
    Listed { name: source.name.clone(), title, about: about.description, roles, kind, thumbnail }
}

fn roles_of(sheet: &RuleSheet) -> Vec<String> {
    let facts = sheet.clauses.iter().filter(|clause| clause.body.is_empty());
    let roles = facts.filter(|clause| clause.head.name().is_some_and(|name| &**name == "role"));
    roles.filter_map(|clause| clause.head.arguments().first()).map(ToString::to_string).collect()
}
