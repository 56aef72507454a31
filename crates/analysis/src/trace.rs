//! Recordings of random games.
//!
//! A trace is a text with one JSON object per line: a header, then one object for each state, in the order
//! in which the playouts visit them. Recordings of other systems use the same format, so fields that they
//! lack are optional.

use std::io::{self, Write};

use game::{Fault, Game, PlayoutStream, Role, RoleId, Seed};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// The first line of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game as it was named.
    pub game: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The version of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The state in which the playouts begin, if it is not the initial state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// One state of a playout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The number of the playout.
    pub playout: u64,
    /// The number of steps before this state.
    pub ply: u32,
    /// The facts, sorted.
    pub state: Vec<String>,
    /// Whether the state is terminal.
    pub terminal: bool,
    /// The legal moves, sorted.
    pub legal: ByRole<Vec<String>>,
    /// The goals, in terminal states; `None` for a role without exactly one value.
    pub goals: Option<ByRole<Option<i32>>>,
    /// The moves made, in role order; `None` in the last state.
    pub joint: Option<Vec<String>>,
    /// What each role saw of those moves, if the game has hidden information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percepts: Option<ByRole<Vec<String>>>,
}

/// A value for each role, in role order; an object in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByRole<T>(pub Vec<(String, T)>);

impl<T> ByRole<T> {
    /// Returns the value of a role. Names are compared case-insensitively.
    pub fn get(&self, role: &str) -> Option<&T> {
        self.0.iter().find(|(name, _)| name.to_lowercase() == role.to_lowercase()).map(|(_, value)| value)
    }
}

impl<T: Serialize> Serialize for ByRole<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(self.0.len()))?;
        for (role, value) in &self.0 {
            map.serialize_entry(role, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByRole<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<ByRole<T>, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = ByRole<T>;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object with an entry for each role")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByRole<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(ByRole(entries))
            }
        }
        input.deserialize_map(Entries(std::marker::PhantomData))
    }
}

/// What to record.
#[derive(Debug, Clone)]
pub struct Request {
    /// The game as it was named.
    pub game: String,
    /// The number of playouts.
    pub playouts: u64,
    /// The seed of the playouts.
    pub seed: Seed,
    /// The maximum length of a playout; longer ones are cut off.
    pub max_steps: u32,
    /// The state in which the playouts begin, as text, if it is not the initial state.
    pub from: Option<String>,
}

/// Why a recording failed.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The game could not answer.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The text could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Plays random games from `start` and writes them to `out`.
pub fn record<G: Game>(
    game: &G,
    start: &G::State,
    request: &Request,
    out: &mut dyn Write,
) -> Result<(), TraceError> {
    let header = Header {
        game: request.game.clone(),
        roles: Role::names(game.roles()),
        version: Some(VERSION),
        from: request.from.clone(),
    };
    write_line(out, &header)?;
    let mut scratch = game.scratch();
    for playout in 0..request.playouts {
        let stream = PlayoutStream::new(request.seed, playout);
        let mut state = start.clone();
        for ply in 0..=request.max_steps {
            let stream = (ply < request.max_steps).then_some(stream);
            let (line, next) = step(game, &mut scratch, &state, playout, ply, stream)?;
            write_line(out, &line)?;
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
    }
    Ok(())
}

fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Describes a state. Also returns the next state if the playout continues.
fn step<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    playout: u64,
    ply: u32,
    stream: Option<PlayoutStream>,
) -> Result<(Line, Option<G::State>), Fault> {
    let roles = game.roles();
    let terminal = game.is_terminal(scratch, state)?;
    let mut legal = Vec::new();
    let mut joint = Vec::new();
    let mut moves = Vec::new();
    for (role, name) in RoleId::all(roles.len()).zip(roles) {
        game.legal(scratch, state, role, &mut moves)?;
        legal.push((name.to_string(), moves.iter().map(|&m| game.move_text(role, m)).collect()));
        if let (Some(stream), false) = (stream, moves.is_empty()) {
            let chosen =
                if moves.len() == 1 { 0 } else { stream.below(ply, role.0, moves.len() as u32) as usize };
            joint.push(moves[chosen]);
        }
    }
    let goes_on = !terminal && joint.len() == roles.len();
    let (mut goals, mut percepts, mut next) = (None, None, None);
    if terminal {
        let values = RoleId::all(roles.len())
            .zip(roles)
            .map(|(role, name)| Ok((name.to_string(), game.goal(scratch, state, role)?)));
        goals = Some(ByRole(values.collect::<Result<_, Fault>>()?));
    }
    if goes_on {
        if game.has_percepts() {
            percepts = Some(ByRole(seen(game, scratch, state, &joint)?));
        }
        next = Some(game.next(scratch, state, &joint)?);
    }
    let texts = RoleId::all(roles.len()).zip(&joint).map(|(role, &m)| game.move_text(role, m));
    let joint = goes_on.then(|| texts.collect());
    let state = game.facts(state);
    Ok((Line { playout, ply, state, terminal, legal: ByRole(legal), goals, joint, percepts }, next))
}

/// Returns what each role sees of a joint move, as text.
pub(crate) fn seen<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    joint: &[game::MoveId],
) -> Result<Vec<(String, Vec<String>)>, Fault> {
    let mut percepts = Vec::new();
    RoleId::all(game.roles().len())
        .zip(game.roles())
        .map(|(role, name)| {
            game.percepts(scratch, state, joint, role, &mut percepts)?;
            Ok((name.to_string(), percepts.iter().map(|&p| game.percept_text(role, p)).collect()))
        })
        .collect()
}
