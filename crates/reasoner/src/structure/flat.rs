//! Ground rules without the auxiliary atoms that represent parts of rules.
//!
//! Long rules are grounded in pieces, and a row of four that is assembled disc by disc from the left is not
//! its own mirror image. An atom that follows from only one instance, or is used in only one place, is
//! therefore replaced by its definition. The meaning of the rules is the same, and symmetries become visible.

use rustc_hash::FxHashSet;

use crate::ground::{AtomId, AtomKind, Ground, GroundLiteral};

/// The maximum number of literals of a rule, and of rules that replace one, for atoms to be inlined.
const LONGEST: usize = 64;
const MOST: usize = 512;
/// The maximum nesting of inlined atoms.
const DEEPEST: u32 = 100;
/// The maximum number of literals of all rules together.
const ALL: usize = 6_000_000;

type Body = Vec<GroundLiteral>;

/// The rules of each atom; `None` for an inlined atom.
pub(super) struct Flat {
    pub bodies: Vec<Option<Vec<Body>>>,
}

impl Flat {
    pub fn new(ground: &Ground) -> Flat {
        let mut maker = Maker::new(ground);
        let atoms = ground.atoms();
        let mut bodies: Vec<Option<Vec<Body>>> = vec![None; atoms];
        let mut literals = 0;
        // First the atoms that are kept, then those that could not be inlined everywhere they are used.
        let mut work: Vec<usize> = (0..atoms).rev().filter(|&atom| !maker.gives_way[atom]).collect();
        let mut listed: FxHashSet<usize> = work.iter().copied().collect();
        while let Some(atom) = work.pop() {
            let own = maker.rules(AtomId(atom as u32), 0);
            for literal in own.iter().flatten() {
                let asked = literal.atom().index();
                if listed.insert(asked) {
                    work.push(asked);
                }
            }
            literals += own.iter().map(|body| body.len() + 1).sum::<usize>();
            if literals > ALL {
                return Flat::plain(ground);
            }
            bodies[atom] = Some(own);
        }
        Flat { bodies }
    }

    /// Returns the rules unchanged.
    fn plain(ground: &Ground) -> Flat {
        let own = |atom: usize| {
            Some(ground.instances(AtomId(atom as u32)).map(|instance| instance.body.to_vec()).collect())
        };
        Flat { bodies: (0..ground.atoms()).map(own).collect() }
    }
}

struct Maker<'g> {
    ground: &'g Ground,
    gives_way: Vec<bool>,
    /// The definitions of inlined atoms, once they are computed.
    known: Vec<Option<Vec<Body>>>,
    busy: Vec<bool>,
}

impl<'g> Maker<'g> {
    fn new(ground: &'g Ground) -> Maker<'g> {
        let atoms = ground.atoms();
        let mut uses = vec![0u32; atoms];
        for atom in 0..atoms {
            for literal in ground.instances(AtomId(atom as u32)).flat_map(|instance| instance.body) {
                // A negated atom cannot be inlined.
                uses[literal.atom().index()] += if literal.is_negative() { 2 } else { 1 };
            }
        }
        let mut gives_way: Vec<bool> = (0..atoms)
            .map(|atom| {
                let instances = ground.instances(AtomId(atom as u32)).take(2).count();
                ground.kinds[atom] == AtomKind::Derived
                    && instances > 0
                    && (instances == 1 || uses[atom] == 1)
            })
            .collect();
        let legal = ground.legal.iter().flatten().copied();
        let goals = ground.goals.iter().flatten().map(|(_, atom)| *atom);
        let percepts = ground.percepts.iter().flatten().map(|(_, atom)| *atom);
        let next = ground.next.iter().flatten().copied();
        for named in legal.chain(goals).chain(percepts).chain(next).chain(ground.terminal) {
            gives_way[named.index()] = false;
        }
        Maker { ground, gives_way, known: vec![None; atoms], busy: vec![false; atoms] }
    }

    /// Returns the rules of an atom, with inlined atoms replaced by their definitions.
    fn rules(&mut self, atom: AtomId, depth: u32) -> Vec<Body> {
        let ground = self.ground;
        let mut all: Vec<Body> = Vec::new();
        for instance in ground.instances(atom) {
            let mut found: Vec<Body> = vec![Vec::new()];
            for &literal in instance.body {
                let parts = if literal.is_negative() { None } else { self.stands_for(literal.atom(), depth) };
                let fits = |parts: &Vec<Body>| {
                    let longest = |bodies: &[Body]| bodies.iter().map(Vec::len).max().unwrap_or(0);
                    parts.len() * found.len() <= MOST && longest(parts) + longest(&found) <= LONGEST
                };
                found = match parts.filter(fits) {
                    None => found.into_iter().map(|body| [body, vec![literal]].concat()).collect(),
                    Some(parts) => found
                        .iter()
                        .flat_map(|body| parts.iter().map(move |part| [&body[..], part].concat()))
                        .collect(),
                };
            }
            all.extend(found);
        }
        for body in &mut all {
            body.sort_unstable();
            body.dedup();
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the definition of an atom, if it can be inlined.
    fn stands_for(&mut self, atom: AtomId, depth: u32) -> Option<Vec<Body>> {
        let place = atom.index();
        if !self.gives_way[place] || self.busy[place] || depth >= DEEPEST {
            return None;
        }
        if self.known[place].is_none() {
            self.busy[place] = true;
            let rules = self.rules(atom, depth + 1);
            self.busy[place] = false;
            if rules.len() > MOST {
                self.gives_way[place] = false;
                return None;
            }
            self.known[place] = Some(rules);
        }
        self.known[place].clone()
    }
}
