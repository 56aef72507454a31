//! The complete state at the best end of a puzzle.
//!
//! The aim determines some fluents. Others follow if exactly one of several holds: a square shows one thing,
//! a piece is in one place. Such groups are read off the names of fluents, all those that agree in some
//! arguments, and are kept if exactly one of them held in every sampled position. A fluent that is still
//! undetermined is assumed to hold if it always did. None of this is proven; the caller verifies the result.

use std::collections::BTreeMap;

use game::{Aim, Fault, FluentId, Game, numbered};

use crate::heuristic::words;

/// The number of arguments of a fluent above which it is not grouped.
const MOST_ARGUMENTS: usize = 4;

/// Returns the state at the best end, as far as it can be determined.
pub(super) fn ending<G: Game>(
    game: &G,
    from: &G::State,
    samples: &[G::State],
    aim: &Aim,
    counter: &[FluentId],
) -> Result<G::State, Fault> {
    let count = game::fluent_count(game);
    let mut columns = vec![vec![false; samples.len()]; count];
    let mut fluents = Vec::new();
    for (row, state) in samples.iter().enumerate() {
        numbered(game)?.fluents(state, &mut fluents)?;
        fluents.iter().for_each(|fluent| columns[fluent.0 as usize][row] = true);
    }
    let mut values: Vec<Option<bool>> = vec![None; count];
    aim.fluents.iter().for_each(|(fluent, holds)| values[fluent.0 as usize] = Some(*holds));
    // The counter has the same value as at the beginning.
    numbered(game)?.fluents(from, &mut fluents)?;
    counter.iter().for_each(|fluent| values[fluent.0 as usize] = Some(fluents.contains(fluent)));
    let groups: Vec<Vec<usize>> = groups(game)
        .into_iter()
        .filter(|group| {
            (0..samples.len()).all(|row| group.iter().filter(|&&fluent| columns[fluent][row]).count() == 1)
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for group in &groups {
            let open: Vec<usize> = group.iter().copied().filter(|&fluent| values[fluent].is_none()).collect();
            let full = group.iter().any(|&fluent| values[fluent] == Some(true));
            if full && !open.is_empty() {
                open.iter().for_each(|&fluent| values[fluent] = Some(false));
                changed = true;
            } else if let (false, [last]) = (full, &open[..]) {
                values[*last] = Some(true);
                changed = true;
            }
        }
    }
    let holds = |fluent: usize| values[fluent].unwrap_or_else(|| columns[fluent].iter().all(|holds| *holds));
    let holding: Vec<FluentId> =
        (0..count).filter(|&fluent| holds(fluent)).map(|f| FluentId(f as u32)).collect();
    numbered(game)?.with_fluents(&holding)
}

/// Returns the groups of fluents of one name that agree in some arguments, for every choice of these.
fn groups<G: Game>(game: &G) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<(usize, Vec<String>), Vec<usize>> = BTreeMap::new();
    let Some(grounded) = game.grounded() else { return Vec::new() };
    for fluent in 0..grounded.fluent_count() {
        let text = words(&grounded.fluent_text(FluentId(fluent as u32)));
        let arguments = text.len() - 1;
        if arguments > MOST_ARGUMENTS {
            continue;
        }
        for dropped in 1..1usize << arguments {
            let kept = text.iter().enumerate().map(|(place, word)| {
                let is_dropped = place > 0 && dropped >> (place - 1) & 1 == 1;
                if is_dropped { "?".to_string() } else { word.clone() }
            });
            found.entry((dropped, kept.collect())).or_default().push(fluent);
        }
    }
    found.into_values().filter(|group| group.len() > 1).collect()
}
