//! Random games that are long enough, move by move.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{AnyGame, Deadline, Fault, Game, PlayoutStream, Playouts, RoleId, Start};

use super::TurnSampling;

/// The number of turns measured in a row.
pub(super) const WINDOW: u32 = 4;
/// The number of random games among which long ones are searched for.
const TRIED: u32 = 1024;
/// The time limit of this search, for games that are slow to play.
const SEARCH: Duration = Duration::from_secs(60);

/// One random game.
pub(super) struct Walk {
    /// The joint moves as text.
    pub moves: Vec<Vec<String>>,
    /// The facts before each warm-up turn, by turn.
    pub states: BTreeMap<u32, Vec<String>>,
}

impl Walk {
    /// Returns the number of turns.
    pub fn len(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Returns the joint move of a turn, or `None` after the end.
    pub fn joint(&self, turn: u32) -> Option<&Vec<String>> {
        self.moves.get(turn.checked_sub(1)? as usize)
    }
}

/// Returns the warm-up turn of a window that begins at `turn`: the turn before it, if there is one.
pub(super) fn before(turn: u32) -> u32 {
    turn.saturating_sub(1).max(1)
}

/// Returns the numbers of long random games.
pub(super) fn numbers(game: &AnyGame, sampling: &TurnSampling) -> Result<Vec<u64>, Fault> {
    let starts = [Start { state: game.initial(), first: None, count: TRIED }];
    let deadline = Deadline::after(SEARCH);
    let request = Playouts { deadline, ..Playouts::new(&starts, sampling.seed) };
    let found = game.playouts(&mut game.scratch(), &request)?;
    let wanted = sampling.at.last().map_or(0, |last| last + WINDOW);
    // Every game that is long enough is equally good; if there are too few, the longest are taken.
    let mut all: Vec<(u32, u64)> =
        found.lengths.iter().zip(0u64..).map(|(length, index)| ((*length).min(wanted), index)).collect();
    all.sort_by_key(|(length, index)| (std::cmp::Reverse(*length), *index));
    Ok(all.into_iter().take(sampling.walks).map(|(_, index)| index).collect())
}

/// Replays the games with these numbers.
pub(super) fn find(game: &AnyGame, sampling: &TurnSampling, indexes: &[u64]) -> Result<Vec<Walk>, Fault> {
    let end = sampling.at.last().map_or(0, |last| last + WINDOW);
    let kept: Vec<u32> = sampling.at.iter().map(|turn| before(*turn)).collect();
    let (mut walks, mut scratch) = (Vec::new(), game.scratch());
    for &index in indexes {
        let stream = PlayoutStream::new(sampling.seed, index);
        let mut walk = Walk { moves: Vec::new(), states: BTreeMap::new() };
        let (mut state, mut legal) = (game.initial(), Vec::new());
        'game: while walk.len() < end && !game.is_terminal(&mut scratch, &state)? {
            let turn = walk.len() + 1;
            if kept.contains(&turn) {
                walk.states.insert(turn, game.facts(&state));
            }
            let (mut joint, mut text) = (Vec::new(), Vec::new());
            for role in RoleId::all(game.roles().len()) {
                game.legal(&mut scratch, &state, role, &mut legal)?;
                let chosen = match legal.len() {
                    0 => break 'game,
                    1 => 0,
                    count => stream.below(turn - 1, role.0, count as u32) as usize,
                };
                joint.push(legal[chosen]);
                text.push(game.move_text(role, legal[chosen]));
            }
            state = game.next(&mut scratch, &state, &joint)?;
            walk.moves.push(text);
        }
        walks.push(walk);
    }
    Ok(walks)
}
