//! What `base` and `input` are worth: grounding and circuits without and with them.
//!
//! `declared_pay SHEET...` prints, for each sheet that declares both, what came of
//! it and the atoms, instances, gates and processor time without and with.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Instant;

use reasoner::Making;
use reasoner::circuit::{Circuits, NoCircuits};
use reasoner::ground::{Declared, Ground};
use rules::{Rules, Strictness};

/// Time this process had on a processor, in seconds; wall time where that is not known.
fn now(began: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = stat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanos.map_or_else(|| began.elapsed().as_secs_f64(), |n| n / 1e9)
}

fn main() {
    let began = Instant::now();
    for argument in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&argument).expect("the sheet can be read");
        let parsed = gdl::parse(&text, gdl::Syntax::guess(&text, Some("kif")));
        let Some(rules) = Rules::check(&parsed.sheet, Strictness::Lenient).rules.map(Arc::new) else {
            continue;
        };
        let from = now(began);
        let bounded = match Ground::declared(Arc::clone(&rules), &Making::default()) {
            Ok(ground) if ground.declared == Declared::Nothing => continue,
            bounded => bounded,
        };
        let bounded_in = now(began) - from;
        let plain = Ground::new(rules, Default::default());
        let plain_in = now(began) - from - bounded_in;
        println!("{argument}");
        let mut same = false;
        if let (Ok(plain), Ok(bounded)) = (&plain, &bounded) {
            same = plain.atoms() == bounded.atoms();
            println!("  {:?}", bounded.declared);
        }
        for (name, ground, time) in [("without", &plain, plain_in), ("with   ", &bounded, bounded_in)] {
            let Ok(ground) = ground else {
                println!("  {name}: {time:.3} s, does not ground");
                continue;
            };
            let moves: usize = ground.moves.iter().map(Vec::len).sum();
            let sizes = format!(
                "{} atoms, {} instances, {} fluents, {moves} moves",
                ground.atoms(),
                ground.instance_count(),
                ground.fluents.len()
            );
            let from = now(began);
            let circuits = if same { None } else { Some(Circuits::within(ground, Default::default())) };
            let circuit_in = now(began) - from;
            let circuits = match circuits {
                None => String::new(),
                Some(Ok(c)) => format!("; {circuit_in:.3} s, {} gates", c.general.gate_count()),
                Some(Err(NoCircuits::Strays)) => format!("; {circuit_in:.3} s, not proven"),
                Some(Err(NoCircuits::TooLarge | NoCircuits::Stopped)) => {
                    format!("; {circuit_in:.3} s, too large")
                }
            };
            println!("  {name}: {time:.3} s, {sizes}{circuits}");
        }
    }
}
