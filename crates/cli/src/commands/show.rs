//! `tafl show`: shows a state of a game.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use tafl::game::{AnyGame, Game, Goal, RoleId};
use tafl::library::{Chosen, Loaded};
use tafl::picture::board::{Layout, samples};
use tafl::picture::{Artist, Stylesheet, View};

use super::after::AfterArguments;
use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::draw;
use crate::screen::{FAINT, STRONG, Screen, WIDTH, counted, wrapped};

/// Show a game: its roles, its board and the legal moves
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl show connect_four\n  tafl show tic_tac_toe --state '((cell 2 2 x) (control o))'\n  tafl show connect_four --after 'drop 3; drop 4' --svg board.svg\n  tafl show mygame.kif --json"
)]
pub(crate) struct Show {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    #[command(flatten)]
    after: AfterArguments,
    /// Draw the state as an SVG picture to this file (`-` for standard output)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Rotate the picture, as seen by the player on the other side
    #[arg(long, requires = "svg")]
    turned: bool,
    /// Ignore the stylesheet that a game of the public game repository may have,
    /// and draw from the rules alone
    #[arg(long, requires = "svg")]
    no_stylesheet: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// Everything about one state of a game.
#[derive(Serialize)]
struct Shown {
    version: u32,
    name: String,
    title: String,
    description: String,
    reasoner: &'static str,
    hidden_information: bool,
    roles: Vec<Role>,
    state: String,
    facts: Vec<String>,
    terminal: bool,
    #[serde(skip)]
    layout: Layout,
    #[serde(skip)]
    before: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Role {
    name: String,
    legal: Vec<String>,
    goal: Option<Goal>,
}

struct Look<'a> {
    show: &'a Show,
    loaded: &'a Loaded,
    reasoner: &'static str,
}

impl Look<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<Shown> {
        let Look { show, loaded, reasoner } = self;
        let mut scratch = game.scratch();
        let (state, before) = show.after.of(game, &mut scratch, show.state.of(game)?)?;
        let facts = game.facts(&state);
        let mut seen = vec![game.facts(&game.initial())];
        seen.extend(samples(game, &mut scratch)?);
        seen.push(facts.clone());
        let about = loaded.source.about.clone().unwrap_or_default();
        let mut roles = Vec::new();
        let mut moves = Vec::new();
        for (role, name) in RoleId::all(game.roles().len()).zip(game.roles()) {
            game.legal(&mut scratch, &state, role, &mut moves)?;
            let goal = game.goal(&mut scratch, &state, role)?;
            let legal = moves.iter().map(|&m| game.move_text(role, m)).collect();
            roles.push(Role { name: name.to_string(), legal, goal });
        }
        Ok(Shown {
            version: 1,
            name: loaded.source.name.clone(),
            title: loaded.title().to_string(),
            description: about.description,
            reasoner,
            hidden_information: game.has_percepts(),
            roles,
            state: tafl::library::write_state(&facts),
            terminal: game.is_terminal(&mut scratch, &state)?,
            layout: Layout::of(loaded, &seen),
            facts,
            before: before.map(|state| game.facts(&state)),
        })
    }
}

impl Show {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let shown = Look { show: self, loaded: &loaded, reasoner: chosen.name }.run(&chosen.game)?;
        if let Some(file) = &self.svg {
            return self.draw(&loaded, &chosen, &shown, file, screen);
        }
        let out = &mut screen.out;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &shown)?;
            return Ok(writeln!(out)?);
        }
        writeln!(out, "{STRONG}{}{STRONG:#}", shown.title)?;
        out.write_all(wrapped(shown.description.split_whitespace(), 2).as_bytes())?;
        let names: Vec<&str> = shown.roles.iter().map(|role| role.name.as_str()).collect();
        writeln!(out, "Roles: {}", names.join(", "))?;
        if shown.hidden_information {
            writeln!(out, "Hidden information: players see only what the rules reveal.")?;
        }
        writeln!(out)?;
        if let Some(state) = self.state.canonical()? {
            writeln!(out, "{FAINT}{state}{FAINT:#}\n")?;
        }
        out.write_all(draw::state::state(&shown.layout, &shown.facts).as_bytes())?;
        writeln!(out)?;
        if shown.terminal {
            writeln!(out, "The game is over.")?;
        } else {
            for role in &shown.roles {
                write_legal(out, role)?;
            }
        }
        write_goals(out, &shown)
    }

    /// Writes the picture.
    fn draw(
        &self,
        loaded: &Loaded,
        chosen: &Chosen,
        shown: &Shown,
        file: &Path,
        screen: &mut Screen,
    ) -> anyhow::Result<()> {
        if let Some(stylesheet) = Stylesheet::of(&loaded.source).filter(|_| !self.no_stylesheet) {
            match stylesheet.and_then(|stylesheet| stylesheet.svg(&shown.facts, STYLESHEET_PIXELS)) {
                Ok(picture) => return write_picture(&picture, file, screen),
                Err(why) => eprintln!("note: {why} Drawing the board from the rules instead."),
            }
        }
        let artist = Artist::new(loaded, &chosen.game);
        let changed = shown.before.as_ref().map(|before| artist.changed(before, &shown.facts));
        let view = View { changed: changed.unwrap_or_default(), turned: self.turned, ..View::default() };
        write_picture(&artist.svg(&shown.facts, &view), file, screen)
    }
}

/// The size of a picture drawn by a stylesheet, in pixels.
const STYLESHEET_PIXELS: u32 = 500;

/// Writes a picture to a file or to standard output.
pub(crate) fn write_picture(picture: &str, file: &Path, screen: &mut Screen) -> anyhow::Result<()> {
    if file.as_os_str() == "-" {
        return Ok(screen.out.write_all(picture.as_bytes())?);
    }
    fs::write(file, picture).with_context(|| format!("Cannot write {}", file.display()))?;
    Ok(writeln!(screen.out, "Wrote {}.", file.display())?)
}

fn write_legal(out: &mut impl Write, role: &Role) -> anyhow::Result<()> {
    let Role { name, legal, .. } = role;
    match legal.as_slice() {
        [] => writeln!(out, "{STRONG}{name}{STRONG:#} has no legal move, although the game is not over.")?,
        [only] if name.len() + only.len() + 20 < WIDTH => {
            writeln!(out, "{STRONG}{name}{STRONG:#} has one move: {only}")?;
        }
        _ => {
            writeln!(out, "{STRONG}{name}{STRONG:#} has {}:", counted(legal.len() as u64, "move"))?;
            out.write_all(wrapped(legal.iter(), 2).as_bytes())?;
        }
    }
    Ok(())
}

fn write_goals(out: &mut impl Write, shown: &Shown) -> anyhow::Result<()> {
    if shown.roles.iter().all(|role| role.goal.is_none()) && !shown.terminal {
        return Ok(());
    }
    let goal = |role: &Role| match role.goal {
        Some(goal) => format!("{} {goal}", role.name),
        None => format!("{} no single value", role.name),
    };
    let goals: Vec<String> = shown.roles.iter().map(goal).collect();
    Ok(writeln!(out, "Goals{}: {}", if shown.terminal { "" } else { " here" }, goals.join(", "))?)
}
