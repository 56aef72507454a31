//! What a player takes its moves for.
//!
//! A player is told what happened so far, as a referee would tell it, and asked
//! for its move, many times and each time with another seed. What it says its
//! moves are worth is averaged, its choices are counted, and so are the states
//! that a choice costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use belief::{Bag, catch_up};
use cast::Compiled;
use game::{
    AnyGame, Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Playouts, RoleId, Seed, Start,
};
use library::read_state;
use serde::Serialize;

use crate::bench::Quartiles;
use crate::bench::process::thread_cpu_time;
use crate::estimate::Estimate;

/// What players are told of the clock where there is none.
const CLOCK: Duration = Duration::from_secs(1);
/// Random games in a slice that speed is compared with.
const SLICE: u32 = 4096;

/// What is asked.
#[derive(Debug, Clone)]
pub struct AskOptions {
    /// The role; the first that is not chance where none is named.
    pub role: Option<String>,
    /// The steps before, each as `MOVE` or `MOVE: PERCEPT PERCEPT`.
    pub after: Vec<String>,
    /// How often.
    pub times: u64,
    /// Where the player's chance comes from.
    pub seed: Seed,
    /// Whether to compare the player's playouts with plain ones.
    pub speed: bool,
}

/// What a player said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answers {
    /// Of this form.
    pub version: u32,
    /// The player.
    pub player: String,
    /// Whose moves they are.
    pub role: String,
    /// What it was told.
    pub after: Vec<String>,
    /// Where its chance came from.
    pub seed: u64,
    /// Its moves, in canonical order.
    pub moves: Vec<Answer>,
    /// States visited in playouts for one choice.
    pub playouts: Option<Estimate>,
    /// States visited for one choice to find out where the match may be.
    pub sampling: Option<Estimate>,
    /// How fast its playouts are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<AskedSpeed>,
}

/// What was said of one move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// How often it was chosen.
    pub chosen: u64,
    /// What it was worth to the player, where it says so.
    pub value: Option<Estimate>,
}

/// Playouts of a player beside plain ones, in states a second of time on the processor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AskedSpeed {
    /// Random games from the initial state.
    pub plain: f64,
    /// The player's playouts, by all the time that its choices took.
    pub player: f64,
    /// The second by the first, choice by choice with a slice of plain ones after each.
    pub ratio: Quartiles,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// What was asked makes no sense.
    #[error("{0}")]
    Question(String),
    /// The player could not be made.
    #[error(transparent)]
    Spec(#[from] game::SpecError),
    /// The game or the player failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Asks a player. `watch` is told how often it has answered.
pub fn ask(
    game: &AnyGame,
    player: &str,
    options: &AskOptions,
    watch: &mut dyn FnMut(u64),
) -> Result<Answers, AskError> {
    reasoner::fastest!(game, game => ask_at(game, player, options, watch))
}

fn ask_at<G: Compiled>(
    game: &Arc<G>,
    player: &str,
    options: &AskOptions,
    watch: &mut dyn FnMut(u64),
) -> Result<Answers, AskError> {
    let role = role_of(&**game, options.role.as_deref())?;
    let told: Vec<Observation> =
        options.after.iter().map(|text| told(&**game, role, text)).collect::<Result<_, AskError>>()?;
    can_be(&**game, role, &told, &options.after)?;
    let mut found: Vec<(MoveId, u64, Vec<f64>)> = Vec::new();
    let (mut playouts, mut sampling, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..options.times {
        let mut player = G::player(player)?;
        let context = MatchContext {
            match_id: "asked".to_string(),
            role,
            rules: None,
            start_clock: CLOCK,
            play_clock: CLOCK,
            seed: options.seed.derive(number),
        };
        let never = Deadline::never();
        player.start(game, &context, &never)?;
        for observation in &told {
            player.update(observation)?;
        }
        let (chosen, took) = timed(|| player.select(&never));
        let chosen = chosen?;
        let thought = player.thought();
        if let Some(fault) = thought.fault {
            return Err(fault.into());
        }
        place(&mut found, chosen).1 += 1;
        for known in &thought.moves {
            place(&mut found, known.mv).2.extend(known.value);
        }
        let states = thought.states.unwrap_or_default();
        playouts.push(states.playouts as f64);
        sampling.push(states.sampling as f64);
        if options.speed && states.playouts > 0 {
            let starts = [Start { state: game.initial(), first: None, count: SLICE }];
            let request = Playouts::new(&starts, options.seed.derive(number));
            let (tally, beside) = timed(|| game.tally(&request));
            speeds.push((tally?.steps as f64 / beside, states.playouts as f64 / took));
        }
        watch(number + 1);
    }
    let mut moves: Vec<Answer> = found
        .into_iter()
        .map(|(mv, chosen, values)| Answer {
            mv: game.move_text(role, mv),
            chosen,
            value: Estimate::of(values),
        })
        .collect();
    moves.sort_by(|a, b| a.mv.cmp(&b.mv));
    Ok(Answers {
        version: 1,
        player: player.to_string(),
        role: game.roles()[role.index()].to_string(),
        after: options.after.clone(),
        seed: options.seed.0,
        moves,
        playouts: Estimate::of(playouts),
        sampling: Estimate::of(sampling),
        speed: speed(&speeds),
    })
}

fn speed(speeds: &[(f64, f64)]) -> Option<AskedSpeed> {
    let of = |value: fn(&(f64, f64)) -> f64| Quartiles::of(&speeds.iter().map(value).collect::<Vec<f64>>());
    Some(AskedSpeed {
        plain: of(|(plain, _)| *plain)?.median,
        player: of(|(_, own)| *own)?.median,
        ratio: of(|(plain, own)| own / plain)?,
    })
}

/// What came of it and how many seconds it took: on the processor, where the system tells that.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (began, before) = (Instant::now(), thread_cpu_time());
    let result = work();
    let took = thread_cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before));
    (result, took.unwrap_or_else(|| began.elapsed()).as_secs_f64().max(1e-9))
}

/// The entry of a move, a fresh one where there is none.
fn place(found: &mut Vec<(MoveId, u64, Vec<f64>)>, mv: MoveId) -> &mut (MoveId, u64, Vec<f64>) {
    let at = found.iter().position(|entry| entry.0 == mv).unwrap_or_else(|| {
        found.push((mv, 0, Vec::new()));
        found.len() - 1
    });
    &mut found[at]
}

/// The role of this name; the first that is not chance where none is given.
pub(crate) fn role_of<G: Game>(game: &G, name: Option<&str>) -> Result<RoleId, AskError> {
    let roles = game.roles();
    let found = match name {
        Some(name) => roles.iter().position(|role| role == name),
        None => roles.iter().position(|role| !role.is_chance()),
    };
    let found = found.ok_or_else(|| {
        AskError::Question(format!(
            "There is no role `{}`; the roles are {}.",
            name.unwrap_or_default(),
            roles.join(", ")
        ))
    })?;
    Ok(RoleId(found as u32))
}

/// Whether a role can have seen these steps, where the rules hide something: a step that no history
/// of the game agrees with is a mistake in the question.
fn can_be<G: Game>(game: &G, role: RoleId, told: &[Observation], texts: &[String]) -> Result<(), AskError> {
    if !game.has_percepts() {
        return Ok(());
    }
    let mut bag = Bag::new(role, &belief::place(game, game.initial())?, 1, Seed(0));
    for ((number, step), text) in (1..).zip(told).zip(texts) {
        let (moves, _) = bag.own_moves();
        bag.see(step.into());
        match catch_up(game, &mut [&mut bag], true, &Deadline::never()) {
            Ok(()) => (),
            Err(Fault::BadState(_)) => {
                let name = &game.roles()[role.index()];
                let mv = game.move_text(role, step.own);
                let why = match &moves[..] {
                    _ if moves.contains(&step.own) => format!("{name} cannot see that there and go on"),
                    [only] => format!("there {name} can only do `{}`", game.move_text(role, *only)),
                    _ => format!("`{mv}` is not legal for {name} there"),
                };
                let text = format!("No history of this game agrees with step {number}, `{text}`: {why}.");
                return Err(AskError::Question(text));
            }
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok(())
}

/// One step as a role saw it, from `MOVE` or `MOVE: PERCEPT PERCEPT`.
fn told<G: Game>(game: &G, role: RoleId, text: &str) -> Result<Observation, AskError> {
    let (own, seen) = text.split_once(':').unwrap_or((text, ""));
    let read = |text: &str| read_state(text).map_err(AskError::Question);
    let own = match &read(own)?[..] {
        [own] => own.clone(),
        _ => return Err(AskError::Question(format!("`{own}` is not one move."))),
    };
    let unknown = |what: &str, text: &str| {
        AskError::Question(format!("`{text}` is no {what} of {}.", game.roles()[role.index()]))
    };
    let mut percepts = Vec::new();
    for percept in read(seen)? {
        percepts.push(game.find_percept(role, &percept).ok_or_else(|| unknown("percept", &percept))?);
    }
    let own = game.find_move(role, &own).ok_or_else(|| unknown("move", &own))?;
    Ok(Observation { own, percepts, joint: None })
}
