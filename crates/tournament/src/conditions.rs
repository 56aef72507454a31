//! The conditions of a match: clocks, and how the referee handles players that break them.
//!
//! A new condition is a field here and a line in [`Conditions::setup`]; the files that hold conditions
//! (specs of matches, plans of tournaments) include these types.

use std::time::Duration;

use arena::{Replacement, Setup, check_wire_clocks};
use cast::remote_address;
use game::Seed;
use serde::{Deserialize, Serialize};

/// Clocks in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// The time to look at the rules before roles are assigned; `None` for no preview.
    pub preview_clock: Option<u64>,
    /// The time before the first move.
    pub start_clock: u64,
    /// The time for each move.
    pub play_clock: u64,
}

/// What the referee does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refereeing {
    /// What happens if a player gives no legal answer.
    pub replace: String,
    /// The number of steps after which a match is broken off.
    pub max_steps: usize,
    /// How many milliseconds after the clock an answer still counts; `None` for the default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grace: Option<u64>,
}

/// All conditions of a match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The clocks.
    #[serde(flatten)]
    pub clocks: Clocks,
    /// What the referee does.
    #[serde(flatten)]
    pub refereeing: Refereeing,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { preview_clock: None, start_clock: 10_000, play_clock: 1000 }
    }
}

impl Default for Refereeing {
    fn default() -> Refereeing {
        Refereeing { replace: Replacement::default().name().to_string(), max_steps: 10_000, grace: None }
    }
}

/// Why players cannot play under these conditions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{player}: {cause}")]
pub struct UnfitClocks {
    /// The player.
    pub player: String,
    /// What is wrong with the clocks.
    pub cause: arena::FractionalClock,
}

impl Conditions {
    /// Returns the setup of a match under these conditions.
    pub fn setup(&self, game: &str, seed: Seed, players: &[String]) -> Setup {
        let (clocks, refereeing) = (&self.clocks, &self.refereeing);
        let usual = Setup::new(game, seed);
        let remote = |spec: &String| remote_address(spec).ok().flatten();
        Setup {
            preview_clock: clocks.preview_clock.map(Duration::from_millis),
            start_clock: Duration::from_millis(clocks.start_clock),
            play_clock: Duration::from_millis(clocks.play_clock),
            grace: refereeing.grace.map_or(usual.grace, Duration::from_millis),
            replacement: Replacement::named(&refereeing.replace).unwrap_or_default(),
            scrambled: players.iter().filter_map(remote).any(|address| address.scrambled),
            max_steps: refereeing.max_steps,
            ..usual
        }
    }

    /// Checks that all players can be told the clocks: the protocol of players on the network knows whole
    /// seconds only.
    pub fn suit(&self, players: &[String]) -> Result<(), UnfitClocks> {
        let Some(player) = players.iter().find(|spec| cast::is_on_the_wire(spec)) else { return Ok(()) };
        let start = Duration::from_millis(self.clocks.start_clock);
        let play = Duration::from_millis(self.clocks.play_clock);
        check_wire_clocks(start, play).map_err(|cause| UnfitClocks { player: player.clone(), cause })
    }
}
