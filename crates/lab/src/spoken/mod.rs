//! A game behind text.
//!
//! Whoever shows games to people, or serves them to programs, has no use for
//! types of states: a [`Spoken`] game takes and gives canonical text only. It is
//! made from an [`AnyGame`] and costs a lookup for each text, so it is for
//! matches and pages, not for searches.

mod knowledge;
mod walk;

use std::sync::Arc;

use arena::{Event, Journal, MatchRecord, Setup, Sitter, StepRecord, play_on};
use game::{Game, RoleId, Seat, SpecError};

pub use knowledge::{Knowledge, KnowledgeLimits};
pub use walk::{Look, Walk};

use crate::reasoners::{AnyGame, GameVisitor, seat};
use knowledge::Possible;
use walk::Walker;

/// Any game, as text.
pub trait Spoken: Send + Sync {
    /// The roles in order.
    fn roles(&self) -> &[String];

    /// Whether the rules say what players see.
    fn hides(&self) -> bool;

    /// A walk from the first state.
    fn walk(&self) -> Box<dyn Walk>;

    /// What a role knows at the beginning.
    fn knowledge(&self, role: RoleId, limits: KnowledgeLimits) -> Box<dyn Knowledge>;

    /// Seats the player that the spec names.
    fn seat(&self, spec: &str) -> Result<Box<dyn Seat>, SpecError>;

    /// Plays a match, as [`arena::play_on`] does.
    fn play(
        &self,
        sitters: Vec<Sitter>,
        setup: &Setup,
        past: &[StepRecord],
        journal: &mut dyn Journal,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> MatchRecord;
}

impl AnyGame {
    /// The game behind text.
    pub fn spoken(&self) -> Arc<dyn Spoken> {
        struct Speak;
        impl GameVisitor for Speak {
            type Out = Arc<dyn Spoken>;
            fn visit<G: Game + 'static>(self, game: &Arc<G>) -> Arc<dyn Spoken> {
                Arc::new(Speaker(Arc::clone(game)))
            }
        }
        self.visit(Speak)
    }
}

struct Speaker<G>(Arc<G>);

impl<G: Game + 'static> Spoken for Speaker<G> {
    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn hides(&self) -> bool {
        self.0.has_percepts()
    }

    fn walk(&self) -> Box<dyn Walk> {
        Box::new(Walker::new(&self.0))
    }

    fn knowledge(&self, role: RoleId, limits: KnowledgeLimits) -> Box<dyn Knowledge> {
        Box::new(Possible::new(&self.0, role, limits))
    }

    fn seat(&self, spec: &str) -> Result<Box<dyn Seat>, SpecError> {
        seat(&self.0, spec)
    }

    fn play(
        &self,
        sitters: Vec<Sitter>,
        setup: &Setup,
        past: &[StepRecord],
        journal: &mut dyn Journal,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> MatchRecord {
        play_on(&*self.0, sitters, setup, past, journal, watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Library, Loaded};
    use rules::Strictness;

    fn spoken(name: &str) -> Arc<dyn Spoken> {
        let source = Library::embedded().find(name).unwrap();
        Loaded::new(source, Strictness::Lenient).play("auto").unwrap().game.spoken()
    }

    fn limits() -> KnowledgeLimits {
        KnowledgeLimits { states: 500, steps: 100_000, time: std::time::Duration::from_secs(20) }
    }

    #[test]
    fn a_walk_tells_moves_facts_and_goals_as_text() {
        let game = spoken("tic_tac_toe");
        let mut walk = game.walk();
        let look = walk.look().unwrap();
        assert_eq!(look.legal[0].len(), 9);
        assert!(!look.terminal && look.legal[1] == ["noop"]);
        let seen = walk.step(&["(mark 2 2)".to_string(), "noop".to_string()]).unwrap();
        assert_eq!(seen.len(), 2);
        assert!(walk.look().unwrap().facts.contains(&"(cell 2 2 x)".to_string()));
        assert!(walk.step(&["(mark 2 2)".to_string(), "noop".to_string()]).is_err());
        assert!(walk.step(&["noop".to_string()]).is_err());
    }

    #[test]
    fn a_role_knows_what_holds_in_all_states_that_agree_with_what_it_saw() {
        let game = spoken("monty_hall_3");
        let candidate = game.roles().iter().position(|role| role == "candidate").unwrap();
        let mut knows = game.knowledge(RoleId(candidate as u32), limits());
        let mut walk = game.walk();
        let before = walk.look().unwrap();
        assert_eq!(knows.facts().unwrap(), before.facts);
        let joint: Vec<String> = before.legal.iter().map(|moves| moves[0].clone()).collect();
        let seen = walk.step(&joint).unwrap();
        let after = walk.look().unwrap();
        knows.update(&joint[candidate], &seen[candidate], !after.terminal).unwrap();
        let known = knows.facts().unwrap();
        assert!(known.iter().all(|fact| after.facts.contains(fact)));
        assert!(known.len() < after.facts.len(), "{known:?} is less than {:?}", after.facts);
    }

    #[test]
    fn knowledge_that_is_too_large_is_given_up() {
        let game = spoken("monty_hall_3");
        let mut knows = game.knowledge(RoleId(0), KnowledgeLimits { states: 1, ..limits() });
        let mut walk = game.walk();
        let joint: Vec<String> = walk.look().unwrap().legal.iter().map(|moves| moves[0].clone()).collect();
        let seen = walk.step(&joint).unwrap();
        // Chance has its own view; whoever cannot know where the car is has several states to think of.
        let other = game.roles().iter().position(|role| role != "random").unwrap();
        let mut candidate = game.knowledge(RoleId(other as u32), KnowledgeLimits { states: 1, ..limits() });
        assert!(candidate.update(&joint[other], &seen[other], true).is_err());
        assert!(candidate.facts().is_none());
        assert!(knows.update(&joint[0], &seen[0], true).is_ok() || knows.facts().is_none());
    }
}
