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
    pub low: Vec<u32>,
    pub high: Vec<u32>,
    /// The number of the round in which the lane's playout began.
    pub began: Vec<u32>,
}

impl Keys {
    pub fn new(lanes: usize) -> Keys {
        Keys { low: vec![0; lanes], high: vec![0; lanes], began: vec![0; lanes] }
    }

    pub fn set(&mut self, lane: usize, stream: PlayoutStream, round: u32) {
        (self.low[lane], self.high[lane]) = stream.halves();
        self.began[lane] = round;
    }

    /// [`Keys::draw`] with the widest vectors this machine has.
    pub fn draw_best<const W: usize>(
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
        self.draw(round, role, counts, drawn, scratch);
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
        self.draw(round, role, counts, drawn, scratch);
    }

    /// Draws for every lane; lanes whose count is zero get any number.
    #[inline(always)]
    pub fn draw<const W: usize>(&self, round: u32, role: u32, counts: &[Plane<W>], drawn: &mut [Plane<W>], scratch: &mut Scratch) {
        let lanes = W * 64;
        let numbers = &mut scratch.numbers[..lanes];
        gather(counts, numbers);
        let mut suspect = 0u32;
        let (low, high, began) = (&self.low[..lanes], &self.high[..lanes], &self.began[..lanes]);
        for lane in 0..lanes {
            let step = round.wrapping_sub(began[lane]);
            let word = PlayoutStream::word(low[lane], high[lane], PlayoutStream::counter(step, role, 0));
            let bound = numbers[lane];
            let wide = u64::from(word) * u64::from(bound);
            suspect |= u32::from((wide as u32) < bound);
            numbers[lane] = (wide >> 32) as u32;
        }
        if suspect != 0 {
            // Some draw may be biased and must be made again; settle each lane exactly.
            gather(counts, &mut scratch.again[..lanes]);
            for lane in 0..lanes {
                let bound = scratch.again[lane];
                let step = round.wrapping_sub(began[lane]);
                if bound > 0 {
                    numbers[lane] = PlayoutStream::from_halves(low[lane], high[lane]).below(step, role, bound);
                }
            }
        }
        scatter(numbers, drawn);
    }
}

/// Lane-by-lane memory of one block.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    numbers: Vec<u32>,
    again: Vec<u32>,
}

impl Scratch {
    pub fn new(lanes: usize) -> Scratch {
        Scratch { numbers: vec![0; lanes], again: vec![0; lanes] }
    }
}

/// Planes to numbers: bit `i` of every lane's number is its bit in plane `i`.
#[inline(always)]
fn gather<const W: usize>(planes: &[Plane<W>], numbers: &mut [u32]) {
    for word in 0..W {
        for byte in 0..8 {
            let mut lanes = [0u32; 8];
            for (i, plane) in planes.iter().enumerate() {
                let bits = (plane[word] >> (byte * 8)) as u32 & 0xff;
                for (lane, number) in lanes.iter_mut().enumerate() {
                    *number |= (bits >> lane & 1) << i;
                }
            }
            let first = word * 64 + byte * 8;
            numbers[first..first + 8].copy_from_slice(&lanes);
        }
    }
}

/// Numbers to planes.
#[inline(always)]
fn scatter<const W: usize>(numbers: &[u32], planes: &mut [Plane<W>]) {
    for (i, plane) in planes.iter_mut().enumerate() {
        for (word, out) in plane.iter_mut().enumerate() {
            let mut bits = 0u64;
            for group in 0..8 {
                let mut byte = 0u32;
                for lane in 0..8 {
                    byte |= (numbers[word * 64 + group * 8 + lane] >> i & 1) << lane;
                }
                bits |= u64::from(byte) << (group * 8);
            }
            *out = bits;
        }
    }
}
