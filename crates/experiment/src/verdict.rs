//! Whether our figures agree with the published ones.
//!
//! Each comparison is a named test. All tests of an experiment are corrected together by Holm's method;
//! those without a claim form a family of their own. A difference that is not significant, or within the
//! tolerance of the figure, counts as agreement, and the smallest difference that could have been found is
//! reported beside it. A bound is satisfied, and a direction shown, only if the interval or the test says
//! so; otherwise the verdict is unclear.

use serde::Serialize;
use statistics::{holm, least_difference};

use super::claim::{self, Claim, far, said};
use super::compare::{Compared, compare, published};
use super::extent::{Extent, Told};
use super::figure::{Expect, Figure, Origin, Published};
use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, Variant};

/// The significance level: two figures differ if the corrected p-value is below it.
pub(crate) const LEVEL: f64 = 0.01;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference that matters; a bound that is satisfied; a claim that holds.
    Agrees,
    /// A difference.
    Differs,
    /// There are too few matches to decide.
    Unclear,
    /// There is nothing to compare with.
    Shown,
    /// The part has not been run, or has no such value.
    Missing,
}

/// A figure beside ours, or a claim about several figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The table that it appears in.
    pub table: String,
    /// What it is.
    pub label: String,
    /// What ours is compared with.
    pub published: String,
    /// Where that comes from.
    pub origin: Origin,
    /// Our figure.
    pub ours: String,
    /// The number of matches that ours comes from.
    pub matches: u64,
    /// The test, if there was one.
    pub test: Option<&'static str>,
    /// Its corrected p-value.
    pub p: Option<f64>,
    /// The smallest difference that the test would have found with a probability of 80 %.
    pub could_show: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict was expected.
    pub expected: bool,
    /// Whether anything was claimed.
    pub claimed: bool,
    /// Why they differ, if they do.
    pub why: String,
    /// Whether there is something to compare with.
    #[serde(skip)]
    pub is_compared: bool,
    /// The id by which `words.md` refers to it.
    #[serde(skip)]
    pub id: Option<String>,
    /// Ours for running text, with its interval.
    #[serde(skip)]
    pub short: String,
    /// Ours for running text, without its interval.
    #[serde(skip)]
    pub alone: String,
}

/// Compares all figures, then decides all claims about them.
pub fn judge(experiment: &Experiment, outcomes: &Outcomes) -> Vec<Judged> {
    let mut all: Vec<(Judged, Expect, Option<Compared>)> = Vec::new();
    for figure in &experiment.figures {
        let found = outcome_of(experiment, outcomes, figure).and_then(|outcome| compare(figure, outcome));
        let (published, id) = (published(&figure.published), figure.id.clone());
        let told = (&figure.table, &figure.label, published, figure.origin, &figure.why, id);
        let is_compared = !matches!(figure.published, Published::Nothing { .. });
        all.push((Judged { is_compared, ..blank(told) }, figure.expect, found));
    }
    for claim in &experiment.claims {
        let found = extents(experiment, outcomes, claim);
        let shares = found.as_ref().is_some_and(|found| found.iter().all(|one| one.points.is_some()));
        let found = found.and_then(|found| claim::compare(claim.says, &found));
        let said = said(claim.says, shares);
        let told = (&claim.table, &claim.label, said, claim.origin, &claim.why, claim.id.clone());
        all.push((blank(told), claim.expect, found));
    }
    for claimed in [true, false] {
        let mut family: Vec<&mut (Judged, Expect, Option<Compared>)> =
            all.iter_mut().filter(|(_, expect, _)| (*expect != Expect::Either) == claimed).collect();
        let tests =
            |found: &Option<Compared>| found.as_ref().and_then(|found| found.test.as_ref().map(|t| t.p));
        let ps: Vec<f64> = family.iter().filter_map(|(_, _, found)| tests(found)).collect();
        let mut corrected = holm(&ps).into_iter();
        for (judged, expect, found) in &mut family {
            judged.claimed = claimed;
            if let Some(found) = found {
                settle(judged, found, &mut corrected, ps.len());
            }
            judged.expected = is_foreseen(judged.verdict, *expect, experiment.variant);
        }
    }
    all.into_iter().map(|(judged, _, _)| judged).collect()
}

/// Fills in what was found.
fn settle(judged: &mut Judged, found: &Compared, corrected: &mut impl Iterator<Item = f64>, tests: usize) {
    let Told { full, short, alone } = found.told.clone();
    (judged.ours, judged.short, judged.alone, judged.matches) = (full, short, alone, found.matches);
    let p = found.test.as_ref().and_then(|_| corrected.next());
    (judged.test, judged.p) = (found.test.as_ref().map(|test| test.test), p);
    judged.verdict = found.decision.verdict(p.is_some_and(|p| p < LEVEL));
    let level = LEVEL / tests.max(1) as f64;
    judged.could_show = found.error.map(|(error, shares)| far(least_difference(error, level), shares));
}

/// Returns `true` if a verdict was expected. A quick run may miss a difference or have too few matches, but
/// it must not find a difference where none was expected.
fn is_foreseen(verdict: Verdict, expect: Expect, variant: Variant) -> bool {
    let quick = variant == Variant::Quick;
    match (verdict, expect) {
        (Verdict::Missing, expect) => expect == Expect::Missing,
        (_, Expect::Missing) => false,
        (Verdict::Shown, _) | (_, Expect::Either) => true,
        (Verdict::Agrees, expect) => expect != Expect::Differs || quick,
        (Verdict::Differs, expect) => expect == Expect::Differs,
        (Verdict::Unclear, expect) => expect == Expect::Unclear || quick,
    }
}

/// Returns the outcome of a figure's part.
pub(crate) fn outcome_of<'a>(
    experiment: &Experiment,
    outcomes: &'a Outcomes,
    figure: &Figure,
) -> Option<&'a Outcome> {
    let at = experiment.parts.iter().position(|part| part.name == figure.part)?;
    outcomes.get(at)?.as_ref()
}

/// Returns our values for all figures that a claim is about.
fn extents(experiment: &Experiment, outcomes: &Outcomes, claim: &Claim) -> Option<Vec<Extent>> {
    let one = |id: &String| {
        let figure = experiment.figures.iter().find(|figure| figure.id.as_ref() == Some(id))?;
        extent(figure, outcome_of(experiment, outcomes, figure)?)
    };
    claim.of.iter().map(one).collect()
}

fn extent(figure: &Figure, outcome: &Outcome) -> Option<Extent> {
    Extent::of(&figure.published.measure()?.of(outcome, &figure.select)?)
}

/// Returns our value with its interval, for plots; shares and scores in percent.
pub(crate) fn spread(figure: &Figure, outcome: &Outcome) -> Option<(f64, f64, f64)> {
    let found = extent(figure, outcome)?;
    let (low, high) = match found.low.is_finite() {
        true => (found.low, found.high),
        false => (found.value, found.value),
    };
    let scale = if found.points.is_some() { 100.0 } else { 1.0 };
    Some((scale * found.value, scale * low, scale * high))
}

type Named<'a> = (&'a String, &'a String, String, Origin, &'a String, Option<String>);

fn blank((table, label, published, origin, why, id): Named<'_>) -> Judged {
    Judged {
        table: table.clone(),
        label: label.clone(),
        published,
        origin,
        ours: "–".to_string(),
        matches: 0,
        test: None,
        p: None,
        could_show: None,
        verdict: Verdict::Missing,
        expected: true,
        claimed: true,
        why: why.clone(),
        is_compared: true,
        id,
        short: "–".to_string(),
        alone: "–".to_string(),
    }
}
