//! Names of reasoners and players.

use std::fmt;
use std::sync::Arc;

use game::{Fault, Game, Registry, Seat, Seated, Spec, SpecError};
use reasoner::{CircuitGame, GroundLimits, Interpreter};
use rules::Rules;

/// A game behind one of the reasoners.
#[derive(Clone)]
pub enum AnyGame {
    /// The rules evaluated state by state.
    Interpreter(Arc<Interpreter>),
    /// The rules compiled to circuits.
    Circuit(Arc<CircuitGame>),
}

/// Something that is done with a game, whatever its reasoner.
pub trait GameVisitor {
    /// What comes of it.
    type Out;

    /// Does it. The code is compiled for each reasoner, so it runs at full speed.
    fn visit<G: Game + 'static>(self, game: &Arc<G>) -> Self::Out;
}

impl AnyGame {
    /// Does something with the game.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Out {
        match self {
            AnyGame::Interpreter(game) => visitor.visit(game),
            AnyGame::Circuit(game) => visitor.visit(game),
        }
    }

    /// The roles in order.
    pub fn roles(&self) -> Vec<String> {
        struct Roles;
        impl GameVisitor for Roles {
            type Out = Vec<String>;
            fn visit<G: Game + 'static>(self, game: &Arc<G>) -> Vec<String> {
                game.roles().to_vec()
            }
        }
        self.visit(Roles)
    }
}

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

/// All reasoners by name. A name that is known may still fail on the rules.
pub fn reasoners() -> Registry<Arc<Rules>, Result<Chosen, Fault>> {
    let mut reasoners: Registry<Arc<Rules>, Result<Chosen, Fault>> = Registry::new("reasoner");
    let interpreter = |rules: &Arc<Rules>, why: &str| {
        let game = AnyGame::Interpreter(Arc::new(Interpreter::new(Arc::clone(rules))?));
        Ok(Chosen { game, name: "interpreter", why: why.to_string() })
    };
    let circuit = |rules: &Arc<Rules>, why: &str| {
        let game = CircuitGame::new(Arc::clone(rules), GroundLimits::default())?;
        Ok(Chosen { game: AnyGame::Circuit(Arc::new(game)), name: "circuit", why: why.to_string() })
    };
    let about = "the reasoner that suits the rules";
    reasoners.add("auto", "auto", about, move |spec, rules| {
        no_parameters(spec)?;
        Ok(interpreter(rules, "chosen because it takes every rule sheet"))
    });
    let about = "evaluates the rules one state at a time";
    reasoners.add("interpreter", "interpreter", about, move |spec, rules| {
        no_parameters(spec)?;
        Ok(interpreter(rules, "as asked for"))
    });
    let about = "compiles the rules to circuits that play many games at once";
    reasoners.add("circuit", "circuit", about, move |spec, rules| {
        no_parameters(spec)?;
        Ok(circuit(rules, "as asked for"))
    });
    reasoners
}

fn no_parameters(spec: &Spec) -> Result<(), String> {
    if spec.arguments.is_empty() { Ok(()) } else { Err("it takes no parameters.".to_string()) }
}

/// Usage and meaning of every reasoner.
pub fn reasoner_list() -> Vec<(&'static str, &'static str)> {
    reasoners().list().collect()
}

/// Usage and meaning of every player.
pub fn player_list() -> Vec<(&'static str, &'static str)> {
    players::registry::<Interpreter>().list().collect()
}

/// Seats the player that the spec names at a game.
pub fn seat<G: Game + 'static>(game: &Arc<G>, spec: &str) -> Result<Box<dyn Seat>, SpecError> {
    let player = players::registry::<G>().make(spec, &())?;
    Ok(Box::new(Seated::new(Arc::clone(game), player)))
}
