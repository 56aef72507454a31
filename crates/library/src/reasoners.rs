//! Names of reasoners.

use std::fmt;
use std::sync::Arc;

use game::{AnyGame, Fault, Registry};
use reasoner::{CircuitGame, GroundLimits, Interpreter, Limits, Making, Prover, WORK_PER_SECOND};
use rules::Rules;

/// A game, which reasoner it is behind, and why that one.
#[derive(Clone)]
pub struct Chosen {
    /// The game.
    pub game: AnyGame,
    /// The reasoner's name.
    pub name: &'static str,
    /// Why it was taken.
    pub why: String,
}

impl fmt::Display for Chosen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.name, self.why)
    }
}

/// Work within which the interpreter must answer its first questions; rules that
/// need more derive far more than is asked for and are left to the prover.
const FIRST_ANSWER: u64 = 2 * WORK_PER_SECOND;

/// Rules, and how a game is made of them.
pub struct Order {
    /// The rules.
    pub rules: Arc<Rules>,
    /// What making the game may cost, and who watches.
    pub making: Making,
}

fn circuit(rules: &Arc<Rules>, making: &Making, why: &str) -> Result<Chosen, Fault> {
    let made = CircuitGame::make(Arc::clone(rules), making);
    making.over();
    let game = made?;
    let why =
        [Some(why), game.figures().declared.words()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    Ok(Chosen { game: AnyGame::new(Arc::new(game)), name: "circuit", why })
}

fn prover(rules: &Arc<Rules>, why: &str) -> Result<Chosen, Fault> {
    let game = Prover::new(Arc::clone(rules))?;
    Ok(Chosen { game: AnyGame::new(Arc::new(game)), name: "prover", why: why.to_string() })
}

fn interpreter(rules: &Arc<Rules>, why: &str) -> Result<Chosen, Fault> {
    match Interpreter::start_within(Arc::clone(rules), FIRST_ANSWER) {
        Ok(game) => {
            Ok(Chosen { game: AnyGame::new(Arc::new(game)), name: "interpreter", why: why.to_string() })
        }
        Err(Fault::Budget(blown)) if !rules.reads_knowledge() => {
            prover(rules, &format!("the interpreter gave up: {blown}"))
        }
        Err(fault) => Err(fault),
    }
}

/// The fastest reasoner that takes the rules, where compiling them keeps within the limits and
/// the deadline.
pub(crate) fn fastest(rules: &Arc<Rules>, making: &Making) -> Result<Chosen, Fault> {
    match circuit(rules, making, "the rules ground") {
        Err(Fault::Budget(blown) | Fault::Unsupported(blown)) => {
            interpreter(rules, &format!("no circuit: {blown}"))
        }
        Err(Fault::Stopped) if !making.deadline.stop_token().is_stopped() => {
            interpreter(rules, "no circuit: there was no time to compile the rules")
        }
        other => other,
    }
}

/// The fastest reasoner for rules that come from strangers: each question costs no more than compiling may.
pub(crate) fn bounded(rules: &Arc<Rules>, limits: GroundLimits) -> Result<Chosen, Fault> {
    let blown = match circuit(rules, &Making::within(limits), "the rules ground") {
        Err(Fault::Budget(blown) | Fault::Unsupported(blown)) => blown,
        other => return other,
    };
    uncompiled(rules, limits, &format!("no circuit: {blown}"))
}

/// The interpreter within limits, or the prover where it derives too much.
pub(crate) fn uncompiled(rules: &Arc<Rules>, limits: GroundLimits, why: &str) -> Result<Chosen, Fault> {
    let each = Limits { work: limits.work / 4, atoms: limits.atoms, ..Limits::default() };
    let plain = |game: AnyGame, name: &'static str| Chosen { game, name, why: why.to_string() };
    match Interpreter::with_limits(Arc::clone(rules), each) {
        Ok(game) => Ok(plain(AnyGame::new(Arc::new(game)), "interpreter")),
        Err(Fault::Budget(_)) if !rules.reads_knowledge() => {
            Ok(plain(AnyGame::new(Arc::new(Prover::with_limits(Arc::clone(rules), each)?)), "prover"))
        }
        Err(fault) => Err(fault),
    }
}

/// All reasoners by name. A name that is known may still fail on the rules.
pub fn reasoners() -> Registry<Order, Result<Chosen, Fault>> {
    let mut reasoners: Registry<Order, Result<Chosen, Fault>> = Registry::new("reasoner");
    let about = "the fastest that takes the rules: circuit, interpreter or prover";
    reasoners.add("auto", &[], about, |_, order| Ok(fastest(&order.rules, &order.making)));
    let about = "evaluates one state at a time (the prover where that is too much)";
    reasoners.add("interpreter", &[], about, |_, order| Ok(interpreter(&order.rules, "as asked for")));
    let about = "compiles the rules to circuits that play many games at once";
    reasoners.add("circuit", &[], about, |_, order| Ok(circuit(&order.rules, &order.making, "as asked for")));
    let about = "proves one goal at a time; for rules of which a state needs little";
    reasoners.add("prover", &[], about, |_, order| Ok(prover(&order.rules, "as asked for")));
    reasoners
}

/// Usage and meaning of every reasoner.
pub fn reasoner_list() -> Vec<(String, &'static str)> {
    reasoners().list().collect()
}
