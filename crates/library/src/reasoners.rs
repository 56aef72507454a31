//! Reasoners by name.

use std::fmt;
use std::sync::Arc;

use game::{AnyGame, Fault, Registry};
use reasoner::{CircuitGame, GroundLimits, Interpreter, Limits, Making, Prover, WORK_PER_SECOND};
use rules::Rules;

/// A game, the reasoner behind it, and why that one was chosen.
#[derive(Clone)]
pub struct Chosen {
    /// The game.
    pub game: AnyGame,
    /// The name of the reasoner.
    pub name: &'static str,
    /// Why it was chosen.
    pub why: String,
}

impl fmt::Display for Chosen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.name, self.why)
    }
}

/// The work within which the interpreter must answer its first queries. Rules that need more derive
/// far more than is needed, and are left to the prover.
const FIRST_ANSWER: u64 = 2 * WORK_PER_SECOND;

/// Rules, and how to make a game from them.
pub struct Order {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The limits, the deadline and the observer.
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

/// Makes the compiled game.
pub(crate) fn compiled(rules: &Arc<Rules>, making: &Making) -> Result<Chosen, Fault> {
    circuit(rules, making, "the rules can be grounded")
}

fn prover(rules: &Arc<Rules>, why: &str) -> Result<Chosen, Fault> {
    let game = Prover::new(Arc::clone(rules))?;
    Ok(Chosen { game: AnyGame::new(Arc::new(game)), name: "prover", why: why.to_string() })
}

/// Makes a game that answers at once: the prover is ready in milliseconds, however large the rules are. If the
/// limits are tighter than usual, the rules are untrusted, and no query costs more than compiling may.
pub(crate) fn at_once(rules: &Arc<Rules>, limits: GroundLimits, why: &str) -> Result<Chosen, Fault> {
    let usual = GroundLimits::default();
    if limits.work < usual.work || limits.atoms < usual.atoms {
        let proven = Prover::with_limits(Arc::clone(rules), each_query(limits));
        return match proven {
            Err(Fault::Budget(_) | Fault::Unsupported(_)) => uncompiled(rules, limits, why),
            proven => {
                Ok(Chosen { game: AnyGame::new(Arc::new(proven?)), name: "prover", why: why.to_string() })
            }
        };
    }
    match prover(rules, why) {
        Err(Fault::Budget(_) | Fault::Unsupported(_)) => interpreter(rules, why),
        other => other,
    }
}

/// Returns what a query may cost if compiling is limited.
fn each_query(limits: GroundLimits) -> Limits {
    Limits { work: limits.work / 4, atoms: limits.atoms, ..Limits::default() }
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

/// Makes a game with the fastest reasoner that can handle the rules; circuits only if they can be
/// compiled within the limits and the deadline.
pub(crate) fn fastest(rules: &Arc<Rules>, making: &Making) -> Result<Chosen, Fault> {
    match circuit(rules, making, "the rules can be grounded") {
        Err(Fault::Budget(blown) | Fault::Unsupported(blown)) => {
            interpreter(rules, &format!("no circuit: {blown}"))
        }
        Err(Fault::Stopped) if !making.deadline.stop_token().is_stopped() => {
            interpreter(rules, "no circuit: there was no time to compile the rules")
        }
        other => other,
    }
}

/// Makes a game from untrusted rules: no query costs more than compiling may.
pub(crate) fn bounded(rules: &Arc<Rules>, limits: GroundLimits) -> Result<Chosen, Fault> {
    let blown = match circuit(rules, &Making::within(limits), "the rules can be grounded") {
        Err(Fault::Budget(blown) | Fault::Unsupported(blown)) => blown,
        other => return other,
    };
    uncompiled(rules, limits, &format!("no circuit: {blown}"))
}

/// Makes a game with the interpreter, or with the prover if the interpreter exceeds the limits.
pub(crate) fn uncompiled(rules: &Arc<Rules>, limits: GroundLimits, why: &str) -> Result<Chosen, Fault> {
    let each = each_query(limits);
    let plain = |game: AnyGame, name: &'static str| Chosen { game, name, why: why.to_string() };
    match Interpreter::with_limits(Arc::clone(rules), each) {
        Ok(game) => Ok(plain(AnyGame::new(Arc::new(game)), "interpreter")),
        Err(Fault::Budget(_)) if !rules.reads_knowledge() => {
            Ok(plain(AnyGame::new(Arc::new(Prover::with_limits(Arc::clone(rules), each)?)), "prover"))
        }
        Err(fault) => Err(fault),
    }
}

/// Returns all reasoners by name. A known reasoner may still be unable to handle the rules.
pub fn reasoners() -> Registry<Order, Result<Chosen, Fault>> {
    let mut reasoners: Registry<Order, Result<Chosen, Fault>> = Registry::new("reasoner");
    let about = "the fastest one that can handle the rules";
    reasoners.add("auto", &[], about, |_, order| Ok(fastest(&order.rules, &order.making)));
    let about = "evaluates one state at a time (or the prover if that is too slow)";
    reasoners.add("interpreter", &[], about, |_, order| Ok(interpreter(&order.rules, "as requested")));
    let about = "compiles the rules to circuits that play many games at once";
    reasoners.add("circuit", &[], about, |_, order| Ok(circuit(&order.rules, &order.making, "as requested")));
    let about = "proves only what is asked; best if a state needs few of the rules";
    reasoners.add("prover", &[], about, |_, order| Ok(prover(&order.rules, "as requested")));
    reasoners
}

/// Returns the usage and the meaning of every reasoner.
pub fn reasoner_list() -> Vec<(String, &'static str)> {
    reasoners().list().collect()
}
