//! The choice of plans by playing a few steps.
//!
//! Plans by estimate and plans in source order are tried on the same random steps. The observed answers and
//! costs of the calls yield better plans, which are tried as well. The plans that get furthest with the
//! fewest visited candidates are kept. Work is counted, not timed, so the same sheet always gets the same
//! plans.

use std::sync::Arc;

use game::{Fault, PlayoutStream, Seed};
use rustc_hash::FxHashMap;

use super::engine::{Engine, Question};
use super::estimate::Observed;
use super::pattern::Pattern;
use super::program::Strategy;
use super::ranks::Ranks;
use crate::TermId;

/// The maximum number of steps played.
const STEPS: u32 = 24;
/// The number of candidates that may be visited in one walk. The larger ones are used only if not even one
/// step can be made.
const ALLOWANCES: [u64; 3] = [1_000_000, 10_000_000, 50_000_000];
/// The work of a query is divided by this to limit the work spent here.
const SHARE: u64 = 2;
/// The number of times that plans are made from observations.
const ROUNDS: usize = 2;

type Seen = FxHashMap<Pattern, Observed>;

/// The result of a walk with some plans.
#[derive(Debug, Clone)]
struct Trial {
    strategy: Strategy,
    /// The observations that the plans were made from.
    from: Seen,
    /// The observations made with them.
    seen: Seen,
    steps: u32,
    /// Whether the limits of a query were exceeded.
    is_blown: bool,
    /// The cost of the steps; that of the second walk, with static relations known, if there was one.
    work: u64,
    /// The fault that ended the walk early.
    fault: Option<Fault>,
}

impl Trial {
    fn is_better(&self, other: &Trial) -> bool {
        (self.steps, other.is_blown, other.work) > (other.steps, self.is_blown, self.work)
    }
}

/// Chooses the plans. Returns the initial state.
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
    // If not a single step could be made with all this work, none can be made in play.
    if exhausted && let Some(Trial { steps: 0, fault: Some(fault), .. }) = &best {
        return Err(fault.clone());
    }
    let (strategy, from) = best.map_or((Strategy::Cost, Seen::default()), |b| (b.strategy, b.from));
    engine.replan(strategy, from);
    Ok(initial)
}

/// Makes plans and walks with them, twice if the first walk succeeds.
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
