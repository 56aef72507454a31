//! One number below a count for each of many games.
//!
//! Counts are read and numbers are written as planes. In between they are stored by lane, where the word
//! function of [`PlayoutStream`] and Lemire's multiplication are plain arithmetic on arrays.
//!
//! The keys of thirty-two lanes are kept in a special order: lanes 0, 4, 8, …, then 1, 5, 9, …. Thirty-two
//! bytes, read as eight words, then contain the counts of one row of keys in the same byte of every word, and
//! nothing has to be moved between words.

use game::PlayoutStream;

use super::plane::each_lane;
use super::portable::Plane;

/// One number for each lane.
pub(crate) type ByLane<const W: usize> = [[u32; 64]; W];

/// The key of each lane's random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Keys<const W: usize> {
    /// The low halves of the keys minus the round in which the playout began, so that the round takes the
    /// place of the step.
    base: Box<ByLane<W>>,
    high: Box<ByLane<W>>,
    /// For each lane, the round in which its playout began.
    pub began: Box<ByLane<W>>,
}

/// Returns the position of a lane's key among the sixty-four of its word.
#[inline(always)]
fn slot(bit: usize) -> usize {
    bit & 32 | (bit & 3) << 3 | bit >> 2 & 7
}

impl<const W: usize> Keys<W> {
    pub fn new() -> Keys<W> {
        let zeros = || Box::new([[0; 64]; W]);
        Keys { base: zeros(), high: zeros(), began: zeros() }
    }

    #[inline(always)]
    pub fn set(&mut self, word: usize, bit: usize, stream: PlayoutStream, round: u32) {
        let (low, high) = stream.halves();
        self.base[word][slot(bit)] = low.wrapping_sub(round);
        self.high[word][slot(bit)] = high;
        self.began[word][bit] = round;
    }

    /// Draws for every lane. Lanes with a count of zero get zero.
    #[inline(always)]
    pub fn draw(&self, round: u32, role: u32, counts: &[Plane<W>], drawn: &mut [Plane<W>]) {
        #[cfg(target_arch = "x86_64")]
        if counts.len() <= 16 && is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            let suspect = unsafe {
                if counts.len() <= 8 {
                    avx2::draw(&self.base, &self.high, round, role, counts, drawn)
                } else {
                    avx2::draw_wide(&self.base, &self.high, round, role, counts, drawn)
                }
            };
            if suspect != [0; W] {
                self.draw_exactly(round, role, &suspect, counts, drawn);
            }
            return;
        }
        self.draw_exactly(round, role, &[!0; W], counts, drawn);
    }

    /// Draws in some lanes, one at a time.
    fn draw_exactly(
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
            let began = self.began[word][bit];
            let low = self.base[word][slot(bit)].wrapping_add(began);
            let stream = PlayoutStream::from_halves(low, self.high[word][slot(bit)]);
            let number = if bound > 0 { stream.below(round.wrapping_sub(began), role, bound) } else { 0 };
            for (i, plane) in drawn.iter_mut().enumerate() {
                plane[word] = plane[word] & !(1 << bit) | u64::from(number >> i & 1) << bit;
            }
        });
    }
}

/// Converts planes to bytes: bit `i` of every lane's byte is its bit in plane `i`.
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

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The same operations for thirty-two lanes at a time.

    use std::arch::x86_64::{
        __m256i, _mm_cvtsi32_si128, _mm256_add_epi8, _mm256_add_epi32, _mm256_and_si256, _mm256_andnot_si256,
        _mm256_blend_epi32, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32,
        _mm256_loadu_si256, _mm256_max_epu32, _mm256_movemask_epi8, _mm256_mul_epu32, _mm256_mullo_epi32,
        _mm256_or_si256, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256,
        _mm256_shuffle_epi8, _mm256_sll_epi16, _mm256_sll_epi32, _mm256_slli_epi32, _mm256_slli_epi64,
        _mm256_srl_epi32, _mm256_srli_epi32, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi8,
        _mm256_xor_si256,
    };

    use super::{ByLane, Plane, PlayoutStream};

    /// Returns one byte per lane from at most eight planes. `part` selects the thirty-two lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bytes_of<const W: usize>(planes: &[Plane<W>], part: usize) -> __m256i {
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
        let spread = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
        );
        let mut sum = _mm256_setzero_si256();
        for plane in planes.iter().rev() {
            let word = (plane[part / 2] >> (part % 2 * 32)) as u32;
            let copies = _mm256_shuffle_epi8(_mm256_set1_epi32(word as i32), spread);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(copies, bits), bits);
            // Doubles the sum, and adds one where the bit is set.
            sum = _mm256_sub_epi8(_mm256_add_epi8(sum, sum), set);
        }
        sum
    }

    /// Writes one byte per lane to at most eight planes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bytes_to<const W: usize>(bytes: __m256i, planes: &mut [Plane<W>], part: usize) {
        let mut rest = _mm256_sll_epi16(bytes, _mm_cvtsi32_si128(8 - planes.len() as i32));
        for plane in planes.iter_mut().rev() {
            let word = u64::from(_mm256_movemask_epi8(rest) as u32);
            plane[part / 2] = if part.is_multiple_of(2) { word } else { plane[part / 2] | word << 32 };
            rest = _mm256_add_epi8(rest, rest);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn gather<const W: usize>(planes: &[Plane<W>], bytes: &mut [u8]) {
        for (part, out) in bytes.chunks_exact_mut(32).enumerate() {
            let sum = bytes_of(planes, part);
            // SAFETY: the chunk has thirty-two bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), sum) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load<const W: usize>(numbers: &ByLane<W>, part: usize, row: usize) -> __m256i {
        let eight = &numbers[part / 2].as_chunks::<8>().0[part % 2 * 4 + row];
        // SAFETY: eight words are thirty-two bytes.
        unsafe { _mm256_loadu_si256(eight.as_ptr().cast::<__m256i>()) }
    }

    /// Computes [`PlayoutStream::word`] for eight lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn word(base: __m256i, high: __m256i, counter: __m256i) -> __m256i {
        let [first, second] = PlayoutStream::MULTIPLIERS.map(|m| _mm256_set1_epi32(m as i32));
        let mut x = _mm256_add_epi32(base, counter);
        x = _mm256_mullo_epi32(_mm256_xor_si256(x, _mm256_srli_epi32::<16>(x)), first);
        x = _mm256_add_epi32(_mm256_xor_si256(x, _mm256_srli_epi32::<15>(x)), high);
        x = _mm256_mullo_epi32(x, second);
        _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x))
    }

    /// Draws below counts of at most eight bits. Returns the lanes in which the numbers may be biased.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn draw<const W: usize>(
        base: &ByLane<W>,
        high: &ByLane<W>,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) -> Plane<W> {
        let counter = _mm256_set1_epi32(PlayoutStream::counter(round, role, 0) as i32);
        let low_byte = _mm256_set1_epi32(0xff);
        let high_byte = _mm256_slli_epi32::<24>(low_byte);
        let mut suspect = [0; W];
        for part in 0..2 * W {
            let bounds = bytes_of(counts, part);
            let (mut numbers, mut doubts) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for row in 0..4 {
                let x = word(load(base, part, row), load(high, part, row), counter);
                let bound =
                    _mm256_and_si256(_mm256_srl_epi32(bounds, _mm_cvtsi32_si128(8 * row as i32)), low_byte);
                let wide = _mm256_mullo_epi32(_mm256_srli_epi32::<8>(x), bound);
                let doubt = _mm256_cmpgt_epi32(bound, _mm256_andnot_si256(high_byte, wide));
                // The number is in the highest byte and belongs in byte `row`.
                let back = _mm_cvtsi32_si128(24 - 8 * row as i32);
                numbers = _mm256_or_si256(numbers, _mm256_srl_epi32(_mm256_and_si256(wide, high_byte), back));
                doubts = _mm256_or_si256(doubts, _mm256_srl_epi32(_mm256_and_si256(doubt, high_byte), back));
            }
            suspect[part / 2] |= u64::from(_mm256_movemask_epi8(doubts) as u32) << (part % 2 * 32);
            bytes_to(numbers, drawn, part);
        }
        suspect
    }

    /// Does the same below counts of at most sixteen bits.
    #[target_feature(enable = "avx2")]
    pub(super) fn draw_wide<const W: usize>(
        base: &ByLane<W>,
        high: &ByLane<W>,
        round: u32,
        role: u32,
        counts: &[Plane<W>],
        drawn: &mut [Plane<W>],
    ) -> Plane<W> {
        let counter = _mm256_set1_epi32(PlayoutStream::counter(round, role, 0) as i32);
        let low_byte = _mm256_set1_epi32(0xff);
        let high_byte = _mm256_slli_epi32::<24>(low_byte);
        let mut suspect = [0; W];
        for part in 0..2 * W {
            let (small, large) = (bytes_of(&counts[..8], part), bytes_of(&counts[8..], part));
            let zero = _mm256_setzero_si256();
            let (mut low_numbers, mut high_numbers, mut doubts) = (zero, zero, zero);
            for row in 0..4 {
                let x = word(load(base, part, row), load(high, part, row), counter);
                let shift = _mm_cvtsi32_si128(8 * row as i32);
                let above = _mm256_and_si256(_mm256_srl_epi32(large, shift), low_byte);
                let below = _mm256_and_si256(_mm256_srl_epi32(small, shift), low_byte);
                let bound = _mm256_or_si256(_mm256_slli_epi32::<8>(above), below);
                // The products of even and of odd lanes have sixty-four bits.
                let even = _mm256_mul_epu32(x, bound);
                let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(x), _mm256_srli_epi64::<32>(bound));
                let number = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd);
                let rest = _mm256_blend_epi32::<0b1010_1010>(even, _mm256_slli_epi64::<32>(odd));
                // Bounds below 256 use 24 bits of the word.
                let wide = _mm256_mullo_epi32(_mm256_srli_epi32::<8>(x), bound);
                let is_small = _mm256_cmpeq_epi32(above, zero);
                let number = _mm256_blendv_epi8(number, _mm256_srli_epi32::<24>(wide), is_small);
                let rest = _mm256_blendv_epi8(rest, _mm256_andnot_si256(high_byte, wide), is_small);
                let even_enough = _mm256_cmpeq_epi32(_mm256_max_epu32(rest, bound), rest);
                let place = |byte: __m256i| _mm256_sll_epi32(_mm256_and_si256(byte, low_byte), shift);
                low_numbers = _mm256_or_si256(low_numbers, place(number));
                high_numbers = _mm256_or_si256(high_numbers, place(_mm256_srli_epi32::<8>(number)));
                doubts = _mm256_or_si256(doubts, _mm256_andnot_si256(even_enough, place(low_byte)));
            }
            suspect[part / 2] |= u64::from(_mm256_movemask_epi8(doubts) as u32) << (part % 2 * 32);
            bytes_to(low_numbers, &mut drawn[..8], part);
            bytes_to(high_numbers, &mut drawn[8..], part);
        }
        suspect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Seed;

    fn number(planes: &[Plane<4>], lane: usize) -> u32 {
        planes.iter().rev().fold(0, |n, plane| n << 1 | (plane[lane / 64] >> (lane % 64) & 1) as u32)
    }

    #[test]
    fn lanes_draw_what_single_streams_draw() {
        let mut rng = Seed(9).rng();
        for most in [1u32, 2, 3, 9, 200, 255, 256, 300, 4000, 65_535, 70_000, 1 << 20] {
            let mut keys: Keys<4> = Keys::new();
            for lane in 0..256 {
                keys.set(lane / 64, lane % 64, PlayoutStream::new(Seed(5), lane as u64), 3);
            }
            let width = (u32::BITS - most.leading_zeros()) as usize;
            let mut counts: Vec<Plane<4>> = vec![[0; 4]; width];
            for lane in 0..256 {
                let count = if lane % 2 == 0 { most } else { 1 + rng.below(most as usize) as u32 };
                for (i, plane) in counts.iter_mut().enumerate() {
                    plane[lane / 64] |= u64::from(count >> i & 1) << (lane % 64);
                }
            }
            for round in 3..300 {
                let mut drawn = vec![[0u64; 4]; width];
                keys.draw(round, 1, &counts, &mut drawn);
                for lane in 0..256 {
                    let expected =
                        PlayoutStream::new(Seed(5), lane as u64).below(round - 3, 1, number(&counts, lane));
                    assert_eq!(number(&drawn, lane), expected, "below {}", number(&counts, lane));
                }
            }
        }
    }
}
