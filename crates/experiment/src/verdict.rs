//! Whether our figures agree with the published ones.
//!
//! Each comparison is a named test. All tests of an experiment are corrected together by Holm's method;
//! those without a claim form a family of their own. A difference that is not significant, or within the
//! tolerance of the figure, counts as agreement if a difference that matters would have been found (see
//! `power`); the smallest difference that could have been found is reported beside it. A bound is satisfied, and a direction shown, only if the interval or the test says
//! so; otherwise the verdict is unclear.

use serde::Serialize;
use statistics::{holm, holm_level};

use super::claim::{self, Claim, said};
use super::compare::{Compared, compare, published};
use super::extent::{Extent, Told};
use super::figure::{Figure, Published};
use super::foresight::{Foreseen, Foresight};
use super::origin::{Expect, Origin};
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
    /// No difference, but ours was chosen so that there is none.
    Fitted,
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
    /// Its p-value.
    pub raw_p: Option<f64>,
    /// Its p-value, corrected for all tests of its family.
    pub p: Option<f64>,
    /// The smallest difference that the test would have found with a probability of 80 %.
    pub could_show: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict is the expected one.
    pub expected: bool,
    /// Whether that was expected before the result was there.
    pub foreseen: Foreseen,
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

impl Judged {
    /// Returns `true` if the verdict is the expected one and was expected before the result was there.
    pub fn is_as_foreseen(&self) -> bool {
        self.expected && self.foreseen == Foreseen::Before
    }

    /// Returns `true` if something was expected of a comparison, so that it can be foreseen.
    pub fn is_expectation(&self) -> bool {
        self.claimed && self.is_compared
    }

    /// Returns the verdict in words.
    pub fn words(&self) -> &'static str {
        match (self.verdict, self.expected) {
            (Verdict::Agrees, _) if !self.claimed => "agrees; nothing was claimed",
            (Verdict::Differs, _) if !self.claimed => "differs; nothing was claimed",
            (Verdict::Agrees, true) => "agrees",
            (Verdict::Agrees, false) => "agrees, not expected",
            (Verdict::Differs, true) => match self.foreseen {
                Foreseen::Before => "differs, as foreseen",
                Foreseen::Later => "differs, expected later",
                Foreseen::Unknown => "differs, as expected",
            },
            (Verdict::Differs, false) => "differs",
            (Verdict::Unclear, _) => "cannot be told",
            (Verdict::Fitted, _) => "fitted, no agreement",
            (Verdict::Shown, _) => "–",
            (Verdict::Missing, true) => "missing, as expected",
            (Verdict::Missing, false) => "missing",
        }
    }
}

/// Compares all figures, then decides all claims about them.
pub fn judge(experiment: &Experiment, outcomes: &Outcomes, foresight: &Foresight) -> Vec<Judged> {
    let mut all: Vec<(Judged, Expect, Option<Compared>)> = Vec::new();
    for figure in &experiment.figures {
        let found = outcome_of(experiment, outcomes, figure).and_then(|outcome| compare(figure, outcome));
        let (published, id) = (published(&figure.published), figure.id.clone());
        let told = (&figure.table, &figure.label, published, figure.origin, &figure.why, id);
        let is_compared = !matches!(figure.published, Published::Nothing { .. });
        let foreseen = foresight.of_figure(figure);
        all.push((Judged { is_compared, foreseen, ..blank(told) }, figure.expect, found));
    }
    for claim in &experiment.claims {
        let found = extents(experiment, outcomes, claim);
        let shares = found.as_ref().is_some_and(|found| found.iter().all(|one| one.points.is_some()));
        let measure = claim.of.first().and_then(|id| figure_named(experiment, id)?.published.measure());
        let found = found.and_then(|found| claim::compare(claim.says, &found, measure));
        let said = said(claim.says, shares);
        let told = (&claim.table, &claim.label, said, claim.origin, &claim.why, claim.id.clone());
        let foreseen = foresight.of_claim(claim, experiment);
        all.push((Judged { foreseen, ..blank(told) }, claim.expect, found));
    }
    for claimed in [true, false] {
        let mut family: Vec<&mut (Judged, Expect, Option<Compared>)> =
            all.iter_mut().filter(|(_, expect, _)| (*expect != Expect::Either) == claimed).collect();
        let tests =
            |found: &Option<Compared>| found.as_ref().and_then(|found| found.test.as_ref().map(|t| t.p));
        let ps: Vec<f64> = family.iter().filter_map(|(_, _, found)| tests(found)).collect();
        let corrected = holm(&ps);
        let mut number = 0;
        for (judged, expect, found) in &mut family {
            judged.claimed = claimed;
            if let Some(found) = found {
                let test = found.test.as_ref().map(|_| Faced::new(&ps, &corrected, number));
                number += usize::from(test.is_some());
                settle(judged, found, test);
            }
            judged.expected = is_foreseen(judged.verdict, *expect, experiment.variant);
        }
    }
    all.into_iter().map(|(judged, _, _)| judged).collect()
}

/// The p-values of a test, and the level that Holm's correction left to it.
struct Faced {
    raw: f64,
    corrected: f64,
    level: f64,
}

impl Faced {
    /// Describes one of the tests of a family.
    fn new(ps: &[f64], corrected: &[f64], number: usize) -> Faced {
        let others: Vec<f64> =
            ps.iter().enumerate().filter(|(at, _)| *at != number).map(|(_, p)| *p).collect();
        Faced { raw: ps[number], corrected: corrected[number], level: holm_level(&others, LEVEL) }
    }
}

/// Fills in what was found.
fn settle(judged: &mut Judged, found: &Compared, test: Option<Faced>) {
    let Told { full, short, alone } = found.told.clone();
    (judged.ours, judged.short, judged.alone, judged.matches) = (full, short, alone, found.matches);
    judged.test = found.test.as_ref().map(|test| test.test);
    (judged.raw_p, judged.p) = (test.as_ref().map(|test| test.raw), test.as_ref().map(|test| test.corrected));
    let level = test.as_ref().map_or(LEVEL, |test| test.level);
    let significant = test.is_some_and(|test| test.corrected < LEVEL);
    judged.verdict = found.decision.verdict(significant, found.power.is_too_small(level));
    if judged.origin == Origin::Fitted && judged.verdict == Verdict::Agrees {
        judged.verdict = Verdict::Fitted;
    }
    judged.could_show = found.power.told(level);
}

/// Returns `true` if a verdict was expected. A quick run may miss a difference or have too few matches, but
/// it must not find a difference where none was expected.
fn is_foreseen(verdict: Verdict, expect: Expect, variant: Variant) -> bool {
    let quick = variant == Variant::Quick;
    match (verdict, expect) {
        (Verdict::Missing, expect) => expect == Expect::Missing,
        (_, Expect::Missing) => false,
        (Verdict::Shown, _) | (_, Expect::Either) => true,
        (Verdict::Agrees | Verdict::Fitted, expect) => expect != Expect::Differs || quick,
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
        let figure = figure_named(experiment, id)?;
        extent(figure, outcome_of(experiment, outcomes, figure)?)
    };
    claim.of.iter().map(one).collect()
}

fn figure_named<'a>(experiment: &'a Experiment, id: &str) -> Option<&'a Figure> {
    experiment.figures.iter().find(|figure| figure.id.as_deref() == Some(id))
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
        raw_p: None,
        p: None,
        could_show: None,
        verdict: Verdict::Missing,
        expected: true,
        foreseen: Foreseen::Unknown,
        claimed: true,
        why: why.clone(),
        is_compared: true,
        id,
        short: "–".to_string(),
        alone: "–".to_string(),
    }
}
