//! Who meets whom, and who sits where.

use crate::EloScale;
use crate::spec_text::At;

/// Who meets whom. Players are numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Schedule {
    /// Everyone meets everyone.
    RoundRobin {
        /// Whether everyone also meets itself.
        self_play: bool,
    },
    /// One player meets everyone else.
    Gauntlet {
        /// That player.
        challenger: usize,
    },
    /// Two players meet until a sequential probability ratio test decides whether the first is stronger.
    Sprt {
        /// The Elo difference up to which the first does not count as stronger.
        weak: f64,
        /// The Elo difference from which it does.
        strong: f64,
        /// The probability of wrongly deciding that it is stronger.
        alpha: f64,
        /// The probability of wrongly deciding that it is not.
        beta: f64,
        /// What Elo points stand for.
        scale: EloScale,
    },
    /// As listed.
    Lineups(Vec<At<Vec<usize>>>),
}

/// The orders in which the players of a lineup take their seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seatings {
    /// Every order.
    All,
    /// All rotations, so that each player sits at every seat once.
    Cyclic,
    /// As listed.
    Fixed,
}

/// Returns the lineups for `seats` seats, each in the order of the list of players.
pub(crate) fn lineups(schedule: &Schedule, players: usize, seats: usize) -> Vec<Vec<usize>> {
    match schedule {
        Schedule::RoundRobin { self_play: false } => subsets(players, seats),
        Schedule::RoundRobin { self_play: true } => {
            let mut all = subsets(players, seats);
            if seats > 1 {
                all.extend((0..players).map(|player| vec![player; seats]));
            }
            all
        }
        Schedule::Gauntlet { challenger } => {
            let others = subsets(players.saturating_sub(1), seats.saturating_sub(1));
            let shift = |player: usize| player + usize::from(player >= *challenger);
            let with =
                |set: Vec<usize>| std::iter::once(*challenger).chain(set.into_iter().map(shift)).collect();
            others.into_iter().map(with).collect()
        }
        Schedule::Sprt { .. } => subsets(players, seats),
        Schedule::Lineups(list) => list.iter().map(|lineup| lineup.value.clone()).collect(),
    }
}

/// Returns all sets of `size` numbers below `of`, in lexicographic order.
fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: Vec<usize>| {
            let from = set.last().map_or(0, |last| last + 1);
            (from..of).map(move |next| set.iter().copied().chain([next]).collect::<Vec<usize>>())
        };
        all = all.into_iter().flat_map(longer).collect();
        if all.len() > MOST {
            break;
        }
    }
    all.retain(|set| set.len() == size);
    all
}

/// The maximum number of lineups or seatings.
pub(crate) const MOST: usize = 1_000_000;

/// Returns the orders in which a lineup takes its seats, each once.
pub(crate) fn seatings(lineup: &[usize], kind: Seatings) -> Vec<Vec<usize>> {
    match kind {
        Seatings::Fixed => vec![lineup.to_vec()],
        Seatings::Cyclic => {
            let mut all: Vec<Vec<usize>> = Vec::new();
            for shift in 0..lineup.len().max(1) {
                let mut order = lineup.to_vec();
                order.rotate_right(shift);
                if !all.contains(&order) {
                    all.push(order);
                }
            }
            all
        }
        Seatings::All => orders(lineup),
    }
}

/// Returns all different orders of a list, in lexicographic order of first occurrence.
fn orders(lineup: &[usize]) -> Vec<Vec<usize>> {
    let mut kinds: Vec<usize> = Vec::new();
    for player in lineup {
        if !kinds.contains(player) {
            kinds.push(*player);
        }
    }
    let mut all = vec![Vec::new()];
    for _ in lineup {
        let longer = |order: Vec<usize>| {
            let left = |kind: usize| {
                let used = order.iter().filter(|player| **player == kind).count();
                lineup.iter().filter(|player| **player == kind).count() > used
            };
            let next: Vec<usize> = kinds.iter().copied().filter(|kind| left(*kind)).collect();
            next.into_iter().map(move |kind| order.iter().copied().chain([kind]).collect::<Vec<usize>>())
        };
        all = all.into_iter().flat_map(longer).collect();
        if all.len() > MOST {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_meets_everyone_once() {
        let robin = Schedule::RoundRobin { self_play: false };
        assert_eq!(lineups(&robin, 3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(lineups(&robin, 3, 1), [[0], [1], [2]]);
        assert_eq!(lineups(&robin, 2, 3), Vec::<Vec<usize>>::new());
        let own = Schedule::RoundRobin { self_play: true };
        assert_eq!(lineups(&own, 2, 2), [[0, 1], [0, 0], [1, 1]]);
    }

    #[test]
    fn a_challenger_meets_all_others() {
        let gauntlet = Schedule::Gauntlet { challenger: 1 };
        assert_eq!(lineups(&gauntlet, 3, 2), [[1, 0], [1, 2]]);
        assert_eq!(lineups(&gauntlet, 4, 3), [[1, 0, 2], [1, 0, 3], [1, 2, 3]]);
    }

    #[test]
    fn every_order_comes_once() {
        assert_eq!(seatings(&[0, 1], Seatings::All), [[0, 1], [1, 0]]);
        assert_eq!(seatings(&[4, 4], Seatings::All), [[4, 4]]);
        assert_eq!(seatings(&[0, 1, 2], Seatings::All).len(), 6);
        assert_eq!(seatings(&[0, 0, 1], Seatings::All), [[0, 0, 1], [0, 1, 0], [1, 0, 0]]);
        assert_eq!(seatings(&[0, 1, 2], Seatings::Cyclic), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
    }
}
