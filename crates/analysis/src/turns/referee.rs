//! The cost of a turn for a referee: legal moves, the next state, and whether it is terminal.

use std::time::Duration;

use game::{AnyGame, Fault, Game, RoleId, StopToken};

use super::walk::{WINDOW, Walk, before};
use super::{TurnCurve, TurnPoint, TurnSampling};
use crate::bench::process::thread_cpu_time;

/// The time after which turns that are not measured are skipped.
const BETWEEN: Duration = Duration::from_secs(5);

/// Measures the turns of a referee.
pub(super) fn measure(
    game: &AnyGame,
    name: &str,
    walks: &[Walk],
    sampling: &TurnSampling,
    stop: &StopToken,
) -> TurnCurve {
    let mut at = &sampling.at[..];
    let (mut samples, mut gave_up) = (vec![Vec::new(); at.len()], None);
    let mut scratch = game.scratch();
    for walk in walks {
        if stop.is_stopped() {
            break;
        }
        let mut tell = |place: usize, time: Duration| samples[place].push(time.as_secs_f64());
        if let Err((place, fault)) = through(game, &mut scratch, walk, at, &mut tell) {
            gave_up = Some(format!("turn {}: {fault}", at[place]));
            // The following games stop before the turn that failed.
            at = &at[..place];
        }
    }
    let points = sampling.at.iter().zip(samples);
    let points = points.filter_map(|(turn, samples)| TurnPoint::of(*turn, samples)).collect();
    TurnCurve::of(name, false, points, gave_up)
}

/// Goes through a game turn by turn, as a referee does, and measures a window of turns from each turn in
/// `at`. If the turns between the windows take too long, they are skipped, except for one warm-up turn. A
/// fault is returned with the index in `at` that was not reached.
fn through<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    walk: &Walk,
    at: &[u32],
    tell: &mut dyn FnMut(usize, Duration),
) -> Result<(), (usize, Fault)> {
    let (mut state, mut now, mut between) = (game.initial(), 1, Duration::ZERO);
    for (place, &turn) in at.iter().enumerate() {
        let end = turn + WINDOW;
        while now < end {
            if between > BETWEEN && now < before(turn) {
                let Some(facts) = walk.states.get(&before(turn)) else { return Ok(()) };
                state = game.state(facts).map_err(|fault| (place, fault))?;
                now = before(turn);
            }
            let Some(joint) = walk.joint(now) else { return Ok(()) };
            let began = thread_cpu_time().unwrap_or_default();
            state = one(game, scratch, &state, joint).map_err(|fault| (place, fault))?;
            let time = thread_cpu_time().unwrap_or_default().saturating_sub(began);
            if now >= turn {
                tell(place, time);
            } else {
                between += time;
            }
            now += 1;
        }
    }
    Ok(())
}

/// Makes a window of turns from `turn` and measures each of them, after one warm-up turn that is not
/// reported.
pub(super) fn window<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    walk: &Walk,
    turn: u32,
    tell: &mut dyn FnMut(u32, Duration),
) -> Result<(), Fault> {
    let first = before(turn);
    let Some(facts) = walk.states.get(&first) else { return Ok(()) };
    let mut state = game.state(facts)?;
    for now in first..(turn + WINDOW).min(walk.len() + 1) {
        let Some(joint) = walk.joint(now) else { break };
        let began = thread_cpu_time().unwrap_or_default();
        state = one(game, scratch, &state, joint)?;
        let time = thread_cpu_time().unwrap_or_default().saturating_sub(began);
        if now >= turn {
            tell(now, time);
        }
    }
    Ok(())
}

/// Makes one turn.
fn one<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    joint: &[String],
) -> Result<G::State, Fault> {
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    for (role, text) in RoleId::all(game.roles().len()).zip(joint) {
        game.legal(scratch, state, role, &mut legal)?;
        let missing =
            || Fault::NoSuchMove { role: game.roles()[role.index()].to_string(), text: text.clone() };
        moves.push(game.find_move(role, text).filter(|mv| legal.contains(mv)).ok_or_else(missing)?);
    }
    let next = game.next(scratch, state, &moves)?;
    game.is_terminal(scratch, &next)?;
    Ok(next)
}
