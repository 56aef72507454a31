//! A figure to compare ours with, and where to look for ours.
//!
//! Most were published. Others follow from the rules or from what was published,
//! and others again are only wanted of ours; reports tell them apart.

use serde::Serialize;
use tournament::PlanGame;
use tournament::spec_text::{Form, Reading};

use crate::measure::Measure;
use crate::spec::{Part, PartKind};

/// A figure to compare ours with.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The table or picture it is in.
    pub table: String,
    /// What it is.
    pub label: String,
    /// The part that gives ours.
    pub part: String,
    /// Which matches of it.
    pub select: Select,
    /// What ours is compared with.
    pub published: Published,
    /// Where that comes from.
    pub origin: Origin,
    /// What is foreseen.
    pub expect: Expect,
    /// Why ours differs, if it does.
    pub why: String,
    /// What words about the experiment call it by.
    pub id: Option<String>,
    /// Where it is drawn.
    pub point: Option<PlotPoint>,
}

/// A point of a plot that several figures make together.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotPoint {
    /// The plot, which is also the name of its file.
    pub plot: String,
    /// The line it is on.
    pub line: String,
    /// Where along the bottom.
    pub x: f64,
}

/// Where a figure comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It was published.
    Published,
    /// It follows from the rules, or from what was published.
    Derived,
    /// Nobody measured it; it is what ours should come to.
    Wanted,
}

impl Origin {
    /// Its name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Published => "published",
            Origin::Derived => "derived",
            Origin::Wanted => "wanted",
        }
    }

    pub(crate) fn read(form: &Form<'_>) -> Origin {
        match form.choice("origin", &["published", "derived", "wanted"]).map(|word| word.value) {
            Some("derived") => Origin::Derived,
            Some("wanted") => Origin::Wanted,
            _ => Origin::Published,
        }
    }
}

/// What is foreseen of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Both figures agree.
    Agrees,
    /// They differ, and it is known why.
    Differs,
    /// There are too few matches to tell.
    Unclear,
    /// Nothing is claimed.
    Either,
    /// Ours cannot be had, and it is known why.
    Missing,
}

impl Expect {
    /// What is foreseen, and why it is not that both agree.
    pub(crate) fn read(form: &Form<'_>, reading: &Reading) -> (Expect, String) {
        let word = form.choice("expect", &["agrees", "differs", "unclear", "either", "missing"]);
        let why = form.text("why").map_or(String::new(), |found| found.value);
        let expect = match word.as_ref().map(|word| word.value) {
            Some("differs") => Expect::Differs,
            Some("unclear") => Expect::Unclear,
            Some("either") => Expect::Either,
            Some("missing") => Expect::Missing,
            _ => Expect::Agrees,
        };
        if let (true, true, Some(word)) = (expect != Expect::Agrees, why.is_empty(), &word) {
            reading.complain(&word.span, "Where ours may differ or be missing, `why` must say why.");
        }
        (expect, why)
    }
}

/// Which matches of a part, and from whose side. Nothing is everything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Select {
    /// Of this game.
    pub game: Option<String>,
    /// At this budget.
    pub budget: Option<String>,
    /// With these players, by seat.
    pub lineup: Option<Vec<String>>,
    /// As seen by this role; the first seat where none is named.
    pub role: Option<String>,
    /// As seen by this player, wherever it sits.
    pub player: Option<String>,
}

/// What ours is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Published {
    /// Wins, draws and losses.
    Counts([u64; 3]),
    /// Their shares, from so many matches that they count as exact but for rounding.
    Shares([f64; 3], f64),
    /// A number.
    Value {
        /// Of what.
        measure: Measure,
        /// The number.
        value: f64,
        /// Ours may be so far off and still agree.
        within: f64,
        /// How many matches it comes from, where it is a share.
        of: Option<u64>,
        /// Its standard error, where it is a mean.
        error: Option<f64>,
    },
    /// About a number: the whole interval of ours should be so near.
    About {
        /// Of what.
        measure: Measure,
        /// The number.
        value: f64,
        /// How near.
        margin: f64,
    },
    /// A bound that ours should keep, with its whole interval.
    Bound {
        /// Of what.
        measure: Measure,
        /// The bound.
        value: f64,
        /// Whether ours should be at least that; else at most.
        at_least: bool,
    },
    /// Nothing: ours is only shown.
    Nothing {
        /// Of what.
        measure: Measure,
    },
}

impl Published {
    /// What is measured; nothing where wins, draws and losses are compared together.
    pub(crate) fn measure(&self) -> Option<&Measure> {
        match self {
            Published::Value { measure, .. }
            | Published::About { measure, .. }
            | Published::Bound { measure, .. }
            | Published::Nothing { measure } => Some(measure),
            Published::Counts(_) | Published::Shares(..) => None,
        }
    }
}

const KEYS: [&str; 27] = [
    "table", "label", "part", "game", "budget", "lineup", "role", "player", "measure", "quantile", "pointer",
    "counts", "shares", "value", "within", "margin", "of", "error", "at_least", "at_most", "origin",
    "expect", "why", "id", "plot", "line", "x",
];

impl Figure {
    /// Reads a figure; complaints are filed.
    pub(crate) fn read(form: &Form<'_>, parts: &[Part], reading: &Reading) -> Option<Figure> {
        form.only(&KEYS);
        let part = form.needed("part", "\"table-1\"")?;
        let owner = parts.iter().find(|other| other.name == part.value);
        if owner.is_none() && !reading.is_bad() {
            let hint = library::did_you_mean(&part.value, parts.iter().map(|part| part.name.as_str()));
            reading.complain(&part.span, format!("There is no part `{}`.{hint}", part.value));
        }
        let select = select(form, owner, reading);
        let (expect, why) = Expect::read(form, reading);
        let published = published(form, reading)?;
        check_contest(form, owner, &select, &published, reading);
        Some(Figure {
            table: form.text("table").map_or(String::new(), |found| found.value),
            label: form.needed("label", "\"random against random\"")?.value,
            part: part.value,
            select,
            published,
            origin: Origin::read(form),
            expect,
            why,
            id: form.text("id").map(|found| found.value),
            point: point(form, reading),
        })
    }
}

fn point(form: &Form<'_>, reading: &Reading) -> Option<PlotPoint> {
    let plot = form.text("plot")?;
    if plot.value.is_empty() || !plot.value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        reading.complain(&plot.span, "The name of a plot may have letters, digits, `-` and `_` only.");
        return None;
    }
    let line = form.needed("line", "\"attacker\"")?.value;
    if form.entry("x").is_none() {
        form.missing("x", "100");
    }
    let x = form.real("x", -1e12..=1e12)?.value;
    Some(PlotPoint { plot: plot.value, line, x })
}

fn select(form: &Form<'_>, owner: Option<&Part>, reading: &Reading) -> Select {
    let known = |key: &str, names: Vec<String>| {
        let found = form.text(key)?;
        if owner.is_some() && !names.contains(&found.value) {
            let list = names.join(", ");
            reading
                .complain(&found.span, format!("The part has no {key} `{}`. Possible: {list}.", found.value));
        }
        Some(found.value)
    };
    let Some(Part { kind: PartKind::Tournament(ready), .. }) = owner else {
        return Select { role: form.text("role").map(|found| found.value), ..Select::default() };
    };
    let plan = ready.plan();
    let players: Vec<String> = plan.players.iter().map(|player| player.name.clone()).collect();
    let lineup = form.list("lineup").map(|list| {
        let name = |entry: &tournament::spec_text::Entry<'_>| {
            let name = entry.text("lineup")?;
            if !players.contains(&name.value) {
                reading.complain(&name.span, format!("The part has no player `{}`.", name.value));
            }
            Some(name.value)
        };
        list.iter().filter_map(name).collect()
    });
    Select {
        game: known("game", plan.games.iter().map(|game| game.name.clone()).collect()),
        budget: known("budget", plan.budgets.iter().map(|budget| budget.name.clone()).collect()),
        lineup,
        role: known("role", plan.games.iter().flat_map(|game| game.roles.clone()).collect()),
        player: known("player", players),
    }
}

/// Complains of wins and losses where nobody is there to beat.
fn check_contest(
    form: &Form<'_>,
    owner: Option<&Part>,
    select: &Select,
    published: &Published,
    reading: &Reading,
) {
    let Some(Part { kind: PartKind::Tournament(ready), .. }) = owner else { return };
    if published.measure().is_some_and(|measure| !measure.is_share()) {
        return;
    }
    let chosen = |name: &String| select.game.as_ref().is_none_or(|wanted| wanted == name);
    let alone = |game: &&PlanGame| chosen(&game.name) && game.seats().len() == 1;
    let Some(game) = ready.plan().games.iter().find(alone) else { return };
    let key = ["measure", "counts", "shares"].into_iter().find_map(|key| form.entry(key));
    if let Some(entry) = key {
        let text = format!("In {} nobody is there to beat; take measure = \"goal\".", game.name);
        reading.complain(&entry.span(), text);
    }
}

/// Keys of which a figure has one at most: what ours is compared with.
const ALTERNATIVES: [&str; 5] = ["counts", "shares", "value", "at_least", "at_most"];

/// Complains of keys that do not go together.
fn check_keys(form: &Form<'_>, reading: &Reading) {
    let has = |key: &&str| form.entry(key).is_some();
    let given: Vec<&str> = ALTERNATIVES.into_iter().filter(has).collect();
    let wrong = |key: &str, text: String| {
        if let Some(entry) = form.entry(key) {
            reading.complain(&entry.span(), text);
        }
    };
    if let [first, second, ..] = given[..] {
        wrong(second, format!("`{second}` does not go with `{first}`: a figure is one or the other."));
    }
    let one = given.first().copied().unwrap_or("nothing");
    for (key, owners) in [
        ("measure", &["value", "at_least", "at_most", "nothing"][..]),
        ("pointer", &["value", "at_least", "at_most", "nothing"]),
        ("within", &["shares", "value"]),
        ("margin", &["value"]),
        ("of", &["value"]),
        ("error", &["value"]),
    ] {
        if !owners.contains(&one) {
            let with = if one == "nothing" { "without a value".to_string() } else { format!("with `{one}`") };
            wrong(key, format!("`{key}` means nothing {with}."));
        }
    }
    if form.entry("margin").is_some() {
        for key in ["within", "of", "error"] {
            wrong(key, format!("`{key}` does not go with `margin`: a figure is one or the other."));
        }
    }
    if form.entry("measure").is_some() {
        wrong("pointer", "`pointer` does not go with `measure`: a figure is one or the other.".to_string());
    }
}

fn published(form: &Form<'_>, reading: &Reading) -> Option<Published> {
    check_keys(form, reading);
    let within = form.real("within", 0.0..=1e12).map_or(0.0, |found| found.value);
    let three = |key: &str| {
        let list = form.list(key)?;
        if list.len() != 3 {
            reading.complain(&form.entry(key)?.span(), format!("`{key}` must be wins, draws and losses."));
            return None;
        }
        Some([list[0], list[1], list[2]])
    };
    if form.entry("counts").is_some() {
        let [won, drawn, lost] = three("counts")?.map(|entry| entry.number("counts", 0..=1 << 50));
        return Some(Published::Counts([won?.value, drawn?.value, lost?.value]));
    }
    if form.entry("shares").is_some() {
        let [won, drawn, lost] = three("shares")?.map(|entry| entry.real("shares", 0.0..=1.0));
        let shares = [won?.value, drawn?.value, lost?.value];
        if (shares.iter().sum::<f64>() - 1.0).abs() > 0.01 {
            reading.complain(&form.entry("shares")?.span(), "`shares` must add up to 1.");
        }
        return Some(Published::Shares(shares, within));
    }
    let measure = Measure::read(form, reading)?;
    let range = if measure.is_share() { 0.0..=1.0 } else { -1e15..=1e15 };
    for (key, at_least) in [("at_least", true), ("at_most", false)] {
        if form.entry(key).is_some() {
            let bound = form.real(key, range.clone())?;
            return Some(Published::Bound { measure, value: bound.value, at_least });
        }
    }
    if form.entry("value").is_none() {
        return Some(Published::Nothing { measure });
    }
    let value = form.real("value", range)?.value;
    if let Some(margin) = form.real("margin", 0.0..=1e12) {
        return Some(Published::About { measure, value, margin: margin.value });
    }
    let of = form.number("of", 1..=1 << 50).map(|found| found.value);
    let error = form.real("error", 0.0..=1e12).map(|found| found.value);
    Some(Published::Value { measure, value, within, of, error })
}
