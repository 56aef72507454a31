//! One number below a count for each of many games.
//!
//! Counts come and numbers go as planes; in between they are lane by lane, where
//! [`PlayoutStream`]'s word function and Lemire's multiplication are plain
//! arithmetic on arrays.

use game::PlayoutStream;

use super::portable::Plane;

/// What each lane draws from.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    low: Vec<u32>,
    high: Vec<u32>,
    /// The number of the round in which the lane's playout began.
    pub began: Vec<u32>,
}

/// Lane-by-lane memory of one block: the low and high bytes of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Scratch {
    pub fn new(lanes: usize) -> Scratch {
        Scratch { low: vec![0; lanes], high: vec![0; lanes] }
    }
}

impl Keys {
    pub fn new(lanes: usize) -> Keys {
        Keys { low: vec![0; lanes], high: vec![0; lanes], began: vec![0; lanes] }
    }

    pub fn set(&mut self, lane: usize, stream: PlayoutStream, round: u32) {
        (self.low[lane], self.high[lane]) = stream.halves();
        self.began[lane] = round;
    }

    /// Draws for every lane; lanes whose count is zero get any number. Counts
    /// have at most sixteen bits.
    pub fn draw<const W: usize>(
        &self,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
        scratch: &mut Scratch,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            unsafe { self.draw_avx2(round, role, counts, drawn, scratch) };
            return;
        }
        let (low, high) = counts.split_at(counts.len().min(8));
        gather(low, &mut scratch.low);
        gather(high, &mut scratch.high);
        self.numbers(round, role, scratch);
        let (low, high) = drawn.split_at_mut(counts.len().min(8));
        scatter(&scratch.low, low);
        scatter(&scratch.high, high);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn draw_avx2<const W: usize>(
        &self,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
        scratch: &mut Scratch,
    ) {
        let (low, high) = counts.split_at(counts.len().min(8));
        avx2::gather(low, &mut scratch.low);
        if high.is_empty() {
            self.small_numbers(round, role, scratch);
        } else {
            avx2::gather(high, &mut scratch.high);
            self.numbers(round, role, scratch);
        }
        let (low, high) = drawn.split_at_mut(counts.len().min(8));
        avx2::scatter(&scratch.low, low);
        avx2::scatter(&scratch.high, high);
    }

    /// Replaces every count by a number below it.
    #[inline(always)]
    fn numbers(&self, round: u32, role: u32, scratch: &mut Scratch) {
        let lanes = self.low.len();
        let (low, high, began) = (&self.low[..lanes], &self.high[..lanes], &self.began[..lanes]);
        let (small, large) = (&mut scratch.low[..lanes], &mut scratch.high[..lanes]);
        for lane in 0..lanes {
            let bound = u32::from(small[lane]) | u32::from(large[lane]) << 8;
            let step = round.wrapping_sub(began[lane]);
            let word = PlayoutStream::word(low[lane], high[lane], PlayoutStream::counter(step, role, 0));
            let (mut number, rest) = PlayoutStream::number(word, bound);
            if rest < bound {
                number = PlayoutStream::from_halves(low[lane], high[lane]).below(step, role, bound);
            }
            small[lane] = number as u8;
            large[lane] = (number >> 8) as u8;
        }
    }

    /// The same for counts below 256, without a branch in the loop.
    #[inline(always)]
    fn small_numbers(&self, round: u32, role: u32, scratch: &mut Scratch) {
        let lanes = self.low.len();
        let (low, high, began) = (&self.low[..lanes], &self.high[..lanes], &self.began[..lanes]);
        let counts = &scratch.low[..lanes];
        let numbers = &mut scratch.high[..lanes];
        let mut suspect = 0u32;
        for lane in 0..lanes {
            let bound = u32::from(counts[lane]);
            let step = round.wrapping_sub(began[lane]);
            let word = PlayoutStream::word(low[lane], high[lane], PlayoutStream::counter(step, role, 0));
            let wide = (word >> 8) * bound;
            numbers[lane] = (wide >> 24) as u8;
            let rest = wide & 0xff_ffff;
            suspect |= u32::from(rest < bound);
        }
        if suspect != 0 {
            // Some draw may be biased and must be made again; settle each lane exactly.
            for lane in 0..lanes {
                let bound = u32::from(counts[lane]);
                let step = round.wrapping_sub(began[lane]);
                if bound > 0 {
                    let stream = PlayoutStream::from_halves(low[lane], high[lane]);
                    numbers[lane] = stream.below(step, role, bound) as u8;
                }
            }
        }
        scratch.low.copy_from_slice(&scratch.high);
    }
}

/// Planes to bytes: bit `i` of every lane's byte is its bit in plane `i`.
fn gather<const W: usize>(planes: &[Plane<W>], bytes: &mut [u8]) {
    bytes.fill(0);
    for (i, plane) in planes.iter().enumerate() {
        for (lane, byte) in bytes.iter_mut().enumerate() {
            *byte |= ((plane[lane / 64] >> (lane % 64) & 1) as u8) << i;
        }
    }
}

/// Bytes to planes.
fn scatter<const W: usize>(bytes: &[u8], planes: &mut [Plane<W>]) {
    for (i, plane) in planes.iter_mut().enumerate() {
        for (word, out) in plane.iter_mut().enumerate() {
            let lanes = &bytes[word * 64..(word + 1) * 64];
            *out = lanes
                .iter()
                .enumerate()
                .fold(0, |bits, (lane, byte)| bits | u64::from(byte >> i & 1) << lane);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The same thirty-two lanes at a time.

    use std::arch::x86_64::{
        __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x,
        _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sll_epi16, _mm256_storeu_si256,
    };

    use super::Plane;

    #[target_feature(enable = "avx2")]
    pub(super) fn gather<const W: usize>(planes: &[Plane<W>], bytes: &mut [u8]) {
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
        let spread = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
        );
        for (part, out) in bytes.chunks_exact_mut(32).enumerate() {
            let mut sum = _mm256_setzero_si256();
            for (i, plane) in planes.iter().enumerate() {
                let word = (plane[part / 2] >> (part % 2 * 32)) as u32;
                let copies = _mm256_shuffle_epi8(_mm256_set1_epi32(word as i32), spread);
                let set = _mm256_cmpeq_epi8(_mm256_and_si256(copies, bits), bits);
                sum = _mm256_or_si256(sum, _mm256_and_si256(set, _mm256_set1_epi8((1u8 << i) as i8)));
            }
            // SAFETY: the chunk has thirty-two bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), sum) };
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn scatter<const W: usize>(bytes: &[u8], planes: &mut [Plane<W>]) {
        for (part, lanes) in bytes.chunks_exact(32).enumerate() {
            // SAFETY: the chunk has thirty-two bytes.
            let lanes = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast::<__m256i>()) };
            for (i, plane) in planes.iter_mut().enumerate() {
                let top = _mm256_sll_epi16(lanes, _mm_cvtsi32_si128(7 - i as i32));
                let word = u64::from(_mm256_movemask_epi8(top) as u32);
                if part % 2 == 0 {
                    plane[part / 2] = word;
                } else {
                    plane[part / 2] |= word << 32;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Seed;

    #[test]
    fn lanes_draw_what_single_streams_draw() {
        for bound in [1u32, 2, 3, 9, 200, 255, 256, 300, 4000, 65_535] {
            let mut keys = Keys::new(256);
            for lane in 0..256 {
                keys.set(lane, PlayoutStream::new(Seed(5), lane as u64), 3);
            }
            let width = (u32::BITS - bound.leading_zeros()) as usize;
            let counts: Vec<Plane<4>> =
                (0..width).map(|i| [0u64.wrapping_sub(u64::from(bound >> i & 1)); 4]).collect();
            let mut drawn = vec![[0u64; 4]; width];
            keys.draw(10, 1, &counts, &mut drawn, &mut Scratch::new(256));
            for lane in 0..256 {
                let number =
                    (0..width).fold(0, |n, i| n | (drawn[i][lane / 64] >> (lane % 64) & 1) << i) as u32;
                assert_eq!(number, PlayoutStream::new(Seed(5), lane as u64).below(7, 1, bound));
            }
        }
    }
}
