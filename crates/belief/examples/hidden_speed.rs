//! How fast playouts from models are beside plain ones.
//!
//! `hidden_speed [PART-OF-A-NAME]` looks at every game of the library that hides
//! something. A random match is played; where a role first has a choice and in
//! the middle of its match `hyperplay(64,32)` is told what that role saw and asked
//! twice: the first answer includes bringing its models there, the second is
//! playouts alone. Plain random games from the initial state are played in
//! between, and others from the true state, since every playout costs something
//! besides its steps and late in a match few are left.
//! What is printed are states a second of time on the processor: plain ones, and
//! the player's by them, then by those from the same place, and with sampling,
//! the medians of several turns.

#![allow(clippy::print_stdout, reason = "this program prints a table")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis::bench::process::thread_cpu_time;
use game::{
    Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Playouts, Rng, RoleId, Seed, Start,
};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

const PLAYER: &str = "hyperplay(64,32)";
/// Plain random games in a slice.
const SLICE: u32 = 4096;
/// Turns of which the median is told.
const TURNS: u64 = 9;
/// Steps of a match that are looked at, at most.
const STEPS: usize = 24;

type State = <CircuitGame as Game>::State;
type Scratch = <CircuitGame as Game>::Scratch;

fn main() -> Result<(), Box<dyn Error>> {
    let part = std::env::args().nth(1).unwrap_or_default();
    let library = Library::embedded();
    println!("game,role,after,states,plain,ratio,ratio_here,ratio_with_sampling");
    for name in library.names()?.into_iter().filter(|name| name.contains(&part)) {
        let source = library.find(&name)?;
        if !source.text.contains("(sees ") {
            continue;
        }
        let rules = Loaded::new(source, Default::default()).rules();
        let Some(rules) = rules.filter(|rules| !rules.reads_knowledge()) else { continue };
        let game = Arc::new(CircuitGame::new(rules, GroundLimits::default())?);
        for place in places(&game)? {
            let Speed { states, plain, ratio, here, with_sampling } = measure(&game, &place)?;
            let role = &game.roles()[place.role.index()];
            let after = place.seen.len();
            println!("{name},{role},{after},{states},{plain:.0},{ratio:.2},{here:.2},{with_sampling:.2}");
        }
    }
    Ok(())
}

/// Where a role has a choice, and what it saw until then.
struct Place {
    role: RoleId,
    state: State,
    seen: Vec<Observation>,
}

/// The first and the middle place of every role with a choice in a random match.
fn places(game: &CircuitGame) -> Result<Vec<Place>, Fault> {
    let mut chance: Rng = Seed(1).rng();
    let (mut state, mut scratch, mut moves) = (game.initial(), game.scratch(), Vec::new());
    let roles: Vec<RoleId> = RoleId::all(game.roles().len()).collect();
    let mut seen: Vec<Vec<Observation>> = vec![Vec::new(); roles.len()];
    let mut choices: Vec<Vec<usize>> = vec![Vec::new(); roles.len()];
    let mut states: Vec<State> = Vec::new();
    for step in 0..STEPS {
        if game.is_terminal(&mut scratch, &state)? {
            break;
        }
        let mut joint: Vec<MoveId> = Vec::new();
        for &role in &roles {
            game.legal(&mut scratch, &state, role, &mut moves)?;
            if moves.len() > 1 && game.roles()[role.index()] != "random" {
                choices[role.index()].push(step);
            }
            joint.push(moves[chance.below(moves.len())]);
        }
        for &role in &roles {
            let mut percepts = Vec::new();
            game.percepts(&mut scratch, &state, &joint, role, &mut percepts)?;
            seen[role.index()].push(Observation { own: joint[role.index()], percepts, joint: None });
        }
        let next = game.next(&mut scratch, &state, &joint)?;
        states.push(std::mem::replace(&mut state, next));
    }
    let mut places = Vec::new();
    for &role in &roles {
        let at = &choices[role.index()];
        let mut wanted: Vec<usize> = at.first().into_iter().chain(at.get(at.len() / 2)).copied().collect();
        wanted.dedup();
        let place = |steps: usize| Place {
            role,
            state: states[steps].clone(),
            seen: seen[role.index()][..steps].to_vec(),
        };
        places.extend(wanted.into_iter().map(place));
    }
    Ok(places)
}

/// What was measured in a place.
struct Speed {
    /// States of one choice.
    states: u64,
    plain: f64,
    ratio: f64,
    here: f64,
    with_sampling: f64,
}

fn measure(game: &Arc<CircuitGame>, place: &Place) -> Result<Speed, Box<dyn Error>> {
    let never = Deadline::never();
    let (mut plain, mut ratios, mut sampled, mut states) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut here = Vec::new();
    let (initial, mut scratch) = (game.initial(), game.scratch());
    for number in 0..TURNS {
        let mut player: Box<dyn Player<CircuitGame>> = cast::for_circuits(PLAYER)?;
        let context = MatchContext {
            match_id: "speed".to_string(),
            role: place.role,
            rules: None,
            start_clock: Duration::from_secs(1),
            play_clock: Duration::from_secs(1),
            seed: Seed(number),
        };
        player.start(game, &context, &never)?;
        for observation in &place.seen {
            player.update(observation)?;
        }
        let mut asked = || -> Result<(f64, f64), Fault> {
            let (answer, took) = timed(|| player.select(&never));
            answer?;
            states = player.thought().states.unwrap_or_default().playouts;
            Ok((states as f64 / took, slice(game, &mut scratch, &initial, number)?))
        };
        let ((first, beside), (second, again)) = (asked()?, asked()?);
        plain.extend([beside, again]);
        sampled.push(first / beside);
        ratios.push(second / again);
        here.push(second / slice(game, &mut scratch, &place.state, number)?);
    }
    let [plain, ratio, here, with_sampling] = [plain, ratios, here, sampled].map(median);
    Ok(Speed { states, plain, ratio, here, with_sampling })
}

/// States a second in plain random games from a state.
fn slice(game: &CircuitGame, scratch: &mut Scratch, from: &State, number: u64) -> Result<f64, Fault> {
    let starts = [Start { state: from.clone(), first: None, count: SLICE }];
    let (tally, took) = timed(|| game.tally(scratch, &Playouts::new(&starts, Seed(number))));
    Ok(tally?.steps as f64 / took)
}

/// What came of it and how many seconds it took: on the processor, where the system tells that.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (began, before) = (Instant::now(), thread_cpu_time());
    let result = work();
    let took = thread_cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before));
    (result, took.unwrap_or_else(|| began.elapsed()).as_secs_f64().max(1e-9))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
