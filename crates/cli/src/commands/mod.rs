//! One file per subcommand.

pub(crate) mod after;
pub(crate) mod analyse;
pub(crate) mod ask;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod experiment;
pub(crate) mod exploit;
pub(crate) mod games;
pub(crate) mod graph;
pub(crate) mod graph_of;
pub(crate) mod history;
mod human;
pub(crate) mod install;
pub(crate) mod names;
pub(crate) mod new;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod possible;
pub(crate) mod profile;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod sample;
mod series;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod trace;
pub(crate) mod transfer;
pub(crate) mod verify;
pub(crate) mod worker;

use crate::Verdict;
use crate::arguments::{Arguments, Command};
use crate::interrupt;
use crate::screen::Screen;

/// Runs the requested command.
pub(crate) fn run(arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
    match &arguments.command {
        Command::Check(check) => return check.run(arguments, screen),
        Command::Verify(verify) => return verify.run(arguments, screen),
        Command::Solve(solve) => return solve.run(arguments, screen),
        Command::Exploit(exploit) => exploit.run(arguments, screen)?,
        Command::Ask(ask) => ask.run(arguments, screen)?,
        Command::Sample(sample) => return sample.run(arguments, screen),
        Command::Convert(convert) => return convert.run(arguments, screen),
        Command::Experiment(experiment) => return experiment.run(arguments, screen),
        Command::Collect(collect) => return collect.run(screen),
        Command::Analyse(analyse) => analyse.run(arguments, screen)?,
        Command::Games(games) => games.run(arguments, screen)?,
        Command::Show(show) => show.run(arguments, screen)?,
        Command::Perft(perft) => perft.run(arguments, screen)?,
        Command::Possible(possible) => possible.run(arguments, screen)?,
        Command::Trace(trace) => trace.run(arguments, screen)?,
        Command::Match(play) => {
            play.run(arguments, screen)?;
            return Ok(interrupt::verdict());
        }
        Command::Tournament(tournament) => return tournament.run(arguments, screen),
        Command::Worker(worker) => return worker.run(screen),
        Command::Player(player) => player.run(screen)?,
        Command::Serve(serve) => serve.run(arguments, screen)?,
        Command::Resume(resume) => return resume.run(arguments, screen),
        Command::History(history) => history.run(screen)?,
        Command::Replay(replay) => replay.run(arguments, screen)?,
        Command::Export(export) => export.run(screen)?,
        Command::Import(import) => import.run(arguments, screen)?,
        Command::Bench(bench) => bench.run(arguments, screen)?,
        Command::BenchSheet(sheet) => sheet.run(screen)?,
        Command::Profile(profile) => profile.run(arguments, screen)?,
        Command::New(new) => new.run(screen)?,
        Command::Graph(graph) => return graph.run(arguments, screen),
        Command::GraphOf(graph_of) => graph_of.run(arguments, screen)?,
        Command::Players(players) => players.run(screen)?,
        Command::Reasoners(reasoners) => reasoners.run(screen)?,
        Command::Completions(completions) => completions.run(screen)?,
        Command::Install(install) => install.run(screen)?,
    }
    Ok(Verdict::Good)
}
