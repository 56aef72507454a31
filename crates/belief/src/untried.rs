//! Random order without repetition: numbers below a bound, drawn one at a time.

use game::Rng;
use rustc_hash::FxHashMap;

/// A lazy Fisher-Yates shuffle: memory grows with the numbers drawn, not with the bound.
#[derive(Debug, Clone, Default)]
pub(super) struct Untried {
    total: u64,
    drawn: u64,
    moved: FxHashMap<u64, u64>,
}

impl Untried {
    /// Creates a shuffle of all numbers below `total`.
    pub fn new(total: u64) -> Untried {
        Untried { total, ..Untried::default() }
    }

    /// Creates a shuffle of all numbers below `total` except one that has already been drawn.
    pub fn without(total: u64, number: u64) -> Untried {
        let moved = if number == 0 { FxHashMap::default() } else { [(number, 0)].into_iter().collect() };
        Untried { total, drawn: 1, moved }
    }

    /// Returns the initial count.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Draws a number that was not drawn before.
    pub fn draw(&mut self, chance: &mut Rng) -> Option<u64> {
        let left = self.total.checked_sub(self.drawn).filter(|&left| left > 0)?;
        let at = self.drawn + chance.below(usize::try_from(left).unwrap_or(usize::MAX)) as u64;
        let number = self.moved.get(&at).copied().unwrap_or(at);
        if at != self.drawn {
            let first = self.moved.remove(&self.drawn).unwrap_or(self.drawn);
            self.moved.insert(at, first);
        }
        self.drawn += 1;
        Some(number)
    }

    /// Makes a drawn number available again.
    pub fn put_back(&mut self, number: u64) {
        self.drawn -= 1;
        self.moved.insert(self.drawn, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Seed;

    #[test]
    fn every_number_is_drawn_once() {
        for total in [0, 1, 2, 7, 100] {
            let (mut untried, mut chance) = (Untried::new(total), Seed(total).rng());
            let mut drawn: Vec<u64> = std::iter::from_fn(|| untried.draw(&mut chance)).collect();
            assert!(total < 10 || drawn.windows(2).any(|pair| pair[0] > pair[1]));
            drawn.sort_unstable();
            assert_eq!(drawn, (0..total).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn all_orders_are_equally_likely() {
        let mut counts = FxHashMap::<Vec<u64>, u32>::default();
        for seed in 0..6000 {
            let (mut untried, mut chance) = (Untried::new(3), Seed(seed).rng());
            *counts.entry(std::iter::from_fn(|| untried.draw(&mut chance)).collect()).or_default() += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }

    #[test]
    fn what_is_put_back_is_drawn_again() {
        let (mut untried, mut chance) = (Untried::new(5), Seed(9).rng());
        let first: Vec<u64> = (0..3).filter_map(|_| untried.draw(&mut chance)).collect();
        untried.put_back(first[1]);
        let mut rest: Vec<u64> = std::iter::from_fn(|| untried.draw(&mut chance)).collect();
        rest.extend([first[0], first[2]]);
        rest.sort_unstable();
        assert_eq!(rest, [0, 1, 2, 3, 4]);
        for number in 0..5 {
            let mut untried = Untried::without(5, number);
            let mut rest: Vec<u64> = std::iter::from_fn(|| untried.draw(&mut chance)).collect();
            rest.sort_unstable();
            assert_eq!(rest, (0..5).filter(|other| *other != number).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn a_huge_bound_costs_nothing() {
        let (mut untried, mut chance) = (Untried::new(u64::MAX), Seed(1).rng());
        assert!((0..1000).all(|_| untried.draw(&mut chance).is_some()));
    }
}
