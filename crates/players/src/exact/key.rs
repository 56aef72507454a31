//! Positions as keys of 128 bits, similar to Zobrist hashing.
//!
//! Every fluent has a random number, and the key of a position is the sum of the numbers of its fluents. The
//! least sum over all images under symmetries of the rules is the key of all of them. Two positions have the
//! same key by accident only once in far more positions than can ever be visited, so tables store the keys
//! and not the positions.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use game::{Fault, FluentId, Game, Rng, Seed, Structure, numbered};

use super::alike::{MOST, images};

/// The key of a position.
pub type Key = u128;

/// Computes the keys of positions.
#[derive(Debug, Clone)]
pub struct Keys {
    /// For each fluent, its number, followed by those of its images.
    numbers: Vec<Key>,
    /// The number of entries per fluent; 0 if fluents are not numbered.
    width: usize,
    /// The fluents of the last position.
    fluents: Vec<FluentId>,
}

impl Keys {
    /// Creates keys for a game, with its symmetries if it has any. Fluents that are `left_out` do not count.
    pub fn new<G: Game>(game: &G, structure: &Structure, left_out: &[FluentId]) -> Keys {
        let count = game::fluent_count(game);
        let images = if count == 0 { Vec::new() } else { images(structure) };
        let mut rng = Seed(0).derive_name("keys").rng();
        let mut own: Vec<Key> = (0..count).map(|_| number(&mut rng)).collect();
        left_out.iter().for_each(|fluent| own[fluent.0 as usize] = 0);
        let mut numbers = Vec::with_capacity(count * (images.len() + 1));
        for fluent in 0..count {
            numbers.push(own[fluent]);
            numbers.extend(images.iter().map(|image| own[image[fluent].0 as usize]));
        }
        let width = if count == 0 { 0 } else { images.len() + 1 };
        Keys { numbers, width, fluents: Vec::new() }
    }

    /// Returns the key of a position.
    pub fn of<G: Game>(&mut self, game: &G, state: &G::State) -> Result<Key, Fault> {
        if self.width == 0 {
            return Ok(hashed(state));
        }
        numbered(game)?.fluents(state, &mut self.fluents)?;
        Ok(self.sum(&self.fluents))
    }

    /// Returns the fluents of the position of the last call.
    pub fn fluents(&self) -> &[FluentId] {
        &self.fluents
    }

    fn sum(&self, fluents: &[FluentId]) -> Key {
        let width = self.width;
        if width == 1 {
            let numbers = fluents.iter().map(|fluent| self.numbers[fluent.0 as usize]);
            return numbers.fold(0, Key::wrapping_add);
        }
        let mut sums: [Key; MOST + 1] = [0; MOST + 1];
        for fluent in fluents {
            let numbers = &self.numbers[fluent.0 as usize * width..][..width];
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        }
        sums[..width].iter().copied().min().unwrap_or(0)
    }
}

fn number(rng: &mut Rng) -> Key {
    let half = |rng: &mut Rng| rng.below(usize::MAX) as Key;
    half(rng) << 64 | half(rng)
}

/// Returns two hashes with fixed keys.
fn hashed<S: std::hash::Hash>(state: &S) -> Key {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    Key::from(hasher.hash_one((state, 1u8))) << 64 | Key::from(hasher.hash_one((state, 2u8)))
}
