//! Reading `experiment.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use library::{Library, did_you_mean};
use tournament::spec_text::{At, BadSpec, Form, Reading};
use tournament::{Cell, Games, Ready, TournamentSpec};

use crate::call::Call;
use crate::claim::Claim;
use crate::figure::Figure;
use crate::plots::PlotForm;
use crate::turns::TurnsPart;
use crate::words::{self, Names};

/// The file beside `experiment.toml` that contains the text of the report.
const WORDS: &str = "words.md";

/// The complaint about a part that is written as the words of a command.
const COMMANDS: &str =
    "Commands are written as keys: kind = \"solve\", game = \"nim\". docs/experiments.md lists them.";

/// A variant of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Shows something within a minute or two.
    Quick,
    /// Everything, as published.
    Full,
}

impl Variant {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Quick => "quick",
            Variant::Full => "full",
        }
    }
}

/// An experiment, looked up and checked.
pub struct Experiment {
    /// The name of its folder.
    pub name: String,
    /// The title.
    pub title: String,
    /// Where the figures were published.
    pub source: String,
    /// The question that it asks.
    pub question: String,
    /// Notes for the report.
    pub notes: Vec<String>,
    /// The variant.
    pub variant: Variant,
    /// What is played or measured.
    pub parts: Vec<Part>,
    /// What ours is compared with.
    pub figures: Vec<Figure>,
    /// What is claimed about several figures.
    pub claims: Vec<Claim>,
    /// The text that begins the report, with places for figures and plots.
    pub words: Option<String>,
    /// The appearance of plots that figures form together, by name.
    pub plots: Vec<PlotForm>,
}

/// Something that is played or measured.
#[derive(Clone)]
pub struct Part {
    /// The name, which is also that of its files.
    pub name: String,
    /// The kind.
    pub kind: PartKind,
}

/// The kinds of parts.
#[derive(Clone)]
pub enum PartKind {
    /// Matches by a plan.
    Tournament(Arc<Ready>),
    /// Random games.
    Playouts {
        /// The game as it is asked for.
        game: String,
        /// The reasoner.
        reasoner: String,
        /// The number of games.
        count: u64,
        /// The seed.
        seed: u64,
        /// The maximum length of a game; longer ones are cut off.
        max_steps: u32,
    },
    /// A question to the library.
    Call(Call),
    /// The cost of turns by their number.
    Turns(TurnsPart),
}

/// An experiment that has not been read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentFolder {
    /// The name.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
    /// The title; empty if its file cannot be read.
    pub title: String,
    /// Where the figures were published.
    pub source: String,
}

/// Returns the experiments in a folder, by name.
pub fn list(folder: &Path) -> std::io::Result<Vec<ExperimentFolder>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Ok(text) = fs::read_to_string(path.join("experiment.toml")) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let table: Option<toml::Table> = text.parse().ok();
        let of = |key: &str| {
            let value = table.as_ref().and_then(|table| table.get(key)).and_then(toml::Value::as_str);
            value.unwrap_or_default().to_string()
        };
        found.push(ExperimentFolder { name, path, title: of("title"), source: of("source") });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

impl Experiment {
    /// Reads and checks an experiment. All mistakes are reported with their lines.
    pub fn read(folder: &Path, variant: Variant, library: &Library) -> Result<Experiment, BadSpec> {
        let path = folder.join("experiment.toml");
        let place = path.display().to_string();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                let reading = Reading::new(&place, "");
                reading.complain(&(0..0), format!("It cannot be read: {error}."));
                return reading.finish(None);
            }
        };
        let (mut experiment, names) = parsed(&place, &text, &name, folder, variant, library)?;
        if let Ok(words) = fs::read_to_string(folder.join(WORDS)) {
            words::check(&folder.join(WORDS).display().to_string(), &words, &names)?;
            experiment.words = Some(words);
        }
        Ok(experiment)
    }

    /// Reads and checks an experiment from a text.
    pub fn parse(
        place: &str,
        text: &str,
        name: &str,
        folder: &Path,
        variant: Variant,
        library: &Library,
    ) -> Result<Experiment, BadSpec> {
        parsed(place, text, name, folder, variant, library).map(|(experiment, _)| experiment)
    }
}

/// Parses an experiment. Also returns the names that `words.md` may use.
fn parsed(
    place: &str,
    text: &str,
    name: &str,
    folder: &Path,
    variant: Variant,
    library: &Library,
) -> Result<(Experiment, Names), BadSpec> {
    let reading = Reading::new(place, text);
    let found = reading.parse().and_then(|table| {
        let form = Form::new(&table, &reading);
        form.only(&["title", "source", "question", "notes", "part", "figure", "claim", "plot"]);
        let mut parts: Vec<Part> = Vec::new();
        let mut known = BTreeMap::new();
        let games = Games::new(library, folder);
        let mut skipped: Vec<String> = Vec::new();
        for own in form.forms("part") {
            let quick = own.form("quick").filter(|_| variant == Variant::Quick);
            if quick.is_some_and(|quick| quick.flag("skip").is_some_and(|skip| skip.value)) {
                skipped.extend(own.text("name").map(|name| name.value));
                continue;
            }
            let Some(part) = part(&own, name, folder, variant, &games, library, &reading) else {
                continue;
            };
            if known.insert(part.name.clone(), ()).is_some() {
                reading.complain(&own.span, format!("There are two parts `{}`.", part.name));
            }
            parts.push(part);
        }
        if form.entry("part").is_none() {
            let start = form.span.start..form.span.start;
            reading
                .complain(&start, "There is no part; write a table [[part]] with a name and what is played.");
        }
        let names = Names::of(&form, &reading);
        let is_skipped =
            |figure: &Form<'_>| figure.text("part").is_some_and(|part| skipped.contains(&part.value));
        let is_shown = |figure: &&Form<'_>| {
            variant == Variant::Full || (!is_skipped(figure) && is_played(figure, &parts))
        };
        let figures = form.forms("figure");
        // A part that is wrong itself is there all the same.
        let declared: Vec<String> =
            form.forms("part").iter().filter_map(|part| Some(part.text("name")?.value)).collect();
        let figures: Vec<Figure> = figures
            .iter()
            .filter(is_shown)
            .flat_map(|figure| Figure::read(figure, &parts, &declared, &reading))
            .collect();
        // A quick variant may leave out figures, and the claims about them too.
        let is_there = |id: &String| figures.iter().any(|figure| figure.id.as_ref() == Some(id));
        let claims = form.forms("claim");
        let claims = claims.iter().filter_map(|claim| Claim::read(claim, &names.figures, &figures, &reading));
        let claims = claims
            .filter(|claim: &Claim| variant == Variant::Full || claim.of.iter().all(is_there))
            .collect();
        let plots = form.forms("plot");
        let plots = plots.iter().filter_map(|plot| PlotForm::read(plot, &parts, &skipped, &reading));
        let plots = plots.collect();
        let notes = form.list("notes").unwrap_or_default();
        let title = form.needed("title", "\"Random connect four\"");
        let source = form.needed("source", "\"Author, title, table 3\"");
        let experiment = Experiment {
            name: name.to_string(),
            title: title?.value,
            source: source?.value,
            question: form.text("question").map_or(String::new(), |found| found.value),
            notes: notes.iter().filter_map(|note| Some(note.text("notes")?.value)).collect(),
            variant,
            parts,
            figures,
            claims,
            words: None,
            plots,
        };
        Some((experiment, names))
    });
    reading.finish(found)
}

/// Returns how to ask for a game that a file in this folder names. Files a complaint if there is no such
/// game.
pub(crate) fn game(named: At<String>, folder: &Path, library: &Library, reading: &Reading) -> String {
    let beside = folder.join(&named.value);
    let path = named.value.contains(['/', '.']) && beside.exists();
    let argument = if path { beside.display().to_string() } else { named.value };
    if let Err(error) = library.find(&argument) {
        reading.complain(&named.span, error.to_string());
    }
    argument
}

/// Returns the name of a reasoner, `auto` if none is given. Files a complaint if it is unknown.
pub(crate) fn reasoner(named: Option<At<String>>, reading: &Reading) -> String {
    let Some(named) = named else { return "auto".to_string() };
    let list = library::reasoner_list();
    if !list.iter().any(|(usage, _)| *usage == named.value) {
        let hint = did_you_mean(&named.value, list.iter().map(|(usage, _)| usage.as_str()));
        let all = list.iter().map(|(usage, _)| usage.as_str()).collect::<Vec<_>>().join(", ");
        let text = format!("There is no reasoner `{}`.{hint} Possible: {all}.", named.value);
        reading.complain(&named.span, text);
    }
    named.value
}

/// Returns `true` if what a figure needs is played at all. A quick variant may leave out games, budgets,
/// players, lineups and turns.
fn is_played(figure: &Form<'_>, parts: &[Part]) -> bool {
    let named = |key: &str| figure.text(key).map(|found| found.value);
    let owner = parts.iter().find(|part| named("part").is_some_and(|name| name == part.name));
    if let Some(Part { kind: PartKind::Turns(turns), .. }) = owner {
        return named("pointer").is_none_or(|pointer| turns.measures(&pointer));
    }
    let Some(Part { kind: PartKind::Tournament(ready), .. }) = owner else { return true };
    let plan = ready.plan();
    let has = |key: &str, names: Vec<&String>| named(key).is_none_or(|name| names.contains(&&name));
    let lineup = figure.list("lineup").unwrap_or_default();
    let lineup: Vec<String> = lineup.iter().filter_map(|name| Some(name.text("lineup")?.value)).collect();
    let seated = |cell: &Cell| cell.seating.iter().map(|player| &plan.players[*player].name).eq(&lineup);
    (lineup.is_empty() || plan.cells.iter().any(seated))
        && has("player", plan.players.iter().map(|player| &player.name).collect())
        && has("game", plan.games.iter().map(|game| &game.name).collect())
        && has("budget", plan.budgets.iter().map(|budget| &budget.name).collect())
}

fn part(
    form: &Form<'_>,
    experiment: &str,
    folder: &Path,
    variant: Variant,
    games: &Games<'_>,
    library: &Library,
    reading: &Reading,
) -> Option<Part> {
    let quick = form.form("quick").filter(|_| variant == Variant::Quick);
    let form = match &quick {
        Some(quick) => &form.under(quick),
        None => form,
    };
    let name = form.needed("name", "\"table-1\"")?;
    if name.value.is_empty() || !name.value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        reading.complain(&name.span, "The name of a part may contain only letters, digits, `-` and `_`.");
        return None;
    }
    if let Some(kind) = form.text("kind").filter(|kind| kind.value == "command") {
        reading.complain(&kind.span, COMMANDS);
        return None;
    }
    let kinds: Vec<&str> = ["tournament", "playouts", "turns"].into_iter().chain(Call::KINDS).collect();
    let kind = match form.entry("kind") {
        None => "tournament",
        Some(_) => form.choice("kind", &kinds)?.value,
    };
    let kind = match kind {
        "playouts" => {
            form.only(&["name", "kind", "quick", "game", "reasoner", "playouts", "seed", "max_steps"]);
            let argument = game(form.needed("game", "\"connect_four\"")?, folder, library, reading);
            if form.entry("playouts").is_none() {
                form.missing("playouts", "1000000");
            }
            PartKind::Playouts {
                game: argument,
                reasoner: reasoner(form.text("reasoner"), reading),
                count: form.number("playouts", 1..=100_000_000_000)?.value,
                seed: form.number("seed", 0..=u64::MAX).map_or(1, |found| found.value),
                max_steps: form.number("max_steps", 1..=1_000_000).map_or(1_000_000, |f| f.value) as u32,
            }
        }
        "turns" => PartKind::Turns(TurnsPart::read(form, folder, library, reading)?),
        kind if Call::KINDS.contains(&kind) => {
            PartKind::Call(Call::read(kind, form, folder, library, reading))
        }
        _ => {
            let keys: Vec<&str> = tournament::SPEC_KEYS.iter().copied().chain(["kind", "quick"]).collect();
            form.only(&keys);
            let series = format!("{experiment}.{}", name.value);
            let mut spec = TournamentSpec::from_form(form, reading, &series)?;
            spec.name = match variant {
                Variant::Full => series,
                Variant::Quick => format!("{series}.quick"),
            };
            // With a reading of its own, so that mistakes elsewhere do not hide those of this part.
            let own = Reading::new("", "");
            let ready = Ready::check(&spec, &own, games);
            match own.finish(ready) {
                Ok(ready) => PartKind::Tournament(Arc::new(ready)),
                Err(bad) => {
                    bad.complaints.iter().for_each(|found| reading.complain(&found.span, &found.text));
                    return None;
                }
            }
        }
    };
    Some(Part { name: name.value, kind })
}
