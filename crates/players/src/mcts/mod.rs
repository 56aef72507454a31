//! Monte Carlo tree search (UCT) on a graph of states.
//!
//! Statistics are kept for every role, so any number of roles can play, each
//! for itself. Leaves are collected in batches and played out together, which
//! fills the lanes of games that play many playouts side by side. Proven values
//! are carried up and end the search when the root is settled. What was learned
//! below the move that was made is kept for the next one. Games that hide
//! something are refused.

mod backup;
mod choose;
mod explain;
mod pace;
mod search;
pub(crate) mod select;
mod solver;
mod tree;

use std::sync::Arc;

use game::{Budget, Deadline, Explanation, Fault, Game, MatchContext, MoveId, Observation, Player, Spec};

use crate::Parameters;
use crate::known::{Known, refusal};
use pace::Pace;
use search::Search;

/// How an [`Mcts`] searches.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What a move may cost.
    pub budget: Budget,
    /// How much rarely tried moves are favoured.
    pub c: f32,
    /// Leaves of a batch; the search finds it where there is none.
    pub batch: Option<u32>,
    /// Playouts from each leaf; the search finds it where there is none.
    pub leaf: Option<u32>,
    /// Memory, in nodes.
    pub nodes: usize,
    /// Playouts are cut off after this many steps; the search finds it where there is none.
    pub steps: Option<u32>,
    /// Regret matching, rather than confidence bounds, where several roles choose at once.
    pub regret: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            budget: Budget::Clock,
            c: 0.7,
            batch: None,
            leaf: None,
            nodes: 1_000_000,
            steps: None,
            regret: true,
        }
    }
}

impl Settings {
    /// How a spec is written.
    pub const USAGE: &'static str =
        "mcts(playouts=N,states=N,c=0.7,batch=N,leaf=N,nodes=1000000,steps=N,simultaneous=regret|ucb)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, String> {
        let known = &["playouts", "states", "c", "batch", "leaf", "nodes", "steps", "simultaneous"];
        let given = Parameters::new(spec, known)?;
        let usual = Settings::default();
        Ok(Settings {
            budget: given.budget()?,
            c: given.number("c", 0.0..=100.0)?.unwrap_or(usual.c),
            batch: given.number("batch", 1..=4096)?,
            leaf: given.number("leaf", 1..=4096)?,
            nodes: given.number("nodes", 100..=1_000_000_000)?.unwrap_or(usual.nodes),
            steps: given.number("steps", 1..=1_000_000)?,
            regret: given.choice("simultaneous", &["regret", "ucb"])? == "regret",
        })
    }
}

/// Searches with playouts.
pub struct Mcts<G: Game> {
    settings: Settings,
    seat: Option<(Known<G>, Search<G>)>,
    why: Explanation,
}

impl<G: Game> Mcts<G> {
    /// With these settings.
    pub fn new(settings: Settings) -> Mcts<G> {
        Mcts { settings, seat: None, why: Explanation::default() }
    }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat = None;
        let known = Known::new("mcts", game, context)?;
        let pace = Pace::measured(&**game, &self.settings, context.play_clock, deadline)?;
        self.seat = Some((known, Search::new(game, &self.settings, pace, context.seed)));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().ok_or_else(|| refusal("mcts"))?.0.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let (known, search) = self.seat.as_mut().ok_or_else(|| refusal("mcts"))?;
        let legal = known.legal()?;
        if legal.len() == 1 {
            let entries = vec![("because".to_string(), "the only legal move".to_string())];
            self.why = Explanation { entries };
            return Ok(legal[0]);
        }
        let searched = search.run(&known.state, known.role, deadline);
        let candidates = search.candidates(known.role);
        let chosen = search.choose(&candidates).unwrap_or(legal[0]);
        self.why = search.explain(known.role, &candidates, chosen, searched.err());
        Ok(chosen)
    }

    fn explain(&self) -> Explanation {
        self.why.clone()
    }
}
