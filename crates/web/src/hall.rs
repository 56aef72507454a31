//! All tables: creating matches, finding them, and resuming those that a restart interrupted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena::{End, Ending, MatchRecord};
use game::Role;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Query, Store, StoreError};

use crate::interrupted::{Interrupted, Left};
use crate::keys;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::recent::Recent;
use crate::shelf::{Shelf, Shown, listed, sheet_source};
use crate::table::record::{SERIES, Seat, Sheet, TableRecord, VERSION};
use crate::table::{Standing, Table, Wish, begin};
use crate::visitors;

/// The maximum length of a clock, in seconds.
const LONGEST_CLOCK: f64 = 3600.0;
/// The number of finished matches that stay in memory.
const REMEMBERED: usize = 200;

/// A request for a match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    game: Option<String>,
    sheet: Option<Sheet>,
    seats: Vec<SeatRequest>,
    #[serde(default = "one")]
    start_clock: f64,
    #[serde(default = "one")]
    play_clock: f64,
    seed: Option<u64>,
    #[serde(default)]
    casual: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatRequest {
    role: String,
    player: String,
}

fn one() -> f64 {
    1.0
}

/// All tables.
pub(crate) struct Hall {
    shelf: Arc<Shelf>,
    store: Option<Arc<Store>>,
    limits: Limits,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    archive: Recent<String, Arc<Table>>,
    interrupted: Interrupted,
    running: Arc<()>,
}

impl Hall {
    pub(crate) fn new(shelf: Arc<Shelf>, store: Option<Arc<Store>>, limits: Limits) -> Hall {
        let tables = Mutex::default();
        let (archive, interrupted, running) = (Recent::new(64), Interrupted::default(), Arc::new(()));
        Hall { shelf, store, limits, tables, archive, interrupted, running }
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a match, and starts it unless seats are open.
    pub(crate) fn create(&self, request: Request) -> Result<Arc<Table>, Problem> {
        if self.live() >= self.limits.matches {
            let text = "Too many matches are being played. Try again later.";
            return Err(Problem::busy("too-many-matches", text));
        }
        let shown = match (&request.game, &request.sheet) {
            (Some(name), None) => self.shelf.named(name)?,
            (None, Some(sheet)) => self.shelf.sheet(&sheet.text, sheet.language.into())?,
            _ => return Err(Problem::bad("no-game", "Give either `game` or `sheet`.")),
        };
        let record = self.record(request, &shown)?;
        let table = Table::new(record, shown);
        let table = Arc::new(table.map_err(|fault| Problem::useless("unplayable", fault.to_string()))?);
        self.keep(&table)?;
        self.tables().insert(table.id.clone(), Arc::clone(&table));
        self.begin_if_full(&table)?;
        self.forget();
        Ok(table)
    }

    fn record(&self, request: Request, shown: &Shown) -> Result<TableRecord, Problem> {
        let clock = |seconds: f64, name: &str| match (0.0..=LONGEST_CLOCK).contains(&seconds) {
            true => Ok((seconds * 1000.0) as u64),
            false => {
                let text = format!("`{name}` must be a number of seconds from 0 to {LONGEST_CLOCK}.");
                Err(Problem::bad("bad-clock", text))
            }
        };
        let (start_clock_ms, play_clock_ms) =
            (clock(request.start_clock, "start_clock")?, clock(request.play_clock, "play_clock")?);
        let seats = seats(&request.seats, shown)?;
        let strange = seats.iter().flatten().filter(|seat| seat.is_strange()).count();
        if request.seed.is_some() && shown.hides() && strange > 0 && !(request.casual && strange == 1) {
            let text = "Omit the seed: whoever chooses it knows what is hidden.";
            return Err(Problem::bad("seed-tells", text));
        }
        if request.seed.is_some_and(|seed| seed >= 1 << 53) {
            return Err(Problem::bad("bad-seed", "`seed` must be an integer below 2^53."));
        }
        let clocks = (Duration::from_millis(start_clock_ms), Duration::from_millis(play_clock_ms));
        visitors::check(&seats, clocks)?;
        Ok(TableRecord {
            version: VERSION,
            id: keys::name(),
            game: request.game.unwrap_or_else(|| "sheet".to_string()),
            sheet: request.sheet,
            seats,
            start_clock_ms,
            play_clock_ms,
            seed: request.seed.unwrap_or_else(keys::seed),
            casual: request.casual,
            started: now(),
            aborted: false,
        })
    }

    /// Assigns an open seat, and returns its key.
    pub(crate) fn take(&self, table: &Arc<Table>, role: &str) -> Result<String, Problem> {
        let at = table.role(role)?;
        let (key, before) = {
            let mut course = table.course();
            let over = course.standing.is_over();
            let seat = course.kept.seats[at].as_mut().filter(|seat| !seat.taken && !over);
            let seat = seat.ok_or_else(|| Problem::conflict("taken", "This seat is not available."))?;
            let before = seat.clone();
            seat.taken = true;
            seat.player = "human".to_string();
            (seat.key.clone().unwrap_or_default(), before)
        };
        if let Err(problem) = self.keep(table) {
            // Nobody has its key, so it stays open.
            table.course().kept.seats[at] = Some(before);
            return Err(problem);
        }
        self.begin_if_full(table)?;
        table.touch();
        Ok(key)
    }

    /// Aborts a match.
    pub(crate) fn abort(&self, table: &Arc<Table>) -> Result<(), Problem> {
        let waiting = {
            let mut course = table.course();
            let waiting = course.standing == Standing::Waiting;
            if waiting {
                course.standing = Standing::Aborted;
                course.kept.aborted = true;
            }
            waiting
        };
        if waiting {
            table.touch();
            return self.keep(table);
        }
        table.wish(Wish::Abort)
    }

    fn begin_if_full(&self, table: &Arc<Table>) -> Result<(), Problem> {
        {
            let mut course = table.course();
            if course.kept.waiting().next().is_some() || course.standing.is_over() {
                return Ok(());
            }
            course.standing = Standing::Running;
        }
        self.run(table, None)
    }

    fn run(&self, table: &Arc<Table>, again: Option<(String, u64)>) -> Result<(), Problem> {
        let (store, running) = (self.store.clone(), Arc::clone(&self.running));
        let conditions = crate::table::Conditions { store, max_steps: self.limits.steps, again, running };
        begin(table, conditions).map_err(Problem::internal)
    }

    /// Writes the description of the match to the store. If a seat is taken later, it is written again.
    fn keep(&self, table: &Table) -> Result<(), Problem> {
        if let Some(store) = &self.store {
            let record = serde_json::to_value(&table.course().kept).map_err(Problem::internal)?;
            store.begin_series(&format!("{SERIES}{}", table.id), &record)?;
        }
        Ok(())
    }

    /// Finds a match that is played here or stored.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Table>, Problem> {
        self.take_up(id);
        if let Some(table) = self.tables().get(id) {
            return Ok(Arc::clone(table));
        }
        if let Some(table) = self.archive.get(&id.to_string()) {
            return Ok(table);
        }
        let unknown = || Problem::missing("unknown-match", "There is no such match.");
        let Some(store) = &self.store else { return Err(unknown()) };
        let kept = match self.last_member(store, id) {
            Ok(kept) => kept,
            Err(StoreError::Unknown { .. } | StoreError::Several { .. }) => return Err(unknown()),
            Err(error) => return Err(error.into()),
        };
        if !kept.finished {
            return Err(Problem::missing("unknown-match", "This match is unfinished and not running here."));
        }
        let sheet = kept.sheet.filter(|sheet| !sheet.is_empty());
        let shown = match self.shelf.named(&kept.record.game) {
            Ok(shown) if sheet.as_deref().is_none_or(|sheet| *sheet == *shown.loaded.source.text) => shown,
            other => match sheet {
                Some(text) => {
                    let syntax = gdl::Syntax::guess(&text, None);
                    self.shelf.sheet(&text, syntax)?
                }
                None => other?,
            },
        };
        let record = archived(id, &kept.record);
        let standing = if is_decided(&kept.record.end()) { Standing::Done } else { Standing::Aborted };
        let made = Table::with_record(record, shown, kept.record, standing);
        let text = "This match does not fit the rules of its game any more.";
        let table = made.map_err(|_| Problem::useless("unplayable", text))?;
        let table = Arc::new(table);
        self.archive.put(id.to_string(), Arc::clone(&table));
        Ok(table)
    }

    /// Returns the stored match with this name; if moves were taken back, the last line of play.
    fn last_member(&self, store: &Store, id: &str) -> Result<store::Kept, StoreError> {
        let members = store.members(&format!("{SERIES}{id}"))?;
        match members.last() {
            Some(member) => store.kept(&member.key),
            None => store.kept(id),
        }
    }

    /// Returns open and past matches, latest first.
    pub(crate) fn list(&self, state: Option<&str>, limit: usize) -> Result<Vec<Value>, Problem> {
        // In this order, because they become tables meanwhile.
        let interrupted = self.interrupted.records();
        let mut list: Vec<Value> = self.tables().values().map(|table| table.summary()).collect();
        for record in interrupted {
            if !list.iter().any(|listed| listed["id"] == record.id) {
                list.push(self.summary(&record)?);
            }
        }
        if let Some(store) = self.store.as_ref().filter(|_| state != Some("live")) {
            let query = Query { finished: true, limit: Some(limit + list.len()), ..Query::default() };
            let known: Vec<String> = self.tables().keys().cloned().collect();
            // If moves were taken back, the last line of play counts.
            for summary in store.history(&query)?.into_iter().rev() {
                let own = summary.series.as_ref().and_then(|series| series.strip_prefix(SERIES));
                let id = own.unwrap_or(&summary.key).to_string();
                let taken_back = own.is_some_and(|id| known.iter().any(|known| known == id));
                if taken_back || list.iter().any(|listed| listed["id"] == id) {
                    continue;
                }
                let end = summary.end.unwrap_or_default();
                let goals: Option<serde_json::Map<String, Value>> = end.is_completed.then(|| {
                    summary.roles.iter().cloned().zip(end.goals.iter().map(|goal| json!(goal))).collect()
                });
                let listed = self.shelf.list().iter().find(|listed| listed.name == summary.game);
                list.push(json!({
                    "id": id, "game": summary.game,
                    "title": listed.map_or(summary.game.as_str(), |listed| listed.title.as_str()),
                    "roles": summary.roles, "players": summary.players,
                    "state": if is_decided(&end) { "done" } else { "aborted" }, "steps": summary.steps,
                    "started": summary.created, "goals": goals,
                    "hidden": listed.is_some_and(|listed| listed.kind.hidden), "waiting": [],
                }));
            }
        }
        list.retain(|listed| match state {
            Some("live") => listed["state"] == "live",
            Some(_) => listed["state"] != "live",
            None => true,
        });
        list.sort_by_key(|listed| std::cmp::Reverse(listed["started"].as_u64()));
        list.truncate(limit);
        Ok(list)
    }

    /// Returns the number of open matches.
    pub(crate) fn live(&self) -> usize {
        let live = self.tables().values().filter(|table| !table.course().standing.is_over()).count();
        live + self.interrupted.len()
    }

    /// Returns the entry in a list of a match that has not been taken up.
    fn summary(&self, record: &TableRecord) -> Result<Value, Problem> {
        let query = Query { series: Some(format!("{SERIES}{}", record.id)), ..Query::default() };
        let stored = self.store.as_ref().map(|store| store.history(&query)).transpose()?.unwrap_or_default();
        let begun = stored.iter().find(|summary| summary.end.is_none());
        let sheet = record.sheet.as_ref().map(|sheet| sheet_source(&sheet.text, sheet.language.into()));
        let sheet = sheet.map(|source| listed("sheet", &source));
        let known = || self.shelf.list().iter().find(|listed| listed.name == record.game);
        let listed = sheet.as_ref().or_else(known);
        let roles = begun.map(|begun| &begun.roles).or(listed.map(|listed| &listed.roles));
        let roles = roles.cloned().unwrap_or_default();
        Ok(json!({
            "id": record.id, "game": record.game,
            "title": listed.map_or(record.game.as_str(), |listed| listed.title.as_str()),
            "players": record.players(), "state": "live", "steps": begun.map_or(0, |begun| begun.steps),
            "started": record.started, "goals": null,
            "hidden": listed.is_some_and(|listed| listed.kind.hidden),
            "waiting": record.waiting().filter_map(|role| roles.get(role)).collect::<Vec<_>>(),
            "roles": roles,
        }))
    }

    /// Finds the matches that were open when the service last ended, and returns their number. They are
    /// resumed when somebody asks for them, or by [`Hall::take_up_all`].
    pub(crate) fn resume(&self) -> Result<usize, StoreError> {
        let Some(store) = &self.store else { return Ok(0) };
        let mut records: BTreeMap<String, TableRecord> = BTreeMap::new();
        for series in store.series_like(SERIES)? {
            if let Ok(record) = serde_json::from_value::<TableRecord>(series.plan) {
                records.insert(record.id.clone(), record);
            }
        }
        for record in records.into_values().filter(|record| !record.aborted && record.version == VERSION) {
            let member = store.members(&format!("{SERIES}{}", record.id))?.pop();
            if member.as_ref().is_none_or(|member| !member.finished) {
                self.interrupted.put(Left { record, member });
            }
        }
        Ok(self.interrupted.len())
    }

    /// Resumes all matches that were open when the service last ended.
    pub(crate) fn take_up_all(&self) {
        self.interrupted.ids().iter().for_each(|id| self.take_up(id));
    }

    fn take_up(&self, id: &str) {
        let Some(store) = &self.store else { return };
        self.interrupted.take_up(id, |left| {
            if let Err(problem) = self.reopen(store, left) {
                tracing::warn!(id, cause = problem.message, "cannot resume a match");
            }
        });
    }

    fn reopen(&self, store: &Store, Left { record, member }: Left) -> Result<(), Problem> {
        let shown = match &record.sheet {
            Some(sheet) => self.shelf.sheet(&sheet.text, sheet.language.into())?,
            None => self.shelf.named(&record.game)?,
        };
        let unfit = |_| Problem::useless("unplayable", "the rules of the game have changed");
        let Some(member) = member else {
            let table = Arc::new(Table::new(record, shown).map_err(unfit)?);
            self.tables().insert(table.id.clone(), Arc::clone(&table));
            return self.begin_if_full(&table);
        };
        let kept = store.kept(&member.key)?;
        let table = Table::with_record(record, shown, kept.record, Standing::Running).map_err(unfit)?;
        let table = Arc::new(table);
        if table.course().record.as_ref().is_some_and(|record| record.states.is_empty()) {
            table.course().record = None;
        }
        self.tables().insert(table.id.clone(), Arc::clone(&table));
        self.run(&table, Some((member.key.clone(), member.number)))
    }

    /// Leaves all matches to be resumed after a restart. Waits briefly for steps that are being written.
    pub(crate) fn leave(&self) {
        self.interrupted.close();
        for table in self.tables().values() {
            // It fails for matches that are not running, which is fine.
            let _ = table.wish(Wish::Leave);
        }
        let until = Instant::now() + Duration::from_secs(3);
        while Arc::strong_count(&self.running) > 1 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Bounds memory: the oldest finished matches are left to the store.
    fn forget(&self) {
        let mut tables = self.tables();
        let started = |table: &Arc<Table>| table.course().kept.started;
        let mut over: Vec<(u64, String)> = tables
            .iter()
            .filter(|(_, table)| table.course().standing.is_over())
            .map(|(id, table)| (started(table), id.clone()))
            .collect();
        over.sort();
        let surplus = over.len().saturating_sub(REMEMBERED);
        for (_, id) in over.into_iter().take(surplus) {
            tables.remove(&id);
        }
    }
}

/// Assigns players: one seat for each role that is not played by chance.
fn seats(asked: &[SeatRequest], shown: &Shown) -> Result<Vec<Option<Seat>>, Problem> {
    let roles = shown.roles();
    let mut seats: Vec<Option<Seat>> = vec![None; roles.len()];
    for SeatRequest { role, player } in asked {
        let at = roles.iter().position(|known| known == role);
        let Some(at) = at.filter(|&at| !is_chance(&roles[at])) else {
            let text = format!("The game has no such role for a player; its roles are {}.", roles.join(", "));
            return Err(Problem::bad("unknown-role", text));
        };
        if seats[at].is_some() {
            return Err(Problem::bad("two-players", format!("There are two players for {role}.")));
        }
        let outside = matches!(player.as_str(), "human" | "tab" | "open");
        if !outside {
            cast::seat(&shown.game(), player)
                .map_err(|error| Problem::bad("unknown-player", error.to_string()))?;
        }
        let (key, taken) = (outside.then(keys::key), player != "open");
        seats[at] = Some(Seat { player: player.clone(), key, taken });
    }
    let lacking: Vec<&str> = (0..roles.len())
        .filter(|&at| !is_chance(&roles[at]) && seats[at].is_none())
        .map(|at| roles[at].as_str())
        .collect();
    if lacking.is_empty() {
        return Ok(seats);
    }
    Err(Problem::bad("no-player", format!("There is no player for {}.", lacking.join(", "))))
}

/// Returns `true` if a match was decided: by its rules, or because a role forfeited.
fn is_decided(end: &End) -> bool {
    end.is_completed || matches!(end.ending, Ending::Forfeit { .. })
}

/// Creates the description of a match that was played earlier or elsewhere.
fn archived(id: &str, record: &MatchRecord) -> TableRecord {
    let (start, play) = record
        .clocks_ms
        .unwrap_or((record.start_clock.saturating_mul(1000), record.play_clock.saturating_mul(1000)));
    let seat = |(role, player): (&String, &String)| {
        (!is_chance(role)).then(|| Seat { player: player.clone(), key: None, taken: true })
    };
    TableRecord {
        version: VERSION,
        id: id.to_string(),
        game: record.game.clone(),
        sheet: None,
        seats: record.roles.iter().zip(&record.player_names_from_host).map(seat).collect(),
        start_clock_ms: start,
        play_clock_ms: play,
        seed: record.seed,
        casual: false,
        started: record.times.as_ref().map_or(0, |times| times.start_time),
        aborted: false,
    }
}

fn is_chance(role: &str) -> bool {
    Role::named(role).is_chance()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}
