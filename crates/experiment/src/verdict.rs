//! Whether ours is what was said.
//!
//! Each comparison is a test with a name; all tests of an experiment are
//! corrected together by Holm's method, those of which nothing is claimed apart
//! from the others. A difference that is not significant, or smaller than what
//! was said to be near enough, counts as agreement, and how large a difference
//! could have been found is told beside it. A bound is kept, and a direction
//! shown, only where the interval or the test says so; else it cannot be told.

use serde::Serialize;
use statistics::{holm, least_difference};

use super::claim::{self, Claim, far, said};
use super::compare::{Compared, compare, published};
use super::extent::{Extent, Told};
use super::figure::{Expect, Figure, Origin, Published};
use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, Variant};

/// From this corrected p on, two figures agree.
pub(crate) const LEVEL: f64 = 0.01;

/// What a comparison came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference that matters; a bound that is kept; a claim that holds.
    Agrees,
    /// A difference.
    Differs,
    /// There are too few matches to tell.
    Unclear,
    /// Nothing to compare with.
    Shown,
    /// The part has not been run, or has no such thing.
    Missing,
}

/// A figure beside ours, or a claim about several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The table it is in.
    pub table: String,
    /// What it is.
    pub label: String,
    /// What ours is compared with.
    pub published: String,
    /// Where that comes from.
    pub origin: Origin,
    /// As we found it.
    pub ours: String,
    /// How many matches ours comes from.
    pub matches: u64,
    /// The test, where there was one.
    pub test: Option<&'static str>,
    /// Its p, corrected.
    pub p: Option<f64>,
    /// The smallest difference that the test would have found four times out of five.
    pub could_show: Option<String>,
    /// What it came to.
    pub verdict: Verdict,
    /// Whether that was foreseen.
    pub expected: bool,
    /// Whether anything was claimed of it.
    pub claimed: bool,
    /// Why they differ, if they do.
    pub why: String,
    /// Whether there is something to compare with.
    #[serde(skip)]
    pub is_compared: bool,
    /// What words call it by.
    #[serde(skip)]
    pub id: Option<String>,
    /// Ours in words, with its interval.
    #[serde(skip)]
    pub short: String,
    /// Ours in words, alone.
    #[serde(skip)]
    pub alone: String,
}

/// Compares all figures, then looks at all claims about them.
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

/// Enters what was found.
fn settle(judged: &mut Judged, found: &Compared, corrected: &mut impl Iterator<Item = f64>, tests: usize) {
    let Told { full, short, alone } = found.told.clone();
    (judged.ours, judged.short, judged.alone, judged.matches) = (full, short, alone, found.matches);
    let p = found.test.as_ref().and_then(|_| corrected.next());
    (judged.test, judged.p) = (found.test.as_ref().map(|test| test.test), p);
    judged.verdict = found.decision.verdict(p.is_some_and(|p| p < LEVEL));
    let level = LEVEL / tests.max(1) as f64;
    judged.could_show = found.error.map(|(error, shares)| far(least_difference(error, level), shares));
}

/// Whether a verdict is what was foreseen. A quick run may miss a difference and have too few
/// matches; it must not find a difference where none was foreseen.
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

/// Where a figure's part stands.
pub(crate) fn outcome_of<'a>(
    experiment: &Experiment,
    outcomes: &'a Outcomes,
    figure: &Figure,
) -> Option<&'a Outcome> {
    let at = experiment.parts.iter().position(|part| part.name == figure.part)?;
    outcomes.get(at)?.as_ref()
}

/// Ours of all figures that a claim is about.
fn extents(experiment: &Experiment, outcomes: &Outcomes, claim: &Claim) -> Option<Vec<Extent>> {
    let one = |id: &String| {
        let figure = experiment.figures.iter().find(|figure| figure.id.as_ref() == Some(id))?;
        extent(figure, outcome_of(experiment, outcomes, figure)?)
    };
    claim.of.iter().map(one).collect()
}

fn extent(figure: &Figure, outcome: &Outcome) -> Option<Extent> {
    Extent::of(figure.published.measure()?.of(outcome, &figure.select)?)
}

/// Ours as a value with the interval around it, for plots; shares and scores in percent.
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
