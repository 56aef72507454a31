//! Where names become players.
//!
//! Players are generic over the game, so whichever crate creates one compiles it. That is a lot
//! of code, so it happens in two places only: here for circuits (`compiled`), and in [`players`]
//! for every other game. Remote players have names too (`remote`). No other crate maps a name to
//! a player.

mod compiled;
mod error;
mod named;
mod remote;

pub use belief::Follow;
pub use compiled::{Compiled, check, for_circuits, list};
pub use error::{PlayerError, RemoteError};
pub use named::{host, is_counted, is_informed, player_list, searches, seat, seat_at, suits};
pub use players::playouts_at_once;
pub use remote::{is_on_the_wire, remote_address};
