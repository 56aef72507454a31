//! A complete player: four functions, of which it needs three.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Rng, RoleId};

struct MyPlayer<G: Game> {
    now: Option<(Arc<G>, G::State, RoleId, Rng)>,
}

impl<G: Game> Player<G> for MyPlayer<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.now = Some((game.clone(), game.initial(), context.role, context.seed.rng()));
        Ok(())
    }

    fn update(&mut self, seen: &Observation) -> Result<(), Fault> {
        let (game, state, ..) = self.now.as_mut().expect("started");
        let joint = seen.joint.as_ref().ok_or(Fault::Unsupported("hidden moves".to_string()))?;
        *state = game.next(state, joint)?;
        Ok(())
    }

    fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
        let (game, state, role, chance) = self.now.as_mut().expect("started");
        let mut moves = Vec::new();
        game.legal(state, *role, &mut moves)?;
        Ok(moves[chance.below(moves.len())])
    }
}

fn main() {}
