//! The cost of a turn for a player: choosing a move and taking in the step.

use std::sync::Arc;
use std::time::Duration;

use cast::Compiled;
use game::{AnyGame, Deadline, Fault, Game, MatchContext, MoveId, Observation, RoleId, StopToken};

use super::walk::{WINDOW, Walk};
use super::{TurnCurve, TurnPoint, TurnSampling, TurnsError};
use crate::bench::process::process_cpu_time;

/// Measures the turns of a player in the first role. Its choices are not played.
pub(super) fn measure(
    game: &AnyGame,
    spec: &str,
    walks: &[Walk],
    sampling: &TurnSampling,
    stop: &StopToken,
) -> TurnCurve {
    let measure = Measure { spec, sampling, stop };
    reasoner::fastest!(game, game => measure.curve(game, walks))
}

struct Measure<'a> {
    spec: &'a str,
    sampling: &'a TurnSampling,
    stop: &'a StopToken,
}

impl Measure<'_> {
    fn curve<G: Compiled>(&self, game: &Arc<G>, walks: &[Walk]) -> TurnCurve {
        let at = &self.sampling.at;
        let (mut samples, mut gave_up) = (vec![Vec::new(); at.len()], None);
        let mut scratch = game.scratch();
        for walk in walks {
            let mut tell = |place: usize, time: Duration| samples[place].push(time.as_secs_f64());
            let done = self.follow(game, &mut scratch, walk, &mut tell);
            if let Err(why) = done {
                gave_up = Some(why.to_string());
                break;
            }
        }
        let points = at.iter().zip(samples).filter_map(|(turn, samples)| TurnPoint::of(*turn, samples));
        TurnCurve::of(self.spec, true, points.collect(), gave_up)
    }

    /// Follows a walk, and asks for a move at the first turn of each window in which the player has a
    /// choice.
    fn follow<G: Compiled>(
        &self,
        game: &Arc<G>,
        scratch: &mut G::Scratch,
        walk: &Walk,
        tell: &mut dyn FnMut(usize, Duration),
    ) -> Result<(), TurnsError> {
        let role = RoleId(0);
        let mut player = G::player(self.spec)?;
        let clock = Duration::from_secs(86_400);
        let context = MatchContext {
            match_id: "turns".to_string(),
            role,
            rules: None,
            start_clock: clock,
            play_clock: clock,
            seed: self.sampling.seed,
        };
        player.start(game, &context, &Deadline::never())?;
        let (mut state, mut legal, mut due) = (game.initial(), Vec::new(), 0);
        for turn in 1..=walk.len() {
            if self.stop.is_stopped() || due >= self.sampling.at.len() {
                return Ok(());
            }
            let joint = moves(&**game, walk.joint(turn).map_or(&[][..], |joint| joint))?;
            game.legal(scratch, &state, role, &mut legal)?;
            let began = process_cpu_time().unwrap_or_default();
            if turn >= self.sampling.at[due] && legal.len() > 1 {
                player.select(&Deadline::never())?;
            }
            let mut percepts = Vec::new();
            game.percepts(scratch, &state, &joint, role, &mut percepts)?;
            let seen = Observation {
                own: joint[role.index()],
                percepts,
                joint: (!game.has_percepts()).then(|| joint.clone()),
            };
            player.update(&seen)?;
            if turn >= self.sampling.at[due] && legal.len() > 1 {
                tell(due, process_cpu_time().unwrap_or_default().saturating_sub(began));
                due += 1;
            } else if turn >= self.sampling.at[due] + WINDOW {
                due += 1;
            }
            state = game.next(scratch, &state, &joint)?;
        }
        Ok(())
    }
}

fn moves<G: Game>(game: &G, joint: &[String]) -> Result<Vec<MoveId>, Fault> {
    let find = |(role, text): (RoleId, &String)| {
        game.find_move(role, text).ok_or_else(|| Fault::NoSuchMove {
            role: game.roles()[role.index()].to_string(),
            text: text.clone(),
        })
    };
    RoleId::all(joint.len()).zip(joint).map(find).collect()
}
