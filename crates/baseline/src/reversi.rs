//! Reversi on 8x8 squares. Runs of enemy discs are followed in four directions at a time, as
//! arrays of four words that the compiler turns into vector instructions if there are any.

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The discs of both players. Bit `8 * row + column` represents a square.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The discs of the player to move.
    pub own: u64,
    /// The discs of the other player.
    pub other: u64,
}

/// The bit distances of a step in the four upward directions: east, north-west, north,
/// north-east. The downward directions are their opposites.
const STEPS: [u32; 4] = [1, 7, 8, 9];
/// The discs that can be enclosed in these directions: a run never wraps from one side of the
/// board to the other.
const INNER: [u64; 4] = [MIDDLE, MIDDLE, !0, MIDDLE];
const MIDDLE: u64 = !(LEFT | RIGHT);
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const HIGHEST: u64 = 1 << 63;

/// Returns the runs of enemy discs that begin next to the given discs, in each upward and downward direction.
#[inline(always)]
fn runs(start: u64, enemy: u64) -> ([u64; 4], [u64; 4]) {
    let (mut up, mut down) = ([0; 4], [0; 4]);
    for i in 0..4 {
        let (s, e) = (STEPS[i], enemy & INNER[i]);
        let mut u = e & start << s;
        let mut d = e & start >> s;
        u |= e & u << s;
        d |= e & d >> s;
        // Runs have at most six discs. Joining two neighbours into pairs extends a run by two at a time.
        let (pairs_up, pairs_down) = (e & e << s, e & e >> s);
        u |= pairs_up & u << (2 * s);
        d |= pairs_down & d >> (2 * s);
        u |= pairs_up & u << (2 * s);
        d |= pairs_down & d >> (2 * s);
        (up[i], down[i]) = (u, d);
    }
    (up, down)
}

/// Returns the empty squares where a disc encloses enemy discs.
#[inline(always)]
fn placements(own: u64, enemy: u64) -> u64 {
    let (up, down) = runs(own, enemy);
    let mut ends = 0;
    for i in 0..4 {
        ends |= up[i] << STEPS[i] | down[i] >> STEPS[i];
    }
    ends & !(own | enemy)
}

/// The squares seen from each square, in the four upward and the four downward directions.
const RAYS: [[[u64; 4]; 2]; 64] = {
    let mut table = [[[0; 4]; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            // A ray ends before the column that it would enter on the other side of the board.
            let (up_wall, down_wall) = [(LEFT, RIGHT), (RIGHT, LEFT), (0, 0), (LEFT, RIGHT)][i];
            let mut up = 1 << square << STEPS[i] & !up_wall;
            let mut down = 1 << square >> STEPS[i] & !down_wall;
            let mut length = 0;
            while length < 6 {
                up |= up << STEPS[i] & !up_wall;
                down |= down >> STEPS[i] & !down_wall;
                length += 1;
            }
            (table[square][0][i], table[square][1][i]) = (up, down);
            i += 1;
        }
        square += 1;
    }
    table
};

/// Returns the enemy discs that a disc on this square encloses. Upwards, adding one makes a
/// carry run along the ray through the enemy discs to the first other square. Downwards, that
/// square is the highest one on the ray that is not an enemy disc.
#[inline(always)]
fn enclosed(own: u64, enemy: u64, square: u64) -> u64 {
    let [up, down] = &RAYS[square.trailing_zeros() as usize & 63];
    let mut turned = 0;
    for ray in up {
        let end = (enemy | !ray).wrapping_add(1) & own & ray;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in down {
        let end = HIGHEST.unbounded_shr((ray & !enemy).leading_zeros()) & own;
        turned |= (end << 1).wrapping_neg() & ray;
    }
    turned
}

impl Position {
    #[inline(always)]
    fn score(own: u64, other: u64) -> Verdict {
        match own.count_ones().cmp(&other.count_ones()) {
            std::cmp::Ordering::Greater => Verdict::Won,
            std::cmp::Ordering::Less => Verdict::Lost,
            std::cmp::Ordering::Equal => Verdict::Drawn,
        }
    }
}

impl playout::Position for Position {
    /// The squares for a disc; an empty set denotes a pass.
    type Moves = u64;
    /// The bit of a square, or 0 for a pass.
    type Move = u64;

    const INITIAL: Self = Position { own: 0x0000_0008_1000_0000, other: 0x0000_0010_0800_0000 };

    #[inline(always)]
    fn moves(&self) -> (u64, u32) {
        let squares = placements(self.own, self.other);
        if squares == 0 {
            return (0, u32::from(placements(self.other, self.own) != 0));
        }
        (squares, squares.count_ones())
    }

    #[inline(always)]
    fn decode(&self, machine: impl Machine, moves: &u64, index: u32) -> u64 {
        machine.select(*moves, index)
    }

    #[inline(always)]
    fn play(&mut self, chosen: u64) -> Verdict {
        let turned = if chosen == 0 { 0 } else { enclosed(self.own, self.other, chosen) };
        let own = self.own ^ turned ^ chosen;
        let other = self.other ^ turned;
        *self = Position { own: other, other: own };
        if own | other == !0 { Position::score(own, other) } else { Verdict::Open }
    }

    #[inline(always)]
    fn stuck(&self) -> Verdict {
        Position::score(self.own, self.other)
    }
}
