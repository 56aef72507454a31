//! Trees of what roles may do and see, and where descents begin.

use std::sync::Arc;

use game::{Game, MoveId, Rng, RoleId};

use crate::belief::bag::{Bag, Remedy, Weights};
use crate::belief::model::{Model, Place};
use crate::belief::sets::{NOTHING, Views};
use crate::known::CHANCE;

/// Stands for the set of a role that has no tree.
pub(crate) const NO_SET: u32 = u32::MAX;

/// One tree for each role that chooses, from the beginning of the match on.
pub(crate) struct Forest {
    /// The place of a role's tree, by role; chance has none, nor have roles taken to move at random.
    pub seats: Vec<Option<usize>>,
    /// The trees.
    pub views: Vec<Views>,
}

impl Forest {
    /// Trees for all roles but chance, or for one role only.
    pub fn new<G: Game>(game: &G, only: Option<RoleId>) -> Forest {
        let mut trees = 0;
        let mut seat = |(role, name): (RoleId, &String)| {
            let has = only.map_or(name != CHANCE, |only| only == role);
            trees += usize::from(has);
            has.then(|| trees - 1)
        };
        let seats = RoleId::all(game.roles().len()).zip(game.roles()).map(&mut seat).collect();
        Forest { seats, views: vec![Views::default(); trees] }
    }

    /// Information sets in all trees.
    pub fn size(&self) -> usize {
        self.views.iter().map(|views| views.sets().len()).sum()
    }

    /// The sets at the beginning of a match, by role.
    pub fn roots<S>(&mut self, place: &Place<S>) -> Vec<u32> {
        let seats = self.seats.len();
        self.enter(&vec![NOTHING; seats], &vec![Vec::new(); seats], &place.legal).0
    }

    /// The sets, by role, after these sequences and percepts, and whether one with a choice is met for the first time.
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

    /// The same where nothing may be added; none where a set is missing.
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

    /// The sequences of a joint move, by role.
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
    /// Its joint moves, one after another.
    pub path: Vec<MoveId>,
    /// Where the roles are in their trees.
    pub sets: Vec<u32>,
    /// What the roles with a choice did on the way.
    pub made: Vec<Made>,
    /// How likely chance, and roles without a tree, moved so.
    pub chance: f64,
    /// How likely it is to be drawn.
    pub weight: f64,
}

/// The different histories of a bag.
pub(crate) struct Particles<S>(pub Vec<Particle<S>>);

impl<S: Clone> Particles<S> {
    /// Of the current models of a bag. Copies of a history share its weight, so
    /// where the bag has all histories the weights are exact.
    pub fn of(bag: &Bag<S>, forest: &mut Forest) -> Particles<S> {
        let weights = bag.weights(Weights::Choice, Remedy::Weight);
        let mut all: Vec<Particle<S>> = Vec::new();
        let mut known = rustc_hash::FxHashMap::<Vec<MoveId>, usize>::default();
        for (model, weight) in bag.current().zip(weights) {
            let path = model.path();
            match known.get(&path) {
                Some(&at) => all[at].weight += weight,
                None => {
                    known.insert(path.clone(), all.len());
                    all.push(follow(model, path, weight, forest));
                }
            }
        }
        Particles(all)
    }

    /// Where a role is in its tree, with how likely it is there. That is one set, or several where
    /// the histories differ about which moves are legal.
    pub fn sets_of(&self, role: RoleId) -> Vec<(u32, f64)> {
        let mut sets: Vec<(u32, f64)> = Vec::new();
        for particle in &self.0 {
            let own = particle.sets[role.index()];
            match sets.iter_mut().find(|(set, _)| *set == own) {
                Some((_, weight)) => *weight += particle.weight,
                None => sets.push((own, particle.weight)),
            }
        }
        let all: f64 = sets.iter().map(|(_, weight)| weight).sum();
        sets.iter_mut().for_each(|(_, weight)| *weight /= all);
        sets
    }

    /// Draws one.
    pub fn draw(&self, chance: &mut Rng) -> usize {
        let mut left = chance.unit();
        for (at, particle) in self.0.iter().enumerate() {
            left -= particle.weight;
            if left < 0.0 {
                return at;
            }
        }
        self.0.len() - 1
    }

    /// Weighs each by how likely the roles of the trees, all but `own`, make its moves, as `share`
    /// gives the probability of a sequence in a set; a part of the weight stays as it was.
    pub fn weigh(&mut self, forest: &Forest, own: RoleId, kept: f64, share: impl Fn(usize, u32, u32) -> f64) {
        let likely = |particle: &Particle<S>| {
            let others = particle.made.iter().filter(|made| made.role != own.index());
            let shares =
                others.filter_map(|made| Some(share(forest.seats[made.role]?, made.set, made.sequence)));
            particle.chance * shares.product::<f64>()
        };
        let likely: Vec<f64> = self.0.iter().map(likely).collect();
        let sum: f64 = likely.iter().sum();
        if sum > 0.0 {
            for (particle, likely) in self.0.iter_mut().zip(likely) {
                particle.weight = kept * particle.weight + (1.0 - kept) * likely / sum;
            }
        }
    }
}

/// Walks along a model in the trees.
fn follow<S: Clone>(model: &Model<S>, path: Vec<MoveId>, weight: f64, forest: &mut Forest) -> Particle<S> {
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
    Particle { place: Arc::clone(model.place()), path, sets, made, chance, weight }
}
