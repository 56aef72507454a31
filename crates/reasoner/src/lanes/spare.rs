//! Blocks that wait for the next request, because short playouts take less time
//! than making blocks anew.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use super::Lanes;
use super::block::Block;

/// Requests under way at a time whose blocks are kept.
const MOST: usize = 64;

/// Blocks that are not in use, those of one request together.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Box<dyn Any + Send>>>);

impl Spare {
    /// So many blocks at least, in which nothing is under way.
    pub fn take<const W: usize>(&self, lanes: &Lanes, count: usize) -> Vec<Block<W>> {
        let next = || self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // Blocks of another width are those of a trial.
        let blocks = std::iter::from_fn(next).find_map(|kept| kept.downcast::<Vec<Block<W>>>().ok());
        let mut blocks = blocks.map_or_else(Vec::new, |blocks| *blocks);
        blocks.iter_mut().for_each(Block::reset);
        while blocks.len() < count {
            blocks.push(Block::new(lanes));
        }
        blocks
    }

    /// Keeps them.
    pub fn put<const W: usize>(&self, blocks: Vec<Block<W>>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST {
            kept.push(Box::new(blocks));
        }
    }
}
