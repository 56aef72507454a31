//! `tafl games`: the library.

mod kind;

use std::io::{self, IsTerminal, Write};

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use tafl::game::Role;
use tafl::library::did_you_mean;

use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, WIDTH, counted, wrapped};

/// List the games of the library
///
/// With words or filters, lists only the games that match all of them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl games\n  tafl games poker\n  tafl games --kind hidden --roles 2\n  tafl games --json\n  tafl games --games my_games"
)]
pub(crate) struct Games {
    /// List only games whose name, title or description contains this
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// List only games of this kind, such as hidden, simultaneous or puzzle (can be
    /// repeated)
    #[arg(long = "kind", value_name = "WORD")]
    kinds: Vec<String>,
    /// List only games with this many roles, not counting chance
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..=usize::MAX, 2))]
    roles: Option<usize>,
    /// Print JSON with everything that is known about each game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    version: u32,
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    syntax: &'static str,
    #[serde(flatten)]
    about: tafl::library::About,
}

impl Games {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let library = arguments.library();
        let mut games = Vec::new();
        for name in library.names()? {
            let source = library.find(&name)?;
            let (syntax, about) = (source.language.name(), kind::about(&source));
            games.push(Listed { name, syntax, about });
        }
        self.check_kinds(&games)?;
        games.retain(|game| self.wants(game));
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &Listing { version: 1, games })?;
            writeln!(screen.out)?;
            return Ok(());
        }
        let widest = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0).min(40);
        // Lines are cut for people only: programs that search them want them whole.
        let room = io::stdout().is_terminal().then(|| WIDTH.saturating_sub(widest + 2));
        for game in &games {
            let kind = game.about.kind.join(", ");
            let mut line = game.about.title.clone();
            if !kind.is_empty() {
                line = format!("{line} ({kind})");
            }
            if let Some(room) = room.filter(|room| line.chars().count() > *room) {
                line = line.chars().take(room.saturating_sub(1)).chain(['…']).collect();
            }
            writeln!(screen.out, "{STRONG}{:<widest$}{STRONG:#}  {line}", game.name)?;
        }
        match games.len() {
            0 => writeln!(screen.out, "No game matches. `tafl games` lists them all.")?,
            count => writeln!(screen.out, "{}. `tafl show NAME` shows one.", counted(count as u64, "game"))?,
        }
        Ok(())
    }

    fn wants(&self, game: &Listed) -> bool {
        let text = [&game.name, &game.about.title, &game.about.description].map(|text| text.to_lowercase());
        let mentions = |word: &String| text.iter().any(|text| text.contains(&word.to_lowercase()));
        let is_of = |wanted: &String| game.about.kind.iter().any(|kind| kind::is(kind, wanted));
        let players = game.about.roles.iter().filter(|role| !Role::named(role.as_str()).is_chance()).count();
        self.words.iter().all(mentions)
            && self.kinds.iter().all(is_of)
            && self.roles.is_none_or(|roles| roles == players)
    }

    /// Refuses a kind that no game has.
    fn check_kinds(&self, games: &[Listed]) -> anyhow::Result<()> {
        let mut all: Vec<&str> = games.iter().flat_map(|game| &game.about.kind).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        let unknown = |wanted: &&String| !all.iter().any(|kind| kind::is(kind, wanted));
        if let Some(wanted) = self.kinds.iter().find(unknown) {
            let hint = did_you_mean(wanted, all.iter().copied());
            let known = all.iter().map(|kind| format!("{kind},")).collect::<String>();
            let known = wrapped(known.split_inclusive(','), 2);
            bail!(
                "No game is of the kind `{wanted}`.{hint} The kinds are:\n{}",
                known.trim_end_matches([',', '\n'])
            );
        }
        Ok(())
    }
}
