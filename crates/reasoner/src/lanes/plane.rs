//! Operations on single planes outside programs.

use super::portable::Plane;

/// How many games.
pub(crate) fn count<const W: usize>(plane: &Plane<W>) -> u32 {
    plane.iter().map(|w| w.count_ones()).sum()
}

/// Whether any game.
pub(crate) fn any<const W: usize>(plane: &Plane<W>) -> bool {
    plane.iter().any(|&w| w != 0)
}

/// Games of both.
pub(crate) fn meet<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & b[i];
    }
    out
}

/// Games of either.
pub(crate) fn join<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] | b[i];
    }
    out
}

/// Games of the first that are not of the second.
pub(crate) fn without<const W: usize>(a: &Plane<W>, b: &Plane<W>) -> Plane<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & !b[i];
    }
    out
}

/// The lanes of a plane.
pub(crate) fn lanes_of<const W: usize>(plane: &Plane<W>) -> impl Iterator<Item = usize> + use<W> {
    let plane = *plane;
    (0..W).flat_map(move |word| {
        let mut rest = plane[word];
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let lane = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                lane
            })
        })
    })
}
