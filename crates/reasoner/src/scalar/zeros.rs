//! Detection of zero bytes among 64.

/// Returns one bit for each of the first 64 bytes, set if the byte is zero.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn zeros(bytes: &[u8]) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_setzero_si128};
    let bytes: &[u8; 64] = bytes.first_chunk().expect("64 bytes are asked about");
    let mut mask = 0;
    for part in 0..4 {
        // SAFETY: every x86-64 processor has SSE2, and the sixteen bytes are within the array.
        let sixteen = unsafe {
            let loaded = _mm_loadu_si128(bytes.as_ptr().add(part * 16).cast());
            _mm_movemask_epi8(_mm_cmpeq_epi8(loaded, _mm_setzero_si128()))
        };
        mask |= u64::from(sixteen as u32) << (part * 16);
    }
    mask
}

/// Returns one bit for each of the first 64 bytes, set if the byte is zero.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn zeros(bytes: &[u8]) -> u64 {
    let bytes: &[u8; 64] = bytes.first_chunk().expect("64 bytes are asked about");
    (0..64).fold(0, |mask, place| mask | u64::from(bytes[place] == 0) << place)
}

#[cfg(test)]
mod tests {
    use super::zeros;

    #[test]
    fn every_zero_is_found() {
        let mut bytes = [7u8; 65];
        for place in [0, 15, 16, 31, 40, 63, 64] {
            bytes[place] = 0;
        }
        assert_eq!(zeros(&bytes), 1 | 1 << 15 | 1 << 16 | 1 << 31 | 1 << 40 | 1 << 63);
    }
}
