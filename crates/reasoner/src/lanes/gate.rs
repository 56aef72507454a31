//! When playouts begin in lanes that are free.
//!
//! To begin costs something, so a part of the lanes must be free. Where programs
//! have sections, playouts begin in waves: games that go in step need the same
//! sections, and games at all stages need all of them. A wave begins when nearly
//! all lanes are free, and takes in what begins in any phase.

use super::Lanes;
use super::block::Block;
use super::plane::count;

/// The part of the lanes that may still be taken when a wave begins.
const WAVE: usize = 8;
/// How many times as many playouts as there are lanes should be at hand for waves.
const AHEAD: usize = 2;

/// Lets playouts begin.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// Rounds in which those of a wave may still begin.
    open: usize,
}

impl Gate {
    /// Whether playouts may begin in this round; without waves one of `share` lanes must be free.
    /// To be asked in every round in which some wait.
    #[inline(always)]
    pub fn is_open<const W: usize>(&mut self, lanes: &Lanes, blocks: &[Block<W>], share: usize) -> bool {
        let taken: usize = blocks.iter().map(|block| count(&block.alive) as usize).sum();
        let room = blocks.len() * W * 64;
        if !in_waves(lanes) {
            return taken == 0 || (room - taken).saturating_mul(share) >= room;
        }
        if taken * WAVE <= room {
            self.open = lanes.flow_phases();
        }
        let is_open = self.open > 0;
        self.open = self.open.saturating_sub(1);
        is_open
    }
}

/// Playouts that should be at hand for so many lanes.
pub(super) fn at_hand(lanes: &Lanes, room: usize) -> usize {
    if in_waves(lanes) { room * AHEAD } else { room }
}

fn in_waves(lanes: &Lanes) -> bool {
    lanes.code.iter().any(|code| code.next.kind.is_some())
}
