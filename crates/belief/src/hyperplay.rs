//! HyperPlay: playouts from a weighted bag of models.
//!
//! `hyperplay(N,k)` keeps N models and plays k playouts for each model and move. It assumes that the state of
//! each model is known to itself and to all others, so information has no value for it: it neither pays for
//! information nor keeps secrets.

use game::{Deadline, Fault, Game, MoveId, Seed};

use super::believer::{Believer, Playing, Way, no_move};
use super::evaluate::playouts;
use super::settings::Settings;

/// The number of playouts for each model and move between two checks of the deadline.
const BETWEEN: u32 = 4;
/// The number of playouts for each model and move if there is neither a number nor a clock.
const ENOUGH: u32 = 16;

/// Plays by playouts from a bag of models.
pub type HyperPlay<G> = Believer<G, Settings>;

impl<G: Game> Way<G> for Settings {
    fn is_counted(&self) -> bool {
        self.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.models
    }

    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let mut sums = seat.prepare(self, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(no_move);
        }
        let endless = deadline.remaining().is_none();
        let wanted = self.playouts.or(endless.then_some(ENOUGH));
        loop {
            let count = wanted.unwrap_or(BETWEEN);
            let seed = Seed(seat.chance.next_u64());
            let asked = &mut [(&mut seat.bag, &mut sums)];
            let (game, scratch) = (&*seat.game, &mut seat.scratch);
            seat.visited.playouts += playouts(game, scratch, asked, count, seed, deadline)?;
            if wanted.is_some() || deadline.is_over() {
                return seat.choose(&sums);
            }
        }
    }
}
