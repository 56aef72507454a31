//! The player for games of one role: it searches for a plan and follows it.
//!
//! If the rules determine the best end, it searches part by part and then from both ends; otherwise, or if
//! that fails, breadth-first, which finds a shortest plan. If there are too many positions for that, it uses
//! iterative deepening on the length of the plan, then depth-first search with a table of visited positions,
//! and finally nested rollouts that learn which moves are good. The best plan found is followed, and unless
//! it is certain to be optimal, the search continues at every move.

mod deep;
mod rollout;

use std::sync::Arc;
use std::time::Duration;

use game::{
    Budget, Deadline, Fault, Game, Goal, MatchContext, Mix, MoveId, Observation, Parameter, ParameterError,
    Parameters, Player, Proven, Rng, RoleId, Spec, States, Structure, Thought,
};

use crate::exact::{Deepened, Depths, Explored, Fold, Limits, Progress, apart, deepen, explore, meet};
use crate::known::{Known, hides_nothing};
use deep::deep;
use rollout::Rollouts;

/// The best possible goal. A plan for it ends the search.
const TOP: Goal = 100;

/// The number of states that a search method may visit if nothing else limits it.
const UNTIMED: u64 = 1_000_000;

/// The settings of a [`Puzzle`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The budget of a move: the clock or states.
    pub budget: Budget,
    /// The maximum number of positions kept in memory.
    pub positions: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::read(&Spec::named("puzzle")).expect("the usual values are in range")
    }
}

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] =
        &[Parameter::optional("states"), Parameter::number("positions", "2000000")];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        let states = given.optional("states", 1..=u64::MAX)?;
        Ok(Settings {
            budget: states.map_or(Budget::Clock, Budget::States),
            positions: given.number("positions", 100..=1_000_000_000)?,
        })
    }
}

/// Moves to make one after the other.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The moves.
    pub moves: Vec<MoveId>,
    /// The goal that they achieve.
    pub goal: Goal,
    /// How they were found.
    pub how: &'static str,
}

/// Searches for a plan and follows it.
pub struct Puzzle<G: Game> {
    settings: Settings,
    seat: Option<Playing<G>>,
    thought: Thought,
    mix: Mix,
}

struct Playing<G: Game> {
    known: Known<G>,
    structure: Structure,
    fold: Option<Fold>,
    /// The best plan from the current position, next move last.
    plan: Option<Plan>,
    /// Whether it is certain that there is nothing better.
    certain: bool,
    /// Whether each search method has been completed.
    aim_done: bool,
    breadth_done: bool,
    bounds_done: bool,
    depth_done: bool,
    /// Whether rollouts, which are random, or a clock contributed to the plan or its absence.
    uncertain: bool,
    rng: Rng,
    states: u64,
}

impl<G: Game> Puzzle<G> {
    /// Creates a player with these settings.
    pub fn new(settings: Settings) -> Puzzle<G> {
        Puzzle { settings, seat: None, thought: Thought::default(), mix: Mix::Untold }
    }
}

impl<G: Game> Player<G> for Puzzle<G> {
    fn is_counted(&self) -> bool {
        self.settings.budget != Budget::Clock
    }

    fn suits(&self, game: &G, _: &Deadline) -> Result<(), Fault> {
        hides_nothing("puzzle", game)?;
        if game.roles().len() == 1 && !game.roles()[0].is_chance() { Ok(()) } else { Err(others()) }
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat = None;
        self.suits(game, deadline)?;
        let known = Known::new("puzzle", game, context)?;
        let structure = game::structure(&**game);
        let fold = Fold::all(&structure);
        let rng = context.seed.derive_name("puzzle").rng();
        let seat = self.seat.insert(Playing {
            known,
            structure,
            fold,
            plan: None,
            certain: false,
            aim_done: false,
            breadth_done: false,
            bounds_done: false,
            depth_done: false,
            uncertain: false,
            rng,
            states: 0,
        });
        seat.search(&self.settings, deadline)
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let seat = self.seat.as_mut().ok_or_else(others)?;
        seat.known.update(observation)?;
        // A move that deviates from the plan invalidates it.
        let expected = seat.plan.as_mut().and_then(|plan| plan.moves.pop());
        if expected != Some(observation.own) {
            (seat.plan, seat.certain) = (None, false);
            (seat.aim_done, seat.breadth_done) = (false, false);
            (seat.bounds_done, seat.depth_done) = (false, false);
            seat.uncertain = false;
        }
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(others)?;
        let legal = seat.known.legal()?;
        seat.states = 0;
        if !seat.certain {
            seat.search(&self.settings, deadline)?;
        }
        let planned = seat.plan.as_ref().and_then(|plan| plan.moves.last().copied());
        let chosen = planned.filter(|mv| legal.contains(mv)).unwrap_or(legal[0]);
        self.thought = seat.thought(&legal);
        self.mix = Mix::sure(chosen).only_if(legal.len() == 1 || !seat.uncertain);
        Ok(chosen)
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        self.thought.clone()
    }
}

impl<G: Game> Playing<G> {
    /// Searches for a better plan from the current position.
    fn search(&mut self, settings: &Settings, deadline: &Deadline) -> Result<(), Fault> {
        let game = Arc::clone(&self.known.game);
        let (state, states) = (
            self.known.state.clone(),
            match settings.budget {
                Budget::States(count) => Some(count),
                _ => None,
            },
        );
        let left = deadline.remaining();
        self.uncertain |= left.is_some() && settings.budget == Budget::Clock;
        // Without a clock and without a count the search must still end.
        let most = states.unwrap_or(if left.is_none() { UNTIMED } else { u64::MAX });
        // Counted budgets ignore the clock. A clock is divided among the search methods.
        let until = |part: u32| match (states, left) {
            (None, Some(left)) => {
                let margin = (left / 16).clamp(Duration::from_millis(5), Duration::from_millis(200));
                deadline.earlier(left - (left.saturating_sub(margin) * part / 100).min(left))
            }
            _ => deadline.clone(),
        };
        let positions = states.map_or(settings.positions, |count| settings.positions.min(count as usize));
        let fold = self.fold.clone();
        let bounds = |part: u32| Limits {
            positions,
            enough: Some((RoleId(0), TOP)),
            fold: fold.clone(),
            deadline: until(part),
        };
        if !self.aim_done {
            self.aim_done = true;
            if let Some(plan) = self.aimed(&game, &state, &bounds(20), &bounds(40))? {
                self.take(plan);
            }
        }
        if !self.certain && !self.breadth_done {
            let bounds = bounds(60);
            let watch = |progress: Progress| self.states = progress.positions as u64;
            match explore(&*game, &mut self.known.scratch, &state, &bounds, watch)? {
                Explored::Found(graph) => {
                    let joints = graph
                        .shortest(&*game, &mut self.known.scratch, &state, |goals| goals[0] >= Some(TOP))?;
                    let moves = joints.unwrap_or_default().into_iter().rev().map(|joint| joint[0]).collect();
                    self.plan =
                        Some(Plan { moves, goal: TOP, how: "a shortest plan, by breadth-first search" });
                    self.certain = true;
                }
                Explored::Whole(graph) => {
                    self.breadth_done = true;
                    let best = graph.best(RoleId(0));
                    let joints =
                        graph.shortest(&*game, &mut self.known.scratch, &state, |goals| goals[0] == best)?;
                    if let (Some(goal), Some(joints)) = (best, joints) {
                        let moves = joints.into_iter().rev().map(|joint| joint[0]).collect();
                        let how = "the best of all positions, by breadth-first search";
                        self.take(Plan { moves, goal, how });
                        self.certain = self.fold.as_ref().is_none_or(|fold| !fold.has_counter());
                    }
                }
                Explored::TooMany(_) => self.breadth_done = true,
                Explored::OutOfTime(_) => {}
            }
        }
        if !self.certain && !self.bounds_done {
            self.bounds_done = true;
            // Eight bytes for each position, so that there may be many more than in breadth-first search.
            let memory = settings.positions.saturating_mul(4);
            let limits = Depths { memory, states: most, longest: usize::MAX, deadline: until(70) };
            let (scratch, structure) = (&mut self.known.scratch, &self.structure);
            let (found, looked) = deepen(&*game, scratch, &state, structure, TOP, &limits, |_, _| ())?;
            self.states += looked;
            if let Deepened::Plan(moves) = found {
                let moves = moves.into_iter().rev().collect();
                self.take(Plan { moves, goal: TOP, how: "a shortest plan, by iterative deepening" });
            }
        }
        if !self.certain && !self.depth_done {
            let (scratch, fold) = (&mut self.known.scratch, self.fold.as_ref());
            let (found, done, looked) =
                deep(&*game, scratch, &state, fold, settings.positions, most, &until(80))?;
            self.states += looked;
            self.depth_done = done;
            if let Some(plan) = found {
                self.take(plan);
            }
        }
        if !self.certain {
            self.uncertain = true;
            let scratch = &mut self.known.scratch;
            let mut rollouts = Rollouts::new(&*game, scratch, until(100), most, &mut self.rng);
            let found = rollouts.search(&state)?;
            self.states += rollouts.states();
            if let Some(plan) = found {
                self.take(plan);
            }
        }
        Ok(())
    }

    /// Returns a plan to the end that the rules determine, part by part or from both ends.
    fn aimed(
        &mut self,
        game: &G,
        state: &G::State,
        parts: &Limits,
        ends: &Limits,
    ) -> Result<Option<Plan>, Fault> {
        let mut looked = 0;
        let mut watch = |at: Progress| looked = at.positions as u64;
        let scratch = &mut self.known.scratch;
        let mut found = apart(game, scratch, state, &self.structure, parts, &mut watch)?
            .map(|plan| (plan.moves, "parts of the puzzle searched separately"));
        if found.is_none() {
            found = meet(game, scratch, state, &self.structure, ends, &mut watch)?
                .map(|plan| (plan.moves, "a plan, by search from both ends"));
        }
        self.states += looked;
        let top = |(moves, how): (Vec<MoveId>, &'static str)| Plan {
            moves: moves.into_iter().rev().collect(),
            goal: TOP,
            how,
        };
        let aim = self.structure.aims.iter().find(|aim| aim.role == RoleId(0));
        Ok(found.filter(|_| aim.is_some_and(|aim| aim.goal >= TOP)).map(top))
    }

    /// Keeps a plan if it is better than the current one.
    fn take(&mut self, plan: Plan) {
        let better = |old: &Plan| {
            plan.goal > old.goal || (plan.goal == old.goal && plan.moves.len() < old.moves.len())
        };
        if self.plan.as_ref().is_none_or(better) {
            self.certain |= plan.goal >= TOP;
            self.plan = Some(plan);
        }
    }

    fn thought(&self, legal: &[MoveId]) -> Thought {
        let mut thought = match &self.plan {
            None => {
                Thought::because(format!("no plan was found; made the first of {} legal moves", legal.len()))
            }
            Some(plan) => Thought {
                value: Some(f64::from(plan.goal)),
                proven: self.certain.then_some(Proven::Exactly(Some(plan.moves.len() as u32))),
                line: plan.moves.iter().rev().take(10).map(|mv| (RoleId(0), *mv)).collect(),
                ..Thought::default()
            },
        };
        if let Some(plan) = &self.plan {
            thought.note("found", plan.how);
            thought.note("plan", format!("{} moves to go", plan.moves.len()));
        }
        thought.states = Some(States { search: self.states, ..States::default() });
        thought
    }
}

/// Returns the fault for a game with several roles or with hidden information.
fn others() -> Fault {
    Fault::Unsupported(
        "`puzzle` plays only games with one role and nothing hidden; use `auto` for other games".to_string(),
    )
}
