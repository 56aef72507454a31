//! Players by name: those that are compiled here, and those that are somewhere else.

use arena::Host;
use game::{AnyGame, Deadline, Fault, Seat, Spec, SpecError};
use library::hosting;

use crate::PlayerError;

/// Usage and meaning of every player.
pub fn player_list() -> Vec<(String, &'static str)> {
    let mut list = crate::compiled::list();
    list.extend(crate::remote::LIST.map(|(usage, about)| (usage.to_string(), about)));
    list
}

/// Whether the player that the spec names plays only where all moves are shown to it.
pub fn is_informed(spec: &str) -> bool {
    Spec::parse(spec).is_ok_and(|spec| spec.name == "cheat")
}

/// Whether the player that the spec names counts its thinking; else it thinks until its
/// clock is over, as everybody does who is somewhere else.
pub fn is_counted(spec: &str) -> Result<bool, PlayerError> {
    match crate::remote::own_process(spec) {
        Some(inner) => Ok(crate::compiled::is_counted(inner)?),
        None if crate::remote::remote_address(spec)?.is_some() => Ok(false),
        None => Ok(crate::compiled::is_counted(spec)?),
    }
}

/// Whether the player that the spec names plays this game, as far as can be told until
/// the deadline; if not, why. Nothing is said of players that are somewhere else.
pub fn suits(game: &AnyGame, spec: &str, deadline: &Deadline) -> Result<(), Fault> {
    crate::compiled::suits(game, crate::remote::own_process(spec).unwrap_or(spec), deadline).unwrap_or(Ok(()))
}

/// Seats the player that the spec names at a game.
pub fn seat(game: &AnyGame, spec: &str) -> Result<Box<dyn Seat>, PlayerError> {
    match crate::remote::seat(game, spec)? {
        Some(seat) => Ok(seat),
        None => Ok(crate::compiled::seat(game, spec)?),
    }
}

/// The player that a spec names, for [`arena::PlayerServer`].
pub fn host(spec: &str, reasoner: &str) -> Result<Host, SpecError> {
    crate::compiled::check(spec)?;
    let spec = spec.to_string();
    Ok(hosting(reasoner, move |game| crate::compiled::seat(game, &spec)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_in_a_process_of_its_own_counts_as_it_does_here() {
        assert_eq!(is_counted("process(mcts(playouts=5))"), Ok(true));
        assert_eq!(is_counted("process(mcts)"), Ok(false));
        assert_eq!(is_counted("http://localhost:1"), Ok(false));
        assert!(is_counted("nobody").is_err());
    }
}
