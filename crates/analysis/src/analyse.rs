//! Everything there is to say about a game without playing it well.
//!
//! Sizes, what is proven by the rules, how random players fare, what an
//! evaluation learned from playouts says, and for small games the exact value.

use std::time::Duration;

use game::{
    AnyGame, Deadline, End, Fault, Game, Goal, PlayoutStream, Playouts, Role, RoleId, Seed, Start, Structure,
    playout,
};
use players::heuristic::learn;
use serde::Serialize;
use statistics::{Confidence, Mean};

use crate::hidden_kind::{Hidden, hidden_kinds};
use crate::solve::{Solution, SolveLimits, SolveProgress, solve_from};

/// Random matches that are looked at state by state.
const WALKS: u64 = 32;
/// Features and symmetries told.
const LISTED: usize = 12;
/// Symmetries counted.
const GROUP: usize = 100_000;

/// What an analysis may cost.
#[derive(Debug, Clone)]
pub struct AnalyseLimits {
    /// Random matches.
    pub playouts: u32,
    /// Steps of a random match.
    pub max_steps: u32,
    /// Positions from which an evaluation is learned; none is with 0.
    pub learn: usize,
    /// Positions visited for an exact value; none is looked for with 0.
    pub solve: usize,
    /// Time for each of the last two.
    pub time: Duration,
    /// Where chance comes from.
    pub seed: Seed,
}

/// An average with its interval at 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct Average {
    /// The average.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The least value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

/// How often a result came up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// The goals by role.
    pub goals: Vec<Goal>,
    /// In how many matches.
    pub matches: u64,
}

/// What is proven by the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Proven {
    /// At most one role chooses at a time.
    pub turns: bool,
    /// The sum of all goals.
    pub constant_sum: Option<Goal>,
    /// The first and the last value of a step counter.
    pub counter: Option<(String, String)>,
    /// For how many of its values the counter changes nothing else.
    pub counter_free: Option<usize>,
    /// How many symmetries there are, the trivial one counted; none where there are too many to count.
    pub symmetries: Option<usize>,
    /// What some of them do.
    pub examples: Vec<String>,
    /// How many fluents the parts of the game have that only ends and goals join.
    pub parts: Vec<usize>,
}

/// A feature of the learned evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureWeight {
    /// What is measured.
    pub feature: String,
    /// Points for each unit.
    pub weight: f64,
    /// Points for one standard deviation.
    pub effect: f64,
}

/// An evaluation learned from playouts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluated {
    /// For whom.
    pub role: String,
    /// Features looked at.
    pub candidates: usize,
    /// Features dropped because their weights were not stable.
    pub unstable: usize,
    /// Positions learned from.
    pub positions: usize,
    /// The part of the spread of values that is predicted in positions not learned from.
    pub predicted: f64,
    /// The features that matter most.
    pub features: Vec<FeatureWeight>,
}

/// The analysis.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Analysis {
    /// Of this form.
    pub version: u32,
    /// The roles in order.
    pub roles: Vec<String>,
    /// Whether the rules hide something.
    pub hidden_information: bool,
    /// What kinds of things random matches show to be hidden.
    pub hidden: Vec<Hidden>,
    /// Fluents there can be, where they are numbered.
    pub fluents: Option<usize>,
    /// Different moves met, by role.
    pub moves_met: Vec<usize>,
    /// Legal moves of a role that has a choice.
    pub branching: Option<Average>,
    /// Share of states, in random matches, in which several roles choose at once.
    pub simultaneous: f64,
    /// Steps of a random match that ended.
    pub length: Option<Average>,
    /// Random matches made, and how many ended properly.
    pub playouts: u64,
    /// See `playouts`.
    pub proper: u64,
    /// Goals of random players, by role.
    pub balance: Vec<Average>,
    /// Results of random players, most frequent first.
    pub results: Vec<Share>,
    /// What is proven by the rules.
    pub structure: Proven,
    /// What an evaluation learned.
    pub evaluation: Option<Evaluated>,
    /// The exact value.
    pub solution: Option<Solution>,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnalyseProgress {
    /// Random matches.
    Playing,
    /// The structure of the rules.
    Structure,
    /// An evaluation.
    Learning,
    /// The exact value.
    Solving(SolveProgress),
}

/// Analyses a game.
pub fn analyse(
    game: &AnyGame,
    limits: &AnalyseLimits,
    watch: &mut dyn FnMut(AnalyseProgress),
) -> Result<Analysis, Fault> {
    reasoner::fastest!(game, game => analyse_one(&**game, limits, watch))
}

fn analyse_one<G: Game>(
    game: &G,
    limits: &AnalyseLimits,
    watch: &mut dyn FnMut(AnalyseProgress),
) -> Result<Analysis, Fault> {
    let mut analysis = Analysis {
        version: 1,
        roles: Role::names(game.roles()),
        hidden_information: game.has_percepts(),
        fluents: Some(game::fluent_count(game)).filter(|count| *count > 0),
        ..Analysis::default()
    };
    let mut scratch = game.scratch();
    watch(AnalyseProgress::Playing);
    analysis.walk(game, &mut scratch, limits)?;
    analysis.play(game, &mut scratch, limits)?;
    analysis.hidden = hidden_kinds(game, limits.seed, &Deadline::after(limits.time))?;
    watch(AnalyseProgress::Structure);
    analysis.structure = proven(game, &game::structure(game));
    if limits.learn > 0 && !game.has_percepts() {
        watch(AnalyseProgress::Learning);
        let until = Deadline::after(limits.time);
        let seed = limits.seed.derive_name("analyse");
        let learned = learn(game, &mut scratch, RoleId(0), seed, limits.learn, &until)?;
        let weight = |feature: &players::heuristic::Weighted| FeatureWeight {
            feature: feature.name().to_string(),
            weight: feature.weight,
            effect: feature.effect,
        };
        analysis.evaluation = Some(Evaluated {
            role: game.roles()[0].to_string(),
            candidates: learned.candidates,
            unstable: learned.unstable,
            positions: learned.positions,
            predicted: learned.predicted,
            features: learned.features.iter().take(LISTED).map(weight).collect(),
        });
    }
    if limits.solve > 0 && !game.has_percepts() {
        let bounds =
            SolveLimits { positions: limits.solve, proof: 0, deadline: Deadline::after(limits.time) };
        let mut watch = |progress| watch(AnalyseProgress::Solving(progress));
        let solution = solve_from(game, &mut scratch, &game.initial(), &bounds, &mut watch)?;
        analysis.solution = Some(solution).filter(|solution| solution.solved);
    }
    Ok(analysis)
}

impl Analysis {
    /// Branching and moves, state by state.
    fn walk<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        limits: &AnalyseLimits,
    ) -> Result<(), Fault> {
        let roles = game.roles().len();
        let mut met = vec![rustc_hash::FxHashSet::default(); roles];
        let mut choices = Vec::new();
        let (mut states, mut together) = (0u64, 0u64);
        let until = Deadline::after(limits.time);
        for walk in 0..WALKS {
            let stream = PlayoutStream::new(limits.seed.derive_name("walks"), walk);
            let mut path = Vec::new();
            playout(game, scratch, &game.initial(), None, stream, limits.max_steps, |state, _| {
                path.push(state.clone())
            })?;
            for state in &path {
                let mut deciders = 0;
                for role in RoleId::all(roles) {
                    let mut legal = Vec::new();
                    game.legal(scratch, state, role, &mut legal)?;
                    met[role.index()].extend(legal.iter().copied());
                    if legal.len() > 1 {
                        deciders += 1;
                        choices.push(legal.len() as f64);
                    }
                }
                states += 1;
                together += u64::from(deciders > 1);
            }
            if until.is_over() {
                break;
            }
        }
        self.moves_met = met.iter().map(|moves| moves.len()).collect();
        self.branching = average(&choices);
        self.simultaneous = if states > 0 { together as f64 / states as f64 } else { 0.0 };
        Ok(())
    }

    /// Lengths and results of random matches.
    fn play<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        limits: &AnalyseLimits,
    ) -> Result<(), Fault> {
        let starts = [Start { state: game.initial(), first: None, count: limits.playouts }];
        let request = Playouts {
            max_steps: limits.max_steps,
            deadline: Deadline::after(limits.time),
            ..Playouts::new(&starts, limits.seed)
        };
        let outcomes = game.playouts(scratch, &request)?;
        self.playouts = outcomes.len() as u64;
        let proper: Vec<usize> = (0..outcomes.len()).filter(|&n| outcomes.ends[n] == End::Goals).collect();
        self.proper = proper.len() as u64;
        let lengths: Vec<f64> = proper.iter().map(|&n| f64::from(outcomes.lengths[n])).collect();
        self.length = average(&lengths);
        for role in 0..game.roles().len() {
            let goals: Vec<f64> = proper.iter().map(|&n| f64::from(outcomes.goals_of(n)[role])).collect();
            self.balance.extend(average(&goals));
        }
        let tally = outcomes.tally();
        let results = tally.results.iter().filter(|((end, _), _)| *end == End::Goals);
        self.results =
            results.map(|((_, goals), &matches)| Share { goals: goals.clone(), matches }).collect();
        self.results.sort_by(|a, b| b.matches.cmp(&a.matches).then(a.goals.cmp(&b.goals)));
        Ok(())
    }
}

fn average(values: &[f64]) -> Option<Average> {
    let mean = Mean::of(values.iter().copied());
    let value = mean.value()?;
    let (low, high) = mean.interval(Confidence::P95).map_or((value, value), |i| (i.low, i.high));
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(Average { mean: value, low, high, least, most })
}

fn proven<G: Game>(game: &G, structure: &Structure) -> Proven {
    let name =
        |fluent: game::FluentId| game.grounded().map_or(String::new(), |known| known.fluent_text(fluent));
    let ends = |clock: &game::Clock| {
        let text = |fluent: Option<&game::FluentId>| fluent.map_or(String::new(), |f| name(*f));
        (text(clock.fluents.first()), text(clock.fluents.last()))
    };
    let group = structure.group(GROUP).len();
    let example = |symmetry: &game::Symmetry| {
        let roles = symmetry.roles.iter().enumerate().filter(|(place, role)| role.index() != *place);
        let roles = roles
            .map(|(place, role)| (game.roles()[place].to_string(), game.roles()[role.index()].to_string()));
        let fluents = symmetry.fluents.iter().enumerate().filter(|(place, image)| image.0 as usize != *place);
        let fluents = fluents.map(|(place, image)| (name(game::FluentId(place as u32)), name(*image)));
        let pairs: Vec<String> =
            roles.chain(fluents).take(4).map(|(a, b)| format!("{a} becomes {b}")).collect();
        pairs.join(", ")
    };
    Proven {
        turns: structure.turns,
        constant_sum: structure.constant_sum,
        counter: structure.clock.as_ref().map(ends),
        counter_free: structure.clock.as_ref().map(|clock| clock.free),
        symmetries: Some(group + 1).filter(|_| group > 0 || structure.symmetries.is_empty()),
        examples: structure.symmetries.iter().take(3).map(example).collect(),
        parts: structure.parts.iter().map(|part| part.fluents.len()).collect(),
    }
}
