//! The one operation that bitboards need and Rust does not provide: selecting the k-th bit of a word.
//!
//! [`Fast`] uses one instruction and can only be created on a processor that has it;
//! [`Portable`] works everywhere. Games are generic over the machine, and the whole loop is
//! compiled once for each.

/// An implementation of bit selection.
pub trait Machine: Copy + Send + 'static {
    /// Returns the bit of `word` that has exactly `index` set bits below it, as a word with
    /// only this bit set. The word must have more than `index` bits set.
    fn select(self, word: u64, index: u32) -> u64;
}

/// Any processor: clears the lowest bit until the requested one is the lowest.
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

/// An x86-64 processor with the instructions that [`Fast::detect`] checks for.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Fast(());

#[cfg(target_arch = "x86_64")]
impl Fast {
    /// Returns this processor, if it has all the features that the fast loop is compiled for.
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
        // SAFETY: a value of this type exists only if `detect` has found bmi2.
        unsafe { std::arch::x86_64::_pdep_u64(1 << index, word) }
    }
}
