//! The tables of a plan: how many matches of each cell are played at the same time.

use std::time::Duration;

use super::plan::Planned;
use super::ready::Ready;
use crate::side_by_side::{Crowd, Room, SideBySide};

/// Where the matches of a plan are played.
pub(super) struct Tables {
    /// By cell; `None` if no match of it is left to play.
    cells: Vec<Option<SideBySide>>,
    room: Room,
    /// The number of threads.
    pub threads: usize,
}

impl Tables {
    /// Creates tables for the matches that have not ended, on this many cores.
    pub fn new(ready: &Ready, open: &[Planned], jobs: usize) -> Tables {
        let plan = ready.plan();
        let mut cells: Vec<Option<SideBySide>> = plan.cells.iter().map(|_| None).collect();
        for planned in open {
            if cells[planned.cell].is_none() {
                cells[planned.cell] = Some(crowd(ready, planned.cell, jobs));
            }
        }
        let most = cells.iter().flatten().map(|cell| cell.matches).max().unwrap_or(1);
        Tables { cells, room: Room::new(), threads: most.clamp(1, open.len().max(1)) }
    }

    /// Plays a match as soon as there is room for it.
    pub fn sit<T>(&self, planned: Planned, play: impl FnOnce() -> T) -> T {
        let Some(cell) = &self.cells[planned.cell] else { return play() };
        let _taken = self.room.take(cell.matches);
        let _member = cell.enter();
        play()
    }
}

fn crowd(ready: &Ready, cell: usize, jobs: usize) -> SideBySide {
    let plan = ready.plan();
    if !plan.repeatable {
        return SideBySide::plain(jobs);
    }
    let cell = &plan.cells[cell];
    let players: Vec<String> = cell.seating.iter().map(|p| plan.player(*p, cell.budget)).collect();
    let play_clock = Duration::from_millis(plan.budgets[cell.budget].play_clock);
    let crowd = Crowd { players: &players, jobs, play_clock, sure: plan.sprt.is_none() };
    SideBySide::new(ready.game(cell.game), &crowd)
}
