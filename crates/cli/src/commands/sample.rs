//! `tafl sample`: the quality of samples of information sets.

use std::io::Write;

use clap::Args;
use tafl::analysis::{SampleRequest, Sampled, Samples};
use tafl::game::{Seed, StopToken};
use tafl::tournament::cores;

use crate::Verdict;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{ERROR, FAINT, STRONG, Screen, grouped};

/// Measure samples of information sets: cost, uniformity, and that they are never empty
///
/// Follows random matches with bags of models, as players of games with hidden
/// information do. Without --role, checks that no bag of any role is ever empty
/// (otherwise the exit code is 1). With --role, counts the tries for each model,
/// round by round, beside the cost of sampling from the beginning, and in the
/// rounds of --test, tests whether all histories that agree with what was seen are
/// equally likely.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl sample\n  tafl sample kuhn_poker krieg_tic_tac_toe_4 --matches 1000\n  tafl sample hidden_connect_3x3 --role black --test 4,8"
)]
pub(crate) struct SampleCommand {
    /// The games [default: all games of the library with hidden information]
    // Not called `games`, because every command has the option `--games`.
    #[arg(id = "sampled", value_name = "GAME")]
    games: Vec<String>,
    /// The reasoner that evaluates the rules (see `tafl reasoners`)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
    /// The role whose information sets are sampled [default: all roles]
    #[arg(long, value_name = "NAME")]
    role: Option<String>,
    /// The rounds in which samples are tested for uniformity
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "role")]
    #[arg(value_parser = number_in::<usize>(1..=usize::MAX, 3))]
    test: Vec<usize>,
    /// The maximum number of histories of an information set that is tested
    #[arg(long, value_name = "N", default_value_t = SampleRequest::default().histories)]
    #[arg(value_parser = number_in::<usize>(0..=usize::MAX, 100000))]
    histories: usize,
    /// The number of random matches
    #[arg(long, value_name = "N", default_value_t = SampleRequest::default().matches)]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 100))]
    matches: u64,
    /// The number of models in a bag
    #[arg(long, value_name = "N", default_value_t = SampleRequest::default().models as u32)]
    #[arg(value_parser = number_in::<u32>(1..=100_000, 16))]
    models: u32,
    /// The maximum number of rounds
    #[arg(long, value_name = "N", default_value_t = SampleRequest::default().rounds)]
    #[arg(value_parser = number_in::<usize>(0..=usize::MAX, 10))]
    rounds: usize,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=1024, 4))]
    jobs: Option<u32>,
    /// The seed for all random choices
    #[arg(long, value_name = "N", default_value_t = SampleRequest::default().seed.0)]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl SampleCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let (library, request) = (arguments.library(), self.request());
        let mut games = Vec::new();
        for name in request.names(&library)? {
            let bar = screen.progress("{elapsed_precise} {msg}");
            let jobs = self.jobs.map_or_else(cores, |jobs| jobs as usize);
            let found = request.one(&name, &library, jobs, &StopToken::default(), &|done| {
                bar.set_message(format!("{name}: match {} of {}", grouped(done), grouped(self.matches)));
                bar.tick();
            });
            bar.finish_and_clear();
            let found = found?;
            if let (Some(found), false) = (&found, self.json) {
                self.tell(found, screen)?;
            }
            games.extend(found);
        }
        let samples = Samples::from(games);
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &samples)?;
            writeln!(screen.out)?;
        }
        Ok(if samples.empty == 0 { Verdict::Good } else { Verdict::Bad })
    }

    fn request(&self) -> SampleRequest {
        SampleRequest {
            games: self.games.clone(),
            reasoner: self.reasoner.clone(),
            role: self.role.clone(),
            matches: self.matches,
            models: self.models as usize,
            rounds: self.rounds,
            tested: self.test.clone(),
            histories: self.histories,
            seed: Seed(self.seed),
        }
    }

    fn tell(&self, found: &Sampled, screen: &mut Screen) -> anyhow::Result<()> {
        let out = &mut screen.out;
        let states = found.states.map_or(0.0, |states| states.value);
        let rounds: u64 = found.rounds.iter().map(|round| round.models / u64::from(self.models)).sum();
        let empty = match found.empty {
            0 => "never empty".to_string(),
            count => format!("{ERROR}empty {} times{ERROR:#}", grouped(count)),
        };
        writeln!(out, "{STRONG}{}{STRONG:#}: {empty} in {} rounds", found.game, grouped(rounds))?;
        let most = grouped(found.most);
        writeln!(out, "  {FAINT}{states:.2} states per model and round, at most {most} per bag{FAINT:#}")?;
        if self.role.is_none() {
            return Ok(());
        }
        for round in &found.rounds {
            let (Some(first), Some(anew)) = (round.first, round.from_beginning) else { continue };
            let percent = round.percent.unwrap_or(0.0);
            write!(
                out,
                "  {:>3}  {:>5.1} % at once  {:>8.2} states  {anew:>11.2} from start  {percent:>6.1} %",
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
