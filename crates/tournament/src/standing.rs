//! The standings of a tournament.

use arena::Ending;
use serde::Serialize;

use super::plan::{Plan, PlanPlayer};
use super::result::MatchResult;
use super::score::Score;

/// A player over all matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerCount {
    /// The player.
    pub player: String,
    /// Its matches against others. If it takes several seats of a match, they share one result, so that
    /// match counts only by role and by pair.
    pub tally: Score,
    /// The number of moves that the referee made for it, in all its matches.
    pub replaced: u64,
}

/// One player against another, over all seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairCount {
    /// The player whose points are counted.
    pub player: String,
    /// The opponent.
    pub against: String,
    /// The matches; points are those against this opponent.
    pub tally: Score,
}

/// One seat of a game, whoever sat there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatCount {
    /// The game.
    pub game: String,
    /// The role.
    pub role: String,
    /// The matches.
    pub tally: Score,
}

/// The counts of a tournament so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// The number of matches that have ended.
    pub matches: u64,
    /// The number of matches that were broken off. They count as drawn; in games of one role they are left
    /// out.
    pub broken_off: u64,
    /// The number of matches that a player lost by forfeit.
    #[serde(skip_serializing_if = "is_zero")]
    pub forfeited: u64,
    /// The number of moves that the referee made for players; by player in their rows.
    pub replaced: u64,
    /// The counts by player, in the order of the plan.
    pub players: Vec<PlayerCount>,
    /// The counts by pair of players: each pair from both sides, and players against themselves once.
    pub pairs: Vec<PairCount>,
    /// The counts by game and role, in the order of the plan.
    pub seats: Vec<SeatCount>,
}

impl Standings {
    /// Creates the standings before the first match.
    pub fn new(plan: &Plan) -> Standings {
        let player = |player: &PlanPlayer| PlayerCount {
            player: player.name.clone(),
            tally: Score::default(),
            replaced: 0,
        };
        let mut seats = Vec::new();
        for game in &plan.games {
            seats.extend(game.seats().into_iter().map(|role| SeatCount {
                game: game.name.clone(),
                role: game.roles[role].clone(),
                tally: Score::default(),
            }));
        }
        Standings {
            matches: 0,
            broken_off: 0,
            forfeited: 0,
            replaced: 0,
            players: plan.players.iter().map(player).collect(),
            pairs: Vec::new(),
            seats,
        }
    }

    /// Returns the standings after these matches.
    pub fn of<'a>(plan: &Plan, results: impl IntoIterator<Item = &'a MatchResult>) -> Standings {
        let mut standings = Standings::new(plan);
        results.into_iter().for_each(|result| standings.add(plan, result));
        standings
    }

    /// Counts one match.
    pub fn add(&mut self, plan: &Plan, result: &MatchResult) {
        let Some(game) = plan.games.iter().find(|game| game.name == result.game) else { return };
        self.matches += 1;
        match result.ending {
            Ending::Terminal => {}
            Ending::Forfeit { .. } => self.forfeited += 1,
            _ => self.broken_off += 1,
        }
        self.replaced += result.replaced;
        for (seat, name) in result.players.iter().enumerate() {
            if let Some(row) = self.players.iter_mut().find(|row| row.player == *name) {
                row.replaced += result.replaced_of(seat);
            }
        }
        let Some(scores) = result.scores(game) else { return };
        let seats = game.seats();
        for (seat, name) in result.players.iter().enumerate() {
            let role = &game.roles[seats[seat]];
            let alone = result.players.iter().filter(|other| *other == name).count() == 1;
            if let Some(row) = self.players.iter_mut().find(|row| alone && row.player == *name) {
                row.tally.add(&scores[seat]);
            }
            if let Some(row) = self.seats.iter_mut().find(|row| row.game == game.name && row.role == *role) {
                row.tally.add(&scores[seat]);
            }
            for (other, rival) in result.players.iter().enumerate().filter(|(other, _)| *other != seat) {
                // Of a player against itself, the first seat is counted.
                if rival == name && other < seat {
                    continue;
                }
                self.pair(name, rival).add(&scores[seat].against(&scores[other]));
            }
        }
    }

    fn pair(&mut self, player: &str, against: &str) -> &mut Score {
        let found = self.pairs.iter().position(|row| row.player == player && row.against == against);
        let at = found.unwrap_or_else(|| {
            let (player, against) = (player.to_string(), against.to_string());
            self.pairs.push(PairCount { player, against, tally: Score::default() });
            self.pairs.len() - 1
        });
        &mut self.pairs[at].tally
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
