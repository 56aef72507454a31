//! How many figures agree, at the head of a report.
//!
//! The headline counts everything that was published, also where nothing was claimed of it. What was
//! derived, what we claim, and what was fitted and so could not fail are counted in sentences of their own.

use tournament::report::Document;

use super::foresight::Foreseen;
use super::origin::Origin;
use super::verdict::{Judged, Verdict};

/// Adds the headline and what is counted apart from it.
pub(crate) fn put(judged: &[Judged], out: &mut Document) {
    let counts = |origin: Origin| {
        let own = judged.iter().filter(|found| found.origin == origin && found.is_compared);
        Counts::of(own)
    };
    let headline = counts(Origin::Published).told(Origin::Published);
    out.text(headline.unwrap_or_else(|| "No published figure is compared with ours.".to_string()));
    let apart = Origin::ALL.into_iter().skip(1);
    let apart: Vec<String> = apart.filter_map(|origin| counts(origin).told(origin)).collect();
    if !apart.is_empty() {
        out.text(format!("Counted apart from what was published: {}", apart.join(" ")));
    }
    if let Some(foresight) = foresight(judged) {
        out.text(foresight);
    }
}

/// How often each verdict occurs.
#[derive(Default)]
struct Counts {
    all: usize,
    agree: usize,
    differ: usize,
    /// Those that differ for a given reason.
    explained: usize,
    unclear: usize,
    missing: usize,
    /// Those of which nothing was claimed.
    open: usize,
}

impl Counts {
    fn of<'a>(found: impl Iterator<Item = &'a Judged>) -> Counts {
        let mut counts = Counts::default();
        for found in found {
            counts.all += 1;
            let compared = !matches!(found.verdict, Verdict::Shown | Verdict::Missing);
            counts.open += usize::from(!found.claimed && compared);
            match found.verdict {
                Verdict::Agrees | Verdict::Fitted => counts.agree += 1,
                Verdict::Differs => {
                    counts.differ += 1;
                    counts.explained += usize::from(found.expected && !found.why.is_empty());
                }
                Verdict::Unclear => counts.unclear += 1,
                Verdict::Missing => counts.missing += 1,
                Verdict::Shown => counts.all -= 1,
            }
        }
        counts
    }

    /// Describes the figures of one origin, or returns `None` if there are none.
    fn told(&self, origin: Origin) -> Option<String> {
        let Counts { all, agree, differ, explained, unclear, missing, open } = *self;
        if all == 0 {
            return None;
        }
        let mut text = match origin {
            Origin::Published => format!("{agree} of {all} published figures agree with ours"),
            Origin::Derived => format!("{agree} of {all} derived figures agree with ours"),
            Origin::Claim => format!("{agree} of {all} claims of our own hold"),
            Origin::Fitted => format!("{agree} of {all} fitted figures match, which could not fail"),
        };
        if differ > 0 {
            let word = match (origin, differ) {
                (Origin::Claim, 1) => "does not",
                (Origin::Claim, _) => "do not",
                (_, 1) => "differs",
                _ => "differ",
            };
            text.push_str(&format!(", {differ} {word}"));
            match explained {
                0 => {}
                _ if explained == differ => text.push_str(", for reasons given below"),
                _ => text.push_str(&format!(" ({explained} of them for reasons given below)")),
            }
        }
        if unclear > 0 {
            text.push_str(&format!(", {unclear} cannot be told"));
        }
        if missing > 0 {
            text.push_str(&format!(", {missing} could not be compared"));
        }
        match open {
            0 => {}
            1 if all == 1 => text.push_str("; nothing was claimed of it"),
            _ => text.push_str(&format!("; nothing was claimed of {open} of them")),
        }
        Some(text + ".")
    }
}

/// Describes how many verdicts were foreseen, or returns `None` if nothing was expected.
fn foresight(judged: &[Judged]) -> Option<String> {
    let all: Vec<&Judged> = judged.iter().filter(|found| found.is_expectation()).collect();
    let count = |foreseen: Foreseen| all.iter().filter(|found| found.foreseen == foreseen).count();
    let (before, later, unknown) =
        (count(Foreseen::Before), count(Foreseen::Later), count(Foreseen::Unknown));
    if all.is_empty() {
        return None;
    }
    if unknown == all.len() {
        return Some("None of the verdicts is known to be foreseen: what was expected was not recorded when the matches were played.".to_string());
    }
    let right = all.iter().filter(|found| found.is_as_foreseen()).count();
    let mut text = format!("As foreseen: {right} of {before} verdicts that were expected before the results");
    if later > 0 {
        text.push_str(&format!("; {later} expected later"));
    }
    if unknown > 0 {
        text.push_str(&format!("; {unknown} not known to be foreseen"));
    }
    Some(text + ".")
}
