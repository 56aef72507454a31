//! Searches over the circuit inside a game whose type is hidden.

/// Runs an expression over a game under its fastest type: as the circuit that it is, or else
/// as an [`game::AnyGame`]. A state of the game can come along. The expression is compiled for both,
/// so this is for searches only.
#[macro_export]
macro_rules! fastest {
    ($any:expr, $game:ident, $state:ident => $body:expr) => {{
        let any: &$crate::__game::AnyGame = $any;
        let state: &$crate::__game::AnyState = $state;
        match any.played_by::<$crate::CircuitGame>().zip(state.downcast()) {
            Some(($game, $state)) => $body,
            None => {
                let ($game, $state) = (&::std::sync::Arc::new(any.clone()), state);
                $body
            }
        }
    }};
    ($any:expr, $game:ident => $body:expr) => {{
        let any: &$crate::__game::AnyGame = $any;
        match any.downcast::<$crate::CircuitGame>() {
            Some($game) => $body,
            None => {
                let $game = &::std::sync::Arc::new(any.clone());
                $body
            }
        }
    }};
}
