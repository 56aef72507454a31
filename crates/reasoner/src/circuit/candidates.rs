//! Candidate facts about all states: observed in random games, not yet proven.
//!
//! Fluents that differ only in some arguments (`(cell 1 1 ?)`, `(control ?)`) are likely to exclude each
//! other. Each choice of arguments to ignore yields such groups, the largest first. Groups that the random
//! games contradict are dropped.

use rustc_hash::FxHashMap;

use super::Circuit;
use super::facts::Fact;
use super::simulate::Simulation;
use crate::TermId;
use crate::ground::Ground;

/// The number of steps of sixty-four games each: one per fluent, within these bounds.
const STEPS: std::ops::RangeInclusive<usize> = 40..=600;
/// The maximum number of fluent values that are kept.
const MOST_VALUES: usize = 2_000_000;
/// The maximum number of evaluated nodes and visited members of sets.
const MOST_LOOKS: usize = 30_000_000;
/// The largest number of arguments for which every choice is tried.
const FEW_ARGUMENTS: u32 = 5;
/// The maximum number of members of a group.
const MOST_MEMBERS: usize = 400;

/// States of random games: for each state, the values of all fluents in 64 games.
pub(crate) struct Samples(Vec<Vec<u64>>);

impl Samples {
    /// Plays some random games.
    pub fn new(circuit: &Circuit, initial: &[bool]) -> Samples {
        let fluents = initial.len().max(1);
        let most = fluents.clamp(*STEPS.start(), *STEPS.end());
        let most = most.min(MOST_VALUES / fluents).min(MOST_LOOKS / Simulation::cost(circuit));
        let mut simulation = Simulation::new(circuit, initial);
        let mut states = Vec::with_capacity(most);
        for step in 0..most {
            states.push(simulation.state.clone());
            if simulation.looks > MOST_LOOKS {
                break;
            }
            if step + 1 < most {
                let going_on = simulation.look();
                simulation.step(going_on);
            }
        }
        Samples(states)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn at_most_one(&self, members: &[u32]) -> bool {
        self.0.iter().all(|state| {
            let (mut once, mut twice) = (0, 0);
            for &member in members {
                twice |= once & state[member as usize];
                once |= state[member as usize];
            }
            twice == 0
        })
    }

    fn some(&self, members: &[u32]) -> bool {
        self.0.iter().all(|state| members.iter().fold(0, |all, &m| all | state[m as usize]) == u64::MAX)
    }

    /// Returns a hash of a fluent's values, which fluents with the same or inverse values share, whether it
    /// is the hash of the inverse, and the value if it is the same in all samples.
    fn signature(&self, fluent: u32) -> (u64, bool, Option<bool>) {
        let inverted = self.0[0][fluent as usize] & 1 == 1;
        let flip = if inverted { u64::MAX } else { 0 };
        let (mut number, mut any) = (0u64, 0);
        for state in &self.0 {
            let word = state[fluent as usize] ^ flip;
            any |= word;
            number = (number ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        (number, inverted, (any == 0).then_some(inverted))
    }
}

/// Returns facts that no sample contradicts. The first list contains the likely ones. The second contains
/// groups of patterns with other groups that samples contradict, so that these may be a coincidence. Fluents
/// with known values are left out.
pub(crate) fn candidates(ground: &Ground, known: &[Option<bool>], samples: &Samples) -> [Vec<Fact>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    let mut alike: FxHashMap<u64, (u32, bool)> = FxHashMap::default();
    for fluent in (0..known.len() as u32).filter(|&f| known[f as usize].is_none()) {
        let (number, inverted, value) = samples.signature(fluent);
        if let Some(value) = value {
            found[0].push(Fact::Constant(fluent, value));
            continue;
        }
        match alike.get(&number) {
            Some(&(first, other)) => found[0].push(Fact::Same(fluent, first, inverted != other)),
            None => {
                alike.insert(number, (fluent, inverted));
            }
        }
    }
    for (list, groups) in found.iter_mut().zip(groups(ground, known, samples)) {
        for group in groups {
            if samples.some(&group) {
                list.push(Fact::Some(group.clone()));
            }
            list.push(Fact::AtMostOne(group));
        }
    }
    found
}

/// Returns groups of fluents of which at most one holds in every sample; no group is contained in another.
/// The first list contains the patterns that no sample contradicts, the second the rest.
fn groups(ground: &Ground, known: &[Option<bool>], samples: &Samples) -> [Vec<Vec<u32>>; 2] {
    let arguments = |fluent: u32| ground.pool.arguments(ground.fluents[fluent as usize]);
    let mut families: Vec<Vec<u32>> = Vec::new();
    let mut numbers = FxHashMap::default();
    let mut by_arguments: FxHashMap<&[TermId], Vec<u32>> = FxHashMap::default();
    for fluent in (0..known.len() as u32).filter(|&f| known[f as usize].is_none()) {
        let term = ground.fluents[fluent as usize];
        let key = (ground.pool.functor(term), arguments(fluent).len());
        let number = *numbers.entry(key).or_insert_with(|| {
            families.push(Vec::new());
            families.len() - 1
        });
        families[number].push(fluent);
        by_arguments.entry(arguments(fluent)).or_default().push(fluent);
    }
    // The arguments that the members of a group share, and the members: fluents of one kind.
    let mut groups: [Vec<(Vec<TermId>, Vec<u32>)>; 2] = Default::default();
    for family in &families {
        for kept in choices(arguments(family[0]).len() as u32) {
            let mut pattern: Vec<(Vec<TermId>, Vec<u32>)> = Vec::new();
            let mut places: FxHashMap<Vec<TermId>, usize> = FxHashMap::default();
            for &fluent in family {
                let all = arguments(fluent).iter().enumerate();
                let key: Vec<TermId> =
                    all.filter(|(place, _)| kept >> place & 1 == 1).map(|(_, &term)| term).collect();
                let place = *places.entry(key.clone()).or_insert_with(|| {
                    pattern.push((key, Vec::new()));
                    pattern.len() - 1
                });
                pattern[place].1.push(fluent);
            }
            let all = pattern.len();
            pattern.retain(|(_, group)| group.len() <= MOST_MEMBERS && samples.at_most_one(group));
            groups[usize::from(pattern.len() < all)].append(&mut pattern);
        }
    }
    let mut seen = Seen::default();
    groups.map(|list| {
        let mut found = Vec::new();
        for (key, mut group) in list {
            // Other fluents about the same thing, such as `(blank 1 1)` for `(cell 1 1 ?)`.
            let others = by_arguments.get(&key[..]).filter(|_| !key.is_empty());
            for &other in others.map_or(&[][..], |list| list) {
                if !group.contains(&other) {
                    group.push(other);
                    if !samples.at_most_one(&group) {
                        group.pop();
                    }
                }
            }
            group.sort_unstable();
            if group.len() > 1 && seen.enter(&group) {
                found.push(group);
            }
        }
        found
    })
}

/// The groups found so far.
#[derive(Default)]
struct Seen {
    count: usize,
    /// For each fluent, the groups that contain it.
    of: FxHashMap<u32, Vec<usize>>,
}

impl Seen {
    /// Adds a group and returns `true`, unless an earlier group contains it.
    fn enter(&mut self, group: &[u32]) -> bool {
        let mut common: Vec<usize> = self.of.get(&group[0]).cloned().unwrap_or_default();
        for fluent in &group[1..] {
            let own = self.of.get(fluent).map_or(&[][..], |list| list);
            common.retain(|group| own.contains(group));
        }
        if common.is_empty() {
            group.iter().for_each(|&f| self.of.entry(f).or_default().push(self.count));
            self.count += 1;
        }
        common.is_empty()
    }
}

/// Returns the choices of arguments to keep, as bit sets, those with the fewest first.
fn choices(arity: u32) -> Vec<u64> {
    let mut all: Vec<u64> = if arity <= FEW_ARGUMENTS {
        (0..1u64 << arity).collect()
    } else {
        let arity = arity.min(63);
        let full = (1u64 << arity) - 1;
        let one = (0..arity).map(|place| 1 << place);
        [0, full].into_iter().chain(one.clone()).chain(one.map(|bit| full & !bit)).collect()
    };
    all.sort_by_key(|kept| kept.count_ones());
    all
}
