//! Canonical keys against all permutations.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use game::{Rng, Seed};
use graph::{Edge, FLAG, Frozen, Graph, Item, canonical};

fn random_graph(rng: &mut Rng, nodes: usize) -> Graph {
    let types = (0..nodes).map(|_| rng.below(2) as u16).collect();
    let mut edges = Vec::new();
    for _ in 0..rng.below(2 * nodes + 1) {
        let (a, b) = (Item::node(rng.below(nodes)), Item::node(rng.below(nodes)));
        edges.push(match rng.below(4) {
            0 => Edge { label: FLAG | rng.below(2) as u32, a, b: a },
            _ => Edge { label: rng.below(2) as u32, a, b },
        });
    }
    Graph::new(types, edges, Arc::new(Frozen::default()))
}

fn permutations(count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for next in 0..count as u32 {
        let longer =
            |p: &Vec<u32>| (0..=p.len()).map(|at| [&p[..at], &[next], &p[at..]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn isomorphic(a: &Graph, b: &Graph, permutations: &[Vec<u32>]) -> bool {
    permutations.iter().any(|permutation| a.renumbered(permutation) == *b)
}

#[test]
fn equal_keys_mean_isomorphic_graphs() {
    let mut rng = Seed(7).rng();
    let mut equal = 0;
    for nodes in 1..=5 {
        let permutations = permutations(nodes);
        for _ in 0..600 {
            let (a, b) = (random_graph(&mut rng, nodes), random_graph(&mut rng, nodes));
            let same = canonical(&a, &[], 0).unwrap().key == canonical(&b, &[], 0).unwrap().key;
            assert_eq!(same, isomorphic(&a, &b, &permutations), "{a:?} {b:?}");
            equal += usize::from(same);
        }
    }
    assert!(equal > 50, "too few pairs were isomorphic: {equal}");
}

#[test]
fn permuted_graphs_have_the_same_key_and_the_same_canonical_form() {
    let mut rng = Seed(8).rng();
    for nodes in [3, 8, 20] {
        for _ in 0..200 {
            let graph = random_graph(&mut rng, nodes);
            let mut permutation: Vec<u32> = (0..nodes as u32).collect();
            for at in (1..nodes).rev() {
                permutation.swap(at, rng.below(at + 1));
            }
            let other = graph.renumbered(&permutation);
            let (a, b) = (canonical(&graph, &[], 0).unwrap(), canonical(&other, &[], 0).unwrap());
            assert_eq!(a.key, b.key);
            assert_eq!(graph.renumbered(&a.number), other.renumbered(&b.number));
        }
    }
}

#[test]
fn symmetric_graphs_take_no_time() {
    // Twelve equal nodes, a ring, a complete graph, and a grid that wraps around.
    let of = |nodes: usize, edges: Vec<(usize, usize)>| {
        let edges = edges.into_iter().map(|(a, b)| Edge { label: 0, a: Item::node(a), b: Item::node(b) });
        Graph::new(vec![0; nodes], edges, Arc::new(Frozen::default()))
    };
    let complete = (0..10).flat_map(|a| (0..10).filter(move |b| *b != a).map(move |b| (a, b))).collect();
    let torus = (0..36).flat_map(|n| [(n, n / 6 * 6 + (n + 1) % 6), (n, (n + 6) % 36)]).collect();
    for graph in [
        of(12, vec![]),
        of(30, (0..30).map(|n| (n, (n + 1) % 30)).collect()),
        of(10, complete),
        of(36, torus),
    ] {
        canonical(&graph, &[], 0).unwrap();
    }
}

#[test]
fn marks_tell_nodes_apart() {
    let graph = Graph::new(vec![0, 0], [], Arc::new(Frozen::default()));
    let key = |marks: &[Item]| canonical(&graph, marks, 0).unwrap().key;
    assert_eq!(key(&[Item::node(0)]), key(&[Item::node(1)]));
    assert_ne!(key(&[Item::node(0), Item::node(0)]), key(&[Item::node(0), Item::node(1)]));
}
