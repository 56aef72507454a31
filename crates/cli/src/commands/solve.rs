//! `tafl solve`: the value of a game with best play.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use tafl::analysis::{Advice, Solution, SolveProgress, SolveRequest};
use tafl::game::{AnyGame, Game, StopToken};

use crate::Verdict;
use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::numbers::number_in;
use crate::screen::{FAINT, GOOD, STRONG, Screen, WARNING, counted, grouped, wrapped};

/// Compute the exact value of a game, or the shortest plan of a puzzle
///
/// Visits every reachable position if there are few enough. A larger game in which
/// roles take turns is solved by proving what each side can force. The value of a
/// role is what it can be sure to get, whatever the others do; a match that never
/// ends counts as 0.
///
/// With hidden information, the best result of a single role is found by searching
/// everything that it may come to believe. For several roles, all histories are
/// visited and mixed strategies computed (CFR+). If two roles share a constant sum,
/// the value lies between what they are sure of and what a best response gets;
/// otherwise, the gain of each role by a best response is shown.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl solve tic_tac_toe\n  tafl solve eight_puzzle\n  tafl solve kuhn_poker --gap 0.0001 --sets 12\n  tafl solve nim --state '((heap a 1) (heap b 2) (control first))' --json\n\nExit code 1: the game was not solved within the limits."
)]
pub(crate) struct Solve {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    /// The maximum number of positions, histories or beliefs to visit; a million take about 100 MB
    #[arg(long, value_name = "N", default_value_t = SolveRequest::default().positions)]
    #[arg(value_parser = number_in::<usize>(1..=usize::MAX, 1000000))]
    positions: usize,
    /// The maximum number of positions that a proof or a search for long plans remembers; it visits many
    /// more (0: neither is tried). A million take about 14 MB
    #[arg(long, value_name = "N", default_value_t = SolveRequest::default().proof_memory)]
    #[arg(value_parser = number_in::<usize>(0..=usize::MAX, 1000000))]
    proof_memory: usize,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = SolveRequest::default().time.as_secs())]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 60))]
    time: u64,
    /// With hidden information: how far mixed strategies may be off, in points
    #[arg(long, value_name = "POINTS", default_value_t = SolveRequest::default().gap)]
    #[arg(value_parser = number_in::<f64>(0.0..=100.0, 0.5))]
    gap: f64,
    /// With hidden information: the maximum number of rounds of CFR+
    #[arg(long, value_name = "N", default_value_t = SolveRequest::default().rounds)]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 1000))]
    rounds: u64,
    /// With hidden information: the number of information sets to show advice for
    #[arg(long, value_name = "N", default_value_t = SolveRequest::default().sets)]
    #[arg(value_parser = number_in::<usize>(0..=usize::MAX, 10))]
    sets: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let solution = self.solve(&chosen.game, screen)?;
        let out = &mut screen.out;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &solution)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{STRONG}{}{STRONG:#}, reasoner {}", loaded.title(), chosen.name)?;
            if let Some(state) = self.state.canonical()? {
                writeln!(out, "{FAINT}from {state}{FAINT:#}")?;
            }
            write_solution(out, &solution)?;
        }
        Ok(if solution.solved { Verdict::Good } else { Verdict::Bad })
    }

    fn request(&self) -> anyhow::Result<SolveRequest> {
        Ok(SolveRequest {
            game: self.game.game.clone(),
            reasoner: self.game.reasoner.clone(),
            state: self.state.text()?,
            positions: self.positions,
            proof_memory: self.proof_memory,
            time: Duration::from_secs(self.time),
            gap: self.gap,
            rounds: self.rounds,
            sets: self.sets,
        })
    }

    fn solve(&self, game: &AnyGame, screen: &Screen) -> anyhow::Result<Solution> {
        let bar = screen.progress("{elapsed_precise} {msg}");
        let mut shown = Instant::now();
        let mut watch = |progress| {
            if shown.elapsed() < Duration::from_millis(200) {
                return;
            }
            shown = Instant::now();
            bar.set_message(match progress {
                SolveProgress::Exploring(at) => {
                    format!("{}, {} deep", counted(at.positions as u64, "position"), at.depth)
                }
                SolveProgress::Valuing => "computing values".to_string(),
                SolveProgress::Proving(role, visited) => {
                    let name = &game.roles()[role.index()];
                    format!("what {name} can force: {}", counted(visited, "position"))
                }
                SolveProgress::Deepening(bound, visited) => {
                    format!("plans of {bound} moves: {}", counted(visited, "position"))
                }
                SolveProgress::Histories(count) => format!("{} histories", grouped(count)),
                SolveProgress::Regrets(rounds, gap) => {
                    format!("{}, gap {gap:.4}", counted(rounds, "round"))
                }
            });
            bar.tick();
        };
        let solution = self.request()?.solve(game, &StopToken::default(), &mut watch);
        bar.finish_and_clear();
        Ok(solution?)
    }
}

/// Formats a value, without decimals if it is an integer.
pub(crate) fn number(value: f64) -> String {
    if (value - value.round()).abs() < 5e-7 { format!("{value:.0}") } else { format!("{value:.3}") }
}

pub(crate) fn write_solution(out: &mut impl Write, solution: &Solution) -> anyhow::Result<()> {
    if matches!(solution.method, "beliefs" | "regret") {
        return write_hidden(out, solution);
    }
    if solution.solved {
        writeln!(out, "{GOOD}{}{GOOD:#}", headline(solution))?;
    } else {
        let note = solution.note.as_deref().unwrap_or("it is too large");
        let text =
            format!("Not solved: {note}. Raise the limits with --positions, --proof-memory or --time.");
        write!(out, "{WARNING}{}{WARNING:#}", wrapped(text.split(' '), 0))?;
    }
    match (solution.positions, solution.method) {
        (Some(positions), _) => {
            let over = solution.terminal.unwrap_or(0);
            let counter = if solution.without_counter { ", not counting steps" } else { "" };
            let positions = counted(positions, "position");
            writeln!(out, "{positions} reachable, {} of them terminal{counter}", grouped(over))?;
        }
        (None, "proof") => writeln!(out, "{} visited by proofs", counted(solution.visited, "position"))?,
        (None, _) => {
            let visited = counted(solution.visited, "position");
            let parts = solution.parts.map_or(String::new(), |parts| format!(" of {parts} parts"));
            writeln!(out, "{visited}{parts} visited")?;
        }
    }
    if let Some(dead) = solution.dead_ends.filter(|dead| *dead > 0) {
        writeln!(
            out,
            "In {}, a role has no legal move although the game is not over.",
            counted(dead, "position")
        )?;
    }
    for role in &solution.roles {
        let value = if role.low == role.high {
            number(role.low)
        } else {
            format!("from {} to {}", number(role.low), number(role.high))
        };
        writeln!(out, "  {STRONG}{}{STRONG:#} can be sure of {value}", role.role)?;
    }
    if let Some(plan) = &solution.plan {
        let length = counted(plan.len() as u64, "move");
        let kind = if solution.method == "plan" { "A plan" } else { "A shortest plan" };
        writeln!(out, "{kind}, {length}:")?;
        out.write_all(wrapped(plan.iter(), 2).as_bytes())?;
        return Ok(());
    }
    let mut roles: Vec<&String> = solution.moves.iter().map(|mv| &mv.role).collect();
    roles.dedup();
    for role in roles {
        let own = || solution.moves.iter().filter(|mv| &mv.role == role);
        if own().any(|mv| mv.share.is_some()) {
            writeln!(out, "{STRONG}{role}{STRONG:#} mixes:")?;
            for mv in own().filter(|mv| mv.best) {
                writeln!(out, "  {:>5.1} %  {}", mv.share.unwrap_or(0.0) * 100.0, mv.text)?;
            }
            continue;
        }
        let (best, all) = (own().filter(|mv| mv.best).count(), own().count());
        if own().all(|mv| mv.value.is_none()) {
            writeln!(out, "{STRONG}{role}{STRONG:#} keeps the value with:")?;
        } else {
            writeln!(out, "Best first moves of {STRONG}{role}{STRONG:#} ({best} of {all}):")?;
        }
        out.write_all(wrapped(own().filter(|mv| mv.best).map(|mv| &mv.text), 2).as_bytes())?;
    }
    if !solution.line.is_empty() {
        writeln!(out, "One line of best play ({}):", counted(solution.line.len() as u64, "move"))?;
        out.write_all(wrapped(solution.line.iter().map(|(_, text)| text), 2).as_bytes())?;
    }
    Ok(())
}

/// Prints the solution of a game with hidden information.
fn write_hidden(out: &mut impl Write, solution: &Solution) -> anyhow::Result<()> {
    let beliefs = solution.method == "beliefs";
    if !solution.solved {
        let note = solution.note.as_deref().unwrap_or("it is too large");
        let text = format!("Not solved: {note}. Raise the limits with --positions, --rounds or --time.");
        write!(out, "{WARNING}{}{WARNING:#}", wrapped(text.split(' '), 0))?;
    } else if beliefs {
        for role in &solution.roles {
            writeln!(out, "{GOOD}{} gets {} with best play.{GOOD:#}", role.role, number(role.low))?;
        }
    } else if let [first, second] = &solution.roles[..] {
        let value =
            |role: &tafl::analysis::RoleValue| format!("{} {:.4}", role.role, (role.low + role.high) / 2.0);
        writeln!(out, "{GOOD}The value is {}, {}.{GOOD:#}", value(first), value(second))?;
    } else {
        writeln!(out, "{GOOD}Strategies that leave little to regret:{GOOD:#}")?;
    }
    if beliefs {
        writeln!(out, "{} searched", counted(solution.visited, "belief"))?;
    } else {
        let rounds =
            solution.rounds.map_or(String::new(), |rounds| format!(", {}", counted(rounds, "round")));
        writeln!(out, "{} histories{rounds}", grouped(solution.visited))?;
    }
    for role in &solution.mixed {
        let gain = (role.best_response - role.value).max(0.0);
        writeln!(
            out,
            "  {STRONG}{}{STRONG:#} gets {:.4}; a best response would gain {gain:.4} ({})",
            role.role,
            role.value,
            counted(role.sets as u64, "set").replace("set", "information set")
        )?;
    }
    if let (Some(gap), true) = (solution.gap, solution.roles.len() == 2) {
        let each = gap / 2.0;
        writeln!(out, "Duality gap {gap:.5}, so the strategies can be exploited by {each:.5} on average.")?;
    }
    for role in solution.roles.iter().filter(|_| !beliefs) {
        let (low, high) = (role.low, role.high);
        writeln!(
            out,
            "  {STRONG}{}{STRONG:#} is sure of {low:.4} and cannot get more than {high:.4}",
            role.role
        )?;
    }
    let mut told = "";
    for advice in &solution.advice {
        if told != advice.role {
            told = &advice.role;
            writeln!(out, "What {STRONG}{told}{STRONG:#} does:")?;
        }
        out.write_all(wrapped(sentence(advice).split(' '), 2).as_bytes())?;
    }
    Ok(())
}

/// Formats what to do, and when.
fn sentence(advice: &Advice) -> String {
    let likely = advice.moves.iter().filter(|(_, share)| *share >= 0.0005);
    let moves: Vec<String> = match &advice.moves[..] {
        [(only, _)] => vec![only.clone()],
        _ => likely.map(|(text, share)| format!("{text} {:.1} %", share * 100.0)).collect(),
    };
    match &advice.after[..] {
        [] => format!("at first: {}", moves.join(", ")),
        after => format!("after {}: {}", after.join("; "), moves.join(", ")),
    }
}

/// Summarizes the result.
fn headline(solution: &Solution) -> String {
    let values: Vec<f64> = solution.roles.iter().map(|role| role.low).collect();
    match (&solution.roles[..], solution.constant_sum) {
        ([only], _) => match &solution.plan {
            Some(plan) => {
                format!("{} gets {} in {}.", only.role, number(only.low), counted(plan.len() as u64, "move"))
            }
            None => format!("{} gets {}.", only.role, number(only.low)),
        },
        ([first, second], Some(sum)) if (values[0] + values[1] - f64::from(sum)).abs() < 1e-6 => {
            if (values[0] - values[1]).abs() < 1e-6 {
                "A draw with best play.".to_string()
            } else {
                let winner = if values[0] > values[1] { first } else { second };
                let most = values[0].max(values[1]);
                if most >= f64::from(sum) - 1e-6 {
                    format!("{} wins with best play.", winner.role)
                } else {
                    format!("{} gets {} of {sum} with best play.", winner.role, number(most))
                }
            }
        }
        _ => "Solved: what each role can be sure of, whatever the others do.".to_string(),
    }
}
