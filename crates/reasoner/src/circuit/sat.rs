//! A small SAT solver.
//!
//! It uses conflict-driven clause learning (CDCL): two watched literals with blockers, 1-UIP clause learning,
//! and the VMTF (variable move to front) decision order with saved phases. Queries are small and have limits,
//! so there are no restarts, and learned clauses are never deleted. A query gives up after a number of
//! conflicts or of visited literals, so its answer is the same on every machine.

use game::Deadline;

/// A variable, or its negation if the lowest bit is set.
pub(crate) type Literal = u32;

/// Returns the negation of a literal.
#[inline]
pub(crate) fn not(literal: Literal) -> Literal {
    literal ^ 1
}

/// The answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is a satisfying assignment.
    Possible,
    /// There is no satisfying assignment.
    Impossible,
    /// The query was given up, and nothing is known.
    Unknown,
}

const NONE: u32 = u32::MAX;
const TRUE: u8 = 1;
const FALSE: u8 = 0;
const OPEN: u8 = 2;

/// Clauses and the current partial assignment of their variables.
#[derive(Default)]
pub(crate) struct Solver {
    /// All literals of clauses of length three and more, and where each clause begins and ends.
    literals: Vec<Literal>,
    clauses: Vec<(u32, u32)>,
    /// For each literal, the clauses to visit when it becomes true, because they watch its negation; each
    /// with a blocker, another of their literals.
    watches: Vec<Vec<(u32, Literal)>>,
    /// For each literal, the literals implied by it through binary clauses.
    binary: Vec<Vec<Literal>>,
    /// For each literal, its value.
    values: Vec<u8>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    trail: Vec<Literal>,
    marks: Vec<usize>,
    head: usize,
    /// The VMTF queue: a doubly linked list of all variables, those of the most recent conflicts first.
    /// `search` is a variable before which, in this order, none is unassigned.
    later: Vec<u32>,
    earlier: Vec<u32>,
    stamp: Vec<u64>,
    first: u32,
    search: u32,
    clock: u64,
    saved: Vec<u8>,
    seen: Vec<bool>,
    impossible: bool,
    /// The number of literals visited so far, a measure of the work done.
    pub work: u64,
    /// The amount of work after which every query gives up at its next conflict.
    pub most_work: Option<u64>,
    /// When queries give up, whatever work is left. Answers after the deadline depend on the clock, so a
    /// caller that sets it must discard all results once it has passed.
    pub deadline: Deadline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    None,
    Clause(u32),
    Binary(Literal),
}

impl Solver {
    /// Removes all variables and clauses, and keeps the memory.
    pub fn clear(&mut self) {
        self.literals.clear();
        self.clauses.clear();
        self.watches.iter_mut().for_each(Vec::clear);
        self.binary.iter_mut().for_each(Vec::clear);
        self.values.clear();
        self.level.clear();
        self.reason.clear();
        self.trail.clear();
        self.marks.clear();
        self.head = 0;
        self.later.clear();
        self.earlier.clear();
        self.stamp.clear();
        self.first = NONE;
        self.search = NONE;
        self.saved.clear();
        self.seen.clear();
        self.impossible = false;
    }

    /// Creates a variable. Returns its positive literal.
    pub fn variable(&mut self) -> Literal {
        if self.level.is_empty() {
            self.first = NONE;
        }
        let variable = self.level.len() as u32;
        self.values.extend([OPEN, OPEN]);
        self.level.push(0);
        self.reason.push(Reason::None);
        self.saved.push(FALSE);
        self.seen.push(false);
        if self.watches.len() < self.values.len() {
            self.watches.resize_with(self.values.len(), Vec::new);
            self.binary.resize_with(self.values.len(), Vec::new);
        }
        self.clock += 1;
        self.stamp.push(self.clock);
        self.later.push(NONE);
        self.earlier.push(self.first);
        if self.first != NONE {
            self.later[self.first as usize] = variable;
        }
        self.first = variable;
        self.search = variable;
        variable << 1
    }

    /// Adds a clause. Undoes all assumptions and decisions first.
    pub fn add(&mut self, clause: &[Literal]) {
        self.back(0);
        self.work += clause.len() as u64;
        let mut kept: Vec<Literal> = Vec::with_capacity(clause.len());
        for &literal in clause {
            match self.values[literal as usize] {
                TRUE => return,
                FALSE => {}
                _ if kept.contains(&not(literal)) => return,
                _ if kept.contains(&literal) => {}
                _ => kept.push(literal),
            }
        }
        match kept[..] {
            [] => self.impossible = true,
            [one] => {
                self.put(one, Reason::None);
                self.impossible |= self.propagate().is_some();
            }
            [a, b] => self.add_binary(a, b),
            _ => {
                self.add_long(&kept);
            }
        }
    }

    fn add_binary(&mut self, a: Literal, b: Literal) {
        self.binary[not(a) as usize].push(b);
        self.binary[not(b) as usize].push(a);
    }

    fn add_long(&mut self, clause: &[Literal]) -> u32 {
        let number = self.clauses.len() as u32;
        let from = self.literals.len() as u32;
        self.literals.extend_from_slice(clause);
        self.clauses.push((from, self.literals.len() as u32));
        self.watches[not(clause[0]) as usize].push((number, clause[1]));
        self.watches[not(clause[1]) as usize].push((number, clause[0]));
        number
    }

    /// Decides whether all clauses and the assumed literals can hold together.
    pub fn solve(&mut self, assumed: &[Literal], most_conflicts: u32) -> Answer {
        self.back(0);
        if self.impossible {
            return Answer::Impossible;
        }
        let mut conflicts = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                if self.marks.is_empty() {
                    self.impossible = true;
                    return Answer::Impossible;
                }
                let is_exhausted = self.most_work.is_some_and(|most| self.work > most);
                if conflicts == most_conflicts || is_exhausted || self.deadline.is_over() {
                    return Answer::Unknown;
                }
                conflicts += 1;
                self.learn(conflict);
                continue;
            }
            // Assumptions are decided first, one level each.
            let mut decision = None;
            while self.marks.len() < assumed.len() {
                let literal = assumed[self.marks.len()];
                match self.values[literal as usize] {
                    TRUE => self.marks.push(self.trail.len()),
                    FALSE => return Answer::Impossible,
                    _ => {
                        decision = Some(literal);
                        break;
                    }
                }
            }
            let Some(literal) = decision.or_else(|| self.open()) else { return Answer::Possible };
            self.marks.push(self.trail.len());
            self.put(literal, Reason::None);
        }
    }

    /// Returns a literal of the first unassigned variable of the VMTF queue, with its saved phase.
    fn open(&mut self) -> Option<Literal> {
        while self.search != NONE && self.values[self.search as usize * 2] != OPEN {
            self.search = self.earlier[self.search as usize];
        }
        let variable = (self.search != NONE).then_some(self.search)?;
        Some(variable << 1 | u32::from(self.saved[variable as usize] == FALSE))
    }

    #[inline]
    fn put(&mut self, literal: Literal, reason: Reason) {
        let variable = (literal >> 1) as usize;
        self.values[literal as usize] = TRUE;
        self.values[not(literal) as usize] = FALSE;
        self.level[variable] = self.marks.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(literal);
    }

    /// Undoes all assignments above a decision level.
    fn back(&mut self, level: usize) {
        if self.marks.len() <= level {
            return;
        }
        let to = self.marks[level];
        for &literal in &self.trail[to..] {
            let variable = (literal >> 1) as usize;
            self.saved[variable] = u8::from(literal & 1 == 0);
            self.values[literal as usize] = OPEN;
            self.values[not(literal) as usize] = OPEN;
            if self.search == NONE || self.stamp[variable] > self.stamp[self.search as usize] {
                self.search = variable as u32;
            }
        }
        self.trail.truncate(to);
        self.marks.truncate(level);
        self.head = to;
    }

    /// Propagates all assignments (unit propagation). Returns a clause that is violated, if there is one.
    fn propagate(&mut self) -> Option<Vec<Literal>> {
        while self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            for place in 0..self.binary[literal as usize].len() {
                let other = self.binary[literal as usize][place];
                self.work += 1;
                match self.values[other as usize] {
                    TRUE => {}
                    FALSE => return Some(vec![not(literal), other]),
                    _ => self.put(other, Reason::Binary(not(literal))),
                }
            }
            let mut watching = std::mem::take(&mut self.watches[literal as usize]);
            let (mut kept, mut place, mut conflict) = (0, 0, None);
            'clauses: while place < watching.len() {
                let (number, blocker) = watching[place];
                place += 1;
                self.work += 1;
                // The blocker satisfies the clause, so its literals need not be read.
                if self.values[blocker as usize] == TRUE {
                    watching[kept] = (number, blocker);
                    kept += 1;
                    continue;
                }
                let (from, to) = self.clauses[number as usize];
                let clause = &mut self.literals[from as usize..to as usize];
                // The watched literals are at places 0 and 1. The false one moves to place 1.
                if clause[0] == not(literal) {
                    clause.swap(0, 1);
                }
                let other = clause[0];
                if self.values[other as usize] == TRUE {
                    watching[kept] = (number, other);
                    kept += 1;
                    continue;
                }
                // Another literal that is not false takes over the watch.
                for next in 2..clause.len() {
                    self.work += 1;
                    if self.values[clause[next] as usize] != FALSE {
                        clause.swap(1, next);
                        self.watches[not(clause[1]) as usize].push((number, other));
                        continue 'clauses;
                    }
                }
                watching[kept] = (number, other);
                kept += 1;
                // No other literal is left, so the clause is unit or violated.
                if self.values[other as usize] == FALSE {
                    conflict = Some(clause.to_vec());
                    break;
                }
                self.put(other, Reason::Clause(number));
            }
            while place < watching.len() {
                watching[kept] = watching[place];
                (kept, place) = (kept + 1, place + 1);
            }
            watching.truncate(kept);
            self.watches[literal as usize] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Learns a 1-UIP clause from a violated clause, and jumps back to the level at which the learned clause
    /// is unit.
    fn learn(&mut self, conflict: Vec<Literal>) {
        let level = self.marks.len() as u32;
        let mut learned: Vec<Literal> = vec![0];
        let mut touched: Vec<u32> = Vec::new();
        let (mut open, mut place) = (0, self.trail.len());
        // The violated clause is resolved with the reasons of its literals of the current level, in reverse
        // order of assignment, until only one of them is left: the first unique implication point. `open`
        // counts the literals of the current level that remain to be resolved.
        let mut clause = conflict;
        loop {
            for &literal in &clause {
                let variable = (literal >> 1) as usize;
                if self.seen[variable] || self.level[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                touched.push(variable as u32);
                if self.level[variable] == level {
                    open += 1;
                } else {
                    learned.push(literal);
                }
            }
            loop {
                place -= 1;
                if self.seen[(self.trail[place] >> 1) as usize] {
                    break;
                }
            }
            let literal = self.trail[place];
            open -= 1;
            if open == 0 {
                learned[0] = not(literal);
                break;
            }
            clause.clear();
            match self.reason[(literal >> 1) as usize] {
                Reason::Clause(number) => {
                    let (from, to) = self.clauses[number as usize];
                    let own = &self.literals[from as usize..to as usize];
                    clause.extend(own.iter().filter(|l| **l != literal));
                }
                Reason::Binary(other) => clause.push(other),
                Reason::None => {}
            }
        }
        // The variables of the conflict move to the front and keep their relative order.
        touched.sort_unstable_by_key(|v| self.stamp[*v as usize]);
        for &variable in &touched {
            self.seen[variable as usize] = false;
            self.bump(variable);
        }
        // The second watched literal is the one with the highest level among the others. That level is the
        // one to jump back to.
        let mut back = 0;
        for place in 1..learned.len() {
            let own = self.level[(learned[place] >> 1) as usize];
            if own > back {
                back = own;
                learned.swap(1, place);
            }
        }
        self.back(back as usize);
        let first = learned[0];
        let reason = match learned[..] {
            [_] => Reason::None,
            [a, b] => {
                self.add_binary(a, b);
                Reason::Binary(b)
            }
            _ => Reason::Clause(self.add_long(&learned)),
        };
        self.put(first, reason);
    }

    /// Moves a variable to the front of the VMTF queue.
    fn bump(&mut self, variable: u32) {
        let own = variable as usize;
        self.clock += 1;
        self.stamp[own] = self.clock;
        if self.first != variable {
            let (later, earlier) = (self.later[own], self.earlier[own]);
            self.earlier[later as usize] = earlier;
            if earlier != NONE {
                self.later[earlier as usize] = later;
            }
            // The search continues from the neighbour of the place that becomes free.
            if self.search == variable {
                self.search = later;
            }
            self.earlier[own] = self.first;
            self.later[self.first as usize] = variable;
            self.later[own] = NONE;
            self.first = variable;
        }
        if self.values[own * 2] == OPEN {
            self.search = variable;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if some assignment satisfies all clauses and literals, by trying all.
    fn possible(variables: u32, clauses: &[Vec<Literal>], assumed: &[Literal]) -> bool {
        (0..1u32 << variables).any(|bits| {
            let holds = |l: &Literal| (bits >> (l >> 1) & 1 == 1) != (l & 1 == 1);
            assumed.iter().all(holds) && clauses.iter().all(|c| c.iter().any(holds))
        })
    }

    #[test]
    fn answers_are_those_of_trying_everything() {
        let mut rng = game::Seed(5).rng();
        let (mut yes, mut no) = (0, 0);
        let mut solver = Solver::default();
        for round in 0..3000 {
            solver.clear();
            let variables = 3 + rng.below(7) as u32;
            (0..variables).for_each(|_| {
                solver.variable();
            });
            let mut clauses = Vec::new();
            for _ in 0..rng.below(5 * variables as usize) {
                let length = 1 + rng.below(4);
                let clause: Vec<Literal> =
                    (0..length).map(|_| rng.below(2 * variables as usize) as u32).collect();
                solver.add(&clause);
                clauses.push(clause);
            }
            // Several queries, each with the clauses learned before.
            for _ in 0..4 {
                let assumed: Vec<Literal> =
                    (0..rng.below(4)).map(|_| rng.below(2 * variables as usize) as u32).collect();
                let expected = possible(variables, &clauses, &assumed);
                let answer = solver.solve(&assumed, 10_000);
                assert_eq!(
                    answer == Answer::Possible,
                    expected,
                    "round {round}: {clauses:?} with {assumed:?}"
                );
                assert_ne!(answer, Answer::Unknown);
                if expected { yes += 1 } else { no += 1 }
            }
        }
        assert!(yes > 1000 && no > 1000, "{yes} and {no}");
    }

    #[test]
    fn pigeons_do_not_fit_and_patience_ends() {
        let mut solver = Solver::default();
        let (pigeons, holes) = (8, 7);
        let places: Vec<Vec<Literal>> =
            (0..pigeons).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
        places.iter().for_each(|p| solver.add(p));
        for (number, a) in places.iter().enumerate() {
            for b in &places[..number] {
                a.iter().zip(b).for_each(|(&a, &b)| solver.add(&[not(a), not(b)]));
            }
        }
        assert_eq!(solver.solve(&[], 10), Answer::Unknown);
        assert_eq!(solver.solve(&[], 100_000), Answer::Impossible);
    }
}
