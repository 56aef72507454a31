//! A uniform choice among legal moves, bit-sliced.
//!
//! A binary tree of counters over the legal planes gives, for every game at
//! once, the number of legal moves and the numbers in all left subtrees. A
//! number below the count, drawn for each game, then walks down the tree: left
//! if it is below the left subtree's count, else right with that count taken
//! off. The planes at the leaves say which move is made.

use super::bits::{Area, Bits, Val};

/// The shape of a tree over `moves` leaves and where its planes are kept.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub moves: usize,
    /// Bits of the number of legal moves.
    pub width: usize,
    /// For each level from the leaves up, for each node, its largest count.
    levels: Vec<Vec<u32>>,
    /// For each level above the leaves, the first plane of each left child's count.
    left: Vec<Vec<usize>>,
    /// The first plane of the number of legal moves.
    pub count: usize,
    /// One past the last plane used.
    pub end: usize,
}

fn bits_for(count: u32) -> usize {
    (u32::BITS - count.leading_zeros()) as usize
}

impl Tree {
    /// Lays a tree out; its planes begin at `first` in the work area, and the
    /// legal planes of the leaves at `legal`.
    pub fn new(moves: usize, legal: usize, first: usize) -> Tree {
        let mut levels = vec![vec![1u32; moves]];
        while levels[levels.len() - 1].len() > 1 {
            let last = &levels[levels.len() - 1];
            levels.push(last.chunks(2).map(|c| c.iter().sum()).collect());
        }
        let mut end = first;
        let mut left = Vec::new();
        for level in 1..levels.len() {
            let below = &levels[level - 1];
            let starts = (0..levels[level].len()).map(|node| {
                if level == 1 || 2 * node + 1 >= below.len() {
                    legal + 2 * node
                } else {
                    let start = end;
                    end += bits_for(below[2 * node]);
                    start
                }
            });
            left.push(starts.collect());
        }
        let width = bits_for(levels[levels.len() - 1][0]);
        let count = end;
        Tree { moves, width, levels, left, count, end: end + width }
    }

    /// Adds the counting to a program; `legal` are the leaves.
    pub fn count(&self, bits: &mut Bits, legal: &[Val]) {
        let mut below: Vec<Vec<Val>> = legal.iter().map(|&v| vec![v]).collect();
        for level in 1..self.levels.len() {
            let mut nodes = Vec::new();
            for (node, pair) in below.chunks(2).enumerate() {
                let [a, b] = pair else {
                    nodes.push(pair[0].clone());
                    continue;
                };
                if level > 1 {
                    let width = bits_for(self.levels[level - 1][2 * node]);
                    for (i, &v) in a.iter().enumerate().take(width) {
                        bits.write(v, Area::Work, self.left[level - 1][node] + i);
                    }
                }
                nodes.push(add(bits, a, b, bits_for(self.levels[level][node])));
            }
            below = nodes;
        }
        for (i, &v) in below[0].iter().enumerate() {
            bits.write(v, Area::Work, self.count + i);
        }
    }

    /// Adds the walk to a program: from the drawn numbers at `drawn` to the moves made at `made`.
    pub fn walk(&self, bits: &mut Bits, drawn: usize, made: usize) {
        let mut number: Vec<Val> = (0..self.width).map(|i| bits.read(Area::Work, drawn + i)).collect();
        let mut active = vec![Val::TRUE];
        for level in (1..self.levels.len()).rev() {
            let below = &self.levels[level - 1];
            let mut next = Vec::with_capacity(below.len());
            let mut taken = vec![Val::FALSE; number.len()];
            for (node, &here) in active.iter().enumerate() {
                if 2 * node + 1 >= below.len() {
                    next.push(here);
                    continue;
                }
                let width = bits_for(below[2 * node]);
                let first = self.left[level - 1][node];
                let left: Vec<Val> = (0..width).map(|i| bits.read(Area::Work, first + i)).collect();
                let reach = bits_for(self.levels[level][node]);
                let mut less = Val::FALSE;
                for (i, &r) in number.iter().enumerate().take(reach) {
                    less = match left.get(i) {
                        Some(&c) => {
                            let differ = bits.xor(c, r);
                            bits.choose(differ, c, less)
                        }
                        None => bits.and(less, !r),
                    };
                }
                let go_left = bits.and(here, less);
                let go_right = bits.and(here, !less);
                if level > 1 {
                    for (i, &c) in left.iter().enumerate() {
                        let off = bits.and(c, go_right);
                        taken[i] = bits.or(taken[i], off);
                    }
                }
                next.push(go_left);
                next.push(go_right);
            }
            if level > 1 {
                let widest = below.iter().map(|&c| bits_for(c)).max().unwrap_or(1);
                number = subtract(bits, &number, &taken, widest);
            }
            active = next;
        }
        for (i, &v) in active.iter().enumerate() {
            bits.write(v, Area::Work, made + i);
        }
    }
}

fn add(bits: &mut Bits, a: &[Val], b: &[Val], width: usize) -> Vec<Val> {
    let mut carry = Val::FALSE;
    let mut sum = Vec::with_capacity(width);
    for i in 0..width {
        let x = a.get(i).copied().unwrap_or(Val::FALSE);
        let y = b.get(i).copied().unwrap_or(Val::FALSE);
        let differ = bits.xor(x, y);
        sum.push(bits.xor(differ, carry));
        // The carry is x where x and y agree, and the old carry where they differ.
        carry = bits.choose(differ, carry, x);
    }
    sum
}

fn subtract(bits: &mut Bits, a: &[Val], b: &[Val], width: usize) -> Vec<Val> {
    let mut borrow = Val::FALSE;
    let mut rest = Vec::with_capacity(width);
    for i in 0..width.min(a.len()) {
        let (x, y) = (a[i], b[i]);
        let differ = bits.xor(x, y);
        rest.push(bits.xor(differ, borrow));
        // A borrow is made where y exceeds x, and kept where they agree.
        borrow = bits.choose(differ, y, borrow);
    }
    rest
}
