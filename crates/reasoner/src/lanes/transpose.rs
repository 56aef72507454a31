//! Conversion between bits by game and bits by wire.
//!
//! A state is a row of bits, one for each fluent. A block has a plane for each fluent, with one bit for each
//! game. Squares of sixty-four by sixty-four bits are transposed at a time (Warren, "Hacker's Delight", 7-3).

use super::portable::Plane;

/// Transposes a square of bits: bit `j` of word `i` becomes bit `i` of word `j`.
#[inline(always)]
fn turn(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0xffff_ffffu64;
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            for i in row..row + width {
                let swapped = (square[i] >> width ^ square[i + width]) & mask;
                square[i] ^= swapped << width;
                square[i + width] ^= swapped;
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Writes the rows of sixty-four games into word `word` of the planes. Games without a row are left
/// unchanged.
pub(crate) fn to_planes<'a, const W: usize>(
    planes: &mut [Plane<W>],
    word: usize,
    row: impl Fn(usize) -> Option<&'a [u64]>,
) {
    let rows: [Option<&[u64]>; 64] = std::array::from_fn(row);
    let which = rows.iter().enumerate().fold(0, |w, (game, row)| w | u64::from(row.is_some()) << game);
    for (part, chunk) in planes.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        for (line, row) in square.iter_mut().zip(&rows) {
            *line = row.map_or(0, |row| row[part]);
        }
        turn(&mut square);
        for (plane, bits) in chunk.iter_mut().zip(&square) {
            plane[word] = plane[word] & !which | bits & which;
        }
    }
}

/// Reads the rows of the sixty-four games in word `word` of the planes, one after the other, each with as
/// many words as the planes need.
pub(crate) fn to_rows<const W: usize>(planes: &[Plane<W>], word: usize, rows: &mut Vec<u64>) {
    let length = planes.len().div_ceil(64);
    rows.clear();
    rows.resize(64 * length, 0);
    for (part, chunk) in planes.chunks(64).enumerate() {
        let mut square = [0; 64];
        for (line, plane) in square.iter_mut().zip(chunk) {
            *line = plane[word];
        }
        turn(&mut square);
        for (game, bits) in square.iter().enumerate() {
            rows[game * length + part] = *bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_planes_and_others_stay() {
        let mut rng = game::Seed(4).rng();
        let count = 150;
        let states: Vec<Vec<u64>> = (0..64)
            .map(|_| vec![rng.next_u64(), rng.next_u64(), rng.next_u64() & ((1 << (count - 128)) - 1)])
            .collect();
        let mut planes = vec![[!0u64; 2]; count];
        to_planes(&mut planes, 1, |game| (game % 3 != 0).then(|| states[game].as_slice()));
        for (fluent, plane) in planes.iter().enumerate() {
            assert_eq!(plane[0], !0);
            for (game, state) in states.iter().enumerate() {
                let expected = if game % 3 == 0 { 1 } else { state[fluent / 64] >> (fluent % 64) & 1 };
                assert_eq!(plane[1] >> game & 1, expected, "fluent {fluent} of game {game}");
            }
        }
        let mut rows = Vec::new();
        to_rows(&planes, 1, &mut rows);
        for game in (0..64).filter(|game| game % 3 != 0) {
            assert_eq!(rows[game * 3..game * 3 + 3], states[game]);
        }
    }
}
