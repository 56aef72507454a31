//! Comparison of two games that should be equal.

use crate::{Fault, Game, MoveId, PlayoutStream, Role, RoleId, Seed};

/// A difference between two games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the walk.
    pub walk: u64,
    /// The number of steps made before.
    pub step: u32,
    /// What was compared.
    pub what: String,
    /// The answers that only the first game gives.
    pub only_first: Vec<String>,
    /// The answers that only the second game gives.
    pub only_second: Vec<String>,
    /// The state in which they differ.
    pub state: Vec<String>,
}

/// Why a comparison failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The games answer differently.
    Difference(Box<Difference>),
    /// One of the games could not answer.
    Fault(Fault),
}

impl From<Fault> for Mismatch {
    fn from(fault: Fault) -> Mismatch {
        Mismatch::Fault(fault)
    }
}

/// Plays random games in both, determined by the seed, and compares facts, legal moves, terminal, goals and
/// percepts as sets of text in every state. Returns the number of compared states.
pub fn compare<A: Game, B: Game>(
    a: &A,
    b: &B,
    walks: u64,
    max_steps: u32,
    seed: Seed,
) -> Result<u64, Mismatch> {
    let (mut at_a, mut at_b) = (a.scratch(), b.scratch());
    let mut states = 0;
    let same = |what: &str, x: Vec<String>, y: Vec<String>, place: (u64, u32, &[String])| {
        if x == y { Ok(()) } else { Err(difference(what, x, y, place)) }
    };
    same("roles", Role::names(a.roles()), Role::names(b.roles()), (0, 0, &[]))?;
    let roles: Vec<RoleId> = RoleId::all(a.roles().len()).collect();
    for walk in 0..walks {
        let stream = PlayoutStream::new(seed, walk);
        let (mut s, mut t) = (a.initial(), b.initial());
        for step in 0..=max_steps {
            states += 1;
            let facts = a.facts(&s);
            let place = (walk, step, &facts[..]);
            same("state", facts.clone(), b.facts(&t), place)?;
            let (over, over_b) = (a.is_terminal(&mut at_a, &s)?, b.is_terminal(&mut at_b, &t)?);
            same("terminal", vec![over.to_string()], vec![over_b.to_string()], place)?;
            let mut joints: (Vec<MoveId>, Vec<MoveId>) = (Vec::new(), Vec::new());
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for &role in &roles {
                let name = &a.roles()[role.index()];
                a.legal(&mut at_a, &s, role, &mut x)?;
                b.legal(&mut at_b, &t, role, &mut y)?;
                let texts = |list: Vec<String>| list;
                let xs = texts(x.iter().map(|&m| a.move_text(role, m)).collect());
                let ys = texts(y.iter().map(|&m| b.move_text(role, m)).collect());
                same(&format!("legal moves of {name}"), xs, ys, place)?;
                let goals = |goal: Option<i32>, all: Vec<i32>| vec![format!("{goal:?} of {all:?}")];
                same(
                    &format!("goal of {name}"),
                    goals(a.goal(&mut at_a, &s, role)?, a.goal_values(&mut at_a, &s, role)?),
                    goals(b.goal(&mut at_b, &t, role)?, b.goal_values(&mut at_b, &t, role)?),
                    place,
                )?;
                if !x.is_empty() {
                    let chosen = stream.below(step, role.0, x.len() as u32) as usize;
                    joints.0.push(x[chosen]);
                    joints.1.push(y[chosen]);
                }
            }
            if over || step == max_steps || joints.0.len() < roles.len() {
                break;
            }
            for &role in &roles {
                let (mut x, mut y) = (Vec::new(), Vec::new());
                a.percepts(&mut at_a, &s, &joints.0, role, &mut x)?;
                b.percepts(&mut at_b, &t, &joints.1, role, &mut y)?;
                let xs = x.iter().map(|&p| a.percept_text(role, p)).collect();
                let ys = y.iter().map(|&p| b.percept_text(role, p)).collect();
                same(&format!("percepts of {}", a.roles()[role.index()]), xs, ys, place)?;
            }
            s = a.next(&mut at_a, &s, &joints.0)?;
            t = b.next(&mut at_b, &t, &joints.1)?;
        }
    }
    Ok(states)
}

fn difference(
    what: &str,
    x: Vec<String>,
    y: Vec<String>,
    (walk, step, state): (u64, u32, &[String]),
) -> Mismatch {
    Mismatch::Difference(Box::new(Difference {
        walk,
        step,
        what: what.to_string(),
        only_first: x.iter().filter(|t| !y.contains(t)).cloned().collect(),
        only_second: y.iter().filter(|t| !x.contains(t)).cloned().collect(),
        state: state.to_vec(),
    }))
}
