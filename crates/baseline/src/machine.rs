//! The one thing a bitboard program wants from the processor and Rust has no word for: the k-th bit of a word.
//!
//! [`Fast`] does it with one instruction and can only be made on a processor that has it; [`Portable`] works
//! everywhere. Games are generic over the machine, and the whole loop is compiled once for each.

/// Finds bits.
pub trait Machine: Copy + Send + 'static {
    /// The bit of `word` that has exactly `index` set bits below it, as a word with only this bit. The word
    /// has more than `index` bits.
    fn select(self, word: u64, index: u32) -> u64;
}

/// Every processor: removes the lowest bit until the wanted one is the lowest.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Machine for Portable {
    #[inline(always)]
    fn select(self, mut word: u64, index: u32) -> u64 {
        for _ in 0..index {
            word &= word.wrapping_sub(1);
        }
        word & word.wrapping_neg()
    }
}

/// An x86-64 processor with the instructions that [`Fast::detect`] asks for.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Fast(());

#[cfg(target_arch = "x86_64")]
impl Fast {
    /// This processor, if it has everything that the fast loop is compiled with.
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("avx2");
        has_all.then_some(Fast(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Machine for Fast {
    #[inline(always)]
    fn select(self, word: u64, index: u32) -> u64 {
        // SAFETY: a value of this type exists only where `detect` has found bmi2.
        unsafe { std::arch::x86_64::_pdep_u64(1 << index, word) }
    }
}
