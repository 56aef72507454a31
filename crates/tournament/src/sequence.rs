//! A sequential test over the matches of a plan.
//!
//! It looks at matches in the order of the plan, whoever ends first and wherever
//! they were played, and only after every way to sit was played equally often.
//! So it ends at the same match in one run, in many, and in shards.

use serde::Serialize;
use statistics::{Sprt, Verdict};

use super::plan::Plan;
use super::result::{MatchResult, Results};
use super::score::Wdl;

/// How far a sequential test has come.
pub(super) struct Sequence {
    test: Sprt,
    /// Matches looked at.
    seen: usize,
    counts: [u64; 3],
    /// After how many matches it was over.
    decided: Option<(usize, Verdict)>,
}

impl Sequence {
    /// The test of a plan, if it is one, before the first match.
    pub fn new(plan: &Plan) -> Option<Sequence> {
        let [weak, strong, alpha, beta] = plan.sprt?;
        let test = Sprt::new(weak, strong, alpha, beta)?;
        Some(Sequence { test, seen: 0, counts: [0; 3], decided: None })
    }

    /// Looks at matches that have come in, by number, and whether they are enough.
    pub fn look(&mut self, plan: &Plan, results: &[Option<MatchResult>]) {
        let round = plan.cells.len().max(1);
        while self.decided.is_none()
            && let Some(result) = results.get(self.seen).and_then(Option::as_ref)
        {
            let cell = &plan.cells[self.seen % round];
            let first = cell.seating.iter().position(|player| *player == 0).unwrap_or(0);
            // A sequential test is between two players, so every match counts.
            match result.scores(&plan.games[cell.game]).and_then(|scores| scores[first].wdl) {
                Some(Wdl::Win) => self.counts[0] += 1,
                Some(Wdl::Draw) => self.counts[1] += 1,
                Some(Wdl::Loss) => self.counts[2] += 1,
                None => {}
            }
            self.seen += 1;
            let [won, drawn, lost] = self.counts;
            let verdict = self.test.verdict(won, drawn, lost);
            if self.seen.is_multiple_of(round) && verdict != Verdict::Open {
                self.decided = Some((self.seen, verdict));
            }
        }
    }

    /// Whether no more matches are needed.
    pub fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// What is known so far.
    pub fn verdict(&self) -> Verdict {
        self.decided.map_or(Verdict::Open, |(_, verdict)| verdict)
    }

    /// The matches that belong to the results: where the test is over, those up to its end.
    pub fn results(sequence: Option<&Sequence>, all: Vec<Option<MatchResult>>) -> Results {
        let decided = sequence.and_then(|sequence| sequence.decided);
        let wanted = decided.map_or(all.len(), |(matches, _)| matches);
        let matches: Vec<MatchResult> = all.into_iter().take(wanted).flatten().collect();
        let complete = matches.len() == wanted;
        Results { matches, complete }
    }
}

/// What a sequential test says, with all that it follows from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SequentialTest {
    /// Who is tested.
    pub player: String,
    /// Against whom.
    pub against: String,
    /// Elo points by which it is stronger at most, if the first hypothesis holds.
    pub elo0: f64,
    /// Elo points by which it is stronger at least, if the second one does.
    pub elo1: f64,
    /// The chance of accepting the second hypothesis wrongly.
    pub alpha: f64,
    /// The chance of accepting the first one wrongly.
    pub beta: f64,
    /// Matches looked at.
    pub matches: u64,
    /// Won of them.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// Where the first hypothesis is accepted.
    pub lower: f64,
    /// Where the second one is.
    pub upper: f64,
    /// `stronger`, `not-stronger` or `open`.
    pub decision: &'static str,
}

impl SequentialTest {
    /// The test of a plan, if it is one, after these matches.
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
        Some(SequentialTest {
            player: plan.players.first()?.name.clone(),
            against: plan.players.get(1)?.name.clone(),
            elo0,
            elo1,
            alpha,
            beta,
            matches: sequence.seen as u64,
            won,
            drawn,
            lost,
            ratio: sequence.test.log_ratio(won, drawn, lost),
            lower,
            upper,
            decision: match sequence.verdict() {
                Verdict::Open => "open",
                Verdict::Stronger => "stronger",
                Verdict::NotStronger => "not-stronger",
            },
        })
    }

    /// What was decided, as a sentence without its full stop.
    pub fn sentence(&self) -> String {
        let SequentialTest { player, against, elo0, elo1, .. } = self;
        match self.decision {
            "stronger" => format!("{player} is stronger than {against} by {elo1} Elo, not {elo0}"),
            "not-stronger" => {
                format!("{player} is no stronger than {against} by {elo0} Elo rather than {elo1}")
            }
            _ => format!("It is not clear yet whether {player} is stronger than {against}"),
        }
    }
}
