//! Batches that are played together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Budget, Deadline, Game, RoleId, Seed};
use lab::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

use super::Settings;
use super::pace::Pace;
use super::search::Search;
use crate::reserve::Reserve;

const CLOCK: Duration = Duration::from_millis(400);

fn search(game: &Arc<CircuitGame>, flows: bool) -> Search<CircuitGame> {
    let settings = Settings { budget: Budget::Clock, threads: Some(2), ..Settings::default() };
    let mut pace = Pace::measured(&**game, &settings, CLOCK, &Deadline::never()).unwrap();
    pace.flows = flows;
    Search::new(game, &settings, pace, Reserve::default(), Seed(1))
}

#[test]
fn batches_that_are_played_together_are_taken_in_and_end_in_time() {
    let loaded = Loaded::new(Library::embedded().find("hnefatafl_7").unwrap(), Default::default());
    let game = Arc::new(CircuitGame::new(loaded.rules.unwrap(), GroundLimits::default()).unwrap());
    let mut alone = search(&game, false);
    let mut together = search(&game, true);
    for search in [&mut alone, &mut together] {
        let began = Instant::now();
        search.run(&game.initial(), RoleId(0), &Deadline::after(CLOCK)).unwrap();
        assert!(began.elapsed() < CLOCK * 2, "{:?}", began.elapsed());
        assert!(search.playouts > 0);
    }
    assert!(alone.together.is_none() && together.together.is_some());
    // Nothing that is under way is lost or counted twice.
    together.gather().unwrap();
    let root = &together.tree.nodes[together.root as usize];
    assert_eq!(root.flying, 0);
    assert!(u64::from(root.visits) <= together.playouts);
}
