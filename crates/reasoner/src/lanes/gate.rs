//! When playouts start in free lanes.
//!
//! Starting has a cost, so a fraction of the lanes must be free. If programs have sections, playouts start in
//! waves: games that advance in step need the same sections, and games at all stages need all of them. A wave
//! starts when nearly all lanes are free, and includes playouts that start in any phase.

use super::Lanes;
use super::block::Block;
use super::plane::count;

/// A wave starts when at most one in this many lanes is still taken.
const WAVE: usize = 8;
/// The number of playouts that should be available for waves, as a multiple of the number of lanes.
const AHEAD: usize = 2;

/// Decides when playouts may start.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// The number of rounds in which playouts of the current wave may still start.
    open: usize,
}

impl Gate {
    /// Returns `true` if playouts may start in this round. Without waves, one in `share` lanes must be free.
    /// Must be called in every round in which playouts are waiting.
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

/// Returns the number of playouts that should be available for this many lanes.
pub(super) fn at_hand(lanes: &Lanes, room: usize) -> usize {
    if in_waves(lanes) { room * AHEAD } else { room }
}

fn in_waves(lanes: &Lanes) -> bool {
    lanes.code.iter().any(|code| code.next.kind.is_some())
}
