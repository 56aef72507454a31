//! One representative for all positions that symmetries of the rules map to each other.
//!
//! Every fluent has a random number, and the image of a position whose numbers have the least sum represents
//! all of its images. Two images with the same sum may both represent a position, which only costs memory.

use game::{Fault, FluentId, Game, Seed, Structure, numbered};

/// The maximum number of symmetries that are used; more cost more than they save.
pub(super) const MOST: usize = 15;

/// The symmetries of a game that map every role to itself.
#[derive(Debug, Clone)]
pub struct Alike {
    /// For each symmetry, the image of each fluent.
    images: Vec<Vec<FluentId>>,
    /// For each fluent, its number, followed by those of its images.
    numbers: Vec<u64>,
}

/// Returns the images of fluents under the symmetries that fix every role and the step counter; empty if
/// there are too many.
pub(super) fn images(structure: &Structure) -> Vec<Vec<FluentId>> {
    let clock = structure.clock.iter().flat_map(|clock| &clock.fluents);
    let clock: Vec<FluentId> = clock.copied().collect();
    let images: Vec<Vec<FluentId>> = structure
        .group(1000)
        .into_iter()
        .filter(|symmetry| symmetry.keeps_roles())
        .map(|symmetry| symmetry.fluents)
        .filter(|image| clock.iter().all(|fluent| image[fluent.0 as usize] == *fluent))
        .collect();
    if images.len() > MOST { Vec::new() } else { images }
}

impl Alike {
    /// Returns the symmetries of a structure, or `None` if there are none or too many.
    pub fn of(structure: &Structure) -> Option<Alike> {
        let images = images(structure);
        if images.is_empty() {
            return None;
        }
        let mut rng = Seed(0).derive_name("alike").rng();
        let own: Vec<u64> = images[0].iter().map(|_| rng.below(usize::MAX) as u64).collect();
        let number = |image: &Vec<FluentId>, fluent: usize| own[image[fluent].0 as usize];
        let numbers = (0..own.len())
            .flat_map(|fluent| {
                let others = images.iter().map(move |image| number(image, fluent));
                std::iter::once(own[fluent]).chain(others).collect::<Vec<u64>>()
            })
            .collect();
        Some(Alike { images, numbers })
    }

    /// Replaces fluents by those of their representative position. Returns `true` if they changed.
    pub fn settle(&self, fluents: &mut [FluentId]) -> bool {
        let width = self.images.len() + 1;
        let mut sums = [0u64; MOST + 1];
        for fluent in fluents.iter() {
            let numbers = &self.numbers[fluent.0 as usize * width..][..width];
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        }
        let mut least = 0;
        for place in 1..width {
            if sums[place] < sums[least] {
                least = place;
            }
        }
        let Some(image) = least.checked_sub(1).map(|number| &self.images[number]) else { return false };
        fluents.iter_mut().for_each(|fluent| *fluent = image[fluent.0 as usize]);
        fluents.sort_unstable();
        true
    }

    /// Returns `true` if every symmetry fixes the initial state. Only then are the images of reachable states
    /// reachable too, so that play can continue from them: some games reject unreachable states.
    pub fn keeps_initial<G: Game>(&self, game: &G) -> bool {
        let mut own = Vec::new();
        let Some(grounded) = game.grounded() else { return false };
        if grounded.fluents(&game.initial(), &mut own).is_err() {
            return false;
        }
        self.images.iter().all(|image| {
            let mut other: Vec<FluentId> = own.iter().map(|fluent| image[fluent.0 as usize]).collect();
            other.sort_unstable();
            other == own
        })
    }

    /// Returns the representative of a position.
    pub fn key<G: Game>(&self, game: &G, state: &G::State) -> Result<G::State, Fault> {
        let mut fluents = Vec::new();
        numbered(game)?.fluents(state, &mut fluents)?;
        // An image that is not a state of the game cannot represent anything.
        let image = self
            .settle(&mut fluents)
            .then(|| numbered(game).and_then(|own| own.with_fluents(&fluents)).ok())
            .flatten();
        Ok(image.unwrap_or_else(|| state.clone()))
    }
}
