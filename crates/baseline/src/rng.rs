//! Random numbers, and the exactly uniform choice of a number below a bound.
//!
//! The generator is wyrand (Wang Yi): a counter and one multiplication, so its results do not
//! depend on each other. The choice uses Lemire's method ("Fast random integer generation in an
//! interval", 2019): the upper half of a product, where the few results that would make some
//! numbers likelier than others are rejected.

/// A seeded generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Returns 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// Returns a number below `bound`, all with the same probability. The bound must be at least 1.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            product = self.reject(product, bound);
        }
        (product >> 64) as u32
    }

    /// The rare part of [`Rng::below`]: draws again while the product falls into the uneven remainder.
    #[cold]
    fn reject(&mut self, mut product: u128, bound: u64) -> u128 {
        let remainder = bound.wrapping_neg() % bound;
        while (product as u64) < remainder {
            product = u128::from(self.bits()) * u128::from(bound);
        }
        product
    }
}
