//! The cost of each clause of a sheet.

use std::time::Duration;

/// The cost of one clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleCost {
    /// The time spent on it.
    pub time: Duration,
    /// How often it was evaluated.
    pub runs: u64,
    /// How often it derived something that was not known before.
    pub fired: u64,
    /// How often its body held, counting all bindings of its variables.
    pub solutions: u64,
    /// The number of rows it derived that were not known before.
    pub rows: u64,
}

/// The costs of all clauses, by the position of the clause in the sheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(Vec<RuleCost>);

impl Costs {
    /// Records one evaluation of a clause.
    pub fn book(&mut self, clause: usize, time: Duration, solutions: usize, rows: usize) {
        if clause >= self.0.len() {
            self.0.resize(clause + 1, RuleCost::default());
        }
        let cost = &mut self.0[clause];
        cost.time += time;
        cost.runs += 1;
        cost.fired += u64::from(rows > 0);
        cost.solutions += solutions as u64;
        cost.rows += rows as u64;
    }

    /// Returns the costs by clause. Clauses beyond the end cost nothing.
    pub fn into_list(self) -> Vec<RuleCost> {
        self.0
    }
}
