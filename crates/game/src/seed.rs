//! Seeds and random numbers.
//!
//! A run has one [`Seed`]; matches, roles and playouts get seeds derived from it. The moves of a random
//! playout are a pure function of the seed, the playout's index, the step and the role ([`PlayoutStream`]),
//! so that every reasoner, with any number of lanes or threads, plays the same game.

/// A source of derived seeds and streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seed(pub u64);

/// SplitMix64's finaliser: a bijection whose output bits all depend on all input bits.
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Seed {
    /// Returns the seed of the `number`-th child.
    pub fn derive(self, number: u64) -> Seed {
        Seed(mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// Returns the seed of the child with this name.
    pub fn derive_name(self, name: &str) -> Seed {
        name.bytes().fold(self.derive(name.len() as u64), |seed, byte| seed.derive(u64::from(byte)))
    }

    /// Returns a generator that starts with this seed.
    pub fn rng(self) -> Rng {
        Rng { state: self.0 }
    }
}

/// SplitMix64: small, fast and the same everywhere.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Returns a number below `bound`, exactly uniform (Lemire's method). `bound` must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            if (wide as u64) >= bound.wrapping_neg() % bound {
                return (wide >> 64) as usize;
            }
        }
    }

    /// Returns a number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The random numbers of one playout: for each step and role one draw below a bound.
///
/// The draw is Lemire's multiply-and-shift on a word that is a hash of key, step, role and attempt. The word
/// is rejected if the product would be biased, so draws are exactly uniform. Bit-sliced evaluators compute
/// the same function for many playouts side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayoutStream {
    key: u64,
}

impl PlayoutStream {
    /// The multipliers of the word function.
    pub const MULTIPLIERS: [u32; 2] = [0x7feb_352d, 0x846c_a68b];

    /// Creates the stream of the `index`-th playout under `seed`.
    #[inline]
    pub fn new(seed: Seed, index: u64) -> PlayoutStream {
        PlayoutStream { key: mix(seed.0.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15))) }
    }

    /// Creates the stream with these halves of its key.
    #[inline]
    pub fn from_halves(low: u32, high: u32) -> PlayoutStream {
        PlayoutStream { key: u64::from(low) | u64::from(high) << 32 }
    }

    /// Returns the low and high half of the key, as the word function takes them.
    #[inline]
    pub fn halves(self) -> (u32, u32) {
        (self.key as u32, (self.key >> 32) as u32)
    }

    /// Returns the counter that a word is made from: twenty bits of step, eight of role, four of attempt.
    #[inline(always)]
    pub fn counter(step: u32, role: u32, attempt: u32) -> u32 {
        step.wrapping_add(role << 20).wrapping_add(attempt << 28)
    }

    /// Computes a word: a 32-bit multiply-xorshift finaliser over key and counter.
    #[inline(always)]
    pub fn word(low: u32, high: u32, counter: u32) -> u32 {
        let mut x = low.wrapping_add(counter);
        let [first, second] = PlayoutStream::MULTIPLIERS;
        x = (x ^ (x >> 16)).wrapping_mul(first);
        x = (x ^ (x >> 15)).wrapping_add(high).wrapping_mul(second);
        x ^ (x >> 16)
    }

    /// Returns the number below `bound` that a word represents, and the remainder. The word must be drawn
    /// again if the remainder is below [`PlayoutStream::uneven`]. Bounds below 256 use 24 bits of the word,
    /// so that the product fits into 32.
    #[inline(always)]
    pub fn number(word: u32, bound: u32) -> (u32, u32) {
        if bound < 256 {
            let wide = (word >> 8) * bound;
            (wide >> 24, wide & 0xff_ffff)
        } else {
            let wide = u64::from(word) * u64::from(bound);
            ((wide >> 32) as u32, wide as u32)
        }
    }

    /// Returns how many words must be rejected so that all numbers below `bound` are equally likely.
    pub fn uneven(bound: u32) -> u32 {
        if bound < 256 { (1 << 24) % bound } else { bound.wrapping_neg() % bound }
    }

    /// Returns a number below `bound` for this step and role. `bound` must be at least 1.
    pub fn below(self, step: u32, role: u32, bound: u32) -> u32 {
        let (low, high) = self.halves();
        let mut attempt = 0;
        loop {
            let word = PlayoutStream::word(low, high, PlayoutStream::counter(step, role, attempt));
            let (number, rest) = PlayoutStream::number(word, bound);
            if rest >= bound || rest >= PlayoutStream::uneven(bound) {
                return number;
            }
            attempt += 1;
        }
    }
}
