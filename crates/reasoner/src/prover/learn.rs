//! Chooses plans by playing a few steps.
//!
//! Plans by estimate and plans as written are tried on the same random steps;
//! what the calls gave and cost makes better plans, which are tried as well.
//! The plans that come furthest with the fewest candidates looked at stay.
//! Work is counted, not timed, so the same sheet always gets the same plans.

use std::sync::Arc;

use game::{Fault, PlayoutStream, Seed};
use rustc_hash::FxHashMap;

use super::engine::{Engine, Question};
use super::estimate::Observed;
use super::pattern::Pattern;
use super::program::Strategy;
use super::ranks::Ranks;
use crate::TermId;

/// Steps played at most.
const STEPS: u32 = 24;
/// Candidates that may be looked at in one walk; more only if not even one step can be made.
const ALLOWANCES: [u64; 3] = [1_000_000, 10_000_000, 50_000_000];
/// The part of a question's work that may be spent here.
const SHARE: u64 = 2;
/// How many times plans are made from what was observed.
const ROUNDS: usize = 2;

type Seen = FxHashMap<Pattern, Observed>;

/// How a walk with some plans went.
#[derive(Debug, Clone)]
struct Trial {
    strategy: Strategy,
    /// What the plans were made from.
    from: Seen,
    /// What was seen with them.
    seen: Seen,
    steps: u32,
    /// Whether the limits of a question were passed.
    is_blown: bool,
    /// What the steps cost once static relations were known.
    work: u64,
    /// What it ended with where that was not the end of the walk.
    fault: Option<Fault>,
}

impl Trial {
    fn is_better(&self, other: &Trial) -> bool {
        (self.steps, other.is_blown, other.work) > (other.steps, self.is_blown, self.work)
    }
}

/// Chooses the plans; the initial state.
pub(crate) fn learn(engine: &mut Engine) -> Result<Arc<[TermId]>, Fault> {
    let mut facts = Vec::new();
    engine.ask(Question::Init, None, &mut facts)?;
    facts.sort_unstable();
    let initial: Arc<[TermId]> = facts.into();
    engine.sample(&initial);
    let mut best = None;
    let work = engine.machine.meter.limits().work;
    engine.machine.meter.set_together(Some(work / SHARE));
    for allowance in ALLOWANCES {
        let mut trial = |best: &mut Option<Trial>, strategy, from: Seen| {
            if best.is_some() && engine.machine.meter.is_exhausted() {
                return false;
            }
            let result = attempt(engine, &initial, strategy, from, allowance);
            let is_better = best.as_ref().is_none_or(|b| result.is_better(b));
            if is_better {
                *best = Some(result);
            }
            is_better
        };
        trial(&mut best, Strategy::Cost, Seen::default());
        trial(&mut best, Strategy::Source, Seen::default());
        for _ in 0..ROUNDS {
            let seen = best.as_ref().map(|b| b.seen.clone()).unwrap_or_default();
            if !trial(&mut best, Strategy::Cost, seen) {
                break;
            }
        }
        if best.as_ref().is_some_and(|b| b.steps > 0) {
            break;
        }
    }
    let exhausted = engine.machine.meter.is_exhausted();
    engine.machine.meter.set_together(None);
    // Where not one step could be made with all this work, none can be made in play.
    if exhausted && let Some(Trial { steps: 0, fault: Some(fault), .. }) = &best {
        return Err(fault.clone());
    }
    let (strategy, from) = best.map_or((Strategy::Cost, Seen::default()), |b| (b.strategy, b.from));
    engine.replan(strategy, from);
    Ok(initial)
}

/// Makes plans and walks with them, twice if the first time is not too long.
fn attempt(
    engine: &mut Engine,
    initial: &Arc<[TermId]>,
    strategy: Strategy,
    from: Seen,
    allowance: u64,
) -> Trial {
    engine.replan(strategy, from.clone());
    let (seen, fault) = (Seen::default(), None);
    let mut trial = Trial { strategy, from, seen, steps: 0, is_blown: false, work: 0, fault };
    for _ in 0..2 {
        let before = engine.machine.work;
        engine.machine.allowance = before.saturating_add(allowance);
        let walked = walk(engine, initial, &mut trial.steps);
        trial.work = engine.machine.work - before;
        trial.is_blown = walked.is_err() && engine.machine.work <= engine.machine.allowance;
        engine.machine.allowance = u64::MAX;
        if let Err(fault) = walked {
            trial.fault = Some(fault);
            break;
        }
    }
    trial.seen = engine.observed();
    trial
}

/// Plays random steps, as a playout would.
fn walk(engine: &mut Engine, initial: &Arc<[TermId]>, steps: &mut u32) -> Result<(), Fault> {
    let stream = PlayoutStream::new(Seed(0), 0);
    let mut ranks = Ranks::default();
    let mut state = initial.clone();
    let (mut terms, mut joint) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        engine.enter(&state);
        engine.make(None);
        let over = engine.ask(Question::Terminal, None, &mut terms)?;
        if over && step > 0 {
            break;
        }
        joint.clear();
        for role in 0..engine.roles() {
            engine.ask(Question::Legal, Some(role), &mut terms)?;
            if terms.is_empty() {
                return Ok(());
            }
            engine.rank(&mut ranks, &mut terms);
            joint.push(terms[stream.below(step, role as u32, terms.len() as u32) as usize]);
        }
        engine.make(Some(&joint));
        engine.ask(Question::Next, None, &mut terms)?;
        terms.sort_unstable();
        state = terms[..].into();
        *steps = (*steps).max(step + 1);
        engine.sample(&state);
    }
    for role in 0..engine.roles() {
        engine.enter(&state);
        engine.make(None);
        engine.ask(Question::Goal, Some(role), &mut terms)?;
    }
    Ok(())
}
