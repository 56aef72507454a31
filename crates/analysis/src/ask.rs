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
    StopToken,
};
use library::Library;
use serde::Serialize;

use crate::bench::Quartiles;
use crate::bench::process::thread_cpu_time;
use crate::estimate::Estimate;
use crate::load::{LoadError, REASONER, StateError, facts, load};

/// What players are told of the clock where there is none.
const CLOCK: Duration = Duration::from_secs(1);
/// Random games in a slice that speed is compared with.
const SLICE: u32 = 4096;

/// Which player is asked, and what.
#[derive(Debug, Clone)]
pub struct AskRequest {
    /// The game: a name of the library, a path, or `FOLDER:KEY`.
    pub game: String,
    /// What evaluates its rules.
    pub reasoner: String,
    /// The player.
    pub player: String,
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

impl Default for AskRequest {
    fn default() -> AskRequest {
        AskRequest {
            game: String::new(),
            reasoner: REASONER.to_string(),
            player: String::new(),
            role: None,
            after: Vec::new(),
            times: 100,
            seed: Seed(1),
            speed: false,
        }
    }
}

impl AskRequest {
    /// Loads the game and asks the player. `watch` is told how often it has answered.
    pub fn run(
        &self,
        library: &Library,
        stop: &StopToken,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Answers, AskError> {
        let (_, chosen) = load(library, &self.game, &self.reasoner)?;
        ask(&chosen.game, self, stop, watch)
    }
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
    /// The game cannot be played.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The game has no such role.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// A step cannot be read.
    #[error(transparent)]
    Text(#[from] StateError),
    /// A step has no move, or several.
    #[error("`{0}` is not one move.")]
    NotOneMove(String),
    /// A step names something that a role does not have.
    #[error("`{text}` is no {what} of {role}.")]
    Unknown {
        /// What is named.
        text: String,
        /// "move" or "percept".
        what: &'static str,
        /// The role.
        role: String,
    },
    /// No history leads to a step.
    #[error("No history of this game agrees with step {number}, `{text}`: {why}.")]
    Disagrees {
        /// The number of the step, from 1 on.
        number: usize,
        /// The step.
        text: String,
        /// Why not.
        why: Disagreement,
    },
    /// The player could not be made.
    #[error(transparent)]
    Spec(#[from] game::SpecError),
    /// The game or the player failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A role that a game does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("There is no role `{name}`; the roles are {roles}.")]
pub struct RoleError {
    /// What was asked for.
    pub name: String,
    /// The roles that there are.
    pub roles: String,
}

/// Why no history agrees with a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Disagreement {
    /// The move is legal, and what was seen does not follow from it.
    #[error("{role} cannot see that there and go on")]
    Unseen {
        /// The role.
        role: String,
    },
    /// Another move is the only one.
    #[error("there {role} can only do `{only}`")]
    OtherMove {
        /// The role.
        role: String,
        /// Its move.
        only: String,
    },
    /// The move is not legal.
    #[error("`{mv}` is not legal for {role} there")]
    Illegal {
        /// The role.
        role: String,
        /// The move.
        mv: String,
    },
}

/// Asks a player. `watch` is told how often it has answered.
pub fn ask(
    game: &AnyGame,
    request: &AskRequest,
    stop: &StopToken,
    watch: &mut dyn FnMut(u64),
) -> Result<Answers, AskError> {
    reasoner::fastest!(game, game => ask_at(game, request, stop, watch))
}

fn ask_at<G: Compiled>(
    game: &Arc<G>,
    request: &AskRequest,
    stop: &StopToken,
    watch: &mut dyn FnMut(u64),
) -> Result<Answers, AskError> {
    let role = role_of(&**game, request.role.as_deref())?;
    let told: Vec<Observation> =
        request.after.iter().map(|text| told(&**game, role, text)).collect::<Result<_, AskError>>()?;
    let deadline = Deadline::never().with_stop(stop.clone());
    let mut scratch = game.scratch();
    can_be(&**game, &mut scratch, role, &told, &request.after, &deadline)?;
    let mut found: Vec<(MoveId, u64, Vec<f64>)> = Vec::new();
    let (mut playouts, mut sampling, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..request.times {
        if stop.is_stopped() {
            return Err(Fault::Stopped.into());
        }
        let mut player = G::player(&request.player)?;
        let context = MatchContext {
            match_id: "asked".to_string(),
            role,
            rules: None,
            start_clock: CLOCK,
            play_clock: CLOCK,
            seed: request.seed.derive(number),
        };
        player.start(game, &context, &deadline)?;
        for observation in &told {
            player.update(observation)?;
        }
        let (chosen, took) = timed(|| player.select(&deadline));
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
        if request.speed && states.playouts > 0 {
            let starts = [Start { state: game.initial(), first: None, count: SLICE }];
            let request = Playouts::new(&starts, request.seed.derive(number));
            let (tally, beside) = timed(|| game.tally(&mut scratch, &request));
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
        player: request.player.clone(),
        role: game.roles()[role.index()].to_string(),
        after: request.after.clone(),
        seed: request.seed.0,
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
pub(crate) fn role_of<G: Game>(game: &G, name: Option<&str>) -> Result<RoleId, RoleError> {
    let roles = game.roles();
    let found = match name {
        Some(name) => roles.iter().position(|role| role == name),
        None => roles.iter().position(|role| !role.is_chance()),
    };
    let none = || RoleError { name: name.unwrap_or_default().to_string(), roles: roles.join(", ") };
    found.map(|found| RoleId(found as u32)).ok_or_else(none)
}

/// Whether a role can have seen these steps, where the rules hide something: a step that no history
/// of the game agrees with is a mistake in the question.
fn can_be<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    role: RoleId,
    told: &[Observation],
    texts: &[String],
    deadline: &Deadline,
) -> Result<(), AskError> {
    if !game.has_percepts() {
        return Ok(());
    }
    let mut bag = Bag::new(role, &belief::place(game, scratch, game.initial())?, 1, Seed(0));
    for ((number, step), text) in (1..).zip(told).zip(texts) {
        let (moves, _) = bag.own_moves();
        bag.see(step.into());
        match catch_up(game, scratch, &mut [&mut bag], true, deadline) {
            Ok(()) => (),
            Err(Fault::BadState(_)) => {
                let name = game.roles()[role.index()].to_string();
                let why = match &moves[..] {
                    _ if moves.contains(&step.own) => Disagreement::Unseen { role: name },
                    [only] => Disagreement::OtherMove { role: name, only: game.move_text(role, *only) },
                    _ => Disagreement::Illegal { role: name, mv: game.move_text(role, step.own) },
                };
                return Err(AskError::Disagrees { number, text: text.clone(), why });
            }
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok(())
}

/// One step as a role saw it, from `MOVE` or `MOVE: PERCEPT PERCEPT`.
fn told<G: Game>(game: &G, role: RoleId, text: &str) -> Result<Observation, AskError> {
    let (own, seen) = text.split_once(':').unwrap_or((text, ""));
    let own = match &facts(own)?[..] {
        [own] => own.clone(),
        _ => return Err(AskError::NotOneMove(own.to_string())),
    };
    let unknown = |what: &'static str, text: &str| AskError::Unknown {
        text: text.to_string(),
        what,
        role: game.roles()[role.index()].to_string(),
    };
    let mut percepts = Vec::new();
    for percept in facts(seen)? {
        percepts.push(game.find_percept(role, &percept).ok_or_else(|| unknown("percept", &percept))?);
    }
    let own = game.find_move(role, &own).ok_or_else(|| unknown("move", &own))?;
    Ok(Observation { own, percepts, joint: None })
}
