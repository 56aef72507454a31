//! Calls: questions that an experiment asks the library.
//!
//! A call is a table in `experiment.toml`, named after the `tafl` command that asks the same question, with
//! the flags of that command as keys. Its answer is the JSON that the command prints.

mod keys;
mod repeated;

use std::path::Path;
use std::time::Duration;

use analysis::{
    After, AskError, AskRequest, ExploitError, ExploitProgress, ExploitRequest, PossibleError,
    PossibleRequest, SampleError, SampleRequest, SolveError, SolveRequest,
};
use game::Seed;
use library::Library;
use serde::Serialize;
use serde_json::Value;
use tournament::spec_text::{Form, Reading};

use crate::outcome::RunPart;
use keys::Keys;
pub use repeated::{RepeatError, RepeatRequest};

/// A question, and the words of the command that asks it.
#[derive(Debug, Clone)]
pub struct Call {
    /// The question.
    pub question: Question,
    words: Vec<String>,
}

/// A question to the library.
#[derive(Debug, Clone)]
pub enum Question {
    /// The value of a game.
    Solve(SolveRequest),
    /// The exploitability of a player.
    Exploit(ExploitRequest),
    /// What a player thinks of its moves.
    Ask(AskRequest),
    /// The quality of samples of information sets.
    Sample(SampleRequest),
    /// What a role can know.
    Possible(PossibleRequest),
    /// How repeated matches between the same players end.
    Match(RepeatRequest),
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum CallError {
    /// From `solve`.
    Solve(#[from] SolveError),
    /// From `exploit`.
    Exploit(#[from] ExploitError),
    /// From `ask`.
    Ask(#[from] AskError),
    /// From `sample`.
    Sample(#[from] SampleError),
    /// From `possible`.
    Possible(#[from] PossibleError),
    /// From `match`.
    Match(#[from] RepeatError),
}

impl Call {
    /// The kinds of parts that are calls.
    pub(crate) const KINDS: [&'static str; 6] = ["solve", "exploit", "ask", "sample", "possible", "match"];

    /// Reads the keys of a part of one of these kinds. Mistakes are filed as complaints.
    pub(crate) fn read(
        kind: &str,
        form: &Form<'_>,
        folder: &Path,
        library: &Library,
        reading: &Reading,
    ) -> Call {
        let mut keys = Keys::new(kind, form, folder, library, reading);
        let question = match kind {
            "exploit" => Question::Exploit(exploit(&mut keys)),
            "ask" => Question::Ask(ask(&mut keys)),
            "sample" => Question::Sample(sample(&mut keys)),
            "possible" => Question::Possible(possible(&mut keys)),
            "match" => Question::Match(repeat(&mut keys)),
            _ => Question::Solve(solve(&mut keys)),
        };
        Call { question, words: keys.finish() }
    }

    /// Returns the words of the command that asks the same question: the given keys in a fixed order.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Asks the question. Returns `None` if it was stopped.
    pub(crate) fn ask(&self, how: &RunPart<'_>) -> Result<Option<Value>, CallError> {
        let found = self.question.ask(how);
        if how.options.stop.is_stopped() {
            return Ok(None);
        }
        found.map(Some)
    }
}

impl Question {
    fn ask(&self, how: &RunPart<'_>) -> Result<Value, CallError> {
        let (library, stop) = (how.library, &how.options.stop);
        Ok(match self {
            Question::Solve(request) => json(&request.run(library, stop, &mut |_| ())?),
            Question::Exploit(request) => {
                let mut watch = |progress: ExploitProgress<'_>| {
                    if let ExploitProgress::Asked { player, done, all } = progress {
                        (how.tell)(&format!("{player}: {done} of {all} answers"));
                    }
                };
                json(&request.run(library, stop, &mut watch)?)
            }
            Question::Ask(request) => {
                let mut watch = |done| (how.tell)(&format!("{done} of {} answers", request.times));
                json(&request.run(library, stop, &mut watch)?)
            }
            Question::Sample(request) => {
                let watch = |game: &str, done: u64| {
                    (how.tell)(&format!("{game}: match {done} of {}", request.matches));
                };
                json(&request.run(library, how.options.jobs, stop, &watch)?)
            }
            Question::Possible(request) => json(&request.run(library)?),
            Question::Match(request) => json(&request.run(library, stop)?),
        })
    }
}

fn json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("answers are made of texts and numbers")
}

// The order in which each function below reads keys is the order of the words of its command.

fn solve(keys: &mut Keys<'_, '_>) -> SolveRequest {
    let usual = SolveRequest::default();
    let request = SolveRequest {
        game: keys.game(),
        reasoner: keys.reasoner(),
        state: keys.text("state"),
        positions: keys.size("positions", 1, usual.positions),
        proof_memory: keys.size("proof_memory", 0, usual.proof_memory),
        time: keys.seconds("time", usual.time),
        gap: keys.real("gap", 0.0..=100.0, usual.gap),
        rounds: keys.number("rounds", 0..=u64::MAX, usual.rounds),
        sets: keys.size("sets", 0, usual.sets),
    };
    keys.word("--json");
    request
}

fn exploit(keys: &mut Keys<'_, '_>) -> ExploitRequest {
    let usual = ExploitRequest::default();
    let request = ExploitRequest {
        game: keys.game(),
        player: keys.player(),
        reasoner: keys.reasoner(),
        playouts: keys.numbers("playouts", 1),
        answers: keys.number("answers", 1..=u64::from(u32::MAX), usual.answers.into()) as u32,
        clock: keys.given("clock", 0..=86_400_000).map(Duration::from_millis),
        histories: keys.size("histories", 1, usual.histories),
        seed: Seed(keys.number("seed", 0..=u64::MAX, usual.seed.0)),
        time: keys.seconds("time", usual.time),
    };
    keys.word("--json");
    if let Err(error @ ExploitError::Playouts(_)) = request.players() {
        keys.complain("player", &error.to_string());
    }
    request
}

fn ask(keys: &mut Keys<'_, '_>) -> AskRequest {
    let usual = AskRequest::default();
    let (game, player, reasoner) = (keys.game(), keys.player(), keys.reasoner());
    let (role, moves, saw) = (keys.text("role"), keys.text("after"), keys.texts("saw"));
    let after = After { moves: moves.unwrap_or_default(), ..After::default() };
    let speed = keys.flag("speed");
    let seed = Seed(keys.number("seed", 0..=u64::MAX, usual.seed.0));
    keys.word("--json");
    let times = keys.number("times", 1..=10_000_000, usual.times);
    AskRequest { game, reasoner, player, role, after, saw, times, seed, speed }
}

fn sample(keys: &mut Keys<'_, '_>) -> SampleRequest {
    let usual = SampleRequest::default();
    let (games, reasoner, role) = (keys.games(), keys.reasoner(), keys.text("role"));
    let tested: Vec<usize> = keys.numbers("test", 1).into_iter().map(|round| round as usize).collect();
    if role.is_none() && !tested.is_empty() {
        keys.complain("test", "`test` means nothing without `role`.");
    }
    let models = keys.number("models", 1..=100_000, usual.models as u64) as usize;
    let rounds = keys.size("rounds", 0, usual.rounds);
    let seed = Seed(keys.number("seed", 0..=u64::MAX, usual.seed.0));
    keys.word("--json");
    let matches = keys.number("matches", 0..=u64::MAX, usual.matches);
    let histories = keys.size("histories", 0, usual.histories);
    SampleRequest { games, reasoner, role, matches, models, rounds, tested, histories, seed }
}

fn possible(keys: &mut Keys<'_, '_>) -> PossibleRequest {
    let usual = PossibleRequest::default();
    let request = PossibleRequest {
        game: keys.game(),
        reasoner: keys.reasoner(),
        state: keys.text("state"),
        role: keys.needed("role", "\"white\""),
        after: After {
            moves: keys.text("after").unwrap_or_default(),
            random_steps: keys.number("random_steps", 0..=1_000_000, usual.after.random_steps.into()) as u32,
            seed: Seed(keys.number("seed", 0..=u64::MAX, usual.after.seed.0)),
        },
        max_states: keys.size("max_states", 1, usual.max_states),
    };
    keys.word("--json");
    request
}

fn repeat(keys: &mut Keys<'_, '_>) -> RepeatRequest {
    let usual = RepeatRequest::default();
    let request = RepeatRequest {
        game: keys.game(),
        players: keys.players(),
        reasoner: keys.reasoner(),
        seed: Seed(keys.number("seed", 0..=u64::MAX, usual.seed.0)),
        start_clock: keys.clock("start_clock", usual.start_clock),
        play_clock: keys.clock("play_clock", usual.play_clock),
        replace: keys.choice("replace", RepeatRequest::POLICIES),
        max_steps: keys.size("max_steps", 1, usual.max_steps),
        repeat: keys.needed_number("repeat", "100", 1..=u64::from(u32::MAX)) as u32,
        rotate: keys.flag("rotate"),
    };
    keys.word("--json");
    keys.word("--no-store");
    request
}
