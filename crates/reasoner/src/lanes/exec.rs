//! One program, in the fastest form this machine can run.

use super::bits::Bits;
use super::block::Block;
use super::plane::any;
use super::portable::{Plane, Portable};
use super::schedule::schedule;

/// A program ready to run.
pub(crate) struct Exec {
    portable: Portable,
    #[cfg(target_arch = "x86_64")]
    native: Option<native::Native>,
    /// Planes of work memory it needs.
    pub work: usize,
    /// Operations it consists of.
    pub operations: usize,
    /// Bytes of its machine code.
    pub bytes: usize,
}

/// Whether programs are compiled to machine code here, for planes of [`NATIVE`] words.
pub(crate) fn has_native() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Words of the planes that machine code is for.
pub(crate) const NATIVE: usize = 4;

impl Exec {
    /// Prepares a program; its scratch begins at `first` in the work area.
    pub fn new(bits: &Bits, first: usize) -> Exec {
        let schedule = schedule(bits);
        let portable = Portable::new(&schedule, first);
        let (work, operations) = (portable.work, schedule.operations());
        #[cfg(target_arch = "x86_64")]
        {
            let native = native::Native::new(&schedule, first);
            let (work, bytes) = native.as_ref().map_or((work, 0), |n| (work.max(n.work), n.bytes()));
            Exec { portable, native, work, operations, bytes }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Exec { portable, work, operations, bytes: 0 }
    }

    /// Runs the program on planes of `W` words.
    #[inline(always)]
    pub fn run<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        #[cfg(target_arch = "x86_64")]
        if W == NATIVE
            && let Some(native) = &self.native
        {
            for part in 0..native.parts() {
                native.run(part, state.as_ptr().cast(), next.as_mut_ptr().cast(), work.as_mut_ptr().cast());
            }
            return;
        }
        self.portable.run_best(state, next, work);
    }

    /// Runs the program on those blocks that have games, in the phase at
    /// `place`: one part after another, each on all blocks.
    #[inline(always)]
    pub fn run_all<const W: usize>(&self, blocks: &mut [Block<W>], place: usize) {
        #[cfg(target_arch = "x86_64")]
        if W == NATIVE
            && let Some(native) = &self.native
        {
            for part in 0..native.parts() {
                for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
                    let work = block.work[place].as_mut_ptr().cast();
                    native.run(part, block.state.as_ptr().cast(), block.next.as_mut_ptr().cast(), work);
                }
            }
            return;
        }
        for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
            self.portable.run_best(&block.state, &mut block.next, &mut block.work[place]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod native {
    //! Machine code in executable memory.

    use super::super::schedule::Schedule;
    use super::super::x86;

    pub(super) struct Native {
        map: memmap2::Mmap,
        parts: Vec<usize>,
        pub work: usize,
    }

    /// Programs with more items than this are run by the portable loop: their
    /// code would not stay in any cache.
    const MAX_ITEMS: usize = 2_000_000;

    impl Native {
        /// Compiles a program, if the machine can run the code.
        pub fn new(schedule: &Schedule, first: usize) -> Option<Native> {
            if !super::has_native() || schedule.items.len() > MAX_ITEMS {
                return None;
            }
            let code = x86::compile(schedule, first);
            let mut map = memmap2::MmapMut::map_anon(code.bytes.len()).ok()?;
            map.copy_from_slice(&code.bytes);
            Some(Native { map: map.make_exec().ok()?, parts: code.parts, work: code.work })
        }

        /// Bytes of the code.
        pub fn bytes(&self) -> usize {
            self.map.len()
        }

        /// How many functions it is made of, to be run in order.
        #[inline(always)]
        pub fn parts(&self) -> usize {
            self.parts.len()
        }

        /// Runs one function of it. The pointers must cover all planes the program was compiled for.
        #[inline(always)]
        pub fn run(&self, part: usize, state: *const u64, next: *mut u64, work: *mut u64) {
            type Function = unsafe extern "sysv64" fn(*const u64, *mut u64, *mut u64);
            // SAFETY: at each of `parts` the map holds a complete function of this
            // type made by `x86::compile`, which touches no registers but vector
            // ones and only the planes laid out by the caller; the machine has AVX2.
            unsafe {
                let function: Function = std::mem::transmute(self.map.as_ptr().add(self.parts[part]));
                function(state, next, work);
            }
        }
    }
}
