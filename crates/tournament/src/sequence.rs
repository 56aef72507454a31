//! A sequential test over the matches of a plan.
//!
//! It looks at matches in the order of the plan, whatever order they end in, and decides only after every
//! seating has been played equally often. So it ends at the same match in one run, in many, and in shards.
//!
//! If every lineup is played from both sides, the two matches that differ only in who sits where are one
//! result: what the better side is worth cancels out in their sum.

use serde::{Deserialize, Serialize};
use statistics::{Rounds, Scale, Sprt, Verdict};

use super::plan::{Cell, Plan};
use super::result::{MatchResult, Results};
use super::score::Wdl;

/// What the Elo points of a sequential test stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloScale {
    /// An expected score.
    #[default]
    Logistic,
    /// Standard deviations of a match, by which the expected score lies above one half.
    Normalised,
}

impl EloScale {
    pub(crate) fn is_logistic(&self) -> bool {
        *self == EloScale::Logistic
    }

    /// Returns the name of its points.
    pub fn unit(self) -> &'static str {
        match self {
            EloScale::Logistic => "Elo",
            EloScale::Normalised => "normalised Elo",
        }
    }

    fn scale(self) -> Scale {
        match self {
            EloScale::Logistic => Scale::Logistic,
            EloScale::Normalised => Scale::Normalised,
        }
    }
}

/// The state of a sequential test.
pub(super) struct Sequence {
    test: Sprt,
    /// The number of matches looked at.
    seen: usize,
    counts: [u64; 3],
    rounds: Rounds,
    /// The half points of the round that is not over yet.
    open: u32,
    /// The number of matches after which it was decided, and the verdict.
    decided: Option<(usize, Verdict)>,
}

impl Sequence {
    /// Creates the test of a plan, if it is one, before the first match.
    pub fn new(plan: &Plan) -> Option<Sequence> {
        let [weak, strong, alpha, beta] = plan.sprt?;
        let test = Sprt::new(weak, strong, alpha, beta)?.on(plan.scale.scale());
        let rounds = Rounds::new(if is_paired(plan) { 2 } else { 1 });
        Some(Sequence { test, seen: 0, counts: [0; 3], rounds, open: 0, decided: None })
    }

    /// Looks at new results, by number, and decides if they are enough.
    pub fn look(&mut self, plan: &Plan, results: &[Option<MatchResult>]) {
        let cells = plan.cells.len().max(1);
        while self.decided.is_none()
            && let Some(result) = results.get(self.seen).and_then(Option::as_ref)
        {
            // All cells of a sequential test have the same number of matches, so the cells take turns.
            let cell = &plan.cells[self.seen % cells];
            let first = cell.seating.iter().position(|player| *player == 0).unwrap_or(0);
            // A sequential test has two seats, so every match counts.
            let (place, half_points) =
                match result.scores(&plan.games[cell.game]).and_then(|scores| scores[first].wdl) {
                    Some(Wdl::Win) => (0, 2),
                    Some(Wdl::Draw) | None => (1, 1),
                    Some(Wdl::Loss) => (2, 0),
                };
            self.counts[place] += 1;
            self.open += half_points;
            self.seen += 1;
            if self.seen.is_multiple_of(self.rounds.games() as usize) {
                self.rounds.add(std::mem::take(&mut self.open));
            }
            if self.seen.is_multiple_of(cells) {
                let verdict = self.test.decide(&self.rounds);
                self.decided = (verdict != Verdict::Open).then_some((self.seen, verdict));
            }
        }
    }

    /// Returns `true` if no more matches are needed.
    pub fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// Returns the verdict so far.
    pub fn verdict(&self) -> Verdict {
        self.decided.map_or(Verdict::Open, |(_, verdict)| verdict)
    }

    /// Returns the matches that belong to the results: if the test is decided, only those up to its end.
    pub fn results(sequence: Option<&Sequence>, all: Vec<Option<MatchResult>>) -> Results {
        let decided = sequence.and_then(|sequence| sequence.decided);
        let wanted = decided.map_or(all.len(), |(matches, _)| matches);
        let matches: Vec<MatchResult> = all.into_iter().take(wanted).flatten().collect();
        let complete = matches.len() == wanted;
        Results { matches, complete }
    }
}

/// Returns `true` if cells come in pairs that differ only in who sits where, so that the matches of a pair
/// follow each other.
fn is_paired(plan: &Plan) -> bool {
    let (pairs, rest) = plan.cells.as_chunks::<2>();
    let meets = |cell: &Cell| (cell.game, cell.budget, cell.lineup, cell.matches);
    let swapped = |[one, other]: &[Cell; 2]| {
        meets(one) == meets(other) && one.seating.iter().eq(other.seating.iter().rev())
    };
    rest.is_empty() && pairs.iter().all(swapped)
}

/// The result of a sequential test, with everything that it follows from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SequentialTest {
    /// The player that is tested.
    pub player: String,
    /// Its opponent.
    pub against: String,
    /// The first hypothesis: the player is stronger by at most this many Elo points.
    pub elo0: f64,
    /// The second hypothesis: the player is stronger by at least this many Elo points.
    pub elo1: f64,
    /// The probability of wrongly accepting the second hypothesis.
    pub alpha: f64,
    /// The probability of wrongly accepting the first one.
    pub beta: f64,
    /// What Elo points stand for.
    pub scale: EloScale,
    /// The number of matches looked at.
    pub matches: u64,
    /// The number of wins.
    pub won: u64,
    /// The number of draws.
    pub drawn: u64,
    /// The number of losses.
    pub lost: u64,
    /// The number of pairs of matches by points: 0, ½, 1, 1½ and 2. `None` if matches are looked at one by
    /// one.
    pub pairs: Option<Vec<u64>>,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// The bound at which the first hypothesis is accepted.
    pub lower: f64,
    /// The bound at which the second one is accepted.
    pub upper: f64,
    /// `stronger`, `not-stronger` or `open`.
    pub decision: &'static str,
}

impl SequentialTest {
    /// Returns the test of a plan, if it is one, after these matches.
    pub fn of(plan: &Plan, matches: &[MatchResult]) -> Option<SequentialTest> {
        let mut sequence = Sequence::new(plan)?;
        let [elo0, elo1, alpha, beta] = plan.sprt?;
        let mut by_number = vec![None; matches.last().map_or(0, |last| last.number as usize + 1)];
        for result in matches {
            if let Some(place) = by_number.get_mut(result.number as usize) {
                *place = Some(result.clone());
            }
        }
        sequence.look(plan, &by_number);
        let [won, drawn, lost] = sequence.counts;
        let (lower, upper) = sequence.test.bounds();
        let rounds = &sequence.rounds;
        Some(SequentialTest {
            player: plan.players.first()?.name.clone(),
            against: plan.players.get(1)?.name.clone(),
            elo0,
            elo1,
            alpha,
            beta,
            scale: plan.scale,
            matches: sequence.seen as u64,
            won,
            drawn,
            lost,
            pairs: (rounds.games() == 2).then(|| (0..5).map(|half| rounds.scores().count_of(half)).collect()),
            ratio: sequence.test.ratio(rounds),
            lower,
            upper,
            decision: match sequence.verdict() {
                Verdict::Open => "open",
                Verdict::Stronger => "stronger",
                Verdict::NotStronger => "not-stronger",
            },
        })
    }

    /// Returns the decision as a sentence without its full stop.
    pub fn sentence(&self) -> String {
        let SequentialTest { player, against, elo0, elo1, .. } = self;
        let elo = self.scale.unit();
        match self.decision {
            "stronger" => format!(
                "{player} is stronger than {against}: by at least {elo1} {elo} rather than at most {elo0}"
            ),
            "not-stronger" => {
                format!(
                    "{player} is not stronger than {against}: by at most {elo0} {elo} rather than at least {elo1}"
                )
            }
            _ => format!("It is not clear yet whether {player} is stronger than {against}"),
        }
    }
}
