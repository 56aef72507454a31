//! A complete player, and a match of two of them: cargo run --example random_player
use std::sync::Arc;

use game::{
    Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Rng, RoleId, Seat, Seated, Seed,
};
use library::{Library, Loaded};

type Playing<G> = (Arc<G>, <G as Game>::Scratch, <G as Game>::State, RoleId, Rng);
struct MyPlayer<G: Game>(Option<Playing<G>>);

impl<G: Game> Player<G> for MyPlayer<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.0 = Some((game.clone(), game.scratch(), game.initial(), context.role, context.seed.rng()));
        Ok(())
    }

    fn update(&mut self, seen: &Observation) -> Result<(), Fault> {
        let (game, scratch, state, ..) = self.0.as_mut().expect("a match starts first");
        let joint = seen.joint.as_ref().ok_or(Fault::Unsupported("hidden moves".to_string()))?;
        *state = game.next(scratch, state, joint)?;
        Ok(())
    }

    fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
        let (game, scratch, state, role, chance) = self.0.as_mut().expect("a match starts first");
        let mut moves = Vec::new();
        game.legal(scratch, state, *role, &mut moves)?;
        Ok(moves[chance.below(moves.len())])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sheet = Loaded::new(Library::embedded().find("connect_four")?, Default::default());
    let game = sheet.play("auto")?.game;
    let seat = || -> Box<dyn Seat> { Box::new(Seated::new(Arc::new(game.clone()), MyPlayer(None))) };
    let sitters = ["me", "me too"].map(|name| arena::Sitter::Seat(name.to_string(), seat()));
    let record = arena::play(&game, sitters.into(), &arena::Setup::new("connect_four", Seed(1)), None);
    Ok(std::io::Write::write_all(&mut std::io::stdout(), format!("{:?}\n", record.goals).as_bytes())?)
}
