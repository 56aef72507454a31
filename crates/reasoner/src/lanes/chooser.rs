//! A uniform choice among legal moves, bit-sliced.
//!
//! A binary tree of counters over the legal planes gives, for every game at
//! once, the number of legal moves and the numbers in all left subtrees. A
//! number below the count, drawn for each game, then walks down the tree: left
//! if it is below the left subtree's count, else right with that count taken
//! off. Every game is at one node of a level, so the left count of that node is
//! picked out first and compared once for all nodes. The planes at the leaves
//! say which move is made.
//!
//! Where there are many moves, the leaves of the tree are groups of fifteen:
//! walking all the way down would touch every move for every block, although
//! each game makes only one. The walk then ends with the number of a group and a
//! rank in it, and the move is looked up game by game.

use super::bits::{Area, Bits, Val};

/// Moves in a group: as many as four bits can count.
pub(crate) const GROUP: usize = 15;
const GROUP_BITS: usize = 4;
/// From this many moves on, leaves are groups.
pub(crate) const GROUPED_FROM: usize = 400;

/// The shape of a tree and where its planes are kept in the work area.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// Whether leaves are groups of moves.
    pub grouped: bool,
    /// Bits of the number of legal moves.
    pub width: usize,
    /// The first plane of the number of legal moves.
    pub count: usize,
    /// For grouped trees: the first plane of the number of the chosen group.
    pub group: usize,
    /// Bits of that number.
    pub group_bits: usize,
    /// For grouped trees: the first plane of the rank within the group.
    pub rank: usize,
    /// Bits of that rank.
    pub rank_bits: usize,
    /// One past the last plane used.
    pub end: usize,
    /// For each level from the leaves up, for each node, its largest count.
    levels: Vec<Vec<u32>>,
    /// For each level above the leaves, the first plane of each left child's count.
    left: Vec<Vec<usize>>,
    /// The first plane of the leaves' counts.
    leaves: usize,
}

fn bits_for(count: u32) -> usize {
    (u32::BITS - count.leading_zeros()) as usize
}

impl Tree {
    /// Lays a tree out; its planes begin at `first`, the legal planes at `legal`.
    pub fn new(moves: usize, legal: usize, first: usize) -> Tree {
        let grouped = moves >= GROUPED_FROM;
        let mut end = first;
        let mut reserve = |count: usize| {
            end += count;
            end - count
        };
        let (sizes, leaves) = if grouped {
            let sizes: Vec<u32> =
                (0..moves.div_ceil(GROUP)).map(|g| (moves - g * GROUP).min(GROUP) as u32).collect();
            let leaves = reserve(sizes.len() * GROUP_BITS);
            (sizes, leaves)
        } else {
            (vec![1; moves], legal)
        };
        let leaf_planes = if grouped { GROUP_BITS } else { 1 };
        let mut levels = vec![sizes];
        while levels[levels.len() - 1].len() > 1 {
            let last = &levels[levels.len() - 1];
            levels.push(last.chunks(2).map(|c| c.iter().sum()).collect());
        }
        let mut left = Vec::new();
        for level in 1..levels.len() {
            let below = &levels[level - 1];
            let starts = (0..levels[level].len()).map(|node| {
                if level == 1 {
                    leaves + 2 * node * leaf_planes
                } else if 2 * node + 1 >= below.len() {
                    0
                } else {
                    reserve(bits_for(below[2 * node]))
                }
            });
            left.push(starts.collect());
        }
        let width = bits_for(levels[levels.len() - 1][0]);
        let count = reserve(width);
        let (group_bits, rank_bits) = if grouped { (levels.len() - 1, GROUP_BITS) } else { (0, 0) };
        let (group, rank) = (reserve(group_bits), reserve(rank_bits));
        Tree { grouped, width, count, group, group_bits, rank, rank_bits, end, levels, left, leaves }
    }

    /// Adds the counting to a program; `legal` are the moves, whose planes begin
    /// at `planes`. Everything is written as soon as it is known, subtree after
    /// subtree, so that few values are under way at a time.
    pub fn count(&self, bits: &mut Bits, legal: &[Val], planes: usize) {
        let mut writes: Vec<(usize, usize, Val, usize)> = Vec::new();
        let size = if self.grouped { GROUP } else { 1 };
        for (i, &v) in legal.iter().enumerate() {
            writes.push((i / size, 0, v, planes + i));
        }
        let mut below: Vec<Vec<Val>> = if self.grouped {
            let counts: Vec<Vec<Val>> = legal.chunks(GROUP).map(|group| count_group(bits, group)).collect();
            for (group, count) in counts.iter().enumerate() {
                // The highest bit first: on the way to it all others are made.
                for (i, &v) in count.iter().enumerate().rev() {
                    writes.push((group, 1, v, self.leaves + group * GROUP_BITS + i));
                }
            }
            counts
        } else {
            legal.iter().map(|&v| vec![v]).collect()
        };
        for level in 1..self.levels.len() {
            let mut nodes = Vec::new();
            for (node, pair) in below.chunks(2).enumerate() {
                let [a, b] = pair else {
                    nodes.push(pair[0].clone());
                    continue;
                };
                if level > 1 {
                    let width = bits_for(self.levels[level - 1][2 * node]);
                    // The last leaf of the left child.
                    let leaf = ((2 * node + 1) << (level - 1)) - 1;
                    for (i, &v) in a.iter().enumerate().take(width) {
                        writes.push((leaf, level, v, self.left[level - 1][node] + i));
                    }
                }
                nodes.push(add(bits, a, b, bits_for(self.levels[level][node])));
            }
            below = nodes;
        }
        writes.sort_by_key(|&(leaf, level, ..)| (leaf, level));
        for (_, _, v, plane) in writes {
            bits.write(v, Area::Work, plane);
        }
        for i in 0..self.width {
            let v = below[0].get(i).copied().unwrap_or(Val::FALSE);
            bits.write(v, Area::Work, self.count + i);
        }
    }

    /// Adds the walk to a program: from the drawn numbers at `drawn` to the
    /// moves made at `made`, or to the number of the chosen group and the rank in it.
    pub fn walk(&self, bits: &mut Bits, drawn: usize, made: usize) {
        let mut number: Vec<Val> = (0..self.width).map(|i| bits.read(Area::Work, drawn + i)).collect();
        let mut active = vec![Val::TRUE];
        for level in (1..self.levels.len()).rev() {
            let below = &self.levels[level - 1];
            let left = self.left_count(bits, level, &active);
            let (rest, less) = subtract(bits, &number, &left);
            let mut right = !less;
            if below.len() % 2 == 1 {
                // The last node has no right child.
                right = bits.and(right, !active[active.len() - 1]);
            }
            if level == 1 && !self.grouped {
                number.clear();
            }
            let widest = below.iter().map(|&count| bits_for(count)).max().unwrap_or(0);
            number.truncate(widest);
            for (old, &new) in number.iter_mut().zip(&rest) {
                *old = bits.choose(right, new, *old);
            }
            if self.grouped {
                bits.write(right, Area::Work, self.group + level - 1);
            }
            if level > 1 || !self.grouped {
                let both = active.iter().flat_map(|&here| [(here, !right), (here, right)]);
                active = both.take(below.len()).map(|(here, side)| bits.and(here, side)).collect();
            }
        }
        if self.grouped {
            for i in 0..GROUP_BITS {
                bits.write(number.get(i).copied().unwrap_or(Val::FALSE), Area::Work, self.rank + i);
            }
        } else {
            for (i, &v) in active.iter().enumerate() {
                bits.write(v, Area::Work, made + i);
            }
        }
    }

    /// The count of the left child of the active node of a level.
    fn left_count(&self, bits: &mut Bits, level: usize, active: &[Val]) -> Vec<Val> {
        let below = &self.levels[level - 1];
        let mut terms: Vec<Vec<Val>> = Vec::new();
        for (node, &here) in active.iter().enumerate().take(below.len() / 2) {
            let first = self.left[level - 1][node];
            let width = bits_for(below[2 * node]);
            terms.resize(terms.len().max(width), Vec::new());
            for (i, list) in terms.iter_mut().enumerate().take(width) {
                let left = bits.read(Area::Work, first + i);
                list.push(bits.and(here, left));
            }
        }
        terms.iter().map(|list| bits.any(list)).collect()
    }
}

/// The number of planes that hold, by full adders one after another.
fn count_group(bits: &mut Bits, legal: &[Val]) -> Vec<Val> {
    let mut weight: Vec<Val> = legal.to_vec();
    let mut sum = Vec::with_capacity(GROUP_BITS);
    while let Some((&first, others)) = weight.split_first() {
        let mut total = first;
        let mut carries = Vec::new();
        for pair in others.chunks(2) {
            let (b, c) = (pair[0], pair.get(1).copied().unwrap_or(Val::FALSE));
            let differ = bits.xor(total, b);
            let carry = if c == Val::FALSE { bits.and(total, b) } else { bits.choose(differ, c, total) };
            total = bits.xor(differ, c);
            carries.push(carry);
        }
        sum.push(total);
        weight = carries;
    }
    sum.resize(GROUP_BITS, Val::FALSE);
    sum
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

/// `a - b`, and where `a` is less than `b`.
fn subtract(bits: &mut Bits, a: &[Val], b: &[Val]) -> (Vec<Val>, Val) {
    let mut borrow = Val::FALSE;
    let mut rest = Vec::with_capacity(a.len());
    for (i, &x) in a.iter().enumerate() {
        let y = b.get(i).copied().unwrap_or(Val::FALSE);
        let differ = bits.xor(x, y);
        rest.push(bits.xor(differ, borrow));
        // A borrow is made where y exceeds x, and kept where they agree.
        borrow = match y {
            Val::FALSE => bits.and(borrow, !x),
            _ => bits.choose(differ, y, borrow),
        };
    }
    // What is left of b beyond the width of a is greater than any a.
    for &y in b.iter().skip(a.len()) {
        borrow = bits.or(borrow, y);
    }
    (rest, borrow)
}
