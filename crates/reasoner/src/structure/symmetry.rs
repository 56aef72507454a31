//! Symmetries of the rules.
//!
//! Symmetries are automorphisms of the graph of the ground rules (after Schiffel 2010, who uses the rules
//! before grounding). They are found by individualisation and refinement: a vertex and a possible image are
//! given the same new colour, and the refined colourings are compared (McKay's method, pruned only by
//! orbits). Every mapping is verified edge by edge, so all reported symmetries are correct.

use game::{FluentId, MoveId, RoleId, Symmetry};
use rustc_hash::FxHashMap;

use super::program::Program;
use super::refine::Refiner;
use crate::ground::Ground;

/// The maximum number of visited edges in total.
const WORK: usize = 150_000_000;
/// The maximum number of symmetries.
const MOST: usize = 64;
/// The number of images tried for one vertex on the way to a mapping.
const TRIES: usize = 8;

/// Returns generators of the symmetries that were found. The rules may have more.
pub(super) fn symmetries(ground: &Ground, known: &[Option<bool>]) -> Vec<Symmetry> {
    let program = Program::new(ground, known);
    let mut refiner = Refiner { program: &program, work: WORK };
    let mut found: Vec<Vec<u32>> = Vec::new();
    // If the work is used up, what was found before is kept.
    let _ = search(&mut refiner, &mut found);
    found.iter().map(|image| symmetry(&program, image)).collect()
}

/// Fixes one vertex after the other, and searches for mappings that move the next one.
fn search(refiner: &mut Refiner<'_>, found: &mut Vec<Vec<u32>>) -> Option<()> {
    let program = refiner.program;
    let mut colors = refiner.refine(program.colors.clone())?;
    loop {
        let Some(class) = first_class(program.named(), &colors) else { return Some(()) };
        let base = class[0];
        let at_this_level = found.len();
        let mut orbit = vec![base];
        let fixed = refiner.single_out(&colors, base)?;
        for &other in &class[1..] {
            if orbit.contains(&other) {
                continue;
            }
            let there = refiner.single_out(&colors, other)?;
            if let Some(image) = extend(refiner, fixed.clone(), there)? {
                found.push(image);
                if found.len() >= MOST {
                    return Some(());
                }
                // The orbit of the base under the mappings of this level.
                let mut place = 0;
                while place < orbit.len() {
                    for image in &found[at_this_level..] {
                        let next = image[orbit[place]] as usize;
                        if !orbit.contains(&next) {
                            orbit.push(next);
                        }
                    }
                    place += 1;
                }
            }
        }
        colors = fixed;
    }
}

/// Returns the first class of several vertices that are not distinguished.
fn first_class(count: usize, colors: &[u64]) -> Option<Vec<usize>> {
    let mut classes: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (vertex, &color) in colors.iter().enumerate().take(count) {
        classes.entry(color).or_default().push(vertex);
    }
    (0..count).find_map(|vertex| classes.get(&colors[vertex]).filter(|class| class.len() > 1)).cloned()
}

/// Returns a mapping from one colouring to another, if it is found. The outer `None` means that the work is
/// used up.
fn extend(refiner: &mut Refiner<'_>, mut here: Vec<u64>, mut there: Vec<u64>) -> Option<Option<Vec<u32>>> {
    let program = refiner.program;
    loop {
        if !same_colors(&here, &there) {
            return Some(None);
        }
        // Fluents, moves and roles first, then atoms and rules that are not distinguished.
        let class = first_class(program.named(), &here).or_else(|| first_class(here.len(), &here));
        let Some(class) = class else { break };
        let color = here[class[0]];
        let images: Vec<usize> = (0..there.len()).filter(|&v| there[v] == color).take(TRIES).collect();
        let next_here = refiner.single_out(&here, class[0])?;
        let mut next_there = None;
        for image in images {
            let tried = refiner.single_out(&there, image)?;
            if same_colors(&next_here, &tried) {
                next_there = Some(tried);
                break;
            }
        }
        let Some(next_there) = next_there else { return Some(None) };
        (here, there) = (next_here, next_there);
    }
    let mut places: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for (vertex, &color) in there.iter().enumerate().rev() {
        places.entry(color).or_default().push(vertex as u32);
    }
    let image: Option<Vec<u32>> = here.iter().map(|color| places.get_mut(color).and_then(Vec::pop)).collect();
    Some(image.filter(|image| program.is_kept_by(image)))
}

fn same_colors(a: &[u64], b: &[u64]) -> bool {
    let sorted = |colors: &[u64]| {
        let mut colors = colors.to_vec();
        colors.sort_unstable();
        colors
    };
    sorted(a) == sorted(b)
}

fn symmetry(program: &Program, image: &[u32]) -> Symmetry {
    let first_role = program.fluents + program.moves.len();
    let mut moves = vec![Vec::new(); program.roles];
    for (number, &(role, _)) in program.moves.iter().enumerate() {
        let target = image[program.fluents + number] as usize - program.fluents;
        let mv: MoveId = program.moves[target].1;
        moves[role.index()].push(mv);
    }
    Symmetry {
        roles: (0..program.roles).map(|role| RoleId(image[first_role + role] - first_role as u32)).collect(),
        fluents: image[..program.fluents].iter().map(|&fluent| FluentId(fluent)).collect(),
        moves,
    }
}
