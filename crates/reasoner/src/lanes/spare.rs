//! Blocks that are kept for the next request, because short playouts take less time than creating blocks.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use super::Lanes;
use super::block::Block;

/// The number of concurrent requests whose blocks are kept.
const MOST: usize = 64;

/// Blocks that are not in use, grouped by request.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Box<dyn Any + Send>>>);

impl Spare {
    /// Returns at least this many blocks, in which nothing is in progress.
    pub fn take<const W: usize>(&self, lanes: &Lanes, count: usize) -> Vec<Block<W>> {
        let next = || self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // Blocks of another width are left over from a trial.
        let blocks = std::iter::from_fn(next).find_map(|kept| kept.downcast::<Vec<Block<W>>>().ok());
        let mut blocks = blocks.map_or_else(Vec::new, |blocks| *blocks);
        blocks.iter_mut().for_each(Block::reset);
        while blocks.len() < count {
            blocks.push(Block::new(lanes));
        }
        blocks
    }

    /// Keeps blocks for later.
    pub fn put<const W: usize>(&self, blocks: Vec<Block<W>>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST {
            kept.push(Box::new(blocks));
        }
    }
}
