//! `tafl match`: one match between players.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tafl::arena::{
    Ending, Event, GRACE, InfoError, MatchRecord, Replacement, Setup, Sitter, StepThought, play_on,
};
use tafl::game::{AnyGame, Game, Seated, Seed};
use tafl::library::{Begun, Chosen, Loaded};
use tafl::picture::board::{Layout, samples};
use tafl::rules::Strictness;
use tafl::statistics::Confidence;
use tafl::tournament::{Clocks, Conditions, Keep, MatchSpec, Ready, Refereeing, RunOptions, repeat};

use super::human::Human;
use super::series::{self, Lines, SeriesArguments};
use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::screen::{FAINT, STRONG, Screen, WARNING, counted, wrapped};
use crate::storage::{StoreArguments, quoted};
use crate::{draw, interrupt};

/// The spec of a person at this terminal.
const HUMAN: &str = "human";

/// Play a match between players
///
/// Give one player per role, in the order of the roles; a role called `random`
/// is played by chance and needs no player. `tafl players` lists the players.
/// `human` is you at this terminal, `http://HOST:PORT` is a remote player. With
/// --repeat, many matches are played and counted. Every finished step is
/// stored, so that an interrupted match can be resumed (`tafl resume`).
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl match connect_four random legal --seed 7\n  tafl match tic_tac_toe mcts random --explain\n  tafl match connect_four 'mcts(playouts=100)' random --repeat 100 --rotate"
)]
pub(crate) struct Play {
    #[command(flatten)]
    game: GameArguments,
    /// The players, in the order of the roles
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    #[command(flatten)]
    state: StateArguments,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    conditions: ConditionArguments,
    /// After each step, explain why the players chose their moves
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    #[command(flatten)]
    series: SeriesArguments,
    /// Print the match record, or the counts of many matches, as JSON
    #[arg(long)]
    json: bool,
    /// Include times in the record, which makes every record different
    #[arg(long, requires = "json")]
    times: bool,
    #[command(flatten)]
    store: StoreArguments,
    /// Do not store the match
    #[arg(long)]
    no_store: bool,
}

/// The conditions of a match.
#[derive(Debug, Args)]
struct ConditionArguments {
    /// Time before the first move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    start_clock: Duration,
    /// Time for each move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    play_clock: Duration,
    /// Time to study the rules before roles are assigned, in seconds [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    preview_clock: Option<Duration>,
    /// How long after its clock an answer still counts, in seconds, to make up for the network [default: 0.5]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    grace: Option<Duration>,
    /// What to do for a player that gives no legal answer
    #[arg(long, value_name = "POLICY", default_value = "random")]
    #[arg(value_parser = ["random", "first", "forfeit"])]
    replace: String,
    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: usize,
}

impl ConditionArguments {
    fn conditions(&self) -> Conditions {
        let ms = |clock: Duration| clock.as_millis() as u64;
        Conditions {
            clocks: Clocks {
                preview_clock: self.preview_clock.map(ms),
                start_clock: ms(self.start_clock),
                play_clock: ms(self.play_clock),
            },
            refereeing: Refereeing {
                replace: self.replace.clone(),
                max_steps: self.max_steps,
                grace: self.grace.map(ms),
            },
        }
    }
}

/// What is to be played, and how it is shown and stored.
pub(crate) struct Playing {
    pub(crate) spec: MatchSpec,
    pub(crate) explain: bool,
    pub(crate) json: bool,
    pub(crate) times: bool,
    pub(crate) csv: bool,
    pub(crate) jobs: u32,
    pub(crate) confidence: Confidence,
    pub(crate) store: StoreArguments,
    pub(crate) no_store: bool,
    /// The series to resume.
    pub(crate) resume: Option<String>,
}

struct OneMatch<'a> {
    playing: &'a Playing,
    loaded: &'a Loaded,
    begun: &'a Begun,
    screen: &'a mut Screen,
}

impl Play {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let spec = MatchSpec {
            reasoner: self.game.reasoner.clone(),
            players: self.players.clone(),
            state: self.state.canonical()?,
            seed: self.seed,
            conditions: self.conditions.conditions(),
            repeat: self.series.repeat,
            rotate: self.series.rotate,
            ..MatchSpec::new(&self.game.game, arguments.games.as_deref())
        };
        let playing = Playing {
            spec,
            explain: self.explain,
            json: self.json,
            times: self.times,
            csv: self.series.csv,
            jobs: self.series.jobs,
            confidence: self.series.confidence()?,
            store: self.store.clone(),
            no_store: self.no_store,
            resume: None,
        };
        playing.run(arguments, screen)
    }
}

impl Playing {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let spec = &self.spec;
        spec.conditions.suit(&spec.players)?;
        let loaded = arguments.library().load(&spec.game, Strictness::Lenient)?;
        let mut begun = self.begin(&loaded)?;
        if let Some(state) = &spec.state {
            let game = &begun.now.game;
            begun.now.game = game.beginning_with(&tafl::library::read_state(state)?)?;
            // A game that is made later would begin in its initial state.
            begun.later = None;
        }
        OneMatch { playing: self, loaded: &loaded, begun: &begun, screen }.play()
    }

    /// Makes the game. Nobody waits for a compiler if everyone thinks by the clock or does not search at all;
    /// results of players that count their work must not depend on how fast the machine is.
    fn begin(&self, loaded: &Loaded) -> anyhow::Result<Begun> {
        let spec = &self.spec;
        let quick = spec.repeat.is_none() && spec.state.is_none() && spec.reasoner == "auto";
        let of_ours: Vec<&String> =
            spec.players.iter().filter(|spec| *spec != HUMAN && !tafl::cast::is_on_the_wire(spec)).collect();
        if quick && !of_ours.iter().any(|spec| tafl::cast::searches(spec)) {
            return Ok(Begun { now: loaded.play_quickly()?, later: None });
        }
        if quick && !of_ours.iter().any(|spec| tafl::cast::is_counted(spec).unwrap_or(true)) {
            return Ok(loaded.begin(&spec.reasoner)?);
        }
        Ok(Begun { now: loaded.play(&spec.reasoner)?, later: None })
    }

    /// Returns where the matches are stored.
    fn keep(&self, loaded: &Loaded) -> anyhow::Result<Keep> {
        let spec = &self.spec;
        if self.no_store {
            return Ok(Keep::Nothing);
        }
        if let Some(name) = &self.resume {
            return Ok(Keep::resume(self.store.existing()?, name, &spec.game, &loaded.source.text)?);
        }
        match self.store.open()? {
            Some(store) => Ok(Keep::begin(store, &spec.name(loaded), spec)?),
            None => Ok(Keep::Nothing),
        }
    }

    /// Returns the command that resumes an interrupted run, if it is stored.
    fn to_go_on(&self, keep: &Keep) -> Option<String> {
        let games =
            self.spec.games.as_ref().map(|path| format!(" --games {}", quoted(&path.display().to_string())));
        let (series, games) = (quoted(keep.series()?), games.unwrap_or_default());
        Some(format!("tafl resume {series}{}{games}", self.store.again()))
    }
}

impl OneMatch<'_> {
    fn play(self) -> anyhow::Result<()> {
        let OneMatch { playing, loaded, begun, screen } = self;
        let (spec, chosen) = (&playing.spec, &begun.now);
        let game = &chosen.game;
        let wire_text = loaded.wire_text();
        if wire_text.is_none() {
            for spec in &spec.players {
                if tafl::cast::remote_address(spec)?.is_some() {
                    let (place, noun) = (&loaded.source.place, loaded.language().noun());
                    bail!("{place} is a {noun}, but remote players support only rule sheets.");
                }
            }
        }
        let seats = playing.seats(game, loaded)?;
        if spec.repeat.is_some() {
            return playing.repeat(loaded, chosen, screen);
        }
        let reachable = playing.present()?;
        let named = |(role, player): (&usize, &String)| format!("{} = {player}", game.roles()[*role]);
        let mut pairs: Vec<String> = seats.iter().zip(&spec.players).map(named).collect();
        pairs.extend(
            game.roles().iter().filter(|role| role.is_chance()).map(|role| format!("{role} by chance")),
        );
        let setup = Setup {
            rules: wire_text,
            reasoner: chosen.name.to_string(),
            stop: interrupt::token(),
            ..spec.conditions.setup(&loaded.source.name, Seed(spec.seed), &spec.players)
        };
        let layout = || {
            let mut seen = vec![game.facts(&game.initial())];
            seen.extend(samples(game, &mut game.scratch()).unwrap_or_default());
            Layout::of(loaded, &seen)
        };
        let sitters = sitters(begun, &seats, &spec.players, layout)?;
        let keep = playing.keep(loaded)?;
        let again = playing.to_go_on(&keep);
        let mut begun = keep.single(&loaded.source.text)?;
        if playing.json {
            let mut record = match begun.done {
                Some(done) => done,
                None => play_on(game, sitters, &setup, &begun.past, &mut *begun.journal, None),
            };
            if let (Ending::Interrupted { .. }, Some(again)) = (&record.ending, &again) {
                eprintln!("To resume: {again}");
            }
            if !playing.times {
                record = record.canonical();
            }
            serde_json::to_writer_pretty(&mut screen.out, &record)?;
            return Ok(writeln!(screen.out)?);
        }
        let out = &mut screen.out;
        writeln!(out, "{STRONG}{}{STRONG:#}, seed {}, reasoner {chosen}", loaded.title(), spec.seed)?;
        writeln!(out, "{}", pairs.join(", "))?;
        if let Some(state) = &spec.state {
            writeln!(out, "from {state}")?;
        }
        for note in reachable {
            writeln!(out, "{note}")?;
        }
        writeln!(out)?;
        let mut facts = Vec::new();
        let mut step = 0;
        let mut written = Ok(());
        let instead = match setup.replacement {
            Replacement::Random => "; a random legal move was made",
            Replacement::First => "; the first legal move was made",
            Replacement::Forfeit => "",
        };
        if let Some(done) = &begun.done {
            writeln!(out, "This match has ended; `tafl replay` shows it step by step.")?;
            return write_ending(out, done);
        }
        let mut watch = |event: Event<'_>| {
            facts.clone_from(&event.position().facts);
            let Event::Step { step: made, .. } = event else { return };
            step += 1;
            let moves = told(game.roles(), &made.moves);
            let mut line = || -> std::io::Result<()> {
                writeln!(out, "{FAINT}{step:>4}.{FAINT:#} {moves}")?;
                for fault in &made.faults {
                    let (role, text) = (&fault.role, &fault.text);
                    writeln!(out, "      {WARNING}{role}{WARNING:#}: {text}{instead}")?;
                }
                for thought in made.thoughts.iter().filter(|_| playing.explain) {
                    out.write_all(explained(thought).as_bytes())?;
                }
                out.flush()
            };
            if written.is_ok() {
                written = line();
            }
        };
        let journal = &mut *begun.journal;
        let record = play_on(game, sitters, &setup, &begun.past, journal, Some(&mut watch));
        written?;
        let mut seen = vec![game.facts(&game.initial())];
        seen.extend(samples(game, &mut game.scratch()).unwrap_or_default());
        seen.push(facts.clone());
        let layout = Layout::of(loaded, &seen);
        writeln!(out)?;
        out.write_all(draw::state::state(&layout, &facts).as_bytes())?;
        writeln!(out)?;
        write_ending(out, &record)?;
        match (&record.ending, &again) {
            (Ending::Interrupted { .. }, Some(again)) => Ok(writeln!(out, "To resume: {again}")?),
            _ => Ok(()),
        }
    }
}

impl Playing {
    /// Plays many matches and counts the results.
    fn repeat(&self, loaded: &Loaded, chosen: &Chosen, screen: &mut Screen) -> anyhow::Result<()> {
        let ready = Ready::repeated(&self.spec, loaded, chosen.clone())?;
        let keep = self.keep(loaded)?;
        let options = RunOptions { jobs: self.jobs as usize, stop: interrupt::token() };
        let lines = Lines::new(screen);
        let counts = repeat(&ready, &keep, &options, self.confidence, &lines);
        lines.clear();
        series::write(&counts?, self.csv, self.json, screen)?;
        if let (true, Some(again)) = (options.stop.is_stopped(), self.to_go_on(&keep)) {
            screen.out.flush()?;
            eprintln!("Interrupted. To resume: {again}");
        }
        Ok(())
    }

    /// Asks the players on the network whether they are there. Returns what to tell the user about them.
    fn present(&self) -> anyhow::Result<Vec<String>> {
        // A match of moves that are drawn by lot says nothing about the player. The other policies are asked for.
        let policy = &self.spec.conditions.refereeing.replace;
        let drawn = Replacement::named(policy) == Some(Replacement::Random);
        let mut notes = Vec::new();
        let absent = |what: String, remedy: &str| {
            if drawn {
                bail!("{what}. {remedy}");
            }
            Ok(format!("{what}; --replace {policy} says what happens"))
        };
        for spec in &self.spec.players {
            let Some(address) = tafl::cast::remote_address(spec)? else { continue };
            let grace = self.spec.conditions.refereeing.grace.unwrap_or(GRACE.as_millis() as u64);
            let place = &address.place;
            if let Some(name) = &self.resume {
                // It may still wait for the match that was interrupted.
                address.abort(name);
            }
            match address.info() {
                Err(InfoError::Http(error)) => {
                    let what = format!("There is no player at {place}: {error}");
                    notes.push(absent(what, "Start it, or check the address.")?);
                }
                Ok(presence) if presence.is_busy() => {
                    let what = format!("The player at {place} is busy with another match");
                    notes.push(absent(what, "Wait for it, or start another.")?);
                }
                // Not every player knows this question.
                Ok(_) | Err(InfoError::Answer(_)) => notes.push(format!(
                    "{place} is on the network: its answers count until {} s after the clock (--grace)",
                    grace as f64 / 1000.0
                )),
            }
        }
        Ok(notes)
    }

    /// Returns the roles of the players. Fails if their number differs from that of the players.
    fn seats(&self, game: &AnyGame, loaded: &Loaded) -> anyhow::Result<Vec<usize>> {
        let roles = game.roles();
        let seats: Vec<usize> = (0..roles.len()).filter(|&role| !roles[role].is_chance()).collect();
        if self.spec.players.len() == seats.len() {
            return Ok(seats);
        }
        let name = &loaded.source.name;
        let needed = counted(seats.len() as u64, "player");
        let given = self.spec.players.len();
        let example = vec!["random"; seats.len()].join(" ");
        let seats: Vec<&str> = seats.iter().map(|&role| roles[role].name()).collect();
        bail!(
            "{name} needs {needed} (for {}), {given} given. Try: tafl match {} {example}",
            seats.join(", "),
            self.spec.game
        );
    }
}

/// Creates the seat of a player; one that cheats is shown all moves.
fn sitter(spec: &str, seat: Box<dyn tafl::game::Seat>) -> Sitter {
    let make = if tafl::cast::is_informed(spec) { Sitter::Informed } else { Sitter::Seat };
    make(spec.to_string(), seat)
}

/// Seats the players at their roles, and chance at the others.
fn sitters(
    begun: &Begun,
    seats: &[usize],
    players: &[String],
    layout: impl Fn() -> Layout,
) -> anyhow::Result<Vec<Sitter>> {
    let game = &begun.now.game;
    let mut sitters = Vec::new();
    for role in 0..game.roles().len() {
        sitters.push(match seats.iter().position(|&seat| seat == role) {
            None => Sitter::Nature,
            Some(number) if players[number] == HUMAN => {
                let seat = Seated::new(Arc::new(game.clone()), Human::new(layout()));
                Sitter::Person(HUMAN.to_string(), Box::new(seat))
            }
            Some(number) => sitter(&players[number], tafl::cast::seat_at(begun, &players[number])?),
        });
    }
    Ok(sitters)
}

/// Parses a time in seconds, which may be a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(time) if (0.0..=1e9).contains(&time) => Ok(Duration::from_secs_f64(time)),
        _ => Err("it must be a number of seconds, such as 5 or 0.2".to_string()),
    }
}

/// Splits a text into words; a term in parentheses is one word.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut depth, mut begin) = (Vec::new(), 0i32, 0);
    for (at, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth <= 0 => {
                words.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[begin..]);
    words
}

/// Formats the reasons for a move, to be shown below it.
fn explained(thought: &StepThought) -> String {
    let entries = thought.thought.describe();
    let widest = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let widest = widest.min(24);
    let mut text = format!("      {FAINT}{}{FAINT:#}\n", thought.role);
    for (name, value) in &entries {
        let blank = 8 + widest + 2;
        let lines = wrapped(words(value).into_iter(), blank);
        let pad = " ".repeat(widest.saturating_sub(name.chars().count()));
        match lines.strip_prefix(&" ".repeat(blank)) {
            Some(rest) if name.chars().count() <= widest => {
                text.push_str(&format!("        {FAINT}{name}{FAINT:#}{pad}  {rest}"));
            }
            _ => text.push_str(&format!("        {FAINT}{name}{FAINT:#}\n{lines}")),
        }
    }
    text
}

/// Formats the moves of a step. If any role makes a real move, those that only wait are omitted.
pub(crate) fn told<R: std::fmt::Display>(roles: &[R], joint: &[String]) -> String {
    let waits = |text: &String| text == "noop";
    let some_move = joint.iter().any(|text| !waits(text));
    let shown = roles.iter().zip(joint).filter(|(_, text)| !some_move || !waits(text));
    shown.map(|(role, text)| format!("{role} {text}")).collect::<Vec<String>>().join("   ")
}

pub(crate) fn write_ending(out: &mut impl Write, record: &MatchRecord) -> anyhow::Result<()> {
    let steps = counted(record.moves.len() as u64, "step");
    match &record.ending {
        Ending::Terminal => {}
        Ending::DeadEnd { role } => {
            return Ok(writeln!(
                out,
                "Stopped after {steps}: {role} has no legal move, although the game is not over."
            )?);
        }
        Ending::StepLimit => return Ok(writeln!(out, "Stopped after {steps}, the limit (--max-steps).")?),
        Ending::Forfeit { role, reason } => {
            return Ok(writeln!(out, "{role} loses after {steps}: {reason}.")?);
        }
        Ending::Open => {}
        Ending::Interrupted { reason } => {
            return Ok(writeln!(out, "Interrupted after {steps}: {reason}.")?);
        }
        Ending::Broken { reason } => return Ok(writeln!(out, "Stopped after {steps}: {reason}.")?),
    }
    let goal = |(role, goal): (&String, &Option<i32>)| match goal {
        Some(goal) => format!("{STRONG}{role} {goal}{STRONG:#}"),
        None => format!("{STRONG}{role}{STRONG:#} no single goal value"),
    };
    let goals: Vec<String> = record.roles.iter().zip(&record.goals).map(goal).collect();
    Ok(writeln!(out, "After {steps}: {}", goals.join(", "))?)
}
