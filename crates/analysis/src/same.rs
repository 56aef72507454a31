//! Comparing two forms of one game, such as a rule sheet and a graph grammar.
//!
//! Both are walked side by side, and moves are translated. States have no common text, so only what can be
//! observed is compared: roles, moves, ends, goals and percepts.

use std::collections::BTreeMap;

use game::{Fault, Game, MoveId, PlayoutStream, RoleId, Seed};
use library::SameAs;

/// A difference between two games, or why they could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Differs {
    /// They answer differently.
    #[error("after {moves:?}: {what}: here {here}, there {there}")]
    Answer {
        /// What was compared.
        what: String,
        /// The joint moves made before.
        moves: Vec<String>,
        /// The answer of the first game.
        here: String,
        /// The answer of the second game.
        there: String,
    },
    /// One of them could not answer.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// What a role has seen, step by step.
type Sights = Vec<Vec<String>>;

/// Maps a role's history of percepts in one game to its history in the other.
type Told = BTreeMap<(u32, Sights), Sights>;

/// Walks random games in both, and returns the number of states compared.
///
/// Percepts may be worded differently. But over all walks, a role's histories of percepts must be equal in
/// one game exactly when they are equal in the other.
pub fn same<A: Game, B: Game>(
    here: &A,
    there: &B,
    names: &SameAs,
    walks: u64,
    max_steps: u32,
    seed: Seed,
) -> Result<u64, Differs> {
    let mut states = 0;
    let mut seen: (Told, Told) = Default::default();
    let roles = here.roles().len();
    let (mut own, mut foreign) = (here.scratch(), there.scratch());
    differ("roles", &[], &here.roles(), &there.roles())?;
    for walk in 0..walks {
        let stream = PlayoutStream::new(seed, walk);
        let (mut s, mut t) = (here.initial(), there.initial());
        let mut moves: Vec<String> = Vec::new();
        let mut histories: Vec<(Sights, Sights)> = vec![Default::default(); roles];
        for step in 0..max_steps {
            states += 1;
            let over = here.is_terminal(&mut own, &s)?;
            differ("terminal", &moves, &over, &there.is_terminal(&mut foreign, &t)?)?;
            if over {
                for role in RoleId::all(roles) {
                    let what = format!("goal of {}", here.roles()[role.index()]);
                    let goals = (here.goal(&mut own, &s, role)?, there.goal(&mut foreign, &t, role)?);
                    differ(&what, &moves, &goals.0, &goals.1)?;
                }
                break;
            }
            let (mut joint, mut other) = (Vec::new(), Vec::new());
            let mut texts = Vec::new();
            for role in RoleId::all(roles) {
                let pairs = translated(here, &mut own, &s, role, names)?;
                let (mut list, what) = (Vec::new(), format!("moves of {}", here.roles()[role.index()]));
                there.legal(&mut foreign, &t, role, &mut list)?;
                let mut known: Vec<(String, MoveId)> =
                    list.into_iter().map(|mv| (there.move_text(role, mv), mv)).collect();
                known.sort();
                let text =
                    |list: &[(String, MoveId)]| list.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>();
                differ(&what, &moves, &text(&pairs), &text(&known))?;
                let Some(last) = pairs.len().checked_sub(1) else { break };
                let chosen =
                    if last == 0 { 0 } else { stream.below(step, role.0, pairs.len() as u32) as usize };
                joint.push(pairs[chosen].1);
                other.push(known[chosen].1);
                texts.push(pairs[chosen].0.clone());
            }
            if joint.len() < roles {
                break;
            }
            let (next, after) = (here.next(&mut own, &s, &joint)?, there.next(&mut foreign, &t, &other)?);
            if !here.is_terminal(&mut own, &next)? {
                for role in RoleId::all(roles) {
                    let (mut x, mut y) = (Vec::new(), Vec::new());
                    here.percepts(&mut own, &s, &joint, role, &mut x)?;
                    there.percepts(&mut foreign, &t, &other, role, &mut y)?;
                    let history = &mut histories[role.index()];
                    history.0.push(x.iter().map(|&p| here.percept_text(role, p)).collect());
                    history.1.push(y.iter().map(|&p| there.percept_text(role, p)).collect());
                    let told = seen.0.entry((role.0, history.0.clone())).or_insert_with(|| history.1.clone());
                    let what = format!("what {} has seen", here.roles()[role.index()]);
                    differ(&what, &moves, told, &history.1)?;
                    let told = seen.1.entry((role.0, history.1.clone())).or_insert_with(|| history.0.clone());
                    differ(&what, &moves, told, &history.0)?;
                }
            }
            moves.push(texts.join(" "));
            (s, t) = (next, after);
        }
    }
    Ok(states)
}

/// Returns the legal moves of a role under their names in the other game, sorted by these names.
fn translated<A: Game>(
    game: &A,
    scratch: &mut A::Scratch,
    state: &A::State,
    role: RoleId,
    names: &SameAs,
) -> Result<Vec<(String, MoveId)>, Fault> {
    let mut list = Vec::new();
    game.legal(scratch, state, role, &mut list)?;
    let name = |mv: MoveId| {
        let text = game.move_text(role, mv);
        names.moves.get(&text).cloned().unwrap_or(text)
    };
    let mut pairs: Vec<(String, MoveId)> = list.into_iter().map(|mv| (name(mv), mv)).collect();
    pairs.sort();
    Ok(pairs)
}

fn differ<T: PartialEq + std::fmt::Debug>(
    what: &str,
    moves: &[String],
    here: &T,
    there: &T,
) -> Result<(), Differs> {
    if here == there {
        return Ok(());
    }
    let (here, there) = (format!("{here:?}"), format!("{there:?}"));
    Err(Differs::Answer { what: what.to_string(), moves: moves.to_vec(), here, there })
}
