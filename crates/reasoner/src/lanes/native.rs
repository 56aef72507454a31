//! Machine code in executable memory.
//!
//! A [`Function`] records how much of its three buffers it touches, as counted by the assembler while it
//! encoded the accesses. [`Native::run`] compares that with the buffers it receives, so that it is safe to
//! call.

use std::ops::Range;

use super::exec::has_native;
use super::schedule::Schedule;
use super::x86::{self, Extent};
use crate::making::{Pause, Stopped};

/// The compiled parts of a program.
pub(crate) struct Native {
    map: memmap2::Mmap,
    functions: Vec<Function>,
    /// For each part of the program, the end of its functions.
    ends: Vec<usize>,
    /// The number of planes of work memory that the program needs.
    pub work: usize,
}

/// One function of the code.
struct Function {
    /// The offset of its first byte.
    begin: usize,
    /// The extent of the buffers that it touches.
    extent: Extent,
}

/// Programs with more items than this are run by the portable loop: their machine code would not stay in any
/// cache.
const MAX_ITEMS: usize = 2_000_000;

impl Native {
    /// Compiles the parts of a program, if the machine can run the code.
    pub fn new(parts: &[Schedule], first: usize, pause: Pause<'_>) -> Result<Option<Native>, Stopped> {
        let items: usize = parts.iter().map(|part| part.items.len()).sum();
        if !has_native() || items > MAX_ITEMS {
            return Ok(None);
        }
        let (mut bytes, mut functions, mut ends, mut work) = (Vec::new(), Vec::new(), Vec::new(), first);
        for part in parts {
            let code = x86::compile(part, first, pause)?;
            let begins = code.parts.iter().map(|at| at + bytes.len());
            functions.extend(begins.map(|begin| Function { begin, extent: code.extent }));
            ends.push(functions.len());
            bytes.extend(code.bytes);
            work = work.max(code.work);
        }
        Ok(executable(&bytes).map(|map| Native { map, functions, ends, work }))
    }

    /// Returns the size of the code in bytes.
    pub fn bytes(&self) -> usize {
        self.map.len()
    }

    /// Returns the functions of a part of the program, to be run in order.
    #[inline(always)]
    pub fn functions(&self, part: usize) -> Range<usize> {
        let begin = if part == 0 { 0 } else { self.ends[part - 1] };
        begin..self.ends[part]
    }

    /// Runs one function on planes of [`NATIVE`](super::exec::NATIVE) words each.
    ///
    /// # Panics
    ///
    /// Panics if a buffer is shorter than what the function touches.
    #[inline(always)]
    pub fn run(&self, function: usize, state: &[u64], next: &mut [u64], work: &mut [u64]) {
        type Code = unsafe extern "sysv64" fn(*const u64, *mut u64, *mut u64);
        let Function { begin, extent } = &self.functions[function];
        assert!(
            state.len() >= extent.state && next.len() >= extent.next && work.len() >= extent.work,
            "the buffers hold all planes that the code touches"
        );
        // SAFETY: at `begin` the map contains a complete function of this type made by `x86::compile`, for a
        // machine with AVX2; `new` has checked that this is one. The function changes only vector registers,
        // which the calling convention allows. It reads the first words of all three buffers up to `extent`,
        // and writes those of `next` and `work`. The buffers are at least that long, and being borrowed they
        // do not overlap.
        unsafe {
            let code: Code = std::mem::transmute(self.map.as_ptr().add(*begin));
            code(state.as_ptr(), next.as_mut_ptr(), work.as_mut_ptr());
        }
    }
}

/// Returns executable memory with this code, if it can be allocated.
fn executable(code: &[u8]) -> Option<memmap2::Mmap> {
    let mut map = memmap2::MmapMut::map_anon(code.len()).ok()?;
    map.copy_from_slice(code);
    map.make_exec().ok()
}

#[cfg(test)]
mod tests {
    use super::super::bits::{Area, Bits};
    use super::super::schedule::schedule;
    use super::*;

    /// Copies plane 2 of the state to plane 1 of the next one and to plane 3 of work memory.
    fn copying() -> Option<Native> {
        let mut bits = Bits::new();
        let plane = bits.read(Area::State, 2);
        bits.write(plane, Area::Next, 1);
        bits.write(!plane, Area::Work, 3);
        let schedule = schedule(&bits, &|| Ok(())).unwrap();
        Native::new(&[schedule], 4, &|| Ok(())).unwrap()
    }

    #[test]
    fn code_runs_on_buffers_of_just_the_right_length() {
        let Some(native) = copying() else { return };
        let state: Vec<u64> = (0..12).collect();
        let (mut next, mut work) = (vec![0; 8], vec![0; 16]);
        native.functions(0).for_each(|f| native.run(f, &state, &mut next, &mut work));
        assert_eq!(next, [0, 0, 0, 0, 8, 9, 10, 11]);
        assert_eq!(work[12..], [!8, !9, !10, !11]);
    }

    #[test]
    fn code_is_not_run_on_buffers_that_are_too_short() {
        let Some(native) = copying() else { return };
        for (state, next, work) in [(11, 8, 16), (12, 7, 16), (12, 8, 15)] {
            let run = || native.run(0, &vec![0; state], &mut vec![0; next], &mut vec![0; work]);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        }
    }
}
