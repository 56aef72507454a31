//! What facts are worth: circuits and playouts with them and without, in turns.
//!
//! `facts_pay [SECONDS] SHEET...` prints for each sheet fluents, gates and
//! operations without and with facts, the time it took to find them, and the
//! ratio of the speeds of random games in lanes, the median of many short turns.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Instant;

use game::{Playouts, Seed, Start};
use reasoner::circuit::{Circuit, Circuits, Fact};
use reasoner::ground::Ground;
use reasoner::lanes::{LaneState, Lanes};
use rules::{Rules, Strictness};

/// Time this process had on a processor, in seconds; wall time where that is not known.
fn now(began: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = stat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanos.map_or_else(|| began.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// One way to play.
struct Way {
    lanes: Lanes,
    initial: LaneState,
    /// Seconds it took to make the circuits.
    made_in: f64,
    /// Fluents that are stored, gates of the general circuit and of those of the phases.
    sizes: String,
}

impl Way {
    fn new(ground: &Ground, began: Instant, make: impl Fn(&Ground) -> Circuits) -> Way {
        let from = now(began);
        let circuits = make(ground);
        let made_in = now(began) - from;
        let stored = circuits.store.fluents.len();
        let initial = LaneState::of(&circuits.store.initial(ground));
        let lanes = Lanes::best(&circuits, ground.moves.len(), &initial, stored);
        let phases: Vec<usize> = circuits.special.iter().map(Circuit::gate_count).collect();
        let groups = circuits.store.facts.iter().filter(|f| matches!(f, Fact::AtMostOne(_))).count();
        let sizes = format!(
            "{stored} stored, {groups} groups, {} gates, {phases:?} by phase, {} operations",
            circuits.general.gate_count(),
            lanes.operations()
        );
        Way { lanes, initial, made_in, sizes }
    }

    /// Seconds for each step of some random games.
    fn turn(&self, number: u64, playouts: u32, began: Instant) -> (f64, u64) {
        let starts = [Start { state: self.initial.clone(), first: None, count: playouts }];
        let request = Playouts { max_steps: 600, ..Playouts::new(&starts, Seed(number)) };
        let from = now(began);
        let steps = self.lanes.tally(&request).steps;
        ((now(began) - from) / steps.max(1) as f64, steps)
    }
}

fn main() {
    let began = Instant::now();
    let mut seconds = 2.0;
    for argument in std::env::args().skip(1) {
        if let Ok(number) = argument.parse() {
            seconds = number;
            continue;
        }
        let text = std::fs::read_to_string(&argument).expect("the sheet can be read");
        let parsed = gdl::parse(&text, gdl::Syntax::guess(&text, Some("kif")));
        let rules = Rules::check(&parsed.sheet, Strictness::Lenient).rules.expect("the sheet is accepted");
        let ground = Ground::new(Arc::new(rules), Default::default()).expect("the rules ground");
        let ways = [Way::new(&ground, began, Circuits::plain), Way::new(&ground, began, Circuits::new)];
        println!("{argument}");
        for (name, way) in ["without", "with   "].iter().zip(&ways) {
            println!("  {name} facts: {:.3} s, {}", way.made_in, way.sizes);
        }
        let (mut ratios, mut number, mut playouts) = (Vec::new(), 0, 512);
        let start = now(began);
        while now(began) - start < seconds || ratios.len() < 3 {
            let before = now(began);
            let turns: Vec<(f64, u64)> = ways.iter().map(|w| w.turn(number, playouts, began)).collect();
            assert_eq!(turns[0].1, turns[1].1, "both play the same games");
            ratios.push(turns[0].0 / turns[1].0);
            number += 1;
            if now(began) - before < 0.02 && playouts < 1 << 20 {
                playouts *= 2;
                ratios.clear();
            }
        }
        ratios.sort_by(f64::total_cmp);
        println!("  {:.3} times as fast with facts, in {} turns", ratios[ratios.len() / 2], ratios.len());
    }
}
