//! `tafl analyse`: everything that can be found out about a game.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use tafl::analysis::{AnalyseLimits, AnalyseProgress, Analysis, SolveProgress, analyse};
use tafl::game::{AnyGame, Seed};

use super::solve::{number, write_solution};
use crate::arguments::{Arguments, GameArguments};
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, counted, grouped, wrapped};

/// Analyse a game: size, structure, balance, evaluation, value
///
/// What is proven is certain; averages come from random matches, with 95 %
/// intervals. The evaluation is what the player `heuristic` learns from playouts
/// before a match, for the first role.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl analyse breakthrough\n  tafl analyse mygame.kif --playouts 100000 --json"
)]
pub(crate) struct Analyse {
    #[command(flatten)]
    game: GameArguments,
    /// The number of random matches
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number_in::<u32>(0..=u32::MAX, 10000))]
    playouts: u32,
    /// Stop random matches after this many steps
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_in::<u32>(1..=u32::MAX, 2000))]
    max_steps: u32,
    /// The number of positions to learn an evaluation from (0: none)
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_in::<usize>(0..=usize::MAX, 2000))]
    learn: usize,
    /// The maximum number of positions to visit for the exact value (0: none)
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = number_in::<usize>(0..=usize::MAX, 300000))]
    positions: usize,
    /// The maximum time for each part, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = number_in::<u64>(0..=u64::MAX, 20))]
    time: u64,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Work<'a> {
    analyse: &'a Analyse,
    screen: &'a Screen,
}

impl Work<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<Analysis> {
        let limits = AnalyseLimits {
            playouts: self.analyse.playouts,
            max_steps: self.analyse.max_steps,
            learn: self.analyse.learn,
            solve: self.analyse.positions,
            time: Duration::from_secs(self.analyse.time),
            seed: Seed(self.analyse.seed),
        };
        let bar = self.screen.progress("{elapsed_precise} {msg}");
        let mut shown = Instant::now();
        let analysis = analyse(game, &limits, &mut |progress| {
            let message = match progress {
                AnalyseProgress::Playing => "random matches".to_string(),
                AnalyseProgress::Structure => "the structure of the rules".to_string(),
                AnalyseProgress::Learning => "learning an evaluation".to_string(),
                AnalyseProgress::Solving(SolveProgress::Exploring(at)) => {
                    if shown.elapsed() < Duration::from_millis(200) {
                        return;
                    }
                    shown = Instant::now();
                    format!("visiting positions: {}", grouped(at.positions as u64))
                }
                AnalyseProgress::Solving(_) => "computing values".to_string(),
            };
            bar.set_message(message);
            bar.tick();
        });
        bar.finish_and_clear();
        Ok(analysis?)
    }
}

impl Analyse {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let analysis = Work { analyse: self, screen }.run(&chosen.game)?;
        let out = &mut screen.out;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &analysis)?;
            return Ok(writeln!(out)?);
        }
        writeln!(out, "{STRONG}{}{STRONG:#}, seed {}, reasoner {}", loaded.title(), self.seed, chosen.name)?;
        write_size(out, &analysis)?;
        write_structure(out, &analysis)?;
        write_balance(out, &analysis)?;
        write_evaluation(out, &analysis)?;
        writeln!(out, "\n{STRONG}Value{STRONG:#}")?;
        match &analysis.solution {
            Some(solution) => write_solution(out, solution),
            None if analysis.hidden_information => {
                Ok(writeln!(out, "  not computed: the game has hidden information")?)
            }
            None => Ok(writeln!(out, "  unknown: too many positions (`tafl solve` tries harder)")?),
        }
    }
}

fn line(out: &mut impl Write, text: &str) -> anyhow::Result<()> {
    Ok(out.write_all(wrapped(text.split(' '), 2).as_bytes())?)
}

fn write_size(out: &mut impl Write, analysis: &Analysis) -> anyhow::Result<()> {
    writeln!(out, "\n{STRONG}Size{STRONG:#}")?;
    line(out, &format!("roles: {}", analysis.roles.join(", ")))?;
    if analysis.hidden_information {
        line(out, "hidden information: players see only what the rules reveal")?;
    }
    for hidden in &analysis.hidden {
        line(out, &format!("{}: {}", hidden.kind.text(), hidden.example))?;
    }
    if let Some(fluents) = analysis.fluents {
        line(out, &format!("fluents: {}", grouped(fluents as u64)))?;
    }
    let moves: Vec<String> = analysis.moves_met.iter().map(|count| grouped(*count as u64)).collect();
    line(out, &format!("different moves seen, by role: {}", moves.join(", ")))?;
    if let Some(b) = analysis.branching {
        line(out, &format!("moves to choose from: {:.1} on average, {} at most", b.mean, number(b.most)))?;
    }
    if let Some(l) = analysis.length {
        let (low, high) = (number(l.least), number(l.most));
        line(out, &format!("steps of a random match: {:.1} on average, {low} to {high}", l.mean))?;
    }
    Ok(())
}

fn write_structure(out: &mut impl Write, analysis: &Analysis) -> anyhow::Result<()> {
    let proven = &analysis.structure;
    writeln!(out, "\n{STRONG}Structure{STRONG:#} {FAINT}(proven from the rules){FAINT:#}")?;
    let turns = if analysis.roles.len() == 1 {
        "one role".to_string()
    } else if proven.turns {
        "roles take turns".to_string()
    } else if analysis.simultaneous > 0.0 {
        format!("several roles choose at once in {:.0} % of states", analysis.simultaneous * 100.0)
    } else {
        "not proven that roles take turns, but no two ever chose at once".to_string()
    };
    line(out, &turns)?;
    match proven.constant_sum {
        Some(sum) => line(out, &format!("goals always sum to {sum}"))?,
        None if analysis.roles.len() > 1 => line(out, "goals are not proven to have a constant sum")?,
        None => {}
    }
    match (&proven.counter, proven.counter_free) {
        (Some((first, last)), Some(free)) => {
            let free = if free > 0 { format!("; it has no effect for {free} steps") } else { String::new() };
            line(out, &format!("a step counter from {first} to {last}{free}"))?;
        }
        _ => line(out, "no step counter")?,
    }
    match proven.symmetries {
        Some(1) => line(out, "no symmetry")?,
        Some(count) => line(out, &format!("{} symmetries (including the identity)", grouped(count as u64)))?,
        None => line(out, "very many symmetries")?,
    }
    for example in &proven.examples {
        line(out, &format!("  {example} …"))?;
    }
    if proven.parts.is_empty() {
        return line(out, "no independent parts");
    }
    let sizes: Vec<String> = proven.parts.iter().take(12).map(|size| size.to_string()).collect();
    let more = if proven.parts.len() > 12 { ", …" } else { "" };
    let (count, sizes) = (proven.parts.len(), sizes.join(", "));
    line(
        out,
        &format!("{count} parts that are independent except for ends and goals, of {sizes}{more} fluents"),
    )
}

fn write_balance(out: &mut impl Write, analysis: &Analysis) -> anyhow::Result<()> {
    let playouts = counted(analysis.playouts, "random match").replace("matchs", "matches");
    writeln!(
        out,
        "\n{STRONG}Balance{STRONG:#} {FAINT}({playouts}, {} ended properly){FAINT:#}",
        grouped(analysis.proper)
    )?;
    for (role, goal) in analysis.roles.iter().zip(&analysis.balance) {
        line(
            out,
            &format!("{role}: {:.2} points (95 % interval {:.2} to {:.2})", goal.mean, goal.low, goal.high),
        )?;
    }
    for share in analysis.results.iter().take(6) {
        let goals: Vec<String> = share.goals.iter().map(|goal| goal.to_string()).collect();
        let percent = share.matches as f64 * 100.0 / analysis.playouts.max(1) as f64;
        line(out, &format!("result {}: {percent:.1} %", goals.join(" ")))?;
    }
    Ok(())
}

fn write_evaluation(out: &mut impl Write, analysis: &Analysis) -> anyhow::Result<()> {
    let Some(evaluation) = &analysis.evaluation else { return Ok(()) };
    writeln!(out, "\n{STRONG}Evaluation{STRONG:#} {FAINT}(points for {}){FAINT:#}", evaluation.role)?;
    if evaluation.features.is_empty() {
        return line(out, &format!("none: {} positions were not enough", evaluation.positions));
    }
    let predicted = evaluation.predicted * 100.0;
    line(
        out,
        &format!(
            "predicts {predicted:.0} % of the variance, learned from {} positions; {} features considered, {} unstable",
            evaluation.positions, evaluation.candidates, evaluation.unstable
        ),
    )?;
    writeln!(out, "  {FAINT}{:>8} {:>8}  feature{FAINT:#}", "per unit", "typical")?;
    for feature in &evaluation.features {
        writeln!(out, "  {:>+8.2} {:>+8.2}  {}", feature.weight, feature.effect, feature.feature)?;
    }
    Ok(())
}
