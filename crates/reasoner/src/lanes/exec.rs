//! A program in the fastest form that this machine can run.
//!
//! A large program may have sections (`sections.rs`), and many sections perform the same operations on planes
//! at other positions. These are compiled once, and run with shifted pointers.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::bits::{Area, BitNode, Bits, Place, Val};
use super::block::Block;
#[cfg(target_arch = "x86_64")]
use super::native::Native;
use super::plane::{any, meet};
use super::portable::{Plane, Portable};
use super::schedule::{Schedule, schedule};
use super::sections::{self, Piece, Section, Split};
use crate::making::{Pause, Stopped};

/// A program ready to run.
pub(crate) struct Exec {
    parts: Vec<Part>,
    codes: Vec<Portable>,
    #[cfg(target_arch = "x86_64")]
    native: Option<Native>,
    /// The number of planes of work memory that it needs.
    pub work: usize,
    /// The number of its operations.
    pub operations: usize,
    /// The size of its machine code in bytes.
    pub bytes: usize,
    /// A number for the planes that its sections write; `None` if it has no sections that write the next
    /// state.
    pub kind: Option<u32>,
    /// Where sections read their guards, and where they leave their results.
    guard_place: usize,
    found: usize,
}

/// A part of a program.
struct Part {
    /// The index of its code.
    code: usize,
    /// The offsets, in planes, at which it reads the state and writes the next one.
    state: usize,
    next: usize,
    section: Option<Section>,
}

/// Which sections have left their planes of a state empty.
#[derive(Debug, Default)]
pub(crate) struct Asleep {
    kind: Option<u32>,
    sections: Vec<bool>,
}

impl Asleep {
    /// Forgets everything, because the planes were written by something else.
    pub fn forget(&mut self) {
        self.kind = None;
    }

    fn of(&mut self, exec: &Exec) -> &mut [bool] {
        if self.kind != exec.kind {
            self.kind = exec.kind;
            self.sections.clear();
            self.sections.resize(exec.parts.len(), false);
        }
        &mut self.sections
    }
}

/// Returns `true` if programs are compiled to machine code here, for planes of [`NATIVE`] words.
pub(crate) fn has_native() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The number of words of the planes that machine code handles.
pub(crate) const NATIVE: usize = 4;

impl Exec {
    /// Prepares a program. Its scratch begins at `first` in the work area. Calls `pause` regularly.
    pub fn new(bits: &Bits, first: usize, pause: Pause<'_>) -> Result<Exec, Stopped> {
        pause()?;
        match sections::split(bits, first, sections::LARGE) {
            Some(split) => Exec::of(split, pause),
            None => {
                let part = Part { code: 0, state: 0, next: 0, section: None };
                Exec::with(vec![part], &[schedule(bits, pause)?], (0, 0, first), pause)
            }
        }
    }

    fn of(split: Split, pause: Pause<'_>) -> Result<Exec, Stopped> {
        let mut numbers: FxHashMap<Code, usize> = FxHashMap::default();
        let mut parts = Vec::with_capacity(split.pieces.len());
        let mut schedules: Vec<Schedule> = Vec::new();
        for Piece { bits, section } in split.pieces {
            let (code, state, next) = if section.is_some() { moved(&bits) } else { (Code::of(&bits), 0, 0) };
            let code = match numbers.entry(code) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => {
                    let Code { nodes, writes } = place.key();
                    schedules.push(schedule(&Bits::with(nodes.clone(), writes.clone()), pause)?);
                    *place.insert(schedules.len() - 1)
                }
            };
            parts.push(Part { code, state, next, section });
        }
        Exec::with(parts, &schedules, (split.guard_place, split.found, split.end), pause)
    }

    fn with(
        parts: Vec<Part>,
        schedules: &[Schedule],
        (guard_place, found, first): (usize, usize, usize),
        pause: Pause<'_>,
    ) -> Result<Exec, Stopped> {
        let codes = schedules.iter().map(|schedule| Portable::new(schedule, first, pause));
        let codes: Vec<Portable> = codes.collect::<Result<_, _>>()?;
        let work = codes.iter().map(|code| code.work).max().unwrap_or(first);
        let operations = parts.iter().map(|part| schedules[part.code].operations()).sum();
        let writes = |part: &Part| part.section.as_ref().is_some_and(|section| !section.next.is_empty());
        let kind = parts.iter().any(writes).then_some(0);
        #[cfg(target_arch = "x86_64")]
        {
            let native = Native::new(schedules, first, pause)?;
            let (work, bytes) = native.as_ref().map_or((work, 0), |n| (work.max(n.work), n.bytes()));
            Ok(Exec { parts, codes, native, work, operations, bytes, kind, guard_place, found })
        }
        #[cfg(not(target_arch = "x86_64"))]
        Ok(Exec { parts, codes, work, operations, bytes: 0, kind, guard_place, found })
    }

    /// Returns `true` if both programs have sections for the same planes.
    pub fn is_like(&self, other: &Exec) -> bool {
        let planes = |part: &'_ Part| part.section.as_ref().map(|section| section.next.clone());
        self.parts.iter().map(planes).eq(other.parts.iter().map(planes))
    }

    /// Runs the program on planes of `W` words.
    #[inline(always)]
    pub fn run<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        for part in &self.parts {
            if let Some(section) = &part.section {
                if !any(&work[section.guard as usize]) {
                    section.work.iter().for_each(|&plane| work[plane as usize] = [0; W]);
                    section.next.iter().for_each(|&plane| next[plane as usize] = [0; W]);
                    continue;
                }
                work[self.guard_place] = work[section.guard as usize];
            }
            self.run_part(part, state, next, work);
            self.take(part, work);
        }
    }

    #[inline(always)]
    fn run_part<const W: usize>(
        &self,
        part: &Part,
        state: &[Plane<W>],
        next: &mut [Plane<W>],
        work: &mut [Plane<W>],
    ) {
        let (state, next) = (&state[part.state..], &mut next[part.next..]);
        #[cfg(target_arch = "x86_64")]
        if W == NATIVE
            && let Some(native) = &self.native
        {
            for function in native.functions(part.code) {
                let (next, work) = (next.as_flattened_mut(), work.as_flattened_mut());
                native.run(function, state.as_flattened(), next, work);
            }
            return;
        }
        self.codes[part.code].run_best(state, next, work);
    }

    /// Copies the results of a section to their places.
    #[inline(always)]
    fn take<const W: usize>(&self, part: &Part, work: &mut [Plane<W>]) {
        for (place, &plane) in part.section.iter().flat_map(|section| section.work.iter().enumerate()) {
            work[plane as usize] = work[self.found + place];
        }
    }

    /// Runs the program on all blocks that contain games, in the phase at `place`: part by part, each on all
    /// blocks.
    #[inline(always)]
    pub fn run_all<const W: usize>(&self, blocks: &mut [Block<W>], place: usize) {
        for (number, part) in self.parts.iter().enumerate() {
            if let Some(section) = &part.section {
                for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
                    if self.look(block, place, number, section) {
                        let Block { state, next, work, .. } = block;
                        self.run_part(part, state, next, &mut work[place]);
                        self.take(part, &mut work[place]);
                    }
                }
                continue;
            }
            #[cfg(target_arch = "x86_64")]
            if W == NATIVE
                && let Some(native) = &self.native
            {
                for function in native.functions(part.code) {
                    for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
                        let work = block.work[place].as_flattened_mut();
                        let (state, next) = (block.state.as_flattened(), block.next.as_flattened_mut());
                        native.run(function, state, next, work);
                    }
                }
                continue;
            }
            for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
                self.codes[part.code].run_best(&block.state, &mut block.next, &mut block.work[place]);
            }
        }
    }

    /// Returns `true` if a section must be run in a block. Otherwise clears the planes that it would write.
    #[inline(always)]
    fn look<const W: usize>(
        &self,
        block: &mut Block<W>,
        place: usize,
        number: usize,
        section: &Section,
    ) -> bool {
        let work = &mut block.work[place];
        let guard = work[section.guard as usize];
        let is_awake = any(&meet(&block.alive, &guard));
        if is_awake {
            work[self.guard_place] = guard;
        } else {
            section.work.iter().for_each(|&plane| work[plane as usize] = [0; W]);
        }
        if !section.next.is_empty() {
            let asleep = &mut block.next_asleep.of(self)[number];
            if !is_awake && !*asleep {
                section.next.iter().for_each(|&plane| block.next[plane as usize] = [0; W]);
            }
            *asleep = !is_awake;
        }
        is_awake
    }
}

/// The operations of a part, as a key.
#[derive(PartialEq, Eq, Hash)]
struct Code {
    nodes: Vec<BitNode>,
    writes: Vec<(Val, Place)>,
}

impl Code {
    fn of(bits: &Bits) -> Code {
        Code { nodes: bits.nodes.clone(), writes: bits.writes.clone() }
    }
}

/// Returns the operations of a section relative to the first plane that it reads of the state and the first
/// that it writes of the next one, and these two offsets.
fn moved(bits: &Bits) -> (Code, usize, usize) {
    let mut code = Code::of(bits);
    let read = |node: &BitNode| match node {
        BitNode::Read(place) => Some(*place),
        _ => None,
    };
    let first = |area: Area, places: &mut dyn Iterator<Item = Place>| {
        places.filter(|place| place.area == area).map(|place| place.index).min().unwrap_or(0)
    };
    let state = first(Area::State, &mut code.nodes.iter().filter_map(read));
    let next = first(Area::Next, &mut code.writes.iter().map(|(_, place)| *place));
    for node in &mut code.nodes {
        if let BitNode::Read(place) = node
            && place.area == Area::State
        {
            place.index -= state;
        }
    }
    for (_, place) in code.writes.iter_mut().filter(|(_, place)| place.area == Area::Next) {
        place.index -= next;
    }
    (code, state as usize, next as usize)
}

#[cfg(test)]
mod tests {
    use game::{Rng, Seed};

    use super::*;

    const MOMENTS: usize = 40;
    const SQUARES: usize = 80;
    /// Planes of the state: the board, whether a moment is kept, where it differs, and a last one that
    /// clears.
    const KEPT: usize = SQUARES;
    const DIFFERS: usize = KEPT + MOMENTS;
    const CLEARS: usize = DIFFERS + MOMENTS * SQUARES;
    const FLUENTS: usize = CLEARS + 1;
    /// Planes of work memory: whether some moment has come back, and what is toggled.
    const BACK: usize = 0;
    const TOGGLES: usize = 1;
    const FREE: usize = TOGGLES + SQUARES;

    /// Moments with the squares in which they differ from the present one.
    fn history() -> Bits {
        let mut bits = Bits::new();
        let clears = bits.read(Area::State, CLEARS);
        let mut back = Vec::new();
        for moment in 0..MOMENTS {
            let kept = bits.read(Area::State, KEPT + moment);
            let stays = bits.and(kept, !clears);
            bits.write(stays, Area::Next, KEPT + moment);
            let mut same = kept;
            for square in 0..SQUARES {
                let place = DIFFERS + moment * SQUARES + square;
                let differs = bits.read(Area::State, place);
                let toggles = bits.read(Area::Work, TOGGLES + square);
                let apart = bits.xor(differs, toggles);
                let next = bits.and(apart, stays);
                bits.write(next, Area::Next, place);
                same = bits.and(same, !differs);
            }
            back.push(same);
        }
        let back = bits.any(&back);
        for square in 0..SQUARES {
            let own = bits.read(Area::State, square);
            let next = bits.xor(own, back);
            bits.write(next, Area::Next, square);
        }
        bits.write(clears, Area::Next, CLEARS);
        bits.write(back, Area::Work, BACK);
        bits
    }

    fn random(rng: &mut Rng) -> Plane<4> {
        std::array::from_fn(|_| rng.next_u64() & rng.next_u64())
    }

    #[test]
    fn sections_compute_what_the_whole_program_does() {
        let bits = history();
        let split = sections::split(&bits, FREE, 1).expect("there are sections");
        assert!(split.pieces.iter().filter(|piece| piece.section.is_some()).count() >= 2 * MOMENTS);
        let parts = Exec::of(split, &|| Ok(())).unwrap();
        assert!(parts.codes.len() < 10, "equal sections have the same code");
        let part = Part { code: 0, state: 0, next: 0, section: None };
        let order = schedule(&bits, &|| Ok(())).unwrap();
        let whole = Exec::with(vec![part], &[order], (0, 0, FREE), &|| Ok(())).unwrap();
        let mut rng = Seed(7).rng();
        let memory = |work: usize| (vec![[!0; 4]; FLUENTS], vec![[!0; 4]; work]);
        let ((mut next, mut work), (mut other_next, mut other_work)) =
            (memory(whole.work), memory(parts.work));
        for round in 0..50 {
            // In most rounds few moments are kept.
            let mut state: Vec<Plane<4>> = (0..FLUENTS).map(|_| random(&mut rng)).collect();
            for moment in 0..MOMENTS {
                if rng.below(50) > round {
                    state[KEPT + moment] = [0; 4];
                }
                if rng.below(3) == 0 {
                    state[DIFFERS + moment * SQUARES..][..SQUARES].fill([0; 4]);
                }
            }
            for plane in TOGGLES..FREE {
                work[plane] = random(&mut rng);
                other_work[plane] = work[plane];
            }
            whole.run(&state, &mut next, &mut work);
            parts.run(&state, &mut other_next, &mut other_work);
            assert_eq!(next, other_next, "round {round}");
            assert_eq!(work[BACK], other_work[BACK], "round {round}");
        }
    }
}
