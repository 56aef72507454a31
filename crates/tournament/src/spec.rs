//! The file that a person writes to describe a tournament.

use std::collections::BTreeMap;

use crate::EloScale;
use crate::opening::{MOST as MOST_OPENINGS, OpeningSpec};
use crate::pairing::{Schedule, Seatings};
use crate::spec_text::{At, BadSpec, Entry, Form, Reading};

/// The text in a player's spec that stands for the budget.
pub(crate) const BUDGET: &str = "$budget";

/// The keys of a tournament.
pub const KEYS: [&str; 21] = [
    "name",
    "title",
    "seed",
    "games",
    "players",
    "budgets",
    "schedule",
    "challenger",
    "lineups",
    "self_play",
    "sprt",
    "seatings",
    "openings",
    "matches",
    "start_clock",
    "play_clock",
    "grace",
    "replace",
    "max_steps",
    "confidence",
    "reasoner",
];

/// A tournament as it was asked for. Nothing in it has been looked up.
#[derive(Debug, Clone)]
pub struct TournamentSpec {
    /// The name, which is part of the ids of its matches.
    pub name: String,
    /// A title, for reports.
    pub title: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The games.
    pub games: Vec<At<GameSpec>>,
    /// The players.
    pub players: Vec<At<PlayerSpec>>,
    /// The budgets; one without a name if none is given.
    pub budgets: Vec<At<BudgetSpec>>,
    /// Who meets whom.
    pub schedule: At<Schedule>,
    /// Who sits where.
    pub seatings: At<Seatings>,
    /// The openings, if matches do not begin in the initial state.
    pub openings: Option<At<OpeningSpec>>,
    /// The number of matches for each game, budget and lineup.
    pub matches: At<u64>,
    /// Seconds before the first move.
    pub start_clock: Option<At<f64>>,
    /// Seconds for each move.
    pub play_clock: Option<At<f64>>,
    /// How many seconds after the clock an answer still counts; `None` for the default.
    pub grace: Option<f64>,
    /// What the referee does for a player that gives no legal answer.
    pub replace: String,
    /// The number of steps after which a match is broken off.
    pub max_steps: u64,
    /// The confidence level of intervals, between 0 and 1.
    pub confidence: f64,
}

/// A game and its reasoner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSpec {
    /// The game as it is asked for.
    pub argument: String,
    /// The reasoner.
    pub reasoner: String,
}

/// A player and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The name in tables.
    pub name: String,
    /// The spec; `$budget` in it stands for the budget.
    pub player: String,
}

/// What players may spend.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BudgetSpec {
    /// The name in tables.
    pub name: String,
    /// The value of `$budget`.
    pub value: Option<u64>,
    /// Seconds before the first move.
    pub start_clock: Option<f64>,
    /// Seconds for each move.
    pub play_clock: Option<f64>,
}

impl TournamentSpec {
    /// Reads a file. `name` is the name of the tournament unless the file gives one.
    pub fn read(place: &str, source: &str, name: &str) -> Result<TournamentSpec, BadSpec> {
        let reading = Reading::new(place, source);
        let spec = reading.parse().and_then(|table| {
            let form = Form::new(&table, &reading);
            form.only(&KEYS);
            TournamentSpec::from_form(&form, &reading, name)
        });
        reading.finish(spec)
    }

    /// Reads the keys of a tournament from a table. Mistakes are filed as complaints.
    pub fn from_form(form: &Form<'_>, reading: &Reading, name: &str) -> Option<TournamentSpec> {
        let seconds = 0.001..=1e7;
        let reasoner = form.text("reasoner").map_or("auto".to_string(), |found| found.value);
        let players = players(form, reading);
        let names: Vec<&str> = players.iter().map(|player| player.value.name.as_str()).collect();
        let schedule = schedule(form, reading, &names);
        let fixed = schedule.as_ref().is_some_and(|found| matches!(found.value, Schedule::Lineups(_)));
        let seatings = match form.choice("seatings", &["all", "cyclic", "fixed"]) {
            None => {
                At { value: if fixed { Seatings::Fixed } else { Seatings::All }, span: form.span.clone() }
            }
            Some(word) => {
                let value = match word.value {
                    "all" => Seatings::All,
                    "cyclic" => Seatings::Cyclic,
                    _ => Seatings::Fixed,
                };
                At { value, span: word.span }
            }
        };
        if form.entry("matches").is_none() {
            form.missing("matches", "100");
        }
        Some(TournamentSpec {
            name: plain_name(form, reading).unwrap_or_else(|| name.to_string()),
            title: form.text("title").map(|found| found.value),
            seed: form.number("seed", 0..=u64::MAX).map_or(1, |found| found.value),
            games: games(form, reading, &reasoner),
            players,
            budgets: budgets(form),
            schedule: schedule?,
            seatings,
            openings: openings(form),
            matches: form.number("matches", 1..=10_000_000)?,
            start_clock: form.real("start_clock", seconds.clone()),
            play_clock: form.real("play_clock", seconds),
            grace: form.real("grace", 0.0..=60.0).map(|found| found.value),
            replace: form
                .choice("replace", &["random", "first", "forfeit"])
                .map_or("random", |f| f.value)
                .into(),
            max_steps: form.number("max_steps", 1..=1_000_000).map_or(10_000, |found| found.value),
            confidence: form.real("confidence", 0.5..=0.9999).map_or(0.95, |found| found.value),
        })
    }
}

fn plain_name(form: &Form<'_>, reading: &Reading) -> Option<String> {
    let name = form.text("name")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.value.is_empty() || !name.value.chars().all(plain) {
        reading.complain(&name.span, "`name` may contain only letters, digits, `_`, `-` and `.`.");
    }
    Some(name.value)
}

fn games(form: &Form<'_>, reading: &Reading, reasoner: &str) -> Vec<At<GameSpec>> {
    let Some(list) = form.list("games") else {
        if form.entry("games").is_none() {
            form.missing("games", "[\"tic_tac_toe\"]");
        }
        return Vec::new();
    };
    if list.is_empty() {
        form.missing("games", "[\"tic_tac_toe\"]");
    }
    let read = |entry: Entry<'_>| {
        let (argument, reasoner) = if entry.is_form() {
            let form = entry.form("games")?;
            form.only(&["game", "reasoner"]);
            let own = form.text("reasoner").map(|found| found.value);
            (form.needed("game", "\"tic_tac_toe\"")?, own.unwrap_or_else(|| reasoner.to_string()))
        } else {
            (entry.text("games")?, reasoner.to_string())
        };
        Some(At { value: GameSpec { argument: argument.value, reasoner }, span: argument.span })
    };
    let games: Vec<At<GameSpec>> = list.into_iter().filter_map(read).collect();
    for (at, game) in games.iter().enumerate() {
        if games[..at].iter().any(|other| other.value == game.value) {
            reading.complain(&game.span, format!("`{}` is listed twice.", game.value.argument));
        }
    }
    games
}

fn players(form: &Form<'_>, reading: &Reading) -> Vec<At<PlayerSpec>> {
    let Some(list) = form.list("players") else {
        if form.entry("players").is_none() {
            form.missing("players", "[\"mcts(playouts=100)\", \"random\"]");
        }
        return Vec::new();
    };
    let read = |entry: Entry<'_>| {
        if !entry.is_form() {
            let player = entry.text("players")?;
            let value = PlayerSpec { name: player.value.clone(), player: player.value };
            return Some(At { value, span: player.span });
        }
        let form = entry.form("players")?;
        form.only(&["name", "player"]);
        let player = form.needed("player", "\"mcts(playouts=100)\"")?;
        let name = form.text("name").map_or_else(|| player.value.clone(), |found| found.value);
        Some(At { value: PlayerSpec { name, player: player.value }, span: player.span })
    };
    let players: Vec<At<PlayerSpec>> = list.into_iter().filter_map(read).collect();
    let mut names = BTreeMap::new();
    for player in &players {
        if names.insert(&player.value.name, ()).is_some() {
            let text = format!("There are two players `{}`; give each a name of its own.", player.value.name);
            reading.complain(&player.span, text);
        }
    }
    players
}

fn budgets(form: &Form<'_>) -> Vec<At<BudgetSpec>> {
    let seconds = 0.001..=1e7;
    let read = |entry: Entry<'_>| {
        if !entry.is_form() {
            let found = entry.number("budgets", 1..=u64::MAX)?;
            let value = BudgetSpec {
                name: found.value.to_string(),
                value: Some(found.value),
                ..BudgetSpec::default()
            };
            return Some(At { value, span: found.span });
        }
        let form = entry.form("budgets")?;
        form.only(&["name", "value", "start_clock", "play_clock"]);
        let value = form.number("value", 1..=u64::MAX).map(|found| found.value);
        let start_clock = form.real("start_clock", seconds.clone()).map(|found| found.value);
        let play_clock = form.real("play_clock", seconds.clone()).map(|found| found.value);
        let told = value.map(|value| value.to_string()).or(play_clock.map(|clock| format!("{clock} s")));
        let name = form.text("name").map(|found| found.value).or(told).unwrap_or_default();
        Some(At { value: BudgetSpec { name, value, start_clock, play_clock }, span: entry.span() })
    };
    let mut budgets: Vec<_> = form.list("budgets").unwrap_or_default().into_iter().filter_map(read).collect();
    if budgets.is_empty() {
        budgets.push(At { value: BudgetSpec::default(), span: form.span.start..form.span.start });
    }
    budgets
}

fn openings(form: &Form<'_>) -> Option<At<OpeningSpec>> {
    let entry = form.entry("openings")?;
    let value = if entry.is_form() {
        let own = entry.form("openings")?;
        own.only(&["random_plies", "count"]);
        for (key, example) in [("random_plies", "4"), ("count", "50")] {
            if own.entry(key).is_none() {
                own.missing(key, example);
            }
        }
        let plies = own.number("random_plies", 1..=10_000)?.value as u32;
        OpeningSpec::Random { plies, count: own.number("count", 1..=MOST_OPENINGS)?.value }
    } else {
        let opening = |entry: Entry<'_>| {
            let steps = entry.list("openings")?;
            let steps = steps.iter().filter_map(|step| Some(step.text("openings")?.value)).collect();
            Some(At { value: steps, span: entry.span() })
        };
        OpeningSpec::Listed(entry.list("openings")?.into_iter().filter_map(opening).collect())
    };
    Some(At { value, span: entry.span() })
}

fn schedule(form: &Form<'_>, reading: &Reading, players: &[&str]) -> Option<At<Schedule>> {
    let words = ["round-robin", "gauntlet", "sprt", "lineups"];
    let implied = if form.entry("lineups").is_some() {
        "lineups"
    } else if form.entry("sprt").is_some() {
        "sprt"
    } else if form.entry("challenger").is_some() {
        "gauntlet"
    } else {
        "round-robin"
    };
    let here = form.span.start..form.span.start;
    let word = match form.entry("schedule") {
        Some(_) => form.choice("schedule", &words)?,
        None => At { value: implied, span: here },
    };
    let find = |name: &At<String>| {
        let found = players.iter().position(|player| *player == name.value);
        if found.is_none() {
            let hint = library::did_you_mean(&name.value, players.iter().copied());
            reading.complain(
                &name.span,
                format!("There is no player `{}` in this tournament.{hint}", name.value),
            );
        }
        found
    };
    for (key, owner) in [("challenger", "gauntlet"), ("sprt", "sprt"), ("lineups", "lineups")] {
        if let Some(entry) = form.entry(key).filter(|_| word.value != owner) {
            let text = format!("`{key}` belongs to schedule = \"{owner}\", not \"{}\".", word.value);
            reading.complain(&entry.span(), text);
        }
    }
    let value = match word.value {
        "gauntlet" => Schedule::Gauntlet { challenger: find(&form.needed("challenger", "\"mcts\"")?)? },
        "sprt" => {
            let (mut weak, mut strong, mut alpha, mut beta) = (0.0, 10.0, 0.05, 0.05);
            let (mut span, mut scale) = (word.span.clone(), EloScale::Logistic);
            if let Some(entry) = form.entry("sprt") {
                let own = entry.form("sprt")?;
                own.only(&["elo0", "elo1", "alpha", "beta", "scale"]);
                let points = -2000.0..=2000.0;
                let chance = 0.0001..=0.4999;
                weak = own.real("elo0", points.clone()).map_or(weak, |found| found.value);
                strong = own.real("elo1", points).map_or(strong, |found| found.value);
                alpha = own.real("alpha", chance.clone()).map_or(alpha, |found| found.value);
                beta = own.real("beta", chance).map_or(beta, |found| found.value);
                if own.choice("scale", &["logistic", "normalised"]).is_some_and(|f| f.value == "normalised") {
                    scale = EloScale::Normalised;
                }
                span = entry.span();
            }
            if weak >= strong {
                reading.complain(&span, format!("elo0 ({weak}) must be below elo1 ({strong})."));
            }
            if players.len() != 2 {
                let text =
                    format!("A sequential test is between two players, but there are {}.", players.len());
                reading.complain(&word.span, text);
            }
            Schedule::Sprt { weak, strong, alpha, beta, scale }
        }
        "lineups" => {
            let Some(list) = form.list("lineups") else {
                form.missing("lineups", "[[\"random\", \"legal\"]]");
                return None;
            };
            if let Some(entry) = form.entry("lineups").filter(|_| list.is_empty()) {
                let text = "No lineup is listed. Write, for example, [[\"random\", \"legal\"]].";
                reading.complain(&entry.span(), text);
            }
            let row = |entry: Entry<'_>| {
                let names = entry.list("lineups")?;
                let seats = names.iter().filter_map(|name| find(&name.text("lineups")?)).collect();
                Some(At { value: seats, span: entry.span() })
            };
            Schedule::Lineups(list.into_iter().filter_map(row).collect())
        }
        _ => Schedule::RoundRobin { self_play: form.flag("self_play").is_some_and(|found| found.value) },
    };
    Some(At { value, span: word.span })
}
