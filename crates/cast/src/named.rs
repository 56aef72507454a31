//! Players by name: local and remote ones.

use arena::Host;
use game::{AnyGame, Deadline, Fault, Seat, Spec, SpecError};
use library::hosting;

use crate::PlayerError;

/// Returns the usage and the meaning of every player.
pub fn player_list() -> Vec<(String, &'static str)> {
    let mut list = crate::compiled::list();
    list.extend(crate::remote::LIST.map(|(usage, about)| (usage.to_string(), about)));
    list
}

/// Returns `true` if the player named by the spec must be shown all moves, even hidden ones.
pub fn is_informed(spec: &str) -> bool {
    Spec::parse(spec).is_ok_and(|spec| spec.name == "cheat")
}

/// Returns `true` if the player named by the spec counts its thinking; otherwise it thinks
/// until its clock runs out. Remote players are assumed to do the latter.
pub fn is_counted(spec: &str) -> Result<bool, PlayerError> {
    match crate::remote::own_process(spec) {
        Some(inner) => Ok(crate::compiled::is_counted(inner)?),
        None if crate::remote::remote_address(spec)?.is_some() => Ok(false),
        None => Ok(crate::compiled::is_counted(spec)?),
    }
}

/// Checks whether the player named by the spec can play this game, as far as can be determined
/// before the deadline; fails with the reason if it cannot. Remote players always pass.
pub fn suits(game: &AnyGame, spec: &str, deadline: &Deadline) -> Result<(), Fault> {
    crate::compiled::suits(game, crate::remote::own_process(spec).unwrap_or(spec), deadline).unwrap_or(Ok(()))
}

/// Seats the player named by the spec at a game.
pub fn seat(game: &AnyGame, spec: &str) -> Result<Box<dyn Seat>, PlayerError> {
    match crate::remote::seat(game, spec)? {
        Some(seat) => Ok(seat),
        None => Ok(crate::compiled::seat(game, spec)?),
    }
}

/// Returns the host that plays as the player named by the spec, for [`arena::PlayerServer`].
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
