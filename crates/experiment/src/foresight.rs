//! Whether something was expected before its result was there.
//!
//! When a part is run, digests of everything that is expected of it are written beside its outcome, to
//! `PART.expected`: one line for each figure and claim, a digest and a label. The digest is that of a
//! canonical text of what is compared with what, the margin, the origin and the expected verdict; labels,
//! tables and reasons do not count. The record stays as long as the outcome is one of the same plan, so that
//! running a part again does not make anything foreseen that was written down after its result was seen.
//! The order of things is recorded, and nothing more: who deletes an outcome deletes its record with it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use game::Seed;
use serde::Serialize;

use super::claim::{Claim, Says};
use super::figure::{Figure, Published};
use super::measure::Measure;
use super::outcome::{Outcome, PlayoutCounts};
use super::spec::{Experiment, Part};

/// Whether an expectation is older than its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Foreseen {
    /// It is older.
    Before,
    /// It was written down, or changed, when the result was there.
    Later,
    /// Nothing was recorded when the part was run.
    Unknown,
}

impl Foreseen {
    /// Returns how reports call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Foreseen::Before => "yes",
            Foreseen::Later => "expected later",
            Foreseen::Unknown => "not known",
        }
    }
}

/// What was expected of a part when it was run: digests with labels, in the order of the experiment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expected(Vec<(String, String)>);

impl Expected {
    /// Returns what an experiment expects of a part.
    pub fn of(experiment: &Experiment, part: &Part) -> Expected {
        let own = |figure: &&Figure| figure.part == part.name;
        let figures = experiment.figures.iter().filter(own);
        let figures = figures.map(|figure| (digest(&figure_text(figure)), line(&figure.label)));
        let about = |claim: &&Claim| members(claim, experiment).iter().any(&own);
        let claims = experiment.claims.iter().filter(about);
        let claims = claims.map(|claim| (digest(&claim_text(claim, experiment)), line(&claim.label)));
        Expected(figures.chain(claims).collect())
    }

    /// Returns the name of the file for a part.
    pub fn file(part: &Part) -> String {
        format!("{}.expected", part.name)
    }

    /// Reads the record of a part from a folder. Returns `None` if there is none.
    pub fn read(part: &Part, folder: &Path) -> Option<Expected> {
        let text = fs::read_to_string(folder.join(Expected::file(part))).ok()?;
        let pair = |line: &str| {
            let (digest, label) = line.split_once(' ')?;
            Some((digest.to_string(), label.to_string()))
        };
        Some(Expected(text.lines().filter_map(pair).collect()))
    }

    /// Writes the record of a part into a folder.
    pub fn write(&self, part: &Part, folder: &Path) -> io::Result<()> {
        let line = |(digest, label): &(String, String)| format!("{digest} {label}\n");
        let text: String = self.0.iter().map(line).collect();
        fs::write(folder.join(Expected::file(part)), text)
    }

    /// Writes the record beside an outcome that is about to be written. If an outcome of the same plan is
    /// there already, its record stays, and so does the lack of one.
    pub(crate) fn keep(
        expected: Option<&Expected>,
        part: &Part,
        outcome: &Outcome,
        folder: &Path,
    ) -> io::Result<()> {
        let earlier = Outcome::read(part, folder).ok().flatten();
        if earlier.is_some_and(|earlier| is_same_plan(&earlier, outcome)) {
            return Ok(());
        }
        match expected {
            Some(expected) => expected.write(part, folder),
            None => match fs::remove_file(folder.join(Expected::file(part))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
        }
    }
}

/// Returns `true` if two outcomes of a part come from the same plan. Matches of another plan cannot be read.
/// Answers and measurements have no plan, so they must be equal.
fn is_same_plan(earlier: &Outcome, outcome: &Outcome) -> bool {
    let plan = |counts: &PlayoutCounts| (counts.game.clone(), counts.seed, counts.playouts);
    match (earlier, outcome) {
        (Outcome::Tournament(..), Outcome::Tournament(..)) => true,
        (Outcome::Playouts(earlier), Outcome::Playouts(counts)) => plan(earlier) == plan(counts),
        _ => earlier.write() == outcome.write(),
    }
}

/// What was recorded of all parts of an experiment.
#[derive(Debug, Clone, Default)]
pub struct Foresight {
    /// The digests by part; `None` if nothing was recorded.
    parts: Vec<(String, Option<BTreeSet<String>>)>,
}

impl Foresight {
    /// Creates the foresight of outcomes without records.
    pub fn unknown() -> Foresight {
        Foresight::default()
    }

    /// Reads the records of all parts from a folder of results.
    pub fn read(experiment: &Experiment, folder: &Path) -> Foresight {
        let digests = |found: Expected| found.0.into_iter().map(|(digest, _)| digest).collect();
        let part = |part: &Part| (part.name.clone(), Expected::read(part, folder).map(digests));
        Foresight { parts: experiment.parts.iter().map(part).collect() }
    }

    pub(crate) fn of_figure(&self, figure: &Figure) -> Foreseen {
        self.of(&digest(&figure_text(figure)), [figure.part.as_str()])
    }

    pub(crate) fn of_claim(&self, claim: &Claim, experiment: &Experiment) -> Foreseen {
        let parts = members(claim, experiment).into_iter().map(|figure| figure.part.as_str());
        self.of(&digest(&claim_text(claim, experiment)), parts)
    }

    /// Decides by the records of all parts that something is about.
    fn of<'a>(&self, digest: &str, parts: impl IntoIterator<Item = &'a str>) -> Foreseen {
        let mut found = Foreseen::Before;
        for part in parts {
            let record = self.parts.iter().find(|(name, _)| name == part);
            match record.and_then(|(_, digests)| digests.as_ref()) {
                None => return Foreseen::Unknown,
                Some(digests) if !digests.contains(digest) => found = Foreseen::Later,
                Some(_) => {}
            }
        }
        found
    }
}

/// Returns the figures that a claim is about.
fn members<'a>(claim: &Claim, experiment: &'a Experiment) -> Vec<&'a Figure> {
    let figure = |id: &String| experiment.figures.iter().find(|figure| figure.id.as_ref() == Some(id));
    claim.of.iter().filter_map(figure).collect()
}

fn digest(text: &str) -> String {
    format!("{:016x}", Seed(0).derive_name(text).0)
}

/// Returns a label as one line.
fn line(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the canonical text of where our figure is found.
fn place_text(figure: &Figure) -> String {
    let select = &figure.select;
    let mut text = format!("part={}", figure.part);
    let lineup = select.lineup.as_ref().map(|lineup| lineup.join("|"));
    for (key, value) in [
        ("game", &select.game),
        ("budget", &select.budget),
        ("lineup", &lineup),
        ("role", &select.role),
        ("player", &select.player),
    ] {
        if let Some(value) = value {
            text.push_str(&format!("\n{key}={value}"));
        }
    }
    if let Some(measure) = figure.published.measure() {
        text.push_str(&format!("\nmeasure={}", measure.name()));
        if let Measure::Quantile(share) = measure {
            text.push_str(&format!(" {share}"));
        }
    }
    text
}

/// Returns the canonical text of a figure and what is expected of it.
fn figure_text(figure: &Figure) -> String {
    let option = |key: &str, value: Option<String>| value.map_or(String::new(), |v| format!("\n{key}={v}"));
    let real = |value: Option<f64>| value.map(|value| value.to_string());
    let compared = match &figure.published {
        Published::Counts([won, drawn, lost]) => format!("counts={won} {drawn} {lost}"),
        Published::Shares([won, drawn, lost], within) => {
            format!("shares={won} {drawn} {lost}\nwithin={within}")
        }
        Published::Value { value, within, of, error, .. } => {
            let of = option("of", of.map(|of| of.to_string()));
            format!("value={value}\nwithin={within}{of}{}", option("error", real(*error)))
        }
        Published::About { value, margin, .. } => format!("value={value}\nmargin={margin}"),
        Published::Bound { value, at_least: true, .. } => format!("at_least={value}"),
        Published::Bound { value, .. } => format!("at_most={value}"),
        Published::Nothing { .. } => "nothing".to_string(),
    };
    let margin = option("margin", real(figure.margin));
    let (origin, expect) = (figure.origin.name(), figure.expect.name());
    format!("{}\n{compared}{margin}\norigin={origin}\nexpect={expect}", place_text(figure))
}

/// Returns the canonical text of a claim and what is expected of it.
fn claim_text(claim: &Claim, experiment: &Experiment) -> String {
    let says = match claim.says {
        Says::Rises => "rises".to_string(),
        Says::Falls => "falls".to_string(),
        Says::Equal => "equal".to_string(),
        Says::EqualWithin(margin) => format!("equal within {margin}"),
        Says::Ratio { times, at_least: true } => format!("ratio at least {times}"),
        Says::Ratio { times, .. } => format!("ratio at most {times}"),
    };
    let of: Vec<String> = members(claim, experiment).into_iter().map(place_text).collect();
    let (origin, expect) = (claim.origin.name(), claim.expect.name());
    format!("{}\nsays={says}\norigin={origin}\nexpect={expect}", of.join("\n"))
}
