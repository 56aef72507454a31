//! Watching a table.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::{Moment, Sight, Table};

/// News about a match.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// A moment: its number and its JSON.
    Step(usize, Arc<str>),
    /// The time a role has left.
    Clock(Value),
    /// The match is over.
    End(Value),
}

/// A spectator of a table, who starts at the current moment or after the last one it saw.
pub(crate) struct Follower {
    table: Arc<Table>,
    sight: Sight,
    changes: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    generation: u64,
    next: usize,
    clock_changes: u64,
    queue: VecDeque<News>,
    ended: bool,
}

impl Follower {
    /// Starts at the current moment, or after the last one that was seen.
    pub(crate) fn new(
        table: &Arc<Table>,
        sight: Sight,
        last: Option<usize>,
        closing: watch::Receiver<bool>,
    ) -> Follower {
        let changes = table.changes.subscribe();
        let course = table.course();
        let now = course.moments.len() - 1;
        let next = last.filter(|&last| last <= now).map_or(now, |last| last + 1);
        let generation = course.generation;
        drop(course);
        Follower {
            table: Arc::clone(table),
            sight,
            changes,
            closing,
            generation,
            next,
            clock_changes: u64::MAX,
            queue: VecDeque::new(),
            ended: false,
        }
    }

    /// Waits for the next news; returns `None` when there will be no more.
    pub(crate) async fn next(&mut self) -> Option<News> {
        loop {
            if let Some(news) = self.queue.pop_front() {
                return Some(news);
            }
            self.changes.borrow_and_update();
            if let Some(moment) = self.moment() {
                let text = match self.table.told_before(&moment, self.sight) {
                    Some(text) => text,
                    None => {
                        let (table, sight, moment) =
                            (Arc::clone(&self.table), self.sight, Arc::clone(&moment));
                        tokio::task::spawn_blocking(move || table.told(&moment, sight)).await.ok()?
                    }
                };
                // Not earlier: if the caller drops this future, it will ask for the same moment again.
                self.next = moment.number + 1;
                return Some(News::Step(moment.number, text));
            }
            self.rest();
            if !self.queue.is_empty() {
                continue;
            }
            if self.ended || *self.closing.borrow() {
                return None;
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                closing = self.closing.changed() => closing.ok()?,
            }
        }
    }

    /// Returns the next moment, if it exists.
    fn moment(&mut self) -> Option<Arc<Moment>> {
        let course = self.table.course();
        if course.generation != self.generation {
            self.generation = course.generation;
            self.next = course.moments.len() - 1;
        }
        course.moments.get(self.next).cloned()
    }

    /// Queues the clocks and the end, once all moments have been reported.
    fn rest(&mut self) {
        let course = self.table.course();
        if course.clock_changes != self.clock_changes {
            self.clock_changes = course.clock_changes;
            for (role, due) in course.clocks.iter().enumerate() {
                let visible = match self.sight {
                    Sight::Role(own) if self.table.shown.hides() => own == role,
                    _ => true,
                };
                if let Some(due) = due.filter(|_| visible) {
                    let left = due.saturating_duration_since(Instant::now()).as_millis() as u64;
                    self.queue
                        .push_back(News::Clock(json!({ "role": self.table.roles()[role], "left_ms": left })));
                }
            }
        }
        if course.standing.is_over() && !self.ended {
            self.ended = true;
            let goals = self.table.goals(&course);
            let ending = course.record.as_ref().map(|record| json!(record.ending));
            self.queue.push_back(News::End(
                json!({ "goals": goals, "state": course.standing.name(), "ending": ending }),
            ));
        }
    }
}
