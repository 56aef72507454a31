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
}

/// Whether programs are compiled to machine code here.
pub(crate) fn has_native() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

impl Exec {
    /// Prepares a program; its scratch begins at `first` in the work area.
    pub fn new(bits: &Bits, first: usize, width: usize) -> Exec {
        let schedule = schedule(bits);
        let portable = Portable::new(&schedule, first);
        let (mut work, operations) = (portable.work, schedule.operations());
        #[cfg(target_arch = "x86_64")]
        {
            let native = if width == 4 { native::Native::new(&schedule, first) } else { None };
            if let Some(native) = &native {
                work = work.max(native.work);
            }
            Exec { portable, native, work, operations }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (width, &mut work);
            Exec { portable, work, operations }
        }
    }

    /// Runs the program on planes of `W` words.
    #[inline(always)]
    pub fn run<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        #[cfg(target_arch = "x86_64")]
        {
            if W == 4
                && let Some(native) = &self.native
            {
                native.run(state.as_ptr().cast(), next.as_mut_ptr().cast(), work.as_mut_ptr().cast());
                return;
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has AVX2.
                unsafe { self.run_avx2(state, next, work) };
                return;
            }
        }
        self.portable.run(state, next, work);
    }

    /// Runs the program on blocks in the phase at `place`, those that have games.
    #[inline(always)]
    pub fn run_all<const W: usize>(&self, blocks: &mut [Block<W>], place: usize) {
        for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
            self.run(&block.state, &mut block.next, &mut block.work[place]);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn run_avx2<const W: usize>(&self, state: &[Plane<W>], next: &mut [Plane<W>], work: &mut [Plane<W>]) {
        self.portable.run(state, next, work);
    }
}

#[cfg(target_arch = "x86_64")]
mod native {
    //! Machine code in executable memory.

    use super::super::schedule::Schedule;
    use super::super::x86;

    pub(super) struct Native {
        map: memmap2::Mmap,
        pub work: usize,
    }

    /// Programs with more items than this are run by the portable loop: their
    /// code would not stay in any cache.
    const MAX_ITEMS: usize = 2_000_000;

    impl Native {
        /// Compiles a program, if the machine can run the code.
        pub fn new(schedule: &Schedule, first: usize) -> Option<Native> {
            if !is_x86_feature_detected!("avx2") || schedule.items.len() > MAX_ITEMS {
                return None;
            }
            let code = x86::compile(schedule, first);
            let mut map = memmap2::MmapMut::map_anon(code.bytes.len()).ok()?;
            map.copy_from_slice(&code.bytes);
            Some(Native { map: map.make_exec().ok()?, work: code.work })
        }

        /// Runs the code. The pointers must cover all planes the program was compiled for.
        pub fn run(&self, state: *const u64, next: *mut u64, work: *mut u64) {
            type Function = unsafe extern "sysv64" fn(*const u64, *mut u64, *mut u64);
            // SAFETY: the map holds a complete function of this type made by
            // `x86::compile`, which touches no registers but vector ones and
            // only the planes laid out by the caller; the machine has AVX2.
            unsafe {
                let function: Function = std::mem::transmute(self.map.as_ptr());
                function(state, next, work);
            }
        }
    }
}
