//! `tafl games`: the library.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use crate::arguments::Arguments;
use crate::screen::{STRONG, Screen, WIDTH, counted};

/// List the games of the library
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl games\n  tafl games --json\n  tafl games --games my_games")]
pub(crate) struct Games {
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
    about: library::About,
}

impl Games {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let library = arguments.library();
        let mut games = Vec::new();
        for name in library.names()? {
            let source = library.find(&name)?;
            let about = source.about.unwrap_or_default();
            games.push(Listed { name, syntax: source.language.name(), about });
        }
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &Listing { version: 1, games })?;
            writeln!(screen.out)?;
            return Ok(());
        }
        let widest = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0).min(40);
        for game in &games {
            let kind = game.about.kind.join(", ");
            let mut line = game.about.title.clone();
            if !kind.is_empty() {
                line = format!("{line} ({kind})");
            }
            let room = WIDTH.saturating_sub(widest + 2);
            if line.chars().count() > room {
                line = line.chars().take(room.saturating_sub(1)).chain(['…']).collect();
            }
            writeln!(screen.out, "{STRONG}{:<widest$}{STRONG:#}  {line}", game.name)?;
        }
        writeln!(screen.out, "{}. `tafl show NAME` shows one.", counted(games.len() as u64, "game"))?;
        Ok(())
    }
}
