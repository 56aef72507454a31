//! HyperPlay: playouts from a weighted bag of models.
//!
//! `hyperplay(N,k)` keeps N models and plays k playouts for each model and move.
//! It takes the state of each model for known, by itself and by all others, so
//! to it information is worth nothing: it neither pays for information nor keeps
//! secrets.

use std::sync::Arc;
use std::time::Duration;

use game::{Deadline, Explanation, Fault, Game, MatchContext, MoveId, Observation, Player, Rng};

use super::bag::{Bag, Remedy};
use super::evaluate::{Score, Sums, playouts};
use super::forward::{catch_up, place};
use super::settings::Settings;
use super::view::{Seen, Visited};

/// Playouts for each model and move between two looks at the clock.
const BETWEEN: u32 = 4;
/// Playouts for each model and move where there is neither a number nor a clock.
const ENOUGH: u32 = 16;
/// Moves that are listed in explanations.
const LISTED: usize = 5;

/// What a player of this folder is in during a match.
pub(super) struct Seat<G: Game> {
    pub game: Arc<G>,
    pub bag: Bag<G::State>,
    pub chance: Rng,
    /// What the last move cost.
    pub visited: Visited,
    pub scores: Vec<Score>,
}

impl<G: Game> Seat<G> {
    /// At the beginning of a match.
    pub fn new(game: &Arc<G>, context: &MatchContext, models: usize) -> Result<Seat<G>, Fault> {
        let initial = place(&**game, game.initial())?;
        let bag = Bag::new(context.role, &initial, models, context.seed.derive_name("models"));
        let chance = context.seed.derive_name("choice").rng();
        let game = Arc::clone(game);
        Ok(Seat { game, bag, chance, visited: Visited::default(), scores: Vec::new() })
    }

    /// Brings the models to where the match is, and prepares the sums of its moves.
    pub fn prepare(&mut self, settings: &Settings, deadline: &Deadline) -> Result<Sums, Fault> {
        let tried = self.bag.tried();
        // Half of the time is for the playouts.
        let half = deadline.remaining().map_or_else(Duration::default, |left| left / 2);
        catch_up(&*self.game, &mut [&mut self.bag], true, &deadline.earlier(half))?;
        self.visited = Visited { playouts: 0, sampling: self.bag.tried() - tried };
        self.scores.clear();
        if settings.remedy == Remedy::Balance {
            self.bag.balance();
        }
        let missing = || Fault::BadState("no model of the match was found in time".to_string());
        Sums::new(&self.bag, settings.weights, settings.remedy).ok_or_else(missing)
    }

    /// A legal move for want of a better one: one that is legal in the model that came furthest.
    pub fn any_move(&mut self) -> Option<MoveId> {
        let model = self.bag.furthest()?;
        let moves = &model.place().legal[self.bag.role.index()];
        (!moves.is_empty()).then(|| moves[self.chance.below(moves.len())])
    }

    /// Chooses by the sums, and remembers what they say.
    pub fn choose(&mut self, sums: &Sums) -> Result<MoveId, Fault> {
        self.scores = sums.scores();
        let nothing = || Fault::BadState("there is no legal move to choose from".to_string());
        sums.best(&mut self.chance).ok_or_else(nothing)
    }

    /// Says what the sums said.
    pub fn explain(&self) -> Explanation {
        let mut entries = Vec::new();
        let mut say = |name: &str, value: String| entries.push((name.to_string(), value));
        let mut best = self.scores.clone();
        best.sort_by(|a, b| b.value.total_cmp(&a.value));
        if let Some(score) = best.first() {
            say("value", format!("{:.1}", score.value));
        } else {
            say("because", "the only legal move".to_string());
        }
        for score in best.iter().take(LISTED) {
            say(&self.game.move_text(self.bag.role, score.mv), format!("value {:.1}", score.value));
        }
        say("models", format!("{}, {} different", self.bag.current().count(), self.bag.different()));
        let Visited { playouts, sampling } = self.visited;
        say("states", format!("{playouts} in playouts, {sampling} in sampling"));
        Explanation { entries }
    }
}

/// Plays from a bag of models.
pub struct HyperPlay<G: Game> {
    settings: Settings,
    seat: Option<Seat<G>>,
}

impl<G: Game> HyperPlay<G> {
    /// With these settings.
    pub fn new(settings: Settings) -> HyperPlay<G> {
        HyperPlay { settings, seat: None }
    }

    /// What the moves were worth in the last choice; empty if there was none.
    pub fn scores(&self) -> &[Score] {
        self.seat.as_ref().map_or(&[], |seat| &seat.scores)
    }

    /// What the last choice cost.
    pub fn visited(&self) -> Visited {
        self.seat.as_ref().map_or_else(Visited::default, |seat| seat.visited)
    }

    /// The bag.
    pub fn bag(&self) -> Option<&Bag<G::State>> {
        self.seat.as_ref().map(|seat| &seat.bag)
    }

    fn think(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(not_started)?;
        let mut sums = seat.prepare(&self.settings, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(not_started);
        }
        let endless = deadline.remaining().is_none();
        let margin = deadline.remaining().map_or_else(Duration::default, |left| left / 16);
        let deadline = deadline.earlier(margin);
        let wanted = self.settings.playouts.or(endless.then_some(ENOUGH));
        loop {
            let count = wanted.unwrap_or(BETWEEN);
            let seed = game::Seed(seat.chance.next_u64());
            let asked = &mut [(&mut seat.bag, &mut sums)];
            seat.visited.playouts += playouts(&*seat.game, asked, count, seed, &deadline)?;
            if wanted.is_some() || deadline.is_over() {
                return seat.choose(&sums);
            }
        }
    }
}

pub(super) fn not_started() -> Fault {
    Fault::BadState("the match has not begun".to_string())
}

impl<G: Game> Player<G> for HyperPlay<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.seat = Some(Seat::new(game, context, self.settings.models)?);
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
