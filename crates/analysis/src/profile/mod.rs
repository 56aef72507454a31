//! The cost of each rule.
//!
//! In a circuit, the cost of a clause is its number of gates: a block of games evaluates every gate in
//! every step, and all gates take the same time. In the interpreter, it is time. In both cases the
//! interpreter plays some games to show how often each clause derives something. If grounding fails, the
//! time that it spent on each clause shows why.

mod advice;

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Game, Seed};
use gdl::LineIndex;
use library::Loaded;
use reasoner::circuit::{Circuit, Circuits};
use reasoner::ground::{AtomId, Ground};
pub use reasoner::{GroundLimits, WORK_PER_SECOND};
use reasoner::{Interpreter, Making, RuleCost};
use rules::Rules;
use serde::Serialize;

use crate::bench::play_one_by_one;
pub use advice::{Advice, Pattern};

/// The work within which the interpreter must answer its first questions.
const FIRST_ANSWER: u64 = 5 * WORK_PER_SECOND;

/// How a profile is made.
#[derive(Debug, Clone)]
pub struct Sampling {
    /// Whether shares refer to the circuit or to the interpreter.
    pub basis: Basis,
    /// The maximum number of games played by the interpreter.
    pub playouts: u64,
    /// The time limit for these games.
    pub time: Duration,
    /// The seed of these games.
    pub seed: Seed,
    /// Limits for grounding.
    pub limits: GroundLimits,
}

/// The cost that shares refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The gates of the circuit.
    Gates,
    /// The time of the interpreter.
    Time,
    /// The time of grounding, if it failed.
    Grounding,
}

/// The costs of a sheet. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// The cost that shares refer to.
    pub basis: Basis,
    /// Why there is no circuit.
    pub no_circuit: Option<String>,
    /// Why the interpreter played no games.
    pub no_playouts: Option<String>,
    /// The time of grounding.
    pub ground_seconds: f64,
    /// The number of ground rules.
    pub instances: u64,
    /// The number of gates of the circuit.
    pub gates: u64,
    /// The number of games played by the interpreter.
    pub playouts: u64,
    /// The number of joint moves in them.
    pub states: u64,
    /// The time that the interpreter spent on rules.
    pub play_seconds: f64,
    /// The cost of each clause, most expensive first. Clauses without cost are left out.
    pub clauses: Vec<ClauseCost>,
    /// What to write instead.
    pub advice: Vec<Advice>,
}

/// The cost of one clause. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClauseCost {
    /// The number of the clause in the sheet.
    pub clause: usize,
    /// The line it begins on.
    pub line: usize,
    /// Its head.
    pub head: String,
    /// Its share of the total cost.
    pub share: f64,
    /// The number of ground rules made from it.
    pub instances: u64,
    /// The number of gates made for it; see [`Circuit::gates_by_clause`].
    pub gates: f64,
    /// The time of grounding.
    pub ground_seconds: f64,
    /// The number of atoms found by grounding.
    pub ground_rows: u64,
    /// The time of the interpreter.
    pub play_seconds: f64,
    /// The number of evaluations by the interpreter.
    pub runs: u64,
    /// The number of new atoms that these evaluations derived.
    pub rows: u64,
    /// The share of evaluations that derived something new.
    pub fires: Option<f64>,
}

/// Measures the cost of every clause of a sheet.
pub fn profile(loaded: &Loaded, rules: &Arc<Rules>, sampling: &Sampling) -> Profile {
    let mut basis = sampling.basis;
    let (mut instances, mut gates) = (Vec::new(), Vec::new());
    let mut no_circuit = None;
    let began = Instant::now();
    let (ground, ground_costs) = Ground::measured(Arc::clone(rules), &Making::within(sampling.limits));
    let ground_seconds = began.elapsed().as_secs_f64();
    match ground {
        Ok(ground) => {
            instances = instances_by_clause(&ground);
            gates = Circuit::gates_by_clause(&ground, &Circuits::new(&ground));
        }
        Err(fault) => {
            no_circuit = Some(fault.to_string());
            if basis == Basis::Gates {
                basis = Basis::Grounding;
            }
        }
    }
    let (mut no_playouts, mut played) = (None, Sample::default());
    match sample(rules, sampling) {
        Ok(sample) => played = sample,
        Err(fault) => no_playouts = Some(fault.to_string()),
    }
    let mut profile = Profile {
        basis,
        no_circuit,
        no_playouts,
        ground_seconds,
        instances: instances.iter().sum(),
        gates: gates.iter().sum::<f64>().round() as u64,
        playouts: played.playouts,
        states: played.states,
        play_seconds: played.costs.iter().map(|c| c.time.as_secs_f64()).sum(),
        clauses: Vec::new(),
        advice: Vec::new(),
    };
    profile.clauses =
        clauses(loaded, &Costs { basis, ground: ground_costs, played: played.costs, instances, gates });
    profile.advice = advice::advise(rules, &profile.clauses);
    profile
}

/// Costs by clause.
struct Costs {
    basis: Basis,
    ground: Vec<RuleCost>,
    played: Vec<RuleCost>,
    instances: Vec<u64>,
    gates: Vec<f64>,
}

fn clauses(loaded: &Loaded, costs: &Costs) -> Vec<ClauseCost> {
    let lines = LineIndex::new(&loaded.source.text);
    let at = |list: &[RuleCost], clause: usize| list.get(clause).copied().unwrap_or_default();
    let mut all: Vec<ClauseCost> = Vec::new();
    let written = loaded.sheet().map(|sheet| sheet.clauses.as_slice()).unwrap_or_default();
    for (clause, written) in written.iter().enumerate() {
        let (ground, played) = (at(&costs.ground, clause), at(&costs.played, clause));
        if ground == RuleCost::default() && played == RuleCost::default() {
            continue;
        }
        all.push(ClauseCost {
            clause,
            line: lines.position(written.span.start as usize).line,
            head: written.head.to_string(),
            share: 0.0,
            instances: costs.instances.get(clause).copied().unwrap_or(0),
            gates: costs.gates.get(clause).copied().unwrap_or(0.0),
            ground_seconds: ground.time.as_secs_f64(),
            ground_rows: ground.rows,
            play_seconds: played.time.as_secs_f64(),
            runs: played.runs,
            rows: played.rows,
            fires: (played.runs > 0).then(|| played.fired as f64 / played.runs as f64),
        });
    }
    let cost = |c: &ClauseCost| match costs.basis {
        Basis::Gates => c.gates,
        Basis::Time => c.play_seconds,
        Basis::Grounding => c.ground_seconds,
    };
    let total: f64 = all.iter().map(cost).sum();
    if total > 0.0 {
        all.iter_mut().for_each(|c| c.share = cost(c) / total);
    }
    let by_cost = |a: &ClauseCost, b: &ClauseCost| {
        b.share.total_cmp(&a.share).then(b.instances.cmp(&a.instances)).then(a.clause.cmp(&b.clause))
    };
    all.sort_by(by_cost);
    all
}

fn instances_by_clause(ground: &Ground) -> Vec<u64> {
    let mut counts = Vec::new();
    for atom in 0..ground.atoms() {
        for instance in ground.instances(AtomId(atom as u32)) {
            let clause = instance.clause as usize;
            if clause >= counts.len() {
                counts.resize(clause + 1, 0);
            }
            counts[clause] += 1;
        }
    }
    counts
}

/// What the interpreter did.
#[derive(Default)]
struct Sample {
    playouts: u64,
    states: u64,
    costs: Vec<RuleCost>,
}

fn sample(rules: &Arc<Rules>, sampling: &Sampling) -> Result<Sample, Fault> {
    let game = Interpreter::start_within(Arc::clone(rules), FIRST_ANSWER)?;
    let mut scratch = game.scratch();
    game.start_profile(&mut scratch);
    let deadline = Deadline::after(sampling.time);
    let indexes = 0..sampling.playouts;
    let played = play_one_by_one(&game, &mut scratch, sampling.seed, indexes, MAX_STEPS, &deadline);
    let costs = game.take_profile(&mut scratch);
    let (tally, unfinished) = played?;
    Ok(Sample { playouts: tally.playouts, states: tally.steps + unfinished, costs })
}

/// The maximum length of a game; longer ones are cut off.
const MAX_STEPS: u32 = 10_000;
