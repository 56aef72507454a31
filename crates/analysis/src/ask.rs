//! What a player thinks of its moves.
//!
//! The player is told what has happened so far, as a referee would tell it, and is asked for its move many
//! times, each time with a different seed. The values that it gives to its moves are averaged, its choices
//! are counted, and so are the states that a choice costs.

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
use library::{After, AfterError, canonical_move};

/// The clock that players are told if there is none.
const CLOCK: Duration = Duration::from_secs(1);
/// The number of random games in a slice that the player's speed is compared with.
const SLICE: u32 = 4096;

/// A request to ask a player for its move.
#[derive(Debug, Clone)]
pub struct AskRequest {
    /// The game: a library name, a path, or `FOLDER:KEY`.
    pub game: String,
    /// The reasoner.
    pub reasoner: String,
    /// The player.
    pub player: String,
    /// The role; if `None`, the first that is not chance.
    pub role: Option<String>,
    /// The joint moves before.
    pub after: After,
    /// The steps before as the role saw them, each as `MOVE` or `MOVE: PERCEPT PERCEPT`; they follow those of
    /// `after`.
    pub saw: Vec<String>,
    /// The number of times to ask.
    pub times: u64,
    /// The seed of the player's random numbers.
    pub seed: Seed,
    /// Whether to compare the speed of the player's playouts with that of plain ones.
    pub speed: bool,
}

impl Default for AskRequest {
    fn default() -> AskRequest {
        AskRequest {
            game: String::new(),
            reasoner: REASONER.to_string(),
            player: String::new(),
            role: None,
            after: After::default(),
            saw: Vec::new(),
            times: 100,
            seed: Seed(1),
            speed: false,
        }
    }
}

impl AskRequest {
    /// Loads the game and asks the player. `watch` is called with the number of answers so far.
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

/// The answers of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answers {
    /// The version of this format.
    pub version: u32,
    /// The player.
    pub player: String,
    /// The role.
    pub role: String,
    /// The steps that it was told, each as its move and what it saw.
    pub after: Vec<String>,
    /// The seed of its random numbers.
    pub seed: u64,
    /// Its moves, in canonical order.
    pub moves: Vec<Answer>,
    /// The number of states visited in playouts per choice.
    pub playouts: Option<Estimate>,
    /// The number of states visited per choice to sample the states that the match may be in.
    pub sampling: Option<Estimate>,
    /// The speed of its playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<AskedSpeed>,
}

/// The answers about one move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// How often it was chosen.
    pub chosen: u64,
    /// The value that the player gives to it, if it reports one.
    pub value: Option<Estimate>,
}

/// The speed of a player's playouts beside plain ones, in states per second of CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AskedSpeed {
    /// Random games from the initial state.
    pub plain: f64,
    /// The player's playouts, divided by the whole time of its choices.
    pub player: f64,
    /// The player's speed divided by the plain one. Each choice is compared with a slice of plain playouts
    /// right after it.
    pub ratio: Quartiles,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The game has no such role.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The moves before cannot be made.
    #[error(transparent)]
    After(#[from] AfterError),
    /// A step cannot be parsed.
    #[error(transparent)]
    Text(#[from] StateError),
    /// A step has no move, or several.
    #[error("`{0}` is not one move.")]
    NotOneMove(String),
    /// A step names something that the role does not have.
    #[error("`{text}` is not a {what} of {role}.")]
    Unknown {
        /// The name.
        text: String,
        /// "move" or "percept".
        what: &'static str,
        /// The role.
        role: String,
    },
    /// No history agrees with a step.
    #[error("No history of this game agrees with step {number}, `{text}`: {why}.")]
    Disagrees {
        /// The number of the step, from 1.
        number: usize,
        /// The step.
        text: String,
        /// Why no history agrees.
        why: Disagreement,
    },
    /// The player could not be created.
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
    /// The name that was asked for.
    pub name: String,
    /// The roles of the game.
    pub roles: String,
}

/// Why no history agrees with a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Disagreement {
    /// The move is legal, but the percepts do not follow from it.
    #[error("{role} cannot see that there while the match goes on")]
    Unseen {
        /// The role.
        role: String,
    },
    /// The role has only one legal move, and it is a different one.
    #[error("the only legal move of {role} there is `{only}`")]
    OtherMove {
        /// The role.
        role: String,
        /// Its only move.
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

/// Asks a player. `watch` is called with the number of answers so far.
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
    let deadline = Deadline::never().with_stop(stop.clone());
    let mut scratch = game.scratch();
    let mut told = observed(&**game, &mut scratch, role, &request.after)?;
    for text in &request.saw {
        told.push(seen(&**game, role, text)?);
    }
    let after: Vec<String> = told.iter().map(|step| words(&**game, role, step)).collect();
    can_be(&**game, &mut scratch, role, &told, &after, &deadline)?;
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
        after,
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

/// Runs `work`. Returns its result and the seconds that it took, in CPU time if the system reports it.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (began, before) = (Instant::now(), thread_cpu_time());
    let result = work();
    let took = thread_cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before));
    (result, took.unwrap_or_else(|| began.elapsed()).as_secs_f64().max(1e-9))
}

/// Returns the entry of a move, and creates it if there is none.
fn place(found: &mut Vec<(MoveId, u64, Vec<f64>)>, mv: MoveId) -> &mut (MoveId, u64, Vec<f64>) {
    let at = found.iter().position(|entry| entry.0 == mv).unwrap_or_else(|| {
        found.push((mv, 0, Vec::new()));
        found.len() - 1
    });
    &mut found[at]
}

/// Returns the role of this name, or the first that is not chance if no name is given.
pub(crate) fn role_of<G: Game>(game: &G, name: Option<&str>) -> Result<RoleId, RoleError> {
    let roles = game.roles();
    let found = match name {
        Some(name) => roles.iter().position(|role| role == name),
        None => roles.iter().position(|role| !role.is_chance()),
    };
    let none = || RoleError { name: name.unwrap_or_default().to_string(), roles: roles.join(", ") };
    found.map(|found| RoleId(found as u32)).ok_or_else(none)
}

/// Checks that a role can have seen these steps, in a game with hidden information. A step that no history
/// of the game agrees with is a mistake in the request.
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

/// Returns what a role is told of the given moves.
fn observed<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    role: RoleId,
    after: &After,
) -> Result<Vec<Observation>, AskError> {
    let mut told = Vec::new();
    let mut state = game.initial();
    for joint in after.joints(game, scratch, state.clone())? {
        let mut percepts = Vec::new();
        if game.has_percepts() {
            game.percepts(scratch, &state, &joint, role, &mut percepts)?;
        }
        state = game.next(scratch, &state, &joint)?;
        let joint_move = (!game.has_percepts()).then(|| joint.clone());
        told.push(Observation { own: joint[role.index()], percepts, joint: joint_move });
    }
    Ok(told)
}

/// Parses one step as a role saw it: `MOVE` or `MOVE: PERCEPT PERCEPT`.
fn seen<G: Game>(game: &G, role: RoleId, text: &str) -> Result<Observation, AskError> {
    let (own, seen) = text.split_once(':').unwrap_or((text, ""));
    let own = canonical_move(own).ok_or_else(|| AskError::NotOneMove(own.to_string()))?;
    let unknown = |what: &'static str, text: &str| AskError::Unknown {
        text: text.to_string(),
        what,
        role: game.roles()[role.index()].to_string(),
    };
    let mut percepts = Vec::new();
    for percept in facts(seen)? {
        let found = game.find_percept(role, &percept);
        let found = found.or_else(|| game.find_percept(role, &percept.to_lowercase()));
        percepts.push(found.ok_or_else(|| unknown("percept", &percept))?);
    }
    let found = game.find_move(role, &own).or_else(|| game.find_move(role, &own.to_lowercase()));
    Ok(Observation { own: found.ok_or_else(|| unknown("move", &own))?, percepts, joint: None })
}

/// Formats one step as a role saw it.
fn words<G: Game>(game: &G, role: RoleId, step: &Observation) -> String {
    let own = game.move_text(role, step.own);
    match step.percepts.is_empty() {
        true => own,
        false => {
            let all: Vec<String> = step.percepts.iter().map(|&seen| game.percept_text(role, seen)).collect();
            format!("{own}: {}", all.join(" "))
        }
    }
}
