//! HyperPlay-II: simulated games instead of playouts.
//!
//! `hyperplay2(N1,k1,N2,k2)` keeps N1 models and simulates k1 games for each model and move, in which every
//! role is played by `hyperplay(N2,k2)` from what that role saw. The value of a move therefore includes what
//! it reveals to the role itself and to others. The players of a simulated game do not value information.
//!
//! As published, every simulated game begins at the initial state and its players think in every round
//! (`replay=full`). Otherwise players that saw the same share their bags, and bags are carried over from
//! round to round. With `depth=N`, games are simulated for N steps and end with a random playout.

use game::{Deadline, Fault, Game, MoveId};

use super::believer::{Believer, Playing, Way, no_move};
use super::forward::place;
use super::model::Model;
use super::nested::{Cache, Job, Simulator};
use super::settings::Nested;

/// The number of games simulated side by side.
const SIDE_BY_SIDE: usize = 256;

/// Plays by simulated games from a bag of models.
pub type HyperPlayTwo<G> = Believer<G, Simulate<G>>;

/// The way of [`HyperPlayTwo`].
pub struct Simulate<G: Game> {
    settings: Nested,
    cache: Cache<G::State>,
}

impl<G: Game> From<Nested> for Simulate<G> {
    fn from(settings: Nested) -> Simulate<G> {
        Simulate { settings, cache: Cache::default() }
    }
}

impl<G: Game> Way<G> for Simulate<G> {
    fn is_counted(&self) -> bool {
        self.settings.outer.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.settings.outer.models
    }

    fn begin(&mut self, _: &mut Playing<G>, _: &Deadline) -> Result<(), Fault> {
        self.cache = Cache::default();
        Ok(())
    }

    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let mut sums = seat.prepare(&self.settings.outer, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(no_move);
        }
        let initial = place(&*seat.game, &mut seat.scratch, seat.game.initial())?;
        let mut simulator = Simulator {
            game: &*seat.game,
            scratch: &mut seat.scratch,
            role: seat.bag.role,
            initial: &initial,
            inner: &self.settings.inner,
            full: self.settings.full,
            depth: self.settings.depth,
            deadline,
        };
        let models: Vec<&Model<G::State>> = seat.bag.current().collect();
        if !self.settings.full {
            let old = std::mem::take(&mut self.cache);
            self.cache = simulator.cache(&models, &old, &mut seat.chance, &mut seat.visited)?;
        }
        let games = self.settings.outer.playouts.unwrap_or(1) as usize;
        let of_one = models.len() * sums.moves().len();
        let all: Vec<(usize, usize)> = (0..games * of_one)
            .map(|number| (number % of_one / sums.moves().len(), number % sums.moves().len()))
            .collect();
        for numbers in all.chunks(SIDE_BY_SIDE) {
            if deadline.is_over() {
                break;
            }
            let moves = sums.moves().to_vec();
            let playable = |(model, at): &&(usize, usize)| {
                models[*model].place().legal[seat.bag.role.index()].contains(&moves[*at])
            };
            let numbers: Vec<&(usize, usize)> = numbers.iter().filter(playable).collect();
            let jobs: Vec<Job<'_, G::State>> =
                numbers.iter().map(|(model, at)| Job { model: models[*model], own: moves[*at] }).collect();
            let goals = simulator.run(&jobs, &self.cache, &mut seat.chance, &mut seat.visited)?;
            for ((model, at), goal) in numbers.into_iter().zip(goals) {
                if let Some(goal) = goal {
                    sums.add(*model, *at, goal);
                }
            }
        }
        seat.choose(&sums)
    }
}
