//! Random play that checks whether a grammar follows the conventions of games.

use game::{Fault, Game, PlayoutStream, RoleId, Seed};

use super::{GraphGame, GraphScratch, GraphState};
use crate::draw;

/// A mistake in a grammar, and the state that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong.
    pub what: String,
    /// The moves that lead to the state.
    pub moves: Vec<String>,
    /// The state as text.
    pub state: String,
}

/// The result of an inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// The number of games played to their end.
    pub games: u64,
    /// The number of states examined.
    pub states: u64,
    /// The first mistake, if any.
    pub mistake: Option<Mistake>,
}

impl GraphGame {
    /// Plays random games and checks every state.
    pub fn inspect(&self, games: u64, max_steps: u32, seed: Seed) -> Inspection {
        let mut scratch = self.scratch();
        let mut report = Inspection { games: 0, states: 0, mistake: None };
        for number in 0..games {
            let stream = PlayoutStream::new(seed, number);
            let mut state = self.initial();
            let mut moves = Vec::new();
            for step in 0..=max_steps {
                report.states += 1;
                let next = self
                    .look_at(&mut scratch, &state)
                    .and_then(|()| self.random_step(&mut scratch, &state, stream, step, &mut moves));
                match next {
                    Ok(Some(next)) => state = next,
                    Ok(None) => break,
                    Err(fault) => {
                        let state = draw::text(&self.grammar, &state.0.config.graph);
                        report.mistake = Some(Mistake { what: fault.to_string(), moves, state });
                        return report;
                    }
                }
            }
            report.games += 1;
        }
        report
    }

    fn random_step(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        stream: PlayoutStream,
        step: u32,
        moves: &mut Vec<String>,
    ) -> Result<Option<GraphState>, Fault> {
        let view = self.view(scratch, state)?;
        let Some(turn) = view.turn else { return Ok(None) };
        let mut joint = vec![super::Moves::NOOP; self.roles.len()];
        joint[turn] = view.moves[stream.below(step, turn as u32, view.moves.len() as u32) as usize];
        let next = self.next(scratch, state, &joint)?;
        moves.push(format!("{}: {}", self.roles[turn], self.moves.text(joint[turn])));
        Ok(Some(next))
    }

    /// Checks everything that must hold in one state.
    fn look_at(&self, scratch: &mut GraphScratch, state: &GraphState) -> Result<(), Fault> {
        let config = &state.0.config;
        let view = self.view(scratch, state)?;
        let winners = self.players.iter().filter(|player| self.has_flag(config, self.win, **player)).count();
        let Some(turn) = view.turn else { return Ok(()) };
        if winners > 0 {
            let text = "A player has the flag `win` although there are moves; only final states can have it.";
            return Err(Fault::BadState(text.to_string()));
        }
        let mut joint = vec![super::Moves::NOOP; self.roles.len()];
        for &mv in &view.moves {
            joint[turn] = mv;
            self.next(scratch, state, &joint)?;
        }
        if !self.filter || self.is_chance(turn) {
            return Ok(());
        }
        self.sight(scratch, state, turn, &mut Vec::new())?;
        let filters = self.filters(config)?;
        let Some(filter) = filters.first() else { return Ok(()) };
        let seen = GraphState::new(self.take(config, filter)?, false);
        let mut filtered = Vec::new();
        self.legal(scratch, &seen, RoleId(turn as u32), &mut filtered)?;
        let text = |list: &[game::MoveId]| list.iter().map(|&mv| self.moves.text(mv)).collect::<Vec<_>>();
        let (real, shown) = (text(&view.moves), text(&filtered));
        if real != shown {
            let hidden = real.iter().find(|mv| !shown.contains(mv));
            let extra = shown.iter().find(|mv| !real.contains(mv));
            let text = match (hidden, extra) {
                (Some(mv), _) => {
                    format!("The move `{mv}` is possible, but not in the state that `filter` shows.")
                }
                (None, Some(mv)) => {
                    format!("The move `{mv}` is possible only in the state that `filter` shows.")
                }
                (None, None) => "The moves in the state and in the filtered state differ.".to_string(),
            };
            return Err(Fault::BadState(text));
        }
        Ok(())
    }
}
