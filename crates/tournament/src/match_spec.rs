//! What `tafl match` was asked to play, stored so that it can be continued later.

use std::path::{Path, PathBuf};

use library::Loaded;
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;

/// The version of this format.
const VERSION: u32 = 1;

/// Everything that determines the results of one match, or of repeated matches between the same players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchSpec {
    /// The version of the format.
    pub version: u32,
    /// The game as it was asked for; paths are absolute.
    pub game: String,
    /// The folder used instead of the library.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub games: Option<PathBuf>,
    /// The reasoner.
    pub reasoner: String,
    /// The players, in the order of the seats.
    pub players: Vec<String>,
    /// The state to begin in, if it is not the initial state.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The conditions.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The number of matches; `None` for a single match that is shown step by step.
    pub repeat: Option<u32>,
    /// Whether the players change seats after every match.
    pub rotate: bool,
}

/// A stored spec that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{series} was begun with another version of tafl and can only be continued with that one.")]
pub struct MatchSpecError {
    /// The series that it belongs to.
    pub series: String,
}

impl MatchSpec {
    /// Creates a spec for a game, without players and clocks. Paths become absolute.
    pub fn new(game: &str, games: Option<&Path>) -> MatchSpec {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let is_path = Path::new(game).is_file() || game.contains(['/', '\\']);
        let game = match game.rsplit_once(':') {
            Some((folder, key)) if Path::new(folder).is_dir() => {
                format!("{}:{key}", whole(Path::new(folder)).display())
            }
            _ if is_path => whole(Path::new(game)).display().to_string(),
            _ => game.to_string(),
        };
        MatchSpec {
            version: VERSION,
            game,
            games: games.map(whole),
            reasoner: String::new(),
            players: Vec::new(),
            state: None,
            seed: 0,
            conditions: Conditions::default(),
            repeat: None,
            rotate: false,
        }
    }

    /// Reads the spec that a series of the store was begun with.
    pub fn read(plan: &serde_json::Value, series: &str) -> Result<MatchSpec, MatchSpecError> {
        let spec = MatchSpec::deserialize(plan).ok().filter(|spec| spec.version == VERSION);
        spec.ok_or_else(|| MatchSpecError { series: series.to_string() })
    }

    /// Returns the name of its matches, before their numbers.
    pub fn name(&self, loaded: &Loaded) -> String {
        format!("tafl.{}.{}", loaded.source.name, self.seed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn a_spec_is_written_as_the_first_version_wrote_it() {
        let text = r#"{"version":1,"game":"nim","reasoner":"auto","players":["random","legal"],"seed":8,"preview_clock":null,"start_clock":10000,"play_clock":1000,"replace":"random","max_steps":10000,"repeat":4,"rotate":true}"#;
        let spec = MatchSpec::read(&serde_json::from_str(text).unwrap(), "tafl.nim.8").unwrap();
        assert_eq!((spec.game.as_str(), spec.repeat, spec.state.as_ref()), ("nim", Some(4), None));
        assert_eq!(serde_json::to_string(&spec).unwrap(), text);
        let later = serde_json::from_str(&text.replace("\"version\":1", "\"version\":2")).unwrap();
        assert!(MatchSpec::read(&later, "tafl.nim.8").is_err());
    }
}
