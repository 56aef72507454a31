//! One state at a time, with the programs for blocks.
//!
//! The state is put into the first lane of a block. Results for a state are kept until another state is
//! queried.

use game::{Goal, MoveId, PerceptId};

use super::phase_code::{PhaseCode, TERMINAL};
use super::portable::Plane;
use super::{LaneState, Lanes};

/// The width of the planes in words: that of the fastest programs.
const W: usize = 4;

/// Scratch memory for queries about one state.
pub(crate) struct Single {
    state: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
    work: Vec<Plane<W>>,
    about: Option<LaneState>,
    phase: usize,
}

impl Lanes {
    /// Creates scratch memory for one thread.
    pub(crate) fn single(&self) -> Single {
        let work = self.code.iter().map(|c| c.work).max().unwrap_or(0);
        Single {
            state: vec![[0; W]; self.fluents],
            next: vec![[0; W]; self.fluents],
            work: vec![[0; W]; work],
            about: None,
            phase: 0,
        }
    }

    /// Evaluates a state, unless it was the last one evaluated.
    fn look(&self, single: &mut Single, state: &LaneState) {
        if single.about.as_ref() == Some(state) {
            return;
        }
        for (fluent, plane) in single.state.iter_mut().enumerate() {
            plane[0] = u64::from(state.holds(fluent));
        }
        let code = &self.code;
        let special = code.len() - 1;
        let phase = if special == 0 { None } else { self.phases.of(|f| state.holds(f as usize)) };
        single.phase = phase.unwrap_or(special);
        code[single.phase].look.run(&single.state, &mut single.next, &mut single.work);
        match &mut single.about {
            Some(about) => about.0.copy_from_slice(&state.0),
            None => single.about = Some(state.clone()),
        }
    }

    pub(crate) fn terminal(&self, single: &mut Single, state: &LaneState) -> bool {
        self.look(single, state);
        single.work[TERMINAL][0] & 1 == 1
    }

    pub(crate) fn legal(&self, single: &mut Single, state: &LaneState, role: usize, moves: &mut Vec<MoveId>) {
        self.look(single, state);
        let code = &self.code[single.phase];
        moves.clear();
        let planes = &single.work[code.legal[role]..];
        let legal = code.candidates[role].iter().zip(planes).filter(|(_, plane)| plane[0] & 1 == 1);
        moves.extend(legal.map(|(&m, _)| MoveId(m)));
    }

    /// Writes a joint move where the programs read it. Moves that cannot be legal in this phase need the
    /// general programs.
    fn make<'l>(&'l self, single: &mut Single, joint: &[MoveId]) -> &'l PhaseCode {
        let code = &self.code[single.phase];
        let possible = joint.iter().zip(&code.candidates).all(|(m, list)| list.binary_search(&m.0).is_ok());
        let code = if possible { code } else { &self.code[self.code.len() - 1] };
        code.make(&mut single.work, std::iter::once(joint));
        code
    }

    pub(crate) fn next(&self, single: &mut Single, state: &LaneState, joint: &[MoveId]) -> LaneState {
        self.look(single, state);
        let code = self.make(single, joint);
        code.next.run(&single.state, &mut single.next, &mut single.work);
        let mut next = LaneState::empty(self.fluents);
        for (word, chunk) in single.next.chunks(64).enumerate() {
            next.0[word] = chunk.iter().enumerate().fold(0, |bits, (i, plane)| bits | (plane[0] & 1) << i);
        }
        next
    }

    pub(crate) fn goal(&self, single: &mut Single, state: &LaneState, role: usize) -> Option<Goal> {
        self.look(single, state);
        let code = &self.code[single.phase];
        code.goals.run(&single.state, &mut single.next, &mut single.work);
        let mut values = code.goal_planes[role].iter().filter(|(_, plane)| single.work[*plane][0] & 1 == 1);
        match (values.next(), values.next()) {
            (Some(&(value, _)), None) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn goal_values(&self, single: &mut Single, state: &LaneState, role: usize) -> Vec<Goal> {
        self.look(single, state);
        let code = &self.code[single.phase];
        code.goals.run(&single.state, &mut single.next, &mut single.work);
        let holds = |(_, plane): &&(Goal, usize)| single.work[*plane][0] & 1 == 1;
        code.goal_planes[role].iter().filter(holds).map(|&(value, _)| value).collect()
    }

    pub(crate) fn percepts(
        &self,
        single: &mut Single,
        state: &LaneState,
        joint: &[MoveId],
        role: usize,
        percepts: &mut Vec<PerceptId>,
    ) {
        self.look(single, state);
        let code = self.make(single, joint);
        code.percepts.run(&single.state, &mut single.next, &mut single.work);
        let planes = single.work[code.percept_planes[role]..].iter().take(code.percept_counts[role]);
        percepts.extend((0..).zip(planes).filter(|(_, plane)| plane[0] & 1 == 1).map(|(i, _)| PerceptId(i)));
    }
}
