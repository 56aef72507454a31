//! The common part of all players that use a bag of models.
//!
//! A [`Believer`] keeps a [`Playing`]: the bag, brought to the current step of the match, and the basis of the
//! last choice. How it chooses is a [`Way`]. If a fault occurs while it thinks, it makes a legal move if any
//! model has one, and reports the fault.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{
    Considered, Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Player, Reserve, Rng, RoleId,
    States, Thought,
};

use super::bag::{Bag, Remedy, Weights, moves_in};
use super::evaluate::{Score, Sums};
use super::forward::{catch_up, place};
use super::model::Model;
use super::sampler::{Origin, Sampler, different};
use super::settings::Settings;
use super::share::find_shares;
use super::view::{Seen, Visited};

/// How a [`Believer`] chooses.
pub trait Way<G: Game>: Send {
    /// Returns `true` if its thinking is counted; otherwise it thinks until the deadline.
    fn is_counted(&self) -> bool;

    /// Returns the number of models in the bag.
    fn models(&self) -> usize;

    /// Returns the maximum size of an information set whose histories are listed completely, for ways that
    /// begin in histories drawn by their probabilities.
    fn histories(&self) -> Option<usize> {
        None
    }

    /// Prepares for a match.
    fn begin(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<(), Fault> {
        let _ = (seat, deadline);
        Ok(())
    }

    /// Chooses a move.
    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault>;
}

/// The state of a player of this crate during a match.
pub struct Playing<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// The memory that questions about the game write to.
    pub scratch: G::Scratch,
    /// The models.
    pub bag: Bag<G::State>,
    /// Histories drawn by their probabilities, for ways that begin in them.
    pub(super) sampler: Option<Sampler<G::State>>,
    /// The source of its random choices.
    pub chance: Rng,
    /// The number of states visited for the last choice.
    pub visited: Visited,
    /// The values of the moves in the last choice.
    pub scores: Vec<Score>,
    /// The probabilities of the moves, if they were mixed.
    pub mix: Vec<(MoveId, f64)>,
    /// The move, if it follows from what was seen, whatever the seed.
    pub sure: Option<MoveId>,
    /// Further remarks about the last choice.
    pub notes: Vec<(String, String)>,
    /// The fault because of which the last choice was random.
    pub fault: Option<Fault>,
    /// The number of moves to choose from, and whether the models agreed about which are legal.
    choices: usize,
    agreed: bool,
}

impl<G: Game> Playing<G> {
    /// Begins a match.
    pub(super) fn new(game: &Arc<G>, context: &MatchContext, way: &impl Way<G>) -> Result<Playing<G>, Fault> {
        let mut scratch = game.scratch();
        let initial = place(&**game, &mut scratch, game.initial())?;
        let (models, seed) = (way.models(), context.seed.derive_name("histories"));
        let sampler = |limit| Sampler::new(context.role, Model::new(&initial), limit, models, seed);
        Ok(Playing {
            game: Arc::clone(game),
            scratch,
            sampler: way.histories().map(sampler),
            bag: Bag::new(context.role, &initial, models, context.seed.derive_name("models")),
            chance: context.seed.derive_name("choice").rng(),
            visited: Visited::default(),
            scores: Vec::new(),
            mix: Vec::new(),
            sure: None,
            notes: Vec::new(),
            fault: None,
            choices: 0,
            agreed: true,
        })
    }

    /// Returns the role.
    pub fn role(&self) -> RoleId {
        self.bag.role
    }

    /// Brings the models to the current step of the match, and prepares the sums of its moves.
    pub(super) fn prepare(&mut self, settings: &Settings, deadline: &Deadline) -> Result<Sums, Fault> {
        let tried = self.bag.tried();
        // Half of the time is for the playouts.
        let half = deadline.remaining().map_or_else(Duration::default, |left| left / 2);
        catch_up(&*self.game, &mut self.scratch, &mut [&mut self.bag], true, &deadline.earlier(half))?;
        if settings.remedy == Remedy::Balance {
            self.bag.balance();
        }
        if settings.weights == Weights::Sampled {
            find_shares(&*self.game, &mut self.scratch, &mut self.bag, &deadline.earlier(half))?;
        }
        self.visited = Visited { playouts: 0, sampling: self.bag.tried() - tried };
        // If nothing contradicts what was seen, only time was missing.
        let sums = Sums::new(&self.bag, settings.weights, settings.remedy).ok_or(Fault::Stopped)?;
        self.choices = sums.moves().len();
        self.agreed = sums.agreed();
        Ok(sums)
    }

    /// Brings the histories to begin in to the current step of the match. Returns the legal moves of the
    /// role.
    pub(super) fn gather(&mut self, deadline: &Deadline) -> Result<Vec<MoveId>, Fault> {
        let Some(sampler) = &mut self.sampler else { return Err(no_move()) };
        let tried = self.bag.tried() + sampler.tried();
        let left = deadline.remaining().unwrap_or_default();
        let (game, scratch) = (&*self.game, &mut self.scratch);
        if !sampler.follow(game, scratch, &self.bag.seen, &deadline.earlier(left * 3 / 4))? {
            catch_up(game, scratch, &mut [&mut self.bag], true, &deadline.earlier(left / 2))?;
            sampler.take(&self.bag);
        }
        self.visited = Visited { playouts: 0, sampling: self.bag.tried() + sampler.tried() - tried };
        // If nothing contradicts what was seen, only time was missing.
        if sampler.worlds().is_empty() {
            return Err(Fault::Stopped);
        }
        let (moves, agreed) = moves_in(sampler.worlds().iter().map(|world| &world.model), self.bag.role);
        (self.choices, self.agreed) = (moves.len(), agreed);
        Ok(moves)
    }

    /// Returns a random legal move as a last resort, according to the histories that got furthest.
    fn any_move(&mut self) -> Option<MoveId> {
        let depth = self.bag.furthest().map_or(0, |model| model.depth());
        let worlds = self.sampler.iter().flat_map(|sampler| sampler.worlds());
        let drawn: Vec<_> = worlds.map(|world| &world.model).filter(|model| model.depth() >= depth).collect();
        let (moves, _) =
            if drawn.is_empty() { self.bag.own_moves() } else { moves_in(drawn.into_iter(), self.bag.role) };
        (!moves.is_empty()).then(|| moves[self.chance.below(moves.len())])
    }

    /// Chooses by the sums, and remembers the scores.
    pub(super) fn choose(&mut self, sums: &Sums) -> Result<MoveId, Fault> {
        self.scores = sums.scores();
        sums.best_of(&self.scores, &mut self.chance).ok_or_else(no_move)
    }

    /// Draws a move from a mixed strategy, and remembers the strategy.
    pub(super) fn draw(&mut self, mix: Vec<(MoveId, f64)>) -> Result<MoveId, Fault> {
        let drawn = draw(&mix, &mut self.chance);
        self.mix = mix;
        drawn.ok_or_else(no_move)
    }

    /// Returns the basis of the last choice.
    fn thought(&self) -> Thought {
        let mut mix = self.mix.clone();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut best = self.scores.clone();
        best.sort_by(|a, b| b.value.total_cmp(&a.value));
        let value = best.first().map(|score| score.value);
        let scored = |score: &Score| Considered { value: Some(score.value), ..Considered::new(score.mv) };
        let mixed = |&(mv, share): &(MoveId, f64)| {
            let value = self.scores.iter().find(|score| score.mv == mv).map(|score| score.value);
            Considered { value, share: Some(share), ..Considered::new(mv) }
        };
        let mut moves: Vec<Considered> = mix.iter().map(mixed).collect();
        let others = best.iter().filter(|score| mix.iter().all(|(mv, _)| *mv != score.mv));
        moves.extend(others.map(scored));
        let mut thought = Thought { value, moves, fault: self.fault.clone(), ..Thought::default() };
        if value.is_none() && mix.is_empty() {
            let because = match () {
                () if self.fault.is_some() => "drawn at random",
                () if self.choices > 1 => "drawn at random: there was no time to try a move",
                () if !self.agreed => "the only move that is legal in all models",
                () => "the only legal move",
            };
            thought.note("because", because);
        }
        if let Some(sampler) = &self.sampler {
            let count = different(sampler.worlds());
            let text = match sampler.origin() {
                Origin::All => format!("{count}, all that agree with what was seen"),
                Origin::Drawn => format!("{} sampled, {count} distinct", sampler.worlds().len()),
                Origin::Mended => format!("{count} from the bag"),
            };
            thought.note("histories", text);
        } else if self.bag.current().next().is_some() {
            let text = format!("{}, {} distinct", self.bag.current().count(), self.bag.different());
            thought.note("models", text);
        }
        if !self.agreed {
            thought.note("legal", "the models disagree about which moves are legal");
        }
        thought.notes.extend(self.notes.iter().cloned());
        let Visited { playouts, sampling } = self.visited;
        thought.states = Some(States { search: 0, playouts, sampling });
        thought
    }
}

/// Draws a move from a mixed strategy.
pub(super) fn draw(mix: &[(MoveId, f64)], chance: &mut Rng) -> Option<MoveId> {
    let mut left = chance.unit() * mix.iter().map(|(_, share)| share).sum::<f64>();
    for (mv, share) in mix {
        left -= share;
        if left < 0.0 {
            return Some(*mv);
        }
    }
    mix.last().map(|(mv, _)| *mv)
}

pub(super) fn no_move() -> Fault {
    Fault::BadState("there is no legal move to choose from".to_string())
}

/// Plays from a bag of models in its own way.
pub struct Believer<G: Game, W> {
    way: W,
    seat: Option<Playing<G>>,
    reserve: Reserve,
}

impl<G: Game, W: Way<G>> Believer<G, W> {
    /// Creates a player with these settings.
    pub fn new(settings: impl Into<W>) -> Believer<G, W> {
        Believer { way: settings.into(), seat: None, reserve: Reserve::default() }
    }

    /// Returns the values of the moves in the last choice; empty if there was none.
    pub fn scores(&self) -> &[Score] {
        self.seat.as_ref().map_or(&[], |seat| &seat.scores)
    }

    /// Returns the number of states visited for the last choice.
    pub fn visited(&self) -> Visited {
        self.seat.as_ref().map_or_else(Visited::default, |seat| seat.visited)
    }

    /// Returns the bag.
    pub fn bag(&self) -> Option<&Bag<G::State>> {
        self.seat.as_ref().map(|seat| &seat.bag)
    }

    /// Returns the histories that the last choice began in, each as consecutive joint moves, with weights
    /// that add up to one; empty for ways that play from the models of the bag.
    pub fn histories(&self) -> Vec<(Vec<MoveId>, f64)> {
        let sampler = self.seat.as_ref().and_then(|seat| seat.sampler.as_ref());
        let worlds = sampler.map_or(&[][..], |sampler| sampler.worlds());
        worlds.iter().map(|world| (world.model.path(), world.weight)).collect()
    }

    fn seat(&mut self) -> Result<&mut Playing<G>, Fault> {
        self.seat.as_mut().ok_or_else(|| Fault::BadState("the match has not begun".to_string()))
    }
}

impl<G: Game, W: Way<G>> Player<G> for Believer<G, W> {
    fn is_counted(&self) -> bool {
        self.way.is_counted()
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let seat = self.seat.insert(Playing::new(game, context, &self.way)?);
        self.way.begin(seat, deadline)
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat()?.bag.see(Seen::from(observation));
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let Believer { way, seat: Some(seat), reserve } = self else {
            return self.seat().and_then(|_| Err(no_move()));
        };
        seat.visited = Visited::default();
        seat.scores.clear();
        seat.mix.clear();
        seat.sure = None;
        seat.notes.clear();
        seat.fault = None;
        (seat.choices, seat.agreed) = (0, true);
        let early = reserve.early(deadline, deadline.remaining());
        reserve.begin();
        let (began, given) = (Instant::now(), early.remaining());
        let chosen = way.think(seat, &early).or_else(|fault| {
            let drawn = seat.any_move().ok_or_else(|| fault.clone());
            seat.scores.clear();
            seat.mix.clear();
            seat.fault = Some(fault);
            drawn
        });
        // The time by which it exceeded the deadline.
        reserve.took(given.map_or(Duration::ZERO, |given| began.elapsed().saturating_sub(given)));
        chosen
    }

    fn mix(&self) -> Mix {
        match &self.seat {
            Some(Playing { sure: Some(mv), .. }) => Mix::sure(*mv),
            Some(Playing { mix, .. }) if !mix.is_empty() => Mix::Drawn(mix.clone()),
            _ => Mix::Untold,
        }
    }

    fn thought(&self) -> Thought {
        self.seat.as_ref().map(Playing::thought).unwrap_or_default()
    }
}
