//! Bidirectional search for puzzles.
//!
//! If the rules determine what holds at the best end, and every move can be undone by another, the sequences
//! that lead to the end are found by moving away from it. The two searches meet when each is half as deep,
//! with far fewer positions. That moves can be undone is tested in positions of random matches and not
//! proven, and the same is true for the rest of the final state. The plan is therefore played through the
//! game before it counts, and a shorter one may exist.

use game::{Fault, FluentId, Game, MoveId, PlayoutStream, RoleId, Seed, Structure, playout};
use rustc_hash::FxHashMap;

use super::apart::reaches;
use super::ending::ending;
use super::key::{Key, Keys};
use super::{Limits, Progress};

/// The number of random matches, and the number of positions of each.
const WALKS: u64 = 8;
const STEPS: u32 = 24;
/// The number of positions between two checks of the deadline.
const LOOK: usize = 64;

/// A plan found by bidirectional search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Met {
    /// The moves.
    pub moves: Vec<MoveId>,
    /// The number of positions visited from both ends.
    pub positions: usize,
}

/// One of the two searches.
struct Side<S> {
    numbers: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    parents: Vec<u32>,
    level: Vec<S>,
    /// The number of the first position of the level.
    first: usize,
    depth: usize,
}

impl<S> Side<S> {
    fn new(state: S, key: Key) -> Side<S> {
        let numbers = FxHashMap::from_iter([(key, 0)]);
        Side { numbers, keys: vec![key], parents: vec![0], level: vec![state], first: 0, depth: 0 }
    }

    /// Returns the keys from a position back to where this search began.
    fn way(&self, key: Key) -> Vec<Key> {
        let mut at = self.numbers[&key];
        let mut way = vec![key];
        while at != 0 {
            at = self.parents[at as usize];
            way.push(self.keys[at as usize]);
        }
        way
    }
}

/// Searches for a plan with the best goal of a puzzle from both ends. Returns `None` if the rules do not
/// allow it or the limits are not sufficient.
pub fn meet<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    structure: &Structure,
    limits: &Limits,
    mut watch: impl FnMut(Progress),
) -> Result<Option<Met>, Fault> {
    let aim = structure.aims.iter().find(|aim| aim.role == RoleId(0) && aim.enough);
    let Some(aim) = aim.filter(|_| game.roles().len() == 1) else { return Ok(None) };
    if game.is_terminal(scratch, from)? {
        return Ok(None);
    }
    let counter: Vec<FluentId> = structure.clock.iter().flat_map(|clock| clock.fluents.clone()).collect();
    let mut keys = Keys::new(game, structure, &counter);
    let samples = samples(game, scratch, from)?;
    if !turns_back(game, scratch, &samples, &mut keys, limits)? {
        return Ok(None);
    }
    // If the result is not a state of the game, it cannot be its end.
    let Ok(end) = ending(game, from, &samples, aim, &counter) else { return Ok(None) };
    let (here, there) = (keys.of(game, from)?, keys.of(game, &end)?);
    let mut sides = [Side::new(from.clone(), here), Side::new(end, there)];
    let mut legal = Vec::new();
    while sides.iter().all(|side| !side.level.is_empty()) {
        let own = usize::from(sides[1].level.len() < sides[0].level.len());
        let level = std::mem::take(&mut sides[own].level);
        let depth = sides[0].depth + sides[1].depth;
        let mut met = None;
        for (number, state) in (sides[own].first..).zip(&level) {
            let positions = sides[0].keys.len() + sides[1].keys.len();
            if number.is_multiple_of(LOOK) {
                watch(Progress { positions, depth });
                if limits.deadline.is_over() {
                    return Ok(None);
                }
            }
            if positions > limits.positions {
                return Ok(None);
            }
            game.legal(scratch, state, RoleId(0), &mut legal)?;
            for &mv in &legal {
                let next = game.next(scratch, state, &[mv])?;
                let key = keys.of(game, &next)?;
                if sides[own].numbers.contains_key(&key) {
                    continue;
                }
                let common = sides[1 - own].numbers.contains_key(&key);
                // Nothing continues after a terminal position, nor precedes it.
                if !common && game.is_terminal(scratch, &next)? {
                    continue;
                }
                let side = &mut sides[own];
                side.numbers.insert(key, side.keys.len() as u32);
                side.keys.push(key);
                side.parents.push(number as u32);
                if common {
                    met = Some(key);
                    break;
                }
                side.level.push(next);
            }
            if met.is_some() {
                break;
            }
        }
        if let Some(key) = met {
            let mut way = sides[0].way(key);
            way.reverse();
            way.extend(sides[1].way(key).into_iter().skip(1));
            let positions = sides[0].keys.len() + sides[1].keys.len();
            let Some(moves) = along(game, scratch, from, &way, &mut keys)? else { return Ok(None) };
            let good = reaches(game, scratch, from, &moves, aim)?;
            return Ok(good.then_some(Met { moves, positions }));
        }
        sides[own].first += level.len();
        sides[own].depth += 1;
    }
    Ok(None)
}

/// Returns positions of random matches from this state.
fn samples<G: Game>(game: &G, scratch: &mut G::Scratch, from: &G::State) -> Result<Vec<G::State>, Fault> {
    let mut found = vec![from.clone()];
    for walk in 0..WALKS {
        let stream = PlayoutStream::new(Seed(0).derive_name("meet"), walk);
        playout(game, scratch, from, None, stream, STEPS, |state, _| found.push(state.clone()))?;
    }
    Ok(found)
}

/// Returns `true` if every move in these positions can be undone by another.
fn turns_back<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    samples: &[G::State],
    keys: &mut Keys,
    limits: &Limits,
) -> Result<bool, Fault> {
    let (mut legal, mut answers) = (Vec::new(), Vec::new());
    // The move that undoes another is usually the same everywhere.
    let mut usual: FxHashMap<MoveId, MoveId> = FxHashMap::default();
    for state in samples {
        if game.is_terminal(scratch, state)? {
            continue;
        }
        if limits.deadline.is_over() {
            return Ok(false);
        }
        let home = keys.of(game, state)?;
        game.legal(scratch, state, RoleId(0), &mut legal)?;
        for &mv in &legal {
            let next = game.next(scratch, state, &[mv])?;
            if game.is_terminal(scratch, &next)? {
                continue;
            }
            game.legal(scratch, &next, RoleId(0), &mut answers)?;
            let expected = usual.get(&mv).copied().filter(|answer| answers.contains(answer));
            let mut back = false;
            for answer in expected.into_iter().chain(answers.iter().copied()) {
                let after = game.next(scratch, &next, &[answer])?;
                if keys.of(game, &after)? == home {
                    usual.insert(mv, answer);
                    back = true;
                    break;
                }
            }
            if !back {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the moves that lead through these positions, or through positions symmetric to them.
fn along<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    way: &[Key],
    keys: &mut Keys,
) -> Result<Option<Vec<MoveId>>, Fault> {
    let mut state = from.clone();
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    for &target in &way[1..] {
        game.legal(scratch, &state, RoleId(0), &mut legal)?;
        let mut step = None;
        for &mv in &legal {
            let next = game.next(scratch, &state, &[mv])?;
            if keys.of(game, &next)? == target {
                step = Some((mv, next));
                break;
            }
        }
        let Some((mv, next)) = step else { return Ok(None) };
        moves.push(mv);
        state = next;
    }
    Ok(Some(moves))
}
