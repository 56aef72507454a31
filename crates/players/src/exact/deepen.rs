//! Shortest plans of puzzles with too many positions to store.
//!
//! Iterative deepening on the length of the plan: a depth-first search within a bound, repeated with the next
//! larger bound that can make a difference (IDA*, Korf 1985). The lower bound on the remaining steps comes
//! from the rules: the number of fluents required at the end that are still wrong, divided by the number of
//! them that one step can change. A table stores within how many steps a position was found not to lead to
//! the goal.

use game::{Deadline, Fault, Game, Goal, MoveId, RoleId, Structure, numbered};

use super::key::{Key, Keys};
use super::table::Table;

/// The longest plan that is searched for.
const LONGEST: usize = 250;
/// The number of positions between two checks of the deadline.
const LOOK: u64 = 64;

/// Limits for the search.
#[derive(Debug, Clone)]
pub struct Depths {
    /// The number of positions in the table, eight bytes each.
    pub memory: usize,
    /// The maximum number of visited positions.
    pub states: u64,
    /// The longest plan to search for.
    pub longest: usize,
    /// When to stop.
    pub deadline: Deadline,
}

/// The result of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deepened {
    /// A shortest plan.
    Plan(Vec<MoveId>),
    /// There is no plan of any length.
    None,
    /// There is no plan shorter than this; nothing else is known.
    Open(usize),
}

/// A position on the current path.
struct Step<S> {
    state: S,
    moves: Vec<MoveId>,
    place: usize,
}

/// The result for one bound.
enum Within {
    Plan(Vec<MoveId>),
    OutOfTime,
    /// The least length that was cut off, if any was.
    Beyond(Option<usize>),
}

/// Searches for a shortest plan of a puzzle that scores at least this. Also returns the number of visited
/// positions.
pub fn deepen<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    structure: &Structure,
    goal: Goal,
    limits: &Depths,
    watch: impl FnMut(u64, usize),
) -> Result<(Deepened, u64), Fault> {
    if game.is_terminal(scratch, from)? {
        return Ok((Deepened::None, 0));
    }
    let Some(mut search) = Search::new(game, scratch, from, structure, goal, limits)? else {
        return Ok((Deepened::Open(1), 0));
    };
    let found = search.run(from, limits, watch)?;
    Ok((found, search.visited))
}

/// A search by iterative deepening.
struct Search<'g, G: Game> {
    game: &'g G,
    scratch: &'g mut G::Scratch,
    keys: Keys,
    table: Table,
    /// For each fluent, whether it must hold at the end, or must not.
    wanted: Vec<Option<bool>>,
    needed: usize,
    by_step: usize,
    /// The number of steps before the counter matters.
    free: usize,
    goal: Goal,
    visited: u64,
}

impl<'g, G: Game> Search<'g, G> {
    /// Returns `None` if the position does not show the value of the step counter.
    fn new(
        game: &'g G,
        scratch: &'g mut G::Scratch,
        from: &G::State,
        structure: &Structure,
        goal: Goal,
        limits: &Depths,
    ) -> Result<Option<Search<'g, G>>, Fault> {
        let mut fluents = Vec::new();
        let (mut free, mut counter) = (usize::MAX, Vec::new());
        if let Some(clock) = structure.clock.as_ref().filter(|clock| clock.free > 1) {
            numbered(game)?.fluents(from, &mut fluents)?;
            let place = clock.fluents.iter().position(|fluent| fluents.contains(fluent));
            let Some(place) = place else { return Ok(None) };
            free = clock.free.saturating_sub(place);
            counter.clone_from(&clock.fluents);
        }
        let aim = structure.aims.iter().find(|aim| aim.role == RoleId(0) && aim.goal == goal);
        let mut wanted = vec![None; game::fluent_count(game)];
        let (mut needed, mut by_step) = (0, 0);
        if let Some((aim, step)) = aim.and_then(|aim| Some((aim, aim.by_step?))) {
            aim.fluents.iter().for_each(|(fluent, holds)| wanted[fluent.0 as usize] = Some(*holds));
            needed = aim.fluents.iter().filter(|(_, holds)| *holds).count();
            by_step = step;
        }
        let keys = Keys::new(game, structure, &counter);
        let table = Table::new(limits.memory);
        Ok(Some(Search { game, scratch, keys, table, wanted, needed, by_step, free, goal, visited: 0 }))
    }

    /// Searches with growing bounds.
    fn run(
        &mut self,
        from: &G::State,
        limits: &Depths,
        mut watch: impl FnMut(u64, usize),
    ) -> Result<Deepened, Fault> {
        let mut bound = self.missing(from)?.1.max(1);
        while bound <= self.free.min(limits.longest).min(LONGEST) {
            let beyond = match self.within(bound, from, limits, &mut watch)? {
                Within::Plan(moves) => return Ok(Deepened::Plan(moves)),
                Within::OutOfTime => return Ok(Deepened::Open(bound)),
                Within::Beyond(beyond) => beyond,
            };
            let Some(beyond) = beyond else { return Ok(Deepened::None) };
            bound = beyond;
        }
        Ok(Deepened::Open(bound))
    }

    /// Searches for a plan that is no longer than the bound.
    fn within(
        &mut self,
        bound: usize,
        from: &G::State,
        limits: &Depths,
        watch: &mut impl FnMut(u64, usize),
    ) -> Result<Within, Fault> {
        let mut beyond: Option<usize> = None;
        let mut further = |length: usize| beyond = Some(beyond.map_or(length, |least| least.min(length)));
        let mut way = vec![self.open(from.clone())?];
        while let Some(step) = way.last_mut() {
            let Some(&mv) = step.moves.get(step.place) else {
                way.pop();
                continue;
            };
            step.place += 1;
            self.visited += 1;
            if self.visited.is_multiple_of(LOOK) {
                watch(self.visited, bound);
                if self.visited >= limits.states || limits.deadline.is_over() {
                    return Ok(Within::OutOfTime);
                }
            }
            let next = self.game.next(self.scratch, &step.state, &[mv])?;
            let left = bound - way.len();
            if self.game.is_terminal(self.scratch, &next)? {
                if self.game.goal(self.scratch, &next, RoleId(0))? >= Some(self.goal) {
                    let moves = way.iter().map(|step| step.moves[step.place - 1]).collect();
                    return Ok(Within::Plan(moves));
                }
                continue;
            }
            let (key, missing) = self.missing(&next)?;
            if missing.max(1) > left {
                further(way.len() + missing.max(1));
                continue;
            }
            if self.table.get(key).is_some_and(|known| usize::from(known) >= left) {
                // The earlier visit may have been cut off at a bound, so a longer plan may exist.
                further(bound + 1);
                continue;
            }
            self.table.put(key, left as u8, |known| known);
            let step = self.open(next)?;
            way.push(step);
        }
        Ok(Within::Beyond(beyond))
    }

    /// Returns the key of a position and a lower bound on the number of remaining steps.
    fn missing(&mut self, state: &G::State) -> Result<(Key, usize), Fault> {
        let key = self.keys.of(self.game, state)?;
        if self.by_step == 0 {
            return Ok((key, 1));
        }
        let (mut right, mut wrong) = (0, 0);
        for fluent in self.keys.fluents() {
            match self.wanted[fluent.0 as usize] {
                Some(true) => right += 1,
                Some(false) => wrong += 1,
                None => {}
            }
        }
        Ok((key, (self.needed - right + wrong).div_ceil(self.by_step)))
    }

    fn open(&mut self, state: G::State) -> Result<Step<G::State>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(self.scratch, &state, RoleId(0), &mut moves)?;
        Ok(Step { state, moves, place: 0 })
    }
}
