//! Colour refinement: distinguishing vertices by their neighbours.
//!
//! The new colour of a vertex is a hash of its own colour and those of its neighbours, repeated until no more
//! vertices are distinguished. Colours are the same function of the graph in every run, so two colourings can
//! be compared.

use super::program::Program;

/// Refinement with a limit on the total work.
pub(super) struct Refiner<'p> {
    pub program: &'p Program,
    /// The number of edges that may still be visited.
    pub work: usize,
}

impl Refiner<'_> {
    /// Returns the stable refinement of a colouring, or `None` if the work is used up.
    pub fn refine(&mut self, mut colors: Vec<u64>) -> Option<Vec<u64>> {
        let mut classes = count(&colors);
        loop {
            self.work = self.work.checked_sub(self.program.size() + colors.len())?;
            let next: Vec<u64> = (0..colors.len())
                .map(|vertex| {
                    let around = self.program.edges(vertex).iter().fold(0u64, |sum, &(to, label)| {
                        sum.wrapping_add(mix(colors[to as usize] ^ (u64::from(label) << 56)))
                    });
                    mix(colors[vertex].wrapping_mul(3).wrapping_add(mix(around)))
                })
                .collect();
            let now = count(&next);
            colors = next;
            if now == classes {
                return Some(colors);
            }
            classes = now;
        }
    }

    /// Returns the refinement after one vertex is given a colour of its own (individualisation).
    pub fn single_out(&mut self, colors: &[u64], vertex: usize) -> Option<Vec<u64>> {
        let mut colors = colors.to_vec();
        colors[vertex] = mix(colors[vertex] ^ 0x5bd1_e995_7b1d_c9a3);
        self.refine(colors)
    }
}

fn count(colors: &[u64]) -> usize {
    let mut sorted = colors.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
