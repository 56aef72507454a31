//! What a turn costs whoever keeps a state: legal moves, the next state, whether it is over.

use std::sync::Arc;
use std::time::Duration;

use game::{Fault, Game, RoleId, StopToken};

use super::walk::{WINDOW, Walk, before};
use super::{TurnCurve, TurnPoint, TurnSampling};
use crate::bench::process::thread_cpu_time;
use crate::reasoners::GameVisitor;

/// Measures the turns of a referee.
pub(super) fn measure<'a>(
    name: &'a str,
    walks: &'a [Walk],
    sampling: &'a TurnSampling,
    stop: &'a StopToken,
) -> impl GameVisitor<Out = TurnCurve> + 'a {
    Measure { name, walks, sampling, stop }
}

struct Measure<'a> {
    name: &'a str,
    walks: &'a [Walk],
    sampling: &'a TurnSampling,
    stop: &'a StopToken,
}

impl GameVisitor for Measure<'_> {
    type Out = TurnCurve;

    fn visit<G: Game + 'static>(self, game: &Arc<G>) -> TurnCurve {
        let (mut points, mut gave_up) = (Vec::new(), None);
        for &turn in &self.sampling.at {
            let mut samples = Vec::new();
            for walk in self.walks {
                if gave_up.is_some() || self.stop.is_stopped() {
                    break;
                }
                if let Err(fault) = window(&**game, walk, turn, &mut |_, time| {
                    samples.push(time.as_secs_f64());
                }) {
                    gave_up = Some(format!("turn {turn}: {fault}"));
                }
            }
            points.extend(TurnPoint::of(turn, samples));
        }
        TurnCurve::of(self.name, false, points, gave_up)
    }
}

/// Makes some turns of a walk from `turn` on, and tells what each of them cost.
/// One turn before them is made without being told, so that memory is warm.
pub(super) fn window<G: Game>(
    game: &G,
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
        state = one(game, &state, joint)?;
        let time = thread_cpu_time().unwrap_or_default().saturating_sub(began);
        if now >= turn {
            tell(now, time);
        }
    }
    Ok(())
}

/// One turn.
fn one<G: Game>(game: &G, state: &G::State, joint: &[String]) -> Result<G::State, Fault> {
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    for (role, text) in RoleId::all(game.roles().len()).zip(joint) {
        game.legal(state, role, &mut legal)?;
        let missing = || Fault::NoSuchMove { role: game.roles()[role.index()].clone(), text: text.clone() };
        moves.push(game.find_move(role, text).filter(|mv| legal.contains(mv)).ok_or_else(missing)?);
    }
    let next = game.next(state, &moves)?;
    game.is_terminal(&next)?;
    Ok(next)
}
