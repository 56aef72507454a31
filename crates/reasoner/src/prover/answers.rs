//! Calls made with one pattern, and their answers: the tables of tabled resolution.
//!
//! The answers of a call form a chain in the order in which they were found, so that a reader of a growing
//! call can continue where it stopped.

use super::extension::{NONE, hash};
use crate::TermId;

/// Calls with more answers than this are checked for repeated answers by hash.
const FEW: u32 = 8;

/// The evaluation status of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// To be evaluated. Its answers, if there are any, are correct, but others may be missing.
    Fresh,
    /// Being evaluated.
    Open,
    /// All answers are known.
    Complete,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// The first answer, or [`NONE`].
    pub first: u32,
    last: u32,
    pub count: u32,
    pub status: Status,
    /// The last reader that waits for answers, or [`NONE`].
    pub readers: u32,
    /// Whether all its readers are scheduled.
    pub is_awake: bool,
}

/// All calls with one pattern.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    inputs: usize,
    outputs: usize,
    keys: Vec<TermId>,
    calls: Vec<Call>,
    /// The calls, plus one, by the hash of their keys.
    slots: Vec<u32>,
    rows: Vec<TermId>,
    next: Vec<u32>,
    owner: Vec<u32>,
    /// The answers of calls with many answers, plus one, by hash.
    seen: Vec<u32>,
    seen_count: usize,
}

impl Answers {
    pub fn new(inputs: usize, outputs: usize) -> Answers {
        Answers {
            inputs,
            outputs,
            keys: Vec::new(),
            calls: Vec::new(),
            slots: Vec::new(),
            rows: Vec::new(),
            next: Vec::new(),
            owner: Vec::new(),
            seen: Vec::new(),
            seen_count: 0,
        }
    }

    /// Removes all calls.
    pub fn clear(&mut self) {
        shrink(&mut self.slots, self.calls.len());
        shrink(&mut self.seen, self.seen_count);
        self.seen_count = 0;
        self.keys.clear();
        self.calls.clear();
        self.rows.clear();
        self.next.clear();
        self.owner.clear();
    }

    /// Returns the number of calls and answers.
    pub fn len(&self) -> usize {
        self.calls.len() + self.next.len()
    }

    pub fn call_count(&self) -> u32 {
        self.calls.len() as u32
    }

    #[inline]
    pub fn call(&self, call: u32) -> &Call {
        &self.calls[call as usize]
    }

    #[inline]
    pub fn call_mut(&mut self, call: u32) -> &mut Call {
        &mut self.calls[call as usize]
    }

    /// Returns the bound arguments of a call.
    #[inline]
    pub fn key(&self, call: u32) -> &[TermId] {
        &self.keys[call as usize * self.inputs..(call as usize + 1) * self.inputs]
    }

    /// Returns the call with this key, if it exists.
    #[inline]
    pub fn find(&self, key: &[TermId]) -> Option<u32> {
        if self.inputs == 0 {
            return (!self.calls.is_empty()).then_some(0);
        }
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(key.iter().copied()) & mask;
        loop {
            match self.slots[at] {
                0 => return None,
                call if self.key(call - 1) == key => return Some(call - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds a call that does not exist yet.
    pub fn add(&mut self, key: &[TermId]) -> u32 {
        let number = self.calls.len() as u32;
        self.keys.extend_from_slice(key);
        self.calls.push(Call {
            first: NONE,
            last: NONE,
            count: 0,
            status: Status::Fresh,
            readers: NONE,
            is_awake: false,
        });
        if self.inputs > 0 {
            if self.calls.len() * 2 > self.slots.len() {
                let size = (self.calls.len() * 4).next_power_of_two().max(8);
                self.slots.clear();
                self.slots.resize(size, 0);
                (0..number).for_each(|call| self.enter(call));
            }
            self.enter(number);
        }
        number
    }

    fn enter(&mut self, call: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash(self.key(call).iter().copied()) & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = call + 1;
    }

    #[inline]
    pub fn row(&self, row: u32) -> &[TermId] {
        &self.rows[row as usize * self.outputs..(row as usize + 1) * self.outputs]
    }

    /// Returns the next answer of the same call, or [`NONE`].
    #[inline]
    pub fn next(&self, row: u32) -> u32 {
        self.next[row as usize]
    }

    /// Iterates over the answers of a call.
    pub fn rows(&self, call: u32) -> impl Iterator<Item = &[TermId]> {
        let mut at = self.call(call).first;
        std::iter::from_fn(move || {
            let row = (at != NONE).then(|| self.row(at))?;
            at = self.next(at);
            Some(row)
        })
    }

    /// Adds an answer unless the call has it. Returns `true` if it was added.
    pub fn insert(&mut self, call: u32, row: &[TermId]) -> bool {
        let count = self.call(call).count;
        if self.outputs == 0 {
            if count > 0 {
                return false;
            }
        } else if count < FEW {
            if self.rows(call).any(|r| r == row) {
                return false;
            }
        } else if self.has(call, row) {
            return false;
        }
        let number = self.next.len() as u32;
        self.rows.extend_from_slice(row);
        self.next.push(NONE);
        self.owner.push(call);
        let of = &mut self.calls[call as usize];
        if of.first == NONE {
            of.first = number;
        } else {
            self.next[of.last as usize] = number;
        }
        of.last = number;
        of.count += 1;
        if count >= FEW {
            self.remember(number);
        } else if count + 1 == FEW && self.outputs > 0 {
            let mut at = self.call(call).first;
            while at != NONE {
                self.remember(at);
                at = self.next(at);
            }
        }
        true
    }

    fn place(&self, call: u32, row: &[TermId]) -> usize {
        hash(row.iter().copied().chain([TermId(call)])) & (self.seen.len() - 1)
    }

    fn has(&self, call: u32, row: &[TermId]) -> bool {
        let mut at = self.place(call, row);
        loop {
            match self.seen[at] {
                0 => return false,
                known if self.owner[known as usize - 1] == call && self.row(known - 1) == row => return true,
                _ => at = (at + 1) & (self.seen.len() - 1),
            }
        }
    }

    fn remember(&mut self, row: u32) {
        self.seen_count += 1;
        if self.seen_count * 2 > self.seen.len() {
            let known = std::mem::take(&mut self.seen);
            self.seen.resize((self.seen_count * 4).next_power_of_two().max(32), 0);
            known.into_iter().filter(|&r| r != 0).for_each(|r| self.file(r - 1));
        }
        self.file(row);
    }

    fn file(&mut self, row: u32) {
        let mut at = self.place(self.owner[row as usize], self.row(row));
        while self.seen[at] != 0 {
            at = (at + 1) & (self.seen.len() - 1);
        }
        self.seen[at] = row + 1;
    }
}

/// Clears the slots, and releases memory that was hardly used.
fn shrink(slots: &mut Vec<u32>, used: usize) {
    if slots.len() > 64 && slots.len() > used * 16 {
        *slots = Vec::new();
    } else if used > 0 {
        slots.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_many_calls_are_kept_apart_and_unique() {
        let mut answers = Answers::new(1, 1);
        for round in 0..2 {
            for call in 0..20 {
                let key = [TermId(call)];
                let number = answers.find(&key).unwrap_or_else(|| answers.add(&key));
                for value in 0..call {
                    assert_eq!(answers.insert(number, &[TermId(value)]), round == 0);
                }
            }
        }
        let call = answers.find(&[TermId(15)]).unwrap();
        assert!(answers.rows(call).map(|r| r[0].0).eq(0..15));
        answers.clear();
        assert_eq!(answers.find(&[TermId(15)]), None);
        let call = answers.add(&[TermId(15)]);
        assert!(answers.insert(call, &[TermId(3)]));
    }
}
