//! Operations on single planes outside programs.

use super::portable::Plane;

/// How many games.
#[inline(always)]
pub(crate) fn count<const W: usize>(plane: &Plane<W>) -> u32 {
    plane.iter().map(|w| w.count_ones()).sum()
}

/// Whether any game.
#[inline(always)]
pub(crate) fn any<const W: usize>(plane: &Plane<W>) -> bool {
    plane.iter().any(|&w| w != 0)
}

/// Games of both.
#[inline(always)]
pub(crate) fn meet<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & b[i];
    }
    out
}

/// Games of either.
#[inline(always)]
pub(crate) fn join<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] | b[i];
    }
    out
}

/// Games of the first that are not of the second.
#[inline(always)]
pub(crate) fn without<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & !b[i];
    }
    out
}

/// Calls for every lane of a plane, in order.
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
