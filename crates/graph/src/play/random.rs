//! Batches of random games, identical to those of [`game::playout`].

use game::{End, Fault, MoveId, Outcomes, PlayoutStream, Playouts};

use super::{GraphGame, GraphScratch, GraphState, Moves};

impl GraphGame {
    /// Plays random games one after another.
    pub(super) fn play_many(
        &self,
        scratch: &mut GraphScratch,
        request: &Playouts<'_, GraphState>,
    ) -> Result<Outcomes, Fault> {
        let roles = self.roles.len();
        let mut outcomes = Outcomes { roles, ..Outcomes::default() };
        let mut index = request.first_index;
        let mut walk = scratch.take(self);
        'starts: for start in request.starts {
            for _ in 0..start.count {
                if request.deadline.is_over() {
                    break 'starts;
                }
                let stream = PlayoutStream::new(request.seed, index);
                index += 1;
                walk.start(&start.state.0.config);
                let mut trace = Vec::new();
                let mut step = 0;
                let end = loop {
                    let count = walk.list(self)?;
                    let forced = start.first.as_deref().filter(|_| step == 0);
                    if count == 0 && forced.is_none() {
                        break End::Goals;
                    }
                    if step >= request.max_steps {
                        break End::CutOff;
                    }
                    let turn = self.turn_of(walk.config())?;
                    let given = forced.map(|joint| joint[turn]).filter(|mv| *mv != MoveId::DRAWN);
                    let mv = match (given, count) {
                        (Some(mv), _) => mv,
                        (None, 0) => break End::Goals,
                        (None, 1) => walk.nth(0),
                        (None, _) => walk.nth(stream.below(step, turn as u32, count as u32) as usize),
                    };
                    if request.trace {
                        trace.extend((0..roles).map(|role| if role == turn { mv } else { Moves::NOOP }));
                    }
                    walk.make(self, turn, mv)?;
                    step += 1;
                };
                let goals = self.goals(walk.config());
                let open = end == End::CutOff;
                outcomes.goals.extend(goals.map(|goal| if open { Outcomes::NO_GOAL } else { goal }));
                outcomes.ends.push(end);
                outcomes.lengths.push(step);
                if request.trace {
                    outcomes.traces.push(trace);
                }
            }
        }
        scratch.put_back(self, walk);
        Ok(outcomes)
    }
}
