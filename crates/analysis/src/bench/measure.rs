//! The speed of random playouts of one game.

use std::thread;
use std::time::{Duration, Instant};

use game::{AnyGame, Deadline, End, Fault, Game, Goal, Outcomes, Playouts, Seed, Start, Tally};
use library::{Chosen, Loaded, PlayError, Source};
use reasoner::{CircuitGame, Figures};
use rules::Strictness;
use serde::{Deserialize, Serialize};

use super::{one_by_one, process};

/// The number of playouts requested at once; the deadline ends a request earlier.
const MANY: u32 = 1 << 30;
/// The distance between the playout numbers of two threads, so that all play different ones.
const APART: u64 = 1 << 48;
/// The time between two calls to report progress.
const TELL: Duration = Duration::from_millis(100);

/// What to measure, and for how long.
#[derive(Debug, Clone)]
pub struct Pace {
    /// The time to play.
    pub time: Duration,
    /// The number of threads; each plays different playouts.
    pub threads: usize,
    /// The seed.
    pub seed: Seed,
    /// The maximum length of a playout; longer ones are cut off.
    pub max_steps: u32,
    /// Whether to play state by state even if the reasoner can play many games at once.
    pub one_by_one: bool,
}

/// The result of a measurement. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The name of the game.
    pub game: String,
    /// The name of the reasoner.
    pub reasoner: String,
    /// Why this reasoner was chosen.
    pub why: String,
    /// Whether games were played state by state.
    pub one_by_one: bool,
    /// The number of threads.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
    /// The time until the first playout.
    pub start_up: StartUp,
    /// The size of the circuit, if there is one.
    pub circuit: Option<CircuitSize>,
    /// The number of finished playouts.
    pub playouts: u64,
    /// The number of joint moves, including those of unfinished playouts.
    pub states: u64,
    /// The wall-clock time.
    pub wall_seconds: f64,
    /// The CPU time of all threads together.
    pub cpu_seconds: Option<f64>,
    /// Joint moves per second of wall-clock time.
    pub states_per_second: f64,
    /// Joint moves per second of CPU time.
    pub states_per_cpu_second: Option<f64>,
    /// Finished playouts per second of wall-clock time.
    pub playouts_per_second: f64,
    /// Finished playouts per second of CPU time.
    pub playouts_per_cpu_second: Option<f64>,
    /// The mean number of joint moves of a finished playout.
    pub mean_length: Option<f64>,
    /// The results, most frequent first.
    pub results: Vec<ResultShare>,
    /// The peak memory of the process, in bytes.
    pub peak_memory: Option<u64>,
}

/// The time until the first playout, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StartUp {
    /// The total.
    pub total: f64,
    /// Parsing and checking the sheet.
    pub read: f64,
    /// Grounding, if it was done.
    pub ground: Option<f64>,
    /// Building circuits, if it was done.
    pub circuit: Option<f64>,
    /// Compiling programs, if it was done.
    pub compile: Option<f64>,
}

/// The size of a circuit and of what it was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircuitSize {
    /// The number of atoms that can hold.
    pub atoms: usize,
    /// The number of ground rules.
    pub instances: usize,
    /// The number of fluents.
    pub fluents: usize,
    /// The number of fluents that never change; circuits do not read them.
    pub constant_fluents: usize,
    /// The number of fluents that only encode the phase; the circuits of phases do not read them.
    pub clock_fluents: usize,
    /// The number of moves of all roles.
    pub moves: usize,
    /// The number of gates of the circuit for any state.
    pub gates: usize,
    /// The number of phases.
    pub phases: usize,
    /// The number of operations for one step of a block of games.
    pub operations: usize,
    /// The number of games in a block.
    pub games_per_block: usize,
}

/// One kind of result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultShare {
    /// `goals`, `dead end`, `no goal` or `cut off`.
    pub end: &'static str,
    /// The goal of each role; `None` if the rules give none.
    pub goals: Vec<Option<Goal>>,
    /// The number of playouts.
    pub count: u64,
    /// Their share of all playouts.
    pub share: f64,
}

impl CircuitSize {
    fn of(figures: &Figures) -> CircuitSize {
        CircuitSize {
            atoms: figures.atoms,
            instances: figures.instances,
            fluents: figures.fluents,
            constant_fluents: figures.constant,
            clock_fluents: figures.clock,
            moves: figures.moves,
            gates: figures.gates,
            phases: figures.phases,
            operations: figures.operations,
            games_per_block: figures.width,
        }
    }
}

/// A game that is ready to play, and what it took to load it.
pub(super) struct Started {
    pub loaded: Loaded,
    pub chosen: Chosen,
    pub start_up: StartUp,
    pub circuit: Option<CircuitSize>,
}

/// Loads a sheet and creates its game with the given reasoner.
pub(super) fn start(source: Source, reasoner: &str) -> Result<Started, PlayError> {
    let began = Instant::now();
    let loaded = Loaded::new(source, Strictness::Lenient);
    let read = began.elapsed().as_secs_f64();
    let chosen = loaded.play(reasoner)?;
    let mut start_up = StartUp { read, total: began.elapsed().as_secs_f64(), ..StartUp::default() };
    let mut circuit = None;
    if let Some(game) = chosen.game.downcast::<CircuitGame>() {
        let figures = game.figures();
        start_up.ground = Some(figures.ground.as_secs_f64());
        start_up.circuit = Some(figures.circuit.as_secs_f64());
        start_up.compile = Some(figures.compile.as_secs_f64());
        circuit = Some(CircuitSize::of(figures));
    }
    Ok(Started { loaded, chosen, start_up, circuit })
}

/// Plays random games and reports their speed. `tell` is called with the time that has passed.
pub fn measure(
    source: Source,
    reasoner: &str,
    pace: &Pace,
    tell: impl FnMut(Duration),
) -> Result<Measured, PlayError> {
    process::forget_peak_memory();
    let started = start(source, reasoner)?;
    let played = play(&started, pace, tell)?;
    Ok(report(&started, pace, &played))
}

/// What the threads did together.
#[derive(Default)]
pub(super) struct Played {
    pub tally: Tally,
    /// The number of steps of unfinished playouts.
    pub unfinished: u64,
    pub wall: Duration,
    pub cpu: Option<Duration>,
}

impl Played {
    pub fn states(&self) -> u64 {
        self.tally.steps + self.unfinished
    }
}

/// Plays on all threads.
pub(super) fn play(
    started: &Started,
    pace: &Pace,
    mut tell: impl FnMut(Duration),
) -> Result<Played, PlayError> {
    let game = &started.chosen.game;
    let began = Instant::now();
    let parts: Vec<Result<Played, Fault>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..pace.threads.max(1) as u64)
            .map(|number| scope.spawn(move || work(game, pace, number * APART)))
            .collect();
        while threads.iter().any(|t| !t.is_finished()) {
            thread::sleep(TELL.min(pace.time / 4));
            tell(began.elapsed());
        }
        let join =
            |t: thread::ScopedJoinHandle<'_, _>| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
        threads.into_iter().map(join).collect()
    });
    let mut all = Played { cpu: Some(Duration::ZERO), ..Played::default() };
    for part in parts {
        let place = || started.loaded.source.place.clone();
        let part = part.map_err(|fault| PlayError::Fault { place: place(), fault })?;
        all.tally.add(&part.tally);
        all.unfinished += part.unfinished;
        all.wall = all.wall.max(part.wall);
        all.cpu = all.cpu.zip(part.cpu).map(|(a, b)| a + b);
    }
    Ok(all)
}

/// Plays on one thread.
fn work(any: &AnyGame, pace: &Pace, first_index: u64) -> Result<Played, Fault> {
    if pace.one_by_one || !any.plays_many() {
        let indexes = first_index..first_index + APART;
        return reasoner::fastest!(any, game => timed(&**game, pace, |scratch, deadline| {
            one_by_one::play(&**game, scratch, pace.seed, indexes, pace.max_steps, deadline)
        }));
    }
    timed(any, pace, |scratch, deadline| {
        let starts = [Start { state: any.initial(), first: None, count: MANY }];
        let mut all = Tally::default();
        while !deadline.is_over() {
            let mut request = Playouts::new(&starts, pace.seed);
            request.first_index = first_index + all.playouts;
            request.max_steps = pace.max_steps;
            request.deadline = deadline.clone();
            all.add(&any.tally(scratch, &request)?);
        }
        Ok((all, 0))
    })
}

/// Plays until the time is over, which begins once the memory for it is there.
fn timed<G: Game>(
    game: &G,
    pace: &Pace,
    play: impl FnOnce(&mut G::Scratch, &Deadline) -> Result<(Tally, u64), Fault>,
) -> Result<Played, Fault> {
    let mut scratch = game.scratch();
    let (began, cpu) = (Instant::now(), process::thread_cpu_time());
    let (tally, unfinished) = play(&mut scratch, &Deadline::after(pace.time))?;
    let wall = began.elapsed();
    let cpu = process::thread_cpu_time().zip(cpu).map(|(after, before)| after - before);
    Ok(Played { tally, unfinished, wall, cpu })
}

fn report(started: &Started, pace: &Pace, played: &Played) -> Measured {
    let (playouts, states) = (played.tally.playouts, played.states());
    let rate = |count: u64, time: f64| if time > 0.0 { count as f64 / time } else { 0.0 };
    let wall = played.wall.as_secs_f64();
    let cpu = played.cpu.map(|t| t.as_secs_f64());
    Measured {
        game: started.loaded.source.name.clone(),
        reasoner: started.chosen.name.to_string(),
        why: started.chosen.why.clone(),
        one_by_one: pace.one_by_one || !started.chosen.game.plays_many(),
        threads: pace.threads,
        seed: pace.seed.0,
        start_up: started.start_up,
        circuit: started.circuit,
        playouts,
        states,
        wall_seconds: wall,
        cpu_seconds: cpu,
        states_per_second: rate(states, wall),
        states_per_cpu_second: cpu.map(|t| rate(states, t)),
        playouts_per_second: rate(playouts, wall),
        playouts_per_cpu_second: cpu.map(|t| rate(playouts, t)),
        mean_length: (playouts > 0).then(|| played.tally.steps as f64 / playouts as f64),
        results: shares(&played.tally),
        peak_memory: process::peak_memory(),
    }
}

fn shares(tally: &Tally) -> Vec<ResultShare> {
    let mut shares: Vec<ResultShare> = tally
        .results
        .iter()
        .map(|((end, goals), &count)| ResultShare {
            end: match end {
                End::Goals => "goals",
                End::DeadEnd => "dead end",
                End::NoGoal => "no goal",
                End::CutOff => "cut off",
            },
            goals: goals.iter().map(|&g| (g != Outcomes::NO_GOAL).then_some(g)).collect(),
            count,
            share: count as f64 / tally.playouts as f64,
        })
        .collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.count));
    shares
}
