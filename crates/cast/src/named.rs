//! Players by name: local and remote ones.

use std::sync::Arc;

use arena::Host;
use game::{AnyGame, Deadline, Fault, Seat, Spec, SpecError};
use library::{Begun, Relay, hosting};

use crate::PlayerError;
use crate::remote::is_on_the_wire;

/// The player that answers if another one is late: it has a legal move at once.
const STANDBY: &str = "random";

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

/// Returns `true` if the player looks at more states than the current one. Players that are somewhere else, and
/// unknown ones, count as such.
pub fn searches(spec: &str) -> bool {
    crate::compiled::searches(spec).unwrap_or(true)
}

/// Seats a player at a game that may still be in the making; it changes to the faster one when that is ready.
pub fn seat_at(begun: &Begun, spec: &str) -> Result<Box<dyn Seat>, PlayerError> {
    if begun.later.is_none() || is_on_the_wire(spec) {
        return seat(&begun.now.game, spec);
    }
    let spec = spec.to_string();
    let relay = Relay::new(begun, Arc::new(move |game| crate::compiled::seat(game, &spec)))?;
    Ok(Box::new(relay.eager()))
}

/// Returns the host that plays as the player named by the spec, for [`arena::PlayerServer`].
pub fn host(spec: &str, reasoner: &str) -> Result<Host, SpecError> {
    crate::compiled::check(spec)?;
    let spec = spec.to_string();
    let standby = |game: &AnyGame| crate::compiled::seat(game, STANDBY).ok();
    Ok(hosting(reasoner, move |game| crate::compiled::seat(game, &spec), standby))
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
