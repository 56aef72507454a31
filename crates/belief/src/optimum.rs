//! Optimal play of a role against chance alone.
//!
//! What the role knows is a belief: the possible states with their probabilities. Each move leads to one
//! belief for every set of percepts that may be seen. The search visits all reachable beliefs, each once,
//! however it is reached. A move is pruned if it cannot be better than the best one even with perfect
//! information.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, PerceptId, RoleId, all_legal, for_each_joint};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of steps after which a match is assumed not to end.
const DEEPEST: usize = 400;
/// The highest goal.
const MOST: f64 = 100.0;
/// A step that is computed counts as this many known ones.
const NEW_STEP: u64 = 16;
/// Values closer than this are equal.
const NEAR: f64 = 1e-9;

/// Limits for the search.
#[derive(Debug, Clone)]
pub struct OptimumLimits {
    /// The maximum number of beliefs.
    pub beliefs: usize,
    /// The maximum number of steps of the game; known ones count each time, new ones more.
    pub work: u64,
    /// When to stop.
    pub deadline: Deadline,
}

/// State numbers with probabilities that add up to one, in the order of numbers.
pub type Belief = Vec<(u32, f64)>;

/// The result of a move: the sum of goals where the match ends, and for each observation its number, its
/// probability, and the belief after it.
type Spread = (f64, Vec<(u32, f64, Belief)>);

/// A move and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The value of optimal play.
    pub value: f64,
    /// The first move of optimal play.
    pub mv: MoveId,
}

#[derive(Clone, Copy)]
enum To {
    End(f64),
    State(u32),
}

#[derive(Clone, Copy)]
struct Outcome {
    chance: f64,
    seen: u32,
    to: To,
}

struct Known<S> {
    state: S,
    legal: Vec<Vec<MoveId>>,
    /// The value of the best move if the role knew this state and everything to come, once it is computed.
    shown: Option<f64>,
}

/// The search for optimal play.
pub struct Optimum<G: Game> {
    game: Arc<G>,
    scratch: G::Scratch,
    role: RoleId,
    limits: OptimumLimits,
    states: Vec<Known<G::State>>,
    numbers: FxHashMap<G::State, u32>,
    percepts: FxHashMap<Vec<PerceptId>, u32>,
    outcomes: FxHashMap<(u32, MoveId), Arc<[Outcome]>>,
    work: u64,
    steps: u64,
    found: FxHashMap<Vec<(u32, u64)>, Best>,
    open: FxHashSet<Vec<(u32, u64)>>,
    loops: bool,
}

impl<G: Game> Optimum<G> {
    /// Creates a search for the only role that is not played by chance. Returns `None` if there are others.
    pub fn new(game: &Arc<G>, limits: OptimumLimits) -> Option<Optimum<G>> {
        let mut roles =
            RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance());
        let role = roles.next().filter(|_| roles.next().is_none())?;
        Some(Optimum {
            game: Arc::clone(game),
            scratch: game.scratch(),
            role,
            limits,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            percepts: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            work: 0,
            steps: 0,
            found: FxHashMap::default(),
            open: FxHashSet::default(),
            loops: false,
        })
    }

    /// Returns the role.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// Returns the number of beliefs visited so far.
    pub fn beliefs(&self) -> usize {
        self.found.len()
    }

    /// Returns the number of steps of the game made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of different states reached so far.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Returns `true` if a belief can repeat. Values may then be too low, because a cycle is assumed to get
    /// nothing.
    pub fn has_loops(&self) -> bool {
        self.loops
    }

    /// Returns the belief of a match that begins in this state, or `None` if it is over there.
    pub fn belief(&mut self, from: &G::State) -> Result<Option<Belief>, Fault> {
        if self.game.is_terminal(&mut self.scratch, from)? {
            return Ok(None);
        }
        let Some(legal) = all_legal(&*self.game, &mut self.scratch, from)? else { return Ok(None) };
        let number = self.number(from.clone(), legal);
        Ok(Some(vec![(number, 1.0)]))
    }

    /// Returns the legal moves of a belief.
    pub fn moves(&self, belief: &Belief) -> Result<Vec<MoveId>, Fault> {
        let moves = |(number, _): &(u32, f64)| &self.states[*number as usize].legal[self.role.index()];
        let first = belief.first().map(moves).cloned().unwrap_or_default();
        if belief.iter().all(|state| *moves(state) == first) {
            return Ok(first);
        }
        let text = "a role has different legal moves in states that look the same to it";
        Err(Fault::Unsupported(text.to_string()))
    }

    /// Returns the belief after a move and percepts, or `None` if these cannot be seen.
    pub fn after(
        &mut self,
        belief: &Belief,
        own: MoveId,
        percepts: &[PerceptId],
    ) -> Result<Option<Belief>, Fault> {
        let seen = self.seen(percepts);
        let (_, groups) = self.spread(belief, own)?;
        Ok(groups.into_iter().find(|(other, ..)| *other == seen).map(|(_, _, belief)| belief))
    }

    /// Returns all possible percepts after a move, with the beliefs after them.
    pub fn follow(&mut self, belief: &Belief, own: MoveId) -> Result<Vec<(Vec<PerceptId>, Belief)>, Fault> {
        let (_, groups) = self.spread(belief, own)?;
        let texts: FxHashMap<u32, &Vec<PerceptId>> =
            self.percepts.iter().map(|(percepts, number)| (*number, percepts)).collect();
        let mut all: Vec<(Vec<PerceptId>, Belief)> =
            groups.into_iter().map(|(seen, _, belief)| (texts[&seen].clone(), belief)).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(all)
    }

    /// Returns the optimal value, and the move that begins optimal play.
    pub fn best(&mut self, belief: &Belief) -> Result<Best, Fault> {
        self.search(belief, 0)
    }

    /// Returns the value of a move, with optimal play after it.
    pub fn value(&mut self, belief: &Belief, mv: MoveId) -> Result<f64, Fault> {
        let (mut value, groups) = self.spread(belief, mv)?;
        for (_, share, belief) in groups {
            value += share * self.search(&belief, 1)?.value;
        }
        Ok(value)
    }

    /// Returns the result of a move: the sum of goals where the match ends, and the beliefs after it with
    /// their probabilities.
    pub(super) fn led(&mut self, belief: &Belief, mv: MoveId) -> Result<(f64, Vec<(f64, Belief)>), Fault> {
        self.within_limits()?;
        let (ends, groups) = self.spread(belief, mv)?;
        Ok((ends, groups.into_iter().map(|(_, share, belief)| (share, belief)).collect()))
    }

    /// Returns the state with this number.
    pub(super) fn state(&self, number: u32) -> &G::State {
        &self.states[number as usize].state
    }

    /// Resets the work done, and sets the deadline.
    pub(super) fn go_on(&mut self, deadline: Deadline) {
        self.work = 0;
        self.limits.deadline = deadline;
    }

    /// Returns the key of a belief. Probabilities are rounded, because those computed in different ways
    /// differ in their last bits.
    pub(super) fn key(belief: &Belief) -> Vec<(u32, u64)> {
        belief.iter().map(|(number, share)| (*number, (share * 1e12).round() as u64)).collect()
    }

    fn search(&mut self, belief: &Belief, depth: usize) -> Result<Best, Fault> {
        let key = Self::key(belief);
        if let Some(best) = self.found.get(&key) {
            return Ok(*best);
        }
        let moves = self.moves(belief)?;
        let &first = moves.first().ok_or_else(|| Fault::BadState("there is no legal move".to_string()))?;
        if self.open.contains(&key) {
            self.loops = true;
            return Ok(Best { value: 0.0, mv: first });
        }
        if depth > DEEPEST {
            return Err(Fault::Budget(format!("a match can be longer than {DEEPEST} steps")));
        }
        self.within_limits()?;
        self.open.insert(key.clone());
        let best = self.look(belief, &moves, depth);
        self.open.remove(&key);
        let best = best?;
        self.found.insert(key, best);
        Ok(best)
    }

    fn within_limits(&self) -> Result<(), Fault> {
        let OptimumLimits { beliefs, work, deadline } = &self.limits;
        if self.found.len() + self.open.len() >= *beliefs || self.states.len() / 8 >= *beliefs {
            return Err(Fault::Budget(format!("there are more than {beliefs} beliefs")));
        }
        if self.work >= *work {
            return Err(Fault::Budget(format!("the computation takes more than {work} steps")));
        }
        if deadline.is_over() { Err(Fault::Stopped) } else { Ok(()) }
    }

    /// Tries the moves of a belief, those first that may gain most and reveal most.
    fn look(&mut self, belief: &Belief, moves: &[MoveId], depth: usize) -> Result<Best, Fault> {
        let mut tries = Vec::with_capacity(moves.len());
        for &mv in moves {
            let (ends, groups) = self.spread(belief, mv)?;
            let mut bounds = Vec::with_capacity(groups.len());
            for (_, share, belief) in &groups {
                bounds.push(share * self.shown_all(belief, depth)?);
            }
            let bound = ends + bounds.iter().sum::<f64>();
            let told: f64 = groups.iter().map(|(_, share, _)| -share * libm::log(*share)).sum();
            tries.push((mv, ends, groups, bounds, bound, told));
        }
        tries.sort_by(|a, b| b.4.total_cmp(&a.4).then(b.5.total_cmp(&a.5)).then(a.0.cmp(&b.0)));
        let mut best = Best { value: f64::NEG_INFINITY, mv: moves[0] };
        for (mv, ends, groups, bounds, mut bound, _) in tries {
            let mut value = ends;
            for ((_, share, belief), most) in groups.iter().zip(bounds) {
                if bound <= best.value + NEAR {
                    break;
                }
                let found = share * self.search(belief, depth + 1)?.value;
                value += found;
                bound += found - most;
            }
            if bound > best.value + NEAR {
                best = Best { value, mv };
            }
        }
        Ok(best)
    }

    /// Returns the value of a belief with perfect information.
    fn shown_all(&mut self, belief: &Belief, depth: usize) -> Result<f64, Fault> {
        let mut value = 0.0;
        for (number, share) in belief {
            value += share * self.shown(*number, depth)?;
        }
        Ok(value)
    }

    fn shown(&mut self, number: u32, depth: usize) -> Result<f64, Fault> {
        if let Some(value) = self.states[number as usize].shown {
            return Ok(value);
        }
        if depth > DEEPEST {
            return Ok(MOST);
        }
        // A cycle back to this state meanwhile gets the upper bound.
        self.states[number as usize].shown = Some(MOST);
        let mut best = 0.0f64;
        for mv in self.states[number as usize].legal[self.role.index()].clone() {
            let mut value = 0.0;
            for outcome in &*self.outcomes(number, mv)? {
                value += outcome.chance
                    * match outcome.to {
                        To::End(goal) => goal,
                        To::State(next) => self.shown(next, depth + 1)?,
                    };
            }
            best = best.max(value);
            if best >= MOST - NEAR {
                break;
            }
        }
        self.states[number as usize].shown = Some(best);
        Ok(best)
    }

    /// Returns the result of a move: the sum of goals where the match ends, and a belief for each
    /// observation.
    fn spread(&mut self, belief: &Belief, mv: MoveId) -> Result<Spread, Fault> {
        let mut ends = 0.0;
        let mut groups: Vec<(u32, f64, Belief)> = Vec::new();
        for (number, share) in belief {
            let outcomes = self.outcomes(*number, mv)?;
            self.work += outcomes.len() as u64;
            for outcome in &*outcomes {
                let share = share * outcome.chance;
                match outcome.to {
                    To::End(goal) => ends += share * goal,
                    To::State(next) => {
                        let known = groups.iter_mut().find(|(seen, ..)| *seen == outcome.seen);
                        match known {
                            Some((_, total, states)) => {
                                *total += share;
                                states.push((next, share));
                            }
                            None => groups.push((outcome.seen, share, vec![(next, share)])),
                        }
                    }
                }
            }
        }
        for (_, total, states) in &mut groups {
            states.sort_unstable_by_key(|(number, _)| *number);
            states.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
            states.iter_mut().for_each(|(_, share)| *share /= *total);
        }
        Ok((ends, groups))
    }

    fn outcomes(&mut self, number: u32, mv: MoveId) -> Result<Arc<[Outcome]>, Fault> {
        if let Some(known) = self.outcomes.get(&(number, mv)) {
            return Ok(Arc::clone(known));
        }
        let known = &self.states[number as usize];
        let mut legal = known.legal.clone();
        legal[self.role.index()] = vec![mv];
        let mut joints = Vec::new();
        for_each_joint(&legal, |joint| {
            joints.push(joint.to_vec());
            Ok::<bool, Fault>(true)
        })?;
        self.work += NEW_STEP * joints.len() as u64;
        self.steps += joints.len() as u64;
        self.within_limits()?;
        let chance = 1.0 / joints.len() as f64;
        let states = vec![known.state.clone(); joints.len()];
        let mut outcomes = Vec::with_capacity(joints.len());
        for step in self.game.steps(&mut self.scratch, &states, &joints)? {
            let (seen, to) = if step.terminal {
                let goal = self.game.goal(&mut self.scratch, &step.state, self.role)?;
                (0, To::End(goal.map_or(0.0, f64::from)))
            } else if step.legal.iter().any(Vec::is_empty) {
                (0, To::End(0.0))
            } else {
                let seen = self.seen(&step.percepts[self.role.index()]);
                (seen, To::State(self.number(step.state, step.legal)))
            };
            outcomes.push(Outcome { chance, seen, to });
        }
        let outcomes: Arc<[Outcome]> = outcomes.into();
        self.outcomes.insert((number, mv), Arc::clone(&outcomes));
        Ok(outcomes)
    }

    fn number(&mut self, state: G::State, legal: Vec<Vec<MoveId>>) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.states.push(Known { state, legal, shown: None });
        number
    }

    fn seen(&mut self, percepts: &[PerceptId]) -> u32 {
        let mut percepts = percepts.to_vec();
        percepts.sort_unstable();
        percepts.dedup();
        let fresh = self.percepts.len() as u32;
        *self.percepts.entry(percepts).or_insert(fresh)
    }
}
