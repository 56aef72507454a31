//! Lines that become matches of a store.

use std::collections::BTreeMap;

use super::Import;
use super::exporter::is_private;
use super::line::{Line, LineError, Place};
use crate::error::StoreError;
use crate::series::Series;
use crate::store::Store;

/// Reads lines that an [`Exporter`](crate::Exporter) has written, and match records of other programs.
///
/// A series is recognised by its name, the time at which it began and its plan. If it is not stored, it
/// begins with the first of its matches that is added, under a similar name if its own is taken.
pub struct Importer<'a> {
    store: &'a Store,
    private: &'a [&'a str],
    /// The plans that have been read, by name and beginning of the series.
    plans: BTreeMap<(String, u64), serde_json::Value>,
    /// The names of series in this store, by name and beginning in the lines.
    names: BTreeMap<(String, u64), String>,
    game: Option<GameOf>,
}

/// The game of records that do not name it.
#[derive(Debug, Clone)]
pub struct GameOf {
    /// The name of the game.
    pub name: String,
    /// Its roles.
    pub roles: Vec<String>,
    /// Its rule sheet, if it has one.
    pub sheet: Option<String>,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Whether the match was added.
    pub import: Import,
    /// Whether the match belongs to a series but is stored outside of it: the plan of the series was in none
    /// of the lines, another match has its number, it was stored so already, or the series is private.
    pub outside: bool,
}

impl<'a> Importer<'a> {
    /// Begins an import. Series whose names have one of the `private` prefixes are not added; their matches
    /// are.
    pub fn new(store: &'a Store, private: &'a [&'a str]) -> Importer<'a> {
        Importer { store, private, plans: BTreeMap::new(), names: BTreeMap::new(), game: None }
    }

    /// Says which game the records of other programs are of.
    pub fn of_game(self, game: GameOf) -> Importer<'a> {
        Importer { game: Some(game), ..self }
    }

    /// Imports the match of a line, unless it is already stored.
    pub fn line(&mut self, text: &str) -> Result<Arrival, LineError> {
        let Line { mut record, place } = Line::read(text)?;
        if let Some(game) = self.game.as_ref().filter(|_| record.is_foreign()) {
            let (found, roles) = (record.seats(), game.roles.len());
            if found != roles {
                return Err(LineError::OtherGame { found, game: game.name.clone(), roles });
            }
            record.game.clone_from(&game.name);
            record.roles.clone_from(&game.roles);
            record.rule_sheet.clone_from(&game.sheet);
        }
        if let Some(Place { name, created, plan: Some(plan), .. }) = &place {
            self.plans.insert((name.clone(), *created), plan.clone());
        }
        if let Some(key) = self.store.key_of(&record)? {
            let outside = place.is_some() && self.store.backend().opened(&key)?.series.is_none();
            return Ok(Arrival { import: Import::Known(key), outside });
        }
        let series = match &place {
            Some(place) => self.series(place)?.map(|name| (name, place.number)),
            None => None,
        };
        let is_member = series.is_some();
        match self.store.add(&record, series) {
            Ok(key) => Ok(Arrival { import: Import::Added(key), outside: place.is_some() && !is_member }),
            Err(StoreError::Taken { .. }) if is_member => {
                Ok(Arrival { import: Import::Added(self.store.add(&record, None)?), outside: true })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the name of a series in this store. It is added if it is missing and its plan is known.
    fn series(&mut self, place: &Place) -> Result<Option<String>, StoreError> {
        let id = (place.name.clone(), place.created);
        if is_private(&place.name, self.private) {
            return Ok(None);
        }
        if let Some(name) = self.names.get(&id) {
            return Ok(Some(name.clone()));
        }
        let plan = self.plans.get(&id);
        let is_same = |series: &Series| {
            series.created == place.created
                && is_numbered(&series.name, &place.name)
                && plan.is_none_or(|plan| *plan == series.plan)
        };
        let name = match (self.store.series_like(&place.name)?.into_iter().find(is_same), plan) {
            (Some(series), _) => series.name,
            (None, Some(plan)) => {
                let (name, created) = id.clone();
                self.store.add_series(&Series { name, created, plan: plan.clone() })?
            }
            (None, None) => return Ok(None),
        };
        self.names.insert(id, name.clone());
        Ok(Some(name))
    }
}

/// Returns `true` if `found` is the name itself or the name with a number, as a store appends it.
fn is_numbered(found: &str, name: &str) -> bool {
    let rest = found.strip_prefix(name);
    rest.is_some_and(|rest| {
        let number = rest.strip_prefix('~').unwrap_or_default();
        rest.is_empty() || number.parse::<u64>().is_ok()
    })
}
