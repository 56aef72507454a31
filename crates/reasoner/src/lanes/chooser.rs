//! A uniform choice among legal moves, bit-sliced.
//!
//! A binary tree of counters over the legal planes computes, for every game at once, the number of legal
//! moves and the counts of all left subtrees. A number below the total count, drawn for each game, then
//! descends the tree: to the left if it is below the count of the left subtree, otherwise to the right with
//! that count subtracted. Every game is at one node of a level, so the left count of that node is selected
//! first and compared once for all nodes. The planes at the leaves are the moves made.
//!
//! If there are many moves, the leaves of the tree are groups of fifteen: a complete descent would touch
//! every move for every block, although each game makes only one. The descent then ends with the number of a
//! group and a rank within it, and the move is looked up game by game.

use super::bits::{Area, Bits, Val};

/// The number of moves in a group: as many as four bits can count.
pub(crate) const GROUP: usize = 15;
const GROUP_BITS: usize = 4;
/// The number of moves from which the leaves are groups.
pub(crate) const GROUPED_FROM: usize = 400;

/// The shape of a tree, and the positions of its planes in the work area.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// Whether leaves are groups of moves.
    pub grouped: bool,
    /// The number of bits of the number of legal moves.
    pub width: usize,
    /// The first plane of the number of legal moves.
    pub count: usize,
    /// For grouped trees: the first plane of the number of the chosen group.
    pub group: usize,
    /// The number of bits of that number.
    pub group_bits: usize,
    /// For grouped trees: the first plane of the rank within the group.
    pub rank: usize,
    /// The number of bits of that rank.
    pub rank_bits: usize,
    /// One past the last plane used.
    pub end: usize,
    /// For each level from the leaves up, the largest possible count of each node.
    levels: Vec<Vec<u32>>,
    /// For each level above the leaves, the first plane of the count of each left child.
    left: Vec<Vec<usize>>,
    /// The first plane of the leaves' counts.
    leaves: usize,
}

fn bits_for(count: u32) -> usize {
    (u32::BITS - count.leading_zeros()) as usize
}

impl Tree {
    /// Lays out a tree. Its planes begin at `first`, the legal planes at `legal`.
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

    /// Adds the counting to a program. `legal` are the moves, whose planes begin at `planes`. Everything is
    /// written as soon as it is known, subtree by subtree, so that few values are live at a time.
    pub fn count(&self, bits: &mut Bits, legal: &[Val], planes: usize) {
        let mut writes: Vec<(usize, usize, Val, usize)> = Vec::new();
        let size = if self.grouped { GROUP } else { 1 };
        for (i, &v) in legal.iter().enumerate() {
            writes.push((i / size, 0, v, planes + i));
        }
        let mut below: Vec<Vec<Val>> = if self.grouped {
            let counts: Vec<Vec<Val>> = legal.chunks(GROUP).map(|group| count_group(bits, group)).collect();
            for (group, count) in counts.iter().enumerate() {
                // The highest bit first: computing it computes all others.
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

    /// Adds the descent to a program: from the drawn numbers at `drawn` to the moves made at `made`, or to
    /// the number of the chosen group and the rank within it.
    pub fn walk(&self, bits: &mut Bits, drawn: usize, made: usize) {
        let mut number: Vec<Val> = (0..self.width).map(|i| bits.read(Area::Work, drawn + i)).collect();
        let mut active = vec![Val::TRUE];
        for level in (1..self.levels.len()).rev() {
            let below = &self.levels[level - 1];
            let left = self.left_count(bits, level, &active);
            // One subtraction serves all nodes of the level: it compares, and its result is the number for
            // the right child.
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

    /// Returns the count of the left child of the active node of a level.
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

/// Returns the number of planes that hold, with a chain of full adders for each bit.
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
        // The carry is x if x and y agree, and the old carry if they differ.
        carry = bits.choose(differ, carry, x);
    }
    sum
}

/// Returns `a - b`, and where `a` is less than `b`.
fn subtract(bits: &mut Bits, a: &[Val], b: &[Val]) -> (Vec<Val>, Val) {
    let mut borrow = Val::FALSE;
    let mut rest = Vec::with_capacity(a.len());
    for (i, &x) in a.iter().enumerate() {
        let y = b.get(i).copied().unwrap_or(Val::FALSE);
        let differ = bits.xor(x, y);
        rest.push(bits.xor(differ, borrow));
        // A borrow is generated if y exceeds x, and propagated if they agree.
        borrow = match y {
            Val::FALSE => bits.and(borrow, !x),
            _ => bits.choose(differ, y, borrow),
        };
    }
    // Bits of b beyond the width of a make b greater than any a.
    for &y in b.iter().skip(a.len()) {
        borrow = bits.or(borrow, y);
    }
    (rest, borrow)
}
