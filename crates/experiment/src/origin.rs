//! Where a figure comes from, and which verdict is expected of it.
//!
//! A headline counts what the source printed, and nothing else. What follows from it, what we say
//! ourselves, and what was made to match are counted apart.

use serde::Serialize;
use tournament::spec_text::{Form, Reading};

/// Where a figure or a claim comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It is printed in the source.
    Published,
    /// It follows from the rules, or from what was published: by arithmetic, or because words were taken as
    /// a number.
    Derived,
    /// The source does not contain it; we say it.
    Claim,
    /// Ours was chosen to match it, so it is no agreement if it does.
    Fitted,
}

impl Origin {
    /// All origins, in the order of reports.
    pub(crate) const ALL: [Origin; 4] = [Origin::Published, Origin::Derived, Origin::Claim, Origin::Fitted];

    /// Returns its name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Published => "published",
            Origin::Derived => "derived",
            Origin::Claim => "claim",
            Origin::Fitted => "fitted",
        }
    }

    pub(crate) fn read(form: &Form<'_>) -> Origin {
        let word = form.choice("origin", &Origin::ALL.map(Origin::name));
        let named = |origin: &Origin| word.as_ref().is_some_and(|word| word.value == origin.name());
        Origin::ALL.into_iter().find(named).unwrap_or(Origin::Published)
    }
}

/// The expected verdict of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Both figures agree.
    Agrees,
    /// They differ, for a known reason.
    Differs,
    /// There are too few matches to decide.
    Unclear,
    /// Nothing is claimed.
    Either,
    /// Ours is not available, for a known reason.
    Missing,
}

impl Expect {
    const ALL: [Expect; 5] =
        [Expect::Agrees, Expect::Differs, Expect::Unclear, Expect::Either, Expect::Missing];

    /// Returns its name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Expect::Agrees => "agrees",
            Expect::Differs => "differs",
            Expect::Unclear => "unclear",
            Expect::Either => "either",
            Expect::Missing => "missing",
        }
    }

    /// Reads what is expected, and why it is not agreement.
    pub(crate) fn read(form: &Form<'_>, reading: &Reading) -> (Expect, String) {
        let word = form.choice("expect", &Expect::ALL.map(Expect::name));
        let why = form.text("why").map_or(String::new(), |found| found.value);
        let named = |expect: &Expect| word.as_ref().is_some_and(|word| word.value == expect.name());
        let expect = Expect::ALL.into_iter().find(named).unwrap_or(Expect::Agrees);
        if let (true, true, Some(word)) = (expect != Expect::Agrees, why.is_empty(), &word) {
            reading.complain(&word.span, "Unless ours is expected to agree, `why` must give the reason.");
        }
        (expect, why)
    }
}
