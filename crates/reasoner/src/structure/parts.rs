//! Independent parts of a game.
//!
//! A fluent belongs together with every fluent its next value reads and with every move that can change it,
//! and a move with every fluent its legality reads (union-find). Clock fluents and step counters belong to no
//! part. The parts that remain separate are games that are connected only by terminal and the goals.

use game::{Clock, FluentId, MoveId, Part, RoleId};

use super::Support;
use super::still::Stillness;
use crate::circuit::Circuits;
use crate::ground::Ground;

/// Returns the parts, largest first; empty if there is only one.
pub(super) fn parts(ground: &Ground, circuits: &Circuits, clock: Option<&Clock>) -> Vec<Part> {
    let (aig, outputs) = (&circuits.general.aig, &circuits.general.outputs);
    let fluents = ground.fluents.len();
    let mut shared = vec![false; fluents];
    circuits.phases.fluents.iter().for_each(|&f| shared[f as usize] = true);
    clock.iter().flat_map(|clock| &clock.fluents).for_each(|f| shared[f.0 as usize] = true);
    for (fluent, known) in circuits.known.iter().enumerate() {
        shared[fluent] |= known.is_some();
    }
    let mut starts = vec![fluents];
    for moves in &ground.moves {
        starts.push(starts.last().copied().unwrap_or(0) + moves.len());
    }
    let mut group: Vec<usize> = (0..starts[ground.moves.len()]).collect();
    for fluent in (0..fluents).filter(|&f| !shared[f]) {
        let support = Support::of(aig, [outputs.next[fluent]]);
        for other in support.fluents.into_iter().filter(|&f| !shared[f as usize]) {
            join(&mut group, fluent, other as usize);
        }
        for set in support.sets {
            let (role, moves) = aig.set(set);
            moves.iter().for_each(|&m| join(&mut group, fluent, starts[role as usize] + m as usize));
        }
    }
    for (role, wires) in outputs.legal.iter().enumerate() {
        for (mv, &wire) in wires.iter().enumerate() {
            for fluent in Support::of(aig, [wire]).fluents.into_iter().filter(|&f| !shared[f as usize]) {
                join(&mut group, starts[role] + mv, fluent as usize);
            }
        }
    }
    let mut found: Vec<(usize, Part)> = Vec::new();
    let mut place_of = rustc_hash::FxHashMap::default();
    for fluent in (0..fluents).filter(|&f| !shared[f]) {
        let root = root(&mut group, fluent);
        let place = *place_of.entry(root).or_insert_with(|| {
            found.push((root, Part::default()));
            found.len() - 1
        });
        found[place].1.fluents.push(FluentId(fluent as u32));
    }
    for (role, moves) in ground.moves.iter().enumerate() {
        for mv in 0..moves.len() {
            let root = root(&mut group, starts[role] + mv);
            if let Some(&place) = place_of.get(&root) {
                found[place].1.moves.push((RoleId(role as u32), MoveId(mv as u32)));
            }
        }
    }
    let mut parts: Vec<Part> =
        found.into_iter().map(|(_, part)| part).filter(|part| !part.moves.is_empty()).collect();
    let mut stillness = Stillness::new(aig);
    for part in &mut parts {
        part.still = part.fluents.iter().all(|f| stillness.keeps(f.0, outputs.next[f.0 as usize]));
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.fluents.len()));
    if parts.len() > 1 { parts } else { Vec::new() }
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

fn join(group: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group, a), root(group, b));
    group[a.max(b)] = a.min(b);
}
