//! Operations on single planes, outside programs.

use super::portable::Plane;

/// Returns the number of games in a plane.
#[inline(always)]
pub(crate) fn count<const W: usize>(plane: &Plane<W>) -> u32 {
    plane.iter().map(|w| w.count_ones()).sum()
}

/// Returns `true` if a plane contains any game.
#[inline(always)]
pub(crate) fn any<const W: usize>(plane: &Plane<W>) -> bool {
    plane.iter().any(|&w| w != 0)
}

/// Returns the games in both planes.
#[inline(always)]
pub(crate) fn meet<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & b[i];
    }
    out
}

/// Returns the games in either plane.
#[inline(always)]
pub(crate) fn join<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] | b[i];
    }
    out
}

/// Returns the games in the first plane that are not in the second.
#[inline(always)]
pub(crate) fn without<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & !b[i];
    }
    out
}

/// Calls `call` for every lane of a plane, in order.
#[inline(always)]
pub(crate) fn each_lane<const W: usize>(plane: &Plane<W>, mut call: impl FnMut(usize)) {
    for (word, &bits) in plane.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            call(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Sets the number of these lanes.
#[inline(always)]
pub(crate) fn set_lanes<const W: usize>(numbers: &mut [[u32; 64]; W], lanes: &Plane<W>, number: u32) {
    for (numbers, &bits) in numbers.iter_mut().zip(lanes).filter(|(_, bits)| **bits != 0) {
        let (first, last) = (bits.trailing_zeros() as usize, 63 - bits.leading_zeros() as usize);
        if bits.count_ones() as usize == last + 1 - first {
            numbers[first..=last].fill(number);
            continue;
        }
        let mut rest = bits;
        while rest != 0 {
            numbers[rest.trailing_zeros() as usize % 64] = number;
            rest &= rest - 1;
        }
    }
}

/// Returns those of sixty-four lanes that have this number.
#[inline(always)]
pub(crate) fn equal(numbers: &[u32; 64], number: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2.
        return unsafe { equal_avx2(numbers, number) };
    }
    numbers.iter().enumerate().fold(0, |all, (lane, own)| all | u64::from(*own == number) << lane)
}

/// Does the same for eight lanes at a time.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn equal_avx2(numbers: &[u32; 64], number: u32) -> u64 {
    use std::arch::x86_64::{
        _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_movemask_ps, _mm256_set1_epi32,
    };
    let all = _mm256_set1_epi32(number.cast_signed());
    let mut lanes = 0;
    for (part, eight) in numbers.as_chunks::<8>().0.iter().enumerate() {
        // SAFETY: eight numbers are thirty-two bytes, and the load may be unaligned.
        let own = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
        let same = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(own, all)));
        lanes |= u64::from(same.cast_unsigned()) << (8 * part);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_lanes_are_found_again() {
        let mut numbers = [[7; 64]; 2];
        let lanes = [0xff00, 1 << 63 | 0b101];
        set_lanes(&mut numbers, &lanes, 9);
        assert_eq!(numbers.map(|word| equal(&word, 9)), lanes);
        assert_eq!(numbers.map(|word| equal(&word, 7)), lanes.map(|bits| !bits));
    }
}
