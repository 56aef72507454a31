//! Programs as machine code for x86-64 with AVX2.
//!
//! The code is straight-line code over 256-bit planes, without dispatch. Registers are allocated in one pass
//! in execution order: values stay in the sixteen vector registers, and when all are taken, the value whose
//! next use is farthest away is spilled (Belady's rule). The code is a function of three pointers: state,
//! next state, work memory. A long program is several such functions, called in order, each small enough for
//! the first-level cache. The encodings are those of the AMD64 manual, volume 4: two- and three-byte VEX
//! prefixes, 256 bits, no immediates.

use super::bits::{Area, Place};
use super::liveness::uses;
use super::schedule::{Item, Op, Schedule, Source};
use crate::making::{Pause, Stopped};

/// The size of a plane in bytes, and the number of registers that are allocated.
const PLANE: i32 = 32;
const REGISTERS: usize = 15;
/// The register that accumulates which latches grew in the current round of a region.
const GROWN: u8 = 15;

/// The base registers of the areas: rdi, rsi, rdx.
const STATE: u8 = 7;
const NEXT: u8 = 6;
const WORK: u8 = 2;

/// The number of words, from the beginning of each area, that code touches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub state: usize,
    pub next: usize,
    pub work: usize,
}

impl Extent {
    /// Records an access to one plane.
    fn cover(&mut self, base: u8, displacement: i32) {
        let begin = usize::try_from(displacement).expect("planes come after the beginning of their area");
        let words = (begin + PLANE as usize) / size_of::<u64>();
        let covered = match base {
            STATE => &mut self.state,
            NEXT => &mut self.next,
            WORK => &mut self.work,
            _ => unreachable!("there are three areas"),
        };
        *covered = words.max(*covered);
    }
}

/// Code under construction.
struct Assembler {
    code: Vec<u8>,
    /// What the code touches.
    extent: Extent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    Register(u8),
    /// The base register of an area and a displacement in bytes.
    Memory(u8, i32),
}

/// The prefix selector `pp` of VEX.
const P66: u8 = 1;
const PF3: u8 = 2;

impl Assembler {
    /// Emits one VEX.256 instruction of the 0F map (or 0F38 if `map` is 2).
    fn vex(&mut self, pp: u8, map: u8, opcode: u8, reg: u8, vvvv: u8, rm: Operand) {
        // VEX stores R, B and vvvv inverted.
        let r = u8::from(reg < 8) << 7;
        let v = (!vvvv & 15) << 3;
        let high_rm = matches!(rm, Operand::Register(n) if n >= 8);
        // The two-byte prefix implies the 0F map and has no bit for a high register in `rm`.
        if map == 1 && !high_rm {
            self.code.extend([0xc5, r | v | 4 | pp]);
        } else {
            let b = u8::from(!high_rm) << 5;
            self.code.extend([0xc4, r | 0x40 | b | map, v | 4 | pp]);
        }
        self.code.push(opcode);
        match rm {
            Operand::Register(n) => self.code.push(0xc0 | (reg & 7) << 3 | (n & 7)),
            Operand::Memory(base, displacement) => {
                self.extent.cover(base, displacement);
                // None of the base registers needs a SIB byte: ModRM with a displacement of 8 or 32 bits.
                if let Ok(short) = i8::try_from(displacement) {
                    self.code.extend([0x40 | (reg & 7) << 3 | base, short as u8]);
                } else {
                    self.code.push(0x80 | (reg & 7) << 3 | base);
                    self.code.extend(displacement.to_le_bytes());
                }
            }
        }
    }

    fn load(&mut self, register: u8, from: Operand) {
        self.vex(PF3, 1, 0x6f, register, 0, from);
    }

    fn store(&mut self, to: Operand, register: u8) {
        self.vex(PF3, 1, 0x7f, register, 0, to);
    }

    fn operation(&mut self, op: Op, to: u8, a: u8, b: Operand) {
        let opcode = match op {
            Op::And => 0xdb,
            Op::AndNot => 0xdf,
            Op::Or => 0xeb,
            Op::Xor => 0xef,
        };
        self.vex(P66, 1, opcode, to, a, b);
    }

    /// Emits all ones, by comparing a register with itself.
    fn ones(&mut self, register: u8) {
        self.vex(P66, 1, 0x76, register, register, Operand::Register(register));
    }

    /// Emits the end of a function: vzeroupper, ret.
    fn leave(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77, 0xc3]);
    }

    fn zeros(&mut self, register: u8) {
        self.operation(Op::Xor, register, register, Operand::Register(register));
    }
}

/// The number of bytes of code after which another function begins.
const PART: usize = 12 * 1024;

/// Machine code and the work memory it needs.
pub(crate) struct Code {
    pub bytes: Vec<u8>,
    /// The offsets of the functions that make up the program.
    pub parts: Vec<usize>,
    /// The number of planes of work memory.
    pub work: usize,
    /// What all functions together touch.
    pub extent: Extent,
}

struct Allocator<'s> {
    assembler: Assembler,
    parts: Vec<usize>,
    uses: Vec<Vec<u32>>,
    /// The number of uses of each value that have been passed.
    passed: Vec<usize>,
    held: [Option<u32>; REGISTERS],
    register_of: Vec<Option<u8>>,
    /// For each value, its location in memory, if it has one.
    home: Vec<Option<Home>>,
    free_slots: Vec<u32>,
    /// Slots that become free once the current instruction has read them.
    leaving: Vec<u32>,
    top: u32,
    first_latch: u32,
    schedule: &'s Schedule,
}

/// The location of a value in memory.
#[derive(Clone, Copy)]
enum Home {
    /// A spill slot.
    Slot(u32),
    /// The plane that the value was written to.
    Plane(Operand),
}

impl Home {
    fn operand(self) -> Operand {
        match self {
            Home::Slot(slot) => work(slot),
            Home::Plane(operand) => operand,
        }
    }
}

/// Compiles a program. Scratch slots begin at `first` in the work area. Calls `pause` for each function and
/// each region.
pub(crate) fn compile(schedule: &Schedule, first: usize, pause: Pause<'_>) -> Result<Code, Stopped> {
    let values = schedule.values as usize;
    let mut allocator = Allocator {
        assembler: Assembler {
            code: Vec::with_capacity(schedule.items.len() * 10),
            extent: Extent::default(),
        },
        parts: vec![0],
        uses: uses(schedule),
        passed: vec![0; values],
        held: [None; REGISTERS],
        register_of: vec![None; values],
        home: vec![None; values],
        free_slots: Vec::new(),
        leaving: Vec::new(),
        top: first as u32 + schedule.latches,
        first_latch: first as u32,
        schedule,
    };
    allocator.run(pause)?;
    let Assembler { code, extent } = allocator.assembler;
    Ok(Code { bytes: code, parts: allocator.parts, work: allocator.top as usize, extent })
}

fn memory(place: Place) -> Operand {
    let base = match place.area {
        Area::State => STATE,
        Area::Next => NEXT,
        Area::Work => WORK,
    };
    plane(base, place.index)
}

/// Returns the operand of a plane. Limits on fluents, moves and operations keep all displacements within 32
/// bits.
fn plane(base: u8, index: u32) -> Operand {
    let index = i32::try_from(index).ok();
    Operand::Memory(base, index.and_then(|i| i.checked_mul(PLANE)).expect("planes are within two gigabytes"))
}

fn work(slot: u32) -> Operand {
    plane(WORK, slot)
}

impl Allocator<'_> {
    fn run(&mut self, pause: Pause<'_>) -> Result<(), Stopped> {
        let schedule = self.schedule;
        let mut loop_start = None;
        for (position, item) in schedule.items.iter().enumerate() {
            let position = position as u32;
            self.free_slots.append(&mut self.leaving);
            let begun = self.parts[self.parts.len() - 1];
            if loop_start.is_none() && self.assembler.code.len() - begun > PART {
                self.flush();
                self.assembler.leave();
                self.parts.push(self.assembler.code.len());
                pause()?;
            }
            match item {
                Item::Make { number, op, a, b } => self.make(position, *number, *op, *a, *b),
                Item::Write { from, inverted, to } => {
                    self.write(*from, *inverted, memory(*to));
                    // No plane is written twice, so the value can be reloaded from there.
                    if let (Source::Made(value), false) = (from, inverted) {
                        self.home[*value as usize].get_or_insert(Home::Plane(memory(*to)));
                    }
                    self.pass(*from, position);
                }
                Item::Constant { value, to } => {
                    let register = self.take();
                    if *value {
                        self.assembler.ones(register)
                    } else {
                        self.assembler.zeros(register)
                    }
                    self.assembler.store(memory(*to), register);
                }
                Item::Enter { first, count } => {
                    self.flush();
                    if *count > 0 {
                        self.assembler.zeros(0);
                        for latch in *first..first + count {
                            self.assembler.store(work(self.first_latch + latch), 0);
                        }
                    }
                    loop_start = Some(self.assembler.code.len());
                    self.assembler.zeros(GROWN);
                }
                Item::Grow { latch, from, inverted } => {
                    let slot = work(self.first_latch + latch);
                    let value = self.take();
                    self.get(*from, value);
                    if *inverted {
                        let ones = self.take_other(value);
                        self.assembler.ones(ones);
                        self.assembler.operation(Op::Xor, value, value, Operand::Register(ones));
                    }
                    let old = self.take_other(value);
                    self.assembler.operation(Op::Xor, old, value, slot);
                    self.assembler.operation(Op::Or, GROWN, GROWN, Operand::Register(old));
                    self.assembler.store(slot, value);
                    self.pass(*from, position);
                }
                Item::GrowTrue { latch } => {
                    let register = self.take();
                    self.assembler.ones(register);
                    self.assembler.store(work(self.first_latch + latch), register);
                }
                Item::Repeat => {
                    self.flush();
                    // vptest grown, grown; jnz loop
                    self.assembler.vex(P66, 2, 0x17, GROWN, 0, Operand::Register(GROWN));
                    let start = loop_start.take().expect("every loop is entered before it repeats");
                    let back = start as i64 - (self.assembler.code.len() as i64 + 6);
                    self.assembler.code.extend([0x0f, 0x85]);
                    self.assembler.code.extend((back as i32).to_le_bytes());
                    self.release_after(position);
                    pause()?;
                }
            }
        }
        self.assembler.leave();
        Ok(())
    }

    fn make(&mut self, position: u32, number: u32, op: Op, a: Source, b: Source) {
        // The first operand must be in a register; the second may be in memory.
        let (a, b) = match op {
            Op::AndNot => (a, b),
            _ if self.in_register(a).is_none() && self.in_register(b).is_some() => (b, a),
            _ => (a, b),
        };
        let x = match self.in_register(a) {
            Some(register) => register,
            None => {
                let register = self.take_not(&[self.in_register(b)]);
                let from = self.operand(a);
                self.assembler.load(register, from);
                if let Source::Made(value) = a {
                    self.held[register as usize] = Some(value);
                    self.register_of[value as usize] = Some(register);
                }
                register
            }
        };
        let y = self.operand(b);
        self.pass(a, position);
        if a != b {
            self.pass(b, position);
        }
        let keep = match y {
            Operand::Register(r) => Some(r),
            Operand::Memory(..) => None,
        };
        // A register whose value is no longer needed is free again, including that of `x`.
        let to = self.take_not(&[Some(x).filter(|r| self.held[*r as usize].is_some()), keep]);
        self.assembler.operation(op, to, x, y);
        if !self.uses[number as usize].is_empty() {
            self.held[to as usize] = Some(number);
            self.register_of[number as usize] = Some(to);
        }
    }

    fn write(&mut self, from: Source, inverted: bool, to: Operand) {
        if inverted {
            let register = self.take_not(&[self.in_register(from)]);
            self.assembler.ones(register);
            let source = self.operand(from);
            self.assembler.operation(Op::Xor, register, register, source);
            self.assembler.store(to, register);
        } else {
            match self.in_register(from) {
                Some(register) => self.assembler.store(to, register),
                None => {
                    let register = self.take();
                    let source = self.operand(from);
                    self.assembler.load(register, source);
                    self.assembler.store(to, register);
                }
            }
        }
    }

    fn in_register(&self, source: Source) -> Option<u8> {
        match source {
            Source::Made(value) => self.register_of[value as usize],
            _ => None,
        }
    }

    fn operand(&self, source: Source) -> Operand {
        match source {
            Source::Made(value) => match self.register_of[value as usize] {
                Some(register) => Operand::Register(register),
                None => self.home[value as usize].expect("a value is in a register or has a home").operand(),
            },
            Source::Memory(place) => memory(place),
            Source::Latch(latch) => work(self.first_latch + latch),
        }
    }

    /// Copies a value into a register that is not in use.
    fn get(&mut self, source: Source, register: u8) {
        match self.operand(source) {
            Operand::Register(from) if from == register => {}
            from => self.assembler.load(register, from),
        }
    }

    fn take(&mut self) -> u8 {
        self.take_not(&[])
    }

    fn take_other(&mut self, than: u8) -> u8 {
        self.take_not(&[Some(than)])
    }

    /// Returns a register that may be overwritten, other than those in `keep`. Spills a value if necessary.
    fn take_not(&mut self, keep: &[Option<u8>]) -> u8 {
        let usable = |r: usize| !keep.contains(&Some(r as u8));
        if let Some(free) = (0..REGISTERS).find(|&r| self.held[r].is_none() && usable(r)) {
            return free as u8;
        }
        let next_use = |r: usize| {
            let value = self.held[r].expect("no register is free") as usize;
            self.uses[value].get(self.passed[value]).copied().unwrap_or(u32::MAX)
        };
        let victim = (0..REGISTERS).filter(|&r| usable(r)).max_by_key(|&r| next_use(r));
        let victim = victim.expect("fewer registers are kept than there are");
        self.evict(victim);
        victim as u8
    }

    fn evict(&mut self, register: usize) {
        if let Some(value) = self.held[register].take() {
            self.register_of[value as usize] = None;
            if self.home[value as usize].is_none() {
                let slot = self.free_slots.pop().unwrap_or_else(|| {
                    self.top += 1;
                    self.top - 1
                });
                self.home[value as usize] = Some(Home::Slot(slot));
                self.assembler.store(work(slot), register as u8);
            }
        }
    }

    /// Spills everything that is still needed.
    fn flush(&mut self) {
        for register in 0..REGISTERS {
            self.evict(register);
        }
    }

    /// Records a use. A value without further uses releases its register and its slot.
    fn pass(&mut self, source: Source, position: u32) {
        let Source::Made(value) = source else { return };
        let list = &self.uses[value as usize];
        while list.get(self.passed[value as usize]).is_some_and(|&u| u <= position) {
            self.passed[value as usize] += 1;
        }
        if self.passed[value as usize] == list.len() {
            self.release(value);
        }
    }

    fn release(&mut self, value: u32) {
        if let Some(register) = self.register_of[value as usize].take() {
            self.held[register as usize] = None;
        }
        if let Some(Home::Slot(slot)) = self.home[value as usize].take() {
            self.leaving.push(slot);
        }
    }

    /// Releases the values that were live until the end of a loop.
    fn release_after(&mut self, position: u32) {
        for value in 0..self.uses.len() {
            if self.uses[value].last() == Some(&position) {
                self.release(value as u32);
            }
        }
    }
}
