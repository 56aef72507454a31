//! Trees of what roles may do and see, and the histories in which descents begin.

use std::sync::Arc;

use game::{Game, MoveId, Rng, Role, RoleId};

use crate::model::{Model, Place};
use crate::sampler::Sampler;
use crate::sets::{NOTHING, Views};

/// The set of a role that has no tree.
pub(crate) const NO_SET: u32 = u32::MAX;

/// One tree for each role that chooses, from the beginning of the match.
pub(crate) struct Forest {
    /// The index of each role's tree. Chance has none, nor have roles that are assumed to move at random.
    pub seats: Vec<Option<usize>>,
    /// The trees.
    pub views: Vec<Views>,
}

impl Forest {
    /// Creates trees for all roles except chance, or for one role only.
    pub fn new<G: Game>(game: &G, only: Option<RoleId>) -> Forest {
        let mut trees = 0;
        let mut seat = |(role, kind): (RoleId, &Role)| {
            let has = only.map_or(!kind.is_chance(), |only| only == role);
            trees += usize::from(has);
            has.then(|| trees - 1)
        };
        let seats = RoleId::all(game.roles().len()).zip(game.roles()).map(&mut seat).collect();
        Forest { seats, views: vec![Views::default(); trees] }
    }

    /// Returns the number of information sets in all trees.
    pub fn size(&self) -> usize {
        self.views.iter().map(|views| views.sets().len()).sum()
    }

    /// Returns the sets at the beginning of a match, by role.
    pub fn roots<S>(&mut self, place: &Place<S>) -> Vec<u32> {
        let seats = self.seats.len();
        self.enter(&vec![NOTHING; seats], &vec![Vec::new(); seats], &place.legal).0
    }

    /// Returns the sets, by role, after these sequences and percepts, and whether one with a choice is new.
    pub fn enter(
        &mut self,
        before: &[u32],
        percepts: &[Vec<game::PerceptId>],
        legal: &[Vec<MoveId>],
    ) -> (Vec<u32>, bool) {
        let (mut sets, mut fresh) = (vec![NO_SET; self.seats.len()], false);
        for (role, seat) in self.seats.iter().enumerate() {
            if let Some(seat) = seat {
                let (set, new) = self.views[*seat].enter_apart(before[role], &percepts[role], &legal[role]);
                fresh |= new && legal[role].len() > 1;
                sets[role] = set;
            }
        }
        (sets, fresh)
    }

    /// Returns the sets without adding any, or `None` if one is missing.
    pub fn find(
        &self,
        before: &[u32],
        percepts: &[Vec<game::PerceptId>],
        legal: &[Vec<MoveId>],
    ) -> Option<Vec<u32>> {
        let find = |(role, seat): (usize, &Option<usize>)| match seat {
            Some(seat) => self.views[*seat].find_apart(before[role], &percepts[role], &legal[role]),
            None => Some(NO_SET),
        };
        self.seats.iter().enumerate().map(find).collect()
    }

    /// Returns the sequences of a joint move, by role.
    pub fn sequences(&self, sets: &[u32], joint: &[MoveId]) -> Vec<u32> {
        let sequence = |(role, seat): (usize, &Option<usize>)| match seat {
            Some(seat) => self.views[*seat].sequence(sets[role], joint[role]).unwrap_or(NOTHING),
            None => NOTHING,
        };
        self.seats.iter().enumerate().map(sequence).collect()
    }
}

/// A step of a particle's history in a role's tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub role: usize,
    pub set: u32,
    pub sequence: u32,
}

/// A history to begin in.
pub(crate) struct Particle<S> {
    pub place: Arc<Place<S>>,
    /// The positions of the roles in their trees.
    pub sets: Vec<u32>,
    /// What the roles with a choice did on the way.
    pub made: Vec<Made>,
    /// The probability of the moves of chance and of roles without a tree.
    pub chance: f64,
    /// Its probability if all move at random.
    prior: f64,
    /// The probability with which it is drawn from this sample.
    pub weight: f64,
}

/// The different histories of a sample.
pub(crate) struct Particles<S> {
    pub all: Vec<Particle<S>>,
    /// The role whose sample it is.
    own: RoleId,
    /// The natural logarithm of the probability of seeing what was seen if all move at random.
    ln_seen: f64,
    /// The fraction of weights that is not changed, and the mean of the factors of the others.
    kept: f64,
    mean: f64,
}

impl<S: Clone> Particles<S> {
    /// Creates the particles of a sample, merging copies of a history.
    pub fn of(sampler: &Sampler<S>, own: RoleId, forest: &mut Forest) -> Particles<S> {
        let mut all: Vec<Particle<S>> = Vec::new();
        let mut known = rustc_hash::FxHashMap::<Vec<MoveId>, usize>::default();
        for world in sampler.worlds() {
            let path = world.model.path();
            match known.get(&path) {
                Some(&at) => {
                    all[at].prior += world.weight;
                    all[at].weight += world.weight;
                }
                None => {
                    known.insert(path, all.len());
                    all.push(follow(&world.model, world.weight, forest));
                }
            }
        }
        Particles { all, own, ln_seen: sampler.ln_seen(), kept: 1.0, mean: 1.0 }
    }

    /// Draws a particle.
    pub fn draw(&self, chance: &mut Rng) -> usize {
        let mut left = chance.unit();
        for (at, particle) in self.all.iter().enumerate() {
            left -= particle.weight;
            if left < 0.0 {
                return at;
            }
        }
        self.all.len() - 1
    }

    /// Weights each particle by the probability that the roles with trees, except the own one, make its
    /// moves. `share` returns the probability of a sequence in a set. A fraction of the weight stays that of
    /// random moves.
    pub fn weigh(&mut self, forest: &Forest, kept: f64, share: impl Fn(usize, u32, u32) -> f64) {
        let others = |particle: &Particle<S>| {
            let made = particle.made.iter().filter(|made| made.role != self.own.index());
            let factor = |made: &Made| {
                let seat = forest.seats[made.role]?;
                let moves = forest.views[seat].set(made.set).moves.len() as f64;
                Some(moves * share(seat, made.set, made.sequence))
            };
            made.filter_map(factor).product::<f64>()
        };
        let others: Vec<f64> = self.all.iter().map(others).collect();
        let mean: f64 = self.all.iter().zip(&others).map(|(particle, factor)| particle.prior * factor).sum();
        (self.kept, self.mean) = if mean > 0.0 { (kept, mean) } else { (1.0, 1.0) };
        let factors: Vec<f64> = others.into_iter().map(|others| self.factor(others)).collect();
        for (particle, factor) in self.all.iter_mut().zip(factors) {
            particle.weight = particle.prior * factor;
        }
    }
}

impl<S> Particles<S> {
    /// Returns the sets of the role in its tree, with their probabilities. There is one set, or several if
    /// the histories differ about which moves are legal.
    pub fn own_sets(&self) -> Vec<(u32, f64)> {
        let mut sets: Vec<(u32, f64)> = Vec::new();
        for particle in &self.all {
            let own = particle.sets[self.own.index()];
            match sets.iter_mut().find(|(set, _)| *set == own) {
                Some((_, weight)) => *weight += particle.weight,
                None => sets.push((own, particle.weight)),
            }
        }
        let all: f64 = sets.iter().map(|(_, weight)| weight).sum();
        sets.iter_mut().for_each(|(_, weight)| *weight /= all);
        sets
    }

    /// Returns the factor of a weight if the others are this many times as likely to move so as at random.
    fn factor(&self, others: f64) -> f64 {
        self.kept + (1.0 - self.kept) * others / self.mean
    }

    /// Returns the probability of drawing a history, among all that might have been in the sample: by its
    /// probability if all move at random, and by how many times as likely the others are to move so.
    pub fn likely(&self, reach: f64, others: f64) -> f64 {
        libm::exp(libm::log(reach) - self.ln_seen) * self.factor(others)
    }

    /// Returns the role whose sample it is.
    pub fn own(&self) -> RoleId {
        self.own
    }
}

/// Follows a model in the trees.
fn follow<S: Clone>(model: &Model<S>, weight: f64, forest: &mut Forest) -> Particle<S> {
    let mut sets = forest.roots(model.place_at(0));
    let (mut made, mut chance) = (Vec::new(), 1.0);
    for (depth, taken) in model.taken().enumerate() {
        let legal = &model.place_at(depth).legal;
        let sequences = forest.sequences(&sets, &taken.joint);
        for (role, seat) in forest.seats.iter().enumerate() {
            match seat {
                Some(_) if legal[role].len() > 1 => {
                    made.push(Made { role, set: sets[role], sequence: sequences[role] });
                }
                Some(_) => (),
                None => chance /= legal[role].len() as f64,
            }
        }
        sets = forest.enter(&sequences, &taken.percepts, &model.place_at(depth + 1).legal).0;
    }
    let place = Arc::clone(model.place());
    Particle { place, sets, made, chance, prior: weight, weight }
}
