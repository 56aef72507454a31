//! Ground rules as a coloured graph, for the search for symmetries.
//!
//! Vertices are fluents, moves, roles, atoms, rules, goals and percepts; edges connect what belongs together.
//! Every colour-preserving automorphism of this graph maps the rules to themselves.

use game::{MoveId, RoleId};

use super::flat::Flat;
use crate::ground::{AtomKind, Ground};

/// The graph: a colour for each vertex, and its labelled edges in one list.
pub(super) struct Program {
    pub colors: Vec<u64>,
    starts: Vec<u32>,
    edges: Vec<(u32, u8)>,
    /// The numbers of vertices of the kinds that are used outside.
    pub fluents: usize,
    pub moves: Vec<(RoleId, MoveId)>,
    pub roles: usize,
}

/// Labels of edges. The reverse of an edge has its label with the top bit set.
const HEAD: u8 = 1;
const HOLDS: u8 = 2;
const FAILS: u8 = 3;
const TRUE: u8 = 4;
const NEXT: u8 = 5;
const DOES: u8 = 6;
const LEGAL: u8 = 7;
const ROLE: u8 = 8;
const GIVES: u8 = 9;

/// The first colour of inlined atoms.
const GAVE_WAY: u64 = 1 << 40;

impl Program {
    /// Builds the graph of ground rules. Constant fluents have colours of their own.
    pub fn new(ground: &Ground, known: &[Option<bool>]) -> Program {
        let fluents = ground.fluents.len();
        let moves: Vec<(RoleId, MoveId)> = (0..ground.moves.len())
            .flat_map(|role| {
                (0..ground.moves[role].len()).map(move |mv| (RoleId(role as u32), MoveId(mv as u32)))
            })
            .collect();
        let roles = ground.moves.len();
        let first_role = fluents + moves.len();
        let first_atom = first_role + roles;
        let mut colors: Vec<u64> = Vec::new();
        let mut pairs: Vec<(u32, u32, u8)> = Vec::new();
        colors.extend(known.iter().map(|known| match known {
            None => 1,
            Some(false) => 2,
            Some(true) => 3,
        }));
        colors.extend(moves.iter().map(|_| 4));
        for &role in &ground.rules.roles {
            colors.push(if ground.rules.name(role) == "random" { 5 } else { 6 });
        }
        colors.extend(std::iter::repeat_n(7, ground.atoms()));
        let mut place = vec![0; roles];
        for (number, &(role, mv)) in moves.iter().enumerate() {
            let vertex = (fluents + number) as u32;
            if mv.0 == 0 {
                place[role.index()] = vertex;
            }
            pairs.push((vertex, (first_role + role.index()) as u32, ROLE));
            let legal = ground.legal[role.index()][mv.0 as usize];
            pairs.push((vertex, (first_atom + legal.index()) as u32, LEGAL));
        }
        for (atom, kind) in ground.kinds.iter().enumerate() {
            let vertex = (first_atom + atom) as u32;
            match *kind {
                AtomKind::Derived => {}
                AtomKind::Fluent(fluent) => pairs.push((fluent, vertex, TRUE)),
                AtomKind::Does(role, mv) => pairs.push((place[role as usize] + mv, vertex, DOES)),
            }
        }
        for (fluent, atom) in ground.next.iter().enumerate() {
            if let Some(atom) = atom {
                pairs.push((fluent as u32, (first_atom + atom.index()) as u32, NEXT));
            }
        }
        if let Some(terminal) = ground.terminal {
            colors[first_atom + terminal.index()] = 8;
        }
        for (role, goals) in ground.goals.iter().enumerate() {
            for (value, atom) in goals {
                let vertex = colors.len() as u32;
                colors.push(1000 + (i64::from(*value) - i64::from(i32::MIN)) as u64);
                pairs.push((vertex, (first_role + role) as u32, ROLE));
                pairs.push((vertex, (first_atom + atom.index()) as u32, GIVES));
            }
        }
        for (role, percepts) in ground.percepts.iter().enumerate() {
            for (_, atom) in percepts {
                let vertex = colors.len() as u32;
                colors.push(9);
                pairs.push((vertex, (first_role + role) as u32, ROLE));
                pairs.push((vertex, (first_atom + atom.index()) as u32, GIVES));
            }
        }
        for (atom, bodies) in Flat::new(ground).bodies.iter().enumerate() {
            let Some(bodies) = bodies else {
                // An inlined atom gets a unique colour, so that it is not part of the search.
                colors[first_atom + atom] = GAVE_WAY + atom as u64;
                continue;
            };
            for body in bodies {
                let vertex = colors.len() as u32;
                colors.push(10);
                pairs.push((vertex, (first_atom + atom) as u32, HEAD));
                for literal in body {
                    let label = if literal.is_negative() { FAILS } else { HOLDS };
                    pairs.push((vertex, (first_atom + literal.atom().index()) as u32, label));
                }
            }
        }
        let mut starts = vec![0u32; colors.len() + 1];
        for &(a, b, _) in &pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for vertex in 0..colors.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut fill = starts.clone();
        let mut edges = vec![(0, 0); pairs.len() * 2];
        for &(a, b, label) in &pairs {
            for (from, to, label) in [(a, b, label), (b, a, label | 0x80)] {
                edges[fill[from as usize] as usize] = (to, label);
                fill[from as usize] += 1;
            }
        }
        Program { colors, starts, edges, fluents, moves, roles }
    }

    /// Returns the neighbours of a vertex with the labels of the edges.
    pub fn edges(&self, vertex: usize) -> &[(u32, u8)] {
        &self.edges[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns the number of edges, counting both directions.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of fluents, moves and roles, the vertices that a symmetry maps.
    pub fn named(&self) -> usize {
        self.fluents + self.moves.len() + self.roles
    }

    /// Returns `true` if a mapping of vertices preserves every edge and colour.
    pub fn is_kept_by(&self, image: &[u32]) -> bool {
        (0..self.colors.len()).all(|vertex| {
            let target = image[vertex] as usize;
            let mut mapped: Vec<(u32, u8)> =
                self.edges(vertex).iter().map(|&(to, label)| (image[to as usize], label)).collect();
            let mut there = self.edges(target).to_vec();
            mapped.sort_unstable();
            there.sort_unstable();
            self.colors[vertex] == self.colors[target] && mapped == there
        })
    }
}
