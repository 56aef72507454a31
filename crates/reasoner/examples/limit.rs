//! Lanes against hand-written playouts, alternating in one process.
use std::sync::Arc;
use std::time::Instant;
use game::*;
use reasoner::*;
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for name in baseline::NAMES.iter().filter(|n| names.is_empty() || names.iter().any(|m| m == *n)) {
        let text = std::fs::read_to_string(format!("games/{name}/rules.kif")).unwrap();
        let rules = rules::Rules::check(&gdl::parse_kif(&text).sheet, rules::Strictness::Lenient).rules.unwrap();
        let game = CircuitGame::new(Arc::new(rules), Default::default()).unwrap();
        println!("{name} {:?}", game.parts());
        let mut hand = baseline::by_name(name, 1).unwrap();
        let slice = 0.1;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut index = 0u64;
        let mut batch = 1000u64;
        for round in 0..20 {
            let t = Instant::now();
            let mut steps = 0;
            let starts = [Start { state: game.initial(), first: None, count: u32::MAX / 2 }];
            let mut request = Playouts::new(&starts, Seed(1));
            request.first_index = index;
            request.deadline = Deadline::after(std::time::Duration::from_secs_f64(slice));
            let tally = game.tally(&request).unwrap();
            index += tally.playouts;
            steps += tally.steps;
            let e = t.elapsed().as_secs_f64();
            if round > 1 { ours.push(steps as f64 / e); }
            let t = Instant::now();
            let mut steps = 0;
            while t.elapsed().as_secs_f64() < slice { let s = hand(batch); steps += s.steps; if t.elapsed().as_secs_f64() < slice / 50.0 { batch *= 2; } }
            if round > 1 { theirs.push(steps as f64 / t.elapsed().as_secs_f64()); }
        }
        ours.sort_by(f64::total_cmp); theirs.sort_by(f64::total_cmp);
        let m = |v: &[f64]| v[v.len() / 2] / 1e6;
        let best = |v: &[f64]| v[v.len() - 1] / 1e6;
        println!("{name:14} ops {:6} lanes median {:8.2} best {:8.2} M/s  hand median {:8.2} best {:8.2}  ratio median {:.2} best {:.2}", game.figures().operations, m(&ours), best(&ours), m(&theirs), best(&theirs), m(&ours) / m(&theirs), best(&ours) / best(&theirs));
    }
}
