//! Everything that can be said about a game without playing it well: its size, properties proven from the
//! rules, how random players fare, an evaluation learned from playouts, and the exact value of small games.

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

/// The number of random matches that are examined state by state.
const WALKS: u64 = 32;
/// The maximum number of features reported.
const LISTED: usize = 12;
/// The maximum number of symmetries counted.
const GROUP: usize = 100_000;

/// Limits for an analysis.
#[derive(Debug, Clone)]
pub struct AnalyseLimits {
    /// The number of random matches.
    pub playouts: u32,
    /// The maximum length of a random match.
    pub max_steps: u32,
    /// The number of positions from which an evaluation is learned; with 0, none is learned.
    pub learn: usize,
    /// The maximum number of positions visited for an exact value; with 0, none is computed.
    pub solve: usize,
    /// The time limit of each part of the analysis.
    pub time: Duration,
    /// The seed.
    pub seed: Seed,
}

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct Average {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The smallest value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

/// How often a result occurred.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// The goals by role.
    pub goals: Vec<Goal>,
    /// The number of matches.
    pub matches: u64,
}

/// What is proven from the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Proven {
    /// Whether at most one role chooses at a time.
    pub turns: bool,
    /// The sum of all goals, if it is constant.
    pub constant_sum: Option<Goal>,
    /// The first and the last value of a step counter.
    pub counter: Option<(String, String)>,
    /// The number of values of the counter during which it affects nothing else.
    pub counter_free: Option<usize>,
    /// The number of symmetries, including the identity; `None` if there are too many to count.
    pub symmetries: Option<usize>,
    /// What some of them do.
    pub examples: Vec<String>,
    /// The number of fluents of each independent part. Parts are connected only by `terminal` and `goal`.
    pub parts: Vec<usize>,
}

/// A feature of the learned evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureWeight {
    /// What is measured.
    pub feature: String,
    /// Points per unit.
    pub weight: f64,
    /// Points per standard deviation.
    pub effect: f64,
}

/// An evaluation learned from playouts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluated {
    /// The role whose goal it predicts.
    pub role: String,
    /// The number of features considered.
    pub candidates: usize,
    /// The number of features dropped because their weights were unstable.
    pub unstable: usize,
    /// The number of positions learned from.
    pub positions: usize,
    /// The share of the variance of values that is predicted in positions not learned from.
    pub predicted: f64,
    /// The most important features.
    pub features: Vec<FeatureWeight>,
}

/// The analysis of a game.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Analysis {
    /// The version of this format.
    pub version: u32,
    /// The roles in order.
    pub roles: Vec<String>,
    /// Whether the game has hidden information.
    pub hidden_information: bool,
    /// The kinds of hidden information that random matches show.
    pub hidden: Vec<Hidden>,
    /// The number of fluents, if they are numbered.
    pub fluents: Option<usize>,
    /// The number of different moves seen, by role.
    pub moves_met: Vec<usize>,
    /// The number of legal moves of a role that has a choice.
    pub branching: Option<Average>,
    /// The share of states, in random matches, in which several roles choose at once.
    pub simultaneous: f64,
    /// The length of random matches that ended with goals.
    pub length: Option<Average>,
    /// The number of random matches.
    pub playouts: u64,
    /// The number of random matches that ended with goals.
    pub proper: u64,
    /// The goals of random players, by role.
    pub balance: Vec<Average>,
    /// The results of random players, most frequent first.
    pub results: Vec<Share>,
    /// What is proven from the rules.
    pub structure: Proven,
    /// The learned evaluation.
    pub evaluation: Option<Evaluated>,
    /// The exact value.
    pub solution: Option<Solution>,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnalyseProgress {
    /// Random matches are being played.
    Playing,
    /// The structure of the rules is being examined.
    Structure,
    /// An evaluation is being learned.
    Learning,
    /// The exact value is being computed.
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
    /// Measures branching and counts moves, state by state.
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

    /// Measures lengths and results of random matches.
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
