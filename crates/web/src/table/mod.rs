//! A table: one match, its players and spectators, and everything shown there.
//!
//! The referee plays on a separate thread ([`run`]) and adds a [`Moment`] for each state. Each spectator
//! holds a position in the list of moments and is notified when the list grows, so it misses nothing,
//! however slow it is. The JSON of a moment is created once per view and shared.

mod follow;
mod hint;
mod moment;
pub(crate) mod record;
mod run;
mod seat;
mod sight;
mod step;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use analysis::Knowledge;
use arena::MatchRecord;
use game::{Fault, Position, StopToken, Walk};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::problem::Problem;
use crate::shelf::Shown;
use crate::table::record::TableRecord;
pub(crate) use follow::{Follower, News};
pub(crate) use hint::hint;
pub(crate) use moment::{Moment, Notes};
pub(crate) use run::{Conditions, begin};
pub(crate) use seat::Mailbox;
pub(crate) use sight::Sight;
pub(crate) use step::legal_moves;

/// The state of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Seats are open.
    Waiting,
    /// It is being played.
    Running,
    /// It ended by its rules, at the step limit, or by a resignation.
    Done,
    /// It was aborted.
    Aborted,
}

impl Standing {
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Standing::Done | Standing::Aborted)
    }

    /// Returns its name in the API.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Standing::Waiting | Standing::Running => "live",
            Standing::Done => "done",
            Standing::Aborted => "aborted",
        }
    }
}

/// A request to interrupt a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Take moves back, to this moment.
    Undo(usize),
    /// A role resigns.
    Resign(usize),
    /// Abort the match.
    Abort,
    /// The service ends; the match is resumed later.
    Leave,
}

/// One match.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) shown: Arc<Shown>,
    pub(crate) mailboxes: Vec<Mailbox>,
    course: Mutex<Course>,
    minds: Vec<Mutex<Mind>>,
    changes: watch::Sender<u64>,
}

/// What changes during a match.
pub(crate) struct Course {
    pub(crate) kept: TableRecord,
    pub(crate) moments: Vec<Arc<Moment>>,
    /// How often moves have been taken back.
    pub(crate) generation: u64,
    pub(crate) standing: Standing,
    /// When each role's answer is due, if its clock is running. `clock_changes` counts the changes.
    pub(crate) clocks: Vec<Option<Instant>>,
    pub(crate) clock_changes: u64,
    /// The referee's record so far.
    pub(crate) record: Option<MatchRecord>,
    pub(crate) stop: StopToken,
    pub(crate) wish: Option<Wish>,
}

/// What a role knows, by moment.
#[derive(Default)]
struct Mind {
    knowledge: Option<Knowledge>,
    facts: Vec<Option<Arc<[String]>>>,
}

impl Table {
    /// Creates a table for a match without moves.
    pub(crate) fn new(kept: TableRecord, shown: Arc<Shown>) -> Result<Table, Fault> {
        let first = Walk::new(&shown.game()).position()?;
        Ok(Table::at(kept, shown, first))
    }

    /// A table at which nobody has moved from this position.
    fn at(kept: TableRecord, shown: Arc<Shown>, first: Position) -> Table {
        let roles = shown.roles().len();
        let first = Arc::new(Moment::first(first));
        let standing = if kept.waiting().next().is_some() { Standing::Waiting } else { Standing::Running };
        Table {
            id: kept.id.clone(),
            mailboxes: (0..roles).map(|_| Mailbox::default()).collect(),
            minds: (0..roles).map(|_| Mutex::default()).collect(),
            changes: watch::channel(0).0,
            shown,
            course: Mutex::new(Course {
                kept,
                moments: vec![first],
                generation: 0,
                standing,
                clocks: vec![None; roles],
                clock_changes: 0,
                record: None,
                stop: StopToken::default(),
                wish: None,
            }),
        }
    }

    /// Creates a table with the steps of a stored record, and returns the state that they lead to.
    pub(crate) fn with_record(
        kept: TableRecord,
        shown: Arc<Shown>,
        record: MatchRecord,
        standing: Standing,
    ) -> Result<Table, Fault> {
        let mut walk = Walk::new(&shown.game());
        let table = Table::at(kept, shown, walk.position()?);
        let mut course = table.course();
        for (number, joint) in record.moves.iter().enumerate() {
            let percepts = walk.step(joint)?;
            course.moments.push(Arc::new(Moment::after(
                number + 1,
                joint.clone(),
                percepts,
                Notes::in_record(&record, number + 1),
                walk.position()?,
            )));
        }
        course.standing = standing;
        course.record = Some(record);
        drop(course);
        Ok(table)
    }

    pub(crate) fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies everyone who watches.
    pub(crate) fn touch(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Returns `true` if anyone watches.
    fn is_watched(&self) -> bool {
        self.changes.receiver_count() > 0
    }

    pub(crate) fn roles(&self) -> &[String] {
        self.shown.roles()
    }

    /// Returns the role with this name.
    pub(crate) fn role(&self, name: &str) -> Result<usize, Problem> {
        let found = self.roles().iter().position(|role| role == name);
        let roles = self.roles().join(", ");
        found.ok_or_else(|| {
            Problem::bad("unknown-role", format!("There is no such role; the roles are {roles}."))
        })
    }

    /// Returns the role whose seat has this key.
    pub(crate) fn keyed(&self, key: &str) -> Option<usize> {
        let course = self.course();
        let fits = |seat: &record::Seat| {
            seat.taken && seat.key.as_ref().is_some_and(|known| crate::keys::same(known, key))
        };
        course.kept.seats.iter().position(|seat| seat.as_ref().is_some_and(fits))
    }

    /// Accepts a move of a role at a moment.
    pub(crate) fn answer(&self, role: usize, number: usize, text: &str) -> Result<(), Problem> {
        let canonical = gdl::parse_term(text).map_or_else(|_| text.to_string(), |term| term.to_string());
        let course = self.course();
        if course.standing != Standing::Running || course.wish.is_some() {
            return Err(Problem::conflict("not-running", "The match is not running."));
        }
        let now = course.moments.len() - 1;
        if number != now {
            return Err(Problem::conflict("late", format!("The match is at step {now}, not at {number}.")));
        }
        let legal = &course.moments[now].position.legal[role];
        if !legal.contains(&canonical) {
            let shown: String = canonical.chars().take(80).collect();
            return Err(Problem::bad("illegal-move", format!("`{shown}` is not one of your moves.")));
        }
        drop(course);
        self.mailboxes[role].put(number, canonical);
        Ok(())
    }

    /// Interrupts the match. Only the first request counts.
    pub(crate) fn wish(&self, wish: Wish) -> Result<(), Problem> {
        let mut course = self.course();
        if course.standing != Standing::Running || course.wish.is_some() {
            return Err(Problem::conflict("not-running", "The match is not running."));
        }
        course.wish = Some(wish);
        course.stop.stop();
        drop(course);
        self.mailboxes.iter().for_each(Mailbox::ring);
        Ok(())
    }

    /// Takes moves back, to where the role last had a choice.
    pub(crate) fn undo(&self, role: usize) -> Result<(), Problem> {
        let back = {
            let course = self.course();
            if !course.kept.casual {
                return Err(Problem::forbidden(
                    "not-casual",
                    "Moves can only be taken back in casual matches.",
                ));
            }
            if self.shown.hides() {
                let text = "Moves cannot be taken back in games with hidden information.";
                return Err(Problem::forbidden("hidden-information", text));
            }
            let earlier = &course.moments[..course.moments.len() - 1];
            earlier.iter().rposition(|moment| moment.position.legal[role].len() > 1)
        };
        let back = back.ok_or_else(|| Problem::conflict("nothing-to-undo", "You have not moved yet."))?;
        self.wish(Wish::Undo(back))
    }

    /// Returns the facts that a role can be sure of at a moment, in a game with hidden information.
    pub(crate) fn known(&self, role: usize, number: usize) -> Option<Arc<[String]>> {
        let moments: Vec<Arc<Moment>> = self.course().moments.iter().take(number + 1).cloned().collect();
        let mut mind = self.minds[role].lock().unwrap_or_else(PoisonError::into_inner);
        let limits =
            analysis::KnowledgeLimits { states: 1000, steps: 50_000, time: Duration::from_millis(500) };
        while mind.facts.len() <= number && mind.facts.len() < moments.len() {
            let moment = &moments[mind.facts.len()];
            if moment.number == 0 {
                mind.knowledge = Some(Knowledge::new(&self.shown.game(), game::RoleId(role as u32), limits));
            } else if let Some(knowledge) = &mut mind.knowledge {
                let own = moment.moves.as_ref().map_or("", |moves| moves[role].as_str());
                if knowledge.update(own, &moment.percepts[role], !moment.position.terminal).is_err() {
                    mind.knowledge = None;
                }
            }
            let facts = mind.knowledge.as_ref().and_then(|knowledge| knowledge.facts()).map(Arc::from);
            mind.facts.push(facts);
            if moment.position.terminal {
                mind.knowledge = None;
            }
        }
        mind.facts.get(number).cloned().flatten()
    }

    /// Returns the entry of the match in a list.
    pub(crate) fn summary(&self) -> Value {
        let course = self.course();
        json!({
            "id": self.id, "game": course.kept.game, "title": self.shown.listed.title, "roles": self.roles(),
            "players": course.kept.players(), "state": course.standing.name(), "steps": course.moments.len() - 1,
            "started": course.kept.started, "goals": self.goals(&course), "hidden": self.shown.hides(),
            "waiting": course.kept.waiting().map(|role| &self.roles()[role]).collect::<Vec<_>>(),
        })
    }

    /// Returns why the referee made moves in a step in place of players, where there was a choice.
    fn substitutes<'a>(&self, before: &Moment, after: &'a Moment) -> impl Iterator<Item = &'a arena::Fault> {
        let chose = |at: usize| before.position.legal[at].len() > 1;
        after
            .notes
            .faults
            .iter()
            .filter(move |fault| self.roles().iter().position(|role| *role == fault.role).is_some_and(chose))
    }

    /// Returns how many moves the referee made for each role in place of its player, as far as whoever has
    /// this seat may know: whether a role was late tells whether it had a choice.
    pub(crate) fn replaced(&self, own: Option<usize>) -> BTreeMap<String, u64> {
        let course = self.course();
        let open = !self.shown.hides() || course.standing.is_over();
        let mut counts = BTreeMap::new();
        for fault in course.moments.windows(2).flat_map(|two| self.substitutes(&two[0], &two[1])) {
            if open || own.is_some_and(|own| self.roles()[own] == fault.role) {
                *counts.entry(fault.role.clone()).or_insert(0) += 1;
            }
        }
        counts
    }

    /// Returns the goals of the roles, if the match ended by its rules.
    pub(crate) fn goals(&self, course: &Course) -> Value {
        let done = course.standing == Standing::Done;
        let goals =
            course.record.as_ref().filter(|record| done && record.is_completed).map(|record| &record.goals);
        match goals {
            None => Value::Null,
            Some(goals) => self.roles().iter().cloned().zip(goals.iter().map(|goal| json!(goal))).collect(),
        }
    }
}
