//! Who has won how much.

use serde::Serialize;
use statistics::{Confidence, Interval, Mean, Proportion};

use super::plan::Plan;
use super::result::MatchResult;

/// Counts of matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Matches.
    pub games: u64,
    /// Won: more than all others.
    pub won: u64,
    /// Drawn: as much as the best of the others.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
    /// Points, between 0 and 1 for each match.
    pub points: f64,
    /// Goals of the matches that came to their end.
    #[serde(skip)]
    pub goals: Mean,
}

impl Tally {
    /// Counts a match.
    pub fn add(&mut self, points: f64, outcome: i8, goal: Option<i32>) {
        self.add_many(points, outcome, goal, 1);
    }

    /// Counts several matches with the same result.
    pub fn add_many(&mut self, points: f64, outcome: i8, goal: Option<i32>, count: u64) {
        self.games += count;
        match outcome {
            1 => self.won += count,
            0 => self.drawn += count,
            _ => self.lost += count,
        }
        self.points += points * count as f64;
        if let Some(goal) = goal {
            self.goals = self.goals.plus(Mean::repeated(f64::from(goal), count));
        }
    }

    /// Both together.
    pub fn plus(mut self, other: &Tally) -> Tally {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.points += other.points;
        self.goals = self.goals.plus(other.goals);
        self
    }

    /// Points of a match on average.
    pub fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points / self.games as f64)
    }

    /// The interval of the score: exact where matches are won or lost, else exact with
    /// half points rounded outwards, so that it is never too short.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        let (down, up) = (self.points.floor() as u64, self.points.ceil() as u64);
        Interval {
            low: Proportion::new(down, self.games).exact(confidence).low,
            high: Proportion::new(up, self.games).exact(confidence).high,
        }
    }
}

/// A player over all matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerCount {
    /// The player.
    pub player: String,
    /// Its matches against others. Where it sits more than once, its seats share one
    /// result, so such matches are counted by role and by pair only.
    pub tally: Tally,
    /// Moves that the referee had to make for it, in all its matches.
    pub replaced: u64,
}

/// One player against another, over all seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairCount {
    /// The player whose points are counted.
    pub player: String,
    /// Whom it met.
    pub against: String,
    /// The matches; points are those against the other.
    pub tally: Tally,
}

/// One seat of a game, whoever sat there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatCount {
    /// The game.
    pub game: String,
    /// The role.
    pub role: String,
    /// The matches.
    pub tally: Tally,
}

/// Counts of all kinds, as far as a tournament has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// Matches that have ended.
    pub matches: u64,
    /// Matches that did not come to an end of the game; they are drawn.
    pub broken_off: u64,
    /// Moves that the referee had to make for a player; by player in their rows.
    pub replaced: u64,
    /// By player, in the order of the plan.
    pub players: Vec<PlayerCount>,
    /// By pair of players; each pair twice, from both sides, and players against themselves once.
    pub pairs: Vec<PairCount>,
    /// By game and role, in the order of the plan.
    pub seats: Vec<SeatCount>,
}

impl Standings {
    /// Before the first match.
    pub fn new(plan: &Plan) -> Standings {
        let player = |player: &super::plan::PlanPlayer| PlayerCount {
            player: player.name.clone(),
            tally: Tally::default(),
            replaced: 0,
        };
        let mut seats = Vec::new();
        for game in &plan.games {
            seats.extend(game.seats().into_iter().map(|role| SeatCount {
                game: game.name.clone(),
                role: game.roles[role].clone(),
                tally: Tally::default(),
            }));
        }
        Standings {
            matches: 0,
            broken_off: 0,
            replaced: 0,
            players: plan.players.iter().map(player).collect(),
            pairs: Vec::new(),
            seats,
        }
    }

    /// After these matches.
    pub fn of<'a>(plan: &Plan, results: impl IntoIterator<Item = &'a MatchResult>) -> Standings {
        let mut standings = Standings::new(plan);
        results.into_iter().for_each(|result| standings.add(plan, result));
        standings
    }

    /// Counts one match.
    pub fn add(&mut self, plan: &Plan, result: &MatchResult) {
        let Some(game) = plan.games.iter().find(|game| game.name == result.game) else { return };
        let (points, outcome) = (result.points(game), result.outcome(game));
        let goals = result.goals_by_seat(game);
        self.matches += 1;
        self.broken_off += u64::from(result.ending != arena::Ending::Terminal);
        self.replaced += result.replaced;
        for (seat, name) in result.players.iter().enumerate() {
            let goal = goals.as_ref().map(|goals| goals[seat]);
            let role = &game.roles[game.seats()[seat]];
            let alone = result.players.iter().filter(|other| *other == name).count() == 1;
            if let Some(row) = self.players.iter_mut().find(|row| row.player == *name) {
                row.replaced += result.replaced_of(seat);
                if alone {
                    row.tally.add(points[seat], outcome[seat], goal);
                }
            }
            if let Some(row) = self.seats.iter_mut().find(|row| row.game == game.name && row.role == *role) {
                row.tally.add(points[seat], outcome[seat], goal);
            }
            for (other, rival) in result.players.iter().enumerate().filter(|(other, _)| *other != seat) {
                // Against itself the first seat is counted.
                if rival == name && other < seat {
                    continue;
                }
                let (score, outcome) = versus(points[seat], points[other], &goals, seat, other);
                self.pair(name, rival).add(score, outcome, goal);
            }
        }
    }

    fn pair(&mut self, player: &str, against: &str) -> &mut Tally {
        let found = self.pairs.iter().position(|row| row.player == player && row.against == against);
        let at = found.unwrap_or_else(|| {
            let (player, against) = (player.to_string(), against.to_string());
            self.pairs.push(PairCount { player, against, tally: Tally::default() });
            self.pairs.len() - 1
        });
        &mut self.pairs[at].tally
    }
}

/// What one seat scored against another.
fn versus(own: f64, theirs: f64, goals: &Option<Vec<i32>>, seat: usize, other: usize) -> (f64, i8) {
    let (own, theirs) = match goals {
        Some(goals) => (f64::from(goals[seat]), f64::from(goals[other])),
        None => (own, theirs),
    };
    if own > theirs {
        (1.0, 1)
    } else if own < theirs {
        (0.0, -1)
    } else {
        (0.5, 0)
    }
}
