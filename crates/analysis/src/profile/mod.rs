//! Which rule costs what.
//!
//! For a circuit the cost of a clause is its gates: a block of games evaluates
//! every gate in every step, and each takes the same time. For the interpreter
//! it is time. In both cases some games are played by the interpreter to see
//! how often each clause derives anything. Where grounding fails, the time it
//! spent on each clause tells why.

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

/// Work within which the interpreter must answer its first questions.
const FIRST_ANSWER: u64 = 5 * WORK_PER_SECOND;

/// What a profile is made of.
#[derive(Debug, Clone)]
pub struct Sampling {
    /// Whether the costs of the circuit or those of the interpreter come first.
    pub basis: Basis,
    /// Games played by the interpreter, at most.
    pub playouts: u64,
    /// Time for these games, at most.
    pub time: Duration,
    /// Where chance comes from.
    pub seed: Seed,
    /// What grounding may cost.
    pub limits: GroundLimits,
}

/// What the share of a clause is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Gates of the circuit.
    Gates,
    /// Time of the interpreter.
    Time,
    /// Time of grounding, where no circuit came of it.
    Grounding,
}

/// The costs of a sheet. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// What shares are shares of.
    pub basis: Basis,
    /// Why there is no circuit, where one was wanted.
    pub no_circuit: Option<String>,
    /// Why no games were played by the interpreter, where that is so.
    pub no_playouts: Option<String>,
    /// Time for grounding.
    pub ground_seconds: f64,
    /// Ground rules.
    pub instances: u64,
    /// Gates of the circuit.
    pub gates: u64,
    /// Games played by the interpreter.
    pub playouts: u64,
    /// Joint moves made in them.
    pub states: u64,
    /// Time of the interpreter in its rules.
    pub play_seconds: f64,
    /// What each clause costs, most expensive first; clauses that cost nothing are left out.
    pub clauses: Vec<ClauseCost>,
    /// What to write otherwise.
    pub advice: Vec<Advice>,
}

/// What one clause costs. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClauseCost {
    /// Its place among the clauses of the sheet.
    pub clause: usize,
    /// The line it begins on.
    pub line: usize,
    /// Its head.
    pub head: String,
    /// Its part of the whole.
    pub share: f64,
    /// Ground rules made from it.
    pub instances: u64,
    /// Gates made for it.
    pub gates: f64,
    /// Time of grounding.
    pub ground_seconds: f64,
    /// Atoms found while grounding.
    pub ground_rows: u64,
    /// Time of the interpreter.
    pub play_seconds: f64,
    /// How often the interpreter evaluated it.
    pub runs: u64,
    /// Atoms the interpreter derived by it that were not there before.
    pub rows: u64,
    /// The part of evaluations that derived something.
    pub fires: Option<f64>,
}

/// Takes the profile of a sheet's rules.
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

/// Games longer than this are cut off.
const MAX_STEPS: u32 = 10_000;
