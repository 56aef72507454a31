//! A player of one's own on a port: it makes the last of its legal moves.
//!
//! `cargo run --example serve_player`, and in another terminal
//! `tafl match tic_tac_toe http://localhost:9147 random`.

#![allow(clippy::print_stdout, reason = "it says where it listens")]

use std::sync::Arc;

use arena::{PlayerServer, ServeOptions};
use belief::Follow;
use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player};

struct Last<G: Game>(Option<Follow<G>>);

impl<G: Game> Player<G> for Last<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.0 = Some(Follow::new(game, context));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.0.as_mut().expect("a match starts before its first step").update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let moves = self.0.as_mut().expect("a match starts before its first move").legal(deadline)?;
        Ok(*moves.last().expect("there is a legal move"))
    }
}

fn main() -> std::io::Result<()> {
    let options = ServeOptions { name: "last".to_string(), ..ServeOptions::default() };
    let server = PlayerServer::start("127.0.0.1:9147", library::host_of(|| Last(None), "auto"), options)?;
    println!("listens at http://{}; Enter ends it", server.address());
    std::io::stdin().read_line(&mut String::new())?;
    server.stop();
    Ok(())
}
