//! A player in forty lines: it plays a hundred random games after each of its moves and makes
//! the move with the best average.
//!
//! `cargo run --release -p tafl --example forty_lines` plays a match against itself;
//! with `-- --port 9147` it listens on that port.

#![allow(clippy::print_stdout, reason = "prints its address and the result")]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tafl::{
    AnyGame, Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Playouts, RoleId, Seed, Start,
};

type Playing<G> = (Arc<G>, <G as Game>::Scratch, <G as Game>::State, RoleId, Seed);

struct Sampler<G: Game>(Option<Playing<G>>);

impl<G: Game> Player<G> for Sampler<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.0 = Some((Arc::clone(game), game.scratch(), game.initial(), context.role, context.seed));
        Ok(())
    }

    fn update(&mut self, seen: &Observation) -> Result<(), Fault> {
        let (game, scratch, state, ..) = self.0.as_mut().expect("a match starts first");
        let joint = seen.joint.as_ref().ok_or(Fault::Unsupported("hidden moves".to_string()))?;
        *state = game.next(scratch, state, joint)?;
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let (game, scratch, state, role, seed) = self.0.as_mut().expect("a match starts first");
        let mut moves = Vec::new();
        game.legal(scratch, state, *role, &mut moves)?;
        let start = |mv: &MoveId| {
            let mut first = vec![MoveId::DRAWN; game.roles().len()];
            first[role.index()] = *mv;
            Start { state: state.clone(), first: Some(first.into()), count: 100 }
        };
        let starts: Vec<_> = moves.iter().map(start).collect();
        *seed = seed.derive(1);
        let deadline = deadline.earlier(Duration::from_millis(100));
        let request = Playouts { max_steps: 1000, deadline, ..Playouts::new(&starts, *seed) };
        let totals = game.totals(scratch, &request)?;
        let mean = |at: usize| totals.goals_of(at, *role) as f64 / f64::from(totals.playouts[at].max(1));
        let best = (0..moves.len()).max_by(|a, b| mean(*a).total_cmp(&mean(*b)));
        Ok(moves[best.expect("a role has a legal move")])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--port", port] => {
            let server = tafl::serve(|| Sampler::<AnyGame>(None), port.parse()?)?;
            println!("listening at http://{}; press Ctrl-C to stop", server.address());
            loop {
                std::thread::park();
            }
        }
        [] => {
            let game = tafl::load("connect_four")?;
            let players = ["one", "two"].map(|name| game.own_player(name, Sampler(None)));
            let record = tafl::play(&game, players, &game.setup(1))?;
            println!("after {} steps: {:?}", record.moves.len(), record.goals);
            Ok(())
        }
        _ => Err("usage: forty_lines [--port PORT]".into()),
    }
}
