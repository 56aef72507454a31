//! The knowledge of roles: `knows` of GDL-III.
//!
//! `(knows r p)` holds if `p` holds in all histories of the same length that are indistinguishable to `r`:
//! `r` has made the same moves and seen the same percepts in them. `(knows p)`, that `p` is common knowledge,
//! holds if `p` holds in all histories that can be reached through a chain of histories, each
//! indistinguishable from the next to some role. What holds in a state therefore depends on all histories of
//! its length. All of them are kept, so this works for small games only. Histories with equal facts that are
//! indistinguishable to every role are kept as one.
//!
//! A state of such a game contains, in addition to its facts, a term for everything that is known, and one
//! that identifies its history. Their functors are numbers above those of the sheet, so that no sheet can
//! write them.
//!
//! M. Thielscher: GDL-III: a description language for epistemic general game playing (2017).

mod content;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use game::Fault;
use rules::{Keyword, Rules, Symbol};
use rustc_hash::FxHashMap;

use super::engine::Engine;
use crate::TermId;
use content::{Content, contents, holds};

/// The maximum number of steps over all histories, which also bounds the number of histories.
const STEPS: usize = 200_000;

/// A history, or several with equal facts that no role can distinguish.
struct World {
    /// The facts, what is known, and the term that identifies the history.
    state: Arc<[TermId]>,
    facts: Vec<TermId>,
    /// For each role, the number of its information set; 0 for chance.
    sets: Vec<u32>,
    /// Where joint moves lead, once they have been followed.
    next: Option<FxHashMap<Vec<TermId>, usize>>,
}

/// What a role has seen: the role, its previous information set, its move, and the percepts since.
type View = (usize, u32, TermId, Vec<TermId>);

/// All histories, by length, as far as they have been requested.
pub(super) struct Knowledge {
    worlds: Vec<World>,
    /// The worlds of each length are those from one bound to the next.
    bounds: Vec<usize>,
    markers: FxHashMap<TermId, usize>,
    contents: Vec<Content>,
    seen: FxHashMap<View, u32>,
    steps: usize,
}

/// Returns the functor of what is known. The functors of histories come after it.
fn knows(rules: &Rules) -> Symbol {
    Symbol(rules.symbols.len() as u32)
}

/// Returns `true` if a functor belongs to the sheet.
pub(super) fn is_written(rules: &Rules, functor: Symbol) -> bool {
    functor < knows(rules)
}

/// Files a term with a functor beyond the sheet's under the relation that rules read.
pub(super) fn file(engine: &mut Engine, term: TermId) {
    if engine.machine.pool.functor(term) != knows(&engine.rules) {
        return;
    }
    let arguments = engine.machine.pool.arguments(term).to_vec();
    let relation = if arguments.len() == 2 { Keyword::Knows } else { Keyword::CommonKnowledge };
    engine.machine.file(relation.id(), &arguments);
}

impl Knowledge {
    /// Creates the histories of length zero for rules that read `knows`.
    pub fn new(engine: &mut Engine, initial: Vec<TermId>) -> Result<Knowledge, Fault> {
        let rules = Arc::clone(&engine.rules);
        let mut knowledge = Knowledge {
            worlds: Vec::new(),
            bounds: vec![0],
            markers: FxHashMap::default(),
            contents: contents(&rules)?,
            seen: FxHashMap::default(),
            steps: 0,
        };
        let sets = vec![0; rules.roles.len()];
        knowledge.worlds.push(World { state: initial.clone().into(), facts: initial, sets, next: None });
        knowledge.close(engine)?;
        Ok(knowledge)
    }

    /// Returns the initial state.
    pub fn initial(&self) -> Arc<[TermId]> {
        Arc::clone(&self.worlds[0].state)
    }

    /// Returns the state after a joint move.
    pub fn next(
        &mut self,
        engine: &mut Engine,
        state: &[TermId],
        joint: &[TermId],
    ) -> Result<Arc<[TermId]>, Fault> {
        let strange = |text: &str| Fault::BadState(text.to_string());
        let world = state.iter().find_map(|term| self.markers.get(term));
        let world = *world.ok_or_else(|| {
            strange("This state has no history, so what the roles know in it is undefined.")
        })?;
        if self.worlds[world].next.is_none() {
            let length = self.bounds.partition_point(|bound| *bound <= world) - 1;
            let made = self.worlds.len();
            if let Err(fault) = self.extend(engine, length) {
                self.worlds.truncate(made);
                self.bounds.truncate(length + 2);
                self.worlds[self.bounds[length]..].iter_mut().for_each(|world| world.next = None);
                return Err(fault);
            }
        }
        let next = self.worlds[world].next.as_ref().and_then(|next| next.get(joint));
        let next = next.ok_or_else(|| {
            strange("These moves are not legal, so what the roles know after them is undefined.")
        })?;
        Ok(Arc::clone(&self.worlds[*next].state))
    }

    /// Follows all joint moves from all histories of a length.
    fn extend(&mut self, engine: &mut Engine, length: usize) -> Result<(), Fault> {
        let most_work = engine.machine.meter.work().saturating_add(engine.machine.meter.limits().work);
        let mut known = FxHashMap::<(Vec<TermId>, Vec<u32>), usize>::default();
        for world in self.bounds[length]..self.bounds[length + 1] {
            let state = Arc::clone(&self.worlds[world].state);
            let mut next = FxHashMap::default();
            for joint in joints(engine, &state)? {
                self.steps += 1;
                if self.steps > STEPS || engine.machine.meter.work() > most_work {
                    return Err(too_many());
                }
                let (facts, sets) = self.follow(engine, world, &joint)?;
                let fresh = self.worlds.len();
                let at = *known.entry((facts.clone(), sets.clone())).or_insert(fresh);
                if at == fresh {
                    self.worlds.push(World { state: facts.clone().into(), facts, sets, next: None });
                }
                next.insert(joint, at);
            }
            self.worlds[world].next = Some(next);
        }
        self.close(engine)
    }

    /// Returns the facts after a joint move, and the information sets of the roles.
    fn follow(
        &mut self,
        engine: &mut Engine,
        world: usize,
        joint: &[TermId],
    ) -> Result<(Vec<TermId>, Vec<u32>), Fault> {
        engine.enter(&Arc::clone(&self.worlds[world].state));
        engine.make(joint);
        engine.ask(Keyword::Next.id())?;
        let mut facts = Vec::new();
        engine.terms(Keyword::Next.id(), None, &mut facts)?;
        facts.sort_unstable();
        let mut sets = vec![0; joint.len()];
        for role in players(&engine.rules) {
            let mut percepts = joint.to_vec();
            if engine.rules.has_percepts() {
                engine.ask(Keyword::Sees.id())?;
                engine.terms(Keyword::Sees.id(), Some(role), &mut percepts)?;
                percepts.sort_unstable();
            }
            let fresh = self.seen.len() as u32 + 1;
            let view = (role, self.worlds[world].sets[role], joint[role], percepts);
            sets[role] = *self.seen.entry(view).or_insert(fresh);
        }
        Ok((facts, sets))
    }

    /// Computes what is known in the histories that were added last.
    fn close(&mut self, engine: &mut Engine) -> Result<(), Fault> {
        let rules = Arc::clone(&engine.rules);
        let first = self.bounds[self.bounds.len() - 1];
        let roles = players(&rules);
        let common = self.common(first, &roles);
        let mut added: Vec<Vec<TermId>> = vec![Vec::new(); self.worlds.len() - first];
        for content in &self.contents {
            let mut holding = Vec::new();
            for world in &self.worlds[first..] {
                engine.enter(&world.state);
                holding.push(holds(engine, content)?);
            }
            if content.by_roles {
                for &role in &roles {
                    let groups = self.worlds[first..].iter().map(|world| world.sets[role] as usize);
                    let (groups, name) = (groups.collect::<Vec<usize>>(), engine.role(role));
                    add(engine, Some(name), &groups, &holding, &mut added);
                }
            }
            if content.in_common {
                add(engine, None, &common, &holding, &mut added);
            }
            for (world, added) in self.worlds[first..].iter_mut().zip(&added) {
                world.state = [&world.facts[..], &added[..]].concat().into();
            }
        }
        for number in first..self.worlds.len() {
            let functor = Symbol(knows(&rules).0 + 1 + number as u32);
            let marker = engine.machine.pool.intern(functor, &[]);
            self.markers.insert(marker, number);
            let world = &mut self.worlds[number];
            let mut terms = [&world.facts[..], &added[number - first][..], &[marker]].concat();
            terms.sort_unstable();
            world.state = terms.into();
        }
        self.bounds.push(self.worlds.len());
        Ok(())
    }

    /// Returns for each history its component under indistinguishability to some role (union-find).
    fn common(&self, first: usize, roles: &[usize]) -> Vec<usize> {
        let mut parent: Vec<usize> = (0..self.worlds.len() - first).collect();
        for &role in roles {
            let mut met = FxHashMap::<u32, usize>::default();
            for (at, world) in self.worlds[first..].iter().enumerate() {
                let other = *met.entry(world.sets[role]).or_insert(at);
                let (a, b) = (root(&mut parent, at), root(&mut parent, other));
                parent[a.max(b)] = a.min(b);
            }
        }
        (0..parent.len()).map(|at| root(&mut parent, at)).collect()
    }
}

/// Returns the root of a component, halving the path on the way.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// Returns the roles that can know anything: all except chance.
fn players(rules: &Rules) -> Vec<usize> {
    (0..rules.roles.len()).filter(|&role| rules.name(rules.roles[role]) != "random").collect()
}

fn too_many() -> Fault {
    let text = "`knows` depends on all histories of the game, and there are too many. Make the game smaller.";
    Fault::Budget(text.to_string())
}

/// Adds to every history what holds in all histories of its group.
fn add(
    engine: &mut Engine,
    role: Option<TermId>,
    groups: &[usize],
    holding: &[Vec<TermId>],
    added: &mut [Vec<TermId>],
) {
    let mut shared = FxHashMap::<usize, Vec<TermId>>::default();
    for (group, holding) in groups.iter().zip(holding) {
        let shared = shared.entry(*group).or_insert_with(|| holding.clone());
        shared.retain(|term| holding.binary_search(term).is_ok());
    }
    let functor = knows(&engine.rules);
    for (group, added) in groups.iter().zip(added) {
        for &term in &shared[group] {
            let arguments: Vec<TermId> = role.into_iter().chain([term]).collect();
            added.push(engine.machine.pool.intern(functor, &arguments));
        }
    }
}

/// Returns all joint moves in a state; none if it is terminal or a role has no legal move.
fn joints(engine: &mut Engine, state: &Arc<[TermId]>) -> Result<Vec<Vec<TermId>>, Fault> {
    engine.enter(state);
    engine.ask(Keyword::Terminal.id())?;
    let table = engine.machine.layout.plain(Keyword::Terminal.id(), 0);
    if engine.machine.layout.tables[table.index()].len() > 0 {
        return Ok(Vec::new());
    }
    engine.ask(Keyword::Legal.id())?;
    let mut joints = vec![Vec::new()];
    for role in 0..engine.rules.roles.len() {
        let mut moves = Vec::new();
        engine.terms(Keyword::Legal.id(), Some(role), &mut moves)?;
        moves.sort_unstable();
        if joints.len().saturating_mul(moves.len()) > STEPS {
            return Err(too_many());
        }
        let longer = |joint: &Vec<TermId>| {
            moves.iter().map(|mv| [&joint[..], &[*mv]].concat()).collect::<Vec<Vec<TermId>>>()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    Ok(joints)
}
