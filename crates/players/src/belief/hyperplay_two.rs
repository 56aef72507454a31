//! HyperPlay-II: simulated games instead of playouts.
//!
//! `hyperplay2(N1,k1,N2,k2)` keeps N1 models and simulates k1 games for each
//! model and move, in which every role is played by `hyperplay(N2,k2)` from what
//! that role saw. So a move is worth what it tells oneself and others. The
//! players of a simulated game do not value information any more.
//!
//! As published every simulated game begins at the initial state and its players
//! think in every round (`replay=full`). Otherwise players that saw the same
//! share their bags, and bags go on from round to round.

use std::sync::Arc;

use game::{Deadline, Explanation, Fault, Game, MatchContext, MoveId, Observation, Player};

use super::evaluate::Score;
use super::forward::place;
use super::hyperplay::{Seat, not_started};
use super::model::Model;
use super::nested::{Cache, Job, Simulator};
use super::settings::Nested;
use super::view::{Seen, Visited};

/// Games simulated side by side.
const SIDE_BY_SIDE: usize = 256;

/// Plays from a bag of models, by simulated games.
pub struct HyperPlayTwo<G: Game> {
    settings: Nested,
    seat: Option<Seat<G>>,
    cache: Cache<G::State>,
}

impl<G: Game> HyperPlayTwo<G> {
    /// With these settings.
    pub fn new(settings: Nested) -> HyperPlayTwo<G> {
        HyperPlayTwo { settings, seat: None, cache: Cache::default() }
    }

    /// What the moves were worth in the last choice; empty if there was none.
    pub fn scores(&self) -> &[Score] {
        self.seat.as_ref().map_or(&[], |seat| &seat.scores)
    }

    /// What the last choice cost.
    pub fn visited(&self) -> Visited {
        self.seat.as_ref().map_or_else(Visited::default, |seat| seat.visited)
    }

    fn think(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(not_started)?;
        let mut sums = seat.prepare(&self.settings.outer, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(not_started);
        }
        let margin = deadline.remaining().unwrap_or_default() / 16;
        let deadline = deadline.earlier(margin);
        let initial = place(&*seat.game, seat.game.initial())?;
        let simulator = Simulator {
            game: &*seat.game,
            role: seat.bag.role,
            initial: &initial,
            inner: &self.settings.inner,
            full: self.settings.full,
            deadline: &deadline,
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

impl<G: Game> Player<G> for HyperPlayTwo<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.cache = Cache::default();
        self.seat = Some(Seat::new(game, context, self.settings.outer.models)?);
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().ok_or_else(not_started)?.bag.see(Seen::from(observation));
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let thought = self.think(deadline);
        let rescue = |fault| self.seat.as_mut().and_then(Seat::any_move).ok_or(fault);
        thought.or_else(rescue)
    }

    fn explain(&self) -> Explanation {
        self.seat.as_ref().map(Seat::explain).unwrap_or_default()
    }
}
