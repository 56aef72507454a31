//! Playing a single match.

use arena::{Event, MatchRecord, Setup, Sitter, Watch};
use game::Game;

use crate::{Error, Playable};

/// Plays a match. The players take the roles in order; roles of chance are played by the
/// referee and need no player.
///
/// Whatever the players do, the match ends with a record: a player that is late, fails or
/// answers with an illegal move loses that move, and the referee makes another one for it.
///
/// ```
/// # #[cfg(feature = "players")] {
/// let game = tafl::load("tic_tac_toe")?;
/// let players = ["legal", "random"].map(|spec| game.player(spec));
/// let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let record = tafl::play(&game, players, &game.setup(7))?;
/// assert_eq!(record.states.len(), record.moves.len() + 1);
///
/// let nobody = tafl::play(&game, [], &game.setup(7)).unwrap_err();
/// assert_eq!(nobody.to_string(), "tic_tac_toe needs 2 player(s), but got 0");
/// # }
/// # Ok::<(), tafl::Error>(())
/// ```
pub fn play(
    game: &Playable,
    players: impl IntoIterator<Item = Sitter>,
    setup: &Setup,
) -> Result<MatchRecord, Error> {
    referee(game, players.into_iter().collect(), setup, None)
}

/// Plays a match and reports each step as it is made: the moves, what each role saw, and the
/// position that followed.
///
/// ```
/// # #[cfg(feature = "players")] {
/// let game = tafl::load("tic_tac_toe")?;
/// let players = [game.player("legal")?, game.player("legal")?];
/// let mut moves = Vec::new();
/// tafl::play_watched(&game, players, &game.setup(1), &mut |event| {
///     if let tafl::Event::Step { step, position, .. } = event {
///         moves.push(step.moves.join(" "));
///         assert!(position.terminal || position.legal.iter().all(|legal| !legal.is_empty()));
///     }
/// })?;
/// assert_eq!(moves[0], "(mark 1 1) noop");
/// # }
/// # Ok::<(), tafl::Error>(())
/// ```
pub fn play_watched(
    game: &Playable,
    players: impl IntoIterator<Item = Sitter>,
    setup: &Setup,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<MatchRecord, Error> {
    referee(game, players.into_iter().collect(), setup, Some(watch))
}

fn referee(
    game: &Playable,
    players: Vec<Sitter>,
    setup: &Setup,
    watch: Watch<'_>,
) -> Result<MatchRecord, Error> {
    let seats = game.roles().iter().filter(|role| !role.is_chance()).count();
    if players.len() != seats {
        let (game, players) = (game.name().to_string(), players.len());
        return Err(Error::Seats { game, seats, players });
    }
    let mut players = players.into_iter();
    let sitters = game.roles().iter().map(|role| match role.is_chance() {
        true => Sitter::Nature,
        false => players.next().unwrap_or(Sitter::Nature),
    });
    let sitters = sitters.collect();
    Ok(arena::play(game, sitters, setup, watch))
}
