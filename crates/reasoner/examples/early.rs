//! A first command line: perft, trace and verify with the interpreter.
use std::sync::Arc;
use game::*;
use reasoner::Interpreter;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[2]).unwrap();
    let parsed = gdl::parse_kif(&text);
    let checked = rules::Rules::check(&parsed.sheet, rules::Strictness::Lenient);
    let line = |o: u32| text[..o as usize].matches('\n').count() + 1;
    for d in parsed.diagnostics.iter().chain(&checked.diagnostics) { println!("{}: {} {:?} {}", line(d.span.start), d.code, d.severity, d.message); }
    let Some(rules) = checked.rules else { std::process::exit(1) };
    let t = std::time::Instant::now();
    if args[1] == "ground" {
        let rules = Arc::new(rules);
        let g = match reasoner::ground::Ground::new(rules, Default::default()) { Ok(g) => g, Err(e) => { println!("{} FAIL {:?} {e}", args[2].rsplit('/').next().unwrap(), t.elapsed()); return } };
        let t1 = t.elapsed();
        let c = reasoner::circuit::Circuits::new(&g);
        println!("{} ok ground {:?} circuit {:?} atoms {} instances {} fluents {} known {} moves {:?} gates {} regions {} phases {} special {:?}", args[2].rsplit('/').next().unwrap(), t1, t.elapsed() - t1, g.atoms(), g.instance_count(), g.fluents.len(), c.known.iter().filter(|k| k.is_some()).count(), g.moves.iter().map(|m| m.len()).collect::<Vec<_>>(), c.general.gate_count(), c.general.aig.regions.len(), c.phases.count(), c.special.iter().map(|s| s.gate_count()).collect::<Vec<_>>());
        if args.get(3).map(|s| s.as_str()) == Some("lanes") {
            use reasoner::lanes::*;
            let secs: f64 = args.get(4).map_or(2.0, |x| x.parse().unwrap());
            let mut init = LaneState::empty(g.fluents.len());
            for (i, &b) in g.initial.iter().enumerate() { init.set(i, b); }
            let interp = Interpreter::new(g.rules.clone()).unwrap();
            let n: u32 = args.get(5).map_or(300, |x| x.parse().unwrap());
            let starts = [Start { state: interp.initial(), first: None, count: n }];
            let mut request = Playouts::new(&starts, Seed(7)); request.max_steps = 1000;
            let expect = interp.playouts(&request).unwrap();
            for width in [4usize, 1, 8, 2] {
                let t0 = std::time::Instant::now();
                let lanes = Lanes::new(&c, g.fluents.len(), g.moves.len(), width);
                let compile = t0.elapsed();
                let starts = [Start { state: init.clone(), first: None, count: n }];
                let mut request = Playouts::new(&starts, Seed(7)); request.max_steps = 1000;
                let got = lanes.playouts(&request);
                let same = got.ends == expect.ends && got.goals == expect.goals && got.lengths == expect.lengths;
                let t0 = std::time::Instant::now();
                let mut tally = Tally::default();
                let mut idx = 0u64;
                while t0.elapsed().as_secs_f64() < secs {
                    let starts = [Start { state: init.clone(), first: None, count: 20000 }];
                    let mut request = Playouts::new(&starts, Seed(8)); request.first_index = idx; request.max_steps = 1000;
                    idx += 20000;
                    request.deadline = Deadline::after(std::time::Duration::from_secs_f64(secs));
                    tally.add(&lanes.tally(&request));
                }
                println!("width {width} ops {} compile {:?} same {same} {:.2} M states/s  {:.1} k playouts/s mean {:.2} {}", lanes.operations(), compile, tally.steps as f64 / t0.elapsed().as_secs_f64() / 1e6, tally.playouts as f64 / t0.elapsed().as_secs_f64() / 1e3, tally.steps as f64 / tally.playouts as f64, if tally.results.len() < 6 { format!("{:?}", tally.results.iter().map(|(k, v)| (k.clone(), *v as f64 / tally.playouts as f64)).collect::<Vec<_>>()) } else { String::new() });
            }
        }
        return;
    }
    let game = match Interpreter::new(Arc::new(rules)) { Ok(g) => g, Err(e) => { println!("{e}"); std::process::exit(1) } };
    let startup = t.elapsed();
    match args[1].as_str() {
        "perft" => {
            let depth: u32 = args[3].parse().unwrap();
            for (d, c) in perft::perft(&game, &game.initial(), depth, &Deadline::never()).unwrap().iter().enumerate() {
                println!("{d} {} {}{}", c.sequences, c.terminal, if c.dead_ends > 0 { format!(" dead ends {}", c.dead_ends) } else { String::new() });
            }
            println!("# {:?}", t.elapsed());
        }
        "bench" => {
            let secs: f64 = args[3].parse().unwrap();
            let t = std::time::Instant::now();
            let mut tally = Tally::default();
            let mut index = 0;
            while t.elapsed().as_secs_f64() < secs {
                let starts = [Start { state: game.initial(), first: None, count: 1 }];
                let mut request = Playouts::new(&starts, Seed(1));
                request.first_index = index;
                request.max_steps = 2000;
                index += 1;
                tally.add(&game.tally(&request).unwrap());
            }
            println!("{} start {:?} states/s {:.0} playouts {} steps {} results {:?}", args[2].rsplit('/').next().unwrap(), startup, tally.steps as f64 / t.elapsed().as_secs_f64(), tally.playouts, tally.steps, if tally.results.len() < 8 { format!("{:?}", tally.results) } else { String::new() });
        }
        "show" => { for f in game.facts(&game.initial()) { println!("{f}"); } for r in RoleId::all(game.roles().len()) { let mut m = Vec::new(); game.legal(&game.initial(), r, &mut m).unwrap(); println!("{}: {:?}", game.roles()[r.index()], m.iter().map(|&x| game.move_text(r, x)).collect::<Vec<_>>()); } }
        "play" => {
            let n: u64 = args[3].parse().unwrap();
            let starts = [Start { state: game.initial(), first: None, count: n as u32 }];
            let mut request = Playouts::new(&starts, Seed(1));
            request.max_steps = args.get(4).map_or(10_000, |x| x.parse().unwrap());
            let t = game.tally(&request).unwrap();
            println!("{:#?}", t);
        }
        _ => {}
    }
}
