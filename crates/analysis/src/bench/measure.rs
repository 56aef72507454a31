//! Random playouts of one game for a while.

use std::thread;
use std::time::{Duration, Instant};

use game::{AnyGame, Deadline, End, Fault, Game, Goal, Outcomes, Playouts, Seed, Start, Tally};
use library::{Chosen, Loaded, PlayError, Source};
use reasoner::{CircuitGame, Figures};
use rules::Strictness;
use serde::{Deserialize, Serialize};

use super::{one_by_one, process};

/// Playouts asked for at once; the deadline ends a request earlier.
const MANY: u32 = 1 << 30;
/// Each thread plays the playouts from its own multiple of this on.
const APART: u64 = 1 << 48;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// What to measure and for how long.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Time to play for.
    pub time: Duration,
    /// Threads that play, each playouts of its own.
    pub threads: usize,
    /// Where chance comes from.
    pub seed: Seed,
    /// Playouts longer than this are cut off.
    pub max_steps: u32,
    /// Whether to ask question by question even where a reasoner plays many games at once.
    pub one_by_one: bool,
}

/// What playing came to. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The game's name.
    pub game: String,
    /// The reasoner's name.
    pub reasoner: String,
    /// Why that one.
    pub why: String,
    /// Whether games were played state by state.
    pub one_by_one: bool,
    /// Threads that played.
    pub threads: usize,
    /// Where chance came from.
    pub seed: u64,
    /// What it took until the first playout.
    pub start_up: StartUp,
    /// The size of the circuit, where there is one.
    pub circuit: Option<CircuitSize>,
    /// Playouts that were finished.
    pub playouts: u64,
    /// Joint moves made, also in the playouts that were not.
    pub states: u64,
    /// Time on the clock.
    pub wall_seconds: f64,
    /// Time on processors, of all threads together.
    pub cpu_seconds: Option<f64>,
    /// Joint moves by time on the clock.
    pub states_per_second: f64,
    /// Joint moves by time on processors.
    pub states_per_cpu_second: Option<f64>,
    /// Finished playouts by time on the clock.
    pub playouts_per_second: f64,
    /// Finished playouts by time on processors.
    pub playouts_per_cpu_second: Option<f64>,
    /// Joint moves per finished playout.
    pub mean_length: Option<f64>,
    /// What came out how often, most frequent first.
    pub results: Vec<ResultShare>,
    /// The most memory the process had, in bytes.
    pub peak_memory: Option<u64>,
}

/// What it took until the first playout, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StartUp {
    /// Everything.
    pub total: f64,
    /// Parsing and checking the sheet.
    pub read: f64,
    /// Grounding, where that was done.
    pub ground: Option<f64>,
    /// Building circuits, where that was done.
    pub circuit: Option<f64>,
    /// Compiling programs, where that was done.
    pub compile: Option<f64>,
}

/// The size of a circuit and of what it was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircuitSize {
    /// Atoms that can hold.
    pub atoms: usize,
    /// Ground rules.
    pub instances: usize,
    /// Fluents.
    pub fluents: usize,
    /// Those among them that never change; circuits do not read them.
    pub constant_fluents: usize,
    /// Those among them that only tell the phase; circuits of phases do not read them.
    pub clock_fluents: usize,
    /// Moves of all roles.
    pub moves: usize,
    /// Gates of the circuit for any state.
    pub gates: usize,
    /// Phases of the turn.
    pub phases: usize,
    /// Operations for one step of a block of games.
    pub operations: usize,
    /// Games in a block.
    pub games_per_block: usize,
}

/// One kind of result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultShare {
    /// `goals`, `dead end`, `no goal` or `cut off`.
    pub end: &'static str,
    /// The goal of each role; none where the rules give none.
    pub goals: Vec<Option<Goal>>,
    /// How many playouts.
    pub count: u64,
    /// What part of all.
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

/// A game that is ready, and what it took.
pub(super) struct Started {
    pub loaded: Loaded,
    pub chosen: Chosen,
    pub start_up: StartUp,
    pub circuit: Option<CircuitSize>,
}

/// Reads a sheet and puts it behind a reasoner.
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

/// Plays a game at random and reports. `tell` hears how much of the time is over.
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
    /// Steps of playouts that were not finished.
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

/// What one thread does.
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
