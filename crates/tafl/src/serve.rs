//! Players that listen on a port.

use std::net::{Ipv4Addr, ToSocketAddrs};

use arena::{PlayerServer, ServeOptions};
use game::{AnyGame, Player};
use library::host_of;

use crate::Error;

/// Listens on a port of this machine and plays when asked by a program that speaks the GGP
/// protocol. `make` creates a player for each match. Port 0 picks a free port. Dropping the
/// server closes the port.
///
/// ```
/// use std::sync::Arc;
/// use tafl::{AnyGame, Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, RoleId};
///
/// /// Makes the last of its legal moves.
/// struct Last<G: Game>(Option<(Arc<G>, G::Scratch, G::State, RoleId)>);
///
/// impl<G: Game> Player<G> for Last<G> {
///     fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
///         self.0 = Some((Arc::clone(game), game.scratch(), game.initial(), context.role));
///         Ok(())
///     }
///
///     fn update(&mut self, seen: &Observation) -> Result<(), Fault> {
///         let (game, scratch, state, _) = self.0.as_mut().expect("a match starts first");
///         let joint = seen.joint.as_ref().ok_or(Fault::Unsupported("hidden moves".to_string()))?;
///         *state = game.next(scratch, state, joint)?;
///         Ok(())
///     }
///
///     fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
///         let (game, scratch, state, role) = self.0.as_mut().expect("a match starts first");
///         let mut moves = Vec::new();
///         game.legal(scratch, state, *role, &mut moves)?;
///         Ok(*moves.last().expect("a role has a legal move"))
///     }
/// }
///
/// let server = tafl::serve(|| Last::<AnyGame>(None), 0)?;
/// let game = tafl::load("tic_tac_toe")?;
/// let there = game.remote_player(&format!("http://{}", server.address()))?;
/// let here = game.own_player("last", Last(None));
/// let record = tafl::play(&game, [there, here], &game.setup(1))?;
/// assert_eq!(record.moves[0], ["(mark 3 3)", "noop"]);
/// assert!(record.faults.is_empty());
/// server.stop();
/// # Ok::<(), tafl::Error>(())
/// ```
pub fn serve<P: Player<AnyGame> + 'static>(
    make: impl Fn() -> P + Send + Sync + 'static,
    port: u16,
) -> Result<PlayerServer, Error> {
    serve_at(make, (Ipv4Addr::LOCALHOST, port), ServeOptions::default())
}

/// Listens at any address: `0.0.0.0:9147` can be reached from other machines. The options limit
/// the resources that strangers can use.
pub fn serve_at<P: Player<AnyGame> + 'static>(
    make: impl Fn() -> P + Send + Sync + 'static,
    address: impl ToSocketAddrs,
    options: ServeOptions,
) -> Result<PlayerServer, Error> {
    Ok(PlayerServer::start(address, host_of(make, "auto"), options)?)
}
