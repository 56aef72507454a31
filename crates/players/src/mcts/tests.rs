//! Tests of overlapping batches, the clock, and discarded trees.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Budget, Deadline, Game, Reserve, RoleId, Seed};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

use super::Settings;
use super::pace::Pace;
use super::ponder::Mind;
use super::search::Search;

const CLOCK: Duration = Duration::from_millis(400);

fn search(game: &Arc<CircuitGame>, flows: bool) -> Search<CircuitGame> {
    let settings = Settings { budget: Budget::Clock, threads: Some(2), ..Settings::default() };
    let mut scratch = game.scratch();
    let mut pace = Pace::measured(&**game, &mut scratch, &settings, CLOCK, &Deadline::never()).unwrap();
    pace.flows = flows;
    Search::new(game, scratch, &settings, pace, Reserve::default(), Seed(1))
}

fn hnefatafl() -> Arc<CircuitGame> {
    let loaded = Loaded::new(Library::embedded().find("hnefatafl_7").unwrap(), Default::default());
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

#[test]
fn batches_that_are_played_together_are_taken_in_and_end_in_time() {
    let game = hnefatafl();
    let mut alone = search(&game, false);
    let mut together = search(&game, true);
    for search in [&mut alone, &mut together] {
        let began = Instant::now();
        search.run(&game.initial(), RoleId(0), &Deadline::after(CLOCK)).unwrap();
        assert!(began.elapsed() < CLOCK * 2, "{:?}", began.elapsed());
        assert!(search.playouts > 0);
    }
    assert!(alone.together.is_none() && together.together.is_some());
    // No batch in progress is lost or counted twice.
    together.gather().unwrap();
    let root = &together.tree.nodes[together.root as usize];
    assert_eq!(root.flying, 0);
    assert!(u64::from(root.visits) <= together.playouts);
}

#[test]
fn what_is_done_before_the_match_does_not_make_moves_longer() {
    let game = hnefatafl();
    let mut search = search(&game, false);
    search.run(&game.initial(), RoleId(0), &Deadline::after(CLOCK * 3)).unwrap();
    assert_eq!(search.clock, Some(CLOCK));
    search.run(&game.initial(), RoleId(0), &Deadline::after(CLOCK / 4)).unwrap();
    assert!(search.clock <= Some(CLOCK / 4));
}

#[test]
fn a_tree_that_there_is_no_time_to_cut_down_is_freed_later() {
    let game = hnefatafl();
    let settings = Settings { nodes: 200, threads: Some(1), ..Settings::default() };
    let mut scratch = game.scratch();
    let pace = Pace::measured(&*game, &mut scratch, &settings, CLOCK, &Deadline::never()).unwrap();
    let mut search = Search::new(&game, scratch, &settings, pace, Reserve::default(), Seed(1));
    let mut run = |clock: Duration| {
        search.run(&game.initial(), RoleId(0), &Deadline::after(clock)).unwrap();
        (search.tree.size(), search.litter.len())
    };
    let (size, litter) = run(CLOCK);
    assert!(size > 100 && litter == 0, "{size}, {litter}");
    let (size, litter) = run(Duration::from_micros(1));
    assert!(size < 100 && litter == 1, "{size}, {litter}");
    let (_, litter) = run(CLOCK);
    assert_eq!(litter, 0);
}

#[test]
fn pondering_ends_with_its_match() {
    let game = hnefatafl();
    let settings = Settings { ponder: true, threads: Some(1), ..Settings::default() };
    let mut scratch = game.scratch();
    let pace = Pace::measured(&*game, &mut scratch, &settings, CLOCK, &Deadline::never()).unwrap();
    let search = Search::new(&game, scratch, &settings, pace, Reserve::default(), Seed(1));
    let mut mind = Mind::Home(Box::new(search));
    mind.send(game.initial(), RoleId(0));
    assert!(matches!(mind, Mind::Away(_)));
    drop(mind);
    assert_eq!(Arc::strong_count(&game), 1);
}
