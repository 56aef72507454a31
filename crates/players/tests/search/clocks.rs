//! Replies come before the deadline, also while every core has other work.
//!
//! What is asserted leaves room for a machine that holds a test up: most
//! replies must be in time. `cargo xtask soak clocks` counts every late one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game::{Deadline, Seed};

const CLOCK: Duration = Duration::from_millis(100);

/// Does something while every core is loaded.
fn busy<T>(work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        over.store(true, Ordering::Relaxed);
        done
    })
}

#[test]
fn most_replies_are_in_time_while_every_core_is_loaded() {
    let game = crate::table::circuit("breakthrough_6");
    for spec in ["mcts", "mcts(threads=1)", "mcts(policy=mast)", "minimax", "lookahead"] {
        let mut player = crate::table::seated(&game, spec, 0, Seed(1));
        let mut times: Vec<Duration> = busy(|| {
            let reply = |_| {
                let began = Instant::now();
                player.select(&Deadline::after(CLOCK)).unwrap();
                began.elapsed()
            };
            (0..7).map(reply).collect()
        });
        times.sort();
        assert!(times[3] < CLOCK, "{spec}: {times:?}");
    }
}

#[test]
fn a_clock_that_is_over_is_answered_at_once() {
    let game = crate::table::circuit("breakthrough_6");
    for spec in ["mcts", "minimax", "lookahead"] {
        let mut player = crate::table::seated(&game, spec, 0, Seed(1));
        let began = Instant::now();
        player.select(&Deadline::after(Duration::ZERO)).unwrap();
        assert!(began.elapsed() < Duration::from_secs(1), "{spec}: {:?}", began.elapsed());
    }
}
