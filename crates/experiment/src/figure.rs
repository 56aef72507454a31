//! Figures to compare ours with, and where to find ours.
//!
//! A figure must be able to fail: bounds and margins that every result satisfies are refused.

use tournament::PlanGame;
use tournament::spec_text::{Form, Reading};

use crate::measure::Measure;
use crate::origin::{Expect, Origin};
use crate::spec::{Part, PartKind};

/// A figure to compare ours with.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The table or picture that it appears in.
    pub table: String,
    /// What it is.
    pub label: String,
    /// The part that gives our figure.
    pub part: String,
    /// Which matches of the part.
    pub select: Select,
    /// What ours is compared with.
    pub published: Published,
    /// The largest difference that a test may be unable to find where it counts as agreement; `None` for
    /// the default of the measure.
    pub margin: Option<f64>,
    /// Where that comes from.
    pub origin: Origin,
    /// The expected verdict.
    pub expect: Expect,
    /// Why another verdict than agreement is expected.
    pub why: String,
    /// The id by which `words.md` and claims refer to it.
    pub id: Option<String>,
    /// Where it is plotted.
    pub point: Option<PlotPoint>,
}

/// A point of a plot that several figures form together.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotPoint {
    /// The plot, which is also the name of its file.
    pub plot: String,
    /// The line that it belongs to.
    pub line: String,
    /// The position along the x axis.
    pub x: f64,
}

/// Which matches of a part, and from whose side. `None` does not restrict anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Select {
    /// Of this game.
    pub game: Option<String>,
    /// With this budget.
    pub budget: Option<String>,
    /// With these players, by seat.
    pub lineup: Option<Vec<String>>,
    /// From the side of this role; the first seat if neither role nor player is given.
    pub role: Option<String>,
    /// From the side of this player, wherever it sits.
    pub player: Option<String>,
}

/// What ours is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Published {
    /// The counts of wins, draws and losses.
    Counts([u64; 3]),
    /// The shares of wins, draws and losses, from enough matches to count as exact except for this
    /// rounding.
    Shares([f64; 3], f64),
    /// A number.
    Value {
        /// What is measured.
        measure: Measure,
        /// The number.
        value: f64,
        /// How far ours may be off and still agree.
        within: f64,
        /// The number of matches that it comes from, if it is a share.
        of: Option<u64>,
        /// Its standard error, if it is a mean.
        error: Option<f64>,
    },
    /// A neighbourhood of a number that should contain the whole interval of ours.
    About {
        /// What is measured.
        measure: Measure,
        /// The number.
        value: f64,
        /// The size of the neighbourhood.
        margin: f64,
    },
    /// A bound that the whole interval of ours should satisfy.
    Bound {
        /// What is measured.
        measure: Measure,
        /// The bound.
        value: f64,
        /// Whether it is a lower bound; otherwise it is an upper bound.
        at_least: bool,
    },
    /// Nothing: ours is only shown.
    Nothing {
        /// What is measured.
        measure: Measure,
    },
}

impl Published {
    /// Returns what is measured, or `None` if wins, draws and losses are compared together.
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
    /// Reads a figure. Mistakes are filed as complaints. `declared` are the names of all parts, those that
    /// cannot be used included.
    pub(crate) fn read(
        form: &Form<'_>,
        parts: &[Part],
        declared: &[String],
        reading: &Reading,
    ) -> Option<Figure> {
        form.only(&KEYS);
        let part = form.needed("part", "\"table-1\"");
        let owner = part.as_ref().and_then(|part| parts.iter().find(|other| other.name == part.value));
        if let Some(part) = part.as_ref().filter(|part| !declared.contains(&part.value)) {
            let hint = library::did_you_mean(&part.value, declared.iter().map(String::as_str));
            reading.complain(&part.span, format!("There is no part `{}`.{hint}", part.value));
        }
        let select = select(form, owner, reading);
        let (expect, why) = Expect::read(form, reading);
        let (label, point) = (form.needed("label", "\"random against random\""), point(form, reading));
        let published = published(form, reading)?;
        check_contest(form, owner, &select, &published, reading);
        check_failing(form, &published, reading);
        let margin = form.entry("counts").or(form.entry("shares")).and(form.entry("margin"));
        Some(Figure {
            table: form.text("table").map_or(String::new(), |found| found.value),
            label: label?.value,
            part: part?.value,
            select,
            published,
            margin: margin.and_then(|entry| entry.real("margin", 0.0..=1.0)).map(|found| found.value),
            origin: Origin::read(form),
            expect,
            why,
            id: form.text("id").map(|found| found.value),
            point,
        })
    }
}

fn point(form: &Form<'_>, reading: &Reading) -> Option<PlotPoint> {
    let plot = form.text("plot")?;
    if plot.value.is_empty() || !plot.value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        reading.complain(&plot.span, "The name of a plot may contain only letters, digits, `-` and `_`.");
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

/// Files a complaint about wins and losses in a game without opponents.
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
        let text = format!("{} has no opponents; use measure = \"goal\".", game.name);
        reading.complain(&entry.span(), text);
    }
}

/// Files a complaint about a comparison that no result can fail.
fn check_failing(form: &Form<'_>, published: &Published, reading: &Reading) {
    let covers = |low: f64, high: f64, measure: &Measure| {
        measure.range().is_some_and(|(least, most)| low <= least && high >= most)
    };
    let (key, always) = match published {
        Published::Counts(_) | Published::Nothing { .. } => return,
        Published::Shares(_, within) => ("within", *within >= 1.0),
        Published::Value { measure, value, within, .. } => {
            ("within", covers(value - within, value + within, measure))
        }
        Published::About { measure, value, margin } => {
            ("margin", covers(value - margin, value + margin, measure))
        }
        Published::Bound { measure, value, at_least: true } => {
            ("at_least", covers(*value, f64::INFINITY, measure))
        }
        Published::Bound { measure, value, .. } => ("at_most", covers(f64::NEG_INFINITY, *value, measure)),
    };
    if let (true, Some(entry)) = (always, form.entry(key)) {
        reading.complain(&entry.span(), format!("Every result satisfies this `{key}`: it cannot fail."));
    }
}

/// Keys that exclude each other: what ours is compared with.
const ALTERNATIVES: [&str; 5] = ["counts", "shares", "value", "at_least", "at_most"];

/// Files complaints about keys that do not go together.
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
        ("margin", &["counts", "shares", "value"]),
        ("of", &["value"]),
        ("error", &["value"]),
    ] {
        if !owners.contains(&one) {
            let with = if one == "nothing" { "without a value".to_string() } else { format!("with `{one}`") };
            wrong(key, format!("`{key}` means nothing {with}."));
        }
    }
    if form.entry("margin").is_some() && one == "value" {
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
