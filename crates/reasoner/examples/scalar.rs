//! One state at a time.
use std::sync::Arc;
use std::time::Instant;
use game::*;
use reasoner::*;
fn main() {
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(format!("games/{name}/rules.kif")).unwrap();
        let rules = rules::Rules::check(&gdl::parse_kif(&text).sheet, rules::Strictness::Lenient).rules.unwrap();
        let game = CircuitGame::new(Arc::new(rules), Default::default()).unwrap();
        let t = Instant::now();
        let mut steps = 0u64; let mut index = 0;
        while t.elapsed().as_secs_f64() < 1.5 {
            let starts = [Start { state: game.initial(), first: None, count: 10 }];
            let mut request = Playouts::new(&starts, Seed(1));
            request.first_index = index; index += 10;
            let o = scalar_playouts(&game, &request).unwrap();
            steps += o.lengths.iter().map(|&l| l as u64).sum::<u64>();
        }
        println!("{name}: scalar {:.3} M states/s", steps as f64 / t.elapsed().as_secs_f64() / 1e6);
    }
}
