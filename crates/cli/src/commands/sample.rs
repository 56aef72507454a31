//! `tafl sample`: what samples of information sets are like.

use std::io::Write;

use analysis::{SampleOptions, Sampled, sample};
use anyhow::bail;
use clap::Args;
use game::{AnyGame, Game, Seed};
use rules::Strictness;
use serde::Serialize;
use tournament::cores;

use crate::Verdict;
use crate::arguments::Arguments;
use crate::screen::{ERROR, FAINT, STRONG, Screen, grouped};

/// What samples of information sets are like: cost, evenness, never empty
///
/// Random matches are followed by bags of models, as players of hidden
/// information keep them. Without --role it is seen to that no bag of any role
/// is ever empty (else the exit code is 1). With --role each try of each model
/// is counted, round by round, beside what sampling from the beginning would
/// cost, and in the rounds of --test it is tested whether all histories that
/// agree with what was seen come up equally often.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl sample\n  tafl sample kuhn_poker krieg_tic_tac_toe_4 --matches 1000\n  tafl sample hidden_connect_3x3 --role black --test 4,8"
)]
pub(crate) struct SampleCommand {
    /// The games [default: all of the library that hide something]
    // Another name than that of `--games`, which every command has.
    #[arg(id = "sampled", value_name = "GAME")]
    games: Vec<String>,
    /// What evaluates the rules (`tafl reasoners` lists them)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
    /// Whose information sets [default: those of all roles]
    #[arg(long, value_name = "NAME")]
    role: Option<String>,
    /// Rounds in which samples are tested for being uniform
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "role")]
    test: Vec<usize>,
    /// Histories of an information set that is tested, at most
    #[arg(long, value_name = "N", default_value_t = 2000)]
    histories: usize,
    /// Random matches
    #[arg(long, value_name = "N", default_value_t = 100)]
    matches: u64,
    /// Models in a bag
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    models: u32,
    /// Rounds that are looked at, at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rounds: usize,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What all games say.
#[derive(Serialize)]
struct Told {
    version: u32,
    /// Bags that had no model when the match went on, of all games.
    empty: u64,
    games: Vec<Sampled>,
}

struct Work<'a> {
    name: &'a str,
    command: &'a SampleCommand,
    screen: &'a Screen,
}

impl Work<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<Option<Sampled>> {
        let command = self.command;
        if !game.has_percepts() {
            if command.games.is_empty() {
                return Ok(None);
            }
            bail!("{} hides nothing: everyone sees all moves.", self.name);
        }
        let options = SampleOptions {
            role: command.role.clone(),
            matches: command.matches,
            models: command.models as usize,
            rounds: command.rounds,
            tested: command.test.clone(),
            histories: command.histories,
            seed: Seed(command.seed),
            jobs: command.jobs.map_or_else(cores, |jobs| jobs as usize),
        };
        let bar = self.screen.progress("{elapsed_precise} {msg}");
        let found = sample(game, self.name, &options, &|done| {
            bar.set_message(format!(
                "{}: match {} of {}",
                self.name,
                grouped(done),
                grouped(command.matches)
            ));
            bar.tick();
        });
        bar.finish_and_clear();
        Ok(Some(found?))
    }
}

impl SampleCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let library = arguments.library();
        let names = if self.games.is_empty() { library.names()? } else { self.games.clone() };
        let mut games = Vec::new();
        for name in &names {
            let loaded = library.load(name, Strictness::Lenient)?;
            // Whoever names no game wants those that can be played this way.
            let hides = loaded.rules().is_some_and(|rules| rules.has_percepts());
            if self.games.is_empty() && !hides {
                continue;
            }
            let chosen = loaded.play(&self.reasoner)?;
            let found = Work { name, command: self, screen }.run(&chosen.game)?;
            if let (Some(found), false) = (&found, self.json) {
                self.tell(found, screen)?;
            }
            games.extend(found);
        }
        let empty = games.iter().map(|game| game.empty).sum();
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &Told { version: 1, empty, games })?;
            writeln!(screen.out)?;
        }
        Ok(if empty == 0 { Verdict::Good } else { Verdict::Bad })
    }

    fn tell(&self, found: &Sampled, screen: &mut Screen) -> anyhow::Result<()> {
        let out = &mut screen.out;
        let states = found.states.map_or(0.0, |states| states.value);
        let rounds: u64 = found.rounds.iter().map(|round| round.models / u64::from(self.models)).sum();
        let empty = match found.empty {
            0 => "never empty".to_string(),
            count => format!("{ERROR}{} times empty{ERROR:#}", grouped(count)),
        };
        writeln!(out, "{STRONG}{}{STRONG:#}: {empty} in {} rounds", found.game, grouped(rounds))?;
        let most = grouped(found.most);
        writeln!(
            out,
            "  {FAINT}{states:.2} states for a model and round, at most {most} for a bag{FAINT:#}"
        )?;
        if self.role.is_none() {
            return Ok(());
        }
        for round in &found.rounds {
            let (Some(first), Some(anew)) = (round.first, round.from_beginning) else { continue };
            let percent = round.percent.unwrap_or(0.0);
            write!(
                out,
                "  {:>3}  {:>5.1} % at once  {:>8.2} states  {anew:>11.2} anew  {percent:>6.1} %",
                round.round,
                100.0 * first,
                round.states
            )?;
            if let Some(uniform) = &round.uniform {
                write!(out, "  p {:.3}", uniform.value)?;
            }
            if round.too_large > 0 {
                write!(out, "  ({} too large)", grouped(round.too_large))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
