//! Programs for any machine: a loop over operations on slots.
//!
//! The loop is compiled several times, and the processor's features decide at run time which one is used:
//! 512-bit operations with three inputs with AVX-512 (`vpternlog`, which the compiler derives from the masks
//! of [`Kind`]), 256-bit operations with AVX2. Every 64-bit ARM processor has NEON, so the plain loop is
//! sufficient there.

use super::bits::{Area, Place};
use super::liveness::uses;
use super::schedule::{Item, Op, Schedule, Source};
use crate::making::{Pause, Stopped};

/// A plane of `64 * W` games.
pub(crate) type Plane<const W: usize> = [u64; W];

/// An operand: the area in the two low bits, the index above.
type Address = u32;

/// The kind of an instruction. The plain ones all compute `((a ^ x) & (b ^ y)) | ((a ^ b) & z)` with masks
/// `x`, `y`, `z` that depend on the kind, so that the loop does not branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain(Masks),
    False,
    True,
    Grow,
    GrowInverted,
    Repeat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Masks {
    x: u64,
    y: u64,
    z: u64,
}

const AND: Kind = Kind::Plain(Masks { x: 0, y: 0, z: 0 });
const AND_NOT: Kind = Kind::Plain(Masks { x: !0, y: 0, z: 0 });
const OR: Kind = Kind::Plain(Masks { x: 0, y: 0, z: !0 });
const XOR: Kind = Kind::Plain(Masks { x: 0, y: !0, z: !0 });
const INVERT: Kind = Kind::Plain(Masks { x: !0, y: !0, z: 0 });

#[derive(Debug, Clone, Copy)]
struct Instruction {
    kind: Kind,
    to: Address,
    a: Address,
    b: Address,
}

/// A program over slots of memory.
#[derive(Debug, Clone)]
pub(crate) struct Portable {
    instructions: Vec<Instruction>,
    /// The number of planes of work memory that are needed.
    pub work: usize,
}

fn address(place: Place) -> Address {
    place.index << 2 | place.area as u32
}

impl Portable {
    /// Lays out a program. Scratch slots begin at `first` in the work area. Calls `pause` for each region.
    pub fn new(schedule: &Schedule, first: usize, pause: Pause<'_>) -> Result<Portable, Stopped> {
        let uses = uses(schedule);
        let work_slot = |slot: usize| address(Place::new(Area::Work, slot));
        let latch_slot = |latch: u32| work_slot(first + latch as usize);
        let mut top = first + schedule.latches as usize;
        let mut free: Vec<usize> = Vec::new();
        let mut slot_of: Vec<usize> = vec![usize::MAX; schedule.values as usize];
        let mut instructions = Vec::new();
        let mut loops: Vec<usize> = Vec::new();
        for (position, item) in schedule.items.iter().enumerate() {
            let at = |source: &Source, slot_of: &[usize]| match source {
                Source::Made(value) => work_slot(slot_of[*value as usize]),
                Source::Memory(place) => address(*place),
                Source::Latch(latch) => latch_slot(*latch),
            };
            let mut release = |source: &Source, slot_of: &[usize]| {
                if let Source::Made(value) = source
                    && uses[*value as usize].last() == Some(&(position as u32))
                {
                    free.push(slot_of[*value as usize]);
                }
            };
            let mut emit = |kind, to, a, b| instructions.push(Instruction { kind, to, a, b });
            match item {
                Item::Make { number, op, a, b } => {
                    let (x, y) = (at(a, &slot_of), at(b, &slot_of));
                    release(a, &slot_of);
                    if a != b {
                        release(b, &slot_of);
                    }
                    let slot = free.pop().unwrap_or_else(|| {
                        top += 1;
                        top - 1
                    });
                    slot_of[*number as usize] = slot;
                    let kind = match op {
                        Op::And => AND,
                        Op::AndNot => AND_NOT,
                        Op::Or => OR,
                        Op::Xor => XOR,
                    };
                    emit(kind, work_slot(slot), x, y);
                }
                Item::Write { from, inverted, to } => {
                    let source = at(from, &slot_of);
                    emit(if *inverted { INVERT } else { AND }, address(*to), source, source);
                    release(from, &slot_of);
                }
                Item::Constant { value, to } => {
                    emit(if *value { Kind::True } else { Kind::False }, address(*to), 0, 0);
                }
                Item::Enter { first, count } => {
                    for latch in *first..first + count {
                        emit(Kind::False, latch_slot(latch), 0, 0);
                    }
                    loops.push(instructions.len());
                }
                Item::Grow { latch, from, inverted } => {
                    let kind = if *inverted { Kind::GrowInverted } else { Kind::Grow };
                    emit(kind, latch_slot(*latch), at(from, &slot_of), 0);
                    release(from, &slot_of);
                }
                Item::GrowTrue { latch } => emit(Kind::True, latch_slot(*latch), 0, 0),
                Item::Repeat => {
                    let start = loops.pop().expect("every loop is entered before it repeats");
                    emit(Kind::Repeat, start as u32, 0, 0);
                    pause()?;
                    for (value, list) in uses.iter().enumerate() {
                        if list.last() == Some(&(position as u32)) {
                            free.push(slot_of[value]);
                        }
                    }
                }
            }
        }
        Ok(Portable { instructions, work: top })
    }

    /// Runs the program with the widest operations of this machine.
    #[inline(always)]
    pub fn run_best<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        #[cfg(target_arch = "x86_64")]
        {
            if W.is_multiple_of(8) && is_x86_feature_detected!("avx512f") {
                // SAFETY: the machine has AVX-512.
                unsafe { self.run_avx512(state, next, work) };
                return;
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has AVX2.
                unsafe { self.run_avx2(state, next, work) };
                return;
            }
        }
        self.run(state, next, work);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn run_avx512<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        self.run(state, next, work);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn run_avx2<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        self.run(state, next, work);
    }

    /// Runs the program.
    #[inline(always)]
    fn run<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        let mut changed = 0u64;
        let mut at = 0;
        while let Some(i) = self.instructions.get(at) {
            at += 1;
            let read = |address: Address| -> Plane<W> {
                let index = (address >> 2) as usize;
                match address & 3 {
                    0 => state[index],
                    1 => next[index],
                    _ => work[index],
                }
            };
            let value: Plane<W> = match i.kind {
                Kind::Plain(m) => {
                    let (a, b) = (read(i.a), read(i.b));
                    let mut out = [0; W];
                    for k in 0..W {
                        out[k] = ((a[k] ^ m.x) & (b[k] ^ m.y)) | ((a[k] ^ b[k]) & m.z);
                    }
                    out
                }
                Kind::False => [0; W],
                Kind::True => [!0; W],
                Kind::Grow | Kind::GrowInverted => {
                    let old = read(i.to);
                    let new = match i.kind {
                        Kind::Grow => read(i.a),
                        _ => read(i.a).map(|x| !x),
                    };
                    changed |= old.iter().zip(&new).fold(0, |c, (o, n)| c | (o ^ n));
                    new
                }
                Kind::Repeat => {
                    if changed != 0 {
                        at = i.to as usize;
                        changed = 0;
                    }
                    continue;
                }
            };
            let index = (i.to >> 2) as usize;
            match i.to & 3 {
                1 => next[index] = value,
                _ => work[index] = value,
            }
        }
    }
}
