//! The score of a match, and of many matches together.
//!
//! This is the only place that decides who won. With two or more seats, a seat scores the share of the
//! others that it beats, and ties count half. In a match that was broken off, all seats are tied. A seat
//! that forfeits is beaten by all others, which are tied with each other. A single seat has no opponent: it
//! scores its goal, 0 for a forfeit, and a match that was broken off is not counted.
//!
//! Points are counted by value, so that one rule gives the interval of the score for any number of seats:
//! see [`Histogram`].

use std::cmp::Ordering;

use arena::Ending;
use game::Goal;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use statistics::{Confidence, Histogram, Interval, Mean};

/// The number of steps between the least goal and the highest.
const GOALS: u32 = 100;

/// A win, draw or loss, compared with the best of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wdl {
    /// More than all others.
    Win,
    /// As much as the best of the others.
    Draw,
    /// Less than the best of the others.
    Loss,
}

impl Wdl {
    fn of(ordering: Ordering) -> Wdl {
        match ordering {
            Ordering::Greater => Wdl::Win,
            Ordering::Equal => Wdl::Draw,
            Ordering::Less => Wdl::Loss,
        }
    }

    /// Returns the half points against a single opponent.
    fn half_points(self) -> u32 {
        match self {
            Wdl::Win => 2,
            Wdl::Draw => 1,
            Wdl::Loss => 0,
        }
    }
}

/// The score of one match for one seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatScore {
    /// The share of the others that were beaten, from 0 to 1; for a single seat, its goal divided by 100.
    pub points: f64,
    /// `None` for a single seat.
    pub wdl: Option<Wdl>,
    /// The goal, if the match was played to the end.
    pub goal: Option<Goal>,
    /// The points as a number of steps, and how many steps are a point; `None` if the points are not
    /// between 0 and 1, as those of a goal above 100.
    exact: Option<(u32, u32)>,
}

impl SeatScore {
    fn alone(goal: Goal) -> SeatScore {
        let exact = step_of(goal).map(|step| (step, GOALS));
        SeatScore { points: f64::from(goal) / f64::from(GOALS), wdl: None, goal: Some(goal), exact }
    }

    fn shared(step: u32, steps: u32, wdl: Wdl) -> SeatScore {
        let points = f64::from(step) / f64::from(steps);
        SeatScore { points, wdl: Some(wdl), goal: None, exact: Some((step, steps)) }
    }

    /// Returns the score of this seat against one other seat of the match.
    pub fn against(&self, other: &SeatScore) -> SeatScore {
        let ordering = match (self.goal, other.goal) {
            (Some(own), Some(other)) => own.cmp(&other),
            _ => self.points.total_cmp(&other.points),
        };
        let wdl = Wdl::of(ordering);
        SeatScore { goal: self.goal, ..SeatScore::shared(wdl.half_points(), 2, wdl) }
    }
}

/// Returns a goal as a number of steps, or `None` if it is not between 0 and 100.
fn step_of(goal: Goal) -> Option<u32> {
    u32::try_from(goal).ok().filter(|step| *step <= GOALS)
}

/// Returns the scores of a match by seat, or `None` if the match is not counted: one with a single seat and
/// no goal. `seats` contains the places of the seats among the roles; `goals` are by role.
pub fn of_match(
    ending: &Ending,
    roles: &[String],
    seats: &[usize],
    goals: &[Option<Goal>],
) -> Option<Vec<SeatScore>> {
    let goal = |role: &usize| goals.get(*role).copied().flatten();
    let reached: Option<Vec<Goal>> = seats.iter().map(goal).collect();
    match (ending, reached) {
        (Ending::Terminal, Some(goals)) => Some(of_goals(&goals)),
        (Ending::Forfeit { role: loser, .. }, _) => {
            let lost = |seat: &usize| roles[*seat] == *loser;
            match seats {
                [only] => lost(only).then(|| vec![SeatScore::alone(0)]),
                _ => Some(ranked(&seats.iter().map(|seat| i32::from(!lost(seat))).collect::<Vec<_>>())),
            }
        }
        _ => without_end(seats.len()),
    }
}

/// Returns the scores for these goals.
pub fn of_goals(goals: &[Goal]) -> Vec<SeatScore> {
    match goals {
        [only] => vec![SeatScore::alone(*only)],
        _ => {
            let scores = ranked(goals).into_iter().zip(goals);
            scores.map(|(score, goal)| SeatScore { goal: Some(*goal), ..score }).collect()
        }
    }
}

/// Returns the scores of a match or playout that did not reach its end: all seats are tied. Returns `None`
/// for a single seat.
pub fn without_end(seats: usize) -> Option<Vec<SeatScore>> {
    (seats > 1).then(|| ranked(&vec![0; seats]))
}

/// Scores at least two seats by the order of these numbers.
fn ranked(ranks: &[i32]) -> Vec<SeatScore> {
    let score = |seat: usize| {
        let others = || ranks.iter().enumerate().filter(move |(other, _)| *other != seat);
        let best = others().map(|(_, rank)| *rank).max().unwrap_or(i32::MIN);
        let beaten = others().map(|(_, rank)| Wdl::of(ranks[seat].cmp(rank)).half_points()).sum();
        SeatScore::shared(beaten, 2 * (ranks.len() - 1) as u32, Wdl::of(ranks[seat].cmp(&best)))
    };
    (0..ranks.len()).map(score).collect()
}

/// The score of many matches for one side.
///
/// Matches for which [`of_match`] returns `None` are not counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The number of matches.
    pub games: u64,
    /// Matches won: more than all others.
    pub won: u64,
    /// Matches drawn: as much as the best of the others.
    pub drawn: u64,
    /// Matches lost.
    pub lost: u64,
    /// The sum of the points.
    pub points: f64,
    /// The goals of the matches that were played to the end.
    pub goals: Mean,
    /// Their sum, so that means of whole numbers are exact.
    pub goal_sum: i64,
    /// The points of each match.
    each: Histogram,
    /// The goals of the matches that were played to the end.
    reached: Histogram,
    /// Whether a goal was not between 0 and 100, so that the histograms lack it.
    beyond: bool,
}

impl Default for Score {
    fn default() -> Score {
        Score {
            games: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            points: 0.0,
            goals: Mean::default(),
            goal_sum: 0,
            each: Histogram::new(2),
            reached: Histogram::new(GOALS),
            beyond: false,
        }
    }
}

impl Score {
    /// Counts a match.
    pub fn add(&mut self, seat: &SeatScore) {
        self.add_many(seat, 1);
    }

    /// Counts several matches with the same result.
    pub fn add_many(&mut self, seat: &SeatScore, count: u64) {
        self.games += count;
        match seat.wdl {
            Some(Wdl::Win) => self.won += count,
            Some(Wdl::Draw) => self.drawn += count,
            Some(Wdl::Loss) => self.lost += count,
            None => {}
        }
        self.points += seat.points * count as f64;
        if let Some((step, steps)) = seat.exact {
            if self.each.steps() != steps {
                self.each = self.each.plus(&Histogram::new(steps));
            }
            self.each.add(step * (self.each.steps() / steps), count);
        }
        if let Some(goal) = seat.goal {
            match step_of(goal) {
                Some(step) => self.reached.add(step, count),
                None => self.beyond = true,
            }
            self.goal_sum += i64::from(goal) * count as i64;
            self.goals = self.goals.plus(Mean::repeated(f64::from(goal), count));
        }
    }

    /// Returns the sum of both.
    pub fn plus(mut self, other: &Score) -> Score {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.points += other.points;
        self.goals = self.goals.plus(other.goals);
        self.goal_sum += other.goal_sum;
        self.each = self.each.plus(&other.each);
        self.reached = self.reached.plus(&other.reached);
        self.beyond |= other.beyond;
        self
    }

    /// Returns the number of matches with an opponent.
    pub fn contests(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Returns wins, draws and losses, or `None` if there was no opponent.
    pub fn wdl(&self) -> Option<[u64; 3]> {
        (self.contests() > 0).then_some([self.won, self.drawn, self.lost])
    }

    /// Returns the mean points of a match; for a single seat, its mean goal divided by 100.
    pub fn score(&self) -> Option<f64> {
        if self.contests() == 0 {
            return self.goals.value().map(|goal| goal / 100.0);
        }
        (self.games > 0).then(|| self.points / self.games as f64)
    }

    /// Returns the mean goal of the matches that were played to the end.
    pub fn mean_goal(&self) -> Option<f64> {
        (self.goals.count() > 0).then(|| self.goal_sum as f64 / self.goals.count() as f64)
    }

    /// Returns the interval of the score: the hybrid interval of Chuang and Lai (see
    /// [`Histogram::interval`]), which without draws is the one of Clopper and Pearson. Where a goal of a
    /// single seat was not between 0 and 100, it is Student's within 0 and 1.
    pub fn interval(&self, confidence: Confidence) -> Interval {
        if self.each.count() == self.games {
            return self.each.interval(confidence);
        }
        match self.goals.interval(confidence) {
            Some(found) => {
                Interval { low: (found.low / 100.0).max(0.0), high: (found.high / 100.0).min(1.0) }
            }
            None => Interval { low: 0.0, high: 1.0 },
        }
    }

    /// Returns the interval of the mean goal, which has the same rule as that of the score. Returns `None`
    /// without goals, and for a single one that is not between 0 and 100.
    pub fn goal_interval(&self, confidence: Confidence) -> Option<Interval> {
        if self.beyond || self.goals.count() == 0 {
            return self.goals.interval(confidence);
        }
        let Interval { low, high } = self.reached.interval(confidence);
        Some(Interval { low: f64::from(GOALS) * low, high: f64::from(GOALS) * high })
    }
}

/// Counts and points. Wins, draws and losses are null if there was no opponent.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = self.games == 0 || self.contests() > 0;
        let mut out = serializer.serialize_struct("Score", 5)?;
        out.serialize_field("games", &self.games)?;
        out.serialize_field("won", &known.then_some(self.won))?;
        out.serialize_field("drawn", &known.then_some(self.drawn))?;
        out.serialize_field("lost", &known.then_some(self.lost))?;
        out.serialize_field("points", &self.points)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|role| format!("r{role}")).collect()
    }

    fn forfeit(role: &str) -> Ending {
        Ending::Forfeit { role: role.to_string(), reason: "it gave no answer".to_string() }
    }

    fn points(scores: &[SeatScore]) -> Vec<f64> {
        scores.iter().map(|score| score.points).collect()
    }

    #[test]
    fn points_of_any_goals_add_up_to_half_the_seats() {
        let mut chance = game::Seed(5).rng();
        for seats in 2..7 {
            for _ in 0..200 {
                let goals: Vec<Goal> = (0..seats).map(|_| 25 * chance.below(5) as Goal).collect();
                let scores = of_goals(&goals);
                let sum: f64 = points(&scores).iter().sum();
                assert!((sum - seats as f64 / 2.0).abs() < 1e-9, "{goals:?}: {scores:?}");
                let wins = scores.iter().filter(|score| score.wdl == Some(Wdl::Win)).count();
                assert!(wins <= 1, "{goals:?}: {scores:?}");
            }
        }
    }

    #[test]
    fn three_roles_share_out_one_and_a_half_points() {
        assert_eq!(points(&of_goals(&[100, 50, 0])), [1.0, 0.5, 0.0]);
        assert_eq!(points(&of_goals(&[50, 50, 0])), [0.75, 0.75, 0.0]);
        let roles = names(3);
        let level = of_match(&Ending::StepLimit, &roles, &[0, 1, 2], &[None; 3]).unwrap();
        assert_eq!(points(&level), [0.5; 3]);
        assert!(level.iter().all(|score| score.wdl == Some(Wdl::Draw)));
        let lost = of_match(&forfeit("r1"), &roles, &[0, 1, 2], &[Some(0), Some(100), Some(0)]).unwrap();
        assert_eq!(points(&lost), [0.75, 0.0, 0.75]);
        assert_eq!(lost.iter().map(|score| score.goal).collect::<Vec<_>>(), [None; 3]);
        assert_eq!(lost[0].wdl, Some(Wdl::Draw), "it shares the first place");
        assert_eq!(lost[0].against(&lost[1]).wdl, Some(Wdl::Win));
        assert_eq!(lost[0].against(&lost[2]).wdl, Some(Wdl::Draw));
    }

    #[test]
    fn a_seat_that_is_alone_has_a_mean_goal_and_neither_wins_nor_losses() {
        let mut score = Score::default();
        for goal in [100, 50, 75] {
            score.add(&of_goals(&[goal])[0]);
        }
        assert_eq!((score.games, score.wdl(), score.score()), (3, None, Some(0.75)));
        let (found, wanted) = (score.interval(Confidence::P95), goals(&[100, 50, 75]));
        assert_eq!(found, wanted.interval(Confidence::P95));
        let goal = score.goal_interval(Confidence::P95).unwrap();
        assert_eq!((goal.low, goal.high), (100.0 * found.low, 100.0 * found.high));
        let json = serde_json::to_string(&score).unwrap();
        assert_eq!(json, r#"{"games":3,"won":null,"drawn":null,"lost":null,"points":2.25}"#);
        let roles = names(1);
        assert_eq!(of_match(&Ending::StepLimit, &roles, &[0], &[None]), None, "it says nothing");
        let lost = of_match(&forfeit("r0"), &roles, &[0], &[None]).unwrap();
        assert_eq!((lost[0].points, lost[0].goal), (0.0, Some(0)));
    }

    fn goals(values: &[u32]) -> Histogram {
        let mut all = Histogram::new(100);
        values.iter().for_each(|goal| all.add(*goal, 1));
        all
    }

    fn of_results(won: u64, drawn: u64, lost: u64) -> Score {
        let mut score = Score::default();
        for (goals, count) in [([100, 0], won), ([50, 50], drawn), ([0, 100], lost)] {
            score.add_many(&of_goals(&goals)[0], count);
        }
        score
    }

    #[test]
    fn intervals_are_clopper_and_pearsons_without_draws_and_shorter_with_them() {
        let decided = of_results(14, 0, 6).interval(Confidence::P95);
        let exact = statistics::Proportion::new(14, 20).exact(Confidence::P95);
        assert!((decided.low - exact.low).abs() < 1e-9 && (decided.high - exact.high).abs() < 1e-9);
        let drawn = of_results(9, 10, 1);
        assert_eq!(drawn.score(), Some(0.7));
        let shorter = drawn.interval(Confidence::P95);
        assert!(shorter.low > exact.low && shorter.high < exact.high, "{shorter:?} within {exact:?}");
    }

    #[test]
    fn equal_goals_of_one_role_leave_some_doubt() {
        let mut score = Score::default();
        score.add_many(&of_goals(&[70])[0], 20);
        let found = score.interval(Confidence::P95);
        assert!(found.low > 0.0 && found.low < 0.7 && found.high > 0.7 && found.high < 1.0, "{found:?}");
        score.add_many(&of_goals(&[130])[0], 20);
        let student = Mean::repeated(0.7, 20).plus(Mean::repeated(1.3, 20)).interval(Confidence::P95);
        let found = score.interval(Confidence::P95);
        assert!((found.low - student.unwrap().low).abs() < 1e-12, "{found:?} {student:?}");
        assert_eq!(found.high, 1.0, "a goal beyond 100 has Student's interval, within 0 and 1");
    }

    #[test]
    fn matches_of_two_and_of_three_go_together() {
        let mut score = of_results(1, 0, 0);
        score.add(&of_goals(&[50, 50, 0])[0]);
        let swapped = {
            let mut score = Score::default();
            score.add(&of_goals(&[50, 50, 0])[0]);
            score.plus(&of_results(1, 0, 0))
        };
        assert_eq!(score.interval(Confidence::P95), swapped.interval(Confidence::P95));
        let quarters = Histogram::of_counts(&[0, 0, 0, 1, 1]);
        assert_eq!(score.interval(Confidence::P95), quarters.interval(Confidence::P95));
    }

    #[test]
    fn chance_has_no_share_in_a_score() {
        let roles = ["random", "a", "b"].map(String::from);
        let scores = of_match(&Ending::Terminal, &roles, &[1, 2], &[Some(100), Some(60), Some(40)]).unwrap();
        assert_eq!(points(&scores), [1.0, 0.0]);
    }
}
