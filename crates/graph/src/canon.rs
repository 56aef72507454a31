//! Canonical labelling of graphs: isomorphic graphs get equal keys.
//!
//! The algorithm is individualisation and refinement. Colours are refined by the colours of
//! neighbours until no class splits any further. If a class with several nodes remains, each of
//! its nodes is individualised in turn and refinement continues. Among the labellings at the
//! leaves of this search, the one with the least key is chosen. Leaves with equal keys reveal
//! automorphisms, which prune other branches (McKay and Piperno, "Practical graph isomorphism,
//! II", 2014; without their traces and node invariants).

use crate::graph::{Edge, Graph};
use crate::value::Item;

/// A canonical labelling and its key.
#[derive(Debug, Clone)]
pub struct Canonical {
    /// The new number of each node, indexed by its old number.
    pub number: Vec<u32>,
    /// A key that is equal for isomorphic graphs with corresponding marks, and only for those.
    pub key: Vec<u32>,
}

/// The search was abandoned because the graph has too many symmetries that were not detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooSymmetric;

/// The maximum number of leaves of the search.
const MAX_LEAVES: usize = 20_000;

fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

/// Returns a hash of two numbers.
pub(crate) fn mix2(a: u64, b: u64) -> u64 {
    mix(a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(23))
}

/// Computes the canonical labelling of a graph. `marks` are items that must correspond, in
/// order. Nodes below `fixed` keep their numbers and are distinguished by them.
pub fn canonical(graph: &Graph, marks: &[Item], fixed: usize) -> Result<Canonical, TooSymmetric> {
    let nodes: Vec<Item> = graph.nodes().collect();
    let mut place = vec![u32::MAX; graph.capacity()];
    for (at, node) in nodes.iter().enumerate() {
        place[node.index()] = at as u32;
    }
    let mut colours: Vec<u64> = nodes
        .iter()
        .map(|node| {
            let kind = mix2(1, u64::from(graph.type_of(*node)));
            if node.index() < fixed { mix2(kind, 2 + node.index() as u64) } else { kind }
        })
        .collect();
    for (at, mark) in marks.iter().enumerate().filter(|(_, mark)| mark.is_node()) {
        let colour = &mut colours[place[mark.index()] as usize];
        *colour = mix2(*colour, 0x100_0000 + at as u64);
    }
    // Loops, flags and attributes involve a single node, so they only contribute to its initial colour.
    let mut links = Vec::new();
    for edge in graph.edges() {
        let a = place[edge.a.index()] as usize;
        let own = edge.a == edge.b;
        if edge.b.is_node() && !own {
            links.push((edge.label, a as u32, place[edge.b.index()]));
        } else {
            let what = if own { 1 << 40 } else { u64::from(edge.b.0) << 1 };
            colours[a] = colours[a].wrapping_add(mix2(u64::from(edge.label) + 7, what));
        }
    }
    let mut search = Search {
        graph,
        nodes: &nodes,
        links,
        marks,
        best: None,
        symmetries: Vec::new(),
        path: Vec::new(),
        leaves: 0,
        scratch: Vec::new(),
        sorted: Vec::new(),
    };
    search.refine(&mut colours);
    search.descend(&colours)?;
    let best = search.best.expect("a search has a leaf");
    let mut number = vec![u32::MAX; graph.capacity()];
    if fixed == 0 {
        for (at, node) in nodes.iter().enumerate() {
            number[node.index()] = best.rank[at];
        }
    } else {
        // Fixed nodes keep their numbers; the others follow in canonical order.
        let mut others: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].index() >= fixed).collect();
        others.sort_by_key(|&at| best.rank[at]);
        nodes.iter().filter(|node| node.index() < fixed).for_each(|node| number[node.index()] = node.0);
        for (order, at) in others.into_iter().enumerate() {
            number[nodes[at].index()] = (fixed + order) as u32;
        }
    }
    Ok(Canonical { number, key: best.key })
}

struct Leaf {
    rank: Vec<u32>,
    key: Vec<u32>,
    path: Vec<usize>,
}

struct Search<'a> {
    graph: &'a Graph,
    nodes: &'a [Item],
    links: Vec<(u32, u32, u32)>,
    marks: &'a [Item],
    best: Option<Leaf>,
    /// Automorphisms of the graph.
    symmetries: Vec<Vec<u32>>,
    path: Vec<usize>,
    leaves: usize,
    scratch: Vec<u64>,
    sorted: Vec<u64>,
}

impl Search<'_> {
    /// Refines the colouring until the number of classes no longer grows.
    fn refine(&mut self, colours: &mut [u64]) {
        let mut classes = self.classes(colours);
        while classes < colours.len() {
            self.scratch.clear();
            self.scratch.extend(colours.iter().map(|colour| mix(*colour)));
            // A sum of hashes does not depend on the order of edges: it is a hash of the
            // multiset of neighbours.
            for &(label, a, b) in &self.links {
                let (ca, cb) = (colours[a as usize], colours[b as usize]);
                let label = u64::from(label) << 1;
                let (to_a, to_b) = (mix2(cb, label), mix2(ca, label | 1));
                self.scratch[a as usize] = self.scratch[a as usize].wrapping_add(to_a);
                self.scratch[b as usize] = self.scratch[b as usize].wrapping_add(to_b);
            }
            colours.copy_from_slice(&self.scratch);
            let now = self.classes(colours);
            if now <= classes {
                break;
            }
            classes = now;
        }
    }

    fn classes(&mut self, colours: &[u64]) -> usize {
        self.sorted.clear();
        self.sorted.extend_from_slice(colours);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.len()
    }

    /// Searches below a refined colouring. If an automorphism was found, returns the depth to
    /// backtrack to, because the branch below it is equivalent to one searched before.
    fn descend(&mut self, colours: &[u64]) -> Result<Option<usize>, TooSymmetric> {
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_unstable_by_key(|&at| colours[at as usize]);
        // The smallest class with several nodes; the first one of that size.
        let mut cell: Option<(usize, usize)> = None;
        let mut from = 0;
        while from < order.len() {
            let colour = colours[order[from] as usize];
            let size = order[from..].iter().take_while(|&&at| colours[at as usize] == colour).count();
            if size > 1 && cell.is_none_or(|(_, known)| size < known) {
                cell = Some((from, size));
            }
            from += size;
        }
        let Some((from, size)) = cell else { return self.leaf(&order) };
        let depth = self.path.len();
        let members: Vec<u32> = order[from..from + size].to_vec();
        let mut tried: Vec<u32> = Vec::new();
        for &member in &members {
            if self.same_orbit(member, &tried) {
                continue;
            }
            tried.push(member);
            let mut next = colours.to_vec();
            next[member as usize] = mix2(next[member as usize], 0xabcd_ef01);
            self.refine(&mut next);
            self.path.push(member as usize);
            let back = self.descend(&next)?;
            self.path.pop();
            if let Some(level) = back
                && level < depth
            {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Returns `true` if automorphisms that fix the current path map the node to one that was tried.
    fn same_orbit(&self, node: u32, tried: &[u32]) -> bool {
        if tried.is_empty() {
            return false;
        }
        let usable: Vec<&Vec<u32>> =
            self.symmetries.iter().filter(|s| self.path.iter().all(|&at| s[at] as usize == at)).collect();
        let mut reached = vec![node];
        let mut at = 0;
        while at < reached.len() {
            for symmetry in &usable {
                let image = symmetry[reached[at] as usize];
                if tried.contains(&image) {
                    return true;
                }
                if !reached.contains(&image) {
                    reached.push(image);
                }
            }
            at += 1;
        }
        false
    }

    fn leaf(&mut self, order: &[u32]) -> Result<Option<usize>, TooSymmetric> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return Err(TooSymmetric);
        }
        let mut rank = vec![0u32; order.len()];
        for (number, &at) in order.iter().enumerate() {
            rank[at as usize] = number as u32;
        }
        let key = self.key(&rank, order);
        let Some(best) = &self.best else {
            self.best = Some(Leaf { rank, key, path: self.path.clone() });
            return Ok(None);
        };
        if key == best.key {
            let mut inverse = vec![0u32; rank.len()];
            for (at, &number) in best.rank.iter().enumerate() {
                inverse[number as usize] = at as u32;
            }
            let there: Vec<u32> = rank.iter().map(|&number| inverse[number as usize]).collect();
            let mut back = vec![0u32; rank.len()];
            for (at, &image) in there.iter().enumerate() {
                back[image as usize] = at as u32;
            }
            let level = self.path.iter().zip(&best.path).take_while(|(a, b)| a == b).count();
            if self.symmetries.len() < 512 {
                self.symmetries.push(there);
                self.symmetries.push(back);
            }
            return Ok(Some(level));
        }
        if key < best.key {
            self.best = Some(Leaf { rank, key, path: self.path.clone() });
        }
        Ok(None)
    }

    /// Writes the graph down in the order of a labelling.
    fn key(&self, rank: &[u32], order: &[u32]) -> Vec<u32> {
        let mut place = vec![u32::MAX; self.graph.capacity()];
        for (at, node) in self.nodes.iter().enumerate() {
            place[node.index()] = rank[at];
        }
        let turn = |item: Item| if item.is_node() { place[item.index()] } else { item.0 };
        let mut edges: Vec<(u32, u32, u32)> =
            self.graph.edges().map(|Edge { label, a, b }| (label, turn(a), turn(b))).collect();
        edges.sort_unstable();
        let mut key = Vec::with_capacity(1 + order.len() + 3 * edges.len() + self.marks.len());
        key.push(order.len() as u32);
        key.extend(order.iter().map(|&at| u32::from(self.graph.type_of(self.nodes[at as usize]))));
        key.extend(edges.into_iter().flat_map(|(label, a, b)| [label, a, b]));
        key.extend(self.marks.iter().map(|&mark| turn(mark)));
        key
    }
}
