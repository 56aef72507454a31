//! The values of the moves of a role, by playouts from its models.
//!
//! For every model and every move some playouts begin with that move; their mean is the value of the move in
//! that model, and the weighted mean over all models is its value. The playouts of all models and moves, and
//! of any number of bags, form one request, so that they fill the lanes of games that play side by side.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, Playouts, Rng, RoleId, Seed, Start};
use rustc_hash::FxHashMap;

use super::bag::{Bag, Remedy, Weights};
use super::model::Place;

/// Playouts longer than this are cut off, and count as goal 0.
const MAX_STEPS: u32 = 10_000;

/// The value of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The move.
    pub mv: MoveId,
    /// The weighted mean of the goals it led to.
    pub value: f64,
}

/// The sums of playouts, by model and move, for one bag.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    moves: Vec<MoveId>,
    /// Whether these are the legal moves in all models.
    agreed: bool,
    weights: Vec<f64>,
    /// The sum of goals and the number of playouts, model by model.
    cells: Vec<(f64, f64)>,
}

impl Sums {
    /// Creates empty sums for the current models of a bag. Returns `None` if there is no model.
    pub fn new<S: Clone>(bag: &Bag<S>, weights: Weights, remedy: Remedy) -> Option<Sums> {
        bag.current().next()?;
        let (moves, agreed) = bag.own_moves();
        let weights = bag.weights(weights, remedy);
        let cells = vec![(0.0, 0.0); moves.len() * weights.len()];
        Some(Sums { moves, agreed, weights, cells })
    }

    /// Returns `true` if there is more than one move.
    pub fn has_choice(&self) -> bool {
        self.moves.len() > 1
    }

    /// Returns `true` if the models agree about which moves are legal.
    pub fn agreed(&self) -> bool {
        self.agreed
    }

    /// Returns the moves, in canonical order.
    pub fn moves(&self) -> &[MoveId] {
        &self.moves
    }

    /// Adds a result for a model and a move.
    pub fn add(&mut self, model: usize, mv: usize, goal: f64) {
        let cell = &mut self.cells[model * self.moves.len() + mv];
        cell.0 += goal;
        cell.1 += 1.0;
    }

    /// Returns the value of every move over the models in which it was tried. Moves that were never tried are
    /// left out.
    pub fn scores(&self) -> Vec<Score> {
        let mut scores = Vec::new();
        for (place, &mv) in self.moves.iter().enumerate() {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (model, weight) in self.weights.iter().enumerate() {
                let (goals, count) = self.cells[model * self.moves.len() + place];
                if count > 0.0 {
                    sum += weight * goals / count;
                    weights += weight;
                }
            }
            if weights > 0.0 {
                scores.push(Score { mv, value: sum / weights });
            }
        }
        scores
    }

    /// Returns the move with the highest value, a random one of several, and a random move if nothing was
    /// tried.
    pub fn best(&self, chance: &mut Rng) -> Option<MoveId> {
        self.best_of(&self.scores(), chance)
    }

    /// Does the same with known scores.
    pub fn best_of(&self, scores: &[Score], chance: &mut Rng) -> Option<MoveId> {
        let most = scores.iter().map(|score| score.value).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<MoveId> =
            scores.iter().filter(|score| score.value >= most - 1e-9).map(|score| score.mv).collect();
        let from = if best.is_empty() { &self.moves } else { &best };
        (!from.is_empty()).then(|| from[chance.below(from.len())])
    }
}

/// Plays `count` playouts for every model and move of the bags that have a choice, and adds their results.
/// Returns the number of states visited.
///
/// Models that reached the same state in different ways have the same future: they share their playouts, and
/// each gets the mean of all.
pub(super) fn playouts<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    asked: &mut [(&mut Bag<G::State>, &mut Sums)],
    count: u32,
    seed: Seed,
    deadline: &Deadline,
) -> Result<u64, Fault> {
    let most = asked.iter().map(|(_, sums)| if sums.has_choice() { sums.cells.len() } else { 0 }).sum();
    let (mut starts, mut owners) = (Vec::with_capacity(most), Vec::with_capacity(most));
    for (index, (bag, sums)) in asked.iter().enumerate().filter(|(_, (_, sums))| sums.has_choice()) {
        if deadline.is_over() {
            return Ok(0);
        }
        // In most games models differ in what others hold, not in what they may do.
        let mut joints: Vec<Arc<[MoveId]>> = vec![[].into(); sums.moves.len()];
        let mut first_starts: FxHashMap<&G::State, usize> = FxHashMap::default();
        first_starts.reserve(sums.weights.len());
        for (model, place) in bag.current().map(|model| model.place()).enumerate() {
            if place.legal.iter().any(Vec::is_empty) {
                continue;
            }
            let own = &place.legal[bag.role.index()];
            let has_all = *own == sums.moves;
            let moves = sums.moves.iter().enumerate().filter(|(_, mv)| has_all || own.contains(mv));
            let first_start = *first_starts.entry(&place.state).or_insert(starts.len());
            if first_start == starts.len() {
                for (at, &mv) in moves.clone() {
                    begin_with(place, bag.role, mv, &mut joints[at]);
                    let first = Some(Arc::clone(&joints[at]));
                    starts.push(Start { state: place.state.clone(), first, count: 0 });
                }
            }
            for (start, (at, _)) in (first_start..).zip(moves) {
                starts[start].count += count;
                owners.push((index, model, at, start));
            }
        }
    }
    if starts.is_empty() {
        return Ok(0);
    }
    let request =
        Playouts { max_steps: MAX_STEPS, deadline: deadline.clone(), ..Playouts::new(&starts, seed) };
    let totals = game.totals(scratch, &request)?;
    for (index, model, at, start) in owners {
        let (bag, sums) = &mut asked[index];
        let cell = &mut sums.cells[model * sums.moves.len() + at];
        let sharing = f64::from(starts[start].count / count.max(1));
        cell.0 += totals.goals_of(start, bag.role) as f64 / sharing;
        cell.1 += f64::from(totals.playouts[start]) / sharing;
    }
    Ok(totals.steps)
}

/// Sets `joint` to the first joint move of playouts that begin with a role's move. Moves of others who have a
/// choice are drawn for each playout.
fn begin_with<S>(place: &Place<S>, role: RoleId, mv: MoveId, joint: &mut Arc<[MoveId]>) {
    let of_role = |(index, moves): (usize, &Vec<MoveId>)| match moves[..] {
        _ if index == role.index() => mv,
        [only] => only,
        _ => MoveId::DRAWN,
    };
    let moves = || place.legal.iter().enumerate().map(of_role);
    if !moves().eq(joint.iter().copied()) {
        *joint = moves().collect();
    }
}
