//! Random games one state at a time, stopped at the deadline wherever they are.
//!
//! If a state takes a second, finishing the current game would take minutes. So the last game is dropped,
//! and only its steps count.

use std::time::{Duration, Instant};

use game::{Deadline, End, Fault, Game, Outcomes, PlayoutStream, RoleId, Seed, Tally};

/// The time for which the clock need not be checked.
const UNWATCHED: Duration = Duration::from_millis(2);
const MOST_STEPS_UNWATCHED: u64 = 4096;

/// Checks the clock from time to time: often if steps are slow, rarely if they are fast.
struct Clock<'a> {
    deadline: &'a Deadline,
    looked: Instant,
    every: u64,
    steps: u64,
}

impl Clock<'_> {
    fn is_over(&mut self) -> bool {
        self.steps += 1;
        if self.steps < self.every {
            return false;
        }
        let now = Instant::now();
        let quick = now - self.looked < UNWATCHED;
        self.every = if quick { (self.every * 2).min(MOST_STEPS_UNWATCHED) } else { (self.every / 2).max(1) };
        (self.looked, self.steps) = (now, 0);
        self.deadline.is_over()
    }
}

/// Plays the playouts with these numbers from the initial state, at most until the deadline. Returns the
/// tally of the finished ones, and the number of steps of the unfinished one.
pub(crate) fn play<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    seed: Seed,
    indexes: std::ops::Range<u64>,
    max_steps: u32,
    deadline: &Deadline,
) -> Result<(Tally, u64), Fault> {
    let roles = game.roles().len();
    let initial = game.initial();
    let mut tally = Tally::default();
    let mut clock = Clock { deadline, looked: Instant::now(), every: 1, steps: 0 };
    let (mut moves, mut joint) = (Vec::new(), Vec::with_capacity(roles));
    for index in indexes {
        let stream = PlayoutStream::new(seed, index);
        let mut state = initial.clone();
        let mut step = 0;
        let end = 'game: loop {
            if game.is_terminal(scratch, &state)? {
                break End::Goals;
            }
            if step >= max_steps {
                break End::CutOff;
            }
            if clock.is_over() {
                return Ok((tally, u64::from(step)));
            }
            joint.clear();
            for role in RoleId::all(roles) {
                game.legal(scratch, &state, role, &mut moves)?;
                let chosen = match moves.len() {
                    0 => break 'game End::DeadEnd,
                    1 => 0,
                    count => stream.below(step, role.0, count as u32) as usize,
                };
                joint.push(moves[chosen]);
            }
            state = game.next(scratch, &state, &joint)?;
            step += 1;
        };
        let mut goals = vec![Outcomes::NO_GOAL; roles];
        let mut end = end;
        if end == End::Goals {
            for role in RoleId::all(roles) {
                match game.goal(scratch, &state, role)? {
                    Some(goal) => goals[role.index()] = goal,
                    None => end = End::NoGoal,
                }
            }
        }
        tally.playouts += 1;
        tally.steps += u64::from(step);
        *tally.results.entry((end, goals)).or_default() += 1;
        // A game without steps never checks the clock in the loop above.
        if step == 0 && clock.is_over() {
            break;
        }
    }
    Ok((tally, 0))
}
