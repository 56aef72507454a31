//! One number below a count for each of many games.
//!
//! Counts come and numbers go as planes; in between they are lane by lane, where
//! [`PlayoutStream`]'s word function and Lemire's multiplication are plain
//! arithmetic on arrays.
//!
//! The keys of thirty-two lanes are kept in an order of their own: lanes 0, 4,
//! 8, …, then 1, 5, 9, …. Thirty-two bytes, read as eight words, then hold the
//! counts of one row of keys each in the same byte of every word, and nothing
//! has to be moved between words.

use game::PlayoutStream;

use super::plane::each_lane;
use super::portable::Plane;

/// What each lane draws from.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    /// The low halves of the keys less the round in which the playout began, so
    /// that the round takes the place of the step.
    base: Vec<u32>,
    high: Vec<u32>,
    /// By lane, the round in which its playout began.
    pub began: Vec<u32>,
    /// By lane, counts and numbers.
    numbers: Vec<u32>,
    bytes: Vec<u8>,
}

/// Where the key of a lane is kept.
#[inline(always)]
fn slot(lane: usize) -> usize {
    lane & !31 | (lane & 3) << 3 | lane >> 2 & 7
}

impl Keys {
    pub fn new(lanes: usize) -> Keys {
        let zeros = || vec![0; lanes];
        Keys { base: zeros(), high: zeros(), began: zeros(), numbers: zeros(), bytes: vec![0; lanes] }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, stream: PlayoutStream, round: u32) {
        let (low, high) = stream.halves();
        let slot = slot(lane);
        self.base[slot] = low.wrapping_sub(round);
        self.high[slot] = high;
        self.began[lane] = round;
    }

    fn stream(&self, lane: usize) -> PlayoutStream {
        let low = self.base[slot(lane)].wrapping_add(self.began[lane]);
        PlayoutStream::from_halves(low, self.high[slot(lane)])
    }

    /// Draws for every lane; lanes whose count is zero get any number.
    #[inline(always)]
    pub fn draw<const W: usize>(
        &mut self,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) {
        #[cfg(target_arch = "x86_64")]
        if counts.len() <= 8 && is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            let suspect = unsafe { avx2::draw(&self.base, &self.high, round, role, counts, drawn) };
            if suspect != [0; W] {
                self.settle(round, role, &suspect, counts, drawn);
            }
            return;
        }
        self.draw_wide(round, role, counts, drawn);
    }

    /// Draws again, exactly, in lanes where a number may be biased.
    #[cold]
    fn settle<const W: usize>(
        &self,
        round: u32,
        role: u32,
        lanes: &Plane<W>,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) {
        each_lane(lanes, |lane| {
            let (word, bit) = (lane / 64, lane % 64);
            let bound = counts.iter().rev().fold(0, |n, c| n << 1 | (c[word] >> bit & 1) as u32);
            if bound > 0 {
                let number = self.stream(lane).below(round - self.began[lane], role, bound);
                for (i, plane) in drawn.iter_mut().enumerate() {
                    plane[word] = plane[word] & !(1 << bit) | u64::from(number >> i & 1) << bit;
                }
            }
        });
    }

    /// The same for any counts.
    fn draw_wide<const W: usize>(
        &mut self,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) {
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.fill(0);
        for (part, planes) in counts.chunks(8).enumerate() {
            gather(planes, &mut bytes);
            numbers.iter_mut().zip(&bytes).for_each(|(n, &byte)| *n |= u32::from(byte) << (8 * part));
        }
        let counter = PlayoutStream::counter(round, role, 0);
        for (lane, number) in numbers.iter_mut().enumerate() {
            let (bound, slot) = (*number, slot(lane));
            let word = PlayoutStream::word(self.base[slot], self.high[slot], counter);
            let (drawn, rest) = PlayoutStream::number(word, bound);
            *number = drawn;
            if rest < bound {
                *number = self.stream(lane).below(round.wrapping_sub(self.began[lane]), role, bound);
            }
        }
        for (part, planes) in drawn.chunks_mut(8).enumerate() {
            bytes.iter_mut().zip(&numbers).for_each(|(byte, &n)| *byte = (n >> (8 * part)) as u8);
            scatter(&bytes, planes);
        }
        (self.bytes, self.numbers) = (bytes, numbers);
    }
}

/// Planes to bytes: bit `i` of every lane's byte is its bit in plane `i`.
pub(crate) fn gather<const W: usize>(planes: &[Plane<W>], bytes: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2.
        unsafe { avx2::gather(planes, bytes) };
        return;
    }
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
        __m256i, _mm_cvtsi32_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_cmpeq_epi8,
        _mm256_cmpgt_epi32, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_mullo_epi32, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256,
        _mm256_shuffle_epi8, _mm256_sll_epi16, _mm256_slli_epi32, _mm256_srl_epi32, _mm256_srli_epi32,
        _mm256_storeu_si256, _mm256_xor_si256,
    };

    use super::{Plane, PlayoutStream};

    /// One byte per lane from at most eight planes; `part` are the thirty-two lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bytes_of<const W: usize>(planes: &[Plane<W>], part: usize) -> __m256i {
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
        let spread = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
        );
        let mut sum = _mm256_setzero_si256();
        for (i, plane) in planes.iter().enumerate() {
            let word = (plane[part / 2] >> (part % 2 * 32)) as u32;
            let copies = _mm256_shuffle_epi8(_mm256_set1_epi32(word as i32), spread);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(copies, bits), bits);
            sum = _mm256_or_si256(sum, _mm256_and_si256(set, _mm256_set1_epi8((1u8 << i) as i8)));
        }
        sum
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn gather<const W: usize>(planes: &[Plane<W>], bytes: &mut [u8]) {
        for (part, out) in bytes.chunks_exact_mut(32).enumerate() {
            let sum = bytes_of(planes, part);
            // SAFETY: the chunk has thirty-two bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), sum) };
        }
    }

    /// Draws below counts of at most eight bits; says in which lanes the numbers may be biased.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn draw<const W: usize>(
        base: &[u32],
        high: &[u32],
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) -> Plane<W> {
        let counter = _mm256_set1_epi32(PlayoutStream::counter(round, role, 0) as i32);
        let low_byte = _mm256_set1_epi32(0xff);
        let rest_bits = _mm256_set1_epi32(0xff_ffff);
        let [first, second] = PlayoutStream::MULTIPLIERS.map(|m| _mm256_set1_epi32(m as i32));
        let mut suspect = [0; W];
        let keys = base.chunks_exact(8).zip(high.chunks_exact(8));
        let mut keys = keys.map(|(base, high)| {
            // SAFETY: the chunks have eight words.
            unsafe {
                (
                    _mm256_loadu_si256(base.as_ptr().cast::<__m256i>()),
                    _mm256_loadu_si256(high.as_ptr().cast::<__m256i>()),
                )
            }
        });
        for part in 0..2 * W {
            let bounds = bytes_of(counts, part);
            let (mut numbers, mut doubts) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for row in 0..4 {
                let Some((base, high)) = keys.next() else { break };
                let mut x = _mm256_add_epi32(base, counter);
                x = _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x));
                x = _mm256_mullo_epi32(x, first);
                x = _mm256_add_epi32(_mm256_xor_si256(x, _mm256_srli_epi32::<15>(x)), high);
                x = _mm256_mullo_epi32(x, second);
                x = _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x));
                let shift = _mm_cvtsi32_si128(8 * row);
                let bound = _mm256_and_si256(_mm256_srl_epi32(bounds, shift), low_byte);
                let wide = _mm256_mullo_epi32(_mm256_srli_epi32::<8>(x), bound);
                let doubt = _mm256_cmpgt_epi32(bound, _mm256_and_si256(wide, rest_bits));
                // The number is in the highest byte; it belongs into byte `row`.
                let back = _mm_cvtsi32_si128(24 - 8 * row);
                let byte = _mm256_slli_epi32::<24>(low_byte);
                numbers = _mm256_or_si256(numbers, _mm256_srl_epi32(_mm256_and_si256(wide, byte), back));
                doubts = _mm256_or_si256(doubts, _mm256_srl_epi32(_mm256_and_si256(doubt, byte), back));
            }
            let shift = part % 2 * 32;
            suspect[part / 2] |= u64::from(_mm256_movemask_epi8(doubts) as u32) << shift;
            for (i, plane) in drawn.iter_mut().enumerate() {
                let top = _mm256_sll_epi16(numbers, _mm_cvtsi32_si128(7 - i as i32));
                let word = u64::from(_mm256_movemask_epi8(top) as u32);
                plane[part / 2] = if part % 2 == 0 { word } else { plane[part / 2] | word << 32 };
            }
        }
        suspect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Seed;

    #[test]
    fn lanes_draw_what_single_streams_draw() {
        for bound in [1u32, 2, 3, 9, 200, 255, 256, 300, 4000, 65_535, 70_000] {
            let mut keys = Keys::new(256);
            for lane in 0..256 {
                keys.set(lane, PlayoutStream::new(Seed(5), lane as u64), 3);
            }
            let width = (u32::BITS - bound.leading_zeros()) as usize;
            let counts: Vec<Plane<4>> =
                (0..width).map(|i| [0u64.wrapping_sub(u64::from(bound >> i & 1)); 4]).collect();
            let mut drawn = vec![[0u64; 4]; width];
            keys.draw(10, 1, &counts, &mut drawn);
            for lane in 0..256 {
                let number =
                    (0..width).fold(0, |n, i| n | (drawn[i][lane / 64] >> (lane % 64) & 1) << i) as u32;
                assert_eq!(number, PlayoutStream::new(Seed(5), lane as u64).below(7, 1, bound));
            }
        }
    }
}
