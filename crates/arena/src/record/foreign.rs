//! Records of other programs.
//!
//! The published format names neither the roles nor the game, has only `goalValues` for goals, and says that a
//! match is completed but not why it ended.

use gdl::parse_term;

use super::{Ending, MatchRecord, Times};

impl MatchRecord {
    /// Returns `true` if another program wrote this record.
    pub fn is_foreign(&self) -> bool {
        self.record_version == 0
    }

    /// Completes a record that was read: what follows from its other fields is filled in if it is missing. Roles
    /// that nobody names are numbered.
    pub fn settle(&mut self) {
        if self.times.as_ref().is_some_and(|times| *times == Times::default()) {
            self.times = None;
        }
        if !self.is_foreign() {
            return;
        }
        // One entry for each state, as a store writes them; so the same record is recognised.
        self.errors.resize(self.states.len(), Vec::new());
        if let Some(times) = &mut self.times {
            times.state_times.resize(self.states.len(), 0);
            times.thinking_times.resize(self.states.len(), Vec::new());
        }
        if self.goals.is_empty()
            && let Some(goals) = &self.goal_values
        {
            self.goals = goals.iter().copied().map(Some).collect();
        }
        if self.is_completed && self.ending == Ending::Open {
            self.ending = Ending::Terminal;
        }
        if self.game.is_empty() {
            self.game = self.game_meta_url.as_deref().and_then(key_of).unwrap_or_default().to_string();
        }
        for text in self.moves.iter_mut().flatten() {
            if let Ok(term) = parse_term(text) {
                *text = term.to_string();
            }
        }
        if self.roles.is_empty() {
            self.roles = (1..=self.seats()).map(|number| format!("role{number}")).collect();
        }
    }

    /// Returns the number of roles, as far as the record shows it.
    pub fn seats(&self) -> usize {
        let moves = self.moves.first().map_or(0, Vec::len);
        if moves > 0 {
            moves
        } else {
            self.roles.len().max(self.goals.len()).max(self.player_names_from_host.len())
        }
    }
}

/// Returns the key of a game from its address: `ticTacToe` of `http://games.ggp.org/base/games/ticTacToe/v0/`.
fn key_of(address: &str) -> Option<&str> {
    let key = address.split("/games/").last()?.split('/').next()?;
    (!key.is_empty() && key.len() < address.len()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the reference writes it.
    const RECORD: &str = r#"{"matchId":"t.1","randomToken":"x","startTime":5,"stateTimes":[6,7],
        "gameMetaURL":"http://games.ggp.org/base/games/ticTacToe/v0/","isCompleted":true,"isAborted":false,
        "states":["( ( control x ) )","( ( control o ) )"],"moves":[["( mark 1 1 )","noop"]],
        "errors":[["",""],["",""]],"goalValues":[100,0],"previewClock":-1,"startClock":10,"playClock":5}"#;

    #[test]
    fn what_follows_from_a_record_of_another_program_is_filled_in() {
        let mut record: MatchRecord = serde_json::from_str(RECORD).unwrap();
        record.settle();
        assert_eq!((record.game.as_str(), &record.ending), ("ticTacToe", &Ending::Terminal));
        assert_eq!(record.goals, [Some(100), Some(0)]);
        assert_eq!((&record.moves[0][0][..], &record.roles[1][..]), ("(mark 1 1)", "role2"));
        let once = record.clone();
        record.settle();
        assert_eq!(record, once);
    }

    #[test]
    fn a_record_without_times_has_those_that_the_format_demands() {
        let mut record: MatchRecord = serde_json::from_str(RECORD).unwrap();
        let text = serde_json::to_string(&record.published()).unwrap();
        assert!(text.contains("\"startTime\":5") && text.matches("Time").count() == 3, "{text}");
        record.times = None;
        let text = serde_json::to_string(&record.published()).unwrap();
        assert!(text.contains("\"startTime\":0") && text.contains("\"stateTimes\":[]"), "{text}");
        let mut again: MatchRecord = serde_json::from_str(&text).unwrap();
        again.settle();
        assert_eq!(again.times, None);
    }
}
