//! What a run of `tafl match` plays, written down so that it can go on later.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The version of this format.
const VERSION: u32 = 1;

/// Everything the results follow from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// Version of the format.
    pub version: u32,
    /// The game as it was asked for; a path is a whole one.
    pub game: String,
    /// The folder that took the place of the library.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub games: Option<PathBuf>,
    pub reasoner: String,
    pub players: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<String>,
    pub seed: u64,
    /// Clocks in milliseconds.
    pub preview_clock: Option<u64>,
    pub start_clock: u64,
    pub play_clock: u64,
    pub replace: String,
    pub max_steps: usize,
    /// How many matches; none for a single one that is told step by step.
    pub repeat: Option<u32>,
    pub rotate: bool,
}

impl Plan {
    /// An empty plan for a game; a path is made whole.
    pub(crate) fn new(game: &str, games: Option<&Path>) -> Plan {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let is_path = Path::new(game).is_file() || game.contains(['/', '\\']);
        let game = match game.rsplit_once(':') {
            Some((folder, key)) if Path::new(folder).is_dir() => {
                format!("{}:{key}", whole(Path::new(folder)).display())
            }
            _ if is_path => whole(Path::new(game)).display().to_string(),
            _ => game.to_string(),
        };
        Plan {
            version: VERSION,
            game,
            games: games.map(whole),
            reasoner: String::new(),
            players: Vec::new(),
            state: None,
            seed: 0,
            preview_clock: None,
            start_clock: 0,
            play_clock: 0,
            replace: String::new(),
            max_steps: 0,
            repeat: None,
            rotate: false,
        }
    }
}

/// Milliseconds as a duration.
pub(crate) fn clock(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
