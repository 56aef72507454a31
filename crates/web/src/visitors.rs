//! Players on the network: they are asked whether they are there before a match with them begins.

use std::time::Duration;

use arena::{Address, InfoError, check_wire_clocks};

use crate::problem::Problem;
use crate::table::record::Seat;

/// Checks that players on the network can be told the clocks (to get ready, and for each move), are there, and
/// have time.
pub(crate) fn check(seats: &[Option<Seat>], clocks: (Duration, Duration)) -> Result<(), Problem> {
    let programs = || seats.iter().flatten().filter(|seat| !seat.is_outside()).map(|seat| &seat.player);
    if let Some(player) = programs().find(|player| cast::is_on_the_wire(player)) {
        let unfit = |cause| Problem::bad("bad-clock", format!("{player}: {cause}"));
        check_wire_clocks(clocks.0, clocks.1).map_err(unfit)?;
    }
    programs().filter_map(|player| cast::remote_address(player).ok().flatten()).try_for_each(|at| greet(&at))
}

fn greet(address: &Address) -> Result<(), Problem> {
    let place = &address.place;
    match address.info() {
        Err(InfoError::Http(error)) => {
            let text = format!("There is no player at {place}: {error}. Start it, or check the address.");
            Err(Problem::useless("no-such-player", text))
        }
        Ok(presence) if presence.is_busy() => {
            let text =
                format!("The player at {place} is busy with another match. Wait for it, or choose another.");
            Err(Problem::conflict("player-busy", text))
        }
        // Not every player knows this question.
        Ok(_) | Err(InfoError::Answer(_)) => Ok(()),
    }
}
